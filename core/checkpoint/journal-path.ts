/**
 * How the journal of changes names files. A file of the project is named by its path in it, so that it is the same one
 * wherever the project lies; one elsewhere by its own path. A journal may come with a copied project, be edited or
 * damaged: what it says is never more than a claim.
 */
import { isAbsolute, join, normalize, relative } from 'node:path';
import { movedPath } from '../moved-path.ts';
import { isWithin } from '../permission/paths.ts';
import type { SessionState } from '../state.ts';
import { canonical } from '../tools/files/locate.ts';

/** Where a session is, and where it was before its project was moved, oldest first. */
export type JournalPlace = Pick<SessionState, 'project' | 'formerly'>;

/** `path` in the project, or `outside` of it. Journals of earlier versions say `file`, absolute in both cases. */
export type JournalName = { path: string } | { outside: string };

export interface JournalFile {
  /** Absolute. */
  file: string;
  outside: boolean;
}

/** Names files for a journal, and finds what its lines name. */
export class JournalPaths {
  readonly project: string;
  readonly #began: readonly string[];

  constructor({ project, formerly }: JournalPlace) {
    this.project = canonical(project);
    const began = formerly[0] ?? project;
    this.#began = [...new Set([began, canonical(began)])];
  }

  /** `file`: absolute, links resolved. */
  nameOf(file: string): JournalName {
    return isWithin(file, this.project) ? { path: relative(this.project, file) } : { outside: file };
  }

  /** Undefined for a line that names no file in a way that ada writes. */
  fileOf(line: Readonly<Record<string, unknown>>): JournalFile | undefined {
    const { path, outside, file } = line;
    if (isPlain(path)) return inFolder(path) ? { file: join(this.project, path), outside: false } : undefined;
    const absolute = outside ?? file;
    if (!isPlain(absolute) || !isAbsolute(absolute)) return undefined;
    if (outside !== undefined) return isWithin(absolute, this.project) ? undefined : { file: absolute, outside: true };
    for (const began of this.#began) {
      const here = movedPath(absolute, began, this.project);
      if (here !== undefined) return { file: here, outside: false };
    }
    return { file: absolute, outside: !isWithin(absolute, this.project) };
  }
}

/** No `.` and `..`, no doubled or closing slash. */
const isPlain = (path: unknown): path is string =>
  typeof path === 'string' && path !== '' && !path.includes('\0') && normalize(path) === path && !/.\/$/.test(path);

const inFolder = (path: string): boolean =>
  !isAbsolute(path) && path !== '.' && path !== '..' && !path.startsWith('../');
