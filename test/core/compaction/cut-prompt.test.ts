import { describe, expect, it } from 'vitest';
import { WindowKeeper } from '../../../core/compaction/window-keeper.ts';

/** What is asked of a server, and how it counts: all of it, what it had to read anew, or what fits into its window. */
type Server = 'whole' | 'forgets thinking' | 'what is new' | 'cuts to the window' | 'cuts to half';

/** The same numbers for the same seed. */
function randomFrom(seed: number) {
  let state = seed * 7919 + 17;
  const next = () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  for (let i = 0; i < 5; i++) next();
  return { next, pick: <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)]! };
}

interface Message {
  characters: number;
  thinking: number;
  tokens: number;
}

/** A conversation of texts of any length and density; which request was cut first, and after which it was told. */
function converse(server: Server, seed: number): { cutAt: number; toldAt: number } {
  const { next, pick } = randomFrom(seed);
  const served = pick([2_048, 4_096, 4_096, 8_192, 16_384]);
  const contextTokens = pick([null, 32_768, 32_768, 65_536]);
  const density = 0.2 + next() * 0.15;
  const spread = pick([0, 0.05, 0.15, 0.3]);
  const tools = 2_000;
  const watch = new WindowKeeper({ contextTokens, tools, model: 'a' });
  const message = (characters: number, thinking = 0, times = 1): Message => ({
    characters,
    thinking,
    tokens: Math.ceil(characters * density * times) + 4,
  });
  const sum = (messages: readonly Message[], of: keyof Message) => messages.reduce((all, one) => all + one[of], 0);
  const messages = [message(pick([2_500, 4_300]))];
  const fixed = Math.ceil(tools * density);
  let cached = 0;
  let cutAt = -1;
  for (let n = 0; n < 40; n++) {
    messages.push(message(pick([60, 200, 600, 2_000, 4_000, 8_000, 16_000]), 0, 1 + spread * (next() * 2 - 1)));
    const full = sum(messages, 'tokens') + fixed;
    if (!server.startsWith('cuts') && full > 28_000) break;
    watch.sends(sum(messages, 'characters') + sum(messages, 'thinking'), () => sum(messages, 'thinking'));
    let counted = full;
    if (server === 'what is new') [counted, cached] = [Math.max(1, full - cached), full + 30];
    if (server.startsWith('cuts') && full > served) {
      if (cutAt < 0) cutAt = n;
      const kept = (from: number) => fixed + messages[0]!.tokens + sum(messages.slice(from), 'tokens');
      let from = 1;
      while (from < messages.length - 1 && kept(from) > served) from++;
      counted = Math.min(kept(from), server === 'cuts to half' ? served / 2 + 4 : served);
    }
    if (watch.counted(counted)) return { cutAt, toldAt: n };
    messages.push(message(pick([30, 100, 400, 1_200]), server === 'forgets thinking' ? pick([0, 500, 3_000]) : 0));
  }
  return { cutAt, toldAt: -1 };
}

const conversations = (server: Server, count: number) =>
  Array.from({ length: count }, (_, seed) => converse(server, seed + 1));

describe('a prompt that was cut, in conversations of every kind', () => {
  it.each<[Server, number]>([
    ['whole', 0],
    ['forgets thinking', 0],
    ['what is new', 6],
  ])('is not suspected of a server that is: %s', (server, most) => {
    const told = conversations(server, 800).filter(({ toldAt }) => toldAt >= 0);
    expect(told.length).toBeLessThanOrEqual(most);
  });

  it.each<Server>(['cuts to the window', 'cuts to half'])('is told of a server that %s', (server) => {
    const all = conversations(server, 800).filter(({ cutAt }) => cutAt >= 0);
    expect(all.length).toBeGreaterThan(700);
    const late = (by: number) =>
      all.filter(({ cutAt, toldAt }) => toldAt < 0 || toldAt > cutAt + by).length / all.length;
    expect(late(0)).toBeLessThan(0.36);
    expect(late(1)).toBeLessThan(0.14);
    expect(late(3)).toBeLessThan(0.05);
    expect(all.filter(({ cutAt, toldAt }) => toldAt >= 0 && toldAt < cutAt)).toEqual([]);
  });
});
