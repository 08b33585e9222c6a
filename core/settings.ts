/**
 * The settings of a person and, where it is trusted, of a project: defaults < $ADA_HOME/settings.json <
 * .ada/settings.json < environment; flags are the caller's. A setting that is wrong is named and left out, the rest holds.
 */
import { readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { saysYes } from './environment-switch.ts';
import { nearest } from './nearest.ts';
import { parseRule } from './permission/rules.ts';
import type { Mode } from './types.ts';
import { type VendorSettings, vendorSchema } from './vendor-settings.ts';

const text = z.string().check(z.minLength(1));
const texts = z.array(text);
const rules = z.array(
  text.check(z.refine((value) => parseRule(value) !== undefined, 'is no rule; a rule is tool or tool(pattern)')),
);

/** One row a setting: its place in the file and what it may be. */
const FIELDS = {
  model: text,
  mode: z.enum(['ask', 'plan', 'auto']),
  'routing.fallback': z.enum(['never', 'ask', 'always']),
  /** Alias to model id. */
  'routing.models': z.record(z.string(), text),
  'ollama.hosts': texts,
  /** A duration as Ollama takes it (`30m`), or seconds; negative keeps the model loaded. */
  'ollama.keepAlive': z.union([text, z.number()]),
  'ollama.contextTokens': z.int().check(z.positive()),
  get vendors() {
    return vendorSchema();
  },
  'permissions.allow': rules,
  'permissions.ask': rules,
  'permissions.deny': rules,
  /** Folders that count as inside, relative to the project. */
  'permissions.directories': texts,
  protectedPaths: texts,
  /** When older messages make room: up to 1 a share of the window, above that tokens, 0 never. */
  compactAt: z.number().check(z.minimum(0)),
  /** Days that a session is kept after its last change; 0 keeps all. */
  retention: z.number().check(z.minimum(0)),
  'skills.off': texts,
} as const;

type Field = keyof typeof FIELDS;

export interface Settings {
  model?: string;
  mode?: Mode;
  routing: { fallback: 'never' | 'ask' | 'always'; models: Readonly<Record<string, string>> };
  ollama: { hosts: readonly string[]; keepAlive?: string | number; contextTokens?: number };
  /** Servers that the person described, by the first segment of their model ids. */
  vendors: VendorSettings;
  permissions: {
    allow: readonly string[];
    ask: readonly string[];
    deny: readonly string[];
    /** Absolute. */
    directories: readonly string[];
  };
  protectedPaths: readonly string[];
  /** Up to 1 a share of the served window, above that tokens, 0 never. */
  compactAt?: number;
  /** Days that a session is kept after its last change; 0 or nothing keeps all. */
  retention?: number;
  skills: { off: readonly string[] };
  /** The allow rules of the person's own file alone: only those may allow a destructive command that they spell. */
  ownAllow: readonly string[];
}

interface Source {
  unreadable?: string;
  values: Partial<Record<Field, unknown>>;
  problems: string[];
}

/** Reads and merges the settings. Never throws: `problems` has one line for each thing that was left out. */
export function loadSettings(options: { adaHome: string; project: string; trusted: boolean; env: NodeJS.ProcessEnv }): {
  settings: Settings;
  problems: readonly string[];
  /** The person's own file could not be read at all: what it denies is not known. */
  unreadable?: string;
} {
  const { adaHome, project, trusted, env } = options;
  const own = readSource(join(adaHome, 'settings.json'));
  const shared = trusted ? readSource(join(project, '.ada', 'settings.json')) : { values: {}, problems: [] };
  const surroundings = readEnvironment(env);
  const sources = [own, shared, surroundings];
  const last = <T>(field: Field): T | undefined =>
    sources.findLast(({ values }) => values[field] !== undefined)?.values[field] as T | undefined;
  const every = (field: Field): string[] => [
    ...new Set(sources.flatMap(({ values }) => (values[field] as string[] | undefined) ?? [])),
  ];
  const merged = <T>(field: Field): Record<string, T> =>
    Object.assign({}, ...sources.map(({ values }) => values[field] ?? {}));

  return {
    settings: {
      model: last('model'),
      mode: last('mode'),
      routing: { fallback: last('routing.fallback') ?? 'ask', models: merged('routing.models') },
      ollama: {
        hosts: last('ollama.hosts') ?? [],
        keepAlive: last('ollama.keepAlive'),
        contextTokens: last('ollama.contextTokens'),
      },
      vendors: merged('vendors'),
      permissions: {
        allow: every('permissions.allow'),
        ask: every('permissions.ask'),
        deny: every('permissions.deny'),
        directories: every('permissions.directories').map((path) => fromProject(path, project, env.HOME)),
      },
      compactAt: last('compactAt'),
      retention: last('retention'),
      protectedPaths: every('protectedPaths'),
      skills: { off: every('skills.off') },
      ownAllow: (own.values['permissions.allow'] as string[] | undefined) ?? [],
    },
    problems: sources.flatMap(({ problems }) => problems),
    unreadable: own.unreadable,
  };
}

function fromProject(path: string, project: string, home: string | undefined): string {
  if (home !== undefined && (path === '~' || path.startsWith('~/'))) return join(home, path.slice(1));
  return isAbsolute(path) ? path : resolve(project, path);
}

function readEnvironment(env: NodeJS.ProcessEnv): Source {
  const values: Source['values'] = {};
  if (env.ADA_MODEL) values.model = env.ADA_MODEL;
  const problems: string[] = [];
  const approves = saysYes(env.ADA_AUTO_APPROVE);
  if (approves) values.mode = 'auto';
  else if (approves === undefined)
    problems.push(`ADA_AUTO_APPROVE=${env.ADA_AUTO_APPROVE} says neither yes (1) nor no (0); it is left out`);
  if (env.OLLAMA_HOST) values['ollama.hosts'] = [env.OLLAMA_HOST];
  if (env.ADA_COMPACT_AT) {
    const compactAt = Number(env.ADA_COMPACT_AT);
    if (compactAt >= 0) values.compactAt = compactAt;
    else problems.push(`ADA_COMPACT_AT=${env.ADA_COMPACT_AT} is no number of 0 or more; it is left out`);
  }
  return { values, problems };
}

function readSource(file: string): Source {
  const source: Source = { values: {}, problems: [] };
  const give = (what: string) => {
    source.unreadable = `${file}: ${what}`;
    source.problems.push(source.unreadable);
  };
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') give(`cannot be read (${code ?? message})`);
    return source;
  }
  let stored: unknown;
  try {
    stored = JSON.parse(content.replace(/^\ufeff/, ''));
  } catch (error) {
    give(brokenJson(content.replace(/^\ufeff/, ''), error as Error));
    return source;
  }
  if (!isObject(stored)) {
    give('must be a JSON object');
    return source;
  }
  const complain = (field: string, what: string) => source.problems.push(`${file}: ${field} ${what}`);
  for (const [key, value] of Object.entries(stored)) {
    if (Object.hasOwn(FIELDS, key)) readField(key as Field, value, source, complain);
    else if (GROUPS.has(key) && !isObject(value)) complain(key, 'must be an object');
    else if (GROUPS.has(key)) {
      for (const [name, inner] of Object.entries(value as object)) {
        const field = `${key}.${name}`;
        if (Object.hasOwn(FIELDS, field)) readField(field as Field, inner, source, complain);
        else suggest(field, complain);
      }
    } else suggest(key, complain);
  }
  return source;
}

const GROUPS = new Set(
  Object.keys(FIELDS).flatMap((field) => (field.includes('.') ? [field.slice(0, field.indexOf('.'))] : [])),
);
/** Settings that other versions know: a file that is shared with one is not wrong. */
const OTHER = ['theme', 'verify', 'formatOnEdit', 'skills.autoApply', 'hooks', 'keys', 'notifications'];

function readField(
  field: Field,
  value: unknown,
  source: Source,
  complain: (field: string, what: string) => void,
): void {
  const schema = FIELDS[field] as z.ZodMiniType;
  const checked = schema.safeParse(value);
  if (checked.success) {
    source.values[field] = checked.data;
    return;
  }
  const isList = Array.isArray(value);
  const entries = isList || isObject(value) ? Object.entries(value) : [];
  for (const issue of checked.error.issues.slice(0, entries.length > 0 ? undefined : 1))
    complain([field, ...issue.path.map(String)].join('.'), `${describe(issue)} and is left out`);
  // Entries stand alone: a deny rule must not be lost because its neighbour is wrong.
  if (isList) source.values[field] = value.filter((entry) => schema.safeParse([entry]).success);
  else if (entries.length > 0)
    source.values[field] = Object.fromEntries(
      entries.filter(([name, entry]) => schema.safeParse({ [name]: entry }).success),
    );
}

function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${NAMES[issue.expected] ?? `a ${issue.expected}`}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'unrecognized_keys':
      return `has ${issue.keys.join(', ')}, which ${issue.keys.length > 1 ? 'are' : 'is'} not known there,`;
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'is no name';
    case 'custom':
      return issue.message ?? 'is wrong';
    case 'too_small':
      if (issue.origin === 'string') return 'must not be empty';
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'invalid_union':
      return 'must be a text or a number';
    default:
      return 'is wrong';
  }
}

const NAMES: Readonly<Record<string, string>> = { record: 'an object', object: 'an object', array: 'a list' };

function suggest(field: string, complain: (field: string, what: string) => void): void {
  const names = [...Object.keys(FIELDS), ...GROUPS, ...OTHER];
  if (names.includes(field)) return;
  const near = nearest(field, names, field.length > 4 ? 2 : 1);
  complain(field, near === undefined ? 'is no setting of this version' : `is no setting; did you mean ${near}?`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** V8 says where JSON breaks in words that change from version to version; a line number is what people need. */
function brokenJson(content: string, error: Error): string {
  const position = /position (\d+)/.exec(error.message)?.[1];
  const at =
    position === undefined ? (/end of JSON/i.test(error.message) ? content.length : undefined) : Number(position);
  const line = at === undefined ? '' : ` in line ${content.slice(0, at).split('\n').length}`;
  const hint = /^\s*(\/\/|\/\*)/m.test(content)
    ? '; comments are not allowed'
    : /,\s*[\]}]/.test(content)
      ? '; a comma before ] or } is not allowed'
      : '';
  return `is not valid JSON${line}${hint}; it is left out`;
}
