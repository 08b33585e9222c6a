import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, type Edit } from '../../../../core/tools/edit/apply.ts';
import { decodeText } from '../../../../core/tools/files/text-encoding.ts';

const bytesOf = (content: string | Buffer) => (typeof content === 'string' ? Buffer.from(content) : content);

async function check(content: string | Buffer, edits: Edit | Edit[], expected: string | Buffer, note?: RegExp) {
  const outcome = await applyEdits(bytesOf(content), [edits].flat());
  if ('refused' in outcome) throw new Error(outcome.refused);
  expect(Buffer.concat(outcome.parts).toString('latin1')).toBe(bytesOf(expected).toString('latin1'));
  if (note) expect(outcome.notes.join('\n')).toMatch(note);
  else expect(outcome.notes).toEqual([]);
}

async function refused(content: string | Buffer, edits: Edit | Edit[], ...reasons: (RegExp | string)[]) {
  const outcome = await applyEdits(bytesOf(content), [edits].flat());
  const reason = 'refused' in outcome ? outcome.refused : `not refused: ${JSON.stringify(outcome.after)}`;
  for (const wanted of reasons) {
    if (typeof wanted === 'string') expect(reason).toContain(wanted);
    else expect(reason).toMatch(wanted);
  }
  expect('refused' in outcome).toBe(true);
}

/** Encodings in which the second byte of a character may be a letter. */
const WITH_LETTERS = ['shift_jis', 'gbk', 'gb18030', 'big5', 'euc-kr'];

const latin = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string, big: boolean) => {
  const units = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return big ? units.swap16() : units;
};

describe('bytes outside the edit never change', () => {
  it('line ends', async () => {
    await check('a\r\nb\r\nc\r\n', { old: 'b', new: 'B' }, 'a\r\nB\r\nc\r\n');
    await check('a\r\nb\r\nc\r\n', { old: 'a\nb', new: 'x\ny\nz' }, 'x\r\ny\r\nz\r\nc\r\n');
    await check('a\r\nb\r\nc\r\n', { old: 'a\r\nb', new: 'x\r\ny' }, 'x\r\ny\r\nc\r\n');
    await check('a\nb\r\nc\nd\r\n', { old: 'c', new: 'C' }, 'a\nb\r\nC\nd\r\n');
    await check('a\nb\r\nc\nd\r\n', { old: 'a\nb\nc', new: 'a\nB\nc' }, 'a\nB\r\nc\nd\r\n');
    await check('a\nb\r\nc\n', { old: 'b', new: 'b\nb2' }, 'a\nb\r\nb2\r\nc\n');
    await check('a\nb\nc\n', { old: 'b', new: 'x\r\ny' }, 'a\nx\ny\nc\n');
    await check('a\nb\r\nc\n', { old: 'a', new: 'x\r\ny' }, 'x\ny\nb\r\nc\n');
    await check('a\nb\r\nc\n', { old: 'b', new: 'x\ny' }, 'a\nx\r\ny\r\nc\n');
    await check('one', { old: 'one', new: '1\r\n2' }, '1\r\n2');
    await refused('a\nb\n', { old: 'a\n', new: 'a\r\n' }, 'Line ends stay');
    await check('one\ntwo', { old: 'two', new: '2' }, 'one\n2');
    await check('one\r\ntwo', { old: 'two', new: 'two\nthree' }, 'one\r\ntwo\r\nthree');
    await check('a\n\nb\n', { old: 'a\n\nb', new: 'a\nb' }, 'a\nb\n');
  });

  it('byte order mark', async () => {
    const bom = '\uFEFF';
    await check(`${bom}one\ntwo\n`, { old: 'two', new: '2' }, `${bom}one\n2\n`);
    await check(
      `${bom}using System;\r\n// őű\r\nint x = 1;\r\n`,
      { old: 'using System;\n// őű', new: 'using X;\n// őű' },
      `${bom}using X;\r\n// őű\r\nint x = 1;\r\n`,
    );
    await check(`${bom}one\n`, { old: `${bom}one`, new: `${bom}1` }, `${bom}1\n`);
  });

  it('encodings', async () => {
    await check(latin('caf\xe9\nkey = 1\n'), { old: 'key = 1', new: 'key = 2' }, latin('caf\xe9\nkey = 2\n'));
    await check(latin('caf\xe9\n'), { old: 'café', new: 'thé' }, latin('th\xe9\n'));
    await refused(latin('caf\xe9\nkey\n'), { old: 'key', new: '€' }, 'U+20AC', 'latin-1');
    const damaged = Buffer.concat([Buffer.from('grüße öäü\n'), Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from('key\n')]);
    const fixed = Buffer.concat([
      Buffer.from('grüße öäü\n'),
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from('schlüssel\n'),
    ]);
    await check(damaged, { old: 'key', new: 'schlüssel' }, fixed);
    for (const big of [false, true]) {
      await check(
        utf16('eins\r\nzwei €\r\n', big),
        { old: 'eins\nzwei', new: 'one\ntwo' },
        utf16('one\r\ntwo €\r\n', big),
      );
    }
    await refused('key\n', { old: 'key', new: '\ud800' }, 'surrogate');
    await check('a\u2028b\nc\x0cd\u0085\n', { old: 'c', new: 'C' }, 'a\u2028b\nC\x0cd\u0085\n');
  });

  it('for random files and edits', async () => {
    const byte = fc.constantFrom(0x61, 0x62, 0x20, 0x09, 0x0a, 0x0d, 0xc3, 0xa9, 0xe9, 0xff, 0x00, 0xf0, 0x9f);
    const chunk = fc.array(byte, { maxLength: 40 }).map((bytes) => Buffer.from(bytes));
    const needle = fc.constantFrom('NEEDLE', 'NEEDLE = (1)', 'NE\nEDLE', 'NEEDLÉ $&');
    const fresh = fc.stringMatching(/^[A-Z$&\\`' \t]{0,20}$/);
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        chunk,
        needle,
        fresh,
        chunk,
        fc.boolean(),
        async (bom, before, old, replacement, after, crlf) => {
          // In a file that is not UTF-8 only what Latin-1 holds is sure to be found.
          const inFile = Buffer.from(crlf ? old.replaceAll('\n', '\r\n') : old, 'utf8');
          const mark = bom ? Buffer.from([0xef, 0xbb, 0xbf]) : Buffer.alloc(0);
          const outcome = await applyEdits(Buffer.concat([mark, before, inFile, after]), [{ old, new: replacement }]);
          if ('refused' in outcome) {
            // Only where the byte before it begins a character that takes its first letter along, or where it is not
            // certain what the character before it is, or where a look-alike stands near.
            const { codec, doubtful, text } = await decodeText(Buffer.concat([mark, before, inFile, after]));
            const at = text.indexOf(crlf ? old.replaceAll('\n', '\r\n') : old);
            const isTaken = at < 0 && WITH_LETTERS.includes(codec.name) && before.at(-1)! >= 0x80;
            const isPart = isTaken || (at > 0 && doubtful === true && text.charCodeAt(at - 1) >= 0x80);
            expect(/[^\x00-\x7f\n]/.test(old) || isPart || outcome.why === 'ambiguous').toBe(true);
            return;
          }
          if (outcome.notes.length > 0) return;
          const expected = Buffer.concat([mark, before, Buffer.from(replacement), after]);
          expect(Buffer.concat(outcome.parts).toString('latin1')).toBe(expected.toString('latin1'));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('for random lists of edits on lines', async () => {
    const line = fc.stringMatching(/^[a-zé\t ]{0,12}$/);
    const ending = fc.constantFrom('\n', '\r\n');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(line, ending), { minLength: 1, maxLength: 30 }),
        fc.array(fc.nat(29), { maxLength: 5 }),
        async (lines, picks) => {
          const chosen = [...new Set(picks)].filter((i) => i < lines.length);
          const named = lines.map(([text, end], i) => [`${i}:${text};`, end] as const);
          const content = named.map(([text, end]) => text + end).join('');
          const edits = chosen
            .map((i) => ({ old: named[i]![0], new: `<${i}>` }))
            .filter(({ old }) => content.split(old).length === 2);
          if (edits.length === 0) return;
          const changed = new Map(edits.map((edit) => [edit.old, edit.new]));
          await check(content, edits, named.map(([text, end]) => (changed.get(text) ?? text) + end).join(''));
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('the replacement is literal', () => {
  it('dollars and backslashes', async () => {
    await check('price\n', { old: 'price', new: "$& $1 $$ $` $'" }, "$& $1 $$ $` $'\n");
    await check('p\n', { old: 'p', new: 'C:\\new\\table' }, 'C:\\new\\table\n');
    await check("it's\n", { old: "it's", new: 'it’s' }, 'it’s\n');
    await check('a b a\n', { old: 'a', new: '$&', all: true }, '$& b $&\n', /replaced 2 places/);
  });
});

describe('refused', () => {
  it('input that means nothing', async () => {
    await refused('x\n', { old: '', new: 'z' }, 'empty');
    await refused('x\n', { old: 'x', new: 'x' }, 'identical');
    await refused('x\n', [], 'No edit');
  });

  it('ambiguous text, with every place', async () => {
    await refused('x\ny\nx\n', { old: 'x', new: 'z' }, '2 times', 'line 1: x', 'line 3: x');
    await refused('aaa', { old: 'aa', new: 'b' }, '2 times');
    await refused('hello\r\nworld\r\n---\r\nhello\nworld\n', { old: 'hello\nworld\n', new: 'x' }, '2 times', 'line 4');
    const many = Array.from({ length: 9 }, (_, i) => `  call(${i % 2})`).join('\n');
    await refused(many, { old: 'call(0)', new: 'x' }, '5 times', /line 9/);
    await refused('  flush()\n}\n\tflush()\n', { old: 'flush()\n', new: 'x\n' }, '2 times');
    await refused(
      '\t\tflush()\n\t\treturn\n\tflush()\n\treturn\n',
      { old: '    flush()\n    return', new: 'x' },
      'fits 2 places',
      'line 1',
      'line 3',
    );
  });

  it('absent text, with the nearest lines and visible blanks', async () => {
    await refused('x\n', { old: 'nothing like it', new: 'z' }, 'not in the file');
    await refused(
      'function getData() {\n  const results = f();\n}\n',
      { old: 'function getData() {\n  const result = g();\n}', new: '' },
      'lines 1-3',
      '-   const result = g();',
      '+   const results = f();',
    );
    await refused('if x:\n    a()\n  b()\n', { old: 'if x:\n  a()\n  b()', new: 'c' }, '- ··a()', '+ ····a()');
  });

  it('one bad edit of several: nothing is changed', async () => {
    await refused(
      'a\nb\n',
      [
        { old: 'a', new: 'A' },
        { old: 'zzz', new: 'B' },
      ],
      'Edit 2 of 2',
      'Nothing was changed',
    );
    await refused(
      'one\ntwo\nthree\n',
      [
        { old: 'one\ntwo', new: '1' },
        { old: 'two\nthree', new: '2' },
      ],
      'overlaps',
    );
  });
});

describe('several edits', () => {
  it('are applied in order', async () => {
    await check(
      'a\nb\nc\n',
      [
        { old: 'a', new: 'A' },
        { old: 'c', new: 'C' },
      ],
      'A\nb\nC\n',
    );
    await check(
      'call(foo)\n',
      [
        { old: 'foo', new: 'bar' },
        { old: 'call(bar)', new: 'call(bar, 1)' },
      ],
      'call(bar, 1)\n',
    );
    await check(
      'x = 1\nx = 2\n',
      [
        { old: 'x = 1', new: 'x = 2' },
        { old: 'x = 2', new: 'x = 3' },
      ],
      'x = 2\nx = 3\n',
    );
  });
});

describe('forgiven where exactly one place fits', () => {
  it('trailing spaces', async () => {
    await check(
      'a  \nb\t\nc\n',
      { old: 'a\nb\nc', new: 'a\nB\nc' },
      'a  \nB\nc\n',
      /line 1 by forgiving trailing spaces/,
    );
    await check('a\nb\n', { old: 'a  \nb', new: 'a  \nc' }, 'a\nc\n', /trailing/);
  });

  it('indentation, keeping that of the file', async () => {
    await check(
      'func a() {\n\treturn 1\n}\n',
      { old: '    return 1', new: '    return 2' },
      'func a() {\n\treturn 2\n}\n',
      /indentation/,
    );
    await check(
      '\tif err != nil {\n\t\treturn err\n\t}\n',
      {
        old: '    if err != nil {\n        return err\n    }',
        new: '    if err != nil {\n        log(err)\n        if x {\n            return err\n        }\n    }',
      },
      '\tif err != nil {\n\t\tlog(err)\n\t\tif x {\n\t\t\treturn err\n\t\t}\n\t}\n',
      /indentation/,
    );
    await check('    a\n    b\n', { old: ' a\n b', new: ' a\n c\n     d' }, '    a\n    c\n        d\n', /indentation/);
    await check('  a:\n      b\n', { old: 'a:\n    b', new: 'a:\n    c' }, '  a:\n      c\n', /indentation/);
    await check(
      'a {\r\n\tb\r\n}\r\n',
      { old: 'a {\n    b\n}', new: 'a {\n    b\n    c\n}' },
      'a {\r\n\tb\r\n\tc\r\n}\r\n',
      /indentation/,
    );
  });

  it('typographic marks, keeping those of the file', async () => {
    await check(
      'say(“hi”) — it’s fine\n',
      { old: 'say("hi") - it\'s fine', new: 'say("hi") - it\'s good' },
      'say(“hi”) — it’s good\n',
      /typographic/,
    );
    // Two quotes that belong together are of one kind.
    await check('“a” “b”\n', { old: '"a" "b"', new: '"a" and "b" "c"' }, '“a” and “b” "c"\n', /typographic/);
    await check('“a” x\n', { old: '"a" x', new: '"a b" y' }, '“a b” y\n', /typographic/);
    await check('a\u00a0b c\n', { old: 'a b', new: 'a b2' }, 'a\u00a0b2 c\n', /typographic/);
    await check('x – y, z — w\n', { old: 'x - y, z - w', new: 'a - b, c - d' }, 'a – b, c — d\n', /typographic/);
  });

  it.each<[string, string, string, string]>([
    ['say(“a”, "b")', 'say("a", "b")', 'tell("a", "c")', 'tell(“a”, "c")'],
    [
      'const a = “hello”; say("x");',
      'const a = "hello"; say("x");',
      'say("x"); const a = "hello";',
      'say("x"); const a = “hello”;',
    ],
    ['said “hello” and "left"', 'said "hello" and "left"', 'said "left"', 'said "left"'],
    ['x = “a”, "b"', 'x = "a", "b"', 'x = "b", "a"', 'x = "b", “a”'],
    ['x = “a”', 'x = "a"', "x = 'a'", "x = 'a'"],
    ['p("a", “b”)', 'p(“a”, “b”)', 'p(“d”, “c”)', 'p("d", “c”)'],
    ['  x = “a”;\n  y = 1;', 'x = "a";\ny = 1;', 'z();\nx = "a";\ny = 2;', '  z();\n  x = “a”;\n  y = 2;'],
    ['it’s a dog’s ‘life’', "it's a dog's 'life'", "it's a cat's 'death'", 'it’s a cat’s ‘death’'],
  ])('marks of both kinds in one match: %s', async (content, old, fresh, expected) => {
    await check(`${content}\n`, { old, new: fresh }, `${expected}\n`, /forgiving/);
  });

  it('refuses where it cannot be told which quotes are meant', async () => {
    const edit = { old: 'a", "b', new: 'a" or "c" and "b' };
    expect(await applyEdits(Buffer.from('x “a”, “b”\n'), [edit])).toMatchObject({
      why: 'ambiguous',
      refused: expect.stringMatching(/does not tell which quotes.*\n {2}line 1: x “a”, “b”$/),
    });
  });

  it('escaped characters', async () => {
    await check('a\nb\nc\n', { old: 'a\\nb', new: 'a\\nB' }, 'a\nB\nc\n', /escaped/);
    await check('say("x")\n', { old: 'say(\\"x\\")', new: 'say(\\"y\\")' }, 'say("y")\n', /escaped/);
  });

  it('spaces inside lines of code, never inside a literal', async () => {
    const sum = 'function sum(a, b) {\n    return a + b;\n}\n';
    const edit = {
      old: 'function   sum(a,  b) {\n    return  a + b;\n}',
      new: 'function sum(a, b) {\n    return 0;\n}',
    };
    await check(sum, edit, 'function sum(a, b) {\n    return 0;\n}\n', /spaces inside lines/);
    for (const line of ['print("a  b")', "print('a  b')", 'x =~ /a  b/', '%w(a  b)', '`a  b`']) {
      const given = line.replace('  ', ' ');
      await refused(`${line}\n`, { old: given, new: `${given};` }, 'not in the file');
    }
    // A string over several lines.
    for (const [open, close] of [
      ['"""', '"""'],
      ['`', '`'],
      ['x = "', '"'],
      ['cat <<E', 'E'],
      ['text: |', ''],
      ['[[', ']]'],
    ])
      await refused(`${open}\nsome  words\n${close}\n`, { old: 'some words', new: 'other' }, 'not in the file');
  });

  it('line numbers of a listing', async () => {
    await check(
      'one\ntwo\nthree\n',
      { old: '2\ttwo\n3\tthree', new: '2\tTWO\n3\tthree' },
      'one\nTWO\nthree\n',
      /line numbers/,
    );
    await check('one\n  two\n', { old: '1 | one\n2 |   two', new: 'one\n  2' }, 'one\n  2\n', /line numbers/);
  });

  it('deletes and inserts whole lines', async () => {
    await check('a \nb \nc \n', { old: 'a\nb\nc', new: 'a\nc' }, 'a \nc \n', /trailing/);
    await check('a \nb \nc \n', { old: 'b\nc\n', new: '' }, 'a \n', /trailing/);
    await check('a \nb \nc', { old: 'a\nb\nc', new: 'a\nb' }, 'a \nb ', /trailing/);
    await check('a \nb \n', { old: 'a\nb\n', new: 'a\nb\nc\n' }, 'a \nb \nc\n', /trailing/);
    await check('a \nb ', { old: 'a\nb', new: 'a\nb\nc' }, 'a \nb \nc', /trailing/);
    await check('a \nb \n', { old: 'a\nb', new: 'z\na\nb' }, 'z\na \nb \n', /trailing/);
  });
});
