import { spawn, spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleProgram } from './bundle.ts';

let program: ReturnType<typeof bundleProgram>;

beforeAll(() => {
  program = bundleProgram(`
    import { readStdin } from './stdin.ts';
    const notices = [];
    const hasArgument = process.argv[2] === 'argument';
    const text = await readStdin({ hasArgument, notice: (line) => notices.push(line) }).catch((error) => ({ refused: error.message }));
    console.log(JSON.stringify({ text, notices }));
    process.exit(0);
  `);
});
afterAll(() => program.remove());

const argv = (hasArgument: boolean) => [program.file, ...(hasArgument ? ['argument'] : [])];

/** Runs the program with a pipe that `feed` writes to. */
async function piped(hasArgument: boolean, feed: (input: NodeJS.WritableStream) => void) {
  const child = spawn(process.execPath, argv(hasArgument), { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => {});
  feed(child.stdin);
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  await new Promise((resolve) => child.on('close', resolve));
  return JSON.parse(out);
}

test.each([true, false])('a pipe is read to its end (with an argument: %s)', async (hasArgument) => {
  const answer = await piped(hasArgument, (input) => {
    input.write('grü');
    setTimeout(() => input.end('ße\n'), 50);
  });
  expect(answer).toEqual({ text: 'grüße\n', notices: [] });
});

test('characters that are cut between two reads are whole', async () => {
  const bytes = Buffer.from('a€b');
  const answer = await piped(true, (input) => {
    input.write(bytes.subarray(0, 2));
    setTimeout(() => input.end(bytes.subarray(2)), 50);
  });
  expect(answer.text).toBe('a€b');
});

test('with an argument, a silent pipe is left alone, with a notice', async () => {
  let input: NodeJS.WritableStream | undefined;
  const answer = await piped(true, (stream) => {
    input = stream;
  });
  input?.end();
  expect(answer).toEqual({ text: '', notices: [expect.stringContaining('standard input')] });
});

test('without an argument a silent pipe is waited for', async () => {
  const answer = await piped(false, (input) => {
    setTimeout(() => input.end('late\n'), 1300);
  });
  expect(answer).toEqual({ text: 'late\n', notices: [expect.stringContaining('waiting')] });
});

test('an empty pipe is nothing', async () => {
  expect(await piped(true, (input) => input.end())).toEqual({ text: '', notices: [] });
});

test.each([
  ['a file', () => program.file, (text: string) => expect(text).toContain('readStdin')],
  ['/dev/null', () => '/dev/null', (text: string) => expect(text).toBe('')],
])('%s is read', (_, path, check) => {
  const { stdout } = spawnSync(process.execPath, argv(true), {
    stdio: [openSync(path(), 'r'), 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  check(JSON.parse(stdout).text);
});

test.each(['/dev/zero', '/'])('%s is refused, not read for ever', (path) => {
  const { stdout } = spawnSync(process.execPath, argv(true), {
    stdio: [openSync(path, 'r'), 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  expect(JSON.parse(stdout).text.refused).toContain('standard input');
});
