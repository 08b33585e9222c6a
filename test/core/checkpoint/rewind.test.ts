/** Going back to before a prompt: the conversation, the files, or both. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openCheckpoints } from '../../../core/checkpoint/checkpoints.ts';
import { copyCheckpoints } from '../../../core/checkpoint/copy-checkpoints.ts';
import { planRestore } from '../../../core/checkpoint/restore.ts';
import { history } from '../../../core/history.ts';
import { readLog } from '../../../core/parse-log.ts';
import type { Session } from '../../../core/session.ts';
import type { Event, RewindScope } from '../../../core/types.ts';
import { dir, find, type Said, start, turn } from '../scripted-session.ts';

const write = (path: string, content: string): Said => ({ calls: [['write_file', { path, content }]] });
const edit = (path: string, old: string, to: string): Said => ({ calls: [['edit_file', { path, old, new: to }]] });
const done: Said = { text: 'Done.' };
const path = (name: string) => join(dir, name);
const read = (name: string) => readFileSync(path(name), 'utf8');
const checkpoints = () => openCheckpoints(join(dir, 'state', 's'), { project: dir, formerly: [] });

/** Goes back to before prompt `index`; gives what was stored for it. */
async function back(session: Session, index: number, what: RewindScope): Promise<Event[]> {
  const events: Event[] = [];
  const stream = session.events();
  const to = session.state.prompts[index]!.seq;
  expect(session.send({ type: 'rewind', to, what })).toEqual({ ok: true });
  for await (const event of stream) {
    if (event.type === 'activity' && event.doing === null) break;
    events.push(event);
  }
  return events;
}

describe('rewind', () => {
  it('gives back what a patch replaced by adding or moving a file over it', async () => {
    for (const name of ['added', 'target']) writeFileSync(path(name), `old ${name}\n`, { mode: 0o640 });
    writeFileSync(path('source'), 'source\n');
    const patch =
      '*** Begin Patch\n*** Add File: added\n+new\n*** Update File: source\n*** Move to: target\n@@\n-source\n+moved\n*** End Patch';
    const { lateTools, coreTools } = await import('../../../core/tools/index.ts');
    const tools = [...coreTools(), ...lateTools({})];
    const { session } = start([{ calls: [['apply_patch', { patch }]] }, done], { tools });
    const [result] = find(await turn(session, 'patch it'), 'tool_result');
    expect(result!.output).toMatch(
      /replaced the file that was there \(10 bytes\)[\s\S]*replaced the target .*\(11 bytes\)/,
    );
    expect([read('added'), read('target'), existsSync(path('source'))]).toEqual(['new\n', 'moved\n', false]);
    await back(session, 0, 'files');
    expect(['added', 'target', 'source'].map(read)).toEqual(['old added\n', 'old target\n', 'source\n']);
    expect(statSync(path('target')).mode & 0o777).toBe(0o640);
  });

  it('takes back the conversation and the files from a prompt on', async () => {
    chmodSync(path('a.txt'), 0o640);
    const { session, requests } = start([
      { text: 'Hello.' },
      edit('a.txt', 'alpha', 'beta'),
      write('deep/new.txt', 'made\n'),
      edit('a.txt', 'beta', 'gamma'),
      done,
      { text: 'Again.' },
    ]);
    await turn(session, 'first words');
    await turn(session, 'second words');
    expect([read('a.txt'), read('deep/new.txt')]).toEqual(['gamma\n', 'made\n']);
    const events = await back(session, 1, 'both');
    expect(read('a.txt')).toBe('alpha\n');
    expect(statSync(path('a.txt')).mode & 0o777).toBe(0o640);
    // And no empty folder stays where there was none.
    expect(existsSync(path('deep'))).toBe(false);
    expect(find(events, 'notice').map(({ text }) => text)).toEqual([
      '1 file went back: a.txt; 1 file removed: deep/new.txt',
    ]);
    await turn(session, 'third words');
    const sent = JSON.stringify(requests.at(-1)!.messages);
    expect(sent).toMatch(/first words.*Hello\..*third words/);
    expect(sent).not.toMatch(/second words|gamma/);
  });

  it('leaves no empty folder of its own, whatever file was its first, and every other one', async () => {
    mkdirSync(path('theirs'));
    mkdirSync(path('deep/theirs'), { recursive: true });
    const { session } = start([
      write('own/in/a.txt', 'a\n'),
      write('own/in/b.txt', 'b\n'),
      write('theirs/c.txt', 'c\n'),
      write('kept/d.txt', 'd\n'),
      write('kept/sub/e.txt', 'e\n'),
      write('gone/f.txt', 'f\n'),
      write('gone/g.txt', 'g\n'),
      done,
    ]);
    await turn(session, 'make them');
    writeFileSync(path('kept/person.txt'), 'mine\n');
    unlinkSync(path('gone/f.txt'));
    await back(session, 0, 'files');
    expect(
      ['own', 'theirs', 'kept/person.txt', 'kept/sub', 'gone', 'deep/theirs'].map((name) => existsSync(path(name))),
    ).toEqual([false, true, true, false, false, true]);
  });

  it('is the same when the log is read again', async () => {
    const { session } = start([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
    for (const text of ['p1', 'p2']) await turn(session, text);
    await back(session, 1, 'conversation');
    await turn(session, 'p3');
    const { events } = readLog(session.file);
    expect(JSON.stringify(history(events))).toMatch(/p1.*One\..*p3.*Three\./);
    expect(JSON.stringify(history(events))).not.toMatch(/p2|Two/);
    const { state } = session;
    await session.close();
    const again = start([done]);
    expect(again.session.state.prompts).toEqual(state.prompts);
    expect(again.session.state.prompts).toHaveLength(2);
  });

  it('brings back what a compaction behind the prompt had left out', async () => {
    const { session } = start([{ text: `Long. ${'x'.repeat(4000)}` }, { text: `More. ${'y'.repeat(4000)}` }, done]);
    for (const text of ['p1', 'p2']) await turn(session, text);
    const before = JSON.stringify(history(readLog(session.file).events));
    await turn(session, 'p3');
    const stream = session.events();
    session.send({ type: 'compact' });
    for await (const event of stream) if (event.type === 'compaction') break;
    expect(JSON.stringify(history(readLog(session.file).events))).not.toContain('x'.repeat(4000));
    await new Promise((resolve) => setImmediate(resolve));
    await back(session, 2, 'conversation');
    expect(JSON.stringify(history(readLog(session.file).events))).toBe(before);
  });

  it('leaves alone and names what something else changed since, also when it was deleted', async () => {
    const { session } = start([
      edit('a.txt', 'alpha', 'beta'),
      write('b.txt', 'made\n'),
      write('c.txt', 'made\n'),
      done,
    ]);
    await turn(session, 'change them');
    writeFileSync(path('a.txt'), 'by hand\n');
    unlinkSync(path('c.txt'));
    const [step] = await planRestore(checkpoints(), session.state.prompts[0]!.seq);
    expect(step).toMatchObject({ action: 'changed' });
    const events = await back(session, 0, 'both');
    expect(read('a.txt')).toBe('by hand\n');
    expect(existsSync(path('b.txt'))).toBe(false);
    const warned = find(events, 'notice').find(({ level }) => level === 'warning')!.text;
    expect(warned).toMatch(/a\.txt \(something else changed it since\)/);
    expect(warned).not.toMatch(/[bc]\.txt/);
  });

  const lines = (...words: string[]) => words.map((word) => `${word}\n`).join('');
  const TEN = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
  const but = (...changes: [number, ...string[]][]) =>
    lines(
      ...TEN.flatMap(
        (word, i) =>
          changes
            .find(([at]) => at === i)
            ?.slice(1)
            .map(String) ?? [word],
      ),
    );

  it('keeps the lines that somebody wrote between two changes of ada, and after them', async () => {
    writeFileSync(path('a.txt'), lines(...TEN));
    const byHand = (content: string): Said => ({
      calls: [['bash', { command: `printf '${content.replaceAll('\n', '\\n')}' > a.txt` }]],
    });
    const { session } = start([
      edit('a.txt', 'two', 'TWO'),
      byHand(but([1, 'TWO'], [4, 'five', 'by hand'])),
      edit('a.txt', 'nine', 'NINE'),
      done,
    ]);
    session.send({ type: 'set', mode: 'auto' });
    await turn(session, 'change it');
    expect(read('a.txt')).toBe(but([1, 'TWO'], [4, 'five', 'by hand'], [8, 'NINE']));
    writeFileSync(path('a.txt'), but([1, 'TWO'], [4, 'five', 'by hand'], [6, 'SEVEN'], [8, 'NINE']));
    const [step] = await planRestore(checkpoints(), session.state.prompts[0]!.seq);
    expect(step).toMatchObject({ action: 'merge' });
    const events = await back(session, 0, 'files');
    expect(read('a.txt')).toBe(but([4, 'five', 'by hand'], [6, 'SEVEN']));
    expect(find(events, 'notice')[0]!.text).toBe('1 file went back: a.txt (but for the lines that others changed)');
  });

  it('leaves a file alone where somebody changed the same lines between', async () => {
    writeFileSync(path('a.txt'), lines(...TEN));
    const { session } = start([
      edit('a.txt', 'two', 'TWO'),
      { calls: [['bash', { command: 'sed -i s/TWO/Two/ a.txt' }]] },
      edit('a.txt', 'nine', 'NINE'),
      done,
    ]);
    session.send({ type: 'set', mode: 'auto' });
    await turn(session, 'change it');
    const events = await back(session, 0, 'files');
    expect(read('a.txt')).toBe(but([1, 'Two'], [8, 'NINE']));
    expect(find(events, 'notice').map(({ text }) => text)).toContainEqual(
      'left as they are: a.txt (something else changed it since)',
    );
  });

  it('leaves a file that ada created and somebody wrote to', async () => {
    const { session } = start([
      write('new/b.txt', 'made\n'),
      { calls: [['bash', { command: 'echo more >> new/b.txt; touch new/other' }]] },
      edit('new/b.txt', 'made', 'MADE'),
      write('new/deep/c.txt', 'made\n'),
      done,
    ]);
    session.send({ type: 'set', mode: 'auto' });
    await turn(session, 'make them');
    await back(session, 0, 'files');
    expect(read('new/b.txt')).toBe('MADE\nmore\n');
    // Its own folder goes, and the one that holds something stays.
    expect([existsSync(path('new/deep')), existsSync(path('new/other'))]).toEqual([false, true]);
  });

  it('of the conversation alone leaves the files, and the model is told', async () => {
    const { session, requests } = start([edit('a.txt', 'alpha', 'beta'), done, { text: 'Ok.' }]);
    await turn(session, 'change it');
    await back(session, 0, 'conversation');
    expect(read('a.txt')).toBe('beta\n');
    await turn(session, 'go on');
    expect(JSON.stringify(requests.at(-1)!.messages)).toMatch(/stay as they are now: a\.txt/);
  });

  it('tells the model of files that could not go back with the conversation', async () => {
    const { session, requests } = start([write('b.txt', 'made\n'), done, { text: 'Ok.' }]);
    await turn(session, 'make it');
    writeFileSync(path('b.txt'), 'by hand\n');
    await back(session, 0, 'both');
    expect(read('b.txt')).toBe('by hand\n');
    await turn(session, 'go on');
    expect(JSON.stringify(requests.at(-1)!.messages)).toMatch(/stay as they are now: b\.txt\. Read them/);
  });

  it('of files alone keeps the conversation, and can itself be taken back', async () => {
    const { session, requests } = start([edit('a.txt', 'alpha', 'beta'), done, edit('a.txt', 'alpha', 'delta'), done]);
    await turn(session, 'change it');
    await back(session, 0, 'files');
    expect(read('a.txt')).toBe('alpha\n');
    await turn(session, 'and now this');
    expect(JSON.stringify(requests[2]!.messages)).toMatch(/change it.*took back your changes of these files: a\.txt/);
    await back(session, 0, 'files');
    expect(read('a.txt')).toBe('alpha\n');
  });

  it('leaves the permissions as somebody else made them since', async () => {
    chmodSync(path('a.txt'), 0o644);
    const { session } = start([
      edit('a.txt', 'alpha', 'beta'),
      { calls: [['bash', { command: 'chmod 600 a.txt' }]] },
      edit('a.txt', 'beta', 'gamma'),
      done,
    ]);
    await turn(session, 'change it');
    await back(session, 0, 'files');
    expect(read('a.txt')).toBe('alpha\n');
    expect(statSync(path('a.txt')).mode & 0o777).toBe(0o600);
  });

  it('gives back the permissions that its own changes lost', async () => {
    chmodSync(path('a.txt'), 0o600);
    const patch = '*** Begin Patch\n*** Delete File: a.txt\n*** End Patch';
    const { lateTools, coreTools } = await import('../../../core/tools/index.ts');
    const { session } = start([{ calls: [['apply_patch', { patch }]] }, write('a.txt', 'new\n'), done], {
      tools: [...coreTools(), ...lateTools({})],
    });
    await turn(session, 'make it anew');
    chmodSync(path('a.txt'), statSync(path('a.txt')).mode);
    await back(session, 0, 'files');
    expect(read('a.txt')).toBe('alpha\n');
    expect(statSync(path('a.txt')).mode & 0o777).toBe(0o600);
  });

  it('says what stays of commands, to the person and to the model', async () => {
    const script = (change: Said): Said[] => [change, { calls: [['bash', { command: 'touch made.txt; ls' }]] }, done];
    const { session, requests } = start([
      ...script(edit('a.txt', 'alpha', 'beta')),
      done,
      ...script(write('b.txt', 'made\n')),
      { calls: [['bash', { command: 'ls' }]] },
      done,
    ]);
    await turn(session, 'change it');
    const events = await back(session, 0, 'both');
    expect(existsSync(path('made.txt'))).toBe(true);
    expect(find(events, 'notice').map(({ text }) => text)).toContain(
      'stays as it is: what commands changed since (touch made.txt; ls)',
    );
    await turn(session, 'go on');
    expect(JSON.stringify(requests.at(-1)!.messages)).toMatch(/went back to this point.*touch made\.txt; ls/);
    await turn(session, 'again');
    const files = await back(session, 1, 'files');
    expect(find(files, 'note')[0]?.text).toMatch(/What commands changed was not taken back/);
    await turn(session, 'look');
    const read = await back(session, 2, 'both');
    expect(JSON.stringify(read)).not.toMatch(/commands/i);
  });

  it('tells the model nothing of commands that it was not told of', async () => {
    const { session, requests } = start([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
    await turn(session, 'first');
    for (const [command, apart] of [
      ['touch private.txt', true],
      ['touch told.txt', false],
    ] as const) {
      const stream = session.events();
      await vi.waitFor(() => expect(session.send({ type: 'shell', command, apart })).toEqual({ ok: true }));
      for await (const event of stream) if (event.type === 'activity' && event.doing === null) break;
    }
    await turn(session, 'second');
    const events = await back(session, 0, 'conversation');
    expect(find(events, 'note')[0]?.text).toMatch(/still so: touch told\.txt\. Commands of the person may have/);
    await turn(session, 'third');
    expect(JSON.stringify(requests)).not.toContain('private.txt');
  });

  it('reaches through patches: added, changed, moved and deleted files', async () => {
    writeFileSync(path('gone.txt'), 'gone\n');
    const patch = [
      '*** Begin Patch',
      '*** Add File: added.txt',
      '+new',
      '*** Update File: a.txt',
      '*** Move to: moved.txt',
      '@@',
      '-alpha',
      '+omega',
      '*** Delete File: gone.txt',
      '*** End Patch',
    ].join('\n');
    const { lateTools, coreTools } = await import('../../../core/tools/index.ts');
    const tools = [...coreTools(), ...lateTools({})];
    const { session } = start([{ calls: [['apply_patch', { patch }]] }, done], { tools });
    await turn(session, 'patch it');
    expect([read('moved.txt'), existsSync(path('a.txt')), existsSync(path('gone.txt'))]).toEqual([
      'omega\n',
      false,
      false,
    ]);
    await back(session, 0, 'both');
    expect([read('a.txt'), read('gone.txt')]).toEqual(['alpha\n', 'gone\n']);
    expect([existsSync(path('added.txt')), existsSync(path('moved.txt'))]).toEqual([false, false]);
  });

  it('is refused while a turn runs and where there is no such prompt', async () => {
    const { session } = start([{ hang: true }]);
    session.send({ type: 'prompt', text: 'hang' });
    await new Promise((resolve) => setImmediate(resolve));
    const to = session.state.prompts[0]!.seq;
    expect(session.send({ type: 'rewind', to, what: 'both' })).toEqual({ ok: false, reason: 'busy' });
    session.send({ type: 'abort' });
    for await (const event of session.events(undefined, 1)) if (event.type === 'done') break;
    await new Promise((resolve) => setImmediate(resolve));
    expect(session.send({ type: 'rewind', to: 999, what: 'both' })).toEqual({ ok: false, reason: 'invalid' });
  });
});

describe('checkpoints', () => {
  it('keep each content once, and the first state of a file within a prompt', async () => {
    const kept = checkpoints();
    await (await kept.before(1, path('a.txt')))();
    writeFileSync(path('a.txt'), 'beta\n');
    await (await kept.before(1, path('a.txt')))();
    await (await kept.before(2, path('a.txt')))();
    const [file] = checkpoints().changed();
    expect(file!.states.map(({ prompt }) => prompt)).toEqual([1, 2]);
    expect((await kept.content(file!.states[0]!.before))?.toString()).toBe('alpha\n');
    expect((await kept.content(file!.states[1]!.before))?.toString()).toBe('beta\n');
  });

  it('outlive a torn line, and a copy of the session has them', async () => {
    const kept = checkpoints();
    const journal = join(dir, 'state', 's', 'checkpoints', 'journal.jsonl');
    await (await kept.before(1, path('a.txt')))();
    writeFileSync(journal, `${readFileSync(journal, 'utf8')}\n{"prompt":2,"fi`);
    await (await kept.before(3, path('b.txt')))();
    copyCheckpoints(join(dir, 'state', 's'), join(dir, 'state', 'copy'));
    const copy = openCheckpoints(join(dir, 'state', 'copy'), { project: dir, formerly: [] });
    expect(copy.changed().map(({ states }) => states[0]!.before)).toEqual([expect.any(String), 'absent']);
    expect((await copy.content(copy.changed()[0]!.states[0]!.before))?.toString()).toBe('alpha\n');
  });
});
