/** Says a rule in plain words, so that a person who answers "always" knows what is saved. */
import { rulesIn } from './always-rule.ts';
import { parseRule } from './rules.ts';

const CHANGING = new Set(['edit_file', 'write_file', 'apply_patch']);
const READING = new Set(['read_file', 'ls', 'grep', 'glob']);

/**
 * One line, never wider than what the rule allows: `git commit with any arguments, in this project`. Pure; a text that
 * is no rule comes back as it is.
 */
export function ruleInWords(text: string): string {
  const all = rulesIn(text);
  if (all.length > 1) return all.map(ruleInWords).join('; ');
  const rule = parseRule(text);
  if (!rule) return text;
  const { tool, pattern } = rule;
  if (pattern === undefined) return `every call of ${tool}, in this project`;
  if (tool === 'bash') return `${commandInWords(pattern)}, in this project`;
  const what = hasStar(pattern) ? `whatever matches ${pattern}` : plain(pattern);
  if (CHANGING.has(tool)) return `changes of ${what} with ${tool}, in this project`;
  if (READING.has(tool)) return `${tool} of ${what}, in this project`;
  return `${tool} with ${what}, in this project`;
}

function commandInWords(pattern: string): string {
  const start = /^(.*) \*$/s.exec(pattern.replace(/:\*$/, ' *'))?.[1];
  if (start !== undefined && !hasStar(start) && !start.endsWith('\\')) return `${plain(start)} with any arguments`;
  return hasStar(pattern) ? `every command of the form ${pattern}` : `exactly ${plain(pattern)}`;
}

/** A `*` that stands for itself is written `\*`. */
const hasStar = (pattern: string): boolean => pattern.replace(/\\./gs, '').includes('*');
const plain = (pattern: string): string => pattern.replace(/\\([\\*?])/g, '$1');
