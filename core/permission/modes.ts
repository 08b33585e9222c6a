/**
 * What each mode answers to each class of access, before any rule is asked (CONTRACT, "Permissions").
 */
import type { AccessClass, Mode, Verdict } from '../types.ts';

/** Classes from mildest to worst; a command has the worst class of its parts. */
export const CLASSES: readonly AccessClass[] = [
  'read',
  'write',
  'unknown',
  'network',
  'outside',
  'hidden',
  'destructive',
];

const TABLE: Record<AccessClass, Record<Mode, Verdict['verdict']>> = {
  read: { plan: 'allow', ask: 'allow', auto: 'allow' },
  write: { plan: 'deny', ask: 'ask', auto: 'allow' },
  unknown: { plan: 'deny', ask: 'ask', auto: 'allow' },
  network: { plan: 'deny', ask: 'ask', auto: 'allow' },
  outside: { plan: 'deny', ask: 'ask', auto: 'ask' },
  hidden: { plan: 'deny', ask: 'ask', auto: 'ask' },
  destructive: { plan: 'deny', ask: 'ask', auto: 'ask' },
};

/** The answer of a mode to a class when no rule speaks. */
export function modeVerdict(accessClass: AccessClass, mode: Mode): Verdict['verdict'] {
  return TABLE[accessClass][mode];
}

/** The worse of two classes. */
export function worse(a: AccessClass, b: AccessClass): AccessClass {
  return CLASSES.indexOf(a) >= CLASSES.indexOf(b) ? a : b;
}
