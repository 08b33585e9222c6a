/** The terminal is taken over and given back; a terminal that takes nothing blocks nobody. */
import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Display, type KeySource, Terminal } from '../../../app/tui/terminal.ts';

class Keys extends EventEmitter implements KeySource {
  raw = false;
  reading = false;
  setRawMode(raw: boolean): void {
    this.raw = raw;
  }
  resume(): void {
    this.reading = true;
  }
  pause(): void {
    this.reading = false;
  }
}

let folder: string;
const open: number[] = [];
const listeners = () =>
  ['uncaughtException', 'exit', 'SIGTSTP', 'SIGCONT', 'SIGWINCH'].map((event) => process.listeners(event as 'exit'));
let before: ReturnType<typeof listeners>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ada-terminal-'));
  before = listeners();
});
afterEach(() => {
  for (const [index, event] of ['uncaughtException', 'exit', 'SIGTSTP', 'SIGCONT', 'SIGWINCH'].entries())
    for (const listener of process.listeners(event as 'exit'))
      if (!before[index]!.includes(listener)) process.off(event, listener);
  for (const fd of open.splice(0)) closeSync(fd);
  rmSync(folder, { recursive: true, force: true });
});

function make(fd: number) {
  const keys = new Keys();
  const display = Object.assign(new EventEmitter(), { fd, columns: 90, rows: 20 }) as unknown as Display & EventEmitter;
  const seen: string[] = [];
  const terminal = new Terminal(keys, display, {
    input: (bytes) => seen.push(`input ${bytes}`),
    resize: ({ columns, rows }) => seen.push(`resize ${columns}x${rows}`),
    resumed: () => seen.push('resumed'),
    drained: () => seen.push('drained'),
    lost: () => seen.push('lost'),
  });
  return { terminal, keys, display, seen };
}

function onFile() {
  const file = join(folder, 'out');
  const fd = openSync(file, 'w');
  open.push(fd);
  return { ...make(fd), written: () => readFileSync(file, 'latin1') };
}

/** Modes that are on after some output. */
function modesAfter(output: string): string[] {
  const on = new Set<string>();
  for (const [, mode, sign] of output.matchAll(/\x1b\[\?(\d+)([hl])/g)) {
    if (sign === 'h') on.add(mode!);
    else on.delete(mode!);
  }
  return [...on].sort();
}

it('turns on what it turns off again, and is raw in between', () => {
  const { terminal, keys, written } = onFile();
  terminal.enter();
  expect(keys).toMatchObject({ raw: true, reading: true });
  expect(modesAfter(written())).toEqual(['1000', '1004', '1006', '1049', '2004']);
  expect(written()).toContain('\x1b[>1u');
  terminal.leave();
  expect(keys).toMatchObject({ raw: false, reading: false });
  // The cursor and autowrap are on, as in every shell.
  expect(modesAfter(written())).toEqual(['25', '7']);
  expect(written().indexOf('\x1b[<u')).toBeLessThan(written().indexOf('\x1b[?1049l'));
});

it('gives the terminal back once, however often it is told to', () => {
  const { terminal, written } = onFile();
  terminal.leave();
  expect(written()).toBe('');
  terminal.enter();
  terminal.enter();
  terminal.leave();
  const length = written().length;
  terminal.leave();
  process.listeners('exit').at(-1)!(0);
  expect(written()).toHaveLength(length);
});

it('gives the terminal back before a crash is reported', () => {
  const { terminal, written } = onFile();
  terminal.enter();
  const [first] = process.listeners('uncaughtException');
  first!(new Error('x'), 'uncaughtException');
  expect(written()).toMatch(/\x1b\[\?1049l$/);
});

it('passes keys and sizes on while it is taken over, and nothing after', () => {
  const { terminal, keys, display, seen } = onFile();
  terminal.enter();
  keys.emit('data', Buffer.from('a'));
  Object.assign(display, { columns: 40, rows: 10 });
  display.emit('resize');
  expect(terminal.size).toEqual({ columns: 40, rows: 10 });
  terminal.leave();
  keys.emit('data', Buffer.from('b'));
  display.emit('resize');
  keys.emit('end');
  expect(seen).toEqual(['input a', 'resize 40x10', 'lost']);
});

it('takes the terminal over again when it is continued without a warning', () => {
  const { terminal, keys, display, seen, written } = onFile();
  terminal.enter();
  const modes: boolean[] = [];
  keys.setRawMode = (raw) => modes.push(raw);
  Object.assign(display, {
    _refreshSize() {
      Object.assign(display, { columns: 40, rows: 10 });
      display.emit('resize');
    },
  });
  const length = written().length;
  const resume = process.listeners('SIGCONT').at(-1)!;
  resume('SIGCONT');
  // Off first: the shell changed the mode, and Node.js does not know.
  expect(modes).toEqual([false, true]);
  expect(modesAfter(written().slice(length))).toEqual(['1000', '1004', '1006', '1049', '2004']);
  expect(seen).toEqual(['resize 40x10', 'resumed']);
  terminal.leave();
  resume('SIGCONT');
  expect(seen).toHaveLength(2);
});

it.runIf(process.platform === 'linux')(
  'waits for a terminal that takes no more, and writes nothing twice',
  async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    open.push(fd);
    const { terminal, seen } = make(fd);
    const text = 'x'.repeat(300_000);
    terminal.write(text);
    expect(terminal.busy).toBe(true);
    const buffer = Buffer.alloc(1 << 20);
    let read = 0;
    while (read < text.length) {
      try {
        read += readSync(fd, buffer);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    while (terminal.busy) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(read).toBe(text.length);
    expect(seen).toContain('drained');
  },
);

it('has everything painted after a change of size, also one that was taken back, and once more when it has settled', async () => {
  const { terminal, seen } = onFile();
  terminal.enter();
  const change = process.listeners('SIGWINCH').at(-1)!;
  change('SIGWINCH');
  expect(seen).toEqual(['resize 90x20']);
  while (seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(seen).toEqual(['resize 90x20', 'resize 90x20']);
  terminal.leave();
  change('SIGWINCH');
  expect(seen).toHaveLength(2);
});
