/** What a model or a file name hides is shown wherever it is shown: on the screen, in plain lines, in lists. */
import { describe, expect, it } from 'vitest';
import { oneLine } from '../../../app/plain-text.ts';
import { todoLines } from '../../../app/tui/blocks/todo-lines.ts';
import { approvalLines, eventLines, questionLines, readingLines } from '../../../app/tui/plain-lines.ts';
import type { StoredBody } from '../../../core/types.ts';
import { assistant, call, ScreenDriver } from './screen-driver.ts';

const NASTY = 'rm -rf x\recho \x1b]0;y\x07\x1b[2K\u202ehi\u200b\x08\u00ad';
const SHOWN = 'rm -rf x␍echo ␛]0;y␇␛[2K‹U+202E›hi‹U+200B›␈‹U+00AD›';

const screen = (...bodies: StoredBody[]): ScreenDriver =>
  new ScreenDriver({ size: { columns: 200, rows: 40 } }).stored(
    { type: 'user', text: 'go' },
    assistant(['Hm.']),
    ...bodies,
  );

const bash = call('1', 'bash', NASTY, { command: NASTY });
const ran = (isError: boolean): StoredBody => ({
  ...{ type: 'tool_result', id: '1', name: 'bash', output: '', isError },
  display: { kind: 'terminal', command: NASTY, output: '', exitCode: isError ? 1 : 0 },
});
const request: Extract<StoredBody, { type: 'approval_request' }> = {
  ...{ type: 'approval_request', id: '1', name: 'bash', summary: `${NASTY} (why)`, input: { command: NASTY } },
  rule: `bash(${NASTY})`,
};
const question: Extract<StoredBody, { type: 'question' }> = {
  ...{ type: 'question', id: 'q', text: `May I?\n${NASTY}`, options: [NASTY] },
};

describe('on the screen', () => {
  it.each<[string, StoredBody[]]>([
    ['the approval', [bash, request]],
    ['the row of a call', [bash]],
    ['the row of a call that ran', [bash, ran(false)]],
    ['the name of a tool', [call('1', NASTY, '', {})]],
    ['a notice', [{ type: 'notice', level: 'warning', text: `not found: ${NASTY}` }]],
    ['a refusal', [bash, { type: 'approval', id: '1', decision: 'no', by: 'rule', reason: NASTY }]],
    ['a question', [call('q', 'ask_user', ''), { ...question, options: [] }]],
    ['an option', [call('q', 'ask_user', ''), { ...question, text: 'May I?' }]],
    ['the model', [{ type: 'model', value: NASTY }]],
  ])('%s', (what, bodies) => {
    const shown = screen(...bodies).screen();
    // The status line keeps to its part of the row.
    expect(shown).toContain(what === 'the model' ? SHOWN.slice(0, 30) : SHOWN);
  });

  it('todos', () => {
    expect(todoLines([{ text: NASTY, status: 'active' }], 200, 'none')).toEqual([`▸ ${SHOWN}`]);
  });

  it('lists and texts over it', () => {
    const pick = { kind: 'pick', filter: '', selected: 0, command: 'x' } as const;
    const items = [{ label: NASTY, detail: 'one', value: 'v' }];
    for (const overlay of [
      { ...pick, title: 'T', items },
      { ...pick, title: NASTY, items: [] },
      { ...pick, title: 'T', text: `goes away: ${NASTY}`, items: [] },
      { kind: 'text', title: 'T', text: NASTY, offset: 0 } as const,
      { kind: 'text', title: NASTY, text: '', offset: 0 } as const,
    ])
      expect(screen().act({ type: 'overlay', overlay }).screen()).toContain(SHOWN);
  });

  it('what a command printed is shown as a terminal would', () => {
    const printed: StoredBody = { ...ran(true), output: 'no', display: undefined } as StoredBody;
    const display = { kind: 'terminal', command: 'x', output: '10 %\r100 %\x1b[31m!', exitCode: 1 } as const;
    const shown = screen(bash, { ...printed, display } as StoredBody).screen();
    expect(shown).toContain('100 %!');
    expect(shown).not.toContain('10 %␍');
  });
});

describe('in plain lines', () => {
  const stamp = { seq: 1, time: 0 };
  it('approvals, calls, diffs, questions, notices', () => {
    const asked = approvalLines({ ...request, ...stamp }, 'ask');
    for (const line of [`$ ${SHOWN}`, `why: ${SHOWN} (why)`]) expect(asked).toContain(line);
    expect(asked.at(-1)).toContain(`r always: bash(${SHOWN})`);
    expect(eventLines({ ...bash, ...stamp } as never)).toEqual([`[bash ${SHOWN}]`]);
    expect(eventLines({ type: 'notice', level: 'info', text: NASTY, ...stamp })).toEqual([SHOWN]);
    expect(questionLines({ ...question, ...stamp })).toEqual(expect.arrayContaining([SHOWN, `1 ${SHOWN}`]));
    const display = { kind: 'diff', path: 'x', patch: `+++ b/x\n+${NASTY}\n`, added: 1, removed: 0 } as const;
    const edited = { type: 'tool_result', id: '1', name: 'edit_file', output: '', isError: false, display } as const;
    expect(eventLines({ ...edited, ...stamp })).toEqual(['+++ b/x', `+${SHOWN}`]);
  });

  it('everything else that is read aloud, file names and lists too', () => {
    expect(readingLines([`1: ${NASTY}`, 'a\nb'], 200)).toEqual([`1: ${SHOWN}`, 'a', 'b']);
  });
});

it('in the lines of headless runs and of lists, with colours left out', () => {
  expect(oneLine(NASTY)).toBe(SHOWN);
  expect(oneLine('\x1b[31mred\x1b[0m\r\nnext')).toBe('red next');
  expect(oneLine('👩‍👧 ❤️ می\u200cخواهم')).toBe('👩‍👧 ❤️ می\u200cخواهم');
});
