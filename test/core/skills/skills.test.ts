import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSkills } from '../../../core/skills/index.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'skills-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const skill = (name: string, description: string, body = `How to ${name}.`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;
const open = (trusted = true, off?: string[]) =>
  loadSkills({
    builtin: join(root, 'builtin'),
    adaHome: join(root, 'home'),
    project: join(root, 'project'),
    trusted,
    off,
  });

describe('loadSkills', () => {
  it('lists by category and name, and loads the body alone', () => {
    put('builtin/git/commit/SKILL.md', skill('commit', 'Commit things.'));
    put('builtin/debugging/debug/SKILL.md', skill('debug', 'Debug things.', '# Debug\n\nSteps.'));
    const source = open();
    expect(source.list().map(({ category, name }) => `${category}/${name}`)).toEqual(['debugging/debug', 'git/commit']);
    expect(source.list('GIT').map(({ name }) => name)).toEqual(['commit']);
    expect(source.list('none')).toEqual([]);
    expect(source.load('Debug')).toMatchObject({
      body: '# Debug\n\nSteps.',
      category: 'debugging',
      origin: 'builtin',
      folder: join(root, 'builtin/debugging/debug'),
    });
    expect(source.load('git/commit')?.name).toBe('commit');
    expect(source.load('nothing')).toBeUndefined();
    expect(source.find('make a commit')[0]).toMatchObject({ name: 'commit' });
    expect(source.problems(true)).toEqual([]);
  });

  it('lets the person override what is built in, and the project both', () => {
    put('builtin/git/commit/SKILL.md', skill('commit', 'built in'));
    put('home/skills/commit/SKILL.md', skill('commit', 'mine'));
    for (const folder of ['.agents', '.claude', '.ada'])
      put(`project/${folder}/skills/commit/SKILL.md`, skill('commit', folder));
    put('project/.claude/skills/deploy/SKILL.md', skill('deploy', 'Deploy.'));
    expect(
      open(true)
        .list()
        .map(({ name, description, origin }) => [name, description, origin]),
    ).toEqual([
      ['commit', '.ada', 'project'],
      ['deploy', 'Deploy.', 'project'],
    ]);
    expect(
      open(false)
        .list()
        .map(({ description, origin }) => [description, origin]),
    ).toEqual([['mine', 'user']]);
    expect(
      open(true, ['Commit'])
        .list()
        .map(({ name }) => name),
    ).toEqual(['deploy']);
  });

  it('never loses a skill in silence', () => {
    put('home/skills/colon/SKILL.md', skill('colon', 'Turn X into Y: no interview'));
    put('home/skills/nameless/SKILL.md', '---\ndescription: Has no name.\n---\nText\n');
    put('home/skills/bare/SKILL.md', '# Title\n\nFirst words of it.\n');
    put('home/skills/twin-a/SKILL.md', skill('twin', 'first'));
    put('home/skills/twin-b/SKILL.md', skill('twin', 'second'));
    mkdirSync(join(root, 'home/skills/folder/SKILL.md'), { recursive: true });
    const source = open();
    expect(source.list().map(({ name, description }) => [name, description])).toEqual([
      ['bare', 'First words of it.'],
      ['colon', 'Turn X into Y: no interview'],
      ['nameless', 'Has no name.'],
      ['twin', 'first'],
    ]);
    const problems = source
      .problems()
      .map(({ file, line, message }) => `${file.slice(root.length + 13)}:${line} ${message}`);
    expect(problems).toHaveLength(7);
    expect(problems.join('\n')).toMatch(/^bare\/SKILL.md:1 no front matter/m);
    expect(problems.join('\n')).toMatch(/^colon\/SKILL.md:3 a colon/m);
    expect(problems.join('\n')).toMatch(/^nameless\/SKILL.md:1 no name/m);
    expect(problems.join('\n')).toMatch(/^twin-b\/SKILL.md:null a skill named twin is already in/m);
    expect(problems.join('\n')).toMatch(/^folder\/SKILL.md:null cannot be read \(EISDIR\)/m);
  });

  it('reads long front matter, follows links, and leaves other files alone', () => {
    put('home/skills/long/SKILL.md', skill('long', `"${'é'.repeat(5000)}"`));
    put('elsewhere/linked/SKILL.md', skill('linked', 'By a link.'));
    symlinkSync(join(root, 'elsewhere/linked'), join(root, 'home/skills/linked'));
    symlinkSync(join(root, 'gone'), join(root, 'home/skills/dangling'));
    put('home/skills/README.md', '# About\n');
    put('home/skills/.git/SKILL.md', skill('hidden', 'no'));
    const source = open();
    expect(source.list().map(({ name, description }) => [name, description.length])).toEqual([
      ['linked', 10],
      ['long', 5000],
    ]);
    expect(source.problems()).toEqual([]);
  });

  it('gives one line without control characters', () => {
    put('home/skills/odd/SKILL.md', '---\nname: odd\ndescription: "a\\u001b[31mb\\nc"\n---\n');
    expect(open().list()[0]!.description).toBe('a [31mb c');
  });
});

describe('the skills that ship with ada', () => {
  const builtin = join(import.meta.dirname, '../../../skills');
  const source = loadSkills({
    builtin,
    adaHome: join(builtin, 'none'),
    project: join(builtin, 'none'),
    trusted: false,
  });

  it('are in order', () => {
    expect(source.problems(true)).toEqual([]);
    expect(source.list().length).toBeGreaterThanOrEqual(5);
    for (const info of source.list()) {
      expect(info.file).toBe(join(builtin, info.category, info.name, 'SKILL.md'));
      expect(info.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(info.description.length).toBeLessThanOrEqual(1024);
      expect(source.load(info.name)!.body.split('\n').length).toBeGreaterThan(20);
    }
  });

  it.each([
    ['save my work with a good message', 'commit'],
    ['any problems before I merge this PR', 'code-review'],
    ['write pytest specs for this function', 'unit-tests'],
    ['this gives unexpected output, fix the bug', 'debug'],
    ['clean up this messy class', 'refactor'],
  ])('%s', (query, name) => {
    expect(source.find(query)[0]!.name).toBe(name);
  });
});
