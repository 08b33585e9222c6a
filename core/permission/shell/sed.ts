/** `sed`: its scripts can write files and run programs. */
import { findOption, splitArguments } from './options.ts';
import { combine, type Judge, type Outcome, outcome, type Scene, touch } from './scene.ts';

const set = (names: string) => new Set(names.split(' '));

export const judgeSed: Judge = (words, scene) => {
  const values = set('-e -f -l --expression --file --line-length');
  const { options, operands } = splitArguments(sedWords(words), { values });
  const inPlace = findOption(options, '-i', '--in-place') !== undefined;
  const given = options.filter(({ name }) => /^(-e|--e.*)$/.test(name)).map(({ value = '' }) => value);
  const files = options.filter(({ name }) => name === '-f' || name === '--file').map(({ value = '' }) => value);
  const hasScript = given.length + files.length > 0;
  const scripts = hasScript ? given : operands.slice(0, 1);
  const paths = hasScript ? operands : operands.slice(1);
  const notes = scripts.map((script) => judgeSedScript(script, scene));
  if (files.length > 0) notes.push(outcome('unknown', 'sed runs a script from a file'), touch(scene, files, 'read'));
  if (inPlace) return combine(outcome('write', 'sed -i changes files'), touch(scene, paths, 'write'), ...notes);
  return combine(outcome('read'), touch(scene, paths, 'read'), ...notes);
};

/** `-i.bak` and `-ri` carry no further options after the `i`. */
function sedWords(words: readonly string[]): readonly string[] {
  return words.map((word) => (/^-[nErsuz]*i/.test(word) ? `${word.slice(0, word.indexOf('i'))}i` : word));
}

/** Commands of sed that write files or run programs: `w`, `W`, `e`, and these flags of `s`. */
function judgeSedScript(script: string, scene: Scene): Outcome {
  // A bracket expression may hold the mark that would end the pattern: those are not read.
  const plain =
    /^\s*((\d+|\$|\/(\\.|[^/\\[]|\[\^?\]?[^\]/]*\])*\/I?)(\s*,\s*[+~]?(\d+|\$|\/(\\.|[^/\\[]|\[\^?\]?[^\]/]*\])*\/I?))?\s*!?\s*)?([pdDPNnGhHgxlq=]\s*\d*|y(.)(\\.|(?!\8).)*\8(\\.|(?!\8).)*\8)?\s*$/;
  for (const command of splitSed(script)) {
    const substitution =
      /^\s*((\d+|\$|\/(\\.|[^/\\[]|\[\^?\]?[^\]/]*\])*\/I?)(\s*,\s*[+~]?(\d+|\$|\/(\\.|[^/\\[]|\[\^?\]?[^\]/]*\])*\/I?))?\s*!?\s*)?s(?<mark>[^\w\s\\])/.exec(
        command,
      );
    if (substitution) {
      const rest = command.slice(substitution[0].length);
      const mark = substitution.groups!.mark!;
      if (hidesMark(rest, mark)) return outcome('hidden', 'the sed script cannot be read');
      const parts = splitUnescaped(rest, mark);
      if (parts.length === 3 && /^\s*[gpiIm\d]*\s*$/.test(parts[2]!)) continue;
      const target = /^[gpiIm\d]*w\s*(.*)$/s.exec(parts[2] ?? '')?.[1];
      if (target !== undefined)
        return combine(outcome('write', 'the sed script writes a file'), touch(scene, [target], 'write'));
      return outcome('hidden', 'the sed script runs a command, or cannot be read');
    }
    if (plain.test(command)) continue;
    const target = /^[^a-zA-Z]*[wW]\s+(.*)$/s.exec(command)?.[1];
    if (target !== undefined)
      return combine(outcome('write', 'the sed script writes a file'), touch(scene, [target], 'write'));
    if (/^[^a-zA-Z/]*[aic]/.test(command)) continue;
    return outcome('hidden', 'the sed script runs a command, or cannot be read');
  }
  return outcome('read');
}

function splitSed(script: string): string[] {
  // Text of a substitution may hold `;`: only a script of plain commands is split there.
  return /s[^\w\s\\].*;.*[^\w\s\\]/.test(script)
    ? script.split(/\n|;(?=\s*(?:\d+|\$)?\s*s[^\w\s\\])/)
    : script.split(/[;\n]/);
}

function splitUnescaped(text: string, mark: string): string[] {
  const parts = [''];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\' && i + 1 < text.length) parts[parts.length - 1] += text[i]! + text[++i]!;
    else if (text[i] === mark) parts.push('');
    else parts[parts.length - 1] += text[i]!;
  }
  return parts;
}

/** True when a bracket that is opened holds the mark, so that the pattern does not end where it seems to. */
function hidesMark(text: string, mark: string): boolean {
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) {
    if (text[at - 1] === '\\') continue;
    const close = text.indexOf(']', at + (text[at + 1] === '^' ? 3 : 2));
    const next = text.indexOf(mark, at + 1);
    if (next >= 0 && (close < 0 || next < close)) return true;
  }
  return false;
}
