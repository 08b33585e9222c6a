/** The full-screen door: `ada [prompt]` on a terminal (CONTRACT, "Commands"). */
import { composeOptions, workingDirectory } from '../compose-options.ts';
import type { Parsed } from '../flags.ts';
import { imageInput } from '../image-input.ts';
import { takeSignals } from '../signals.ts';
import { StartError } from '../start-error.ts';
import type { Demonstration } from './demonstration.ts';

/** What the door cannot make itself. */
export interface ScreenParts {
  demonstration(): Promise<Demonstration>;
}

/** Flags that say how `--print` answers. */
const OF_PRINT = ['output-format'] as const;

export async function run({ command, flags, rest }: Parsed, parts: ScreenParts): Promise<number> {
  const stop = takeSignals();
  for (const flag of OF_PRINT) if (flags[flag] !== undefined) throw new StartError(`--${flag} needs --print`);
  const env = flags['no-color'] ? { ...process.env, NO_COLOR: '1' } : process.env;
  const cwd = workingDirectory(flags);
  if (command === 'demo' && rest.length > 0) throw new StartError('ada demo takes no argument');
  const text = rest.join(' ').trim();
  const images = flags.image?.map((path) => imageInput(path, cwd));
  if (images && !text) throw new StartError('--image needs a prompt to go with');
  const options = {
    compose: composeOptions(flags, cwd, env, false),
    env,
    stop,
    prompt: command === 'chat' && text ? { type: 'prompt' as const, text, images } : undefined,
    // `--resume` without an id lets the person choose.
    choose: flags.resume === '',
    demo: command === 'demo',
    demonstration: parts.demonstration,
  };
  // Plain lines for those who ask for them, and for a terminal that cannot place its cursor.
  if (flags.plain || env.TERM === 'dumb') return (await import('./plain.ts')).runPlain(options);
  return (await import('./screen-door.ts')).runScreen(options);
}
