import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlight } from '../../../app/tui/highlight.ts';

/** Styled stretches as `style(text)`, plain text as it is. */
const marked = (code: string, info: string): string[] =>
  highlight(code, info).map((spans) => spans.map(({ style, text }) => (style ? `${style}(${text})` : text)).join(''));

describe('highlight', () => {
  it.each<[string, string, string[]]>([
    ['ts', 'const a = "x"; // y', ['keyword(const) a = string("x"); comment(// y)']],
    ['ts', 'a /* b\nc */ + `d\ne`', ['a comment(/* b)', 'comment(c */) + string(`d)', 'string(e`)']],
    [
      'python title="x"',
      'def f(): return 0x1F  # "no"',
      ['keyword(def) f(): keyword(return) number(0x1F)  comment(# "no")'],
    ],
    ['py', '"""doc\nmore"""\nx = 1.5e-3', ['string("""doc)', 'string(more""")', 'x = number(1.5e-3)']],
    ['rust', "fn f<'a>(c: char) -> 'x'", ["keyword(fn) f<'a>(c: keyword(char)) -> string('x')"]],
    ['sh', 'if [ $# -gt 1 ]; then # many', ['keyword(if) [ $# -gt number(1) ]; keyword(then) comment(# many)']],
    ['SQL', "select 'it''s' FROM t -- all", ["keyword(select) string('it''s') keyword(FROM) t comment(-- all)"]],
    ['json', '{"a": true, "b": "// c"}', ['{string("a"): keyword(true), string("b"): string("// c")}']],
    ['diff', '@@ -1 +1 @@\n-a\n+b\n c', ['hunk(@@ -1 +1 @@)', 'removed(-a)', 'added(+b)', ' c']],
    ['', 'const a', ['const a']],
    ['constructor', 'const a', ['const a']],
  ])('%s: %s', (info, code, lines) => {
    expect(marked(code, info)).toEqual(lines);
  });

  it('changes no character, whatever the code', () => {
    const bits = fc.constantFrom(
      '"',
      "'",
      '`',
      '\\',
      '//',
      '/*',
      '*/',
      '#',
      '--',
      '[[',
      ']]',
      '<!--',
      '\n',
      ' ',
      'if',
      '12',
      'é',
    );
    const code = fc.array(bits, { maxLength: 40 }).map((parts) => parts.join(''));
    const info = fc.constantFrom(
      'ts',
      'c',
      'go',
      'rs',
      'py',
      'rb',
      'sh',
      'yaml',
      'json',
      'css',
      'sql',
      'lua',
      'html',
      'none',
    );
    fc.assert(
      fc.property(code, info, (source, name) => {
        expect(
          highlight(source, name)
            .map((spans) => spans.map(({ text }) => text).join(''))
            .join('\n'),
        ).toBe(source);
      }),
      { numRuns: 500 },
    );
  });
});
