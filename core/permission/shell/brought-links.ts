/**
 * Symbolic links that the command itself makes, moves or copies: where a path leads once they are there. The kernel follows
 * each link before it goes up by a `..` behind it, and a relative link leads elsewhere from another folder.
 */
import { lstatSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathGlob } from '../path-glob.ts';
import { isWithin, realPath } from '../paths.ts';

/** Shared by every shell of a command; places are absolute, with links followed up to their last name. */
export interface Links {
  /** What each link may hold. */
  made: Map<string, readonly string[]>;
  /** What was moved or copied, with every link in it; without `from`: files and links of names that are not known. */
  brought: { from?: string; to: string }[];
  /** Links that were looked up: nothing runs while a command is judged. */
  found: Map<string, string | undefined>;
}

export const noLinks = (): Links => ({ made: new Map(), brought: [], found: new Map() });

/** So many steps are taken in all, over every possibility. */
const MAX_STEPS = 200;
const MAX_BROUGHT = 200;

/**
 * Every place that an absolute path may lead to through links that the command makes: empty when it makes none.
 * Undefined among them: that cannot be told.
 */
export function throughLinks(path: string, links: Links): readonly (string | undefined)[] {
  if (links.made.size === 0 && links.brought.length === 0) return [];
  const found = new Set<string | undefined>();
  const ways: { current: string; todo: string[] }[] = [{ current: '', todo: path.split('/').reverse() }];
  let steps = 0;
  while (ways.length > 0) {
    const way = ways.pop()!;
    const { todo } = way;
    let { current } = way;
    while (todo.length > 0) {
      if (++steps > MAX_STEPS) return [...found, undefined];
      const name = todo.pop()!;
      if (name === '' || name === '.') continue;
      if (name === '..') {
        current = dirname(current || '/').replace(/^\/$/, '');
        continue;
      }
      const next = `${current}/${name}`;
      const texts = new Set(textsAt(next, links, new Set()));
      const isMade = texts.size > 0;
      const own = linkAt(next, links);
      if (own !== undefined) texts.add(own);
      for (const text of texts) {
        if (text === undefined) found.add(undefined);
        else
          ways.push({
            current: text.startsWith('/') ? '' : current,
            todo: [...todo, ...text.split('/').reverse()],
          });
      }
      // What the project itself holds is a link for certain; whether the command came to make one need not be.
      if (own !== undefined && !isMade) {
        current = 'followed';
        break;
      }
      current = next;
    }
    if (current !== 'followed') found.add(current === '' ? '/' : current);
  }
  return [...found];
}

/** What a link at this place may hold that the command put there. */
function textsAt(place: string, links: Links, seen: Set<string>): readonly (string | undefined)[] {
  if (seen.has(place)) return [];
  if (seen.size > MAX_STEPS) return [undefined];
  seen.add(place);
  const texts: (string | undefined)[] = [...(links.made.get(place) ?? [])];
  const name = place.slice(place.lastIndexOf('/') + 1);
  // A pattern matches what the command put there, too.
  if (/[*?[]/.test(name)) {
    const folder = place.slice(0, place.length - name.length);
    const pattern = pathGlob(name.replace(/\[[^\]]*\]/g, '?').replace(/\*+/g, '*'));
    const put = new Set([...links.made.keys(), ...links.brought.map(({ to }) => to)]);
    for (const one of put)
      if (one.startsWith(folder) && !one.slice(folder.length).includes('/') && pattern.test(one.slice(folder.length)))
        texts.push(...textsAt(one, links, seen));
  }
  for (const { from, to } of links.brought) {
    if (!isWithin(place, to)) continue;
    if (from === undefined) {
      if (place !== to && lstat(place) === undefined) texts.push(undefined);
      continue;
    }
    const origin = `${from}${place.slice(to.length)}`;
    if (origin === place) continue;
    const own = linkAt(origin, links);
    if (own !== undefined) texts.push(own);
    texts.push(...textsAt(origin, links, seen));
  }
  return texts;
}

function lstat(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function linkAt(path: string, { found }: Links): string | undefined {
  if (!found.has(path)) found.set(path, readLink(path));
  return found.get(path);
}

function readLink(path: string): string | undefined {
  if (!lstat(path)?.isSymbolicLink()) return undefined;
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Where a name lies: its folder after every link, and it may be more than one. */
export function placesOf(path: string, links: Links): readonly string[] {
  const trimmed = path.replace(/(.)\/+$/, '$1');
  if (/(^|\/)\.{1,2}$/.test(trimmed)) return wholePlaces(trimmed, links);
  const name = trimmed.slice(trimmed.lastIndexOf('/') + 1);
  const folder = trimmed.slice(0, trimmed.lastIndexOf('/')) || '/';
  return wholePlaces(folder, links).map((one) => `${one === '/' ? '' : one}/${name}`);
}

function wholePlaces(path: string, links: Links): readonly string[] {
  const all = throughLinks(path, links);
  const places = all.length > 0 ? all : [realPath(path)];
  return places.filter((one) => one !== undefined);
}

/** Notes a link with the text that it holds; what is relative in it starts at the folder of the link. */
export function noteLink(link: string, text: string, links: Links): void {
  for (const place of placesOf(link, links))
    links.made.set(place, [...new Set([...(links.made.get(place) ?? []), text])]);
}

/** Notes that what lies at `from`, undefined where that is not known, is then at `to` as well. */
export function noteBrought(from: string | undefined, to: string, links: Links): void {
  const { brought } = links;
  const isKnown = (origin: string | undefined, place: string) =>
    brought.some((one) => one.from === origin && one.to === place);
  for (const place of placesOf(to, links))
    for (const origin of from === undefined ? [undefined] : placesOf(from, links)) {
      if (origin === place || isKnown(origin, place)) continue;
      if (brought.length >= MAX_BROUGHT) {
        // More than can be followed: nothing is known of what is put there.
        if (!isKnown(undefined, place)) brought.push({ to: place });
      } else brought.push(origin === undefined ? { to: place } : { from: origin, to: place });
    }
}
