/** `find`: its tests, and its actions that write, delete or run. */
import { namesOfFind } from './find-names.ts';
import { combine, type Judge, type Outcome, outcome, touch } from './scene.ts';
import { judgeFollowed } from './search-secrets.ts';
import { judgeComputed } from './wrappers.ts';

const set = (names: string) => new Set(names.split(' '));

/** Tests and actions of find that take values; the count is how many words follow. */
const FIND_VALUES = new Map(
  'name iname path ipath wholename iwholename regex iregex lname ilname type xtype maxdepth mindepth size mtime atime ctime mmin amin cmin perm user group uid gid links inum printf regextype fstype used context D'
    .split(' ')
    .map((name) => [`-${name}`, 1]),
);

const FIND_FILES = set('-newer -anewer -cnewer -samefile');

export const judgeFind: Judge = (words, scene) => {
  const notes: Outcome[] = [];
  const roots: string[] = [];
  let at = 0;
  // These stand before the starting points; of several the last one counts.
  let follows = false;
  for (; /^-([HLP]|D|O\d*)$/.test(words[at] ?? ''); at += words[at] === '-D' ? 2 : 1)
    if (/^-[HLP]$/.test(words[at]!)) follows = words[at] === '-L';
  for (; at < words.length && !/^[-(!,)]/.test(words[at]!); at++) roots.push(words[at]!);
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (/^-(exec|execdir|ok|okdir)$/.test(word)) {
      const end = words.findIndex(
        (other, index) => index > at && (other === ';' || (other === '+' && words[index - 1] === '{}')),
      );
      const inner = words.slice(at + 1, end < 0 ? words.length : end);
      notes.push({ ...outcome('read'), inner: judgeComputed(inner, scene, namesOfFind(words, scene, at)) });
      if (/dir$/.test(word)) notes.push(outcome('unknown', `find ${word} runs in the folders that it finds`));
      at = end < 0 ? words.length : end;
    } else if (word === '-follow') follows = true;
    else if (word === '-delete')
      notes.push({
        ...outcome('destructive', 'find -delete deletes what it finds'),
        changes: namesOfFind(words, scene, at),
      });
    else if (/^-f(print0?|ls|printf)$/.test(word)) {
      notes.push(outcome('write', `find ${word} writes a file`), touch(scene, [words[at + 1] ?? ''], 'write'));
      at += word === '-fprintf' ? 2 : 1;
    } else if (word === '-files0-from') {
      at++;
      notes.push({ ...outcome('outside', 'find looks into folders that a file names'), readOnly: true });
    } else if (FIND_FILES.has(word) || /^-newer[aBcm][aBcmt]$/.test(word)) {
      notes.push(touch(scene, [words[++at] ?? ''], 'list'));
    } else if (!/^[-(!,)]/.test(word)) roots.push(word);
    else at += FIND_VALUES.get(word) ?? 0;
  }
  if (follows) notes.push(judgeFollowed(scene, roots.length > 0 ? roots : ['.']));
  return combine(outcome('read'), touch(scene, roots, 'list'), ...notes);
};
