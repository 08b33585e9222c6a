/** A change of files that a tool made, as `/diff` shows it. */
import type { Display } from '../../core/types.ts';

export type FileChange = Extract<Display, { kind: 'diff' }>;

/** One or, of what changed nothing, none. A new file without content has no patch, but is a change. */
export function changesOf(display: Display | null | undefined, output: string): readonly FileChange[] {
  if (display?.kind !== 'diff') return [];
  if (display.patch !== '') return [display];
  return output.startsWith('Created ') ? [{ ...display, patch: `--- /dev/null\n+++ ${display.path}\n` }] : [];
}
