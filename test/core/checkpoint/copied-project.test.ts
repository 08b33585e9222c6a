/** Going back in a project that was moved or copied, or that came with a journal of somebody else. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashOf, openCheckpoints } from '../../../core/checkpoint/checkpoints.ts';
import { copyCheckpoints } from '../../../core/checkpoint/copy-checkpoints.ts';
import { JournalPaths } from '../../../core/checkpoint/journal-path.ts';
import type { Session } from '../../../core/session.ts';
import { goBack, openAt, permissionsAt } from '../moved-session.ts';
import { dir, find, type Said, start, turn } from '../scripted-session.ts';

const write = (path: string, content: string): Said => ({ calls: [['write_file', { path, content }]] });
const edit = (path: string, old: string, to: string): Said => ({ calls: [['edit_file', { path, old, new: to }]] });
const done: Said = { text: 'Done.' };

let elsewhere: string;
let copy: string;
const open: Session[] = [];
beforeEach(() => {
  elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'ada-elsewhere-')));
  copy = join(elsewhere, 'copy');
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((session) => session.close()));
  rmSync(elsewhere, { recursive: true, force: true });
});

const at = (project: string, script: readonly Said[] = [done], more = {}) => {
  const opened = openAt(project, script, more);
  open.push(opened.session);
  return opened;
};
const journalOf = (project: string) => join(project, 'state/s/checkpoints/journal.jsonl');
const linesOf = (project: string): Record<string, unknown>[] =>
  readFileSync(journalOf(project), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const holds = (...path: string[]) => readFileSync(join(...path), 'utf8');

/** A session that changed `a.txt` and made `deep/n.txt`, and is closed. */
async function changed(...more: Said[]): Promise<void> {
  const { session } = start([edit('a.txt', 'alpha', 'beta'), write('deep/n.txt', 'new\n'), ...more, done]);
  await turn(session, 'change them');
  await session.close();
}

/** As earlier versions wrote it: every path absolute. */
function asBefore(project: string): void {
  const lines = linesOf(project).map(({ path, ...line }) => ({
    ...line,
    file: join(realpathSync(project), `${path}`),
  }));
  writeFileSync(journalOf(project), lines.map((line) => `\n${JSON.stringify(line)}`).join(''));
}

describe('a project that was copied', () => {
  it.each(['now', 'before'])(
    'goes back in itself, and the original stays (journal as it is written %s)',
    async (form) => {
      await changed();
      if (form === 'before') asBefore(dir);
      else expect(new Set(linesOf(dir).map(({ path }) => path))).toEqual(new Set(['a.txt', 'deep/n.txt']));
      cpSync(dir, copy, { recursive: true });
      const events = await goBack(at(copy).session, 0, 'files');
      expect(find(events, 'notice').map(({ text }) => text)).toEqual([
        '1 file went back: a.txt; 1 file removed: deep/n.txt',
      ]);
      expect([holds(copy, 'a.txt'), existsSync(join(copy, 'deep'))]).toEqual(['alpha\n', false]);
      expect([holds(dir, 'a.txt'), holds(dir, 'deep/n.txt')]).toEqual(['beta\n', 'new\n']);
    },
  );

  it('goes back where it lies by now, when it was moved', async () => {
    await changed();
    asBefore(dir);
    renameSync(dir, copy);
    await goBack(at(copy).session, 0, 'both');
    expect([holds(copy, 'a.txt'), existsSync(join(copy, 'deep')), existsSync(dir)]).toEqual(['alpha\n', false, false]);
  });

  it('reads absolute paths also where it was not moved', async () => {
    await changed();
    asBefore(dir);
    await goBack(at(dir).session, 0, 'files');
    expect([holds(dir, 'a.txt'), existsSync(join(dir, 'deep'))]).toEqual(['alpha\n', false]);
  });
});

describe('a journal that is not to be trusted', () => {
  const alpha = hashOf(Buffer.from('alpha\n'));
  const secret = () => join(elsewhere, '.profile');

  /** Has the journal claim that the session changed a file. */
  function claim(name: Record<string, unknown>, content: string, more = {}): void {
    const prompt = 9999;
    appendFileSync(
      journalOf(dir),
      [
        { prompt, ...name, before: alpha, ...more },
        { ...name, after: hashOf(Buffer.from(content)), was: 0o644, mode: 0o644 },
      ]
        .map((line) => `\n${JSON.stringify(line)}`)
        .join(''),
    );
  }

  it.each([
    ['an absolute path', () => ({ file: secret() })],
    ['an absolute path, as it is written now', () => ({ outside: secret() })],
    ['a path that climbs', () => ({ path: `../../${secret().slice(1)}` })],
    ['a path that climbs on its way', () => ({ path: `deep/../../../${secret().slice(1)}` })],
    ['an absolute path that climbs', () => ({ file: `${realpathSync(dir)}/../..${secret()}` })],
    ['an absolute path in the place of a relative one', () => ({ path: secret() })],
    ['a path through a link', () => ({ path: 'link/.profile' })],
    ['a link', () => ({ path: 'to-profile' })],
    ['two names', () => ({ path: 'link/.profile', file: join(dir, 'a.txt') })],
  ])('leaves alone what lies elsewhere: %s', async (_, name) => {
    await changed();
    writeFileSync(secret(), 'mine\n');
    symlinkSync(elsewhere, join(dir, 'link'));
    symlinkSync(secret(), join(dir, 'to-profile'));
    claim(name(), 'mine\n', { mode: 0o777 });
    const events = await goBack(at(dir).session, 0, 'files');
    expect(holds(secret())).toBe('mine\n');
    expect(lstatSync(secret()).mode & 0o777).not.toBe(0o777);
    expect(JSON.stringify(find(events, 'notice'))).toContain('1 file went back: a.txt');
  });

  it('deletes no file and no folder elsewhere, and names what it left', async () => {
    await changed();
    writeFileSync(secret(), 'mine\n');
    mkdirSync(join(elsewhere, 'empty/deep'), { recursive: true });
    claim({ outside: secret() }, 'mine\n', { before: 'absent', folders: 3 });
    claim({ outside: join(elsewhere, 'empty/deep/gone') }, 'x', { before: 'absent', folders: 2 ** 40 });
    claim({ path: 'a.txt' }, 'x', { before: 'absent', folders: 2 ** 40 });
    const events = await goBack(at(dir).session, 0, 'files');
    expect([existsSync(secret()), existsSync(join(elsewhere, 'empty/deep'))]).toEqual([true, true]);
    const warned = find(events, 'notice').find(({ level }) => level === 'warning')!.text;
    expect(warned).toContain(
      `${secret()} (it lies outside of the project, and this session was not allowed to write it`,
    );
  });

  it('leaves alone a file in a folder that became a link', async () => {
    await changed();
    mkdirSync(join(elsewhere, 'theirs'));
    writeFileSync(join(elsewhere, 'theirs/n.txt'), 'new\n');
    rmSync(join(dir, 'deep'), { recursive: true });
    symlinkSync(join(elsewhere, 'theirs'), join(dir, 'deep'));
    const { session } = at(dir);
    const first = await goBack(session, 0, 'files');
    expect(JSON.stringify(find(first, 'notice'))).toContain('deep/n.txt (it lies outside of the project');
    expect(holds(elsewhere, 'theirs/n.txt')).toBe('new\n');
    // And where it leads to another folder of the project, that one is not the one that was changed either.
    unlinkSync(join(dir, 'deep'));
    mkdirSync(join(dir, 'other'));
    writeFileSync(join(dir, 'other/n.txt'), 'new\n');
    symlinkSync('other', join(dir, 'deep'));
    const events = await goBack(session, 0, 'files');
    expect(holds(dir, 'other/n.txt')).toBe('new\n');
    expect(JSON.stringify(find(events, 'notice'))).toContain('deep/n.txt (something else changed it since)');
  });

  it('takes a kept content only where it is the one that its name says', async () => {
    await changed();
    const blob = join(dir, 'state/s/checkpoints', alpha);
    writeFileSync(blob, 'omega\n');
    const events = await goBack(at(dir).session, 0, 'files');
    expect(holds(dir, 'a.txt')).toBe('beta\n');
    expect(JSON.stringify(find(events, 'notice'))).toContain('a.txt (what it held before is not kept)');
    // What is kept again is whole again.
    writeFileSync(join(dir, 'a.txt'), 'alpha\n');
    const checkpoints = openCheckpoints(join(dir, 'state/s'), { project: dir, formerly: [] });
    await checkpoints.before(500, join(dir, 'a.txt'));
    expect(readFileSync(blob, 'utf8')).toBe('alpha\n');
  });

  it('writes to no link in the place of its own files', async () => {
    await changed();
    const own = join(dir, 'state/s/checkpoints');
    const victim = join(elsewhere, 'victim');
    writeFileSync(victim, 'mine\n');
    const checkpoints = openCheckpoints(join(dir, 'state/s'), { project: dir, formerly: [] });
    rmSync(join(own, alpha));
    symlinkSync(victim, join(own, alpha));
    writeFileSync(join(dir, 'a.txt'), 'alpha\n');
    await checkpoints.before(500, join(dir, 'a.txt'));
    expect([holds(victim), lstatSync(join(own, alpha)).isFile()]).toEqual(['mine\n', true]);
    unlinkSync(journalOf(dir));
    symlinkSync(victim, journalOf(dir));
    await expect(checkpoints.before(501, join(dir, 'a.txt'))).rejects.toThrow(/leads elsewhere/);
    expect([holds(victim), checkpoints.changed()]).toEqual(['mine\n', []]);
    rmSync(own, { recursive: true });
    symlinkSync(elsewhere, own);
    await expect(checkpoints.before(502, join(dir, 'a.txt'))).rejects.toThrow(/leads elsewhere/);
    copyCheckpoints(join(dir, 'state/s'), join(dir, 'state/copy'));
    expect([readdirSync(elsewhere), existsSync(join(dir, 'state/copy'))]).toEqual([['victim'], false]);
  });

  it('skips what is no line of its own', async () => {
    await changed();
    const files = () => openCheckpoints(join(dir, 'state/s'), { project: dir, formerly: [] }).changed();
    const before = files();
    const bad = [{ mode: 1e9 }, { before: '../../fifo' }, { prompt: -1 }, { folders: 1.5 }, { path: 7 }, { path: '' }];
    for (const one of bad) {
      const line = { prompt: 9999, path: 'x.txt', before: alpha, ...one };
      appendFileSync(journalOf(dir), `\n${JSON.stringify(line)}`);
    }
    appendFileSync(journalOf(dir), '\nnull\n[]\n"x"\n{"path":"y","found":"zz"}\n{"path":"y","after":7}');
    expect(files()).toEqual(before);
  });
});

describe('a file outside of the project', () => {
  const outside = () => join(elsewhere, 'notes.txt');
  const yes = (session: Session) => (event: { type: string; id?: string }) => {
    if (event.type === 'approval_request') session.send({ type: 'approve', id: event.id!, decision: 'yes' });
  };

  it('goes back where a person let the session write it, here', async () => {
    writeFileSync(outside(), 'old\n');
    const { session } = start([write(outside(), 'new\n'), done]);
    await turn(session, 'write it', yes(session));
    expect(holds(outside())).toBe('new\n');
    const events = await goBack(session, 0, 'files');
    expect(find(events, 'notice')[0]!.text).toBe(`1 file went back: ${outside()}`);
    expect(holds(outside())).toBe('old\n');
  });

  it('stays where that yes was given for another place', async () => {
    writeFileSync(outside(), 'old\n');
    const { session } = start([write(outside(), 'new\n'), done]);
    await turn(session, 'write it', yes(session));
    await session.close();
    cpSync(dir, copy, { recursive: true });
    const events = await goBack(at(copy).session, 0, 'files');
    expect(holds(outside())).toBe('new\n');
    expect(find(events, 'notice').find(({ level }) => level === 'warning')!.text).toContain(outside());
  });

  it('goes back in a folder that was added, as long as it is', async () => {
    writeFileSync(outside(), 'old\n');
    const added = { permissions: permissionsAt(dir, [elsewhere]), directories: [elsewhere] };
    const { session } = start([write(outside(), 'new\n'), done], added);
    await turn(session, 'write it');
    await session.close();
    await goBack(at(dir).session, 0, 'files');
    expect(holds(outside())).toBe('new\n');
    await open.at(-1)!.close();
    await goBack(at(dir, [done], added).session, 0, 'files');
    expect(holds(outside())).toBe('old\n');
  });
});

it('a file is named by its path in the project, wherever that lies', () => {
  const paths = new JournalPaths({ project: '/new/p', formerly: ['/old/p', '/between/p'] });
  expect([paths.nameOf('/new/p/a/b.txt'), paths.nameOf('/new/pq/a')]).toEqual([
    { path: 'a/b.txt' },
    { outside: '/new/pq/a' },
  ]);
  expect(paths.fileOf({ path: 'a/b.txt' })).toEqual({ file: '/new/p/a/b.txt', outside: false });
  expect(paths.fileOf({ file: '/old/p/a/b.txt' })).toEqual({ file: '/new/p/a/b.txt', outside: false });
  expect(paths.fileOf({ file: '/new/p/a' })).toEqual({ file: '/new/p/a', outside: false });
  expect(paths.fileOf({ file: '/old/pq/a' })).toEqual({ file: '/old/pq/a', outside: true });
  // In this form it was another file from the beginning.
  expect(paths.fileOf({ outside: '/old/p/a' })).toEqual({ file: '/old/p/a', outside: true });
  for (const line of [
    {},
    { path: '.' },
    { path: '..' },
    { path: 'a//b' },
    { path: 'a/' },
    { path: 'a\0' },
    { file: 'a' },
  ])
    expect(paths.fileOf(line)).toBeUndefined();
});
