/**
 * `ada lab NAME`: the pure functions that the agent uses, as JSON lines in and out, for tests and measurement
 * (CONTRACT, "ada lab"). Nothing in here decides anything; each entry only translates.
 */
import { nearest } from '../core/nearest.ts';
import type { Parsed } from './flags.ts';
import { openStandardOutput } from './output.ts';
import { StartError } from './start-error.ts';

type Row = Record<string, unknown>;
type Probe = (row: Row) => unknown;

/** Loads what one name needs. A probe throws when it does not understand its input. */
const PROBES: Readonly<Record<string, () => Promise<Probe>>> = {
  judge: async () => (await import('./lab/judge.ts')).judge,
  edit: async () => (await import('./lab/edit.ts')).edit,
  patch: async () => (await import('./lab/patch.ts')).patch,
  recover: async () => (await import('./lab/recover.ts')).recover,
  sse: async () => (await import('./lab/sse.ts')).sse,
  convert: async () => (await import('./lab/convert.ts')).convert,
  width: async () => (await import('./lab/width.ts')).width,
  sanitize: async () => (await import('./lab/sanitize.ts')).sanitize,
};

export async function run({ rest }: Parsed): Promise<number> {
  const [name, ...more] = rest;
  const names = Object.keys(PROBES);
  if (name === undefined) throw new StartError(`ada lab needs a name: ${names.join(', ')}`);
  if (!Object.hasOwn(PROBES, name))
    throw new StartError(`unknown ada lab ${name}; the nearest is ${nearest(name, names)}`);
  if (more.length) throw new StartError(`ada lab ${name} takes no argument; it reads JSON lines`);
  const probe = await PROBES[name]!();
  const output = openStandardOutput();
  for await (const line of inputLines(process.stdin)) {
    output.write(`${JSON.stringify(await answerLine(probe, line))}\n`);
  }
  await output.flush();
  return 0;
}

/** Only line feeds end a line: U+2028 is an ordinary character inside JSON. Blank lines are left out. */
async function* inputLines(input: NodeJS.ReadStream): AsyncGenerator<string, void, undefined> {
  let pieces: string[] = [];
  input.setEncoding('utf8');
  for await (const chunk of input as AsyncIterable<string>) {
    const parts = chunk.split('\n');
    for (const part of parts.slice(0, -1)) {
      pieces.push(part);
      const line = pieces.join('');
      pieces = [];
      if (line.trim() !== '') yield line;
    }
    pieces.push(parts.at(-1)!);
  }
  const last = pieces.join('');
  if (last.trim() !== '') yield last;
}

/** One line of input to one line of output; what is not understood becomes `{ error }`. */
export async function answerLine(probe: Probe, line: string): Promise<unknown> {
  try {
    const row = JSON.parse(line);
    if (typeof row !== 'object' || row === null || Array.isArray(row))
      throw new Error('each line must be a JSON object');
    return await probe(row);
  } catch (error) {
    return { error: (error as Error).message };
  }
}
