/**
 * What a terminal sends, as inputs: keys in every usual encoding (VT, xterm, rxvt, Linux console, kitty), pastes, the
 * wheel and focus. Replies to questions about the terminal and clicks are swallowed. It is the single source of input;
 * nothing is left over for another reader.
 */
import { StringDecoder } from 'node:string_decoder';
import { chordOf, csiInput, SS3_KEYS, SS3_TEXT } from './input-keys.ts';
import type { Input, Key } from './types.ts';

export interface InputFilter {
  /** Takes bytes as they were read; inputs go to the callback. Returns what Ink still has to read: nothing. */
  feed(bytes: Buffer | string): string;
  /** Ends what is unfinished: a lone ESC is the key, half a sequence is dropped; an open paste goes on for `PASTE_MS`. */
  flush(): void;
}

export interface InputFilterOptions {
  /** Gets each reply of the terminal without its framing, such as `]11;rgb:1e1e/1e1e/1e1e` or `[?62;4c`. */
  onReport?(report: string): void;
  /** Calls back after a time in ms; returns what cancels it. */
  timer?(callback: () => void, ms: number): () => void;
}

/** After this long a lone ESC is the key: the bytes of one key press come together. */
const ESCAPE_MS = 30;
/** After this long without more, an unfinished sequence will not be finished. */
const SEQUENCE_MS = 500;
/** After this long without more, the end of a paste is lost. */
const PASTE_MS = 1000;
/** As a control character, and as kitty's protocol writes it. */
const CTRL_C = /^(?:\x03|\x1b\[99;5(?::1)?u)$/;
/** Longer than any reply of a terminal. */
const STRING_LIMIT = 8192;

const PASTE_END = '\x1b[201~';

const wait = (callback: () => void, ms: number): (() => void) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

export function createInputFilter(onInput: (input: Input) => void, options: InputFilterOptions = {}): InputFilter {
  const { onReport = () => {}, timer = wait } = options;
  const decoder = new StringDecoder('utf8');
  /** A sequence that has begun, from its ESC on. */
  let pending = '';
  /** The pieces of an open paste; its last characters may be half of the end mark. */
  let paste: string[] | null = null;
  /** A paste had no end: more of it may still come. */
  let isLate = false;
  /** A paste ended in what is being read: line ends behind it belong to it, a person's Enter comes by itself. */
  let isBehindPaste = false;
  let cancel = (): void => {};

  const key = (name: Key['name'], text = '', held: Partial<Key> = {}): void =>
    onInput({ type: 'key', key: { name, text, ctrl: false, alt: false, shift: false, ...held } });

  const feed = (bytes: Buffer | string): string => {
    cancel();
    const read = typeof bytes === 'string' ? bytes : decoder.write(bytes);
    if (paste && CTRL_C.test(read)) {
      endPaste();
      return '';
    }
    let rest = pending + read;
    pending = '';
    isBehindPaste = false;
    if (isLate) {
      isLate = false;
      if (rest.includes(PASTE_END) || /^[^\x1b]./su.test(rest)) paste = [];
    }
    while (rest !== '') {
      if (paste) rest = takePaste(rest);
      else if (rest.charCodeAt(0) === 0x1b) {
        const length = takeSequence(rest);
        if (length === 0) {
          pending = rest;
          break;
        }
        rest = rest.slice(length);
      } else rest = takePlain(rest);
    }
    if (paste) cancel = timer(endPaste, PASTE_MS);
    else if (pending !== '') cancel = timer(flush, BARE.test(pending) ? ESCAPE_MS : SEQUENCE_MS);
    return '';
  };

  const flush = (): void => {
    cancel();
    if (paste) return;
    const left = pending;
    pending = '';
    if (left === '') return;
    // Alt with a sign that also introduces a sequence; otherwise the ESC key, once or twice.
    const introducer = /^\x1b([[\]OPX^_])$/.exec(left)?.[1];
    if (introducer) onInput(chordOf(introducer, { alt: true }));
    else if (/^\x1b\x1b?$/.test(left)) for (const _ of left) key('escape');
    // ESC, then Alt with such a sign.
    else if (/^\x1b\x1b[[O]$/.test(left)) {
      key('escape');
      onInput(chordOf(left[2]!, { alt: true }));
    }
  };

  /** A paste whose end does not come: what there is of it is text, and stays so when more of it comes later. */
  const endPaste = (): void => {
    cancel();
    const text = pastedText((paste ?? []).join(''));
    paste = null;
    pending = '';
    isLate = true;
    if (text !== '') onInput({ type: 'paste', text });
  };

  /** Takes text up to the first control character, or one control character. */
  const takePlain = (rest: string): string => {
    const end = rest.search(/[\x00-\x1f\x7f]/);
    if (end === 0) {
      control(rest.charCodeAt(0), {});
      return rest.slice(1);
    }
    // Also without the signs of bytes that are no UTF-8.
    const text = (end < 0 ? rest : rest.slice(0, end)).replace(/[\x80-\x9f\ufffd]/g, '');
    if (text !== '') key('text', text);
    return end < 0 ? '' : rest.slice(end);
  };

  const control = (code: number, held: Partial<Key>): void => {
    if (isBehindPaste && !held.alt && (code === 0x0d || code === 0x0a)) onInput({ type: 'paste', text: '\n' });
    else if (code === 0x0d) key('enter', '', held);
    else if (code === 0x09) key('tab', '', held);
    else if (code === 0x7f || code === 0x08) key('backspace', '', held);
    else if (code === 0) onInput(chordOf(' ', { ...held, ctrl: true }));
    else onInput(chordOf(String.fromCharCode(code + 0x40).toLowerCase(), { ...held, ctrl: true }));
  };

  const takePaste = (rest: string): string => {
    const pieces = paste!;
    const end = rest.indexOf(PASTE_END);
    if (end < 0) {
      const half = partOfEnd(rest);
      pieces.push(rest.slice(0, rest.length - half));
      pending = rest.slice(rest.length - half);
      return '';
    }
    pieces.push(rest.slice(0, end));
    paste = null;
    isBehindPaste = true;
    onInput({ type: 'paste', text: pastedText(pieces.join('')) });
    return rest.slice(end + PASTE_END.length);
  };

  /** Takes the sequence at the start, which is an ESC; returns its length, 0 when more must come first. */
  const takeSequence = (rest: string): number => {
    const sign = rest[1];
    if (sign === undefined) return 0;
    if (sign === '[') return takeCsi(rest, 1, false);
    if (sign === 'O') return takeSs3(rest, 1, false);
    if (sign === ']' || sign === 'P' || sign === '_' || sign === '^' || sign === 'X') return takeString(rest);
    if (sign === '\x1b') {
      // Alt with a key that sends a sequence itself, or the ESC key and then something else.
      if (rest.length < 3) return 0;
      if (rest[2] === '[') return takeCsi(rest, 2, true);
      if (rest[2] === 'O') return takeSs3(rest, 2, true);
      key('escape');
      return 1;
    }
    const code = rest.codePointAt(1)!;
    if (sign === '\n') key('enter', '', { alt: true });
    else if (code < 0x20 || code === 0x7f) control(code, { alt: true });
    else if (code >= 0xa0 && code !== 0xfffd) onInput(chordOf(String.fromCodePoint(code), { alt: true }));
    else if (code < 0x7f) onInput(chordOf(sign, { alt: true }));
    return code > 0xffff ? 3 : 2;
  };

  const takeCsi = (rest: string, bracket: number, alt: boolean): number => {
    let end = bracket + 1;
    // Function keys of the Linux console: CSI [ A.
    if (rest[end] === '[') return rest.length > end + 1 ? end + 2 : 0;
    while (end < rest.length && rest.charCodeAt(end) >= 0x20 && rest.charCodeAt(end) <= 0x3f) end++;
    if (end === rest.length) return rest.length > STRING_LIMIT ? end : 0;
    const body = rest.slice(bracket + 1, end);
    const final = rest[end]!;
    // Not a sequence after all: what breaks it off is read by itself.
    if (final < '@' || final > '~') return end;
    // X10 mouse: three more bytes.
    if (final === 'M' && body === '') return rest.length >= end + 4 ? end + 4 : 0;
    if (final === '~' && body === '200') paste = [];
    else {
      const input = csiInput(body, final, alt);
      if (input === 'report') onReport(`[${body}${final}`);
      else if (input) onInput(input);
    }
    return end + 1;
  };

  const takeSs3 = (rest: string, letter: number, alt: boolean): number => {
    const final = rest[letter + 1];
    if (final === undefined) return 0;
    const name = SS3_KEYS[final];
    if (name) key(name, '', { alt, ctrl: /[a-d]/.test(final) });
    else if (SS3_TEXT[final]) key('text', SS3_TEXT[final]);
    return final === '\x1b' ? letter + 1 : letter + 2;
  };

  const takeString = (rest: string): number => {
    // No reply holds another control character: a key that is one breaks an endless string off.
    const end = rest.slice(2).search(/[\x00-\x1f\x7f\x9c]/) + 2;
    if (end < 2) return rest.length > STRING_LIMIT ? rest.length : 0;
    const sign = rest[end]!;
    if (sign === '\x1b' && end + 1 === rest.length) return 0;
    if (!/[\x07\x1b\x9c]/.test(sign)) return end;
    onReport(rest.slice(1, end));
    if (sign !== '\x1b') return end + 1;
    return rest[end + 1] === '\\' ? end + 2 : end;
  };

  return { feed, flush };
}

/** Sequences of which a key press alone can be the whole. */
const BARE = /^\x1b(?:[[\]OPX^_]|\x1b[[O]?)?$/;

/** How many characters at the end of a text may be the start of the end mark. */
function partOfEnd(text: string): number {
  for (let length = Math.min(PASTE_END.length - 1, text.length); length > 0; length--)
    if (text.endsWith(PASTE_END.slice(0, length))) return length;
  return 0;
}

// OSC, DCS, APC, PM and SOS up to their end, else of their line; then CSI, other escapes, single controls.
const NO_TEXT =
  /\x1b[\]P_^X][^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Pasted text: its line ends as line feeds, whole escape sequences and all control characters but tabs left out. */
const pastedText = (text: string): string => text.replace(/\r\n?/g, '\n').replace(NO_TEXT, '');
