/** Every tag and token that means something outside code, found by its first characters. */

import { families } from './families/index.ts';
import { type Family, skipSpace } from './family.ts';

export type Marker = { text: string } & (
  | { kind: 'call'; family: Family }
  /** `anywhere`: a token that no person writes; else the tag must begin a line. */
  | { kind: 'think'; closers: readonly string[]; label?: string; anywhere?: boolean }
  | { kind: 'thought' }
  /** Never text. */
  | { kind: 'token' }
  /** The end of a turn: not text where nothing follows. */
  | { kind: 'end' }
  /** Closes a call; dropped right behind one. */
  | { kind: 'stray' }
);

const tag = (name: string): Marker[] => [
  { text: `<${name}>`, kind: 'think', closers: [`</${name}>`] },
  { text: `</${name}>`, kind: 'thought' },
];

const tokens = (kind: 'token' | 'end' | 'stray', words: string): Marker[] =>
  words.split(' ').map((text) => ({ text, kind }));

const ALL: readonly Marker[] = [
  ...families.flatMap((family) => family.openers.map((text): Marker => ({ text, kind: 'call', family }))),
  ...['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'reason', 'seed:think', 'mm:think'].flatMap(tag),
  { text: '[THINK]', kind: 'think', closers: ['[/THINK]'], anywhere: true },
  { text: '[/THINK]', kind: 'thought' },
  { text: '<|START_THINKING|>', kind: 'think', closers: ['<|END_THINKING|>'], anywhere: true },
  { text: '<|END_THINKING|>', kind: 'thought' },
  { text: '<|channel>', kind: 'think', closers: ['<channel|>'], label: 'thought\n', anywhere: true },
  { text: '<|inner_prefix|>', kind: 'think', closers: ['<|inner_suffix|>'], anywhere: true },
  { text: '◁think▷', kind: 'think', closers: ['◁/think▷'], anywhere: true },
  { text: '<unused94>', kind: 'think', closers: ['<unused95>'], label: 'thought\n', anywhere: true },
  ...tokens(
    'token',
    '<｜tool▁outputs▁begin｜> <｜tool▁outputs▁end｜> <｜tool▁output▁begin｜> <｜tool▁output▁end｜> <|START_RESPONSE|> <|END_RESPONSE|> <|START_TEXT|> <|END_TEXT|> <|CHATBOT_TOKEN|> <|START_OF_TURN_TOKEN|>',
  ),
  ...tokens(
    'end',
    '<|im_end|> <|eot_id|> <|eom_id|> <|end▁of▁sentence|> <｜end▁of▁sentence｜> <end_of_turn> <turn|> <|END_OF_TURN_TOKEN|> <|endoftext|> <|end_of_text|> <|return|> <|call|> <|end|> <|message_sep|> [e~[ <|tool_response> <start_function_response>',
  ),
  ...tokens(
    'stray',
    '</tool_call> </seed:tool_call> </function> </function_calls> </tool_calls> <tool_call|> <end_function_call> <|tool_call_end|> <|tool_calls_section_end|> [/TOOL_CALLS] <｜tool▁calls▁end｜> <｜tool▁call▁end｜> <|tool▁calls▁end|> <|END_ACTION|> <|tools_suffix|> </minimax:tool_call> <|action_end|> <|/tool_call|> <|message_sep|> <|tool_response>',
  ),
];

/** The characters with which a marker may begin. */
export const MARKER_START = /[<[◁]/;

const BY_START = new Map<string, Marker[]>();
for (const marker of ALL) {
  const key = marker.text.slice(0, 2);
  BY_START.set(key, [...(BY_START.get(key) ?? []), marker]);
}

/** The longest marker at `at`; `part`: the text ends inside one; undefined: none can begin here. */
export function markerAt(text: string, at: number): Marker | 'part' | undefined {
  if (at + 1 >= text.length) return MARKER_START.test(text[at] ?? '') ? 'part' : undefined;
  const candidates = BY_START.get(text.slice(at, at + 2));
  if (!candidates) return undefined;
  const rest = text.slice(at, at + 48);
  let best: Marker | undefined;
  let part = false;
  for (const marker of candidates) {
    if (rest.startsWith(marker.text)) {
      if (!best || marker.text.length > best.text.length) best = marker;
    } else if (rest.length < marker.text.length && marker.text.startsWith(rest)) part = true;
  }
  // A longer one may still come.
  return part ? 'part' : best;
}

/** True when a stray closer or an end of turn stands at `at`, or may begin there. */
export function closerAt(text: string, at: number): number | 'part' {
  const found = markersOf(text, at).filter((marker) => marker.kind === 'stray' || marker.kind === 'end');
  const longest = Math.max(0, ...found.map((marker) => marker.text.length));
  if (longest) return longest;
  return (
    BY_START.get(text.slice(at, at + 2)) ?? (text.length - at < 2 && MARKER_START.test(text[at] ?? '') ? ALL : [])
  ).some((marker) => (marker.kind === 'stray' || marker.kind === 'end') && isPart(marker.text, text, at))
    ? 'part'
    : 0;
}

/** The offset behind spaces, closers and ends of turns from `from` on; `part`: one more may begin there. */
export function behindClosers(text: string, from: number): { at: number; part: boolean } {
  for (let at = skipSpace(text, from); ; ) {
    const closer = at < text.length ? closerAt(text, at) : 0;
    if (closer === 'part') return { at, part: true };
    if (!closer) return { at, part: false };
    at = skipSpace(text, at + closer);
  }
}

const markersOf = (text: string, at: number): Marker[] =>
  (BY_START.get(text.slice(at, at + 2)) ?? []).filter((marker) => text.startsWith(marker.text, at));

const isPart = (word: string, text: string, at: number): boolean =>
  text.length - at < word.length && word.startsWith(text.slice(at));
