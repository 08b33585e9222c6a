/**
 * A person at a terminal: the program runs in a pseudoterminal, keys go in as bytes, and what it draws is read back
 * from a terminal emulator. The shell around the program holds the terminal open after it, so that nothing it wrote
 * last is lost and the state in which it left the terminal can be seen.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import xterm from '@xterm/headless';
import type { Place } from '../ada.ts';

const launcher = fileURLToPath(new URL('../../../app/ada.cjs', import.meta.url));
/** Nothing here may take longer. */
const PATIENCE_MS = 20_000;

export const KEYS = {
  enter: '\r',
  escape: '\x1b',
  ctrlC: '\x03',
  ctrlR: '\x12',
  ctrlZ: '\x1a',
  shiftTab: '\x1b[Z',
  altEnter: '\x1b\r',
  pageUp: '\x1b[5~',
  end: '\x1b[F',
  up: '\x1b[A',
  down: '\x1b[B',
  wheelUp: '\x1b[<64;5;5M',
  paste: (text: string) => `\x1b[200~${text}\x1b[201~`,
} as const;

export interface EyeOptions {
  place: Place;
  env?: Record<string, string>;
  args?: readonly string[];
  columns?: number;
  rows?: number;
  /** An interactive shell with job control instead of the program. */
  shell?: boolean;
}

interface Pty {
  readonly pid: number;
  write(data: string): void;
  resize(columns: number, rows: number): void;
  kill(signal?: string): void;
  onData(listener: (data: string) => void): void;
}

export class Eye {
  readonly #pty: Pty;
  readonly #terminal: xterm.Terminal;
  /** Everything that was written to the terminal. */
  raw = '';

  private constructor(pty: Pty, terminal: xterm.Terminal) {
    this.#pty = pty;
    this.#terminal = terminal;
    pty.onData((data) => {
      this.raw += data;
      terminal.write(data);
    });
    // Replies to questions about the terminal.
    terminal.onData((data) => pty.write(data));
  }

  static async open({ place, env, args = [], columns = 100, rows = 30, shell }: EyeOptions): Promise<Eye> {
    // @ts-expect-error The package is installed under this name, and its typings declare another.
    const module = await import('node-pty');
    const words = [process.execPath, launcher, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
    const command = shell
      ? ['--norc', '--noprofile', '-i']
      : ['-c', `${words.join(' ')}; printf '\\n[exit %s]\\n' $?; exec cat`];
    const pty: Pty = (module.default ?? module).spawn('bash', command, {
      name: env?.TERM ?? 'xterm-256color',
      cols: columns,
      rows,
      cwd: place.project,
      env: {
        PATH: process.env.PATH,
        HOME: place.home,
        ADA_HOME: `${place.home}/.ada`,
        TERM: 'xterm-256color',
        LANG: 'C.UTF-8',
        NO_COLOR: '1',
        PS1: '$ ',
        ADA: words.join(' '),
        ...env,
      },
    });
    return new Eye(pty, new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 }));
  }

  /** Types keys or text. */
  press(...keys: string[]): void {
    for (const key of keys) this.#pty.write(key);
  }

  /** Types keys one after another, each once the one before was read. */
  async keys(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.press(key);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  /** The visible rows, without blanks at their ends. */
  get rows(): string[] {
    const { active } = this.#terminal.buffer;
    const line = (row: number) => active.getLine(active.baseY + row)?.translateToString() ?? '';
    return Array.from({ length: this.#terminal.rows }, (_, row) => line(row).trimEnd());
  }

  get screen(): string {
    return this.rows.join('\n');
  }

  get cursor(): { column: number; row: number } {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    return { column: cursorX, row: cursorY };
  }

  /** What a program must leave as it found it. */
  get state(): { alternate: boolean; mouse: string; paste: boolean; focus: boolean; wrap: boolean; cursor: boolean } {
    const { modes, buffer } = this.#terminal;
    return {
      alternate: buffer.active.type === 'alternate',
      mouse: modes.mouseTrackingMode,
      paste: modes.bracketedPasteMode,
      focus: modes.sendFocusMode,
      wrap: modes.wraparoundMode,
      cursor: this.raw.lastIndexOf('\x1b[?25h') >= this.raw.lastIndexOf('\x1b[?25l'),
    };
  }

  /** Waits until the screen shows something; what it shows instead is in the error. */
  async until(wanted: string | RegExp | ((eye: Eye) => boolean), what = String(wanted)): Promise<void> {
    const holds = () => {
      if (typeof wanted === 'function') return wanted(this);
      return typeof wanted === 'string' ? this.screen.includes(wanted) : wanted.test(this.screen);
    };
    for (const end = Date.now() + PATIENCE_MS; !holds(); ) {
      if (Date.now() > end) throw new Error(`never seen: ${what}\n${this.screen}`);
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  }

  /** The program itself: the child of the shell. */
  get program(): number {
    const [child] = processesOf('-P', this.#pty.pid);
    if (child === undefined) throw new Error('the program has ended');
    return child;
  }

  /** Ends everything that runs in this terminal and waits until it is gone. */
  async close(): Promise<void> {
    const inside = () => processesOf('-s', this.#pty.pid);
    for (let left = inside(); left.length > 0; left = inside()) {
      for (const pid of left) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // Gone already.
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    this.#terminal.dispose();
  }
}

/** Processes by parent (`-P`) or session (`-s`), without those that ended and wait to be collected. */
function processesOf(by: '-P' | '-s', pid: number): number[] {
  try {
    return execFileSync('pgrep', ['-r', 'R,S,D,T', by, String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

/** The terminal as it is before and must be after. */
export const UNTOUCHED = { alternate: false, mouse: 'none', paste: false, focus: false, wrap: true, cursor: true };
