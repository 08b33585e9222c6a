import { describe, expect, it } from 'vitest';
import { parseFrontMatter } from '../../../core/skills/front-matter.ts';

function check(text: string, fields: Record<string, string>, warnings: [number, RegExp][] = []) {
  const parsed = parseFrontMatter(text);
  expect({ ...parsed.fields }).toEqual(fields);
  expect(parsed.warnings.map((warning) => warning.line)).toEqual(warnings.map(([line]) => line));
  warnings.forEach(([, message], index) => {
    expect(parsed.warnings[index]!.message).toMatch(message);
  });
  return text.slice(parsed.bodyStart);
}

describe('what strict YAML reads too', () => {
  it.each([
    ['plain', '---\nname: a\ndescription: Does b.\n---\nBody\n', { name: 'a', description: 'Does b.' }],
    ['byte order mark', '\uFEFF---\nname: a\n---\nBody\n', { name: 'a' }],
    ['CRLF', '---\r\nname: a\r\ndescription: b\r\n---\r\nBody\n', { name: 'a', description: 'b' }],
    [
      'folded',
      '---\ndescription: >-\n  One\n  two.\n\n  Three.\nname: a\n---\nBody\n',
      { description: 'One two.\nThree.', name: 'a' },
    ],
    ['literal', '---\ndescription: |\n  One\n    two\n---\nBody\n', { description: 'One\n  two' }],
    ['continued', '---\ndescription: One\n  two\n  three\n---\nBody\n', { description: 'One two three' }],
    ['double quotes', '---\ndescription: "a: \\"b\\" \\u00e9"\n---\nBody\n', { description: 'a: "b" é' }],
    ['single quotes', "---\ndescription: 'it''s: b'\n---\nBody\n", { description: "it's: b" }],
    ['comments', '---\n# first\nname: a # the name\n\ndescription: b\n---\nBody\n', { name: 'a', description: 'b' }],
    [
      'nested',
      '---\nname: a\nmetadata:\n  author: x\ntags:\n- one\n- two\n---\nBody\n',
      { name: 'a', metadata: 'author: x', tags: '- one\n- two' },
    ],
    ['empty values', '---\nname:\ndescription: ~\n---\nBody\n', { name: '', description: '' }],
    [
      'a link',
      '---\ndescription: See https://example.com/a:b\n---\nBody\n',
      { description: 'See https://example.com/a:b' },
    ],
  ])('%s', (_, text, fields) => {
    expect(check(text, fields)).toBe('Body\n');
  });
});

describe('what strict YAML refuses is read and reported', () => {
  it.each<[string, string, Record<string, string>, [number, RegExp][]]>([
    [
      'colon',
      '---\nname: a\ndescription: Turn X into Y: no interview\n---\n',
      { name: 'a', description: 'Turn X into Y: no interview' },
      [[3, /colon/]],
    ],
    [
      'quotes in single quotes',
      "---\ndescription: 'Use when it's late'\n---\n",
      { description: "Use when it's late" },
      [[2, /quotes/]],
    ],
    [
      'quotes in double quotes',
      '---\ndescription: "Say "hi" now"\n---\n',
      { description: 'Say "hi" now' },
      [[2, /quotes/]],
    ],
    ['open quote', '---\ndescription: "Say hi\n---\n', { description: 'Say hi' }, [[2, /quotes/]]],
    ['hash', '---\ndescription: Fix issue #12 fast\n---\n', { description: 'Fix issue #12 fast' }, [[2, /#/]]],
    ['alias', '---\ndescription: *fast* fix\n---\n', { description: '*fast* fix' }, [[2, /begins with \*/]]],
    ['twice', '---\nname: a\nname: b\n---\n', { name: 'a' }, [[3, /twice/]]],
    ['stray line', '---\nname: a\nwhat is this\n---\n', { name: 'a' }, [[3, /not understood: what is this/]]],
    ['no front matter', '# Title\n', {}, [[1, /no front matter/]]],
  ])('%s', (_, text, fields, warnings) => {
    check(text, fields, warnings);
  });

  it('keeps the body when the closing line is missing', () => {
    const body = check('---\nname: a\ndescription: b\n\n# Title\nText: more\n', { name: 'a', description: 'b' }, [
      [1, /no closing/],
    ]);
    expect(body).toBe('\n# Title\nText: more\n');
  });

  it('says that it saw only a part', () => {
    expect(parseFrontMatter('---\nname: a\ndescr').closed).toBe(false);
    expect(parseFrontMatter('---\nname: a\n---\n').closed).toBe(true);
  });
});
