import { describe, expect, it } from 'vitest';
import { approvalLines, eventLines } from '../../../app/tui/plain-lines.ts';
import type { EventOf } from '../../../core/types.ts';

const request = (more: Partial<EventOf<'approval_request'>>): EventOf<'approval_request'> => ({
  type: 'approval_request',
  ...{ id: '1', name: 'bash', input: { command: 'rm -r build' }, seq: 1, time: 1 },
  summary: 'rm -r build (it deletes files)',
  ...more,
});
const called = (name: string, input: Record<string, unknown>): readonly string[] =>
  eventLines({ type: 'tool_call', id: '1', name, detail: '', input, seq: 1, time: 1 });

describe('an approval', () => {
  it('says why it asks', () => {
    expect(approvalLines(request({}), 'ask')).toContain('why: rm -r build (it deletes files)');
  });
  it('says a danger once', () => {
    const lines = approvalLines(request({ danger: 'it deletes files' }), 'ask');
    expect(lines).toContain('danger: it deletes files');
    expect(lines.filter((line) => line.includes('it deletes files'))).toHaveLength(1);
  });
  it('says both where they differ', () => {
    const lines = approvalLines(request({ danger: 'it cannot be undone' }), 'ask');
    expect(lines).toContain('danger: it cannot be undone');
    expect(lines.join('\n')).toContain('why: rm -r build (it deletes files)');
  });
});

describe('a call', () => {
  it('that could not be understood names the tool that it asked for', () => {
    expect(called('use_tool', { name: 'find_nothing' })).toEqual(['[use_tool find_nothing]']);
    expect(called('ls', {})).toEqual(['[ls]']);
  });
});

it('shows what a command hides', () => {
  const call = { type: 'tool_call', id: 'a', name: 'bash', detail: 'rm -rf src\recho done', input: {} } as const;
  expect(eventLines({ ...call, seq: 1, time: 0 })).toEqual(['[bash rm -rf src␍echo done]']);
});
