import { describe, expect, it } from 'vitest';
import { findSession } from '../../core/find-session.ts';

const sessions = [
  ['20261130-1', 'latest news'],
  ['20261130-2', 'Fix the parser'],
  ['20261201-3', 'Fix the parser again'],
  ['20261201-4', '20261130'],
  ['odd', '20261130-1'],
  ['x1', 'Zürich'],
  ['x2', 'twice'],
  ['x3', 'twice'],
].map(([id, title], i) => ({ id: id!, title: title!, file: `/p/${id}.jsonl`, mtime: 100 - i }));
const found = (wanted: string) => {
  const result = findSession(wanted, sessions, () => sessions);
  return 'one' in result ? result.one.id : result.several.map(({ id }) => id);
};

describe('the session that is meant', () => {
  it.each([
    ['latest', '20261130-1'],
    ['20261130-1', '20261130-1'],
    ['/p/odd.jsonl', 'odd'],
    ['o', 'odd'],
    ['20261201', ['20261201-3', '20261201-4']],
    // The whole title of one alone, though two ids begin so.
    ['20261130', '20261201-4'],
    ['fix THE parser', '20261130-2'],
    ['fix the parser a', '20261201-3'],
    ['fix', ['20261130-2', '20261201-3']],
    ['zurich', 'x1'],
    [' ZÜR', 'x1'],
    ['twice', ['x2', 'x3']],
    ['nothing', []],
    ['', []],
    [' ', []],
  ])('%j: %j', (wanted, ids) => {
    expect(found(wanted)).toEqual(ids);
  });

  it('asks for titles only where no id is meant', () => {
    const titled = () => {
      throw new Error('asked');
    };
    expect(findSession('odd', sessions, titled)).toEqual({ one: sessions[4] });
    expect(findSession('od', sessions, titled)).toEqual({ one: sessions[4] });
    expect(() => findSession('fix', sessions, titled)).toThrow('asked');
  });
});
