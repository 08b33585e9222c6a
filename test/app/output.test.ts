import { expect, test } from 'vitest';
import { openOutput } from '../../app/output.ts';

/** A descriptor that takes `sizes[i]` bytes at call i, or fails with the code that stands there; then everything. */
function descriptor(script: readonly (number | string)[]) {
  const taken: Buffer[] = [];
  let call = 0;
  const write = ((_fd: number, bytes: Buffer) => {
    const step = script[call++] ?? bytes.length;
    if (typeof step === 'string') throw Object.assign(new Error(step), { code: step });
    const count = Math.min(step, bytes.length);
    taken.push(Buffer.from(bytes.subarray(0, count)));
    return count;
  }) as Parameters<typeof openOutput>[2];
  return { write, text: () => Buffer.concat(taken).toString(), calls: () => call };
}

test('what is written in one turn of the event loop leaves in one call', async () => {
  const fd = descriptor([]);
  const output = openOutput(1, undefined, fd.write);
  for (let i = 0; i < 100; i++) output.write(`${i}\n`);
  expect(fd.calls()).toBe(0);
  await new Promise((resolve) => setImmediate(resolve));
  await output.flush();
  expect(fd.calls()).toBe(1);
  expect(fd.text().split('\n')).toHaveLength(101);
});

test('it leaves without being asked', async () => {
  const fd = descriptor([]);
  openOutput(1, undefined, fd.write).write('x\n');
  await new Promise((resolve) => setTimeout(resolve, 0));
  await new Promise((resolve) => setImmediate(resolve));
  expect(fd.text()).toBe('x\n');
});

test('short writes and a full pipe lose nothing, inside a character neither', async () => {
  const fd = descriptor([1, 'EAGAIN', 2, 'EAGAIN', 'EAGAIN', 1]);
  const output = openOutput(1, undefined, fd.write);
  output.write('äöü€');
  output.write('\n');
  await output.flush();
  output.write('more\n');
  await output.flush();
  expect(fd.text()).toBe('äöü€\nmore\n');
});

test('much text goes out before the turn of the event loop ends', () => {
  const fd = descriptor([]);
  const output = openOutput(1, undefined, fd.write);
  for (let i = 0; i < 40; i++) output.write('x'.repeat(4096));
  expect(fd.calls()).toBeGreaterThan(0);
});

test('a reader that has gone is reported once, and nothing fails', async () => {
  const fd = descriptor(['EPIPE']);
  let gone = 0;
  const output = openOutput(1, () => gone++, fd.write);
  output.write('a');
  await output.flush();
  output.write('b');
  await output.flush();
  expect(output.closed).toBe(true);
  expect(gone).toBe(1);
  expect(fd.calls()).toBe(1);
});

test('another error is not swallowed', async () => {
  const output = openOutput(1, undefined, descriptor(['ENOSPC']).write);
  output.write('a');
  await expect(output.flush()).rejects.toThrow('ENOSPC');
});
