/** Which hosts a command reaches by name, so that a rule on a host binds `curl` and its kin as it binds the tool. */
import { basename } from 'node:path';
import type { Part } from './shell/scene.ts';
import { isComputed } from './shell/syntax.ts';

const FETCHES = /^(curl|wget2?|https?|xhs?|aria2c|axel|lynx|w3m|links|elinks|httpie|ftp|lftp|git|websocat|grpcurl)$/i;

const fetches = ({ words }: Part): boolean => words[0] !== undefined && FETCHES.test(basename(words[0]));

/** The hosts in the addresses of a command, in lower case; a word that only looks like one counts too. */
export function hostsIn(part: Part): readonly string[] {
  return fetches(part) ? part.words.slice(1).flatMap(hostOf) : [];
}

/** Whether where it goes is known only when it runs. */
export const hasComputedHost = (part: Part): boolean => fetches(part) && part.words.slice(1).some(isComputed);

function hostOf(word: string): readonly string[] {
  const address = word.replace(/^--?[\w-]+=/, '');
  // `user@host:path`, as git and scp write it.
  const remote = /^(?:[\w.-]+@)?([\w.-]+\.[\w-]+):(?!\/\/|\d)/.exec(address)?.[1];
  try {
    const { hostname } = new URL(/^[a-z][\w+.-]*:\/\//i.test(address) ? address : `http://${address}`);
    // Schemes that the parser does not know keep the host as it is written.
    return [hostname.toLowerCase(), ...(remote === undefined ? [] : [remote.toLowerCase()])];
  } catch {
    return remote === undefined ? [] : [remote.toLowerCase()];
  }
}
