import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findProject, sessionsDir } from '../../core/project.ts';

let base: string;
let home: string;
let adaHome: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'ada-project-')));
  home = join(base, 'home');
  adaHome = join(home, '.ada');
  for (const folder of [
    'home/.git',
    'home/.ada',
    'home/plain/sub',
    'home/repo/.git',
    'home/repo/a/b',
    'home/repo/inner/.ada',
    'tree',
  ]) {
    mkdirSync(join(base, folder), { recursive: true });
  }
  writeFileSync(join(base, 'tree/.git'), 'gitdir: elsewhere\n');
  symlinkSync(join(home, 'repo'), join(base, 'link'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

test.each([
  ['home/repo/a/b', 'home/repo'],
  ['home/repo/inner', 'home/repo/inner'],
  ['home/plain/sub', 'home/plain/sub'],
  ['home', 'home'],
  ['tree', 'tree'],
  ['link/a', 'home/repo'],
])('the project of %s is %s', (cwd, project) => {
  expect(findProject(join(base, cwd), home)).toBe(join(base, project));
});

describe('where sessions go', () => {
  test('into the project, private and out of git', () => {
    const project = join(base, 'fresh');
    mkdirSync(project);
    execFileSync('git', ['init', '-q'], { cwd: project });
    const place = sessionsDir({ project, home, adaHome }).prepare();
    expect(place).toMatchObject({
      dir: join(project, '.ada/sessions'),
      stateDir: join(project, '.ada/state'),
      fallback: false,
    });
    expect(place.notice).toBeUndefined();
    for (const folder of ['.ada', '.ada/sessions', '.ada/state'])
      expect(statSync(join(project, folder)).mode & 0o777).toBe(0o700);
    writeFileSync(join(place.dir, 'x.jsonl'), '');
    writeFileSync(join(place.stateDir, 'x.lock'), '');
    expect(execFileSync('git', ['status', '--porcelain', '-uall'], { cwd: project, encoding: 'utf8' })).toBe('');
    writeFileSync(join(project, '.ada/settings.json'), '{}');
    expect(execFileSync('git', ['status', '--porcelain', '-uall'], { cwd: project, encoding: 'utf8' })).toBe(
      '?? .ada/settings.json\n',
    );
  });

  test('an existing .gitignore of the team stays', () => {
    const project = join(base, 'teams');
    mkdirSync(join(project, '.ada'), { recursive: true });
    writeFileSync(join(project, '.ada/.gitignore'), '/x\n');
    sessionsDir({ project, home, adaHome }).prepare();
    expect(readFileSync(join(project, '.ada/.gitignore'), 'utf8')).toBe('/x\n');
  });

  test('elsewhere for the home directory, and nothing is written before prepare', () => {
    const place = sessionsDir({ project: home, home, adaHome: join(base, 'ada-home') });
    expect(place.fallback).toBe(true);
    expect(place.notice).toContain(place.dir);
    expect(place.dir).toMatch(/ada-home\/sessions\/[0-9a-f]{16}$/);
    expect(() => statSync(join(base, 'ada-home'))).toThrow();
    place.prepare();
    expect(statSync(place.dir).mode & 0o777).toBe(0o700);
  });

  test('elsewhere when the project refuses', () => {
    const project = join(base, 'refuses');
    mkdirSync(project);
    // A plain file in the place of the folder refuses everybody, root too.
    writeFileSync(join(project, '.ada'), '');
    const place = sessionsDir({ project, home, adaHome }).prepare();
    expect(place).toMatchObject({ fallback: true, dir: expect.stringContaining(join(adaHome, 'sessions')) });
    expect(place.dirs).toContain(join(project, '.ada/sessions'));
  });

  test('elsewhere when a file is in the place of a folder, and that is said', () => {
    for (const name of ['sessions', 'state']) {
      const project = join(base, `taken-${name}`);
      mkdirSync(join(project, '.ada'), { recursive: true });
      writeFileSync(join(project, '.ada', name), '');
      const place = sessionsDir({ project, home, adaHome }).prepare();
      expect(place.notice).toBe(`${join(project, '.ada', name)} is no folder; its sessions are kept in ${place.dir}`);
    }
  });

  test('elsewhere when a link in the place of a folder leads nowhere, and that is said', () => {
    for (const name of ['.ada', '.ada/sessions', '.ada/state']) {
      const project = join(base, `lost-${name.replace('/', '-')}`);
      mkdirSync(join(project, name, '..'), { recursive: true });
      symlinkSync(join(base, 'gone', name), join(project, name));
      const place = sessionsDir({ project, home, adaHome }).prepare();
      expect(place.notice).toBe(
        `${join(project, name)} is a link that leads nowhere; its sessions are kept in ${place.dir}`,
      );
    }
    const project = join(base, 'lost-home');
    mkdirSync(project);
    writeFileSync(join(project, '.ada'), '');
    const lost = join(base, 'lost-ada-home');
    symlinkSync(join(base, 'gone'), lost);
    const place = sessionsDir({ project, home, adaHome: lost }).prepare();
    expect(place.inMemory).toContain(`and ${lost} is a link that leads nowhere`);
    rmSync(place.stateDir, { recursive: true });
  });

  test('into memory when nothing else can be had', () => {
    const project = join(base, 'nowhere');
    mkdirSync(project);
    writeFileSync(join(project, '.ada'), '');
    const taken = join(base, 'taken-home');
    writeFileSync(taken, '');
    const place = sessionsDir({ project, home, adaHome: taken }).prepare();
    expect(place.inMemory).toBe(`${join(project, '.ada')} is no folder, and ${taken} is no folder`);
    expect(place.notice).toBeUndefined();
    expect(place.instead('x')).toBeUndefined();
    expect(statSync(place.stateDir).isDirectory()).toBe(true);
    rmSync(place.stateDir, { recursive: true });
  });

  test('elsewhere when the checkout brings .ada as a link', () => {
    const project = join(base, 'linked');
    mkdirSync(project);
    symlinkSync(join(base, 'tree'), join(project, '.ada'));
    const place = sessionsDir({ project, home, adaHome });
    expect(place).toMatchObject({ fallback: true, notice: expect.stringContaining('leads out of the project') });
  });
});
