/** Reads the fields of one input line of `ada lab`; a wrong type is an error that names the field. */

export function optionalText(row: Record<string, unknown>, name: string): string | undefined {
  const value = row[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new Error(`${name} must be a string`);
  return value;
}

export function text(row: Record<string, unknown>, name: string): string {
  const value = optionalText(row, name);
  if (value === undefined) throw new Error(`${name} is missing`);
  return value;
}
