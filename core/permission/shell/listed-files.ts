/**
 * Files that a program is named by another file: `--files0-from=LIST`, and `@FILE`, whose words stand for further
 * arguments. What such a file holds when the program runs is not known.
 */
import { combine, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { findSecret } from './search-secrets.ts';

/** Judges the value of an option that is a list of files to read; `-` is standard input. */
export function judgeList(name: string, list: string, scene: Scene): Outcome {
  // Names that another command of the pipeline found are those that `xargs` would pass on.
  if (list === '-' && scene.stdin === 'names' && scene.named && scene.leads !== false) {
    const why = findSecret(scene, scene.named, true);
    const found: Outcome = { ...outcome('read'), searches: scene.named };
    return why === undefined ? found : combine(found, { ...outcome('outside', why), readOnly: true });
  }
  return combine(
    {
      ...outcome(
        'outside',
        `${name} reads files that ${list === '-' ? 'standard input' : list || 'a list'} names, which are known only when it runs`,
      ),
      readOnly: true,
    },
    touch(scene, [list], 'read'),
  );
}

/** Judges the words `@FILE` of a program that replaces them by what the file holds. */
export function judgeAtFiles(name: string, words: readonly string[], scene: Scene): readonly Outcome[] {
  return words.filter((word) => /^@./s.test(word)).map((word) => judgeList(name, word.slice(1), scene));
}

/** Archivers that take the names of what they pack from standard input, and programs that take words from `@LIST`. */
export function judgePacked(name: string, words: readonly string[], scene: Scene): Outcome {
  const isTold =
    (name === 'zip' && words.some((word) => /^(-[A-Za-z]*@|--names-stdin)$/.test(word))) ||
    (name === 'cpio' && words.some((word) => /^(-[A-Za-z]*[op]|--create|--pass-through)/.test(word))) ||
    (name === 'pax' && words.some((word) => /^-[A-Za-z]*w/.test(word)));
  if (isTold) return judgeList(name, '-', scene);
  return /^(7z[azr]?|7zz|rar|objdump|objcopy|ar|ranlib|strip|addr2line|ld(\.\w+)?|elfedit|dwp)$/.test(name)
    ? combine(outcome('read'), ...judgeAtFiles(name, words, scene))
    : outcome('read');
}
