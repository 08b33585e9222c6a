/** Commands collected from the field, where the collection lies beside the checkout. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { judgeCommand } from '../../core/permission/judge-command.ts';
import { loadGrammar } from '../../core/permission/shell/parse.ts';
import { readGrammar } from '../../core/permission/shell/read-grammar.ts';
import { readScript } from '../../core/permission/shell/read-script.ts';
import { Unreadable } from '../../core/permission/shell/syntax.ts';
import type { Mode } from '../../core/types.ts';

interface Row {
  axis: string;
  command: string;
  expected: string;
  skip_reason?: string;
}

const file = '../shared/cases/commands.jsonl';
const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
const rows: Row[] = lines
  .map((line): Row => JSON.parse(line))
  .filter((row) => !row.skip_reason && typeof row.command === 'string');
const modes: Record<string, Mode> = { writes: 'plan', 'auto-approve': 'ask', dangerous: 'ask' };
const judge = (command: string, axis: string) =>
  judgeCommand(command, { cwd: '/repo', project: '/repo', home: '/home/x', mode: modes[axis] ?? 'auto' });

describe.skipIf(rows.length === 0)('commands from the field', () => {
  test('nothing that must be asked or refused runs', async () => {
    const wrong: string[] = [];
    for (const { axis, command, expected } of rows) {
      if (expected === 'allow') continue;
      const judged = await judge(command, axis);
      if (judged.verdict === 'allow' || (axis === 'writes' && judged.readOnly)) wrong.push(command);
    }
    expect(wrong).toEqual([]);
  });

  test.each([
    ['destructive', 0.97],
    ['destructive-packs', 0.97],
    ['auto-approve', 0.9],
    ['writes', 0.9],
  ] as const)('%s: what may run is not called worse than it is', async (axis, least) => {
    const allowed = rows.filter((row) => row.axis === axis && row.expected === 'allow');
    let good = 0;
    for (const { command } of allowed) {
      const judged = await judge(command, axis);
      if (axis === 'auto-approve') good += Number(judged.verdict === 'allow');
      else good += Number(axis === 'writes' ? judged.readOnly : !judged.destructive);
    }
    expect(good / allowed.length).toBeGreaterThanOrEqual(least);
  });

  test('both readers give the same on commands that both read', async () => {
    await loadGrammar();
    let compared = 0;
    for (const { command } of rows) {
      try {
        const byHand = readScript(command);
        expect(readGrammar(command)).toEqual(byHand);
        compared++;
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
      }
    }
    expect(compared).toBeGreaterThan(rows.length / 2);
  });
});
