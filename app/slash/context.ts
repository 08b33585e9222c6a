import { CATEGORIES } from '../../core/compaction/context-use.ts';
import { costText, sessionCost } from '../../core/session-cost.ts';
import type { SlashCommand } from './command.ts';

const CELLS = 40;
const FULL = '█';
const EMPTY = '░';

export const contextBar: SlashCommand = {
  name: 'context',
  help: 'what takes up the window',
  run(context) {
    const { session } = context;
    if (!session) return context.say('info', 'there is no conversation yet');
    const { window, limit, used, total } = session.window();
    const whole = Math.max(window ?? limit ?? total, total, 1);
    const rows: [string, number][] = CATEGORIES.flatMap((name): [string, number][] =>
      used[name] > 0 ? [[name, used[name]]] : [],
    );
    if (window !== null) rows.push(['free', Math.max(0, window - total)]);
    const width = Math.max(...rows.map(([name]) => name.length));
    const bar = (tokens: number) => {
      const cells = tokens === 0 ? 0 : Math.max(1, Math.round((tokens / whole) * CELLS));
      return FULL.repeat(Math.min(CELLS, cells)).padEnd(CELLS, EMPTY);
    };
    const lines = rows.map(
      ([name, tokens]) =>
        `${name.padEnd(width)}  ${bar(tokens)}  ${String(tokens).padStart(7)}  ${Math.round((tokens / whole) * 100)} %`,
    );
    const facts = [
      `about ${total} tokens ${window === null ? 'are used; the window is not known' : `of ${window} are used`}`,
      limit === null ? 'room is made only by /compact' : `room is made at ${limit}`,
      costText(sessionCost(session.stored())),
    ];
    const text = `${lines.join('\n')}\n\n${facts.filter(Boolean).join('\n')}`;
    context.show({ kind: 'text', title: 'Context', text, offset: 0, format: 'plain' });
  },
};
