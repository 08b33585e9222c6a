/** The styles of the screen, by meaning, and their colours in each theme. */
import type { State } from '../types.ts';
import { RESET } from './line.ts';

type Theme = State['theme'];

/** SGR parameters for dark, light and colourless screens; the last may use weight and inversion, but no colour. */
const STYLES = {
  bold: ['1', '1', '1'],
  dim: ['2', '2', '2'],
  italic: ['3', '3', '3'],
  underline: ['4', '4', '4'],
  inverse: ['7', '7', '7'],
  heading: ['1;36', '1;34', '1'],
  code: ['36', '34', ''],
  link: ['4;94', '4;34', '4'],
  quote: ['2;3', '2;3', '2'],
  added: ['32', '38;5;22', ''],
  removed: ['31', '38;5;124', ''],
  hunk: ['35', '35', '2'],
  error: ['91', '38;5;160', '1'],
  warning: ['93', '38;5;130', '1'],
  ok: ['92', '38;5;28', ''],
  accent: ['96', '38;5;25', ''],
  user: ['1;94', '1;34', '1'],
  reasoning: ['2;3', '2;3', '2'],
  selected: ['7', '7', '7'],
  border: ['90', '90', '2'],
  'active-border': ['96', '38;5;25', '1'],
  keyword: ['95', '35', ''],
  string: ['32', '38;5;28', ''],
  comment: ['90', '90', '2'],
  number: ['93', '38;5;130', ''],
} as const satisfies Record<string, readonly [dark: string, light: string, none: string]>;

export type Style = keyof typeof STYLES;

const COLUMN: Readonly<Record<Theme, 0 | 1 | 2>> = { dark: 0, light: 1, none: 2 };

/** Text in a style. Painted text inside keeps its own style on top; each row of it is closed by itself. */
export function paint(style: Style, text: string, theme: Theme): string {
  const parameters = STYLES[style][COLUMN[theme]];
  if (parameters === '' || text === '') return text;
  const open = `\x1b[${parameters}m`;
  let inner = text;
  if (inner.includes('\x1b')) inner = inner.replaceAll(RESET, RESET + open);
  if (inner.includes('\n')) inner = inner.replaceAll('\n', `${RESET}\n${open}`);
  return open + inner + RESET;
}
