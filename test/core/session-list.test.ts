import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listSessions } from '../../core/session-list.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ada-list-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const index = () => join(dir, '.index.json');
const write = (id: string, prompt: string, parent?: string) =>
  writeFileSync(
    join(dir, `${id}.jsonl`),
    `${[
      {
        type: 'session',
        id,
        version: 1,
        cwd: '/p',
        project: '/p',
        model: 'm',
        mode: 'ask',
        system: 's',
        tools: [],
        parent,
      },
      { type: 'user', text: prompt },
    ]
      .map((event, i) => JSON.stringify({ ...event, seq: i + 1, time: 0 }))
      .join('\n')}\n`,
  );
const many = () => {
  for (let i = 0; i < 60; i++) write(`s${i}`, `prompt ${i}`);
};
const titles = () => Object.fromEntries(listSessions(dir).map(({ id, title }) => [id, title]));

describe('listSessions', () => {
  it('reads a few without an index', () => {
    write('a', 'fix it\nsoon', 'b');
    expect(listSessions(dir)).toMatchObject([{ id: 'a', title: 'fix it', parent: 'b' }]);
    expect(existsSync(index())).toBe(false);
  });

  it('says the same with the index as without', () => {
    many();
    const first = listSessions(dir);
    expect(existsSync(index())).toBe(true);
    expect(listSessions(dir)).toEqual(first);
    rmSync(index());
    expect(listSessions(dir)).toEqual(first);
  });

  it('notices what was changed, added and deleted', () => {
    many();
    listSessions(dir);
    write('s1', 'quite another prompt');
    write('new', 'added');
    rmSync(join(dir, 's2.jsonl'));
    const now = titles();
    expect(now).toMatchObject({ s1: 'quite another prompt', new: 'added', s3: 'prompt 3' });
    expect(now).not.toHaveProperty('s2');
  });

  it('keeps names, parents and costs by log when others come and go around it', () => {
    many();
    write('s5', 'paid', 's4');
    const done = { type: 'done', text: '', finish: 'stop', usage: { cost: 0.5 }, turns: 1, seq: 3, time: 0 };
    appendFileSync(join(dir, 's5.jsonl'), `${JSON.stringify(done)}\n`);
    appendFileSync(join(dir, 's6.jsonl'), `${JSON.stringify({ type: 'title', text: 'named', seq: 3, time: 0 })}\n`);
    listSessions(dir);
    rmSync(join(dir, 's0.jsonl'));
    write('s50a', 'in between');
    const expected = [
      { id: 's5', title: 'paid', parent: 's4', costs: { '1970-01-01': 0.5 } },
      { id: 's50a', title: 'in between' },
      { id: 's6', title: 'named' },
    ];
    for (let listing = 0; listing < 2; listing++) {
      const found = listSessions(dir).filter(({ id }) => expected.some((one) => one.id === id));
      expect(found.sort((a, b) => (a.id < b.id ? -1 : 1))).toMatchObject(expected);
      expect(found[2]).not.toHaveProperty('costs');
    }
  });

  it('reads nothing of a log that the index knows', () => {
    many();
    listSessions(dir);
    const file = join(dir, 's7.jsonl');
    const { mtime, size } = statSync(file);
    writeFileSync(file, 'x'.repeat(size));
    utimesSync(file, mtime, mtime);
    // Times are set to the microsecond or coarser: what the index must hold is what the file now has.
    const stored = JSON.parse(readFileSync(index(), 'utf8'));
    stored.mtimes[stored.ids.indexOf('s7')] = statSync(file).mtimeMs;
    writeFileSync(index(), JSON.stringify(stored));
    expect(titles()).toMatchObject({ s7: 'prompt 7' });
  });

  it('opens neither pipes nor links, with the index and without', () => {
    many();
    execFileSync('mkfifo', [join(dir, 'pipe.jsonl')]);
    symlinkSync(join(dir, 's1.jsonl'), join(dir, 'link.jsonl'));
    for (let listing = 0; listing < 2; listing++) {
      expect(titles()).not.toHaveProperty('pipe');
      expect(titles()).not.toHaveProperty('link');
    }
  });

  it.skipIf(process.getuid?.() === 0)('names a log that may not be read, and reads it once it may', () => {
    many();
    chmodSync(join(dir, 's3.jsonl'), 0);
    for (let listing = 0; listing < 2; listing++) expect(titles().s3).toBe('(cannot be read)');
    chmodSync(join(dir, 's3.jsonl'), 0o600);
    expect(titles().s3).toBe('prompt 3');
  });

  it('takes no hidden file for a session', () => {
    for (const id of ['a', '', '._a', '.a']) write(id, id);
    expect(listSessions(dir).map(({ id }) => id)).toEqual(['a']);
  });

  it('gives the newest first, and those of one moment by their names', () => {
    for (const [id, seconds] of [
      ['b', 5],
      ['a', 5],
      ['old', 1],
      ['new', 9],
    ] as const) {
      write(id, id);
      utimesSync(join(dir, `${id}.jsonl`), seconds, seconds);
    }
    expect(listSessions(dir).map(({ id }) => id)).toEqual(['new', 'b', 'a', 'old']);
  });

  it('gives nothing for a folder that is not there', () => {
    expect(listSessions(join(dir, 'nowhere'))).toEqual([]);
  });

  it.each([
    '',
    'no JSON',
    '[1]',
    '{"s1.jsonl":{"mtime":1,"size":1,"title":"as it once was kept"}}',
    '{"ids":["s1"],"mtimes":[],"sizes":[1],"titles":["x"],"rest":[]}',
    '{"ids":["s1"],"mtimes":[1],"sizes":[1],"titles":[null],"rest":[]}',
    '{"ids":["s1"],"mtimes":[1],"sizes":[1],"titles":["x"],"rest":[null]}',
    '{"ids":null,"mtimes":null,"sizes":null,"titles":null,"rest":null}',
  ])('is not misled by an index that says %j', (text) => {
    many();
    writeFileSync(index(), text);
    expect(titles()).toMatchObject({ s1: 'prompt 1', s59: 'prompt 59' });
  });
});
