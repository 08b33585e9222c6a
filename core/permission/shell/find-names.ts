/** Which files `find` names: its starting points, and the names that its tests let through. */

import { type Fits, nameFilter, type Search } from './file-walk.ts';
import type { Scene } from './scene.ts';
import { searchesOf } from './search-secrets.ts';

/** `action`: where in the words that stands which is done with them; else they are printed. */
export function namesOfFind(words: readonly string[], scene: Scene, action?: number): readonly Search[] {
  const end = words.findIndex((word) => /^[-(!,)]/.test(word) && !/^-[HLPDO]/.test(word));
  const roots = words.slice(0, end < 0 ? words.length : end).filter((word) => !word.startsWith('-'));
  // An action is done for what the tests before it let through.
  const print = words.findIndex((word) => /^-(print0?|ls)$/.test(word));
  const before = action ?? (print < 0 ? words.length : print);
  return searchesOf(scene, roots.length > 0 ? roots : ['.'], filterOf(end < 0 ? [] : words.slice(end, before)));
}

/** Every way through the tests must go by a name: `-o` and `,` begin another way. */
function filterOf(tests: readonly string[]): Fits | undefined {
  const only: string[] = [];
  const without: string[] = [];
  let hasName = false;
  let ways = 1;
  let isComplete = true;
  for (let at = 0; at < tests.length; at++) {
    const word = tests[at]!;
    if (word === '-o' || word === '-or' || word === ',') {
      if (!hasName) isComplete = false;
      hasName = false;
      ways++;
    } else if (/^-exec|^-ok/.test(word)) {
      const close = tests.findIndex(
        (other, index) => index > at && (other === ';' || (other === '+' && tests[index - 1] === '{}')),
      );
      at = close < 0 ? tests.length : close;
    } else if (/^-i?name$/.test(word)) {
      const isNot = /^(!|-not)$/.test(tests[at - 1] ?? '');
      const pattern = tests[++at] ?? '';
      if (isNot) without.push(pattern);
      else {
        only.push(pattern);
        hasName = true;
      }
    } else if (/^-(i?(path|wholename|regex|lname)|type|maxdepth|mindepth|size|[mac](time|min)|perm|newer)$/.test(word))
      at++;
  }
  // What stands behind a `!` and a bracket is not followed.
  if (/(^| )(!|-not) \(/.test(tests.join(' '))) return undefined;
  return nameFilter(isComplete && hasName ? only : [], ways === 1 ? without : []);
}
