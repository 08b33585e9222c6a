/** The program in a pseudoterminal, read by a terminal emulator; CPU and memory come from the kernel (Linux). */
import { readdirSync, readFileSync } from 'node:fs';
import xterm from '@xterm/headless';
import nodePty from 'node-pty';

const PATIENCE_MS = 60_000;

/** Starts `argv` in a terminal of this size. */
export function openEye(argv, { env, cwd, columns = 120, rows = 40 }) {
  const pty = nodePty.spawn(argv[0], argv.slice(1), { name: env.TERM, cols: columns, rows, cwd, env });
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  const watchers = new Set();
  pty.onData((data) => {
    const at = performance.now();
    terminal.write(data, () => {
      for (const watcher of watchers) watcher(at);
    });
  });
  const rowText = (row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? '';
  const screen = () => Array.from({ length: rows }, (_, row) => rowText(row)).join('\n');
  return {
    pid: pty.pid,
    screen,
    press: (keys) => pty.write(keys),
    /** When the picture that `holds` arrived, in ms of performance.now(). */
    until(holds, what = String(holds)) {
      const test = typeof holds === 'function' ? () => holds(screen()) : () => holds.test(screen());
      return new Promise((resolve, reject) => {
        const finish = () => {
          clearTimeout(timer);
          watchers.delete(watcher);
        };
        const timer = setTimeout(() => {
          finish();
          reject(new Error(`never seen: ${what}\n${screen()}`));
        }, PATIENCE_MS);
        const watcher = (at) => {
          if (!test()) return;
          finish();
          resolve(at);
        };
        watchers.add(watcher);
        if (test()) watcher(performance.now());
      });
    },
    /** Seconds of CPU that the process has used, of all its threads that live. */
    cpu() {
      let total = 0;
      for (const thread of readdirSync(`/proc/${pty.pid}/task`))
        total += Number(readFileSync(`/proc/${pty.pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
      return total / 1e9;
    },
    /** MiB at the process's peak. */
    peak: () => Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pty.pid}/status`, 'utf8'))[1]) / 1024,
    close() {
      return new Promise((resolve) => {
        pty.onExit(() => resolve());
        pty.kill('SIGTERM');
      });
    },
  };
}
