/** What was said in the project's earlier conversations, for the arrow keys and the search. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { parseLog } from '../../core/parse-log.ts';
import { conversations } from './conversations.ts';

const MOST_PROMPTS = 500;
/** Logs are read from the newest on until so many bytes were read; of a longer log its end. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Oldest first, each text once, at its newest place: so what a copy of a conversation took over is not told twice.
 * `without`: the conversation that is on the screen.
 */
export function earlierPrompts(cwd: string, env: NodeJS.ProcessEnv, without: string | undefined): readonly string[] {
  const newest = new Map<string, number>();
  let left = MOST_BYTES;
  for (const { id, file } of conversations(cwd, env)) {
    if (left <= 0 || newest.size >= MOST_PROMPTS) break;
    if (id === without) continue;
    const bytes = endOf(file, left);
    left -= bytes.length;
    for (const { text, time } of promptsIn(bytes)) if (time > (newest.get(text) ?? -1)) newest.set(text, time);
  }
  return [...newest]
    .sort(([, a], [, b]) => a - b)
    .slice(-MOST_PROMPTS)
    .map(([text]) => text);
}

function promptsIn(bytes: Buffer): { text: string; time: number }[] {
  // Most of a log is answers and outputs: only lines that may be prompts are parsed.
  const lines: Buffer[] = [];
  for (let at = bytes.indexOf(MARK); at >= 0; ) {
    const start = bytes.lastIndexOf(10, at) + 1;
    const end = bytes.indexOf(10, at);
    lines.push(bytes.subarray(start, end < 0 ? bytes.length : end + 1));
    at = end < 0 ? -1 : bytes.indexOf(MARK, end);
  }
  return parseLog(Buffer.concat(lines)).events.flatMap((event) =>
    event.type === 'user' && event.text.trim() !== '' ? [{ text: event.text, time: event.time }] : [],
  );
}

const MARK = '"type":"user"';

function endOf(file: string, most: number): Buffer {
  try {
    const fd = openSync(file, 'r');
    try {
      const { size } = fstatSync(fd);
      const bytes = Buffer.alloc(Math.min(size, most));
      return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, size - bytes.length));
    } finally {
      closeSync(fd);
    }
  } catch {
    // Deleted meanwhile, or not readable: its prompts are not to be had.
    return Buffer.alloc(0);
  }
}
