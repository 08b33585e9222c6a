/** A process tree that outlives the call that started it: what it is, whether it runs, what it wrote last. */
import { StringDecoder } from 'node:string_decoder';
import { cutBefore, cutBehind } from '../../redact-cut.ts';
import { visibleControls } from '../../visible-controls.ts';
import type { FoundProcess, ProcessQuery } from './processes.ts';
import type { PtyPair } from './pty-pair.ts';
import { TerminalText } from './terminal-text.ts';

export interface Job {
  /** 1, 2, 3 … within the session. */
  id: number;
  /** Process group of the shell that started it. */
  shell: number;
  mark: string;
  command: string;
  processes: readonly FoundProcess[];
  /** Milliseconds since the epoch. */
  started: number;
  ended?: number;
  /** Null while it runs, and where nobody was there to see it. */
  exitCode: number | null;
  /** Its shell is ada's own child and its exit is not heard of yet: processes are gone a little before that. */
  exit?: Promise<void>;
  /** What it wrote since it became a job. */
  output: JobOutput;
  /** Closes what it wrote to; called once, when it has ended. */
  end(): void;
}

/** What finds its processes. */
export const jobQuery = ({ mark, shell }: Job): ProcessQuery => ({ marks: [mark], shells: [shell], since: shell });

/** One line about a job. */
export function listed({ id, command, processes, started, ended, exitCode }: Job, now = Date.now()): string {
  const seconds = Math.round(((ended ?? now) - started) / 1000);
  const [first = '', ...more] = command.trim().split('\n');
  const short =
    first.length > 120 ? `${first.slice(0, cutBefore(first, 120))}…` : more.length > 0 ? `${first} …` : first;
  const code = exitCode === null ? '' : `, exit code ${exitCode}`;
  const state =
    ended === undefined
      ? `running for ${seconds} s, ${processes.map(({ pid }) => pid).join(' ')}`
      : `ended after ${seconds} s${code}`;
  return `job ${id}, ${state}: ${visibleControls(short)}`;
}

const MOST_KEPT = 16_000;

/** The end of a job's output as a terminal would show it; memory is bounded. */
export class JobOutput {
  private readonly decoder = new StringDecoder('utf8');
  private readonly screen = new TerminalText((text) => this.keep(text));
  private parts: string[] = [];
  private length = 0;
  private isCut = false;

  write(chunk: Buffer): void {
    this.screen.write(this.decoder.write(chunk));
  }

  /** The last lines, and whether there were more before them. */
  tail(): { text: string; isCut: boolean } {
    this.shorten();
    return { text: this.parts.join('') + this.screen.view(), isCut: this.isCut };
  }

  private keep(text: string): void {
    this.parts.push(text);
    this.length += text.length;
    if (this.length > 4 * MOST_KEPT) this.shorten();
  }

  private shorten(): void {
    if (this.length <= MOST_KEPT) return;
    const text = this.parts.join('');
    const from = text.length - MOST_KEPT;
    // From a line's start, unless it is one endless line.
    const start = text.indexOf('\n', from) + 1;
    this.parts = [text.slice(cutBehind(text, start > 0 && start - from < MOST_KEPT / 2 ? start : from))];
    this.length = this.parts[0]!.length;
    this.isCut = true;
  }
}

/** What a job is made of when it begins to outlive its call. */
export function makeJob(
  id: number,
  parts: Pick<Job, 'shell' | 'mark' | 'command' | 'processes' | 'started'>,
  pair?: PtyPair,
): Job {
  const output = new JobOutput();
  pair?.follow((chunk) => output.write(chunk));
  return {
    ...parts,
    id,
    exitCode: null,
    output,
    end() {
      this.ended ??= Date.now();
      pair?.close();
    },
  };
}
