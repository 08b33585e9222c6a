/**
 * Rules: `tool` or `tool(pattern)`. In a command `*` stands for the rest of one simple command, never for a separator; in
 * a path it is a glob. Deny and ask rules are read widely (every way to write the command, every tool that touches the
 * path), allow rules narrowly.
 */
import { basename, join, relative } from 'node:path';
import type { Access } from '../types.ts';
import { isPathGlob, pathGlob } from './path-glob.ts';
import { absolute, isWithin, type Places } from './paths.ts';
import { hasComputedHost, hostsIn } from './rules-on-hosts.ts';
import type { bindsSearch, coversFolder } from './rules-on-searches.ts';
import { isSecretName } from './sensitive-names.ts';
import type { Part } from './shell/scene.ts';

export interface Rule {
  /** As written, for people and for the log. */
  text: string;
  tool: string;
  pattern?: string;
}

/** A call as rules see it. */
export interface Call {
  tool: string;
  access: Access;
  parts: readonly Part[];
  places: Places;
  /** Loaded where the call reads whole folders and a rule may speak of what lies there. */
  bindsSearch?: typeof bindsSearch | undefined;
  /** The same, where it may change what it does not name. */
  coversFolder?: typeof coversFolder | undefined;
}

/**
 * `any`: some part matches (deny, ask). `each`: every part matches (allow). `spelled`: the rule, without `*`, spells
 * exactly this call.
 */
export type Match = 'any' | 'each' | 'spelled';

const WRITE_TOOLS = new Set(['edit_file', 'write_file', 'apply_patch']);
/** Names that people know from other agents. */
const ALIASES: Readonly<Record<string, string>> = {
  bash: 'bash',
  shell: 'bash',
  run: 'bash',
  read: 'read_file',
  write: 'write_file',
  edit: 'edit_file',
  multiedit: 'edit_file',
  webfetch: 'web_fetch',
  websearch: 'web_search',
  grep: 'grep',
  glob: 'glob',
  ls: 'ls',
};

/** Reads one rule; undefined when the text is none. */
export function parseRule(text: string): Rule | undefined {
  const match = /^\s*([\w*.:-]+)\s*(?:\((.*)\))?\s*$/s.exec(text);
  if (!match) return undefined;
  const name = match[1]!;
  const tool = ALIASES[name.toLowerCase()] ?? name;
  const pattern = match[2]?.trim();
  if (pattern === '') return undefined;
  return { text: text.trim(), tool, ...(pattern === undefined || pattern === '*' ? {} : { pattern }) };
}

/** Whether a rule speaks of a call. */
export function matchRule(rule: Rule, call: Call, how: Match): boolean {
  if (how === 'spelled' && (rule.pattern === undefined || rule.tool !== call.tool || isPathGlob(rule.pattern)))
    return false;
  if (how === 'any' && rule.pattern !== undefined && (bindsPaths(rule, call) || bindsHosts(rule, call))) return true;
  if (rule.tool !== call.tool && !(rule.tool.includes('*') && commandGlob(rule.tool).test(call.tool))) return false;
  const { access } = call;
  if (how !== 'any' && (access.kind === 'read' || access.kind === 'write'))
    return call.parts.every((part) => allowsPart(rule.pattern, part, call.places, how));
  if (rule.pattern === undefined) return true;
  switch (access.kind) {
    case 'none':
      return false;
    case 'network':
      return matchHost(rule.pattern, access.host, how);
    case 'read':
    case 'write':
      return call.parts.some((part) => matchPart(rule.pattern!, [...part.reads, ...part.writes], call.places, how));
    case 'command':
      return matchCommand(rule.pattern, access.command, call.parts, how);
  }
}

/** A rule on a path holds for every tool that reads or writes it, also for paths in shell commands. */
function bindsPaths(rule: Rule, { tool, parts, places, bindsSearch: binds, coversFolder: covers }: Call): boolean {
  const writes = WRITE_TOOLS.has(rule.tool);
  const isSearch = rule.tool === 'grep' && tool === 'grep';
  if (!writes && !isSearch && rule.tool !== 'read_file') return false;
  const pattern = rule.pattern!;
  const matches = (path: string) => matchPath(pattern, path, places, 'any');
  return parts.some(
    (part) =>
      matchPart(pattern, writes ? part.writes : part.reads, places, 'any') ||
      binds?.(pattern, (writes ? part.changes : part.searches) ?? [], places, matches) ||
      (writes && part.mayChange?.some((search) => covers?.(pattern, search, places, matches) === 'all')),
  );
}

/** A rule on a host holds for the programs that reach it, too. */
function bindsHosts({ tool, pattern }: Rule, { access, parts }: Call): boolean {
  if (tool !== 'web_fetch' || access.kind !== 'command') return false;
  return parts.some((part) => hostsIn(part).some((host) => matchHost(pattern!, host, 'any')));
}

const ABOUT_PATHS = /^(?!may read |git ).* (may hold secrets|is outside the project)$/;

/**
 * Whether rules that allow to read files cover a part of a command which asks for nothing but to read such files:
 * `read_file(.env)` lets `cat .env` run as well.
 */
export function allowsReading(rules: readonly Rule[], part: Part, places: Places): boolean {
  if (part.class !== 'outside' || !part.readOnly || part.guarded || part.reads.length === 0) return false;
  if (part.writes.length > 0 || part.searches?.length || part.changes?.length || part.mayChange?.length) return false;
  if (part.reasons.length === 0 || !part.reasons.every((reason) => ABOUT_PATHS.test(reason))) return false;
  return part.reads.every(
    (path) =>
      rules.some(
        ({ tool, pattern }) =>
          tool === 'read_file' &&
          pattern !== undefined &&
          allowsPart(pattern, { ...part, reads: [path] }, places, 'each'),
      ) || isPlainInside(path, places),
  );
}

const isPlainInside = (path: string, places: Places): boolean =>
  !isSecretName(path) && places.roots.some((root) => isWithin(path, root));

/** Whether a call may change a file, or reach a host, that the rule names, which only what it is given tells: that is asked. */
export function mayBind({ tool, pattern }: Rule, { access, parts, places, coversFolder: covers }: Call): boolean {
  if (tool === 'web_fetch' && pattern !== undefined && access.kind === 'command') return parts.some(hasComputedHost);
  if (!WRITE_TOOLS.has(tool) || pattern === undefined) return false;
  const matches = (path: string) => matchPath(pattern, path, places, 'any');
  return parts.some((part) => part.mayChange?.some((search) => covers?.(pattern, search, places, matches)));
}

/** Whether a rule may speak of files that a call does not name. */
export function speaksOfFiles({ tool, pattern }: Rule): boolean {
  return pattern !== undefined && (tool === 'read_file' || tool === 'grep' || WRITE_TOOLS.has(tool));
}

/** Whether some rule forbids to read a file: what a search that leaves such files out asks for each. */
export function forbidsReading(rules: readonly Rule[], path: string, places: Places): boolean {
  return rules.some(
    (rule) =>
      (rule.tool === 'read_file' || rule.tool === 'grep') &&
      (rule.pattern === undefined || matchPath(rule.pattern, path, places, 'any')),
  );
}

/**
 * The path policy of rules that allow, alike for every tool: without a pattern, and with one that begins at the project,
 * only paths inside it and the added directories; a secret only where the pattern names such a file.
 */
function allowsPart(pattern: string | undefined, part: Part, places: Places, how: Match): boolean {
  const paths = [...part.reads, ...part.writes];
  if (pattern === undefined) return part.class !== 'outside';
  if (!matchPart(pattern, paths, places, how)) return false;
  if (how === 'spelled') return true;
  const hasSecret = paths.some(isSecretName);
  if (hasSecret) return isSecretName(pattern.replace(/[*?]+/g, ''));
  // Inside and no secret, and outside all the same: where it leads is not known.
  return part.class !== 'outside' || paths.some((path) => !places.roots.some((root) => isWithin(path, root)));
}

function matchPart(pattern: string, paths: readonly string[], places: Places, how: Match): boolean {
  const matches = (path: string) => matchPath(pattern, path, places, how);
  return how === 'any' ? paths.some(matches) : paths.length > 0 && paths.every(matches);
}

/** Patterns start at the project; one without a folder means any folder when it forbids, and the project's own when it allows. */
function matchPath(pattern: string, path: string, places: Places, how: Match): boolean {
  if (pattern.startsWith('/') || pattern.startsWith('~'))
    return pathGlob(absolute(pattern, places.project, places.home)).test(path);
  if (/^(\.\/)*\.\.(\/|$)/.test(pattern)) return pathGlob(join(places.project, pattern)).test(path);
  if (how === 'any' && !pattern.includes('/') && pathGlob(pattern).test(basename(path))) return true;
  const glob = pathGlob(pattern.replace(/^(\.\/)+/, ''));
  return places.roots.some((root) => isWithin(path, root) && glob.test(relative(root, path) || '.'));
}

function matchHost(pattern: string, host: string, how: Match): boolean {
  const wanted = pattern.toLowerCase().replace(/^domain:/, '');
  const actual = host.toLowerCase().replace(/\.$/, '');
  if (commandGlob(wanted).test(actual)) return true;
  return how === 'any' && actual.endsWith(`.${wanted}`);
}

function matchCommand(pattern: string, command: string, parts: readonly Part[], how: Match): boolean {
  const glob = commandGlob(pattern.replace(/:\*$/, ' *'));
  if (how === 'spelled') {
    const literal = pattern.replace(/\\([\\*])/g, '$1');
    if (literal === command.trim()) return true;
    return parts.length === 1 && parts[0]!.words.length > 0 && spell(parts[0]!.words) === literal;
  }
  if (how === 'any')
    return (
      glob.test(command.trim()) ||
      parts.some((part) => part.words.length > 0 && forms(part.words).some((form) => glob.test(form)))
    );
  return parts.every((part) => part.words.length > 0 && glob.test(spell(part.words)));
}

/** The words as a person would write them. */
export function spell(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./~^{}*?[\]-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`))
    .join(' ');
}

/** Bridges and helpers of git that push. */
const PUSHES = new Set(['subtree push', 'svn dcommit', 'p4 submit', 'lfs push', 'annex push', 'annex sync']);

/** Ways in which the same command may be written, for rules that forbid. */
function forms(words: readonly string[]): readonly string[] {
  const [program = '', ...args] = words;
  const name = basename(program);
  const found = [spell(words), words.join(' '), [name, ...args].join(' '), [name.toLowerCase(), ...args].join(' ')];
  if (name === 'git') {
    let at = 0;
    while (args[at]?.startsWith('-'))
      at += /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path)$/.test(args[at]!) ? 2 : 1;
    if (at > 0) found.push([name, ...args.slice(at)].join(' '));
    const [first, second, ...rest] = args.slice(at);
    if (first === 'send-pack' || first === 'http-push') found.push(['git push', second, ...rest].join(' '));
    else if (PUSHES.has(`${first} ${second}`)) found.push(['git push', ...rest].join(' '));
  }
  return found;
}

/** `*` is anything, a last ` *` also nothing; spaces are alike. */
function commandGlob(pattern: string): RegExp {
  const tail = /(?<!\\) \*$/.test(pattern);
  const body = (tail ? pattern.slice(0, -2) : pattern).replace(/\s+/g, ' ');
  let source = '';
  for (let i = 0; i < body.length; i++) {
    const c = body[i]!;
    if (c === '\\' && (body[i + 1] === '*' || body[i + 1] === '\\')) source += `\\${body[++i]}`;
    else source += c === '*' ? '.*' : c.replace(/[.+?^${}()|[\]\\/]/, '\\$&');
  }
  return new RegExp(`^${source}${tail ? '(?: .*)?' : ''}$`, 's');
}
