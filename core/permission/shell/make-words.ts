/** Words of `make` that are code: rules from standard input, and settings that name what runs the recipes. */
import { combine, type Outcome, outcome, type Scene } from './scene.ts';

const FROM_INPUT = /^(-f|--file=|--makefile=)(-|\/dev\/(stdin|fd\/\d+))$/;

export function judgeMakeWords(args: readonly string[], scene: Scene): Outcome {
  const notes: Outcome[] = [];
  const reads = args.some(
    (word, index) =>
      FROM_INPUT.test(word) || (/^(-f|--file|--makefile)$/.test(args[index - 1] ?? '') && FROM_INPUT.test(`-f${word}`)),
  );
  if (reads) {
    // A recipe is shell code behind a tab; what stands before it is no command.
    const recipes = (scene.fed ?? '').replace(/^[^\t\n][^\n]*?[:;]/gm, '').replace(/^\t[-@+]*/gm, '');
    const inner = recipes.trim() === '' ? [] : scene.code(recipes, scene);
    notes.push({ ...outcome('hidden', 'make is given rules that are no file'), inner });
  }
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

const destroying = (code: string, scene: Scene) =>
  scene.code(code.replace(/\$[({]shell\s+/g, '$('), scene).filter((part) => part.class === 'destructive');
