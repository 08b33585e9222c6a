import { describe, expect, it } from 'vitest';
import type { SlashContext } from '../../../app/slash/command.ts';
import { permissions } from '../../../app/slash/permissions.ts';

function run(argument: string, rules: string[]): { asked: unknown[]; rules: string[] } {
  const asked: unknown[] = [];
  const context = {
    say: (level: string, text: string) => asked.push(`${level}: ${text}`),
    show: (overlay: unknown) => asked.push(overlay),
    rules: {
      listRemembered: () => rules.map((rule) => ({ rule, scope: rule.startsWith('bash') ? 'project' : 'session' })),
    },
    session: {
      send: ({ type, rule }: { type: string; rule: string }) => ({
        ok: type === 'forget' && rules.includes(rule) && rules.splice(rules.indexOf(rule), 1).length === 1,
      }),
    },
  } as unknown as SlashContext;
  void permissions.run(context, argument);
  return { asked, rules };
}

describe('/permissions', () => {
  it('lists what was allowed always, as a choice to take back', () => {
    const { asked } = run('', ['bash(npm test *)', 'edit_file(src/**)']);
    expect(asked).toMatchObject([
      {
        kind: 'pick',
        command: 'permissions',
        items: [
          { value: 'bash(npm test *)', detail: 'this project' },
          { value: 'edit_file(src/**)', detail: 'this conversation' },
        ],
      },
    ]);
    expect(run('', []).asked).toEqual([expect.stringMatching(/^info: nothing was allowed always/)]);
  });

  it('takes a rule back', () => {
    const { asked, rules } = run('bash(npm test *)', ['bash(npm test *)', 'ls']);
    expect(asked).toEqual(['info: taken back: bash(npm test *) asks again']);
    expect(rules).toEqual(['ls']);
    expect(run('bash(git *)', ['ls']).asked).toEqual([
      expect.stringMatching(/^error: nothing is allowed always as bash/),
    ]);
  });
});
