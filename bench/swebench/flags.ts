/** The command line of the SWE-bench runner. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface Flags {
  dataset: string;
  model: string;
  out: string;
  instances: readonly string[];
  limit: number | null;
  concurrency: number;
  /** Seconds for one instance, and for one run of its tests. */
  timeout: number;
  maxTurns: number | null;
  repos: string | null;
  evaluate: boolean;
}

export class FlagError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FlagError';
  }
}

export const HELP = `npm run swebench -- --dataset FILE --model ID --out DIR

Lets ada work on SWE-bench instances and writes predictions.jsonl in the official form,
meta.jsonl, the trajectory of each instance and report.json to DIR. Run it again with the
same DIR to go on where it stopped.

  --dataset FILE      official JSONL, a .json file, or a folder of either
  --model ID          as for ada
  --out DIR           where the results go
  --repos DIR         bare mirrors, as owner/name.git or owner__name.git
  --instances a,b     only these
  --limit N           only the first N
  --concurrency N     instances at once (2)
  --timeout SECONDS   for each instance, and for each run of its tests (1200)
  --max-turns N       model messages for each instance (no limit)
  --evaluate          score the patches by running the tests here, without containers
`;

const STRING = { type: 'string' } as const;

/** Paths become absolute. Throws FlagError with one line. */
export function parseFlags(argv: readonly string[], cwd: string): Flags | 'help' {
  let values: Record<string, string | boolean | undefined>;
  try {
    values = parseArgs({
      args: [...argv],
      options: {
        dataset: STRING,
        model: { ...STRING, short: 'm' },
        out: STRING,
        repos: STRING,
        instances: STRING,
        limit: STRING,
        concurrency: STRING,
        timeout: STRING,
        'max-turns': STRING,
        evaluate: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new FlagError((error as Error).message.split('. ')[0]!);
  }
  if (values.help) return 'help';
  const need = (name: string) => {
    const value = values[name];
    if (typeof value !== 'string' || value === '') throw new FlagError(`--${name} is missing (--help shows all flags)`);
    return value;
  };
  const count = (name: string) => {
    const value = values[name];
    if (value === undefined) return null;
    const number = Number(value);
    if (!Number.isInteger(number) || number < 1)
      throw new FlagError(`--${name} wants a whole number above 0, not ${value}`);
    return number;
  };
  // A recording is named by a path, and ada is started elsewhere.
  const model = need('model').replace(/^replay:(?=.)(.*)$/s, (_, file: string) => `replay:${resolve(cwd, file)}`);
  return {
    dataset: resolve(cwd, need('dataset')),
    model,
    out: resolve(cwd, need('out')),
    instances:
      typeof values.instances === 'string'
        ? values.instances
            .split(',')
            .map((id) => id.trim())
            .filter((id) => id !== '')
        : [],
    limit: count('limit'),
    concurrency: count('concurrency') ?? 2,
    timeout: count('timeout') ?? 1200,
    maxTurns: count('max-turns'),
    repos: typeof values.repos === 'string' ? resolve(cwd, values.repos) : null,
    evaluate: values.evaluate === true,
  };
}
