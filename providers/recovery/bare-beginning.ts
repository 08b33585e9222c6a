/** What a message without markup may become, told from how it begins. */
import { families } from './families/index.ts';
import { FIRST_KEYS, NAME_KEYS, plainName } from './json-calls.ts';

/** So much of a beginning is looked at. */
export const HEAD = 400;
const SEPARATORS = ['<｜tool▁sep｜>', '<|tool▁sep|>'];

/** Functionary, Firefunction, Gemma, DeepSeek and gpt-oss without their first token; what the message then is. */
export const BARE_WORDS: readonly (readonly [string, 'rest' | 'name'])[] = [
  ['functools[', 'rest'],
  ['call:', 'name'],
  ['to=functions.', 'rest'],
  ['assistant<|channel|>', 'rest'],
  ['assistant to=functions.', 'rest'],
  ['commentary to=functions.', 'rest'],
  ['assistantcommentary to=functions.', 'rest'],
];

/** What is known of names while a message begins. */
export interface Names {
  begins(part: string): boolean;
  is(name: string): boolean;
  known: boolean;
  pythonic: boolean;
  deepseek: boolean;
}

export type Form = 'json' | 'python' | 'fence' | 'rest';

/** Which form the message has; `maybe` while the beginning is too short to tell. */
export function beginning(head: string, names: Names): Form | 'maybe' | 'no' {
  if (head.startsWith('`')) return fenceBeginning(head, names);
  const json = jsonBeginning(head, names);
  if (json !== 'no') return json;
  const python = pythonBeginning(head, names);
  return python !== 'no' ? python : namedBeginning(head, names);
}

export function jsonBeginning(head: string, names: Names): 'json' | 'maybe' | 'no' {
  if (/^\[?\s*(?:\{\s*)?$/.test(head)) return 'maybe';
  const key = /^\[?\s*\{\s*(["'])([\w]*)(\1?)/.exec(head);
  if (!key) return 'no';
  const whole = key[2]!;
  if (!key[3]) return key[0].length === head.length && FIRST_KEYS.some((one) => one.startsWith(whole)) ? 'maybe' : 'no';
  if (!FIRST_KEYS.includes(whole)) return 'no';
  const rest = head.slice(key[0].length);
  if (/^\s*(?::\s*)?$/.test(rest)) return 'maybe';
  const value = /^\s*:\s*/.exec(rest);
  if (!value) return 'no';
  if (!NAME_KEYS.includes(whole)) return 'json';
  const name = /^(["'])([^"']*)(\1?)/.exec(rest.slice(value[0].length));
  if (!name) return whole === 'function' && rest[value[0].length] === '{' ? 'json' : 'no';
  const plain = plainName(name[2]!);
  if (name[3]) return whole === 'action' || names.is(plain) || name[2] === 'function' ? 'json' : 'no';
  return names.begins(plain) || 'functions.'.startsWith(plain) || whole === 'action' ? 'maybe' : 'no';
}

const CALL_NAME = /^(\[?\s*)([A-Za-z_][\w.]*)/;

export function pythonBeginning(head: string, names: Names): 'python' | 'maybe' | 'no' {
  if (!names.pythonic) return 'no';
  if (/^\[\s*$/.test(head)) return 'maybe';
  const found = CALL_NAME.exec(head);
  if (!found) return 'no';
  const rest = head.slice(found[0].length);
  if (rest === '') return names.begins(found[2]!) ? 'maybe' : 'no';
  if (rest[0] !== '(' || !names.is(found[2]!)) return 'no';
  if (/^\(\s*(?:[A-Za-z_]\w*\s*)?$/.test(rest)) return 'maybe';
  return /^\(\s*(?:\)|[A-Za-z_]\w*\s*=(?!=))/.test(rest)
    ? 'python'
    : /^\(\s*[A-Za-z_]\w*\s*=$/.test(rest)
      ? 'maybe'
      : 'no';
}

function namedBeginning(head: string, names: Names): Form | 'maybe' | 'no' {
  for (const [word, form] of BARE_WORDS) {
    if (head.length < word.length && word.startsWith(head)) return 'maybe';
    if (!head.startsWith(word)) continue;
    if (form !== 'name') return form;
    const call = /^call:\s*([\w.]*)(\s*\{)?/.exec(head)!;
    if (call[2]) return names.is(call[1]!) ? 'rest' : 'no';
    return head.length === call[0].length && names.begins(call[1]!) ? 'maybe' : 'no';
  }
  if (!names.known && !names.deepseek) return 'no';
  if ('>>>'.startsWith(head)) return 'maybe';
  const found = /^(?:>>>)?\s*([A-Za-z_][\w.-]*)?/.exec(head)!;
  const name = found[1] ?? '';
  const rest = head.slice(found[0].length);
  const isName = names.is(name) || (names.deepseek && name === 'function');
  if (rest === '') {
    return names.begins(name) || 'function'.startsWith(name) ? 'maybe' : 'no';
  }
  if (!name || !isName) return 'no';
  if (names.deepseek && SEPARATORS.some((one) => rest.startsWith(one))) return 'rest';
  if (names.deepseek && SEPARATORS.some((one) => one.startsWith(rest))) return 'maybe';
  if (!names.known) return 'no';
  if (/^[ \t]*\n\s*\{/.test(rest) || rest.startsWith('[ARGS]{')) return 'rest';
  return /^[ \t]*(?:\n\s*)?$/.test(rest) || '[ARGS]{'.startsWith(rest) ? 'maybe' : 'no';
}

export function fenceBeginning(head: string, names: Names): 'fence' | 'maybe' | 'no' {
  if (/^`{1,2}$/.test(head)) return 'maybe';
  const open = /^```[ \t]*([\w-]*)[ \t]*(\r?\n?)/.exec(head);
  if (!open) return 'no';
  if (!open[2]) return open[0].length === head.length || head.endsWith('\r') ? 'maybe' : 'no';
  const body = head.slice(open[0].length).trimStart();
  if (body === '') return 'maybe';
  if (body[0] === '<' || body[0] === '[') {
    const openers = families.flatMap((family) => family.openers);
    if (openers.some((opener) => body.startsWith(opener))) return 'fence';
    if (openers.some((opener) => opener.startsWith(body))) return 'maybe';
    if (body[0] === '<') return 'no';
  }
  const json = jsonBeginning(body, names);
  const form = json !== 'no' ? json : pythonBeginning(body, names);
  return form === 'json' || form === 'python' ? 'fence' : form;
}
