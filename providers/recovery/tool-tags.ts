/**
 * Calls whose markup is the name of the tool: `<read_file><path>…</path></read_file>`, which Cline and Roo teach, and
 * `<invoke name="…">` without anything around it. Tags like these are also ordinary text, so that they count only where
 * they begin a line, the tool was offered, its arguments fit, and nothing but calls follows to the end of the message.
 */
import { type Family, isBeginning, MORE, NO, type RawCall, type Reading, skipSpace } from './family.ts';
import { plainName } from './json-calls.ts';
import { judgeCall, type Offer } from './judge-call.ts';
import { behindClosers, type Marker, markerAt } from './markers.ts';
import { readInvokes } from './xml-invoke.ts';
import { oneLineLess } from './xml-parameters.ts';

const TAG = /^<(?:([A-Za-z_][\w.-]*)|invoke\s+name\s*=\s*["']([\w.:/-]+)["'])\s*>/;
const TAG_BEGINNING = /^<(?:[A-Za-z_][\w.-]*|invoke\s[^<>\n]*)?$/;
const KEY = /^<([A-Za-z_][\w-]*)>/;
const KEY_BEGINNING = /^<(?:[A-Za-z_][\w-]*)?$/;
/** No tag is longer. */
const LONGEST = 120;
const INVOKE = { openers: [], closer: '</function_calls>', prefix: '' };

/** `end`: offset behind the block. */
type Block = 'more' | 'no' | { end: number; calls: RawCall[] };

/** Finds such calls in one message. */
export class ToolTags {
  readonly #offer: Offer;
  /** What began like a call was none: tags further on may be its text. */
  #isOver = false;

  constructor(offer: Offer) {
    this.#offer = offer;
  }

  /** The marker at `at`, where a line begins; `part`: one may still come; undefined: none. */
  at(text: string, at: number): Marker | 'part' | undefined {
    if (this.#isOver || this.#offer.tools === undefined) return undefined;
    const rest = text.slice(at, at + LONGEST);
    const found = TAG.exec(rest);
    if (!found) return rest.length < LONGEST && TAG_BEGINNING.test(rest) ? 'part' : undefined;
    const name = found[1] ?? plainName(found[2]!);
    if (!this.#offers(name)) return undefined;
    return { text: found[0], kind: 'call', family: this.#family(found[1] ?? 'invoke') };
  }

  #offers(name: string): boolean {
    const { tools, accepts } = this.#offer;
    return tools?.some((tool) => tool.name === name) === true || accepts?.(name) === true;
  }

  #family(tag: string): Family {
    return {
      name: 'tool-tags',
      openers: [],
      closers: [`</${tag}>`],
      read: (text, ended) => {
        const reading = this.#read(text, ended);
        if (reading.state === 'no' && /^<[^<>]+>\s*<[\w-]/.test(text)) this.#isOver = true;
        return reading;
      },
    };
  }

  #read(text: string, ended: boolean): Reading {
    const calls: RawCall[] = [];
    for (let at = 0; ; ) {
      const block = this.#block(text, at, ended);
      if (block === 'more') return MORE;
      if (block === 'no' || !block.calls.every((call) => !('reason' in judgeCall(call, this.#offer, false)))) return NO;
      calls.push(...block.calls);
      const { at: next, part } = behindClosers(text, block.end);
      if (next >= text.length || (part && !ended)) return ended ? { state: 'done', end: next, calls } : MORE;
      const line = text.slice(text.lastIndexOf('\n', next - 1) + 1, next);
      const marker =
        markerAt(text, next) ?? (line.trim() === '' || next === block.end ? this.at(text, next) : undefined);
      if (marker === 'part' && !ended) return MORE;
      if (!marker || marker === 'part' || marker.kind !== 'call') return NO;
      if (marker.family.name !== 'tool-tags') return { state: 'done', end: next, calls };
      at = next;
    }
  }

  #block(text: string, start: number, ended: boolean): Block {
    const [head = '', tag] = TAG.exec(text.slice(start, start + LONGEST)) ?? [];
    if (tag === undefined) {
      const reading = readInvokes(text.slice(start), INVOKE, ended);
      if (reading.state === 'done') return { end: start + reading.end, calls: [...reading.calls] };
      return reading.state;
    }
    const closer = `</${tag}>`;
    const input: Record<string, string> = {};
    for (let at = start + head.length; ; ) {
      at = skipSpace(text, at);
      const isEmpty = Object.keys(input).length === 0;
      if (text.startsWith(closer, at)) return this.#whole(tag, input, at + closer.length, false);
      if (at >= text.length || isBeginning([closer], text, at)) {
        if (!ended) return 'more';
        return isEmpty ? 'no' : this.#whole(tag, input, text.length, true);
      }
      const rest = text.slice(at, at + LONGEST);
      const key = KEY.exec(rest)?.[1];
      if (key === undefined) return !ended && rest.length < LONGEST && KEY_BEGINNING.test(rest) ? 'more' : 'no';
      if (Object.hasOwn(input, key)) return 'no';
      const from = at + key.length + 2;
      const end = valueEnd(text, from, key, closer, ended);
      if (end === 'more' || end === 'no') return end;
      input[key] = oneLineLess(text.slice(from, end));
      at = end + key.length + 3;
    }
  }

  #whole(name: string, input: Record<string, string>, end: number, open: boolean): Block {
    const files = input.args === undefined ? [input] : filesOf(input.args);
    if (!files) return 'no';
    // A tag alone is a call only of a tool by its own name.
    if (Object.keys(input).length === 0 && !this.#offer.tools!.some((tool) => tool.name === name)) return 'no';
    const calls = files.map((file): RawCall => {
      const call: RawCall = { name, arguments: file, untyped: true, raw: JSON.stringify(file) };
      return open ? { ...call, open } : call;
    });
    return { end, calls };
  }
}

/**
 * Where the value of `key` ends: at its closing tag that the tool's own or another parameter follows. Pairs of the same
 * tag inside are text; where they do not pair up, the last closing tag of the message counts if there is only one call.
 */
function valueEnd(text: string, from: number, key: string, closer: string, ended: boolean): number | 'more' | 'no' {
  const endKey = `</${key}>`;
  const tags = new RegExp(`</?${key}>`, 'g');
  tags.lastIndex = from;
  let depth = 0;
  for (let tag = tags.exec(text); tag; tag = tags.exec(text)) {
    if (tag[0] !== endKey) depth++;
    else if (depth > 0) depth--;
    else {
      const next = skipSpace(text, tag.index + endKey.length);
      if (next >= text.length) return ended ? tag.index : 'more';
      if (text.startsWith(closer, next)) return tag.index;
      const rest = text.slice(next, next + LONGEST);
      if (KEY.test(rest)) return tag.index;
      const isHalf = isBeginning([closer], text, next);
      if (isHalf && ended) return tag.index;
      if (!ended && (isHalf || KEY_BEGINNING.test(rest))) return 'more';
    }
  }
  return ended ? lastEnd(text, from, endKey, closer) : 'more';
}

function lastEnd(text: string, from: number, endKey: string, closer: string): number | 'no' {
  const end = text.lastIndexOf(endKey);
  if (end < from || text.slice(end + endKey.length).trim() !== closer) return 'no';
  // Where another call of the kind begins in between it cannot be told whose end it is.
  return text.slice(from, end).includes(`<${closer.slice(2)}`) ? 'no' : end;
}

/** Roo's `<args><file><path>…</path></file></args>`: one call a file. */
function filesOf(args: string): Record<string, string>[] | undefined {
  if (!/^\s*(?:<file>[\s\S]*?<\/file>\s*)+$/.test(args)) return undefined;
  return [...args.matchAll(/<file>([\s\S]*?)<\/file>/g)].map(([, file]) =>
    Object.fromEntries([...file!.matchAll(/<([\w-]+)>([^<]*)<\/\1>/g)].map(([, key, value]) => [key, value!.trim()])),
  );
}
