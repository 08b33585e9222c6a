import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Command, EventOf } from '../../core/types.ts';
import { dir, find, type Said, start, turn } from './scripted-session.ts';

const bash = (command: string): Said => ({ calls: [['bash', { command }]] });

/** Asks for the command, lets `meanwhile` happen, and answers. */
async function answered(command: string, meanwhile: () => void, answer: Partial<Command> = {}) {
  const { session } = start([bash(command), { text: 'ok' }], { mode: 'ask' });
  const events = await turn(session, 'go', (event) => {
    if (event.type !== 'approval_request') return;
    meanwhile();
    session.send({ type: 'approve', id: event.id, decision: 'yes', ...answer } as Command);
  });
  return { session, events, result: find(events, 'tool_result')[0] as EventOf<'tool_result'> };
}

describe('a command that waited for an answer', () => {
  it('runs when all is as it was shown', async () => {
    const { result } = await answered('touch made', () => {});
    expect(result.isError).toBe(false);
    expect(existsSync(join(dir, 'made'))).toBe(true);
  });

  it('does not run when a folder has become a link that leads outside, and saves no rule', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'ada-outside-'));
    mkdirSync(join(dir, 'sub2'));
    writeFileSync(join(dir, 'n1'), 'one\n');
    const swap = () => {
      rmSync(join(dir, 'sub2'), { recursive: true });
      symlinkSync(outside, join(dir, 'sub2'));
    };
    const { result, session } = await answered('cp n1 sub2/x', swap, { remember: 'session' } as Partial<Command>);
    expect(result).toMatchObject({ isError: true, output: expect.stringContaining('no longer what was allowed') });
    expect(result.output).toContain(outside);
    expect(readdirSync(outside)).toEqual([]);
    expect(session.state.rules).toEqual([]);
    rmSync(outside, { recursive: true });
  });

  it('does not run when the mode has become plan', async () => {
    const { session } = start([bash('touch made2'), { text: 'ok' }], { mode: 'ask' });
    const events = await turn(session, 'go', (event) => {
      if (event.type !== 'approval_request') return;
      session.send({ type: 'set', mode: 'plan' });
      session.send({ type: 'approve', id: event.id, decision: 'yes' });
    });
    expect(find(events, 'tool_result')[0]).toMatchObject({
      isError: true,
      output: expect.stringContaining('mode is plan'),
    });
    expect(existsSync(join(dir, 'made2'))).toBe(false);
  });

  it('runs what is allowed in the meantime without being asked for', async () => {
    const { result } = await answered('touch made3', () => {}, { decision: 'all' } as Partial<Command>);
    expect(result.isError).toBe(false);
    expect(existsSync(join(dir, 'made3'))).toBe(true);
  });
});
