/** Folds the parts of a call into what is shown of the whole. */
import type { AccessClass, Verdict } from '../types.ts';
import { CLASSES, worse } from './modes.ts';
import type { Part } from './shell/scene.ts';
import { showComputed } from './shell/syntax.ts';

/** A verdict without the answer: what the parts are together. */
export type Summary = Pick<Verdict, 'class' | 'readOnly' | 'destructive' | 'reasons'>;

/** The worst class of the parts, and their reasons, those of the worst first. */
export function summarize(parts: readonly Part[]): Summary {
  const sorted = [...parts].sort((a, b) => CLASSES.indexOf(b.class) - CLASSES.indexOf(a.class));
  return {
    class: parts.reduce<AccessClass>((worst, part) => worse(worst, part.class), 'read'),
    readOnly: parts.every((part) => part.readOnly),
    destructive: parts.some((part) => part.class === 'destructive'),
    reasons: [...new Set(sorted.flatMap((part) => part.reasons.map(showComputed)))],
  };
}
