/** Makes text from a model, a tool or a file safe to show: nothing in it can command the terminal. */
import { visibleControls } from '../core/visible-controls.ts';

// OSC, DCS, APC, PM, SOS up to their end (or the end of the text), then CSI, then other escapes.
const SEQUENCES =
  /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c|$)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g;
// Line feed and tab stay; direction overrides go, because they make a line read as another one.
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** Without escape sequences and control characters, line feeds and tabs excepted. */
export const plainText = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(SEQUENCES, '').replace(CONTROLS, '');

/** Colours, which hide nothing when they are taken away. */
const COLOURS = /\x1b\[[\d;:]*m/g;

/** On one line, at most `width` characters; what else could hide a part of it is shown by a sign. */
export function oneLine(text: string, width = 200): string {
  const line = visibleControls(text.replace(COLOURS, '').replace(/\r\n/g, '\n')).replace(/\s+/g, ' ').trim();
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}
