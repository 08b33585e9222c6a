/** What takes up the window, by category: the same sizes and the same estimate by which room is made. */
import type { Entry } from '../history.ts';
import { charactersOf, limitAbove } from './size.ts';
import type { WindowKeeper } from './window-keeper.ts';

export const CATEGORIES = [
  'system prompt',
  'instructions',
  'tools',
  'summary',
  'your words',
  'answers',
  'results',
  'notes',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** Tokens, estimated. */
export interface ContextUse {
  /** Tokens that the model is served with; null when nobody knows. */
  window: number | null;
  /** Tokens of a request above which room is made; null when that is turned off. */
  limit: number | null;
  used: Readonly<Record<Category, number>>;
  total: number;
}

const OF: Readonly<Record<Entry['from'], Category>> = {
  system: 'system prompt',
  instruction: 'instructions',
  summary: 'summary',
  prompt: 'your words',
  assistant: 'answers',
  result: 'results',
  note: 'notes',
};

/** `system`: the session's system prompt, which holds the instruction files too. */
export function contextUse(entries: readonly Entry[], system: string, keeper: WindowKeeper): ContextUse {
  const { budget, isOn, window } = keeper;
  const characters = Object.fromEntries(CATEGORIES.map((name) => [name, 0])) as Record<Category, number>;
  for (const { from, message } of entries) characters[OF[from]] += charactersOf(message);
  const at = system.search(/^Instructions from .+:$/m);
  const instructions = at < 0 ? 0 : system.length - at;
  characters['system prompt'] -= Math.min(instructions, characters['system prompt']);
  characters.instructions += instructions;
  characters.tools = budget.tools;
  const tokens = (count: number) => Math.ceil(count * budget.tokensPerCharacter);
  const used = Object.fromEntries(CATEGORIES.map((name) => [name, tokens(characters[name])])) as Record<
    Category,
    number
  >;
  const total = Object.values(used).reduce((sum, one) => sum + one, 0);
  const fixed = used['system prompt'] + used.instructions + used.tools;
  return { window, limit: isOn ? limitAbove(fixed, budget) : null, used, total };
}
