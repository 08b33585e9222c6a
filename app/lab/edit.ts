/** `ada lab edit`: `{ content | base64, edits }` to `{ content | base64, notes }`, or `{ refused }` with the reason. */
import { applyEdits, type Edit } from '../../core/tools/edit/apply.ts';
import { optionalText, text } from '../lab-row.ts';

export async function edit(row: Record<string, unknown>): Promise<unknown> {
  const content = optionalText(row, 'content');
  const base64 = optionalText(row, 'base64');
  if ((content === undefined) === (base64 === undefined)) throw new Error('give either content or base64');
  const bytes = content === undefined ? Buffer.from(base64!, 'base64') : Buffer.from(content);
  if (!Array.isArray(row.edits)) throw new Error('edits must be a list');
  const outcome = await applyEdits(bytes, row.edits.map(toEdit));
  if ('refused' in outcome) return { refused: outcome.refused };
  const result = Buffer.concat(outcome.parts);
  const changed = content === undefined ? { base64: result.toString('base64') } : { content: result.toString('utf8') };
  return { ...changed, notes: outcome.notes };
}

function toEdit(value: unknown): Edit {
  if (typeof value !== 'object' || value === null) throw new Error('each edit must be an object');
  const row = value as Record<string, unknown>;
  if (row.all !== undefined && typeof row.all !== 'boolean') throw new Error('all must be true or false');
  return { old: text(row, 'old'), new: text(row, 'new'), ...(row.all === undefined ? {} : { all: row.all }) };
}
