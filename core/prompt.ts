/**
 * The system prompt: built once per session and stored in its `session` event. Every byte is paid for on a small
 * model, so it says what the model cannot know, and nothing twice.
 */
import type { Mode, Tool } from './types.ts';

export interface PromptParts {
  cwd: string;
  platform: string;
  mode: Mode;
  /** Tools that are reached through `use_tool`. */
  lateTools: readonly Pick<Tool, 'name' | 'description'>[];
  /** Instruction files, outermost first. */
  instructions: readonly { path: string; text: string }[];
  append?: string;
  /** For small models and windows: the same rules in fewer words. */
  compact?: boolean;
  /** How to call tools, for a model that is not told of them in another way. */
  calls?: string;
}

export const PLAN_NOTE =
  'Plan mode is on: read and search only. Nothing may be changed and no command that changes anything runs. End with a short plan.';
export const PLAN_ENDED_NOTE = 'Plan mode is off: you may change files and run commands again.';

const RULES = [
  "You are ada, a coding agent in a terminal. Work on the user's project with the tools; do not guess what you can read.",
  '- Look before you change: find and read the code, make the smallest change that solves the task, then run the tests or the program.',
  '- Change files with edit_file (copy `old` exactly from the file) or write_file, not with shell commands.',
  '- Each bash call is a new shell without input; only its working directory stays. Put long-running programs in the background with `&`.',
  '- A denied call stays denied: do something else or say what you need.',
  '- When a tool fails, read the error and correct the call. Say what you did in a few plain sentences; claim only what you saw.',
];

const COMPACT_RULES = [
  'You are ada, a coding agent. Work on the project with the tools: read before you change, then run the tests.',
  '- Change files with edit_file or write_file. bash has no input; long-running programs need `&`.',
  '- Never repeat a failed or denied call unchanged. End with a few plain sentences.',
];

export function systemPrompt(parts: PromptParts): string {
  const { compact, lateTools } = parts;
  const lines = [...(compact ? COMPACT_RULES : RULES), '', `Working directory: ${parts.cwd} (${parts.platform})`];
  if (parts.calls) lines.push('', parts.calls);
  if (lateTools.length && compact) lines.push(`Through use_tool: ${lateTools.map(({ name }) => name).join(', ')}.`);
  else if (lateTools.length) {
    lines.push('', 'More tools, called through use_tool:');
    for (const tool of lateTools) lines.push(`- ${tool.name}: ${tool.description}`);
  }
  if (parts.mode === 'plan') lines.push('', PLAN_NOTE);
  for (const file of parts.instructions) lines.push('', `Instructions from ${file.path}:`, file.text.trim());
  if (parts.append) lines.push('', parts.append.trim());
  return lines.join('\n');
}
