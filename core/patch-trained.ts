import type { Tool } from './types.ts';

/** Models of OpenAI that were trained to change files by `apply_patch`, by the last segment of their id. */
const TRAINED = /^(gpt-5|gpt-4\.1|codex|o3|o4-mini)(?![a-z\d])/i;

/** True for a model id (`vendor/model`, with or without an author between) that knows `apply_patch` by heart. */
export function isPatchTrained(id: string): boolean {
  const [vendor, ...rest] = id.split('/');
  // What people call a model on their own server says nothing of who trained it.
  if (vendor === 'ollama' || id.startsWith('replay:')) return false;
  return TRAINED.test(rest.at(-1) ?? id);
}

/** The tools as this model should see them: `apply_patch` with its schema in every request, where it is trained on it. */
export function toolsFor(id: string, tools: readonly Tool[]): readonly Tool[] {
  const patch = tools.find(({ name, late }) => name === 'apply_patch' && late);
  if (!patch || !isPatchTrained(id)) return tools;
  const others = tools.filter((tool) => tool !== patch);
  // Beside the other way to change a file.
  const at = others.findIndex(({ name }) => name === 'edit_file') + 1;
  return [...others.slice(0, at), { ...patch, late: false }, ...others.slice(at)];
}
