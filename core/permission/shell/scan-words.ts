/**
 * Judges the arguments of a program whose options are not known: whatever could be a path is treated as one that it
 * reads and writes, also as the value of an option.
 */
import { type Outcome, type Scene, touch } from './scene.ts';
import { ANY_TEXT, ANY_WORDS } from './syntax.ts';

const URL = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;
const MAX_PATH = 4096;
/** Options whose value is text for people. */
const TEXT = /^(-m|-b|-t|--(message|title|body|notes|description|subject|comment))(=|$)/;

/** The worst of all the paths that the words may be. */
export function scanWords(words: readonly string[], scene: Scene): Outcome {
  const paths: string[] = [];
  for (const [index, word] of words.entries()) {
    // `file://PATH` of cloud clients, as a word or as a value.
    const file = /^(?:-{1,2}[\w-]+=|[\w.-]+=)?fileb?:\/\/(?:localhost(?=\/))?(.*)$/is.exec(word)?.[1];
    if (file !== undefined) paths.push(file);
    // One word, whatever it becomes.
    const isText = word.includes(ANY_TEXT) && !word.includes(ANY_WORDS);
    if (isText && (TEXT.test(words[index - 1] ?? '') || TEXT.test(word))) continue;
    if (word.length > MAX_PATH || URL.test(word) || word === '') continue;
    if (!word.startsWith('-')) {
      paths.push(word);
      const equals = word.indexOf('=');
      if (equals > 0) paths.push(word.slice(equals + 1));
      // `@file` of curl-like programs and `HOST:PATH`, `SOURCE:TARGET` of mounts.
      if (word.startsWith('@')) paths.push(word.slice(1));
      continue;
    }
    const equals = word.indexOf('=');
    if (equals > 0) paths.push(word.slice(equals + 1));
    const attached = /^-[A-Za-z]@?((?:\/|~|\.\.?\/|\.env|\.\.$|[\w.-]+(?:\/[\w.-]+)*\/\.\.(?:\/|$)).*)$/s.exec(
      word,
    )?.[1];
    if (attached !== undefined) paths.push(attached);
  }
  const seen = touch(
    scene,
    paths.filter((path) => path !== '' && !URL.test(path)),
    'write',
  );
  return { ...seen, reads: seen.writes ?? [], writes: seen.writes ?? [] };
}
