import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../../core/permission/shell/parse.ts';

const words = (command: string) => {
  const parsed = parseCommand(command);
  return parsed.ok ? parsed.commands.map((one) => one.words) : parsed.reason;
};

describe('lists of words', () => {
  test.each<[string, string[][]]>([
    ['', []],
    ['   ', []],
    ['git status', [['git', 'status']]],
    ["r''m x", [['rm', 'x']]],
    ['\\rm "a b" c\\ d', [['rm', 'a b', 'c d']]],
    ['"git" \'log\'', [['git', 'log']]],
    ['echo "a\\"b\\$c" \'\\x\'', [['echo', 'a"b$c', '\\x']]],
    ["echo ''", [['echo', '']]],
    ['a && b || c; d | e |& f & g', [['a'], ['b'], ['c'], ['d'], ['e'], ['f'], ['g']]],
    ['a\nb\n\nc # rest | of it\nd', [['a'], ['b'], ['c'], ['d']]],
    ['a \\\n  b', [['a', 'b']]],
    ['echo a#b "#c"', [['echo', 'a#b', '#c']]],
    ['find . -exec grep -l x {} +', [['find', '.', '-exec', 'grep', '-l', 'x', '{}', '+']]],
    ['git show HEAD@{1}', [['git', 'show', 'HEAD@{1}']]],
    ['grep "end$" x', [['grep', 'end$', 'x']]],
    ['[ -f x ]', [['[', '-f', 'x', ']']]],
    ['cat *.txt', [['cat', '*.txt']]],
    [
      "echo 'if'; echo then",
      [
        ['echo', 'if'],
        ['echo', 'then'],
      ],
    ],
  ])('%j', (command, expected) => expect(words(command)).toEqual(expected));

  test('redirects and assignments stand apart from words', () => {
    const parsed = parseCommand('A=1 B+="x y" cmd a >out 2>&1 <in &>>log 2>/dev/null b');
    expect(parsed).toEqual({
      ok: true,
      commands: [
        {
          assignments: [
            { name: 'A', value: '1' },
            { name: 'B', value: 'x y' },
          ],
          words: ['cmd', 'a', 'b'],
          redirects: [
            { op: '>', target: 'out' },
            { op: '>&', target: '1', fd: 2 },
            { op: '<', target: 'in' },
            { op: '&>>', target: 'log' },
            { op: '>', target: '/dev/null', fd: 2 },
          ],
          separator: '',
        },
      ],
    });
  });

  test('a digit belongs to a redirect only when it stands alone', () => {
    const parsed = parseCommand('echo a2>x');
    expect(parsed.ok && parsed.commands[0]).toMatchObject({
      words: ['echo', 'a2'],
      redirects: [{ op: '>', target: 'x' }],
    });
  });

  test('the separator is the one behind the command', () => {
    const parsed = parseCommand('a | b && c;');
    expect(parsed.ok && parsed.commands.map(({ separator }) => separator)).toEqual(['|', '&&', ';']);
  });
});

describe('what is computed or unknown is refused with a reason', () => {
  test.each<[string, RegExp]>([
    ['$(echo rm) x', /substitution/],
    ['`echo rm` x', /substitution/],
    ['echo "$(rm x)"', /substitution/],
    ['echo "`rm x`"', /substitution/],
    ['$X -rf keep', /variable/],
    ['echo "$HOME"', /variable/],
    ['echo $' + '{x@P}', /variable/],
    ["$'r\\x6d' x", /quote with escapes/],
    ['$"rm" x', /quote with escapes/],
    ['{rm,-rf,x}', /braces/],
    ['echo a{b,c}', /braces/],
    ['{ ls; }', /braces/],
    ['(ls)', /parentheses/],
    ['f() { ls; }', /parentheses/],
    ['x=(a b)', /parentheses/],
    ['ls *(e:whoami:)', /parentheses/],
    ['a[1]=2', /array/],
    ['cat <<EOF\nx\nEOF', /here-document/],
    ['cat <<< x', /here-document/],
    ['diff <(a) <(b)', /substitution/],
    ['xargs rm < <(echo keep)', /substitution|target/],
    ['r\u200bm x', /invisible/],
    ['rm\u00a0x', /invisible/],
    ['echo \u202etxt', /invisible/],
    ['ls\rrm x', /control/],
    ['ls \u001b[2J', /control/],
    ['\u0433m x', /mistaken/],
    ['r* x', /pattern/],
    ['/bin/r[m] x', /pattern/],
    ['! ls', /negates/],
    ['if true; then ls; fi', /keyword if/],
    ['for f in a; do ls; done', /keyword for/],
    ['while true; do ls; done', /keyword while/],
    ['function f { ls; }', /keyword function/],
    ['[[ -f x ]]', /keyword/],
    ['coproc ls', /keyword coproc/],
    ['a ;; b', /case/],
    ['echo "a', /not closed/],
    ["echo 'a", /not closed/],
    ['echo a\\', /backslash/],
    ['ls &&', /ends with/],
    ['ls |', /ends with/],
    ['&& ls', /missing/],
    ['ls || ; ls', /missing/],
    ['ls >', /target/],
    ['ls > *.txt', /pattern/],
    ['a'.repeat(100_001), /too long/],
  ])('%j', (command, reason) => expect(words(command)).toMatch(reason));
});
