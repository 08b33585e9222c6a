/** What the operators `%`, `#` and `/` behind the name of a variable make of its value, where that can be told. */
import { ANY_TEXT, isComputed, SOME_NAME } from './syntax.ts';

/** `change` is what stands behind the name. A value that is a pattern of files stays one that covers the same files. */
export function changed(value: string, change: string): string {
  if (isComputed(value)) return ANY_TEXT;
  // The folder and the last part of a path of the project lead nowhere else.
  if (value.includes(SOME_NAME)) return value === SOME_NAME && /^(##\*\/|%\/\*)$/.test(change) ? SOME_NAME : ANY_TEXT;
  const cut = /^(%%?|##?)(.*)$/s.exec(change);
  if (cut) return withoutEnd(value, cut[1]!, cut[2]!);
  const replaced = /^\/(\/?)([^/*?[#%][^/*?[]*)(?:\/(.*))?$/s.exec(change);
  if (!replaced) return ANY_TEXT;
  const [, all, from, to = ''] = replaced;
  if (!value.includes(from!)) return hasPattern(value) ? ANY_TEXT : value;
  return all ? value.replaceAll(from!, () => to) : value.replace(from!, () => to);
}

const hasPattern = (value: string): boolean => /[*?[]/.test(value);

function withoutEnd(value: string, operator: string, pattern: string): string {
  if (!hasPattern(pattern)) {
    const fits = operator.startsWith('%') ? value.endsWith(pattern) : value.startsWith(pattern);
    if (!fits) return hasPattern(value) ? ANY_TEXT : value;
    return operator.startsWith('%') ? value.slice(0, value.length - pattern.length) : value.slice(pattern.length);
  }
  // A star beside one plain character: up to the last dot, up to the last slash.
  const mark = operator.startsWith('%') ? /^([^*?[\]])\*$/.exec(pattern)?.[1] : /^\*([^*?[\]])$/.exec(pattern)?.[1];
  if (mark === undefined) return ANY_TEXT;
  const fromEnd = operator === '%' || operator === '##';
  const at = fromEnd ? value.lastIndexOf(mark) : value.indexOf(mark);
  if (at < 0) return hasPattern(value) ? ANY_TEXT : value;
  const left = operator.startsWith('%') ? value.slice(0, at) : value.slice(at + 1);
  const gone = operator.startsWith('%') ? value.slice(at) : value.slice(0, at + 1);
  // What a star stands for may hold the mark too; no star stands for a slash.
  return hasPattern(gone) && mark !== '/' ? ANY_TEXT : left;
}
