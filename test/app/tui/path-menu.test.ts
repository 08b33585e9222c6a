/** `@` in the draft offers the files of the project; what is sent is the path alone. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileOffer } from '../../../app/tui/file-offer.ts';
import { pathItems, pathWord, projectFiles } from '../../../app/tui/path-menu.ts';
import type { ProjectFiles, State } from '../../../app/tui/types.ts';
import { ScreenDriver } from './screen-driver.ts';

const files = projectFiles(['src/deep/reader.ts', 'src/parse.ts', 'README.md', 'test/parse.test.ts', 'src/sparse.ts']);
const offered = (text: string, of = files) =>
  pathItems({ text, cursor: text.length }, of)?.map(({ label }) => label) ?? null;
const screen = () => new ScreenDriver().act({ type: 'files', files });

describe('the files that are offered', () => {
  it.each([
    ['@', ['README.md', 'src/parse.ts', 'src/sparse.ts', 'test/parse.test.ts', 'src/deep/reader.ts']],
    ['@sdr', ['src/deep/reader.ts']],
    ['@pars', ['src/parse.ts', 'test/parse.test.ts', 'src/sparse.ts']],
    ['see @READ', ['README.md', 'src/deep/reader.ts']],
    ['@src/s', ['src/sparse.ts']],
    ['(@READ', ['README.md', 'src/deep/reader.ts']],
    ['two\n@par', ['src/parse.ts', 'test/parse.test.ts', 'src/sparse.ts']],
    ['@nothing', []],
    ['me@pars', null],
    ['@parse done', null],
    ['pars', null],
  ])('for %j', (text, paths) => {
    expect(offered(text)).toEqual(paths);
  });

  it('are few, however many there are', () => {
    const many = projectFiles(Array.from({ length: 20_000 }, (_, at) => `lib/part-${at % 100}/file-${at}.ts`));
    expect(offered('@file-19999', many)).toEqual(['lib/part-99/file-19999.ts']);
    expect(offered('@file', many)).toHaveLength(50);
    expect(offered('@', many)).toHaveLength(50);
  });

  it('belong to the word under the cursor', () => {
    expect(pathWord({ text: 'a @src b', cursor: 6 })).toEqual({ start: 2, word: 'src' });
    expect(pathWord({ text: 'a @src b', cursor: 5 })).toEqual({ start: 2, word: 'sr' });
    expect(pathWord({ text: 'a @src b', cursor: 2 })).toBeNull();
  });
});

describe('the menu of files', () => {
  it.each(['Tab', 'Enter'])('%s puts the path into the draft, and Enter then sends plain text', (key) => {
    const seen = screen().press('look at @', 's', 'p');
    expect(seen.screen()).toContain('src/sparse.ts');
    seen.press(key);
    expect(seen.state.composer).toMatchObject({ text: 'look at src/sparse.ts ', cursor: 22, completions: [] });
    expect(seen.take()).toEqual([]);
    expect(seen.press('Enter').take()).toEqual([
      { type: 'send', command: { type: 'prompt', text: 'look at src/sparse.ts' } },
    ]);
  });

  it('leaves what stands behind the cursor where it is', () => {
    const seen = screen().press('mend  now', ...Array(4).fill('Left'), '@', 'R', 'E');
    seen.press('Tab');
    expect(seen.state.composer.text).toBe('mend README.md now');
    expect(seen.press('!').state.composer.text).toBe('mend README.md! now');
  });

  it('is moved through by the arrow keys, closed by Esc, and gone where the cursor leaves the word', () => {
    expect(screen().press('@', 'Down', 'Down', 'Tab').state.composer.text).toBe('src/sparse.ts ');
    expect(screen().press('@', 'Esc').state.composer.completions).toEqual([]);
    expect(screen().press('a @', 'Left').state.composer.completions).toEqual([]);
  });

  it('comes up when the files are known, and keeps what was selected when they are read again', () => {
    const late = new ScreenDriver().press('@', 'R');
    expect(late.state.composer.completions).toEqual([]);
    late.act({ type: 'files', files });
    expect(late.state.composer.completions[0]?.label).toBe('README.md');
    late.press('Down').act({ type: 'files', files: projectFiles(['Rakefile', ...files.paths]) });
    expect(late.press('Tab').state.composer.text).toBe('src/deep/reader.ts ');
  });
});

describe('the files of a project', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ada-files-'));
    mkdirSync(join(folder, 'out'));
    for (const file of ['kept.ts', '.hidden', 'out/made.js', 'strange\nname']) writeFileSync(join(folder, file), '');
    writeFileSync(join(folder, '.gitignore'), 'out/\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const draft = (text: string, known?: ProjectFiles) => {
    const composer = { text, cursor: text.length } as State['composer'];
    return { composer, files: known };
  };

  it('are read once an @ asks for them, without what is ignored, and again only when they are old or unknown', async () => {
    const shown: ProjectFiles[] = [];
    let arrived = () => {};
    const offer = new FileOffer({
      cwd: () => folder,
      show: (found) => {
        shown.push(found);
        arrived();
      },
      failed: (message) => {
        throw new Error(message);
      },
    });
    const next = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    offer.seen(draft('no file'));
    offer.seen(draft('a @'));
    offer.seen(draft('a @k'));
    await next;
    expect(shown.map(({ paths }) => paths)).toEqual([['.gitignore', '.hidden', 'kept.ts']]);
    offer.seen(draft('a @ke', shown[0]));
    offer.seen(draft('', shown[0]));
    offer.seen(draft('@', shown[0]));
    expect(shown).toHaveLength(1);
    // Another session's screen does not know them yet.
    offer.seen(draft('@'));
    expect(shown).toHaveLength(2);
    offer.close();
  });
});
