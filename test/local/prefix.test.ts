/**
 * A warm cache: whatever happens in a session, each request begins with the one before it, as the server reads it:
 * tools, then messages, byte for byte.
 */
import { describe, expect, it } from 'vitest';
import type { RecordedRequest } from '../fakes/model-server.ts';
import type { ScriptedTurn } from '../fakes/script.ts';
import { doneOf, find, type StartOptions, server, start, turn, write } from './local-session.ts';

/** Where a cache mark stands is no part of what the model reads. */
const unmarked = (_: string, value: any) => {
  if (!value || typeof value !== 'object' || Array.isArray(value)) return value;
  const { cache_control: _mark, ...rest } = value;
  return rest;
};
const fixed = ({ body }: RecordedRequest): string => JSON.stringify([body.tools, body.system], unmarked);
/** Without the bracket that ends the list. */
const said = ({ body }: RecordedRequest): string => JSON.stringify(body.messages, unmarked).slice(0, -1);

const call = (name: string, input: Record<string, unknown>) => ({ name, input });
/** What each model message does, round and round. */
const STEPS: readonly ScriptedTurn[] = [
  {
    reasoning: 'Look first.',
    calls: [call('read_file', { path: 'a.txt' }), call('read_file', { path: 'absent.txt' })],
  },
  {
    calls: [
      call('update_todos', {
        items: [
          { text: 'Look', status: 'done' },
          { text: 'Write', status: 'active' },
        ],
      }),
    ],
  },
  { text: 'A skill may help.', calls: [call('use_tool', { name: 'use_skill', input: { name: 'brief' } })] },
  { calls: [call('use_tool', { name: 'list_skills' }), call('bash', { command: 'cat a.txt; exit 3' })] },
  { reasoning: 'Write now.', calls: [call('write_file', { path: 'sub/b.txt', content: 'two\n' })] },
  { calls: [call('read_file', { path: 'sub/b.txt' }), call('grep', { pattern: 'two' })] },
  { text: '<tool_call>\n{"name": "bash", "arguments": {"command": "echo printed"}}\n</tool_call>' },
];
describe.each<[NonNullable<StartOptions['wire']>]>([['ollama'], ['lmstudio'], ['openai-chat'], ['anthropic']])(
  '%s',
  (wire) => {
    it('every request begins with the one before it', async () => {
      write(
        '.ada/skills/style/brief/SKILL.md',
        '---\nname: brief\ndescription: Answer in few words.\n---\nBe brief.\n',
      );
      write('sub/AGENTS.md', 'Here, speak softly.\n');
      let asked = 0;
      // In turns of three: two steps, then an answer, whatever the results were.
      server.set({
        turns: () => {
          const at = asked++;
          return at % 3 === 2 ? { text: `Answer ${at}.` } : STEPS[(at - Math.floor(at / 3)) % STEPS.length]!;
        },
      });
      const ada = await start({ wire, noSkills: false, trust: true });
      const events = [];
      for (let n = 1; n <= 8; n++) {
        if (n === 3) ada.session.send({ type: 'set', mode: 'plan' });
        if (n === 4) ada.session.send({ type: 'set', mode: 'auto' });
        let steered = false;
        events.push(
          ...(await turn(ada, `Prompt ${n}.`, ({ type }) => {
            if (n !== 5 || steered || type !== 'tool_call') return;
            steered = true;
            ada.session.send({ type: 'steer', text: 'And be quick.' });
          })),
        );
      }
      await ada.session.close();
      write('later.txt', 'made between two processes\n');
      const again = await start({ wire, noSkills: false, trust: true, resume: 'latest' });
      events.push(...(await turn(again, 'Go on.')));

      const requests = server.chats();
      expect(requests.length).toBeGreaterThan(20);
      expect(find(events, 'skill')[0]).toMatchObject({ name: 'brief' });
      expect(find(events, 'todos').length).toBeGreaterThan(0);
      expect(find(events, 'note').length).toBeGreaterThan(1);
      expect(find(events, 'user').filter((event) => event.steered)).toHaveLength(1);
      expect(doneOf(events).finish).toBe('stop');
      for (let at = 1; at < requests.length; at++) {
        const [before, after] = [requests[at - 1]!, requests[at]!];
        expect(fixed(after)).toBe(fixed(before));
        expect(said(after).slice(0, said(before).length)).toBe(said(before));
      }
    });
  },
);
