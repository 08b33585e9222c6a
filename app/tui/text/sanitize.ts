/**
 * Makes text from a model, a tool, a file or a name safe to show: nothing in it can command the terminal or make a
 * line read as another one. Give it whole texts: an escape sequence cut in two is only known as a whole.
 */
import { CONTROLS, codePointName, hasWork, INVISIBLE, signOf, TAGGED_FLAG } from '../../../core/visible-controls.ts';
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

// Lone surrogates, and more than 8 marks on one character.
const BROKEN = '\\p{Cs}|\\p{M}{9,}';
const SUSPECT = new RegExp(`${CONTROLS}|${INVISIBLE}|${BROKEN}`, 'u');
// Where each starts a token of its own.
const TOKEN = new RegExp(`${TAGGED_FLAG}|${SUSPECT.source}`, 'gu');

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
  const source = text.replace(/\r+\n/g, '\n');
  // To a shell a line separator is a character as any other.
  const prose = (): string => source.replace(/[\u2028\u2029]/g, '\n').replace(/[^\n\x1b\x08]\x08/gu, '');
  const clean = new Cleaning(reveal ? source : prose(), reveal).run();
  return clean.includes('\t') ? expandTabs(clean, options.tabs ?? 8) : clean;
}

/** A command, a name, a label on one line: nothing in it is hidden. */
export const revealedLine = (text: string): string => sanitize(text, { reveal: true }).replace(/\s+/g, ' ').trim();

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
    else if (this.reveal) this.write(/^\p{M}{9}/u.test(found) ? found : signOf(found, this.last));
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
  if (hasWork(code, before)) return found;
  // Fillers with a place of their own in Korean text and Jamo.
  if (code === 0x115f || code === 0x1160 || code === 0x3164 || code === 0xffa0) return found;
  return NEEDS_OWN_SIGN.test(found) ? codePointName(code) : '';
}

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
