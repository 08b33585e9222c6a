/** The encodings of keys, mouse and replies in control sequences (ECMA-48 CSI, xterm ctlseqs, kitty keyboard). */
import type { Input, Key, KeyName } from './types.ts';

const LETTER_KEYS: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  Z: 'tab',
};
// rxvt: shifted arrows after CSI, with Ctrl after SS3.
const LOWER_ARROWS: Readonly<Record<string, KeyName>> = { a: 'up', b: 'down', c: 'right', d: 'left' };

/** Keys after SS3: cursor keys in application mode, Enter and Tab of the keypad. */
export const SS3_KEYS: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  M: 'enter',
  I: 'tab',
  ...LOWER_ARROWS,
};
/** Signs of the keypad after SS3. */
export const SS3_TEXT: Readonly<Record<string, string>> = {
  j: '*',
  k: '+',
  l: ',',
  m: '-',
  n: '.',
  o: '/',
  ...Object.fromEntries([...'pqrstuvwxy'].map((letter, digit) => [letter, String(digit)])),
  X: '=',
};

const TILDE_KEYS: Readonly<Record<number, KeyName>> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
};

/** Key numbers of `CSI … u`: those of ASCII, and the keypad's in the private use area. */
const NUMBERED_KEYS: Readonly<Record<number, KeyName>> = {
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
  57414: 'enter',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'pageup',
  57422: 'pagedown',
  57423: 'home',
  57424: 'end',
  57426: 'delete',
};
const KEYPAD_TEXT: Readonly<Record<number, string>> = Object.fromEntries(
  [...'0123456789./*-+'].map((sign, index) => [57399 + index, sign]).concat([[57415, '=']]),
);

/** Rows that one notch of the wheel scrolls. */
const WHEEL_LINES = 3;

type Held = Pick<Key, 'ctrl' | 'alt' | 'shift'>;

const keyInput = (name: Key['name'], held: Held, text = ''): Input => ({ type: 'key', key: { name, text, ...held } });

/** A letter or sign with Ctrl or Alt; an upper-case letter means Shift too. */
export function chordOf(text: string, held: Partial<Held>): Input {
  const lower = text.toLowerCase();
  const shift = held.shift || lower !== text;
  return keyInput('chord', { ctrl: held.ctrl ?? false, alt: held.alt ?? false, shift }, lower);
}

/** xterm's modifier parameter: 1 + Shift 1, Alt 2, Ctrl 4, Super 8, Hyper 16, Meta 32, locks 64 and 128. */
function heldBy(parameter: string | undefined, alt: boolean): Held & { capsLock: boolean } {
  const bits = Math.max(Number.parseInt(parameter ?? '1', 10) || 1, 1) - 1;
  return {
    shift: (bits & 1) !== 0,
    alt: alt || (bits & (2 | 32)) !== 0,
    ctrl: (bits & 4) !== 0,
    capsLock: (bits & 64) !== 0,
  };
}

/**
 * What `CSI body final` means: an input, a reply of the terminal, or nothing that this program uses. `alt`: an ESC
 * stood before it.
 */
export function csiInput(body: string, final: string, alt: boolean): Input | 'report' | null {
  const private_ = /^[<=>?]/.exec(body)?.[0];
  if (private_ === '<' && (final === 'M' || final === 'm')) return wheelOf(body.slice(1));
  // Device attributes, modes, keyboard flags, colour scheme, cursor position, status, window size.
  if (private_ || /[ -/]/.test(body) || /[cRnty]/.test(final)) return 'report';
  if (body === '' && (final === 'I' || final === 'O')) return { type: 'focus', focused: final === 'I' };

  const parameters = body.split(';');
  const [first = '', second] = parameters;
  const name = LETTER_KEYS[final] ?? LOWER_ARROWS[final];
  if (name) {
    // Old xterm writes the modifier as the only parameter.
    const { capsLock: _, ...held } = heldBy(second ?? first, alt);
    if (released(second)) return null;
    return keyInput(name, final === 'Z' || LOWER_ARROWS[final] ? { ...held, shift: true } : held);
  }
  if (final === 'u') return numberedKey(first, second, parameters[2], alt);
  if (final === '~' && first === '27') return numberedKey(parameters[2] ?? '', second, undefined, alt);
  // rxvt ends with ^ for Ctrl and with @ for Ctrl and Shift.
  if (final === '~' || final === '^' || final === '@') {
    const tilde = TILDE_KEYS[Number.parseInt(first, 10)];
    if (!tilde || released(second)) return null;
    const { capsLock: _, ...held } = heldBy(second, alt);
    return keyInput(tilde, final === '~' ? held : { ...held, ctrl: true, shift: final === '@' });
  }
  return null;
}

/** kitty's event type, after the modifiers: 3 is the release of a key. */
const released = (modifiers: string | undefined): boolean => modifiers?.split(':')[1] === '3';

function numberedKey(
  codes: string,
  modifiers: string | undefined,
  typed: string | undefined,
  alt: boolean,
): Input | null {
  if (released(modifiers)) return null;
  const { capsLock, ...held } = heldBy(modifiers, alt);
  const [code = 0, shifted = 0] = codes.split(':').map((number) => Number.parseInt(number, 10) || 0);
  const name = NUMBERED_KEYS[code];
  if (name) return keyInput(name, held);
  const sign = KEYPAD_TEXT[code] ?? (isPrintable(code) ? String.fromCodePoint(code) : '');
  if (sign === '') return null;
  if (held.ctrl || held.alt) return chordOf(sign, held);
  // The text as typed, if the terminal tells it; else the shifted sign, or the upper case of a letter.
  const told = (typed ?? '')
    .split(':')
    .map((number) => Number.parseInt(number, 10) || 0)
    .filter(isPrintable);
  if (told.length > 0) return keyInput('text', { ...held, shift: false }, String.fromCodePoint(...told));
  const upper = isPrintable(shifted) ? String.fromCodePoint(shifted) : sign.toUpperCase();
  return keyInput('text', { ...held, shift: false }, held.shift !== capsLock ? upper : sign);
}

/** Scalar values but controls, and but kitty's numbers for keys without a sign. */
const isPrintable = (code: number): boolean =>
  code >= 0x20 &&
  !(code >= 0x7f && code < 0xa0) &&
  !(code >= 0xd800 && code < 0xe000) &&
  !(code >= 57344 && code <= 63743) &&
  code <= 0x10ffff;

/** SGR mouse (1006): of all buttons only the wheel up and down; places from 0. Shift, Alt and Ctrl do not matter. */
function wheelOf(body: string): Input | null {
  const [button, x, y] = body.split(';').map((number) => Number.parseInt(number, 10));
  const kind = (button ?? 0) & ~(4 | 8 | 16);
  if ((kind !== 64 && kind !== 65) || !x || !y) return null;
  return { type: 'wheel', lines: kind === 64 ? -WHEEL_LINES : WHEEL_LINES, column: x - 1, row: y - 1 };
}

/** Whether a reply to OSC 11 tells of a dark or a light background, by its luminance (ITU-R BT.601); null: no such reply. */
export function backgroundOf(report: string): 'dark' | 'light' | null {
  const found = /^\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(report);
  if (!found) return null;
  const [red, green, blue] = found.slice(1).map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1));
  return 0.299 * red! + 0.587 * green! + 0.114 * blue! < 0.5 ? 'dark' : 'light';
}
