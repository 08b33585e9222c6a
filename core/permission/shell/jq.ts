/** Judges `jq`: its program can take in modules and data from files that it names itself (manual of jq 1.7). */
import { judgeScript } from './file-texts.ts';
import { splitArguments } from './options.ts';
import { combine, type Judge, type Outcome, outcome, touch } from './scene.ts';

const VALUES = new Set(['--indent', '-f', '--from-file', '-L', '--library-path']);
/** Directives that read a file, never members of that name, and what looks into a module. */
const OPENS = /(?<![.\w$"'])(import|include)\b(?!\s*:)|\bmodulemeta\b/;

export const judgeJq: Judge = (words, scene) => {
  const notes: Outcome[] = [];
  const left: string[] = [];
  const given: string[] = [];
  let takes = left;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (/^--(arg|argjson)$/.test(word)) at += 2;
    else if (/^--(slurpfile|rawfile|argfile)$/.test(word)) {
      notes.push(touch(scene, [words[at + 2] ?? ''], 'read'));
      at += 2;
    } else if (word === '--args' || word === '--jsonargs') takes = given;
    else if (takes === given && /^-./.test(word)) left.push(word);
    else takes.push(word);
  }
  const { options, operands } = splitArguments(left, { values: VALUES });
  const values = (pattern: RegExp) => options.flatMap(({ name, value = '' }) => (pattern.test(name) ? value : []));
  const scripts = values(/^(-f|--from-file)$/);
  const files = scripts.length > 0 ? operands : operands.slice(1);
  notes.push(touch(scene, [...files, ...scripts, ...values(/^(-L|--library-path)$/)], 'read'));
  for (const { name, value } of options)
    if (value !== undefined && !VALUES.has(name)) notes.push(touch(scene, [value], 'read'));
  // Older ones take the first operand for the file of the program.
  if (scripts.length > 0) {
    notes.push(outcome('unknown', 'jq runs a program of a file, which may read other files'));
    for (const script of [...scripts, ...operands.slice(0, 1)])
      notes.push(judgeScript(script, scene, (text) => !OPENS.test(text)));
  }
  if ([...operands, ...given.slice(0, 1)].some((word) => OPENS.test(word)))
    notes.push({ ...outcome('outside', 'the jq program takes in files that it names'), readOnly: true });
  return combine(outcome('read'), ...notes);
};
