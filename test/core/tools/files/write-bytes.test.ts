import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeBytes } from '../../../../core/tools/files/write-bytes.ts';
import { bundleProgram } from '../../../app/bundle.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ada-write-'));
});
afterEach(() => {
  spawnSync('chmod', ['-R', 'u+rwx', folder]);
  rmSync(folder, { recursive: true, force: true });
});
const at = (name: string) => join(folder, name);
const write = (name: string, content: string) => writeBytes(at(name), [Buffer.from(content)]);
const isRoot = process.getuid?.() === 0;
const leftovers = () => readdirSync(folder).filter((name) => name.endsWith('.tmp'));

it('keeps the mode, also special bits, and the owner', async () => {
  writeFileSync(at('f'), 'old');
  chmodSync(at('f'), 0o4750);
  if (isRoot) chownSync(at('f'), 12345, 23456);
  chmodSync(at('f'), 0o4750);
  await write('f', 'new');
  const info = statSync(at('f'));
  expect(info.mode & 0o7777).toBe(0o4750);
  if (isRoot) expect([info.uid, info.gid]).toEqual([12345, 23456]);
});

it('follows links to the last, and keeps every name of a hard link', async () => {
  mkdirSync(at('d'));
  symlinkSync('d/second', at('first'));
  symlinkSync('target', at('d/second'));
  await write('first', 'made through links');
  expect(readFileSync(at('d/target'), 'utf8')).toBe('made through links');
  linkSync(at('d/target'), at('other'));
  expect(await write('other', 'both')).toEqual({ created: false, inPlace: true });
  expect(readFileSync(at('first'), 'utf8')).toBe('both');
  symlinkSync('loop', at('loop'));
  await expect(write('loop', 'x')).rejects.toThrow('loop of symbolic links');
});

const attributes = (name: string, set?: string) =>
  spawnSync(
    'python3',
    [
      '-c',
      'import os,sys\nf=sys.argv[1]\nif len(sys.argv)>2: os.setxattr(f,"user.note",sys.argv[2].encode())\nprint(os.getxattr(f,"user.note").decode())',
      at(name),
      ...(set === undefined ? [] : [set]),
    ],
    { encoding: 'utf8' },
  ).stdout.trim();

it('keeps extended attributes where the system can copy them', async ({ skip }) => {
  writeFileSync(at('f'), 'old');
  if (process.platform !== 'linux' || attributes('f', 'kept') !== 'kept') skip();
  await write('f', 'new');
  expect([attributes('f'), readFileSync(at('f'), 'utf8')]).toEqual(['kept', 'new']);
});

it('writes in place where the folder may not be changed, and says when nothing may', () => {
  const { file, remove } = bundleProgram(`
    import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
    import { writeBytes } from '../core/tools/files/write-bytes.ts';
    process.chdir(process.argv[2]);
    const write = (name, content) => writeBytes(name, [Buffer.from(content)]).catch((error) => error.message);
    mkdirSync('d');
    writeFileSync('d/f', 'old and longer');
    chmodSync('d', 0o555);
    const rows = [await write('d/f', 'new'), readFileSync('d/f', 'utf8'), await write('d/g', 'x')];
    chmodSync('d/f', 0o444);
    rows.push(await write('d/f', 'x'), readFileSync('d/f', 'utf8'));
    console.log(JSON.stringify(rows));
  `);
  // Nothing is forbidden to root.
  const nobody = isRoot ? { uid: 65534, gid: 65534 } : {};
  if (isRoot) {
    chownSync(folder, nobody.uid!, nobody.gid!);
    chmodSync(dirname(file), 0o755);
  }
  const output = execFileSync(process.execPath, [file, folder], { encoding: 'utf8', ...nobody });
  remove();
  const denied = expect.stringContaining('permission denied');
  expect(JSON.parse(output)).toEqual([{ created: false, inPlace: true }, 'new', denied, denied, 'new']);
});

describe('a disk that is full leaves the old file', () => {
  const program = () =>
    bundleProgram(`
      import { linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
      import { writeBytes } from '../core/tools/files/write-bytes.ts';
      const [, , folder, link, size] = process.argv;
      process.chdir(folder);
      writeFileSync('f', 'old\\n'.repeat(1000));
      if (link === 'link') linkSync('f', 'g');
      const failed = await writeBytes('f', [Buffer.alloc(Number(size), 'n')]).then(() => 'written', (error) => error.message);
      const same = readFileSync('f', 'utf8') === 'old\\n'.repeat(1000);
      console.log(JSON.stringify({ failed, same, names: readdirSync('.').length }));
    `);
  const check = (output: string, link: string, why: string) =>
    expect(JSON.parse(output)).toEqual({
      failed: expect.stringContaining(why),
      same: true,
      names: link === 'link' ? 2 : 1,
    });

  it.each(['plain', 'link'])('by a limit on the size of files (%s)', (link) => {
    const { file, remove } = program();
    const shell = 'ulimit -f 16 && exec "$@"';
    const args = ['-c', shell, 'x', process.execPath, file, folder, link, '40000'];
    check(execFileSync('bash', args, { encoding: 'utf8' }), link, 'larger than is allowed');
    remove();
  });

  it.each(['plain', 'link'])('by the end of the disk (%s)', (link) => {
    // A small disk of its own, in a name space that ends with the program.
    const { file, remove } = program();
    const shell = 'mount -t tmpfs -o size=64k none "$0" && exec "$@"';
    const small = ['-rm', 'bash', '-c', shell, folder, process.execPath, file, folder, link, '300000'];
    const run = spawnSync('unshare', small, { encoding: 'utf8' });
    remove();
    if (run.status !== 0) return expect(run.stderr).toMatch(/unshare|mount|^$/);
    check(run.stdout, link, 'the disk is full');
  });
});

it('leaves no temporary file behind', async () => {
  await write('f', 'a');
  await write('f', 'b');
  expect(leftovers()).toEqual([]);
});
