/** Reads fields of answers that may hold anything: what is not of the expected form is unknown. */

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object; an empty one for anything else. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** The objects of a list; none for anything else. */
export const rowsOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** A text that says something. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

/** A whole number above 0, such as of tokens or bytes. */
export const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;

/** Whether a list of words holds one; null where there is no list. */
export const includesOf = (value: unknown, word: string): boolean | null =>
  Array.isArray(value) ? value.includes(word) : null;
