/** The question in front: what the model asks, its options, and how to answer. */
import { frontQuestion } from '../keys.ts';
import { MOST_KEYS } from '../question-options.ts';
import { cut, fit, width, wrap } from '../text/cells.ts';
import { revealedLine, sanitize } from '../text/sanitize.ts';
import { paint } from '../text/style.ts';
import type { Line, State } from '../types.ts';
import type { ApprovalView } from './approval.ts';
import { ruleLine } from './rule.ts';

/** The view in at most `rows` rows; null when nothing waits. `rule`: with a line above. */
export function questionView(state: State, columns: number, rows: number, rule: boolean): ApprovalView | null {
  const question = frontQuestion(state);
  if (!question) return null;
  const { theme, composer } = state;
  const { text, options = [] } = question.request;
  const waiting = state.questions.filter(({ sent }) => !sent).length;
  const count = waiting > 1 ? `question 1 of ${waiting}` : 'ada asks';
  const border = rule ? [ruleLine('accent', columns, theme, count)] : [];
  const hint = [paint('dim', fitHint(options.length, question.selected >= 0, composer.text !== '', columns), theme)];
  const spare = Math.max(1, rows - border.length - hint.length);
  const choices = options.flatMap((option, index) => optionLines(option, index, question.selected, columns, theme));
  const seen = choices.slice(0, Math.max(0, spare - 1));
  const said = sanitize(text.trim(), { reveal: true, tabs: 4 })
    .split('\n')
    .flatMap((line) => wrap(paint('bold', line, theme), columns));
  const shown = said.slice(0, Math.max(1, spare - seen.length));
  if (shown.length < said.length) shown[shown.length - 1] = `${cut(shown[shown.length - 1]!, 0, columns - 2)} …`;
  const lines = [...border, ...shown, ...seen, ...hint].slice(0, Math.max(rows, 1)).map((line) => fit(line, columns));
  return { lines, bodyLength: 0, bodyRows: 0, cursor: null };
}

function optionLines(option: string, index: number, selected: number, columns: number, theme: State['theme']): Line[] {
  const isSelected = index === selected;
  const key = index < MOST_KEYS ? `${index + 1}` : ' ';
  const label = `${isSelected ? '›' : ' '} ${paint('accent', key, theme)} `;
  const rows = wrap(revealedLine(option), Math.max(4, columns - 4));
  return rows.map((row, at) => {
    const line = fit((at === 0 ? label : '    ') + row, columns);
    return isSelected ? paint('selected', line, theme) : line;
  });
}

/** The longest hint that fits. */
function fitHint(options: number, isSelected: boolean, isTyping: boolean, columns: number): string {
  const numbers = options > 1 ? `1–${Math.min(options, MOST_KEYS)}` : '1';
  const keys = isSelected ? `${numbers} or Enter` : numbers;
  const hints = isTyping
    ? ['Enter answers with what is written · Esc interrupts', 'Enter answers']
    : options > 0
      ? [`${keys} answers · or write your own answer · Esc interrupts`, `${keys} answers`]
      : ['write the answer, Enter sends it · Esc interrupts', 'Enter answers'];
  return hints.find((hint) => width(hint) <= columns) ?? '';
}
