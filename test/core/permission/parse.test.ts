import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { GrammarNeeded, loadGrammar, parseCommand } from '../../../core/permission/shell/parse.ts';
import { readGrammar } from '../../../core/permission/shell/read-grammar.ts';
import { readScript } from '../../../core/permission/shell/read-script.ts';
import { plainText, type Statement, Unreadable } from '../../../core/permission/shell/syntax.ts';

test.each([
  'git status && ls',
  'if ls; then ls; else pwd; fi',
  'for f in *.ts; do wc -l "$f"; done | sort',
  'git commit -m "$(cat <<\'X\'\nwords\nX\n)"',
  'f() { case $1 in a|b) ls;; *) [[ -f $1 ]] && cat <(sort "$1");; esac; }; f x',
])('%j is read before the grammar is there', (command) => expect(parseCommand(command).ok).toBe(true));

test('what the reader by hand leaves out needs the grammar', () => {
  expect(() => parseCommand('echo `ls \\`pwd\\``')).toThrow(GrammarNeeded);
});

/** The words of every simple command, in order. */
const wordsOf = (statement: Statement): string[][] => {
  switch (statement.kind) {
    case 'command':
      return [statement.words.map((word) => plainText(word) ?? '?')];
    case 'pipeline':
      return statement.parts.flatMap(wordsOf);
    case 'and-or':
      return statement.items.flatMap(wordsOf);
    case 'group':
    case 'subshell':
      return statement.body.flatMap(wordsOf);
    case 'background':
    case 'redirected':
    case 'function':
      return wordsOf(statement.body);
    case 'loop':
      return [...statement.condition.flatMap(wordsOf), ...wordsOf(statement.body)];
    case 'branches':
      return statement.branches.flatMap(({ condition, body }) => [...condition, ...body].flatMap(wordsOf));
    default:
      return [];
  }
};
const read = (command: string) => {
  const parsed = parseCommand(command);
  return parsed.ok ? parsed.statements : parsed.reason;
};
const words = (command: string) => {
  const statements = read(command);
  return typeof statements === 'string' ? statements : statements.flatMap(wordsOf);
};

describe('with the grammar', () => {
  beforeAll(() => loadGrammar());

  test.each<[string, string[][]]>([
    ['', []],
    ['   ', []],
    ['git status', [['git', 'status']]],
    ["r''m x", [['rm', 'x']]],
    ['\\rm "a b" c\\ d', [['rm', 'a b', 'c d']]],
    ['echo "a\\"b\\$c" \'\\x\'', [['echo', 'a"b$c', '\\x']]],
    ["echo ''", [['echo', '']]],
    ['a && b || c; d | e |& f & g', [['a'], ['b'], ['c'], ['d'], ['e'], ['f'], ['g']]],
    ['a\nb\n\nc # rest | of it\nd', [['a'], ['b'], ['c'], ['d']]],
    ['a |\n b &&\n\n c', [['a'], ['b'], ['c']]],
    ['a \\\n  b', [['a', 'b']]],
    ['echo a#b "#c"', [['echo', 'a#b', '#c']]],
    ['git show HEAD@{1}', [['git', 'show', 'HEAD@{1}']]],
    ["$'r\\x6d' x", [['rm', 'x']]],
    ['$"rm" x', [['rm', 'x']]],
    ['(ls; (pwd))', [['ls'], ['pwd']]],
    ['{ ls; pwd; }', [['ls'], ['pwd']]],
    ['! ls', [['ls']]],
    ['if a; then b; elif c; then d; else e; fi', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['for f in a b; do ls; done', [['ls']]],
    ['for f in a b\ndo\n  ls # x\ndone', [['ls']]],
    ['while a; do b; done; until c; do d; done', [['a'], ['b'], ['c'], ['d']]],
    ['case $x in a) b;; c|d) e;; esac', [['b'], ['e']]],
    ['f() { ls; }; f', [['ls'], ['f']]],
    ['for ((i = 0; i < 3; i++)); do ls; done', [['ls']]],
    ['cat <<X | b && c\nrm\nX\nd', [['cat'], ['b'], ['c'], ['d']]],
    // The grammar drops a dash in front of a here-document; the words do not.
    ['cat - <<X\nx\nX', [['cat', '-']]],
    ['a && cat - <<X\nx\nX', [['a'], ['cat', '-']]],
    ['echo > f -n y', [['echo', '-n', 'y']]],
    ['echo "$(a | b)"', [['echo', '?']]],
    ['cat <<A <<-B && c\na\nA\n\tb\n\tB\nd', [['cat'], ['c'], ['d']]],
    ['cat > f <<X && a | b\n$(x)\nX\nc', [['cat'], ['a'], ['b'], ['c']]],
    ['coproc ls; coproc N { cat; }', [['ls'], ['cat']]],
    ['select x in a b; do ls; done', [['read', 'REPLY'], ['ls']]],
    ['case x in a) b;& c) d;; e) f; esac', [['b'], ['d'], ['d'], ['f']]],
    ['case x in a) b;;& c) d;; esac', [['b'], ['d'], ['d']]],
    ['! a | b', [['a'], ['b']]],
  ])('%j', (command, expected) => expect(words(command)).toEqual(expected));

  test('redirects and assignments stand apart from words', () => {
    const plain = (text: string) => [{ kind: 'text', text, quoted: false }];
    expect(read('A=1 B+=x cmd a >out 2>&1 <in &>>log b')).toEqual([
      {
        kind: 'command',
        assignments: [
          { name: 'A', value: plain('1'), append: false },
          { name: 'B', value: plain('x'), append: true },
        ],
        words: [plain('cmd'), plain('a'), plain('b')],
        redirects: [
          { op: '>', target: plain('out') },
          { op: '>&', target: plain('1'), fd: 2 },
          { op: '<', target: plain('in') },
          { op: '&>>', target: plain('log') },
        ],
      },
    ]);
  });

  test.each<[string, RegExp]>([
    ['ls\rrm x', /control/],
    ['ls \u001b[2J', /control/],
    ['ls \uffff', /control/],
    ['r\u200bm x', /invisible/],
    ['rm\u00a0x', /invisible/],
    ['echo \u202etxt', /invisible/],
    ['\u0433m x', /mistaken/],
    ['r* x', /pattern/],
    ['/bin/r[m] x', /pattern/],
    ['ls > *.txt', /pattern/],
    ['echo $' + '{x@P}', /read anew/],
    ['echo $' + '{!x}', /value of another/],
    ['echo $((a[$(ls)]))', /arithmetic|form/],
    ['echo $[a[1]]', /brackets/],
    ["$'\\xff' x", /bytes/],
    ['a[$x]=2', /array/],
    ['ls *(e:whoami:)', /whole command|parentheses|form/],
    ['=(ls)', /whole command|parentheses|form/],
    ['time if true; then ls; fi', /keyword/],
    ['a ;; b', /form/],
    ['echo "a', /whole command|closed/],
    ["echo 'a", /whole command|closed/],
    ['echo a\\', /whole command|backslash/],
    ['ls &&', /whole command|operator/],
    ['&& ls', /whole command|missing/],
    ['ls >', /whole command|target/],
    ['cat <<X\nx', /whole command|here-document/],
    ['cat <<"A B"\nx\nA B', /here-document|whole command/],
  ])('%j is refused with a reason', (command, reason) => expect(words(command)).toMatch(reason));

  test('a command that is too long is refused', () => expect(words('a'.repeat(100_001))).toMatch(/too long/));

  /** Both readers of a command that both can read. */
  const both = (command: string): [unknown, unknown] | undefined => {
    try {
      return [readScript(command), readGrammar(command)];
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  };

  test('both readers give the same wherever both can read', () => {
    const piece = fc.constantFrom(
      ...['ls', 'a b', "'x y'", '"x\\"y"', '\\ ', 'A=1', 'x=', '>o', '2>&1', '<i', '<<<z', '&>>l', '#c', 'a#b', '{}'],
      ...['{a,b}', '*.ts', '~', '-', '--x=1', '$', '%', '!', '[ a ]', '\\\n', '""', "''", '=', '+=', '2', 'é', '@{1}'],
    );
    const operator = fc.constantFrom(' ', ' ', ' ', '', ';', '&&', '||', '|', '|&', '&', '\n', '\n\n', ' # c\n', '\t');
    let compared = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, operator), { maxLength: 8 }), (pieces) => {
        const read = both(pieces.flat().join(''));
        if (!read) return;
        compared++;
        expect(read[1]).toEqual(read[0]);
      }),
      { numRuns: 2000 },
    );
    expect(compared).toBeGreaterThan(100);
  });

  /** A script that grows as a row of numbers decides. */
  const grow = (numbers: readonly number[]): string => {
    const left = [...numbers];
    const pick = <T>(...choices: readonly T[]): T => choices[(left.shift() ?? 0) % choices.length]!;
    const word = (depth: number): string =>
      pick(
        ...[() => 'ls', () => '"b c"', () => "'d'", () => '$x', () => '"$y"', () => '$' + '{z:-1}', () => '*.c'],
        ...[() => 'x=1', () => '2>&1', () => '>o', () => '$((1+2))', () => '`p`', () => '$' + '{q%.*}', () => 'a\\ b'],
        ...(depth > 3
          ? []
          : [() => `$(${script(depth)})`, () => `"q $(${script(depth)}) r"`, () => `<(${script(depth)})`]),
      )();
    const simple = (depth: number) => Array.from({ length: pick(1, 2, 3) }, () => word(depth)).join(' ');
    const command = (depth: number): string =>
      pick(
        () => simple(depth),
        ...(depth > 3
          ? []
          : [
              () => `if ${script(depth)}; then ${script(depth)}; fi`,
              () => `if ${script(depth)}\nthen ls\nelif a; then b; else ${script(depth)}\nfi`,
              () => `while ${script(depth)}; do ${script(depth)}; done`,
              () => `case $q in x|"y z") ${script(depth)};; (*) ${script(depth)}\nesac`,
              () => `for v in a $b; do ${script(depth)}; done`,
              () => `(${script(depth)})`,
              () => `{ ${script(depth)}; }`,
              () => `f() { ${script(depth)}; }`,
              () => `[[ a == ${word(depth)} && -f x ]]`,
              () => `cat <<X\n${word(depth)} t\nX`,
              () => `cat <<'X'\n${word(depth)} t\nX`,
              () => `! ${simple(depth)}`,
              () => `${command(depth + 1)} >o`,
            ]),
      )();
    const script = (depth: number): string => {
      let all = command(depth + 1);
      for (let more = pick(0, 0, 1, 2); more > 0; more--)
        all += pick('; ', '\n', ' && ', ' || ', ' | ', ' & ', ' # k\n') + command(depth + 1);
      return all;
    };
    return script(0);
  };

  test('compound commands: both readers give the same wherever both can read', () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 5, maxLength: 40 }), (numbers) => {
        const read = both(grow(numbers));
        if (!read) return;
        compared++;
        expect(read[1]).toEqual(read[0]);
      }),
      { numRuns: 1500 },
    );
    expect(compared).toBeGreaterThan(300);
  });
});
