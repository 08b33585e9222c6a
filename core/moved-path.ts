/** Paths of a project that lies in another folder than it did. Pure. */
import { escapeGlob } from './permission/path-glob.ts';
import { isWithin } from './permission/paths.ts';

/** What stands in `to` for a path of `from`; undefined for a path elsewhere. All absolute and normalized. */
export function movedPath(path: string, from: string, to: string): string | undefined {
  if (!isWithin(path, from)) return undefined;
  const rest = path.slice(from.length).replace(/^\/+/, '');
  return rest === '' ? to : `${to === '/' ? '' : to}/${rest}`;
}

/** A rule whose pattern is a path of `from`, for the same path of `to`; any other as it is. */
export function movedRule(rule: string, from: string, to: string): string {
  const [, tool, pattern] = /^([^()]+)\((.*)\)$/s.exec(rule) ?? [];
  if (pattern === undefined) return rule;
  const moved = movedPath(pattern, escapeGlob(from), escapeGlob(to));
  return moved === undefined ? rule : `${tool}(${moved})`;
}
