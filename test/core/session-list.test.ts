import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

  it.each(['', 'no JSON', '[1]', '{"s1.jsonl":{"mtime":"x"}}', '{"s1.jsonl":null}'])(
    'is not misled by an index that says %j',
    (text) => {
      many();
      writeFileSync(index(), text);
      expect(titles()).toMatchObject({ s1: 'prompt 1', s59: 'prompt 59' });
    },
  );
});
