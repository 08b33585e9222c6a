/** The demonstration for a person at a screen: the same stage, each change with their yes. */
import type { Demonstration } from '../tui/demonstration.ts';
import { runTests } from './run-tests.ts';
import { PROMPT, setStage, verdict } from './stage.ts';

export async function demonstration(): Promise<Demonstration> {
  const stage = setStage();
  const before = await runTests(stage.project, stage.env);
  return {
    options: stage.options('ask', false),
    intro: [
      'A recorded model repairs a real bug in a copy of a small project, with the real tools. It asks before it runs or changes anything.',
      `project ${stage.project}`,
      `tests ${verdict(before)}`,
    ].join('\n'),
    prompt: PROMPT,
    async judge() {
      const after = await runTests(stage.project, stage.env);
      const good = !before.green && after.green;
      const result = good ? 'Repaired: red before, green after.' : 'Not repaired.';
      return {
        good,
        text: `${result} Tests ${verdict(after)}\nThe recording is over: /exit leaves, /diff shows what was changed.`,
      };
    },
    dispose: () => stage.remove(),
  };
}
