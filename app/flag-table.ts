/**
 * The command line as tables: one row a flag, one row a command. Types, parsing, errors and `--help` all come from
 * these rows (CONTRACT, "Commands").
 */

/** `chat` is `ada [prompt]` and `ada -p`; the others are named by the first word. */
export type CommandName = 'chat' | 'demo' | 'sessions' | 'models' | 'skills' | 'replay' | 'lab';

/** What follows each command, one line each; `lab` is for measurement and not listed. */
export const COMMANDS: Readonly<
  Record<
    Exclude<CommandName, 'chat' | 'lab'>,
    { usage: string; help: string; actions: readonly string[]; more?: string }
  >
> = {
  demo: {
    usage: 'ada demo [--print]',
    help: 'watch a recorded model repair a real bug in a sample project',
    actions: [],
  },
  sessions: {
    usage: 'ada sessions [list | show [ID] | fork [ID] | delete ID | export [ID]]',
    help: 'stored conversations of this project, by id, beginning of an id, or title',
    actions: ['list', 'show', 'fork', 'delete', 'export'],
  },
  models: {
    usage: 'ada models [list | show NAME | pull NAME]',
    help: 'models that can be reached now; pull has Ollama get one',
    actions: ['list', 'show', 'pull'],
  },
  skills: {
    usage: 'ada skills [list [CATEGORY] | find QUERY | show NAME]',
    help: 'procedures that ada can follow',
    actions: ['list', 'find', 'show'],
  },
  replay: {
    usage: 'ada replay FILE [--project DIR]',
    help: 'run a stored session again with its recorded answers, and show where it differs',
    actions: [],
    more: `FILE is a log (.ada/sessions/ID.jsonl), or the ID of a session of this project. Its prompts are sent again, each
request gets the answer or the failure that was recorded of it, and the real tools run in a copy of the project, in the
recorded mode and with the recorded approvals; what you typed behind a ! and went back over is done again, too. The
first call, result or end of a turn that differs is shown from both sides; clock times, durations, temporary paths, ids,
hashes of commits and ports do not count. Exit codes: 0 equal, 1 different, 2 usage.

The project itself is never touched, but its files are as they are now: --project DIR names a folder that is as it was.
Copied is what git ignores too, except sessions, the repository of a linked work tree, and files over 100 MB.
Not run again: calls that were asked for because they use the network, reach out of the project, are destructive or
cannot be read, and such commands of yours; calls that were cut off; compactions. A log that is not among the project's
own sessions says what runs here, so it needs --trust.
`,
  },
};

/**
 * Words that name commands of other versions. They are never taken for a prompt: `ada serve` must not send the word
 * "serve" to a model.
 */
export const RESERVED =
  'serve backend acp share mcp extensions login logout whoami worktree doctor completion help version'.split(' ');

export interface FlagRow {
  long: string;
  short?: string;
  /** `count`: a whole number from 1; `number`: above 0; `optional`: a text or nothing (''); `list`: comma-separated, repeatable. */
  kind: 'switch' | 'text' | 'optional' | 'choice' | 'count' | 'number' | 'texts' | 'list';
  choices?: readonly string[];
  /** Name of the value in help and errors. */
  value?: string;
  help: string;
  /** Commands that know the flag; default: `chat`. */
  in?: readonly CommandName[] | 'all';
}

export const FLAGS = [
  {
    long: 'print',
    short: 'p',
    kind: 'switch',
    help: 'answer one prompt without a screen: argument, standard input, or both',
    in: ['chat', 'demo'],
  },
  {
    long: 'model',
    short: 'm',
    kind: 'text',
    value: 'ID',
    help: 'model to use, for example qwen3:8b, anthropic/NAME, replay:FILE',
  },
  {
    long: 'mode',
    kind: 'choice',
    value: 'MODE',
    choices: ['ask', 'plan', 'auto'],
    help: 'ask: changes need a yes; plan: nothing changes; auto: changes inside the project go ahead',
  },
  { long: 'yolo', short: 'y', kind: 'switch', help: 'the same as --mode auto' },
  { long: 'continue', short: 'c', kind: 'switch', help: 'go on with the latest session of this project' },
  {
    long: 'resume',
    short: 'r',
    kind: 'optional',
    value: 'ID',
    help: 'go on with a session (or --resume=TITLE); without ID the screen lets you choose, and -p takes the latest',
  },
  { long: 'fork', kind: 'switch', help: 'with --continue or --resume: go on in a copy' },
  { long: 'session-id', kind: 'text', value: 'ID', help: 'name of the new session' },
  {
    long: 'output-format',
    kind: 'choice',
    value: 'FORMAT',
    choices: ['text', 'json', 'stream-json'],
    help: 'what --print writes: the answer, one object, or one event a line',
  },
  {
    long: 'json',
    kind: 'switch',
    help: 'machine-readable output (with --print: --output-format json)',
    in: ['chat', 'sessions', 'models', 'skills', 'replay'],
  },
  {
    long: 'format',
    kind: 'choice',
    value: 'FORMAT',
    choices: ['markdown', 'html', 'json', 'replay'],
    help: 'what export writes; replay: what --model replay:FILE reads',
    in: ['sessions'],
  },
  { long: 'replay', kind: 'switch', help: 'the same as --format replay', in: ['sessions'] },
  {
    long: 'output',
    short: 'o',
    kind: 'text',
    value: 'FILE',
    help: 'write the export to this file; - is standard output',
    in: ['sessions'],
  },
  {
    long: 'search',
    kind: 'text',
    value: 'TEXT',
    help: 'list those in which these words were said or run ("in quotes": as they stand)',
    in: ['sessions'],
  },
  { long: 'yes', kind: 'switch', help: 'delete without asking', in: ['sessions'] },
  {
    long: 'json-schema',
    kind: 'text',
    value: 'FILE',
    help: 'the answer must be JSON that is valid against this schema (implies --print)',
  },
  { long: 'max-turns', kind: 'count', value: 'N', help: 'end after N model messages (default: no limit)' },
  { long: 'max-cost', kind: 'number', value: 'USD', help: 'end when the turn has cost this much' },
  { long: 'timeout', kind: 'number', value: 'SECONDS', help: 'end when the turn has taken this long' },
  {
    long: 'trust',
    kind: 'switch',
    help: "use this project's own settings and skills without asking; with replay: run what the file says",
    in: ['chat', 'skills', 'replay'],
  },
  {
    long: 'allow',
    kind: 'texts',
    value: 'RULE',
    help: "allow calls that match, for example 'bash(git diff *)' (repeatable)",
  },
  { long: 'deny', kind: 'texts', value: 'RULE', help: 'deny calls that match (repeatable)' },
  { long: 'allowed-tools', kind: 'list', value: 'LIST', help: 'offer only these tools' },
  { long: 'disallowed-tools', kind: 'list', value: 'LIST', help: 'do not offer these tools' },
  { long: 'append-system-prompt', kind: 'text', value: 'TEXT', help: 'add this to the system prompt' },
  {
    long: 'add-dir',
    kind: 'texts',
    value: 'DIR',
    help: 'a further directory that counts as inside the project (repeatable)',
  },
  { long: 'project', kind: 'text', value: 'DIR', help: 'the project to copy (default: where it ran)', in: ['replay'] },
  { long: 'cwd', short: 'C', kind: 'text', value: 'DIR', help: 'work in this directory', in: 'all' },
  { long: 'offline', kind: 'switch', help: 'no connection but loopback and OLLAMA_HOST', in: ['chat', 'models'] },
  {
    long: 'reasoning',
    kind: 'choice',
    value: 'LEVEL',
    choices: ['off', 'low', 'medium', 'high'],
    help: 'how much the model may think',
  },
  { long: 'image', kind: 'texts', value: 'FILE', help: 'send an image with the prompt (repeatable)' },
  { long: 'no-skills', kind: 'switch', help: 'offer no skills' },
  {
    long: 'plain',
    kind: 'switch',
    help: 'output that is only ever added to, for screen readers and simple terminals',
    in: ['chat', 'demo'],
  },
  { long: 'no-color', kind: 'switch', help: 'no colours', in: 'all' },
  { long: 'debug', kind: 'switch', help: 'on standard error: every tool call, who answered, stack traces', in: 'all' },
  { long: 'list-models', kind: 'switch', help: 'the same as ada models' },
  { long: 'version', short: 'v', kind: 'switch', help: 'print the version' },
  { long: 'help', short: 'h', kind: 'switch', help: 'print this help', in: 'all' },
] as const satisfies readonly FlagRow[];

type Row = (typeof FLAGS)[number];
type ValueOf<R extends Row> = R extends { choices: readonly (infer C)[] }
  ? C
  : R extends { kind: 'switch' }
    ? boolean
    : R extends { kind: 'count' | 'number' }
      ? number
      : R extends { kind: 'texts' | 'list' }
        ? readonly string[]
        : string;

/** Values by long name; a flag that was not given is absent. */
export type Flags = { -readonly [R in Row as R['long']]?: ValueOf<R> };

/** True when the command knows the flag. */
export const knows = (row: FlagRow, command: CommandName): boolean =>
  row.in === 'all' || (row.in ?? ['chat']).includes(command);
