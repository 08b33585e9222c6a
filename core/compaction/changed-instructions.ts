/**
 * Instruction files that say something else now than what the session was told. The system prompt never changes; what a
 * person wrote into AGENTS.md since then is told when room is made, where the conversation begins anew for the model.
 */
import { dirname } from 'node:path';
import { partsOf } from '../../providers/ir.ts';
import type { Entry } from '../history.ts';
import { readInstructions } from '../instructions.ts';
import { movedPath } from '../moved-path.ts';
import type { SessionState } from '../state.ts';
import type { Budget } from './size.ts';

/** Notes of instructions are never left out: together they take at most this share of the window. */
const SHARE = 1 / 8;
/** How the system prompt and notes name where a text comes from. */
const HEADER = /^Instructions from (\/.*(?:AGENTS|CLAUDE)\.md):$/gm;

/** Texts of notes, one a file, outermost first. A file that is gone stays in force as it was told. */
export function changedInstructions(
  entries: readonly Entry[],
  { project, cwd, formerly }: Pick<SessionState, 'project' | 'cwd' | 'formerly'>,
  { window, tokensPerCharacter }: Budget,
): string[] {
  const told = toldIn(entries, (path) => {
    const from = formerly.find((folder) => movedPath(path, folder, project) !== undefined);
    return from === undefined ? path : movedPath(path, from, project)!;
  });
  const notes = entries.filter(({ from }) => from === 'instruction').map(textOf);
  let room = (window * SHARE) / tokensPerCharacter - notes.reduce((sum, text) => sum + text.length, 0);
  const changed: string[] = [];
  for (const [path, text] of onDisk(told, project, cwd)) {
    const before = told.get(path);
    // Behind the last file of a system prompt stands what a flag appended.
    if (before === text || before?.startsWith(`${text}\n\n`)) continue;
    const whole = `${INTRODUCTION}\n\nInstructions from ${path}:\n${text}`;
    const note = whole.length <= room ? whole : tooLong(path, text);
    if (notes.some((one) => one.endsWith(note))) continue;
    changed.push(note);
    room -= note.length;
  }
  return changed;
}

const INTRODUCTION =
  'These instructions are new or changed on disk. They are in force as they are now, in place of what you were told:';
const tooLong = (path: string, text: string): string =>
  `The instructions in ${path} are new or changed on disk, and in force as they are now (${text.length} characters). Read that file before you go on.`;

/** What the session was told last of each file, by where that lies now. */
function toldIn(entries: readonly Entry[], here: (path: string) => string): Map<string, string> {
  const told = new Map<string, string>();
  for (const entry of entries) {
    if (entry.from !== 'system' && entry.from !== 'instruction') continue;
    const text = textOf(entry);
    const headers = [...text.matchAll(HEADER)];
    for (const [i, header] of headers.entries())
      told.set(here(header[1]!), text.slice(header.index + header[0].length, headers[i + 1]?.index).trim());
  }
  return told;
}

/** Everything that holds for the working directory, and for where the session began. */
function onDisk(told: ReadonlyMap<string, string>, project: string, cwd: string): Map<string, string> {
  const within = (path: string) => path.startsWith(`${project}/`);
  const own = [...told.keys()].find((path) => !within(path));
  const folders = new Set([project, cwd, ...[...told.keys()].filter(within).map((path) => dirname(path))]);
  const found = new Map<string, string>();
  for (const folder of folders) {
    const { files } = readInstructions({ project, cwd: folder, adaHome: own ? dirname(own) : NOWHERE });
    for (const { path, text } of files) found.set(path, text);
  }
  return found;
}

/** No folder: the person had no instructions of their own when the session began. */
const NOWHERE = '/dev/null';

const textOf = ({ message }: Entry): string =>
  partsOf(message.content)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n');
