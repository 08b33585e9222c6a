import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlaces, placePath, realPath } from '../../../core/permission/paths.ts';
import { isGuardedName, isSecretName } from '../../../core/permission/sensitive-names.ts';

let base: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'ada-paths-')));
  for (const folder of ['real/project/src', 'real/project-two', 'outside/deep', 'home'])
    mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(base, 'real/project/a.txt'), '');
  symlinkSync(join(base, 'real'), join(base, 'link'));
  symlinkSync(join(base, 'outside/deep'), join(base, 'real/project/out'));
  symlinkSync('../../outside/none', join(base, 'real/project/dangling'));
  symlinkSync('loop', join(base, 'real/project/loop'));
  symlinkSync('src', join(base, 'real/project/same'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

test.each<[string, boolean]>([
  ['a.txt', true],
  ['./src/../a.txt', true],
  ['new/file/that/is/not.txt', true],
  ['same/x', true],
  ['.', true],
  ['..', false],
  ['../project-two/x', false],
  ['../project/a.txt', true],
  ['out/x', false],
  ['out/../x', false],
  ['out/../../real/project/a.txt', false],
  ['dangling', false],
  ['loop', false],
  ['a.txt\0', false],
  ['~/x', false],
  ['~someone', false],
  ['/etc/hosts', false],
])('%j is inside: %s', (path, inside) => {
  for (const project of [join(base, 'real/project'), join(base, 'link/project')]) {
    const places = createPlaces({ project, home: join(base, 'home') });
    expect(placePath(path, project, places).inside).toBe(inside);
  }
});

test('links are followed to their end', () => {
  expect(realPath(join(base, 'link/project/dangling'))).toBe(join(base, 'outside/none'));
  expect(realPath(`${base}/link/project/out/../x`)).toBe(join(base, 'outside/x'));
  expect(realPath(join(base, 'real/project/loop'))).toBeUndefined();
  expect(realPath('/')).toBe('/');
});

test('added directories are inside, and ada home is guarded', () => {
  const places = createPlaces({
    project: join(base, 'real/project'),
    directories: [join(base, 'outside')],
    home: join(base, 'home'),
    adaHome: join(base, 'outside/ada'),
  });
  expect(placePath('out/x', join(base, 'real/project'), places).inside).toBe(true);
  expect(placePath(join(base, 'outside/ada/settings.json'), '/', places).guarded).toBe(true);
});

test.each([
  '.env',
  '.env.production',
  'a/.ENV',
  '.envrc',
  'id_rsa',
  '.ssh/id_ed25519',
  'server.pem',
  'x.key',
  '.npmrc',
  '.netrc',
  '.aws/credentials',
  '.kube/config',
  '.git-credentials',
  'credentials.json',
  '/proc/self/environ',
  '/etc/shadow',
  '.env~',
  'sub/#.env#',
  'id_rsa~',
])('%s is a secret', (path) => expect(isSecretName(path)).toBe(true));

test.each([
  '.env.example',
  '.env.sample',
  'env.ts',
  'environment',
  'id_rsa.pub',
  'keyboard.ts',
  'monkey.js',
  'secrets.test.ts',
  'src/token.ts',
  '.ssh/known_hosts',
  '.env.example~',
  'notes~',
  '#1#',
])('%s is no secret', (path) => expect(isSecretName(path)).toBe(false));

test.each([
  '.git/config',
  '.git',
  'sub/.git/hooks/x',
  '.ada/settings.json',
  '.GIT/config',
  '.bashrc',
  '.zshenv',
  '.mcp.json',
  'id_rsa',
])('%s is guarded', (path) => expect(isGuardedName(path)).toBe(true));

test.each(['.gitignore', '.github/workflows/x.yml', 'src/git/config', 'bashrc.md', '.adahome'])(
  '%s is not guarded',
  (path) => expect(isGuardedName(path)).toBe(false),
);
