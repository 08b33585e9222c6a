/** Built-ins of the shell and small programs that change processes or how later commands run. */
import { existsSync } from 'node:fs';
import { absolute } from '../paths.ts';
import { writtenTexts } from './file-texts.ts';
import { judgeReader } from './judge-table.ts';
import { splitArguments } from './options.ts';
import { READ_PROGRAMS } from './read-programs.ts';
import { combine, type Judge, type Outcome, outcome, touch } from './scene.ts';
import { fork, isSame, setVariable } from './shell-state.ts';
import { ANY_TEXT, isComputed, SOME_JOB, SOME_NAME } from './syntax.ts';

/** `kill -0` only asks whether a process is there. */
export const asksOnly = (words: readonly string[]): boolean =>
  words[0] === '-0' || (/^(-s|-n)$/.test(words[0] ?? '') && words[1] === '0');

export const judgeKill: Judge = (words) => {
  if (words.includes('-l') || words.includes('-L') || asksOnly(words)) return outcome('read');
  const targets = words.filter((word, index) => !(index === 0 && /^-([A-Z]+|[2-9]|\d\d)/.test(word)) && word !== '--');
  if (
    targets.some((word) => /^(-1|0|1)$/.test(word)) &&
    !(words[0] === '-1' && words.length > 1 && targets.filter((word) => /^(-1|0|1)$/.test(word)).length < 2)
  ) {
    return outcome('destructive', 'ends many processes, or the first one');
  }
  const aimed = words[0] === '-s' || words[0] === '-n' ? targets.slice(2) : targets;
  // `$!` and its kin: a job that this very command started.
  if (aimed.length > 0 && aimed.every((word) => word === SOME_JOB)) return outcome('unknown', 'ends a process');
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
  words.every((word, index) =>
    // What ends a line and the text of a question are no names.
    /^-\w*[dp]$/.test(words[index - 1] ?? '') ? !isComputed(word) : /^-\w+$|^[A-Za-z_]\w*$|^\d+$/.test(word),
  )
    ? outcome('read')
    : outcome('hidden', 'sets a name that the shell computes');

/** Settings of the shell that change how patterns are looked up are followed; others may change how code is read. */
export const judgeShopt: Judge = (words) => {
  const [first = '', ...names] = words;
  if (/^-[pq]$|^$/.test(first) && names.every((name) => /^\w+$/.test(name))) return outcome('read');
  const isPlain = /^-[su]$/.test(first) && names.length > 0 && names.every((name) => PLAIN_SHOPT.test(name));
  return isPlain ? outcome('read') : outcome('hidden', 'changes how later commands are read');
};
const PLAIN_SHOPT = /^(nullglob|failglob|globstar|inherit_errexit|checkwinsize|histappend|cmdhist|lithist)$/;

/** `mapfile -t NAME`: lines of its input become a list; with `-C` it runs code for them. */
export const judgeMapfile: Judge = (words) => {
  const { options, operands } = splitArguments(words, { values: new Set(['-d', '-n', '-O', '-s', '-u', '-C', '-c']) });
  const isPlain =
    operands.length <= 1 &&
    operands.every((word) => /^[A-Za-z_]\w*$/.test(word)) &&
    options.every(({ name, value = '' }) => /^-[tdnOsu]$/.test(name) && !isComputed(value));
  return isPlain ? outcome('read') : outcome('hidden', 'may run code for each line');
};

/** `printf -v NAME` sets a variable and prints nothing. */
export const judgePrintf: Judge = (words, scene) => {
  if (!words[0]?.startsWith('-v')) return judgeReader('printf', READ_PROGRAMS.printf!, words, scene);
  return words[0] === '-v' && /^[A-Za-z_]\w*$/.test(words[1] ?? '')
    ? outcome('read')
    : outcome('hidden', 'sets a name that the shell computes');
};

/** Every variable in it is itself worked out: it must be known to be a number. */
export const judgeLet: Judge = (words, { shell }) => {
  const isNumber = (name: string) => {
    const values = shell.variables.get(name);
    return values?.every((value) => /^-?\d+$/.test(value)) ?? false;
  };
  const isPlain = words.every((word) => {
    const [, read = ''] = /^[A-Za-z_]\w*=(?!=)(.*)$/s.exec(word) ?? [undefined, word];
    return /^[\w\s+*/%()<>=!&|^~?:-]*$/.test(read) && (read.match(/[A-Za-z_]\w*/g) ?? []).every(isNumber);
  });
  return isPlain ? outcome('read') : outcome('hidden', 'counts with text that may run commands');
};

export const judgeEval: Judge = (words, scene) => ({
  ...outcome('read'),
  inner: scene.evaluate(words.join(' '), { ...scene, depth: scene.depth + 1 }),
});

/** The code runs later, when every variable may hold something else: it is judged as if none were known. */
export const judgeTrap: Judge = (words, scene) => {
  const first = words.find((word) => word !== '--');
  if (first === undefined || words.length < 2 || first === '-' || first === '' || first === '-l' || first === '-p')
    return outcome('read');
  scene.shell.course.isChanged = true;
  const judged: Outcome = { ...outcome('read'), inner: scene.code(first, { ...scene, depth: scene.depth + 1 }) };
  // At the end nothing comes after it; before that it may change what later commands are.
  if (words.slice(words.indexOf(first) + 1).every((signal) => /^(EXIT|0)$/i.test(signal))) return judged;
  const own = fork(scene.shell);
  scene.evaluate(first, { ...scene, shell: own, depth: scene.depth + 1 });
  return isSame(scene.shell, own)
    ? judged
    : combine(judged, outcome('hidden', 'a trap changes what later commands do'));
};

const HIDDEN_SOURCE = outcome('hidden', 'runs another file in the shell itself');

/** A file that the command wrote is read like any code; one of the project is run as `bash FILE` would run it. */
export const judgeSource: Judge = (words, scene) => {
  const file = words.find((word) => word !== '--');
  scene.shell.course.isSourced = true;
  if (
    file === undefined ||
    isComputed(file) ||
    file.includes(SOME_NAME) ||
    /[*?[]/.test(file) ||
    file.startsWith('/dev/')
  )
    return HIDDEN_SOURCE;
  const texts = writtenTexts(file, scene);
  if (texts)
    return combine(
      ...texts.map((text) =>
        text === undefined
          ? outcome('hidden', `${file} is run, and this very command writes it with what it computes or fetches`)
          : { ...outcome('read'), inner: scene.evaluate(text, { ...scene, depth: scene.depth + 1 }) },
      ),
    );
  const touched = touch(scene, [file], 'read');
  // `python -m venv .venv && source .venv/bin/activate`: it is not there yet.
  const isThere =
    /\/bin\/activate(\.\w+)?$/.test(file) ||
    scene.cwds.every((cwd) => existsSync(absolute(file, cwd, scene.places.home)));
  if (touched.class !== 'read' || !isThere) return combine(HIDDEN_SOURCE, touched);
  // It may set every variable anew.
  for (const [name, values] of scene.shell.variables) setVariable(scene.shell, name, [...values, ANY_TEXT]);
  scene.shell.args = undefined;
  return combine(outcome('unknown', `runs ${file} of the project in the shell itself`), {
    ...touched,
    readOnly: false,
  });
};

/** To show and to take away an alias changes nothing that is read here; to set one does. */
export const judgeAlias: Judge = (words) =>
  words.every((word) => /^(-p|[\w.-]+)$/.test(word))
    ? outcome('read')
    : outcome('hidden', 'changes how later commands are read');

/** `hash NAME` looks a program up; `-p` says that it is another. */
export const judgeHash: Judge = (words) =>
  words.every((word) => /^(-[rlt]|[\w.-]+)$/.test(word) && !/^-\w*p/.test(word))
    ? outcome('read')
    : outcome('hidden', 'changes what later commands run');

export const judgeFuser: Judge = (words) =>
  words.some((word) => /^-\w*k|^--kill$/.test(word))
    ? outcome('outside', 'ends processes that use a file or a port')
    : outcome('read');

/** What was run before is told; anything else changes it, or runs it again. */
export const judgeHistory: Judge = (words) =>
  words.every((word) => /^\d+$/.test(word))
    ? outcome('read')
    : outcome('hidden', 'changes how later commands are read');

/** In batch mode it ends of itself, and takes no keys. */
export const judgeTop: Judge = (words) =>
  words.some((word) => /^-\w*b/.test(word)) && words.every((word) => /^-[bcnHidopuwSE]+\d*$|^[\w%+-]+$/.test(word))
    ? outcome('read')
    : outcome('unknown', 'top waits for keys, which may end processes');

/** To show the fingerprint of a key shows nothing of the key. */
export const judgeKeygen: Judge = (words, scene) => {
  const { options, operands } = splitArguments(words, { values: new Set(['-f', '-E']) });
  const shows = options.some(({ name }) => name === '-l') && options.every(({ name }) => /^-[lfEv]$/.test(name));
  if (!shows) return outcome('outside', 'handles keys');
  return touch(
    scene,
    [...operands, ...options.flatMap(({ name, value = '' }) => (name === '-f' ? value : []))],
    'list',
  );
};
