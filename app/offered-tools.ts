/** Which tools a session offers, and whether the rules of flags speak of them. */
import { nearest } from '../core/nearest.ts';
import { parseRule } from '../core/permission/rules.ts';
import type { Tool } from '../core/types.ts';
import type { ComposeOptions } from './compose.ts';
import { StartError } from './start-error.ts';

type Lists = Pick<ComposeOptions, 'allowedTools' | 'disallowedTools'>;

/** StartError where a flag names a tool that there is none of. */
export function offered(all: readonly Tool[], options: Lists): readonly Tool[] {
  const names = (list: readonly string[] | undefined) => list?.map((rule) => rule.replace(/\(.*$/s, ''));
  const only = names(options.allowedTools);
  const without = names(options.disallowedTools?.filter((rule) => !rule.includes('(')));
  for (const name of [...(only ?? []), ...(without ?? [])]) {
    if (all.some((tool) => tool.name === name)) continue;
    throw new StartError(
      `no tool is called ${name}; the nearest is ${nearest(
        name,
        all.map((tool) => tool.name),
      )}`,
    );
  }
  return all.filter(({ name }) => (!only || name === 'use_tool' || only.includes(name)) && !without?.includes(name));
}

/** StartError for rules of flags that are none, or name no tool: they would guard nothing. */
export function checkRules(options: Pick<ComposeOptions, 'allow' | 'deny'>, tools: readonly Tool[]): void {
  for (const [flag, rules] of Object.entries({ allow: options.allow, deny: options.deny }))
    for (const text of rules) {
      const rule = parseRule(text);
      if (!rule)
        throw new StartError(`--${flag} ${text} is no rule: tool or tool(pattern), for example 'bash(git diff *)'`);
      // Tools of servers come later and have two underscores; a name that is none would guard nothing.
      if (rule.tool.includes('__') || tools.some(({ name }) => name === rule.tool)) continue;
      const near = nearest(
        rule.tool,
        tools.map(({ name }) => name),
      );
      throw new StartError(`--${flag} ${text}: no tool is called ${rule.tool}; the nearest is ${near}`);
    }
}
