/** Projects and homes that take no files: ada works all the same, and says where its sessions are. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ada, type Finished, makePlace, type Place } from './ada.ts';

const launcher = fileURLToPath(new URL('../../app/ada.cjs', import.meta.url));
/** Root may write everywhere: then somebody else runs ada. */
const user = process.getuid?.() === 0 ? 65534 : undefined;
const canRun =
  process.platform !== 'win32' &&
  (user === undefined || spawnSync(process.execPath, [launcher, '--version'], { uid: user, gid: user }).status === 0);
const canMount = user !== undefined && spawnSync('unshare', ['-m', 'true']).status === 0;

let place: Place;
let recording: string;
beforeEach(() => {
  place = makePlace();
  recording = join(place.home, 'recording.jsonl');
  writeFileSync(recording, ['one', 'two', 'three', 'four'].map((text) => `${JSON.stringify({ text })}\n`).join(''));
  chmodSync(dirname(place.home), 0o755);
  if (user !== undefined) execFileSync('chown', ['-R', `${user}:${user}`, dirname(place.home)]);
});
afterEach(() => {
  execFileSync('chmod', ['-R', 'u+rwX', dirname(place.home)]);
  place.dispose();
});

const run = (...args: string[]): Promise<Finished> => ada(args, { place, user });
const fresh = (text: string) => run('-p', '-m', `replay:${recording}`, text);
const mode = (mode: string, ...paths: string[]) => execFileSync('chmod', ['-R', mode, ...paths]);
const own = (name: string) => join(place.project, '.ada', name);
/** The sessions in the home. */
function elsewhere(): string[] {
  const dir = join(place.home, '.ada/sessions');
  const folders = existsSync(dir) ? readdirSync(dir) : [];
  return folders.flatMap((folder) => readdirSync(join(dir, folder)).filter((name) => name.endsWith('.jsonl')));
}

describe.skipIf(!canRun)('a session that was begun where its files cannot be written any more', () => {
  const COPY = /^ada: that session cannot be written where it lies \(\w+: .*\); going on in a copy, \S+.*\n$/;

  it.each([
    ['its log', () => mode('444', place.logs()[0]!), 0],
    ['the folder of state', () => chmodSync(own('state'), 0o555), 1],
    ['all of .ada', () => mode('a-w', own('')), 1],
  ])('goes on in a copy, with one notice, and is found the next time: %s', async (_what, close, copies) => {
    expect(await fresh('hi')).toMatchObject({ code: 0, stdout: 'one\n', stderr: '' });
    const [log] = place.logs();
    const before = readFileSync(log!, 'utf8');
    close();
    expect(await run('-p', '-c', 'on')).toMatchObject({
      code: 0,
      stdout: 'two\n',
      stderr: expect.stringMatching(COPY),
    });
    expect(elsewhere()).toHaveLength(copies);
    expect(readFileSync(log!, 'utf8')).toBe(before);
    const third = await run('-p', '-c', 'and on');
    expect(third).toMatchObject({ code: 0, stdout: 'three\n' });
    expect(third.stderr).not.toMatch(/copy/);
    expect(elsewhere()).toHaveLength(copies);
  });

  it('goes on in its place where only the folder takes no new file', async () => {
    await fresh('hi');
    chmodSync(own('sessions'), 0o555);
    expect(await run('-p', '-c', 'on')).toMatchObject({ code: 0, stdout: 'two\n', stderr: '' });
    const next = await fresh('new');
    expect(next).toMatchObject({
      code: 0,
      stdout: 'one\n',
      stderr: expect.stringMatching(/sessions cannot be written; its sessions are kept in/),
    });
    expect(elsewhere()).toHaveLength(1);
  });

  it('is deleted where its log can be, whatever takes no lock, and else refused in plain words', async () => {
    await fresh('hi');
    await fresh('hi again');
    const [a, b] = place.logs().map((file) => basename(file, '.jsonl'));
    chmodSync(own('state'), 0o555);
    expect(await run('sessions', 'delete', '--yes', a!)).toMatchObject({ code: 0 });
    chmodSync(own('sessions'), 0o555);
    const refused = await run('sessions', 'delete', '--yes', b!);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^ada: session \S+ cannot be deleted: EACCES/),
    });
    expect(place.logs()).toHaveLength(1);
  });

  it('goes on in memory where nothing can be written at all', async () => {
    await fresh('hi');
    mode('a-w', place.home, place.project);
    const { code, stdout, stderr } = await run('-p', '-c', 'on');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'two\n' });
    expect(stderr).toMatch(
      /^ada: that session cannot be written .*nor can a copy of it be saved: .*; it goes on in memory\n$/,
    );
    expect(await fresh('new')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^ada: this session cannot be saved: .*; it goes on in memory\n$/),
    });
    expect(await run('sessions', 'fork')).toMatchObject({ code: 2, stderr: expect.stringMatching(/no copy of/) });
  });
});

describe.skipIf(!canRun)('a file in the place of the sessions', () => {
  it('is named, and the sessions are kept elsewhere', async () => {
    execFileSync('mkdir', [own('')]);
    writeFileSync(own('sessions'), '');
    if (user !== undefined) execFileSync('chown', ['-R', `${user}:${user}`, own('')]);
    for (const [args, answer] of [
      [['-m', `replay:${recording}`, 'hi'], 'one\n'],
      [['-c', 'on'], 'two\n'],
    ] as const)
      expect(await run('-p', ...args)).toMatchObject({
        code: 0,
        stdout: answer,
        stderr: expect.stringMatching(/^ada: \S+sessions is no folder; its sessions are kept in \S+\n$/),
      });
    expect(await run('sessions')).toMatchObject({ code: 0, stderr: expect.stringMatching(/sessions is no folder\n$/) });
  });
});

describe.skipIf(!canRun || !canMount)('a project on a read-only file system', () => {
  it('has its sessions gone on with in the home', async () => {
    await fresh('hi');
    const inside =
      'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && cd "$1" && shift && for text in on more; do "$@" -p -c $text || exit 1; done';
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      ['-m', 'sh', '-c', inside, 'sh', place.project, process.execPath, launcher],
      { env: { PATH: process.env.PATH, HOME: place.home }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    );
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'two\nthree\n' });
    expect(stderr.match(/going on in a copy/g)).toHaveLength(1);
    expect(stderr).toMatch(/EROFS/);
    expect(elsewhere()).toHaveLength(1);
  });
});
