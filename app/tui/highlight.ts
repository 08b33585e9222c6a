/** A small tokenizer that colours comments, strings, numbers and keywords of common languages; no grammar. */
import type { Span } from './code-rows.ts';
import type { Style } from './text/style.ts';

interface Language {
  /** Sources of regular expressions; each must be linear. */
  comment: readonly string[];
  string: readonly string[];
  keywords: ReadonlySet<string>;
  ignoreCase?: boolean;
}

const LINE = '//[^\\n]*';
const BLOCK = '/\\*[^]*?(?:\\*/|$)';
const HASH = '(?<![^\\s])#[^\\n]*';
const DOUBLE = '"(?:\\\\.|[^"\\\\\\n])*"?';
const SINGLE = "'(?:\\\\.|[^'\\\\\\n])*'?";
const BACKTICK = '`(?:\\\\[^]|[^`\\\\])*`?';
const TRIPLE = '"""[^]*?(?:"""|$)|\'\'\'[^]*?(?:\'\'\'|$)';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const language = (comment: string[], string: string[], keywords: string, ignoreCase = false): Language => ({
  comment,
  string,
  keywords: words(keywords),
  ignoreCase,
});

const script = language(
  [LINE, BLOCK],
  [BACKTICK, DOUBLE, SINGLE],
  'abstract as async await break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace new null of override private protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void while with yield',
);
const curly = language(
  [LINE, BLOCK],
  [DOUBLE, SINGLE],
  'abstract auto bool boolean break byte case catch char class const constexpr continue default delegate delete do double else enum event explicit export extends extern false final finally float for foreach friend goto if implements import in inline instanceof int interface internal is lock long namespace new null nullptr operator out override package params private protected public readonly ref return sealed short signed sizeof static string struct super switch template this throw throws true try typedef typename union unsigned using var virtual void volatile when where while yield fun val object companion data guard let func init self nil',
);
const go = language(
  [LINE, BLOCK],
  [BACKTICK, DOUBLE, SINGLE],
  'break case chan const continue default defer else fallthrough false for func go goto if import interface iota map nil package range return select struct switch true type var any error string bool int int64 byte rune float64 make new len append',
);
const rust = language(
  [LINE, BLOCK],
  [DOUBLE, "'(?:\\\\[^']+|[^'\\\\\\n])'"],
  'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while bool char f64 i32 i64 u8 u32 u64 usize str String Option Result Some None Ok Err Vec',
);
const python = language(
  [HASH],
  [TRIPLE, DOUBLE, SINGLE],
  'False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield',
);
const ruby = language(
  [HASH],
  [DOUBLE, SINGLE],
  'BEGIN END alias and begin break case class def defined? do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield require attr_reader attr_accessor',
);
const shell = language(
  [HASH],
  ['"(?:\\\\[^]|[^"\\\\])*"?', "'[^']*'?"],
  'if then else elif fi for in do done while until case esac function return export local readonly set unset exit source alias echo cd trap shift eval exec',
);
const config = language([HASH], [TRIPLE, DOUBLE, SINGLE], 'true false null yes no on off');
const json = language([LINE, BLOCK], [DOUBLE], 'true false null');
const css = language([BLOCK], [DOUBLE, SINGLE], 'important from to media import supports keyframes');
const sql = language(
  ['--[^\\n]*', BLOCK],
  ["'(?:''|[^'])*'?", DOUBLE],
  'add all alter and as asc begin between by case check column commit constraint create cross default delete desc distinct drop else end exists false foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then true union unique update using values view when where with',
  true,
);
const lua = language(
  ['--\\[\\[[^]*?(?:\\]\\]|$)', '--[^\\n]*'],
  [DOUBLE, SINGLE, '\\[\\[[^]*?(?:\\]\\]|$)'],
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while',
);
const markup = language(['<!--[^]*?(?:-->|$)'], [DOUBLE], '');

const LANGUAGES: Readonly<Record<string, Language>> = {
  ...names('js jsx mjs cjs ts tsx mts cts javascript typescript svelte vue', script),
  ...names('c h cc cpp cxx hpp c++ cs csharp java kt kotlin swift scala dart php objc zig proto groovy', curly),
  ...names('go golang', go),
  ...names('rs rust', rust),
  ...names('py py3 python pyi', python),
  ...names('rb ruby', ruby),
  ...names('sh bash zsh fish shell console ksh make makefile dockerfile docker', shell),
  ...names('yaml yml toml ini conf env properties hcl tf nix', config),
  ...names('json jsonc json5 jsonl', json),
  ...names('css scss less', css),
  ...names('sql psql mysql sqlite', sql),
  ...names('lua', lua),
  ...names('html xml svg xhtml', markup),
};

function names(list: string, value: Language): Record<string, Language> {
  return Object.fromEntries(list.split(' ').map((name) => [name, value]));
}

const patterns = new WeakMap<Language, RegExp>();

/** Groups: 1 comment, 2 string, 3 number, 4 word. */
function patternOf(found: Language): RegExp {
  let pattern = patterns.get(found);
  if (!pattern) {
    const number = '\\b(?:0[xXbBoO][\\da-fA-F_]+|\\d[\\d_]*(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)\\w*';
    const source = `(${found.comment.join('|')})|(${found.string.join('|')})|(${number})|([A-Za-z_$][\\w$]*)`;
    pattern = new RegExp(source, 'g');
    patterns.set(found, pattern);
  }
  return pattern;
}

/** Code as spans, one list for each line; `info` is what stands behind the fence. An unknown language stays plain. */
export function highlight(code: string, info: string): Span[][] {
  const name = /^[^\s,{:]*/.exec(info)![0].toLowerCase().replace(/^\./, '');
  if (name === 'diff' || name === 'patch') return code.split('\n').map((text) => [{ style: changeStyle(text), text }]);
  const found = Object.hasOwn(LANGUAGES, name) ? LANGUAGES[name] : undefined;
  if (!found) return code.split('\n').map((text) => [{ style: null, text }]);
  const lines: Span[][] = [[]];
  let at = 0;
  for (const match of code.matchAll(patternOf(found))) {
    const style = styleOf(match, found);
    if (!style) continue;
    add(lines, null, code.slice(at, match.index));
    add(lines, style, match[0]);
    at = match.index + match[0].length;
  }
  add(lines, null, code.slice(at));
  return lines;
}

function styleOf(match: RegExpMatchArray, { keywords, ignoreCase }: Language): Style | null {
  if (match[1] !== undefined) return 'comment';
  if (match[2] !== undefined) return 'string';
  if (match[3] !== undefined) return 'number';
  return keywords.has(ignoreCase ? match[4]!.toLowerCase() : match[4]!) ? 'keyword' : null;
}

function changeStyle(line: string): Style | null {
  if (line.startsWith('@@')) return 'hunk';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : null;
}

function add(lines: Span[][], style: Style | null, text: string): void {
  if (text === '') return;
  for (const [index, part] of text.split('\n').entries()) {
    if (index > 0) lines.push([]);
    if (part) lines.at(-1)!.push({ style, text: part });
  }
}
