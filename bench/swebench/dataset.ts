/** Reads SWE-bench instances: the official JSONL, one JSON object or array, or a folder of either. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Fields as in the official data set (princeton-nlp/SWE-bench), plus what lets an instance be scored here. */
export interface Instance {
  instance_id: string;
  /** `owner/name`, or a path of a local repository, relative to the data set. */
  repo: string;
  base_commit: string;
  problem_statement: string;
  test_patch: string;
  /** The reference solution: only looked at to tell a broken environment from a wrong patch. */
  patch: string;
  FAIL_TO_PASS: readonly string[];
  PASS_TO_PASS: readonly string[];
  /** Shell command that runs the tests; `{test_files}` stands for their paths. */
  test_cmd: string | null;
  /** Empty: the files that `test_patch` touches. */
  test_files: readonly string[];
  /** Folder that a relative `repo` starts from. */
  origin: string;
}

export class DatasetError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DatasetError';
  }
}

/** Throws DatasetError naming file and line. Instances keep their order; a folder is read by file name. */
export function readDataset(path: string): Instance[] {
  let files: string[];
  try {
    files = statSync(path).isDirectory()
      ? readdirSync(path)
          .filter((name) => /\.jsonl?$/.test(name))
          .sort()
          .map((name) => join(path, name))
      : [path];
  } catch (error) {
    throw new DatasetError(`the data set ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const instances: Instance[] = [];
  const seen = new Set<string>();
  for (const file of files) {
    for (const [value, where] of values(file)) {
      const instance = toInstance(value, where, resolve(dirname(file)));
      if (seen.has(instance.instance_id)) throw new DatasetError(`${where}: ${instance.instance_id} is there twice`);
      seen.add(instance.instance_id);
      instances.push(instance);
    }
  }
  if (instances.length === 0) throw new DatasetError(`the data set ${path} has no instances`);
  return instances;
}

function* values(file: string): Generator<[unknown, string]> {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  try {
    const whole: unknown = JSON.parse(text);
    for (const value of Array.isArray(whole) ? whole : [whole]) yield [value, file];
    return;
  } catch (error) {
    if (error instanceof DatasetError || !file.endsWith('.jsonl'))
      throw new DatasetError(`${file}: not JSON: ${(error as Error).message}`);
  }
  let number = 0;
  for (const line of text.split('\n')) {
    number += 1;
    if (line.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      throw new DatasetError(`${file}:${number}: not JSON: ${(error as Error).message}`);
    }
    yield [value, `${file}:${number}`];
  }
}

function toInstance(value: unknown, where: string, origin: string): Instance {
  if (typeof value !== 'object' || value === null) throw new DatasetError(`${where}: not an object`);
  const row = value as Record<string, unknown>;
  const text = (key: string) => {
    const found = row[key];
    if (typeof found !== 'string' || found === '') throw new DatasetError(`${where}: ${key} is missing`);
    return found;
  };
  const optional = (key: string) => (typeof row[key] === 'string' ? (row[key] as string) : '');
  const instance_id = text('instance_id');
  // It names files of the run, so it must not lead out of its folder.
  if (!/^[\w.-]+$/.test(instance_id) || /^\.+$/.test(instance_id))
    throw new DatasetError(`${where}: ${JSON.stringify(instance_id)} cannot name a file`);
  return {
    instance_id,
    repo: text('repo'),
    base_commit: text('base_commit'),
    problem_statement: optional('problem_statement'),
    test_patch: optional('test_patch'),
    patch: optional('patch'),
    FAIL_TO_PASS: names(row.FAIL_TO_PASS, where),
    PASS_TO_PASS: names(row.PASS_TO_PASS, where),
    test_cmd: optional('test_cmd') || null,
    test_files: names(row.test_files, where),
    origin,
  };
}

/** The official files hold these lists as JSON text inside a string. */
function names(value: unknown, where: string): readonly string[] {
  if (value === undefined || value === null || value === '') return [];
  let list: unknown = value;
  if (typeof value === 'string') {
    try {
      list = JSON.parse(value);
    } catch {
      list = undefined;
    }
  }
  if (!Array.isArray(list) || list.some((item) => typeof item !== 'string'))
    throw new DatasetError(`${where}: a list of test names is not one`);
  return list as string[];
}

/** The instances to run, in the data set's order. Throws DatasetError for an id that is not there. */
export function selectInstances(all: readonly Instance[], ids: readonly string[], limit: number | null): Instance[] {
  const missing = ids.filter((id) => !all.some((instance) => instance.instance_id === id));
  if (missing.length > 0) throw new DatasetError(`the data set has no instance ${missing.join(', ')}`);
  const chosen = ids.length > 0 ? all.filter((instance) => ids.includes(instance.instance_id)) : [...all];
  return limit === null ? chosen : chosen.slice(0, limit);
}

/** Paths that a unified diff of git touches, old and new names. */
export function patchedFiles(patch: string): string[] {
  const files = new Set<string>();
  for (const line of patch.split('\n')) {
    const header = /^diff --git (?:"a\/(.*)"|a\/(.*)) (?:"b\/(.*)"|b\/(.*))$/.exec(line);
    if (!header) continue;
    for (const [quoted, plain] of [header.slice(1, 3), header.slice(3, 5)]) files.add(plain ?? unquote(quoted!));
  }
  return [...files];
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Git quotes like C, byte by byte. */
function unquote(text: string): string {
  const bytes: number[] = [];
  for (const [piece, octal, letter] of text.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(ESCAPES[letter] ?? letter.charCodeAt(0));
    else bytes.push(...Buffer.from(piece));
  }
  return Buffer.from(bytes).toString('utf8');
}
