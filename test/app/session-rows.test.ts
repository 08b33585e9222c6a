import { expect, it } from 'vitest';
import { listText } from '../../app/commands/sessions.ts';
import { localMinute } from '../../app/local-minute.ts';

const at = localMinute(0);
const row = (id: string, more: object = {}) => ({ id, file: '', title: `t-${id}`, mtime: 0, ...more });

it('names copies, and what was paid where anything was', () => {
  expect(listText([], '/p')).toBe('no sessions in /p yet\n');
  expect(listText([row('a')], '/p')).toBe(`a  ${at}  t-a\n`);
  const sessions = [
    row('a', { costs: { '2026-11-30': 1, '2026-12-01': 11.5 } }),
    row('b', { parent: 'a' }),
    row('c', { parent: 'a', title: 't-a', costs: { '2026-11-30': 0.0012 } }),
    row('d', { parent: 'gone\u001b' }),
  ];
  expect(listText(sessions, '/p').split('\n')).toEqual([
    `a  ${at}   $12.50  t-a`,
    `b  ${at}           t-b  (copy of “t-a” a)`,
    `c  ${at}  $0.0012  t-a  (copy of a)`,
    `d  ${at}           t-d  (copy of gone␛)`,
    '',
  ]);
});

it('shows what was found below', () => {
  const found = { count: 3, who: 'ada' as const, around: '…a kiwi…', isGone: true as const };
  expect(listText([row('a', { found })], '/p')).toBe(`a  ${at}  t-a\n    3×  gone back over  ada: …a kiwi…\n`);
});
