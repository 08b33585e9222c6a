/**
 * The permission engine: says of each tool call whether it runs, must be asked for, or is refused. The class of the call
 * and the mode decide, unless a rule speaks; of several rules the strictest wins.
 */
import type { Access, Mode, Verdict } from '../types.ts';
import { alwaysRule, rulesIn } from './always-rule.ts';
import { modeVerdict } from './modes.ts';
import { createPlaces, isWithin, type Places, placePath } from './paths.ts';
import { readRemembered, writeRemembered } from './remembered-rules.ts';
import {
  allowsReading,
  type Call,
  forbidsReading,
  matchRule,
  mayBind,
  parseRule,
  type Rule,
  speaksOfFiles,
} from './rules.ts';
import { isSecretName } from './sensitive-names.ts';
import type { Part } from './shell/scene.ts';
import { summarize } from './summarize.ts';

export interface Permissions {
  /** Never throws; what cannot be judged is asked for, or refused in plan mode. */
  judge(call: PermissionCall): Promise<Verdict>;
  /** Whether a rule forbids to read the file, by its absolute path: a search leaves it out. */
  forbidsReading(path: string): boolean;
  /** Saves an "always" answer: `session` in memory, `project` in $ADA_HOME, where no checkout can write it. */
  remember(rule: string, scope: 'session' | 'project'): void;
  /** What "always" answers saved: of this session, and of this project from earlier ones. */
  listRemembered(): readonly RememberedRule[];
  /**
   * Takes back an "always" answer, wherever it was saved; false when there is none of this text. Throws where that cannot
   * be saved: then it is taken back for this process alone.
   */
  forget(rule: string): boolean;
}

export interface PermissionCall {
  tool: string;
  access: Access;
  mode: Mode;
  /** Where relative paths start. */
  cwd: string;
  /** The tool leaves out of a search what `forbidsReading` names, so that the search as a whole need not be refused. */
  leavesOut?: boolean;
}

export interface RememberedRule {
  /** As saved: `tool(pattern)`. */
  rule: string;
  scope: 'session' | 'project';
}

export interface PermissionOptions {
  project: string;
  /** Further folders that count as inside. */
  directories: readonly string[];
  allow: readonly string[];
  ask: readonly string[];
  deny: readonly string[];
  /** Rules of the person's own settings or flags: one without `*` may allow exactly that destructive command. */
  ownAllow?: readonly string[];
  protectedPaths?: readonly string[];
  home: string;
  adaHome: string;
  /** The PATH that commands run with: a program that it finds inside the project is none that ada knows. */
  path?: string | undefined;
}

interface RuleBook {
  allow: Rule[];
  ask: Rule[];
  deny: Rule[];
  own: Rule[];
}

/** Makes the engine for one project. Texts that are no rules are left out: settings and flags report them (`parseRule`). */
export function createPermissions(options: PermissionOptions): Permissions {
  const places = createPlaces(options);
  const read = (texts: readonly string[] = []): Rule[] => [...new Set(texts)].flatMap((text) => parseRule(text) ?? []);
  const own = read(options.ownAllow);
  const rules: RuleBook = {
    allow: [...read(options.allow.filter((text) => !options.ownAllow?.includes(text))), ...own],
    ask: read(options.ask),
    deny: read(options.deny),
    own,
  };
  // "Always" answers were given by this person, but never to a destructive command.
  const session = new Set<string>();
  /** Taken back by this process, though the file may hold them still. */
  const forgotten = new Set<string>();
  const remembered = (): readonly string[] =>
    readRemembered(options.adaHome, places.project).filter((rule) => !forgotten.has(rule));
  let project: readonly string[] | undefined;

  return {
    async judge(call) {
      project ??= remembered();
      return judgeCall(call, places, { ...rules, allow: [...rules.allow, ...read([...session, ...project])] });
    },
    forbidsReading: (path) => forbidsReading(rules.deny, path, places),
    remember(text, scope) {
      const given = read(rulesIn(text)).map((rule) => rule.text);
      if (given.length === 0) return;
      for (const rule of given) session.add(rule);
      if (scope === 'session') return;
      for (const rule of given) forgotten.delete(rule);
      writeRemembered(options.adaHome, places.project, [...remembered(), ...given]);
      project = remembered();
    },
    listRemembered() {
      const stored = remembered();
      return [
        ...stored.map((rule) => ({ rule, scope: 'project' as const })),
        ...[...session].filter((rule) => !stored.includes(rule)).map((rule) => ({ rule, scope: 'session' as const })),
      ];
    },
    forget(text) {
      const stored = remembered();
      const isStored = stored.includes(text);
      const isKnown = session.delete(text) || isStored;
      project = undefined;
      if (!isStored) return isKnown;
      forgotten.add(text);
      const left = stored.filter((rule) => rule !== text);
      writeRemembered(options.adaHome, places.project, left);
      return true;
    },
  };
}

async function judgeCall(call: PermissionCall, places: Places, rules: RuleBook): Promise<Verdict> {
  const { access, mode } = call;
  const searches = call.tool === 'grep' && call.leavesOut !== true;
  const parts = await partsOf(access, call.cwd, places, searches);
  const summary = summarize(parts);
  // A rule for `bash` binds every way to run a command.
  const tool = access.kind === 'command' ? 'bash' : call.tool;
  const isWide = parts.some((part) => part.searches?.length || part.changes?.length || part.mayChange?.length);
  const byRules = isWide && [...rules.deny, ...rules.ask].some(speaksOfFiles);
  const onSearches = byRules ? await import('./rules-on-searches.ts') : undefined;
  const { bindsSearch, coversFolder } = onSearches ?? {};
  const asked: Call = { tool, access, parts, places, bindsSearch, coversFolder };
  const verdict = (answer: Verdict['verdict'], by: Verdict['by'], rule?: string): Verdict => ({
    verdict: answer,
    ...summary,
    by,
    ...(rule === undefined ? {} : { rule }),
  });

  const denied = rules.deny.find((rule) => matchRule(rule, asked, 'any'));
  if (denied) return verdict('deny', 'rule', denied.text);
  const byMode = modeVerdict(summary.class, mode);
  const always = byMode === 'ask' ? alwaysRule(call.tool, access, parts, places) : undefined;
  const mustAsk =
    rules.ask.find((rule) => matchRule(rule, asked, 'any')) ??
    [...rules.deny, ...rules.ask].find((rule) => mayBind(rule, asked));
  if (mustAsk) return byMode === 'deny' ? verdict('deny', 'mode') : verdict('ask', 'rule', mustAsk.text);
  if (byMode === 'allow') return verdict('allow', 'mode');
  // Plan mode refuses what changes anything, whatever was allowed before.
  const allowed = mode === 'plan' && !summary.readOnly ? undefined : findAllowing(asked, rules, mode);
  if (allowed !== undefined) return verdict('allow', 'rule', allowed);
  return verdict(byMode, 'mode', always);
}

/** The rule that allows the whole call: one that spells it, or rules for each of its parts that the mode does not allow. */
function findAllowing(call: Call, rules: RuleBook, mode: Mode): string | undefined {
  // The same words in a folder elsewhere are another command.
  const { access } = call;
  if (access.kind === 'command' && !placePath(access.cwd, '/', call.places).inside) return undefined;
  const grave = call.parts.some((part) => part.class === 'destructive' || part.class === 'hidden' || part.guarded);
  const spelled = (grave ? rules.own : rules.allow).find((rule) => matchRule(rule, call, 'spelled'));
  if (spelled) return spelled.text;
  if (grave) return undefined;
  let last: string | undefined;
  for (const part of call.parts) {
    if (part.structure || modeVerdict(part.class, mode) === 'allow') continue;
    // A pattern of commands says nothing of paths elsewhere: those it allows only where it spells the command.
    const isElsewhere = part.class === 'outside';
    // What the person lets the reading tool open a command may read too.
    if (isElsewhere && access.kind === 'command' && allowsReading(rules.allow, part, call.places)) {
      last ??= rules.allow.find(({ tool }) => tool === 'read_file')?.text;
      continue;
    }
    const rule = rules.allow.find((candidate) =>
      matchRule(candidate, { ...call, parts: [part] }, isElsewhere && access.kind === 'command' ? 'spelled' : 'each'),
    );
    if (!rule) return undefined;
    last = rule.text;
  }
  return last;
}

/** `searches`: the call reads the content of all files in the folders that it names, but for those that may hold secrets. */
async function partsOf(access: Access, cwd: string, places: Places, searches: boolean): Promise<readonly Part[]> {
  const part = (accessClass: Part['class'], readOnly: boolean, reasons: string[], more: Partial<Part> = {}): Part => ({
    words: [],
    class: accessClass,
    readOnly,
    reasons,
    reads: [],
    writes: [],
    ...more,
  });
  switch (access.kind) {
    case 'none':
      return [part('read', true, [])];
    case 'command': {
      // Tables and parser are loaded with the first command: a start without one does not pay for them.
      const { readCommand } = await import('./judge-command.ts');
      return readCommand(access.command, access.cwd, places);
    }
    case 'network':
      return [part('network', true, [`reaches ${access.host}`])];
    case 'read':
    case 'write':
      return access.paths.map((path) => {
        const placed = placePath(path, cwd, places);
        const isWrite = access.kind === 'write';
        const real =
          placed.real !== undefined && placed.real !== placed.path && !isWithin(placed.real, places.project)
            ? ` (really ${placed.real})`
            : '';
        const reasons: string[] = [];
        if (placed.real === undefined) reasons.push(`where ${path} leads cannot be found out`);
        else if (!placed.inside) reasons.push(`${path}${real} is outside the project`);
        if (placed.secret) reasons.push(`${path} may hold secrets`);
        if (placed.guarded && isWrite) reasons.push(`${path} is protected`);
        if (reasons.length === 0 && isWrite) reasons.push(`changes ${path}`);
        const isOutside = !placed.inside || placed.secret || (placed.guarded && isWrite);
        const paths = [...new Set([placed.path, ...(placed.real === undefined ? [] : [placed.real])])];
        const fits = placed.secret ? undefined : (file: string) => !isSecretName(file);
        const read = searches
          ? { reads: paths, searches: paths.map((folder) => ({ folder, fits })) }
          : { reads: paths };
        const named = isWrite ? { writes: paths, guarded: placed.guarded } : read;
        return part(isOutside ? 'outside' : access.kind, !isWrite, reasons, named);
      });
  }
}
