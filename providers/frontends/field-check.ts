/** Looks a foreign request over before it is read, and names every wrong field by its path. */
import type { ValidationErrorDetail } from '../errors.ts';

export type Row = Record<string, any>;

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a field that is there must be. Numbers may be bounded; texts may be limited to a few. */
export interface FieldRule {
  type: 'text' | 'number' | 'integer' | 'flag' | 'object' | 'list';
  least?: number;
  most?: number;
  oneOf?: readonly string[];
}

/** The first of many faults are enough to find the rest. */
const MOST_NAMED = 20;

const FITS: Readonly<Record<FieldRule['type'], { says: string; test: (value: unknown) => boolean }>> = {
  text: { says: 'a string', test: (value) => typeof value === 'string' },
  number: { says: 'a number', test: (value) => typeof value === 'number' && Number.isFinite(value) },
  integer: { says: 'an integer', test: Number.isInteger },
  flag: { says: 'true or false', test: (value) => typeof value === 'boolean' },
  object: { says: 'an object', test: isRow },
  list: { says: 'an array', test: Array.isArray },
};

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Gathers the faults of one request. */
export interface FieldCheck {
  /** The first of them, in the order in which they were found. */
  readonly faults: readonly ValidationErrorDetail[];
  fail(field: string, message: string): void;
  /** True when the value keeps the rule; else the fault is noted. */
  needs(value: unknown, field: string, rule: FieldRule): boolean;
  /** Fields that may be absent or null. */
  may(row: Row, base: string, rules: Readonly<Record<string, FieldRule>>): void;
}

export function createFieldCheck(): FieldCheck {
  const details: ValidationErrorDetail[] = [];
  const check: FieldCheck = {
    faults: details,
    fail: (field, message) => {
      if (details.length < MOST_NAMED) details.push({ field, message });
    },
    needs(value, field, { type, least, most, oneOf }) {
      const { says, test } = FITS[type];
      if (!test(value)) check.fail(field, value === undefined ? 'is missing' : `must be ${says}, not ${kindOf(value)}`);
      else if (oneOf && !oneOf.includes(value as string)) check.fail(field, `must be one of ${oneOf.join(', ')}`);
      else if (least !== undefined && (value as number) < least) check.fail(field, `must be at least ${least}`);
      else if (most !== undefined && (value as number) > most) check.fail(field, `must be at most ${most}`);
      else return true;
      return false;
    },
    may(row, base, rules) {
      for (const [name, rule] of Object.entries(rules))
        if (row[name] !== undefined && row[name] !== null) check.needs(row[name], `${base}${name}`, rule);
    },
  };
  return check;
}
