/** Judges `man`: a page with a slash, or behind `-l`, is a file, and a page can take in others (man-db 2.11). */
import { splitArguments } from './options.ts';
import { combine, type Judge, type Outcome, outcome, touch } from './scene.ts';

/** Options that only choose or show pages of the system. */
const PLAIN =
  /^(-[kfawWis0-9cduDIhVK7]|--(apropos|whatis|all|where|path|location|where-cat|location-cat|sections?|ignore-case|match-case|names-only|regex|wildcard|ascii|global-apropos|debug|default|no-justification|no-hyphenation|version|help|usage))$/;
const VALUES = new Set(
  '-s -S --sections -L --locale -M --manpath -m --systems -P --pager -C --config-file -R --recode -r --prompt -E --encoding -p --preprocessor -e --extension'.split(
    ' ',
  ),
);
const RUNS = /^(-P|-H|-p|--pag|--h(t|$)|--pr(e|$))/;

export const judgeMan: Judge = (words, scene) => {
  const { options, operands } = splitArguments(words, { values: VALUES });
  const notes: Outcome[] = [];
  for (const { name, value = '' } of options) {
    if (/^(-P|--pager)$/.test(name) && /^(cat)?$/.test(value)) continue;
    if (PLAIN.test(name) || /^(-S|-L|--locale)$/.test(name)) continue;
    notes.push(outcome(RUNS.test(name) ? 'hidden' : 'unknown', `man ${name} does more than show a page of the system`));
    if (!RUNS.test(name)) notes.push(touch(scene, value.split(':'), 'read'));
  }
  // `--locale` is spelt out, so that what is shorter may be `--local-file`.
  const isLocal = options.some(({ name }) => name === '-l' || (/^--loca(l.*)?$/.test(name) && name !== '--locale'));
  const files = operands.filter((page) => isLocal || page.includes('/'));
  if (files.length > 0) notes.push(outcome('unknown', 'man shows a file, which may take in others'));
  return combine(outcome('read'), touch(scene, files, 'read'), ...notes);
};
