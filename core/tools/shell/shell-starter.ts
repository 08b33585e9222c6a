/**
 * A small bash that stays and starts the shells of a session's commands. Where ada itself starts a process, the kernel
 * copies the page tables of its whole heap: 2 to 5 ms of CPU, in which the screen stands still; this one is a few
 * hundred pages. Every command still gets a fresh bash with a process group of its own, the same environment, no input
 * and no controlling terminal.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { closing, isBash, tellingDirectory } from './command-script.ts';
import { firstNumber } from './mark-number.ts';
import { leakedFds, type PtyPair } from './pty-pair.ts';
import { jobMark, quietEnvironment } from './shell-environment.ts';
import type { ShellExit, ShellStart, StartedShell } from './start-shell.ts';

/**
 * Descriptors: 3 the commands, 4 the answers, 5 the terminal. A command is four texts that end in NUL: directory, mark,
 * script, and whether it tells its directory, on 97. Its answer, one for all so that ada wakes once, is what the shell
 * said of its directory, then its number and exit code. Its limit of file locks is a mark too (mark-number.ts). Job control, which gives a shell its own group, is on only where one is started: with it `wait` would return
 * when a command is stopped, and `wait -f` may spin for ever after a command that ended at once (seen in bash 5.2).
 */
const LOOP = `echo ready >&4
while IFS= read -rd '' -u 3 __ada_cwd && IFS= read -rd '' -u 3 ADA_JOB && IFS= read -rd '' -u 3 __ada_script &&
  IFS= read -rd '' -u 3 __ada_tells; do
set -m
( cd -P -- "$__ada_cwd" 2>&5 || exit 126
  __ada_call=\${ADA_JOB%.}; ulimit -Sx $((__ada_first + \${__ada_call##*.}))
  unset OLDPWD
  [[ -n $__ada_tells ]] && exec 97>&4
  exec "$BASH" -c "$__ada_script" >&5 2>&5 3>&- 4>&- 5>&- ) &
set +m; wait "$!"; echo "$! $?" >&4
done`;

/** bash reads a pipe byte by byte: a longer command is started by ada itself. */
const MOST_BYTES = 3000;

/** Variables with which a bash does something of its own at its start, or hands its own options on. */
const ODD_VARIABLE = /^(?:BASH_ENV|SHELLOPTS|BASHOPTS|POSIXLY_CORRECT|BASH_FUNC_.*|__ada_.*)$/;

/** What may keep the program alive or not, as a child's pipes do. */
interface Holding {
  ref(): unknown;
  unref(): unknown;
}

export class ShellStarter {
  readonly pid: number;
  alive = true;
  private readonly child: ChildProcess;
  private readonly input: Writable & Holding;
  private readonly answers: Readable & Holding;
  private readonly gone: Promise<void>;
  private text = '';
  private listener: (() => void) | undefined;

  constructor(child: ChildProcess) {
    this.child = child;
    this.pid = child.pid!;
    this.input = child.stdio[3] as Writable & Holding;
    this.answers = child.stdio[4] as Readable & Holding;
    this.answers.setEncoding('utf8').on('data', (text: string) => {
      this.text += text;
      this.listener?.();
    });
    // A starter that has gone closes its ends; the exit tells.
    this.input.on('error', () => {});
    this.answers.on('error', () => {});
    this.gone = new Promise((resolve) => {
      child.once('exit', () => {
        this.alive = false;
        this.listener?.();
        resolve();
      });
    });
  }

  /** Resolves with false when this bash cannot do it. */
  async ready(): Promise<boolean> {
    const found = await this.answer(/^ready\n/);
    this.hold(false);
    return found !== undefined;
  }

  get usable(): boolean {
    return this.alive && this.listener === undefined;
  }

  start({ command, cwd, mark, tellsCwd }: ShellStart, env: NodeJS.ProcessEnv): StartedShell {
    const script = tellsCwd ? tellingDirectory(command, 97) : command;
    this.hold(true);
    this.input.write(`${cwd}\0${jobMark(env, mark)}\0${script}\0${tellsCwd ? 1 : ''}\0`);
    const answer = this.answer(/^([\s\S]*\n)?(\d+) (\d+)\n$/).finally(() => this.hold(false));
    const exit = answer.then((found): ShellExit => ({ exitCode: found ? Number(found[3]) : null, endedBy: null }));
    return {
      pid: undefined,
      exit,
      ended: () => answer.then((found) => found && { pid: Number(found[2]), directory: found[1]?.slice(0, -1) }),
    };
  }

  /** Resolves when it has gone. Must not be called while it runs a command that is still wanted. */
  close(): Promise<void> {
    if (this.alive) {
      this.child.ref();
      this.child.kill('SIGKILL');
    }
    return this.gone;
  }

  /** Waits until what was answered begins with `pattern`, and takes it; undefined when the starter has gone. */
  private answer(pattern: RegExp): Promise<RegExpExecArray | undefined> {
    return new Promise((resolve) => {
      const look = () => {
        const found = pattern.exec(this.text);
        if (!found && this.alive) return;
        if (found) this.text = this.text.slice(found[0].length);
        this.listener = undefined;
        resolve(found ?? undefined);
      };
      this.listener = look;
      look();
    });
  }

  /** Whether ada stays alive for it. */
  private hold(on: boolean): void {
    for (const part of [this.child, this.answers, this.input]) part[on ? 'ref' : 'unref']();
  }
}

/** True where a starter does exactly what ada itself would. */
export const canStart = (shell: string, env: NodeJS.ProcessEnv): boolean =>
  process.platform === 'linux' && isBash(shell) && !Object.keys(env).some((name) => ODD_VARIABLE.test(name));

export const fitsStarter = ({ command, cwd }: ShellStart): boolean =>
  command.length + cwd.length < MOST_BYTES && !`${command}${cwd}`.includes('\0');

/** A starter whose commands write to `pair`; undefined where there can be none. `mark` must be no command's. */
export async function openShellStarter(
  shell: string,
  env: NodeJS.ProcessEnv,
  mark: string,
  pair: PtyPair,
): Promise<ShellStarter | undefined> {
  const child = spawn(shell, ['-c', `${closing(leakedFds)}__ada_first=${firstNumber(mark)}\n${LOOP}`], {
    cwd: '/',
    env: { ...quietEnvironment(env), ADA_JOB: mark },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe', pair.slave],
    detached: true,
  });
  // Without a listener a shell that cannot be started would end the program.
  child.on('error', () => {});
  if (child.pid === undefined) return undefined;
  const starter = new ShellStarter(child);
  return (await starter.ready()) ? starter : undefined;
}
