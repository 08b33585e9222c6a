/** `fd`, which lists files and, with `-x` and `-X`, runs a command on them (manual of fd 10). */
import type { Search } from './file-walk.ts';
import { takesBackHidden } from './git-ignored.ts';
import { judgeReader } from './judge-table.ts';
import { type Arguments, splitArguments } from './options.ts';
import { READ_PROGRAMS } from './read-programs.ts';
import { combine, type Judge, outcome, type Scene } from './scene.ts';
import { searchesOf, withoutIgnored } from './search-secrets.ts';
import { judgeComputed } from './wrappers.ts';

const RUNS = /^(-x|-X|--exec|--exec-batch)$/;
const fd = READ_PROGRAMS.fd!;
const VALUES = new Set(`${fd.values} ${fd.files}`.split(' '));

export const judgeFd: Judge = (words, scene) => {
  const at = words.findIndex((word) => RUNS.test(word));
  if (at < 0 || VALUES.has(words[at - 1] ?? '')) return judgeReader('fd', fd, words, scene);
  const before = words.slice(0, at);
  const end = words.indexOf(';', at);
  const inner = words.slice(at + 1, end < 0 ? words.length : end);
  const rest = end < 0 ? [] : words.slice(end + 1);
  const listed = judgeReader('fd', fd, [...before, ...rest], scene);
  // Parts of a name lead to another file than the one that was found: `{.}` of `prod.env.example` is `prod.env`.
  const isWhole = inner.every((word) => word === '{}' || !/\{(\/|\.|\/\.|\/\/)?\}/.test(word));
  const named = isWhole && rest.length === 0 ? found(splitArguments(before, { values: VALUES }), scene) : undefined;
  return combine(listed, { ...outcome('read'), inner: judgeComputed(inner, scene, named) });
};

/** The files that it finds, as far as options tell. */
function found({ options, operands }: Arguments, scene: Scene): readonly Search[] | undefined {
  const has = (pattern: RegExp) => options.some(({ name }) => pattern.test(name));
  if (has(/^--(base-directory|search-path|ignore-file)$/)) return undefined;
  const endings = options
    .filter(({ name }) => /^(-e|--extension)$/.test(name))
    .map(({ value = '' }) => `.${value.replace(/^\./, '').toLowerCase()}`);
  const isHidden = has(/^(-H|-u|--hidden|--unrestricted)$/) || scene.cwds.some(takesBackHidden);
  const folders = operands.slice(1);
  const searches = searchesOf(
    scene,
    folders.length > 0 ? folders : ['.'],
    (path) =>
      (isHidden || !/(^|\/)\./.test(path)) &&
      (endings.length === 0 || endings.some((ending) => path.toLowerCase().endsWith(ending))),
  );
  return has(/^(-u|-I|--no-ignore.*|--unrestricted)$/) ? searches : withoutIgnored(searches, scene);
}
