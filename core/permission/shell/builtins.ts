/** Built-ins of the shell and small programs that change processes or how later commands run. */
import { combine, type Judge, type Outcome, outcome } from './scene.ts';
import { fork, isSame } from './shell-state.ts';
import { SOME_NUMBER } from './syntax.ts';

export const judgeKill: Judge = (words) => {
  // Signal 0 only asks whether a process is there.
  if (words.includes('-l') || words.includes('-L') || words[0] === '-0') return outcome('read');
  const targets = words.filter((word, index) => !(index === 0 && /^-([A-Z]+|[2-9]|\d\d)/.test(word)) && word !== '--');
  if (
    targets.some((word) => /^(-1|0|1)$/.test(word)) &&
    !(words[0] === '-1' && words.length > 1 && targets.filter((word) => /^(-1|0|1)$/.test(word)).length < 2)
  ) {
    return outcome('destructive', 'ends many processes, or the first one');
  }
  const aimed = words[0] === '-s' || words[0] === '-n' ? targets.slice(2) : targets;
  // `$!` and its kin: a job that this very command started.
  if (aimed.some((word) => word === SOME_NUMBER)) return outcome('unknown', 'ends a process');
  if (aimed.length > 0 && aimed.every((word) => /^%/.test(word))) return outcome('write', 'ends a job');
  return outcome('outside', 'ends a process, which need not be one of this session');
};

export const judgeHostname: Judge = (words) =>
  words.some((word) => !word.startsWith('-')) || words.some((word) => /^-(F|b)|^--(file|boot)/.test(word))
    ? outcome('outside', 'renames the machine')
    : outcome('read');

export const judgeExport: Judge = (words) => {
  if (words.some((word) => /^[-+].*[fniluc]/.test(word)))
    return outcome('hidden', 'changes how later commands are read');
  const names = words.filter((word) => !word.startsWith('-'));
  const inner = names.every((word) => /^[A-Za-z_]\w*(=.*)?$/s.test(word));
  return inner ? outcome('read') : outcome('hidden', 'sets a name that the shell computes');
};

export const judgeSet: Judge = (words) =>
  words.every((word) =>
    /^[-+][euxvfC]+$|^[-+][eux]*o$|^(pipefail|errexit|nounset|xtrace|noclobber|noglob)$|^--$/.test(word),
  )
    ? outcome('read')
    : outcome('unknown', 'changes how the shell works');

export const judgeRead: Judge = (words) =>
  words.every((word) => /^-\w+$|^[A-Za-z_]\w*$|^\d+$/.test(word))
    ? outcome('read')
    : outcome('hidden', 'sets a name that the shell computes');

export const judgeEval: Judge = (words, scene) => ({
  ...outcome('read'),
  inner: scene.evaluate(words.join(' '), { ...scene, depth: scene.depth + 1 }),
});

/** The code runs later, when every variable may hold something else: it is judged as if none were known. */
export const judgeTrap: Judge = (words, scene) => {
  const first = words.find((word) => word !== '--');
  if (first === undefined || words.length < 2 || first === '-' || first === '' || first === '-l' || first === '-p')
    return outcome('read');
  const judged: Outcome = { ...outcome('read'), inner: scene.code(first, { ...scene, depth: scene.depth + 1 }) };
  // At the end nothing comes after it; before that it may change what later commands are.
  if (words.slice(words.indexOf(first) + 1).every((signal) => /^(EXIT|0)$/i.test(signal))) return judged;
  const own = fork(scene.shell);
  scene.evaluate(first, { ...scene, shell: own, depth: scene.depth + 1 });
  return isSame(scene.shell, own)
    ? judged
    : combine(judged, outcome('hidden', 'a trap changes what later commands do'));
};
