/**
 * The command line: reads the flags and hands over to one door or command. Each is a module of its own, loaded only
 * when it is asked for, because every module that `ada -p` loads is time that a script waits for.
 */
import { isatty } from 'node:tty';
import { type CommandName, type Parsed, parseFlags } from './flags.ts';
import { complain, openStandardOutput } from './output.ts';
import { StartError } from './start-error.ts';

declare const ADA_VERSION: string;

type Door = { run(parsed: Parsed): Promise<number> };

const DOORS: Readonly<Record<CommandName, () => Promise<Door>>> = {
  chat: () => import('./print.ts'),
  demo: () => import('./demo/demo.ts'),
  sessions: () => import('./commands/sessions.ts'),
  models: () => import('./commands/models.ts'),
  skills: () => import('./commands/skills.ts'),
  replay: () => import('./commands/replay.ts'),
  lab: () => import('./lab.ts'),
};

/** The full-screen app; the demonstration that it offers is another door, which it must not know. */
async function openScreen(parsed: Parsed): Promise<number> {
  const { run } = await import('./tui/run.ts');
  return run(parsed, { demonstration: async () => (await import('./demo/on-screen.ts')).demonstration() });
}

async function main(argv: readonly string[]): Promise<number> {
  const parsed = parseFlags(argv);
  if ('usage' in parsed) throw new StartError(parsed.usage);
  const { command, flags } = parsed;
  if (flags.help) {
    const { helpText } = await import('./help.ts');
    return print(helpText(command));
  }
  if (flags.version) return print(`${ADA_VERSION}\n`);
  if (flags['list-models']) return (await DOORS.models()).run({ ...parsed, rest: [] });
  // Without a terminal, or with --print, all goes without a screen.
  if ((command === 'chat' || command === 'demo') && !flags.print && isatty(0) && isatty(1)) return openScreen(parsed);
  return (await DOORS[command]()).run(parsed);
}

async function print(text: string): Promise<number> {
  const output = openStandardOutput();
  output.write(text);
  await output.flush();
  return 0;
}

/** One line for a person; the stack is for whoever asks for it. */
function fail(error: unknown): number {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (error instanceof StartError) for (const notice of error.notices) complain(`ada: ${notice}`);
  complain(`ada: ${message.trim().replace(/\s*\n\s*/g, ' · ')}`);
  if (process.argv.includes('--debug') && stack) complain(stack);
  return error instanceof StartError ? error.exitCode : 1;
}

process.on('uncaughtException', (error) => process.exit(fail(error)));
process.exit(await main(process.argv.slice(2)).catch(fail));
