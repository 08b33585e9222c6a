/**
 * Path patterns of rules and settings: `*` and `?` stay inside one name, `**` crosses folders, `\*` is a star.
 */

const SPECIAL = /[.+^${}()|[\]\\]/;

/** A regular expression for one path pattern, matched against a path with `/` between its names. */
export function pathGlob(pattern: string): RegExp {
  let source = '';
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i]!;
    if (c === '\\' && i + 1 < pattern.length) {
      const next = pattern[++i]!;
      source += SPECIAL.test(next) || next === '*' || next === '?' ? `\\${next}` : next;
    } else if (c === '*' && pattern[i + 1] === '*') {
      i++;
      if (pattern[i + 1] === '/') {
        i++;
        source += '(?:[^/]+/)*';
      } else {
        while (pattern[i + 1] === '*') i++;
        source += '.*';
      }
    } else if (c === '*') source += '[^/]*';
    else if (c === '?') source += '[^/]';
    else source += SPECIAL.test(c) ? `\\${c}` : c;
  }
  return new RegExp(`^${source}$`, 's');
}

/** Whether a pattern stands for more than the one path that it spells. */
export function isPathGlob(pattern: string): boolean {
  return /[*?]/.test(pattern.replace(/\\./g, ''));
}

/** The pattern that stands for exactly this path. */
export function escapeGlob(path: string): string {
  return path.replace(/[\\*?]/g, '\\$&');
}
