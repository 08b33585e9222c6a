/**
 * Makes text from a model, a tool, a file or a name safe to show: nothing in it can command the terminal or make a
 * line read as another one. Give it whole texts: an escape sequence cut in two is only known as a whole.
 */
import { width } from './line.ts';

export interface SanitizeOptions {
  /** Distance of tab stops in cells; 8 when left out. */
  tabs?: number;
  /**
   * Hide nothing: every control and invisible character is shown by a visible sign, and no frame or sequence is
   * dropped. For what a person must judge as it is (a command, a diff): a shell runs the bytes that a terminal hides.
   */
  reveal?: boolean;
}

// What never reaches the screen as it is, as a regular expression's source.
const CONTROLS = '[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f]';
// Soft hyphen, marks of direction, joiners, line separators, invisible operators, fillers, annotations, tags, and the
// selectors of Mongolian, of emoji and of ideographs.
const INVISIBLE =
  '\\xad|\\u034f|\\u061c|\\u115f|\\u1160|\\u17b4|\\u17b5|[\\u180b-\\u180f]|[\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f]|' +
  '\\u3164|[\\ufe00-\\ufe0f]|\\ufeff|\\uffa0|[\\ufff9-\\ufffb]|[\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}]|[\\u{e0000}-\\u{e0fff}]';
// Lone surrogates, and more than 8 marks on one character.
const BROKEN = '\\p{Cs}|\\p{M}{9,}';
const SUSPECT = new RegExp(`${CONTROLS}|${INVISIBLE}|${BROKEN}`, 'u');
// Where each starts a token of its own. A flag of England, Scotland … is an emoji with tags that mean something.
const TOKEN = new RegExp(`\\u{1f3f4}[\\u{e0020}-\\u{e007e}]{1,6}\\u{e007f}|${SUSPECT.source}`, 'gu');

// Behind these, joiners and selectors have work to do: emoji, and letters of scripts that join.
const JOINABLE = /[^\x00-\x7f\p{Z}\p{C}]$/u;
const SELECTABLE = /[\p{Emoji}\p{Script=Han}\p{Script=Mongolian}\p{Script=Phags_Pa}\p{Script=Myanmar}\p{Sm}\p{P}]$/u;
const NEEDS_OWN_SIGN = /^[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]$/u;

/**
 * The text as it may reach a screen; its only control character is the line feed. Linear in its length.
 * - Escape sequences are removed: CSI, OSC, DCS, APC, PM, SOS and their C1 forms. A string sequence ends at its
 *   terminator or, unterminated, at the end of the line, so that it hides no line after it.
 * - CRLF is a line feed. After a lone CR the line starts anew: of a progress bar the last frame stays.
 * - Overstriking with backspaces shows its last character, as in man pages; tabs become spaces.
 * - Overrides of direction and tag characters show as ‹U+202E›, other invisible characters are left out; joiners and
 *   variation selectors stay where emoji and scripts need them.
 * - A lone surrogate becomes U+FFFD; of more than 8 combining marks on one character the first 8 stay.
 */
export function sanitize(text: string, options: SanitizeOptions = {}): string {
  if (!SUSPECT.test(text)) return text;
  const reveal = options.reveal ?? false;
  const source = text.replace(/\r+\n/g, '\n').replace(/[\u2028\u2029]/g, '\n');
  const clean = new Cleaning(reveal ? source : source.replace(/[^\n\x1b\x08]\x08/gu, ''), reveal).run();
  return clean.includes('\t') ? expandTabs(clean, options.tabs ?? 8) : clean;
}

/** One pass over a text: finished lines, the line that grows, and what a carriage return left open. */
class Cleaning {
  private readonly text: string;
  private readonly reveal: boolean;
  private done = '';
  private line = '';
  /** A CR was seen: what is written next replaces the line. */
  private returned = false;
  /** What the last search for the end of a string sequence found; it holds for every start before `to`. */
  private searched = { from: 0, to: -1 };
  /** The end of what was written last, for those that depend on the character before them. */
  private last = '';

  constructor(text: string, reveal: boolean) {
    this.text = text;
    this.reveal = reveal;
  }

  run(): string {
    const { text } = this;
    const pattern = new RegExp(TOKEN);
    let at = 0;
    for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
      this.write(text.slice(at, found.index));
      at = this.token(found[0], found.index);
      pattern.lastIndex = at;
    }
    this.write(text.slice(at));
    return this.done + this.line;
  }

  private write(piece: string): void {
    if (piece === '') return;
    const feed = piece.lastIndexOf('\n');
    // A CR right before a line feed leaves the line as it is.
    if (this.returned && !piece.startsWith('\n')) this.line = '';
    this.returned = false;
    this.last = piece.slice(-2);
    if (feed < 0) {
      this.line += piece;
      return;
    }
    this.done += this.line + piece.slice(0, feed + 1);
    this.line = piece.slice(feed + 1);
  }

  /** Handles what was found at an index; returns where to go on. */
  private token(found: string, at: number): number {
    const code = found.codePointAt(0)!;
    const end = at + found.length;
    if (code === 0x1f3f4) this.write(found);
    else if (code === 0x09) this.write('\t');
    else if (code >= 0xd800 && code <= 0xdfff) this.write('\ufffd');
    else if (this.reveal) this.write(visible(found, code, this.last));
    else if (code === 0x0d) this.restart(false);
    else if (code === 0x0b || code === 0x0c) this.write('\n');
    else if (code === 0x1b || (code >= 0x80 && code <= 0x9f)) return this.sequence(at, code);
    else if (code > 0x9f) this.write(kept(found, code, this.last));
    return end;
  }

  /** Skips an escape sequence (ECMA-48) that starts at an index. */
  private sequence(at: number, code: number): number {
    const { text } = this;
    const escaped = code === 0x1b;
    const introducer = escaped ? text.charCodeAt(at + 1) - 0x40 : code - 0x80;
    const body = at + (escaped ? 2 : 1);
    // CSI: parameters, intermediates, final.
    if (introducer === 0x1b) {
      let end = body;
      while (end < text.length && text.charCodeAt(end) >= 0x20 && text.charCodeAt(end) <= 0x3f) end++;
      const final = text.charCodeAt(end);
      if (!(final >= 0x40 && final <= 0x7e)) return end;
      this.redraw(text.slice(body, end + 1));
      return end + 1;
    }
    // DCS, SOS, OSC, PM, APC.
    if ([0x10, 0x18, 0x1d, 0x1e, 0x1f].includes(introducer)) {
      const { end, terminated } = this.stringEnd(body);
      // Text in a wrong encoding holds single C1 characters: those alone must not hide the rest of the line.
      return escaped || terminated ? end : body;
    }
    if (!escaped) return body;
    let end = at + 1;
    while (end < text.length && text.charCodeAt(end) >= 0x20 && text.charCodeAt(end) <= 0x2f) end++;
    const final = text.charCodeAt(end);
    return final >= 0x30 && final <= 0x7e ? end + 1 : end;
  }

  /** What progress bars draw over themselves with: erase in line (EL) and cursor to the first column (CHA). */
  private redraw(control: string): void {
    if (control === '2K' || (this.returned && /^0?K$/.test(control))) this.restart(true);
    else if (/^[01]?G$/.test(control)) this.restart(false);
  }

  private restart(erase: boolean): void {
    if (erase) this.line = '';
    this.returned = true;
    this.last = '';
  }

  /** Where a string sequence ends whose body starts at an index. Remembers, so that all searches together are linear. */
  private stringEnd(body: number): { end: number; terminated: boolean } {
    const { text } = this;
    if (body < this.searched.from || body > this.searched.to) {
      let to = body;
      while (to < text.length && !endsString(text.charCodeAt(to))) to++;
      this.searched = { from: body, to };
    }
    const end = this.searched.to;
    const code = text.charCodeAt(end);
    if (code === 0x07 || code === 0x9c || code === 0x18 || code === 0x1a) return { end: end + 1, terminated: true };
    if (code === 0x1b) return { end: text[end + 1] === '\\' ? end + 2 : end, terminated: text[end + 1] === '\\' };
    return { end, terminated: false };
  }
}

/** BEL, CAN, SUB, ESC and ST end a string sequence; a line feed ends an unterminated one. */
const endsString = (code: number): boolean =>
  code === 0x07 || code === 0x18 || code === 0x1a || code === 0x1b || code === 0x9c || code === 0x0a;

/** What stays of an invisible or stacked character in running text. */
function kept(found: string, code: number, before: string): string {
  if (/^\p{M}{9}/u.test(found)) return [...found].slice(0, 8).join('');
  if (code === 0x200c || code === 0x200d) return JOINABLE.test(before) ? found : '';
  if ((code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef) || (code >= 0x180b && code <= 0x180f))
    return SELECTABLE.test(before) ? found : '';
  // Fillers with a place of their own in Korean text and Jamo.
  if (code === 0x115f || code === 0x1160 || code === 0x3164 || code === 0xffa0) return found;
  return NEEDS_OWN_SIGN.test(found) ? codePointName(code) : '';
}

/** A sign for every control or invisible character; joiners and selectors of emoji and scripts stay as they are. */
function visible(found: string, code: number, before: string): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  if (code < 0xa0) return codePointName(code);
  if (code === 0x200c || code === 0x200d || (code >= 0xfe00 && code <= 0xfe0f)) {
    const stays = kept(found, code, before);
    if (stays !== '') return stays;
  }
  return /^\p{M}{9}/u.test(found) ? found : codePointName(code);
}

const codePointName = (code: number): string => `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;

function expandTabs(text: string, stops: number): string {
  return text
    .split('\n')
    .map((line) => {
      if (!line.includes('\t')) return line;
      let column = 0;
      let row = '';
      for (const [index, piece] of line.split('\t').entries()) {
        if (index > 0) {
          const gap = stops - (column % stops);
          row += ' '.repeat(gap);
          column += gap;
        }
        row += piece;
        column += width(piece);
      }
      return row;
    })
    .join('\n');
}
