/** Line ends of a file that does not exist yet: what the project says, else what the files beside it have. */
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { globPattern } from '../search/glob-pattern.ts';

const MOST_SIBLINGS = 12;
const HEAD = 4096;

/** What asks for CRLF, in words (`.editorconfig`); undefined for plain line feeds. */
export async function lineEndFor(file: string): Promise<string | undefined> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const path = relative(folder, file);
    const config = textOf(join(folder, '.editorconfig'));
    const wanted = config === undefined ? undefined : fromEditorConfig(config, path);
    if (wanted) return wanted === 'crlf' ? '.editorconfig' : undefined;
    const attributes = textOf(join(folder, '.gitattributes'));
    const end = attributes === undefined ? undefined : fromAttributes(attributes, path);
    if (end) return end === 'crlf' ? '.gitattributes' : undefined;
    const isRoot = config !== undefined && /^\s*root\s*=\s*true\s*$/im.test(config.split('[')[0]!);
    if (isRoot || hasGit(folder) || dirname(folder) === folder) break;
  }
  return siblingsHaveCrlf(file) ? `most other ${extname(file)} files beside it` : undefined;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function hasGit(folder: string): boolean {
  try {
    return readdirSync(folder).includes('.git');
  } catch {
    return false;
  }
}

/** The last section that fits decides (editorconfig.org). */
function fromEditorConfig(config: string, path: string): string | undefined {
  let fits = false;
  let found: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    const section = /^\s*\[(.+)\]\s*$/.exec(line);
    if (section) fits = globPattern(section[1]!)(path);
    else if (fits) found = /^\s*end_of_line\s*=\s*(lf|crlf|cr)\s*$/i.exec(line)?.[1]?.toLowerCase() ?? found;
  }
  return found;
}

/** `eol=` of the last line that fits (gitattributes). */
function fromAttributes(attributes: string, path: string): string | undefined {
  let found: string | undefined;
  for (const line of attributes.split(/\r?\n/)) {
    const [pattern = '', ...rest] = line.trim().split(/\s+/);
    if (pattern === '' || pattern.startsWith('#')) continue;
    const end = rest.map((word) => /^eol=(lf|crlf)$/.exec(word)?.[1]).find((word) => word !== undefined);
    if (end && globPattern(pattern)(path)) found = end;
  }
  return found;
}

function siblingsHaveCrlf(file: string): boolean {
  const folder = dirname(file);
  const extension = extname(file);
  if (extension === '') return false;
  let crlf = 0;
  let plain = 0;
  const head = Buffer.alloc(HEAD);
  try {
    const names = readdirSync(folder).filter((name) => extname(name) === extension && name !== basename(file));
    for (const name of names.slice(0, MOST_SIBLINGS)) {
      const first = firstBytes(join(folder, name), head);
      const at = first.indexOf(10);
      if (at < 0) continue;
      if (first[at - 1] === 13) crlf++;
      else plain++;
    }
  } catch {
    // A folder that cannot be read, or is not there yet, has no say.
  }
  return crlf > plain;
}

function firstBytes(file: string, buffer: Buffer): Buffer {
  let fd: number | undefined;
  try {
    fd = openSync(file, 'r');
    return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, 0));
  } catch {
    return buffer.subarray(0, 0);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
