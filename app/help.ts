/** What `--help` prints, made from the tables of flags and commands. */
import { COMMANDS, type CommandName, FLAGS, knows } from './flag-table.ts';

const WIDTH = 100;
const COLUMN = 30;

/** Help of one command, or of the whole program for `chat`. */
export function helpText(command: CommandName): string {
  if (command === 'lab') return 'usage: ada lab NAME    JSON lines in, JSON lines out; for tests and measurement\n';
  if (command === 'chat') return overview();
  const { usage, help, more } = COMMANDS[command];
  const text = `usage: ${usage}\n\n${help[0]!.toUpperCase()}${help.slice(1)}.\n\n`;
  return `${text}${more ? `${more}\n` : ''}${flagLines(command)}`;
}

function overview(): string {
  const commands = Object.values(COMMANDS).map(({ usage, help }) => row(usage, help));
  return `usage: ada [flags] [PROMPT]       the full-screen app
       ada -p [flags] PROMPT      answer one prompt without a screen
       ada COMMAND [flags]

A coding agent for people who run their own models.

Commands
${commands.join('')}
Flags
${flagLines('chat')}
Standard output carries the answer and nothing else. Without a terminal, ada PROMPT is ada -p PROMPT.
Text on standard input is added to the prompt; with a prompt in the arguments, a pipe that sends nothing
for 1 s is left alone. With -p nobody is asked: what would have to ask is denied, and the model is told.

Exit codes
${row('0', 'the turn ended by itself')}${row('1', 'the turn failed (provider, network, an answer that does not fit --json-schema)')}${row('2', 'usage or settings')}${row('3', 'no model can be reached')}${row('4', 'a limit ended it (turns, cost, time, length of the answer)')}${row('129, 130, 143', 'SIGHUP, SIGINT, SIGTERM')}${row('141', 'the reader of standard output has gone')}
Environment
${row('OLLAMA_HOST', 'where Ollama listens (default 127.0.0.1:11434)')}${row('ADA_BACKEND_URL', 'an OpenAI-compatible server; ADA_CLIENT_KEY is its key')}${row('OPENAI_API_KEY, …', 'keys of hosted vendors; *_BASE_URL moves their address')}${row('ADA_MODEL', 'the model when --model is not given')}${row('ADA_THEME, NO_COLOR', 'dark, light or none; no colours at all')}${row('ADA_HOME', 'settings and state (default ~/.ada)')}
Examples
  ada -p "what does this project do?"
  git diff | ada -p "review this change"
  ada -p --mode auto -m qwen3:8b "make the failing test pass"
  ada -p -c --output-format json "and now the other one"
`;
}

function flagLines(command: CommandName): string {
  let text = '';
  for (const flag of FLAGS) {
    if (!knows(flag, command)) continue;
    const value = 'value' in flag ? (flag.kind === 'optional' ? ` [${flag.value}]` : ` ${flag.value}`) : '';
    const choices = 'choices' in flag ? ` (${flag.choices.join(', ')})` : '';
    // The choices of --mode are explained one by one in its help.
    text += row(
      `${'short' in flag ? `-${flag.short}, ` : '    '}--${flag.long}${value}`,
      flag.help + (flag.help.includes(': ') && flag.long === 'mode' ? '' : choices),
    );
  }
  return text;
}

/** A name and its explanation, wrapped beside it. */
function row(name: string, help: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of help.split(' ')) {
    if (line && line.length + word.length + 1 > WIDTH - COLUMN) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  lines.push(line);
  // A long name has the line for itself.
  const first = `  ${name}`;
  const indent = ' '.repeat(COLUMN);
  const head = first.length > COLUMN - 2 ? `${first}\n${indent}` : first.padEnd(COLUMN);
  return `${head}${lines.join(`\n${indent}`)}\n`;
}
