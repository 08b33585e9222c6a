import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { coreTools, endJobs, listJobs } from '../../../core/tools/index.ts';
import { shellState } from '../../../core/tools/shell/shell-state.ts';
import { testContext } from './tool-context.ts';

/** A duration that no other process sleeps for, to find our own by. */
const sleepMark = () => `6${Math.floor(Math.random() * 1e6)}.${Math.floor(Math.random() * 1e6)}1`;

const sleepers = (mark: string): number => {
  const rows = execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' }).split('\n');
  return rows.filter((row) => row.includes(`sleep ${mark}`) && !row.startsWith('Z')).length;
};

describe('output', () => {
  it('gives the output, and the exit code when it is not 0', async () => {
    const context = testContext();
    expect((await context.call('bash', { command: 'echo one; echo two >&2' })).output).toBe('one\ntwo');
    expect((await context.call('bash', { command: 'true' })).output).toBe('(no output)');
    const failed = await context.call('bash', { command: 'echo bad; exit 3' });
    expect(failed).toMatchObject({
      output: 'bad\n(exit code 3)',
      isError: true,
      display: { kind: 'terminal', command: 'echo bad; exit 3', output: 'bad', exitCode: 3 },
    });
    expect((await context.call('bash', { command: 'kill -9 $$' })).output).toContain(
      '(exit code 137: ended by SIGKILL)',
    );
    expect((await context.call('bash', { command: 'if' })).output).toContain('syntax error');
  });

  it('takes a carriage return in front of the end of a line for a part of that end', async () => {
    const context = testContext();
    const command = 'for i in 1 2; do\r\n  echo "line $i"\r\ndone\r\ncat <<END\r\nlast\r\nEND\r\n';
    expect((await context.call('bash', { command })).output).toBe('line 1\nline 2\nlast');
  });

  it('loses nothing of the tail of short runs', async () => {
    const context = testContext();
    for (let i = 0; i < 60; i++) {
      expect((await context.call('bash', { command: `printf "%s" tail${i}-$((40+2))` })).output).toBe(`tail${i}-42`);
    }
  });

  it('runs on a terminal that is 200 wide, without colours, pagers or prompts', async () => {
    const context = testContext();
    const command =
      'test -t 1 && echo tty; tput cols 2>/dev/null || stty size <&1; echo $NO_COLOR $PAGER $GIT_TERMINAL_PROMPT; echo $-';
    const { output } = await context.call('bash', { command });
    expect(output).toContain('tty');
    expect(output).toContain('200');
    expect(output).toContain('1 cat 0');
    expect(output).not.toMatch(/^[a-z]*l/m);
  });

  it('shows a progress bar as its last frame, and no control sequences', async () => {
    const context = testContext();
    const bar = 'for i in $(seq 1 300); do printf "\\r\\033[2K\\033[32mstep %d\\033[0m" $i; done; echo; echo FINAL';
    expect((await context.call('bash', { command: bar })).output).toBe('step 300\nFINAL');
    const lines = await context.call('bash', {
      command: 'printf "a\\nb\\n\\033[2A\\033[2KA\\n\\033[2KB\\n"; printf "\\033]0;title\\007x\\bz"',
    });
    expect(lines.output).toBe('A\nB\nz');
  });

  it('keeps head and tail of a flood, with exact counts, and the whole in a file', async () => {
    const context = testContext();
    const { output } = await context.call('bash', { command: 'seq 1 200000; echo THE-END; exit 3' });
    expect(output.length).toBeLessThan(40_000);
    expect(output.startsWith('1\n2\n3\n')).toBe(true);
    expect(output).toContain('THE-END\n(exit code 3)');
    const [, bytes, lines, file] = /\[… (\d+) bytes in (\d+) lines are not shown here; all of it is in (\S+) …\]/.exec(
      output,
    )!;
    const whole = readFileSync(file!, 'utf8');
    expect(whole.split('\n').length).toBe(200_002);
    const [head, tail] = output.split(/\[… .* …\]\n/) as [string, string];
    const shown = Buffer.byteLength(head) + Buffer.byteLength(tail.replace('(exit code 3)', ''));
    expect(shown + Number(bytes)).toBe(Buffer.byteLength(whole));
    const shownLines = head.split('\n').length - 1 + (tail.split('\n').length - 1);
    expect(shownLines + Number(lines)).toBe(200_001);
  });

  it('survives one endless line and binary output', async () => {
    const context = testContext();
    const flood = await context.call('bash', {
      command: 'head -c 8000000 /dev/zero | tr "\\0" "x"; echo; echo THE-END',
    });
    expect(flood.output).toContain('THE-END');
    expect(flood.output.length).toBeLessThan(40_000);
    // The same bytes each time, and none that begin a terminal sequence: those may rightly draw over what was there.
    const binary = await context.call('bash', {
      command: 'echo before; seq 100000 | gzip -n | tr -d "\\033\\302"; echo; echo after',
    });
    expect(binary.output).toContain('before');
    expect(binary.output).toMatch(/\[binary output not shown: \d+ bytes\]/);
    expect(binary.output).toContain('after');
    expect(binary.output.length).toBeLessThan(40_000);
  });

  it('shows output while it runs', async () => {
    const context = testContext();
    await context.call('bash', { command: 'echo first; sleep 0.3; echo second; sleep 0.3' });
    expect(context.shown.join('')).toContain('first');
    expect(context.shown.join('')).toContain('second');
  });
});

describe('input', () => {
  it('is empty at once, and there is no terminal to ask', async () => {
    const context = testContext();
    expect((await context.call('bash', { command: 'cat; read x; echo "got:$x"' })).output).toBe('got:');
    expect((await context.call('bash', { command: 'read x </dev/tty; echo got $x' })).output).toMatch(
      /No such device|cannot|Device not configured/i,
    );
  });
});

describe('working directory', () => {
  it('is kept between calls and shown when it changes', async () => {
    const context = testContext();
    mkdirSync(join(context.project, 'sub dir/deep'), { recursive: true });
    expect((await context.call('bash', { command: 'cd "sub dir" && echo hi' })).output).toBe(
      'hi\n(working directory: sub dir)',
    );
    expect((await context.call('bash', { command: 'pwd' })).output).toBe(join(context.project, 'sub dir'));
    const left = await context.call('bash', { command: 'cd deep; exit 4' });
    expect(left.output).toBe('(exit code 4)\n(working directory: sub dir/deep)');
    expect((await context.call('bash', { command: '(cd /); pwd' })).output).toBe(join(context.project, 'sub dir/deep'));
    expect((await context.call('bash', { command: 'exec 3>&1; cd ..; echo x >&3' })).output).toContain(
      'x\n(working directory: sub dir)',
    );
  });

  it('leaves an EXIT trap of the command alone', async () => {
    const context = testContext();
    expect((await context.call('bash', { command: "trap 'echo bye' EXIT; cd /; echo hi; exit 2" })).output).toBe(
      'hi\nbye\n(exit code 2)',
    );
  });

  it('is for one call only when given, and answers when it is missing', async () => {
    const context = testContext();
    mkdirSync(join(context.project, 'one'));
    expect((await context.call('bash', { command: 'pwd; cd /', cwd: 'one' })).output).toBe(
      join(context.project, 'one'),
    );
    expect(context.cwd).toBe(context.project);
    expect(await context.call('bash', { command: 'pwd', cwd: 'two' })).toMatchObject({ isError: true });
    context.cwd = join(context.project, 'one');
    rmSync(context.cwd, { recursive: true });
    // Nothing is run in another folder than the one that it was meant for.
    const { output, isError } = await context.call('bash', { command: 'touch made' });
    expect({ output, isError }).toEqual({
      output: expect.stringContaining('has vanished. Nothing was run'),
      isError: true,
    });
    expect(context.cwd).toBe(context.project);
    expect((await context.call('bash', { command: 'ls' })).output).not.toContain('made');
    context.cwd = join(context.project, 'file');
    writeFileSync(context.cwd, '');
    expect((await context.call('bash', { command: 'touch made' })).output).toMatch(
      /file is no longer a directory\. Nothing/,
    );
    expect(await context.call('bash', { command: 'pwd', cwd: 'file' })).toMatchObject({
      output: 'The directory file is not a directory.',
    });
    const away = await context.call('bash', { command: 'mkdir gone && cd gone && rmdir ../gone' });
    expect(away.output).toBe('(gone has vanished; the working directory stays .)');
    expect(context.cwd).toBe(context.project);
  });
});

describe('always comes back', () => {
  it('when a child stays in the background, which then ends with the session', async () => {
    const context = testContext();
    const mark = sleepMark();
    const { output, isError } = await context.call('bash', {
      command: `sleep ${mark} & setsid sleep ${mark} & echo ok`,
    });
    expect(isError).toBeUndefined();
    expect(output).toMatch(/^ok\n\(still running as job 1: \d+ .*sleep .*; \d+ .*sleep /);
    expect(sleepers(mark)).toBe(2);
    expect((await listJobs(context.memory))[0]!.processes.length).toBe(2);
    expect((await context.call('bash', { command: 'echo next' })).output).toBe('next');
    await endJobs(context.memory);
    expect(sleepers(mark)).toBe(0);
  });

  it('after the timeout, with everything that was started gone', async () => {
    const context = testContext();
    const mark = sleepMark();
    const command = `trap '' TERM; setsid sleep ${mark} & (trap '' TERM; exec sleep ${mark}) & echo begun; sleep ${mark}`;
    const { output, isError } = await context.call('bash', { command, timeout: 0.5 });
    expect(output).toMatch(/^begun\n\(timed out after [\d.]+ s; /);
    expect(isError).toBe(true);
    expect(sleepers(mark)).toBe(0);
  });

  it.each([
    ['abort', 'interrupted by the user'],
    ['timeout', 'stopped by the time limit of the turn'],
    ['close', 'interrupted because ada was closed'],
  ])('when it is cut off (%s), and the model is told the true reason', async (reason, words) => {
    const context = testContext();
    const mark = sleepMark();
    const running = context.call('bash', { command: `echo begun; setsid sleep ${mark} & sleep ${mark}` });
    setTimeout(() => context.abort.abort(reason), 200);
    const { output } = await running;
    expect(output).toMatch(new RegExp(`^begun\\n\\(${words} after `));
    expect(sleepers(mark)).toBe(0);
  });

  it('when a background process floods the terminal', async () => {
    const context = testContext();
    const { output } = await context.call('bash', { command: 'yes & echo ok' });
    expect(output).toContain('(still running as job 1: ');
    expect((await context.call('bash', { command: 'echo clean' })).output).toBe('clean');
    await endJobs(context.memory);
  });

  it('when there is no shell', async () => {
    const context = testContext(coreTools({ shell: '/no/such/shell' }));
    expect(await context.call('bash', { command: 'true' })).toMatchObject({ isError: true });
  });

  it('for commands that no argument can hold', async () => {
    const context = testContext();
    expect(await context.call('bash', { command: 'echo \0' })).toMatchObject({ isError: true });
    const long = `cat <<'END' | wc -c\n${'x'.repeat(200_000)}\nEND\ncd /`;
    expect((await context.call('bash', { command: long })).output.trim()).toMatch(
      /^200001\n\(working directory: \/\)$/,
    );
  });

  it('through pipes where there is no terminal', async () => {
    const context = testContext();
    shellState(context.memory).noPty = 'none here';
    expect((await context.call('bash', { command: 'test -t 1 || echo pipe; echo err >&2; exit 5' })).output).toBe(
      'pipe\nerr\n(exit code 5)',
    );
    const mark = sleepMark();
    expect((await context.call('bash', { command: `sleep ${mark} & echo ok` })).output).toContain(
      '(still running as job 1: ',
    );
    await endJobs(context.memory);
    expect(sleepers(mark)).toBe(0);
  });

  it('leaves no file or folder behind for short output', async () => {
    const context = testContext();
    await context.call('bash', { command: 'echo x' });
    expect(existsSync(context.stateDir)).toBe(false);
  });
});

describe('whatever a command does', () => {
  const call = async (command: string) => (await testContext().call('bash', { command, timeout: 8 })).output;

  it.each([
    // What ends the shell, in every way.
    ['exit 3', '(exit code 3)'],
    ['trap "exit 5" TERM; kill $$; sleep 3', '(exit code 5)'],
    ['trap "echo last" EXIT; false', 'last\n(exit code 1)'],
    ['kill $$', '(exit code 143: ended by SIGTERM)'],
    ['kill 0', '(exit code 143: ended by SIGTERM)'],
    ['exec printf replaced', 'replaced'],
    ['set -e; echo a; false; echo b', 'a\n(exit code 1)'],
    [
      'set -u; echo $undefined_variable; echo b',
      '/bin/bash: line 1: undefined_variable: unbound variable\n(exit code 127)',
    ],
    ['exit 137', '(exit code 137: ended by SIGKILL)'],
    ['exit 255', '(exit code 255)'],
    // What changes the shell itself, which is a new one for the next command.
    ['shopt -s expand_aliases\nalias hi="echo aliased"\nhi', 'aliased'],
    ['IFS=x; set -f; echo *', '*'],
    ['f() { local x=1; return 7; }; f', '(exit code 7)'],
    // Text that must arrive as it is.
    ["cat <<'END'\n$HOME `x` \\\\ '\"\nEND", '$HOME `x` \\\\ \'"'],
    ["printf '%s' 'ä€𝄞 \u0001 \u007f \\' | od -An -tx1", 'c3 a4 e2 82 ac f0 9d 84 9e 20 01 20 7f 20 5c'],
    ['echo "a  b"   # a comment', 'a  b'],
    ['printf "\\344\\366\\374 latin\\n"', '\ufffd\ufffd\ufffd latin'],
    ['echo $#,$0,$-', '0,/bin/bash,hBc'],
    ['type -t wait; env | grep -E "^(__ada|OLDPWD|cwd)"', 'builtin\n(exit code 1)'],
  ])('%j', async (command, output) => {
    expect((await call(command)).trim()).toBe(output);
  });

  it('stops itself, and is ended at the timeout', async () => {
    const { output } = await testContext().call('bash', { command: 'echo before; kill -STOP $$', timeout: 0.5 });
    expect(output).toMatch(/^before\n\(timed out after /);
  });

  it('ends its parent', async () => {
    const context = testContext();
    const { output } = await context.call('bash', { command: 'echo before; kill -9 $PPID; sleep 0.05' });
    expect(output).toMatch(/^before\n\(how it ended is not known/);
    expect((await context.call('bash', { command: 'echo after' })).output).toBe('after');
  });

  it('changes the terminal, which the next command does not find changed', async () => {
    const context = testContext();
    await context.call('bash', { command: 'stty raw olcuc cols 20 <&1; reset; tput clear; tput cols' });
    expect((await context.call('bash', { command: 'echo small; stty size <&1' })).output).toBe('small\n50 200');
  });

  it('starts where nobody may go', async () => {
    const context = testContext();
    mkdirSync(join(context.project, 'closed'), { mode: 0o000 });
    const { output, isError } = await context.call('bash', { command: 'pwd', cwd: 'closed' });
    // The superuser may go anywhere.
    if (process.getuid?.() === 0) expect(output).toBe(join(context.project, 'closed'));
    else expect([output, isError]).toEqual([expect.stringMatching(/denied|EACCES/), true]);
  });

  it('is judged by its terminal: width, no colours', async () => {
    const python = 'import os, sys; print(sys.stdout.isatty(), sys.stdin.isatty(), os.get_terminal_size(1).columns)';
    expect(await call(`python3 -c '${python}' 2>/dev/null || echo True False 200`)).toBe('True False 200');
  });

  it('needs an environment with a start file or options, and finds it', async () => {
    const context = testContext();
    const startFile = join(context.project, 'start.sh');
    writeFileSync(startFile, 'from_start=yes\n');
    const env = {
      ...process.env,
      BASH_ENV: startFile,
      cwd: 'kept',
      command: 'kept too',
      'BASH_FUNC_hi%%': '() { echo hello; }',
    };
    const other = testContext(coreTools({ env }));
    expect((await other.call('bash', { command: 'echo $from_start; hi; echo $cwd $command' })).output).toBe(
      'yes\nhello\nkept kept too',
    );
    const { BASH_ENV: _, 'BASH_FUNC_hi%%': __, ...plain } = env;
    const third = testContext(coreTools({ env: plain }));
    expect((await third.call('bash', { command: 'echo $cwd $command' })).output).toBe('kept kept too');
  });

  it.runIf(process.platform === 'linux')('starts programs, which see no descriptors of ada', async () => {
    const context = testContext();
    await context.call('bash', { command: 'sleep 5 & echo' });
    const { output } = await context.call('bash', { command: 'ls -l /proc/self/fd' });
    expect(output).toContain('/dev/null');
    expect(output).not.toMatch(/ptmx|socket:/);
  });
});

describe('output that is much', () => {
  it('of redrawn frames shows the last and what came after', async () => {
    const context = testContext();
    const command = 'for i in $(seq 1 20000); do printf "\\033[2K\\rP %d" $i; done; echo; echo FINAL ERROR; exit 1';
    const { output } = await context.call('bash', { command });
    expect(output).toBe('P 20000\nFINAL ERROR\n(exit code 1)');
  });

  it('of an endless program is bounded, and its end is told', async () => {
    const context = testContext();
    const { output } = await context.call('bash', { command: 'yes', timeout: 0.5 });
    expect(output).toMatch(/\[… \d+ bytes in \d+ lines are not shown here; /);
    expect(output).toMatch(/\n\(timed out after [\d.]+ s; it was ended, with what was found of all that it started\)$/);
    expect(output.length).toBeLessThan(40_000);
  });
});
