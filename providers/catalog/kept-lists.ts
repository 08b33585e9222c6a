/**
 * The lists of models that hosted vendors gave, kept in a folder: what they tell of windows and prices then holds in
 * conversations too, without asking again.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelInfo } from '../adapter.ts';
import { countOf, type Fields, fieldsOf, rowsOf, textOf } from '../wire/answer-fields.ts';

/** What a list told of one model; null where it did not. Prices in US dollars per million tokens. */
export type KeptModel = Pick<ModelInfo, 'id' | 'contextTokens' | 'outputTokens' | 'price'>;

const FORM = 1;
/** Windows and prices change; what is older is no longer believed. */
const LASTS_MS = 30 * 24 * 3_600_000;
/** New models are listed within a day or so. */
const NEWEST_MS = 24 * 3_600_000;

const fileOf = (folder: string, vendor: string): string => join(folder, `${encodeURIComponent(vendor)}.json`);
/** Addresses may hold a password. */
const placeOf = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 16);

/**
 * Keeps the list of the server at `url`, and that it was asked where it tells nothing; a folder that takes no file does
 * without.
 */
export function keepList(
  folder: string,
  vendor: string,
  url: string,
  models: readonly ModelInfo[],
  now = Date.now(),
): void {
  const kept = models.flatMap(({ id, contextTokens, outputTokens, price }): KeptModel[] =>
    contextTokens === null && outputTokens === null && price === null
      ? []
      : [{ id, contextTokens, outputTokens, price }],
  );
  if (kept.length === 0 && keptList(folder, vendor, url, now).size > 0) return;
  const file = fileOf(folder, vendor);
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, JSON.stringify({ form: FORM, time: now, place: placeOf(url), models: kept }), {
      mode: 0o600,
    });
    renameSync(temporary, file);
  } catch {
    // It is asked again when somebody wants the list.
  }
}

/** What the newest list of the server at `url` told of its models, by id; empty without one, or where it is too old. */
export function keptList(folder: string, vendor: string, url: string, now = Date.now()): Map<string, KeptModel> {
  const kept = keptAt(folder, vendor, url);
  if (!kept || !(now - kept.time <= LASTS_MS)) return new Map();
  return new Map(
    rowsOf(kept.models).flatMap((row) => (textOf(row.id) === null ? [] : [[row.id as string, modelOf(row)]])),
  );
}

/** The server at `url` gave its list within a day: what that does not tell need not be asked for. */
export function isListedLately(folder: string, vendor: string, url: string, now = Date.now()): boolean {
  const kept = keptAt(folder, vendor, url);
  return kept !== undefined && now - kept.time <= NEWEST_MS;
}

function keptAt(folder: string, vendor: string, url: string): { time: number; models: unknown } | undefined {
  let kept: Fields;
  try {
    kept = fieldsOf(JSON.parse(readFileSync(fileOf(folder, vendor), 'utf8')));
  } catch {
    return undefined;
  }
  if (kept.form !== FORM || kept.place !== placeOf(url)) return undefined;
  return { time: Number(kept.time), models: kept.models };
}

/** Anybody may have written the file. */
function modelOf(row: Fields): KeptModel {
  const price = fieldsOf(row.price);
  const of = (name: string) => (isPrice(price[name]) ? { [name]: price[name] } : {});
  return {
    id: row.id as string,
    contextTokens: countOf(row.contextTokens),
    outputTokens: countOf(row.outputTokens),
    price:
      isPrice(price.input) && isPrice(price.output)
        ? { input: price.input, output: price.output, ...of('cacheRead'), ...of('cacheWrite') }
        : null,
  };
}

const isPrice = (value: unknown): value is number => typeof value === 'number' && value >= 0 && Number.isFinite(value);
