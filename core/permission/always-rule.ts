/**
 * The rule that an "always" answer saves: the narrowest that helps, and none for what must be asked each time.
 */
import { relative } from 'node:path';
import type { Access } from '../types.ts';
import { escapeGlob } from './path-glob.ts';
import { isWithin, type Places, placePath } from './paths.ts';
import { parseRule } from './rules.ts';
import type { Part } from './shell/scene.ts';

/** Subcommands of which every form has the same harmless kind, so that "always" may mean all their arguments. */
const WIDE = new Set(
  [
    'git add|git commit|git stage',
    'cargo build|cargo check|cargo test|cargo clippy|cargo fmt',
    'go build|go test|go vet|go fmt',
    'npm test|npm t|pnpm test|yarn test|bun test',
  ].flatMap((line) => line.split('|')),
);

/** Stands between the rules of one answer; no rule of a command holds one. */
const BETWEEN = '\n';

/** The rules in the text of an answer: nearly always one. */
export const rulesIn = (text: string): readonly string[] => {
  const all = text.split(BETWEEN);
  return all.every((one) => parseRule(one) !== undefined) ? all : [text];
};

/**
 * The rule text, or undefined. Of several commands each gets the rule that it would get alone, where that is one for all
 * its arguments; else the rule spells the whole.
 */
export function alwaysRule(tool: string, access: Access, parts: readonly Part[], places: Places): string | undefined {
  if (parts.some((part) => part.class === 'destructive' || part.class === 'hidden' || part.guarded)) return undefined;
  switch (access.kind) {
    case 'none':
      return tool;
    case 'network':
      return `${tool}(${access.host})`;
    case 'read':
    case 'write': {
      const paths = new Set(parts.map((part) => part.reads.at(-1) ?? part.writes.at(-1)));
      const [path] = paths;
      return paths.size === 1 && path !== undefined ? `${tool}(${rulePath(path, places)})` : undefined;
    }
    case 'command': {
      if (!placePath(access.cwd, '/', places).inside) return undefined;
      // What only reads needs none.
      const asked = parts.filter((part) => part.class !== 'read' && !part.structure);
      const wide = asked.map((part) => (part.class === 'write' ? part.words.slice(0, 2).join(' ') : ''));
      if (wide.length > 0 && wide.every((start) => WIDE.has(start)))
        return [...new Set(wide)].map((start) => `${tool}(${start} *)`).join(BETWEEN);
      const command = access.command.trim();
      return command.includes('\n') ? undefined : `${tool}(${command.replace(/[\\*]/g, '\\$&')})`;
    }
  }
}

/** A path as rules spell it: relative to the project where it lies inside, else absolute. */
function rulePath(path: string, places: Places): string {
  return escapeGlob(isWithin(path, places.project) ? relative(places.project, path) || '.' : path);
}
