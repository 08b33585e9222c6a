import { existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { patch as labPatch } from '../../../../app/lab/patch.ts';
import { coreTools, lateTools } from '../../../../core/tools/index.ts';
import { type TestContext, testContext } from '../tool-context.ts';

const tools = [...coreTools(), ...lateTools({})];
const tool = tools.find(({ name }) => name === 'apply_patch')!;
let context: TestContext;
beforeEach(() => {
  context = testContext(tools);
});

const at = (name: string) => join(context.project, name);
const put = (name: string, content: string | Buffer) => writeFileSync(at(name), content);
const text = (name: string) => readFileSync(at(name), 'latin1');
const wrap = (body: string) => `*** Begin Patch\n${body.replace(/^\n/, '')}\n*** End Patch`;
const apply = (body: string) => context.call('apply_patch', { patch: wrap(body) });

/** One file `f` before and after a patch of it. */
async function check(before: string, hunks: string, after: string, output?: RegExp) {
  context.memory.clear();
  put('f', Buffer.from(before));
  const result = await apply(`*** Update File: f\n${hunks}`);
  expect(readFileSync(at('f'), 'utf8'), result.output).toBe(after);
  expect(result.isError).toBe(false);
  if (output) expect(result.output).toMatch(output);
  else expect(result.output).not.toContain('Note');
}

async function refused(before: string, hunks: string, ...reasons: string[]) {
  context.memory.clear();
  put('f', Buffer.from(before));
  const result = await apply(`*** Update File: f\n${hunks}`);
  expect(result.isError, result.output).toBe(true);
  for (const reason of reasons) expect(result.output).toContain(reason);
  expect(readFileSync(at('f'), 'utf8')).toBe(before);
}

describe('bytes of lines that stay', () => {
  it('are kept, with every kind of line end', async () => {
    await check('foo\r\nbar\r\nbaz\r\n', ' foo\n-bar\n+qux', 'foo\r\nqux\r\nbaz\r\n');
    await check('a\r\nb\nc\r\nd\r\n', ' a\n b\n-c\n+C\n d', 'a\r\nb\nC\r\nd\r\n');
    await check('a\nb\r\nc\n', '-b\n+b\n+B\n c', 'a\nb\r\nB\nc\n');
    await check('a\rb\nc\n', ' a\rb\n-c\n+C', 'a\rb\nC\n');
    await check('\uFEFFa\r\nb\r\n', '-a\n+A\n b', '\uFEFFA\r\nb\r\n');
    await check('a\nb', '-a\n+A', 'A\nb');
    await check('a\nb', ' a\n-b\n+B', 'a\nB');
    await check('a\nb', ' b\n+c', 'a\nb\nc');
    await check('a\r\nb', '-b\n+B\n+c\n*** End of File', 'a\r\nB\r\nc');
    await check('a \nb\n', ' a\n-b\n+B', 'a \nB\n', /trailing spaces/);
  });

  it('the end of the file stays, unless a diff says what becomes of it', async () => {
    const none = '\n\\ No newline at end of file';
    for (const [before, hunk, after] of [
      ['a\nb', ' a\n-b\n+B', 'a\nB'],
      ['a\nb', ` a\n-b${none}\n+B`, 'a\nB\n'],
      ['a\nb', ` a\n-b${none}\n+B${none}`, 'a\nB'],
      ['a\nb\n', ` a\n-b\n+B${none}`, 'a\nB'],
    ] as const) {
      put('f', before);
      await context.call('apply_patch', { patch: `--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n${hunk}\n` });
      expect(text('f')).toBe(after);
    }
  });

  it('are kept when the patch itself came with CRLF', async () => {
    put('f', 'a\nb\n');
    await context.call('apply_patch', { patch: wrap('*** Update File: f\n-a\n+A\n b').replaceAll('\n', '\r\n') });
    expect(text('f')).toBe('A\nb\n');
  });

  it('are kept in other encodings, which must hold what is new', async () => {
    put('latin', Buffer.from('caf\xe9\nkey\n', 'latin1'));
    expect((await apply('*** Update File: latin\n-key\n+th\u00e9')).isError).toBe(false);
    expect(text('latin')).toBe('caf\xe9\nth\xe9\n');
    const euro = await apply('*** Update File: latin\n-th\u00e9\n+\u20ac');
    expect(euro).toMatchObject({ isError: true, output: expect.stringContaining('(latin-1) cannot hold') });
    expect(text('latin')).toBe('caf\xe9\nth\xe9\n');
  });
});

it('bytes of other lines never change, for random files and hunks', async () => {
  const line = fc.tuple(fc.stringMatching(/^[ab \t]{0,4}$/), fc.constantFrom('\n', '\r\n'));
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 30 }),
      fc.array(fc.nat(29), { maxLength: 4 }),
      fc.boolean(),
      async (lines, picks, open) => {
        const rows = lines.map(([text, end], i) => ({
          text: `${i}:${text};`,
          end: open && i === lines.length - 1 ? '' : end,
        }));
        const chosen = [...new Set(picks)].filter((i) => i < rows.length).sort((a, b) => a - b);
        const crlf = rows.filter(({ end }) => end === '\r\n').length;
        const plain = rows.filter(({ end }) => end === '\n').length;
        if (chosen.length === 0 || crlf === plain) return;
        const common = crlf > plain ? '\r\n' : '\n';
        const hunks = chosen.map((i) => `@@\n${i > 0 ? ` ${rows[i - 1]!.text}\n` : ''}-${rows[i]!.text}\n+<${i}>\n+$&`);
        context.memory.clear();
        put('f', rows.map(({ text, end }) => text + end).join(''));
        const result = await apply(`*** Update File: f\n${hunks.join('\n')}`);
        // The context of a hunk may be the line that the hunk before it changes.
        if (chosen.some((i) => chosen.includes(i - 1))) return;
        expect(result.isError, result.output).toBe(false);
        const wanted = rows.map(({ text, end }, i) =>
          chosen.includes(i) ? `<${i}>${common}$&${end && common}` : text + end,
        );
        expect(readFileSync(at('f'), 'utf8')).toBe(wanted.join(''));
      },
    ),
    { numRuns: 60 },
  );
});

describe('the place', () => {
  const twice = 'def a():\n\tflush()\n\treturn None\n\ndef b():\n\tflush()\n\treturn None\n';

  it('must be the only one', async () => {
    await refused(twice, '@@\n-\tflush()\n+\tsync()\n \treturn None', 'fit 2 places', 'line 2', 'line 6');
    await refused(twice, '-    flush()\n+    sync()\n     return None', 'fit 2 places');
    await refused('x\ny\n', '-z\n+Z', 'not in the file');
    await check('  x\nx\n', '-x\n+y', '  x\ny\n');
  });

  it('is narrowed by anchors, in their order', async () => {
    const second = twice.replace(/flush(?=[^h]*$)/, 'sync');
    await check(twice, '@@ def b():\n-\tflush()\n+\tsync()\n \treturn None', second);
    await check(twice, '@@ def a():\n-\tflush()\n+\tsync()\n \treturn None', twice.replace('flush', 'sync'));
    const classes = 'class A:\n    def m(self):\n        x = 1\n\nclass B:\n    def m(self):\n        x = 1\n';
    const changed = `${classes.slice(0, -6)}x = 2\n`.replace(/ {8}x = 2\n$/, '        x = 2\n');
    await check(classes, '@@ class B:\n@@     def m(self):\n-        x = 1\n+        x = 2', changed);
    await check(classes, '@@ class B\n@@ def m\n-        x = 1\n+        x = 2', changed);
    await refused(classes, '@@     def m(self):\n-        x = 1\n+        x = 2', 'fit 2 places', 'line 3', 'line 7');
    const sections = '# A\nkey = 1\n# B\nkey = 1\n';
    await check(sections, '@@ # B\n-key = 1\n+key = 2', '# A\nkey = 1\n# B\nkey = 2\n');
    await check(sections, '@@ # A\n-key = 1\n+key = 2', '# A\nkey = 2\n# B\nkey = 1\n');
    const braces = 'void a()\n{\n  x();\n}\nvoid b()\n{\n  x();\n}\n';
    await check(braces, '@@ void b()\n-  x();\n+  y();', 'void a()\n{\n  x();\n}\nvoid b()\n{\n  y();\n}\n');
    await refused('a\nb\na\nb\n', '@@ nowhere\n-b\n+c', 'fit 2 places');
    await check('a\nb\n', '@@ nowhere\n-b\n+c', 'a\nc\n', /"@@ nowhere" is not in the file/);
  });

  it('follows the hunk before, or the end of the file', async () => {
    await check('x\na\nx\nb\nx\n', ' a\n-x\n+1\n@@\n b\n-x\n+2', 'x\na\n1\nb\n2\n');
    await check('x\nx\n', '-x\n+y\n*** End of File', 'x\ny\n');
    await check('a\nb\n', '-b\n+B\n@@\n-a\n+A', 'A\nB\n', /before the hunk above/);
    await check('a\nb\nc\n', '@@ a\n+new', 'a\nnew\nb\nc\n');
    await check('a\nb\n', '@@\n+end', 'a\nb\nend\n');
  });

  it('is forgiven its indentation, and what is new gets that of the file', async () => {
    await check(
      'f() {\n\tif x {\n\t\ta()\n\t}\n}\n',
      '     if x {\n-        a()\n+        b()\n+        c()\n     }',
      'f() {\n\tif x {\n\t\tb()\n\t\tc()\n\t}\n}\n',
      /forgiving the indentation/,
    );
    await check('say “x”\nb\n', ' say "x"\n-b\n+c', 'say “x”\nc\n', /typographic/);
  });

  it('may be shown with blank lines that lost their sign', async () => {
    await check('a\n\nb\nc\n', ' a\n\n-b\n+B\n\n', 'a\n\nB\nc\n');
  });
});

describe('files', () => {
  it('are added, changed, moved and deleted; the result says what happened', async () => {
    put('old.txt', 'one\n');
    put('gone.txt', 'x\n');
    put('run.sh', '#!/bin/sh\necho\n');
    const mode = 0o755;
    await context.call('bash', { command: 'chmod 755 run.sh' });
    const { output, display, isError } = await apply(
      [
        '*** Add File: new/deep/a.txt\n+hello',
        '*** Update File: old.txt\n@@\n-one\n+two',
        '*** Delete File: gone.txt',
        '*** Update File: run.sh\n*** Move to: bin/run.sh\n@@\n-echo\n+echo hi',
      ].join('\n'),
    );
    expect(isError).toBe(false);
    expect(output).toBe(
      'Applied the patch:\nA new/deep/a.txt (+1 -0)\nM old.txt (+1 -1)\nD gone.txt\nR run.sh -> bin/run.sh (+1 -1)',
    );
    expect(text('new/deep/a.txt')).toBe('hello\n');
    expect(existsSync(at('gone.txt')) || existsSync(at('run.sh'))).toBe(false);
    expect(statSync(at('bin/run.sh')).mode & 0o777).toBe(mode);
    expect(display).toMatchObject({ kind: 'diff', path: '4 files', added: 3, removed: 3 });
    expect((display as { patch: string }).patch).toContain('--- run.sh\n+++ bin/run.sh\n');
  });

  it('move without being read as text', async () => {
    const bytes = Buffer.from([0, 255, 1, 254]);
    put('blob', bytes);
    expect((await apply('*** Update File: blob\n*** Move to: blob2')).isError).toBe(false);
    expect(readFileSync(at('blob2'))).toEqual(bytes);
  });

  it('before one that fails stay changed, and the result says so', async () => {
    put('a', 'a\n');
    put('c', 'c\n');
    const body = '*** Update File: a\n-a\n+A\n*** Update File: b\n-b\n+B\n*** Update File: c\n-c\n+C';
    const { output, isError, display } = await apply(body);
    expect(isError).toBe(true);
    expect(output).toMatch(
      /only in part.*b does not exist[\s\S]*\nM a \(\+1 -1\)\nNot changed:\nb \(this part failed\)\n/,
    );
    expect(text('a') + text('c')).toBe('A\nc\n');
    expect(display).toMatchObject({ path: 'a' });
  });

  it('which of them are changed, which are not, and what to send next', async () => {
    for (const name of 'abcd') put(name, `${name}\n`);
    put('there', 'old\n');
    const update = (name: string, line = name) => `*** Update File: ${name}\n-${line}\n+${line.toUpperCase()}`;
    const body = [update('a'), '*** Add File: there\n+new', update('b', 'zzz'), update('c'), update('d')].join('\n');
    const { output } = await apply(body);
    expect(output).toMatch(/^The patch was applied only in part\. b: the lines of the hunk/);
    expect(output.slice(output.indexOf('Changed already'))).toBe(
      [
        'Changed already, and so it stays:',
        'M a (+1 -1)',
        'M there (+1 -1)',
        '  Note: it replaced the file that was there (4 bytes)',
        'Not changed:',
        'b (this part failed)',
        'c (behind it, not tried)',
        'd (behind it, not tried)',
        'Next: send a patch with these parts only, the failed one put right. Do not send the parts that were made again.',
      ].join('\n'),
    );
    expect((await apply([update('b'), update('c'), update('d')].join('\n'))).isError).toBe(false);
    expect('abcd'.split('').map((name) => text(name))).toEqual(['A\n', 'B\n', 'C\n', 'D\n']);
  });

  it('change wholly or not at all', async () => {
    await refused('a\nb\n', '-a\n+A\n@@\n-zzz\n+Z', 'nothing was changed', 'hunk 2 of 2');
  });

  it('behind links change, and the links stay', async () => {
    mkdirSync(at('real'));
    put('real/f', 'a\n');
    symlinkSync('real/f', at('link'));
    await apply('*** Update File: link\n-a\n+b');
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
    expect(text('real/f')).toBe('b\n');
    await apply('*** Delete File: link');
    expect(existsSync(at('link'))).toBe(false);
    expect(text('real/f')).toBe('b\n');
  });

  it('that changed on disk are refused until they are read, unless the lines are the same', async () => {
    put('f', 'a\nb\n');
    await context.call('read_file', { path: 'f' });
    put('f', 'a\nB\n');
    expect((await apply('*** Delete File: f')).output).toContain('changed on disk');
    await context.call('read_file', { path: 'f' });
    put('f', 'new\na\nB\n');
    expect((await apply('*** Update File: f\n-a\n+A')).output).toContain('had changed on disk');
    expect(text('f')).toBe('new\nA\nB\n');
    put('f', 'other\n');
    expect(await apply('*** Update File: f\n-A\n+x')).toMatchObject({ isError: true });
    expect((await apply('*** Delete File: f')).isError).toBe(true);
    await context.call('read_file', { path: 'f' });
    expect((await apply('*** Delete File: f')).isError).toBe(false);
  });

  it('are all named to the permission engine', () => {
    const body = '*** Add File: a\n+x\n*** Update File: b\n*** Move to: ../c\n-x\n+y\n*** Delete File: /etc/d';
    expect(tool.gate({ patch: wrap(body) }, context)).toEqual({
      kind: 'write',
      paths: [at('a'), at('b'), join(context.project, '../c'), '/etc/d'],
    });
    expect(tool.gate({ patch: 'nonsense' }, context)).toEqual({ kind: 'none' });
  });

  it('are shown before, and not touched by that', async () => {
    put('f', 'a\n');
    await context.call('read_file', { path: 'f' });
    const body = '*** Update File: f\n*** Move to: g\n-a\n+b\n*** Update File: g\n-b\n+c\n*** Delete File: g';
    const display = await tool.preview!({ patch: wrap(body) }, context);
    expect((display as { patch: string }).patch).toContain('-b\n+c\n');
    expect(text('f')).toBe('a\n');
    expect(existsSync(at('g'))).toBe(false);
    expect((await apply('*** Update File: f\n-a\n+b')).output).not.toContain('Note');
  });
});

describe('a new file', () => {
  it('gets the line ends that the project wants', async () => {
    put('.editorconfig', 'root = true\n[*]\nend_of_line = lf\n[*.{bat,cmd}]\nend_of_line = crlf\n');
    await apply('*** Add File: a.bat\n+one\n+two\n*** Add File: a.txt\n+one');
    expect([text('a.bat'), text('a.txt')]).toEqual(['one\r\ntwo\r\n', 'one\n']);
    await context.call('write_file', { path: 'b.cmd', content: 'x\n' });
    expect(text('b.cmd')).toBe('x\r\n');
  });

  it('else those of the files beside it', async () => {
    mkdirSync(at('.git'));
    put('a.cs', 'x\r\n');
    put('b.cs', 'x\r\n');
    put('c.cs', 'x\n');
    expect((await apply('*** Add File: d.cs\n+y')).output).toContain('CRLF');
    expect(text('d.cs')).toBe('y\r\n');
    put('.gitattributes', '*.cs text eol=lf\n');
    await apply('*** Add File: e.cs\n+y');
    expect(text('e.cs')).toBe('y\n');
  });
});

describe('what models write instead', () => {
  it('unified diffs', async () => {
    put('x.txt', 'a\nb\nc\nd\n');
    const diff =
      'diff --git a/x.txt b/x.txt\nindex 1..2 100644\n--- a/x.txt\n+++ b/x.txt\n@@ -1,3 +1,3 @@ heading\n a\n-b\n+B\n c\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+fresh\n\\ No newline at end of file\n';
    expect((await context.call('apply_patch', { patch: diff })).isError).toBe(false);
    expect([text('x.txt'), text('new.txt')]).toEqual(['a\nB\nc\nd\n', 'fresh']);
    const more = wrap('--- a/new.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-fresh\n--- x.txt\n+++ x.txt\n@@ -4 +4 @@\n-d\n+D');
    expect((await context.call('apply_patch', { patch: more })).isError).toBe(false);
    expect(existsSync(at('new.txt'))).toBe(false);
    expect(text('x.txt')).toBe('a\nB\nc\nD\n');
    put('y', 'k\nk\nk\n');
    await context.call('apply_patch', { patch: '--- a/y\n+++ b/y\n@@ -2 +2 @@\n-k\n+K\n' });
    expect(text('y')).toBe('k\nK\nk\n');
    const moved = await context.call('apply_patch', { patch: '--- a/y\n+++ b/y\n@@ -9 +9 @@\n-k\n+K\n' });
    expect(moved).toMatchObject({ isError: true, output: expect.stringContaining('fit 2 places') });
    const renamed = 'diff --git a/y b/z\nsimilarity index 100%\nrename from y\nrename to z\n';
    await context.call('apply_patch', { patch: renamed });
    expect(text('z')).toBe('k\nK\nk\n');
    const wrong = await context.call('apply_patch', { patch: '--- a/z\n+++ /dev/null\n@@ -1 +0,0 @@\n-other\n' });
    expect(wrong).toMatchObject({ isError: true, output: expect.stringContaining('does not hold') });
    const binary = 'diff --git a/z b/z\nGIT binary patch\nliteral 3\n';
    expect((await context.call('apply_patch', { patch: binary })).output).toContain('binary');
  });

  it.each([
    ['a symbolic link', 'new file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd', 'symbolic link'],
    ['a submodule', 'new file mode 160000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+Subproject', 'submodule'],
    ['permissions', 'old mode 100644\nnew mode 100755', 'use chmod'],
    ['a submodule that moves', 'index 1234567..89abcde 160000\n--- a/l\n+++ b/l\n@@ -1 +1 @@\n-S 1\n+S 2', 'submodule'],
    ['a copy', 'similarity index 100%\ncopy from x\ncopy to l', 'copies a file'],
  ])('git headers that it cannot do are refused, and nothing is changed: %s', async (_what, rest, why) => {
    put('x', 'a\n');
    const patch = `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/l b/l\n${rest}\n`;
    const { isError, output } = await context.call('apply_patch', { patch });
    expect({ isError, output }).toEqual({ isError: true, output: expect.stringContaining(why) });
    expect([text('x'), existsSync(at('l'))]).toEqual(['a\n', false]);
  });

  it('a symbolic link is refused without the first line of git too, and does not move', async () => {
    const link = 'new file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+x\n';
    expect((await context.call('apply_patch', { patch: link })).output).toContain('symbolic link');
    put('x', 'a\n');
    symlinkSync('x', at('l'));
    const { output } = await apply('*** Update File: l\n*** Move to: m');
    expect(output).toContain('l is a symbolic link; a patch moves only files');
    expect([existsSync(at('m')), lstatSync(at('l')).isSymbolicLink()]).toEqual([false, true]);
  });

  it('reads names as git writes them', async () => {
    const name = '"b/caf\\303\\251 \\"1\\".txt"';
    const patch = `diff --git ${name} ${name}\nnew file mode 100644\n--- /dev/null\n+++ ${name}\n@@ -0,0 +1 @@\n+x\n`;
    await context.call('apply_patch', { patch });
    expect(text('café "1".txt')).toBe('x\n');
  });

  it('keeps the quotes of the file, or refuses', async () => {
    put('f', 'say(“a”, "b")\n');
    await apply('*** Update File: f\n@@\n-say("a", "b")\n+tell("a", "c")');
    expect(readFileSync(at('f'), 'utf8')).toBe('tell(“a”, "c")\n');
    put('odd', 'x “a”, “b”\n');
    const odd = await apply('*** Update File: odd\n@@\n-x "a", "b"\n+x "a” or "c" and “b"');
    expect(odd).toMatchObject({ isError: true, output: expect.stringContaining('do not tell which quotes stay') });
  });

  it('a new file is a program where the diff says so', async () => {
    const patch = 'diff --git a/run b/run\nnew file mode 100755\n--- /dev/null\n+++ b/run\n@@ -0,0 +1 @@\n+#!/bin/sh\n';
    await context.call('apply_patch', { patch });
    expect(statSync(at('run')).mode & 0o777).toBe(0o755);
  });

  it('numbers in the hunk header, fences, here-documents, no first line', async () => {
    await check('a\nb\n', '@@ -1,2 +1,2 @@\n a\n-b\n+B', 'a\nB\n');
    for (const patch of [
      '```patch\n*** Begin Patch\n*** Add File: n\n+x\n*** End Patch\n```\n',
      "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: n\n+x\n*** End Patch\nEOF",
      '*** Add File: n\n+x\n*** End Patch',
    ]) {
      expect((await context.call('apply_patch', { patch })).isError, patch).toBe(false);
      expect(text('n')).toBe('x\n');
      await apply('*** Delete File: n');
    }
  });

  it('is refused whole when it is not understood', async () => {
    for (const [patch, why] of [
      ['', 'empty'],
      ['please change it', 'no line "*** Begin Patch"'],
      ['*** Begin Patch\n*** Add File: n\n+x\n', 'cut off'],
      ['*** Begin Patch\n*** Add File: n\n+x\n*** End Patch\nDone!', 'text behind'],
      [wrap('*** Add File: n\n+x\n*** Rename File: a'), 'line 4'],
      [wrap('*** Add File: n\n+x\ny'), 'does not begin with "+"'],
      [wrap('*** Add File: n\n+x\n*** Update File: a'), 'no hunk'],
      [wrap('*** Add File: n\n+x\n*** Update File: a\n@@ def x'), 'no lines'],
    ] as const) {
      const result = await context.call('apply_patch', { patch });
      expect(result, patch).toMatchObject({ isError: true, output: expect.stringContaining(why) });
      expect(existsSync(at('n'))).toBe(false);
    }
  });
});

describe('ada lab patch', () => {
  it('writes nothing outside root, whatever leads there', async () => {
    mkdirSync(at('root'));
    mkdirSync(at('out'));
    put('out/f', 'a\n');
    symlinkSync('../out', at('root/link'));
    symlinkSync('../out/none', at('root/dangling'));
    const root = at('root');
    for (const path of ['../out/f', 'link/f', at('out/f'), 'dangling', '~/x', '.', 'x/../../out/f']) {
      const outcome = await labPatch({ root, patch: wrap(`*** Add File: ok\n+x\n*** Add File: ${path}\n+y`) });
      expect(outcome, path).toEqual({ refused: `${path} is not below root` });
      const moved = await labPatch({ root, patch: wrap(`*** Update File: ok\n*** Move to: ${path}`) });
      expect(moved).toHaveProperty('refused');
    }
    expect([text('out/f'), existsSync(at('root/ok')), existsSync(at('out/none'))]).toEqual(['a\n', false, false]);
    expect(await labPatch({ root, patch: wrap('*** Add File: ok\n+x') })).toEqual({ changed: ['ok'] });
    const half = await labPatch({ root, patch: wrap('*** Delete File: ok\n*** Delete File: none') });
    expect(half).toMatchObject({ changed: ['ok'], refused: expect.stringContaining('none') });
  });
});

describe('marks of hidden text', () => {
  const token = (last: string) => `ghp_${'aB3dE6gH9jK2mN5pQ8rS'.repeat(2).slice(0, 35)}${last}`;
  const mark = '[redacted: GitHub token]';

  it('stand for it in the lines that are looked for, and keep it in those that come', async () => {
    put('conf', `a=1\nTOKEN=${token('x')} # old\nOTHER=${token('y')}\nb=2\n`);
    const result = await apply(
      `*** Update File: conf\n a=1\n-TOKEN=${mark} # old\n+TOKEN=${mark} # new\n OTHER=${mark}\n-b=2\n+b=3`,
    );
    expect(result.output).not.toContain('not');
    expect(text('conf')).toBe(`a=1\nTOKEN=${token('x')} # new\nOTHER=${token('y')}\nb=3\n`);
  });

  it('come into no file otherwise', async () => {
    put('conf', `TOKEN=${token('x')}\na=1\n`);
    for (const body of [
      `*** Add File: new\n+TOKEN=${mark}`,
      `*** Update File: conf\n-a=1\n+TOKEN=${mark}`,
      `*** Add File: conf\n+TOKEN=${mark}`,
    ]) {
      const { output, isError } = await apply(body);
      expect(isError).toBe(true);
      expect(output).toMatch(/mark|more often/);
    }
    expect(existsSync(at('new'))).toBe(false);
    expect(text('conf')).toBe(`TOKEN=${token('x')}\na=1\n`);
  });

  it('are text where the file itself speaks of them', async () => {
    put('doc', `shown as ${mark}\nend\n`);
    await apply(`*** Update File: doc\n-shown as ${mark}\n+it is shown as ${mark}, always ${mark}`);
    expect(text('doc')).toBe(`it is shown as ${mark}, always ${mark}\nend\n`);
  });

  it('that may mean several lines are refused', async () => {
    put('conf', `TOKEN=${token('x')}\nTOKEN=${token('y')}\n`);
    expect((await apply(`*** Update File: conf\n-TOKEN=${mark}\n+TOKEN=`)).output).toContain('differ in hidden text');
    expect(text('conf')).toBe(`TOKEN=${token('x')}\nTOKEN=${token('y')}\n`);
  });
});
