/** Words of `make` that are code: rules from standard input, and settings that name what runs the recipes. */
import { editedTexts, writtenTexts } from './file-texts.ts';
import { combine, type Outcome, outcome, type Scene } from './scene.ts';

const FROM_INPUT = /^(-f|--file=|--makefile=)(-|\/dev\/(stdin|fd\/\d+))$/;

export function judgeMakeWords(args: readonly string[], scene: Scene): Outcome {
  const notes: Outcome[] = [];
  const reads = args.some(
    (word, index) =>
      FROM_INPUT.test(word) || (/^(-f|--file|--makefile)$/.test(args[index - 1] ?? '') && FROM_INPUT.test(`-f${word}`)),
  );
  if (reads) {
    const recipes = recipesOf(scene.fed ?? '');
    const inner = recipes.trim() === '' ? [] : scene.code(recipes, scene);
    notes.push({ ...outcome('hidden', 'make is given rules that are no file'), inner });
  }
  const named = args.flatMap((word, index) =>
    /^(-f|--file|--makefile)$/.test(args[index - 1] ?? '')
      ? word
      : (/^(?:-f|--(?:make)?file=)(.+)$/s.exec(word)?.[1] ?? []),
  );
  for (const file of named.length > 0 ? named : ['GNUmakefile', 'makefile', 'Makefile'])
    for (const text of writtenTexts(file, scene) ?? [])
      notes.push(
        text === undefined
          ? outcome('hidden', `make runs ${file}, and this very command writes it with what it computes or fetches`)
          : { ...outcome('read'), inner: scene.code(recipesOf(text), scene) },
      );
  for (const file of named.length > 0 ? named : ['GNUmakefile', 'makefile', 'Makefile'])
    for (const text of editedTexts(file, scene) ?? [])
      notes.push({ ...outcome('read'), inner: destroying(text.replace(/^[\t@+-]+/gm, ''), scene) });
  for (const word of args) {
    const [, name, value = ''] = /^([.\w]+)[:?+!]*=(.*)$/s.exec(word) ?? [];
    if (name === undefined) continue;
    if (/^(SHELL|\.SHELLFLAGS|MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES|MAKE|BASH_ENV|ENV|PATH|LD_\w+)$/.test(name))
      notes.push({ ...outcome('hidden', `make ${name} changes what runs`), inner: destroying(value, scene) });
    else if (/\$\(shell|\$\{shell|`|[;|&]/.test(value))
      notes.push({ ...outcome('hidden', `make ${name} holds a command`), inner: destroying(value, scene) });
    else if (/\s/.test(value)) notes.push({ ...outcome('read'), inner: destroying(value, scene) });
  }
  return combine(outcome('read'), ...notes);
}

/** A recipe is shell code behind a tab, or behind the `;` of a rule; nothing else is a command. */
const recipesOf = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      line.startsWith('\t') ? line.replace(/^\t[-@+]*/, '') : (/^[^=\n]*?:[^=\n]*?;(.*)$/.exec(line)?.[1] ?? ''),
    )
    .join('\n')
    .replaceAll('$$', '$');

const destroying = (code: string, scene: Scene) =>
  scene.code(code.replace(/\$[({]shell\s+/g, '$('), scene).filter((part) => part.class === 'destructive');
