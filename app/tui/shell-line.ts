/**
 * The shell command in a line that begins with `!`; behind `!!` it is kept apart from what the model is told. Null for
 * any other line.
 */
export function shellLine(line: string): { command: string; apart?: true } | null {
  const [, marks, command] = /^(!!?)\s*([^!\s][\s\S]*)$/.exec(line.trim()) ?? [];
  if (command === undefined) return null;
  return marks === '!!' ? { command, apart: true } : { command };
}
