import { describe, expect, it } from 'vitest';
import { projectFiles } from '../../../app/tui/path-menu.ts';
import { nameFiles, namesFiles, PlainPaths } from '../../../app/tui/plain-paths.ts';

const PATHS = ['README.md', 'src/parser.ts', 'src/parser.test.ts', 'src/main.ts', 'docs/Guide.md'];
const files = projectFiles(PATHS);

describe('nameFiles', () => {
  it.each([
    ['a path as it is', 'fix @src/main.ts now', 'fix src/main.ts now'],
    ['with a dot before it', 'fix @./src/main.ts', 'fix src/main.ts'],
    ['the only file with that in its name', 'read @guide and @readme', 'read docs/Guide.md and README.md'],
    [
      'in brackets and before a full stop',
      'see (@guide), then @src/main.ts.',
      'see (docs/Guide.md), then src/main.ts.',
    ],
    ['the whole path where another begins with it', '@src/parser.ts', 'src/parser.ts'],
    ['nothing that fits no file', 'mail me@readme.md about @param and @', 'mail me@readme.md about @param and @'],
    ['nothing by letters alone', 'ask @rdm', 'ask @rdm'],
  ])('takes %s', (_, text, named) => {
    expect(nameFiles(text, files)).toEqual({ text: named });
  });

  it('stops at the first word that may be several files', () => {
    expect(nameFiles('move @guide beside @parser or @main', files)).toEqual({
      text: 'move docs/Guide.md beside @parser or @main',
      open: { at: 26, word: 'parser', paths: ['src/parser.test.ts', 'src/parser.ts'] },
    });
  });

  it('sees no file in a prompt without an @ before a word', () => {
    expect([namesFiles('a@b.c'), namesFiles('x @ y'), namesFiles('(@a')]).toEqual([false, false, true]);
  });
});

/** Everything that was said and sent. */
function door(list: () => Promise<readonly string[]> = async () => PATHS) {
  const said: string[] = [];
  const sent: string[] = [];
  const paths = new PlainPaths({
    cwd: () => '/p',
    say: (...lines) => said.push(...lines),
    send: (text) => sent.push(text),
    list,
  });
  return { said, sent, paths };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('PlainPaths', () => {
  it('sends at once what names nothing', () => {
    const { sent, paths } = door();
    paths.send('hello');
    expect(sent).toEqual(['hello']);
  });

  it('asks which file is meant, once more after nonsense, and keeps the order of prompts', async () => {
    const { said, sent, paths } = door();
    paths.send('mend @parser and @parser');
    paths.send('then rest');
    await settled();
    expect(paths.isAsking).toBe(true);
    expect(said).toEqual([
      'Which file is @parser?',
      '1: src/parser.test.ts',
      '2: src/parser.ts',
      '0: none, send it as it is',
      'A number chooses; /stop sends nothing.',
    ]);
    paths.answer('7');
    expect(said).toHaveLength(10);
    paths.answer('2');
    expect(paths.isAsking).toBe(true);
    paths.answer('0');
    await settled();
    expect(sent).toEqual(['mend src/parser.ts and @parser', 'then rest']);
    expect(paths.isAsking).toBe(false);
  });

  it('sends nothing of a prompt that is dropped', async () => {
    const { sent, paths } = door();
    expect(paths.drop()).toBe(false);
    paths.send('mend @parser');
    await settled();
    expect(paths.drop()).toBe(true);
    paths.send('another');
    await settled();
    expect(sent).toEqual(['another']);
  });

  it('sends it as it is where the files cannot be listed, and says why', async () => {
    const { said, sent, paths } = door(async () => {
      throw new Error('no ripgrep');
    });
    paths.send('read @readme');
    await settled();
    expect(sent).toEqual(['read @readme']);
    expect(said.join()).toContain('no ripgrep');
  });
});
