/** Finds the skills in one folder, reading no more of each file than its front matter. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseFrontMatter } from './front-matter.ts';
import type { SkillInfo, SkillOrigin, SkillProblem } from './source.ts';

/** Front matter is a few hundred bytes; longer ones are read on, up to the second figure. */
const HEAD_BYTES = 2048;
const HEAD_MOST = 64 * 1024;
/** `<category>/<name>/SKILL.md`, and one level more for collections that are cloned whole. */
const DEPTH = 3;

export interface Scan {
  skills: readonly SkillInfo[];
  problems: readonly SkillProblem[];
}

/** A folder that does not exist has no skills; one that cannot be read is a problem. Symlinks are followed. */
export function scanSkills(root: string, origin: SkillOrigin): Scan {
  const skills: SkillInfo[] = [];
  const problems: SkillProblem[] = [];
  walk(root, 0);
  return { skills, problems };

  function walk(folder: string, depth: number) {
    let entries: import('node:fs').Dirent[];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== 'ENOENT' && code !== 'ENOTDIR')
        problems.push({ file: folder, line: null, message: `cannot be read (${code})` });
      return;
    }
    const file =
      entries.find((entry) => entry.name === 'SKILL.md') ??
      entries.find((entry) => entry.name.toLowerCase() === 'skill.md');
    if (file && depth > 0) {
      const path = join(folder, file.name);
      try {
        const { skill, warnings } = readHead(path, folder, depth > 1 ? basename(dirname(folder)) : '', origin);
        const twin = skills.find((other) => other.name === skill.name);
        if (twin)
          problems.push({
            file: path,
            line: null,
            message: `a skill named ${skill.name} is already in ${twin.file}; this one is left out`,
          });
        else skills.push(skill);
        problems.push(...warnings);
      } catch (error) {
        problems.push({
          file: path,
          line: null,
          message: `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}); the skill is left out`,
        });
      }
      return;
    }
    if (depth === DEPTH) return;
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory() || (entry.isSymbolicLink() && isFolder(path))) walk(path, depth + 1);
    }
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // a dangling link
  }
}

function readHead(file: string, folder: string, category: string, origin: SkillOrigin) {
  let text = '';
  let parsed = parseFrontMatter(text);
  const descriptor = openSync(file, 'r');
  try {
    for (let bytes = HEAD_BYTES; ; bytes *= 4) {
      const buffer = Buffer.allocUnsafe(bytes);
      const read = readSync(descriptor, buffer, 0, bytes, 0);
      text = buffer.toString('utf8', 0, read);
      parsed = parseFrontMatter(text);
      if (parsed.closed || read < bytes || bytes >= HEAD_MOST) break;
    }
  } finally {
    closeSync(descriptor);
  }
  const warnings: SkillProblem[] = parsed.warnings.map((warning) => ({ file, ...warning }));
  let name = oneLine(parsed.fields.name ?? '');
  if (name === '') {
    name = basename(folder);
    warnings.push({ file, line: 1, message: `no name; the folder's name, ${name}, is used` });
  }
  let description = oneLine(parsed.fields.description ?? '');
  if (description === '') {
    description = firstSentence(text.slice(parsed.bodyStart));
    warnings.push({ file, line: 1, message: 'no description; the first words of the text are used' });
  }
  const skill: SkillInfo = {
    name,
    category: oneLine(parsed.fields.category ?? '') || category,
    description,
    origin,
    file,
  };
  return { skill, warnings };
}

/** Names and descriptions go to a terminal and a model: one line, no control characters. */
const oneLine = (text: string) => text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();

function firstSentence(body: string): string {
  const line = body.split(/\r?\n/).find((text) => text.trim() !== '' && !/^(#|---|```)/.test(text.trim()));
  return oneLine(line ?? '').slice(0, 200);
}
