/** The headless door: `ada --print`. One prompt in, one answer out, and the process is gone (CONTRACT, "Commands"). */
import { isatty } from 'node:tty';
import type { AnswerSchema } from './answer-schema.ts';
import { compose } from './compose.ts';
import { composeOptions, workingDirectory } from './compose-options.ts';
import type { Parsed } from './flags.ts';
import { imageInput } from './image-input.ts';
import { joinPrompt } from './join-prompt.ts';
import { complain, openStandardOutput } from './output.ts';
import { exitCodeOf, printTurn } from './print-turn.ts';
import { takeSignals, within } from './signals.ts';
import { StartError } from './start-error.ts';
import { readStdin } from './stdin.ts';

/** What a shell reports for a program whose reader has gone (128 + SIGPIPE). */
const READER_GONE = 141;
/** Ctrl+C. */
const INTERRUPTED = 130;
const CLOSE_MS = 1500;

const report = (line: string) => complain(`ada: ${line}`);

export async function run({ flags, rest }: Parsed): Promise<number> {
  const stop = takeSignals();
  const cwd = workingDirectory(flags);
  const images = flags.image?.map((path) => imageInput(path, cwd));
  const argument = rest.join(' ').trim();
  const piped = await readStdin({ hasArgument: argument !== '', notice: report });
  const prompt = joinPrompt(argument, piped);
  if (!prompt) {
    const taken = flags.resume ? ` (“${flags.resume}” was taken as the session to resume)` : '';
    throw new StartError(`no prompt: ada --print "…", or pipe one in${taken} (ada --help)`);
  }
  const answer = flags['json-schema'] === undefined ? undefined : await answerSchema(flags['json-schema'], cwd);

  await optimiseLater();
  const { session, notices } = await compose({ ...composeOptions(flags, cwd, process.env, true), tell: report });
  const abort = (closing: boolean) => void session.send({ type: 'abort', closing });
  const output = openStandardOutput(() => abort(true));
  stop.onStop(() => abort(stop.code !== INTERRUPTED));
  for (const notice of notices) report(notice);
  const watched = isatty(2);
  try {
    const end = await printTurn(session, {
      format: flags['output-format'] ?? 'text',
      prompt,
      answer,
      images,
      output,
      report,
      verbose: watched || flags.debug === true,
      debug: flags.debug,
      terminal: isatty(1),
    });
    await Promise.race([output.flush(), stop.expired]);
    return output.closed && stop.code === undefined ? READER_GONE : exitCodeOf(end, stop.code);
  } finally {
    await within(CLOSE_MS, session.close());
  }
}

/** Loaded only for who asks for it: the validator is not small. */
async function answerSchema(path: string, cwd: string): Promise<AnswerSchema> {
  return (await import('./answer-schema.ts')).openAnswerSchema(path, cwd);
}

/**
 * V8 compiles hot functions anew, on other threads, after little use; in a run of seconds that costs more CPU than it
 * saves, a third of a tool call. After seven times the use only long runs pay. Set late: flags that are given at the
 * start make Node refuse the cached code of its own modules.
 */
async function optimiseLater(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--interrupt-budget=500000');
}
