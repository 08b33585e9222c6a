/** File name patterns: `*`, `?`, `**`, `[a-z]`, `[!a]`, `{a,b}`. A pattern without a slash fits a name in any folder. */

/** The test for paths that are relative and use `/`. An unclosed bracket or brace stands for itself. */
export function globPattern(glob: string): (path: string) => boolean {
  const clean = glob.replace(/^(?:\.?\/)+/, '').replace(/\/$/, '/**');
  const anchored = clean.includes('/');
  const pattern = new RegExp(`^(?:${anchored ? '' : '(?:.*/)?'}${translate(clean)})$`, 'su');
  return (path) => pattern.test(path);
}

function translate(glob: string): string {
  let out = '';
  let depth = 0;
  for (let i = 0; i < glob.length; i++) {
    const character = glob[i]!;
    if (character === '*') {
      if (glob[i + 1] !== '*') {
        out += '[^/]*';
        continue;
      }
      const start = i;
      while (glob[i + 1] === '*') i++;
      const whole = (start === 0 || glob[start - 1] === '/') && glob[i + 1] === '/';
      if (whole) i++;
      out += whole ? '(?:.*/)?' : '.*';
    } else if (character === '?') out += '[^/]';
    else if (character === '[') {
      const end = glob.indexOf(']', glob[i + 1] === '!' || glob[i + 1] === '^' ? i + 3 : i + 2);
      if (end < 0) out += '\\[';
      else {
        const body = glob.slice(i + 1, end).replace(/^[!^]/, '');
        const negated = body.length < end - i - 1;
        out += `[${negated ? '^/' : ''}${body.replace(/[\\[\]^]/g, '\\$&').replace(/--|&&|~~|\|\|/g, '\\$&')}]`;
        i = end;
      }
    } else if (character === '{' && glob.indexOf('}', i) > i) {
      depth++;
      out += '(?:';
    } else if (character === '}' && depth > 0) {
      depth--;
      out += ')';
    } else if (character === ',' && depth > 0) out += '|';
    else if (character === '\\' && i + 1 < glob.length) out += literal(glob[++i]!);
    else out += literal(character);
  }
  return out + ')'.repeat(depth);
}

const literal = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');

/** The folders that every fitting path begins with, without the last slash; empty when there are none. */
export function fixedFolder(glob: string): string {
  const clean = glob.replace(/^(?:\.?\/)+/, '');
  const special = clean.search(/[*?[{\\]/);
  const fixed = special < 0 ? clean : clean.slice(0, special);
  return fixed.includes('/') ? fixed.slice(0, fixed.lastIndexOf('/')) : '';
}

/** Whether a part of the path is `..`: where that leads is not told by the path when it stands behind a link. */
export const hasParent = (path: string): boolean => /(^|\/)\.\.(\/|$)/.test(path);
