/** `sed`: its scripts can write files and run programs. */
import { judgeScript } from './file-texts.ts';
import { findOption, splitArguments } from './options.ts';
import { combine, type Judge, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { readSedScript } from './sed-script.ts';
import { isComputed, isDescriptor } from './syntax.ts';

const set = (names: string) => new Set(names.split(' '));

/** The scripts of `sed`, those in files, the files that it works on, and whether it changes them. */
function readSedWords(words: readonly string[]) {
  // Long options may be shortened.
  const values = set(
    '-e -f -l --e --ex --exp --expr --expre --expres --express --expressi --expressio --expression --fi --fil --file --l --li --lin --line --line-l --line-le --line-len --line-leng --line-lengt --line-length',
  );
  const { options, operands } = splitArguments(sedWords(words), { values });
  const inPlace = findOption(options, '-i', '--in-place') !== undefined;
  const given = options.filter(({ name }) => /^(-e|--e.*)$/.test(name)).map(({ value = '' }) => value);
  const files = options.filter(({ name }) => /^(-f|--fi(le?)?)$/.test(name)).map(({ value = '' }) => value);
  const hasScript = given.length + files.length > 0;
  const scripts = hasScript ? given : operands.slice(0, 1);
  return { scripts, files, paths: hasScript ? operands : operands.slice(1), inPlace };
}

/** The files that `sed -i` changes, and what it puts into them; a text that cannot be told is undefined. */
export function editsOfSed(
  words: readonly string[],
): { paths: readonly string[]; texts: readonly string[] | undefined } | undefined {
  const { scripts, files, paths, inPlace } = readSedWords(words);
  if (!inPlace) return undefined;
  const texts = files.length > 0 || scripts.some(isComputed) ? undefined : readSedScript(scripts.join('\n'))?.texts;
  return { paths, texts };
}

export const judgeSed: Judge = (words, scene) => {
  const { scripts, files, paths, inPlace } = readSedWords(words);
  // Several scripts are one, line by line.
  const notes = scripts.length > 0 ? [judgeSedScript(scripts.join('\n'), scene)] : [];
  if (files.length > 0) notes.push(outcome('unknown', 'sed runs a script from a file'), touch(scene, files, 'read'));
  if (files.some(isDescriptor)) notes.push(outcome('hidden', 'sed runs a script that comes out of another command'));
  for (const file of files)
    notes.push(judgeScript(file, scene, (text) => /^(read|write|unknown)$/.test(judgeSedScript(text, scene).class)));
  if (inPlace) return combine(outcome('write', 'sed -i changes files'), touch(scene, paths, 'write'), ...notes);
  return combine(outcome('read'), touch(scene, paths, 'read'), ...notes);
};

/** `-i.bak` and `-ri` carry no further options after the `i`. */
function sedWords(words: readonly string[]): readonly string[] {
  return words.map((word) => (/^-[nErsuz]*i/.test(word) ? `${word.slice(0, word.indexOf('i'))}i` : word));
}

function judgeSedScript(script: string, scene: Scene): Outcome {
  const read = readSedScript(script);
  if (!read) return outcome('hidden', 'the sed script runs a command, or cannot be read');
  const { reads, writes } = read;
  const touched = combine(touch(scene, reads, 'read'), touch(scene, writes, 'write'));
  return writes.length > 0 ? combine(outcome('write', 'the sed script writes a file'), touched) : touched;
}
