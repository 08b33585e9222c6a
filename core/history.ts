/**
 * From events to the messages of the next request: a fold of the log that only ever appends, so that every request
 * begins with the bytes of the one before it; compaction alone rewrites what was there. Whatever died, each call has
 * exactly one result, directly behind its message.
 */
import {
  type IRMessage,
  type MessageContent,
  partsOf,
  type ToolResultContent,
  type ToolUseContent,
} from '../providers/ir.ts';
import { shortened } from './compaction/shortened.ts';
import { charactersOf } from './compaction/size.ts';
import { INTERRUPTED } from './interruption.ts';
import { afterRewind } from './rewound.ts';
import { holdsLesson } from './taught-calls.ts';
import type { EventOf, StoredEvent } from './types.ts';

/** A message and what it came from. */
export interface Entry {
  message: IRMessage;
  /** Number of the event that it came from. */
  seq: number;
  from: 'system' | 'prompt' | 'note' | 'instruction' | 'assistant' | 'result' | 'summary';
}

/** Messages of a session, its system prompt first. Notes and steered prompts stand where they happened. */
export function history(events: readonly StoredEvent[]): IRMessage[] {
  const fold = new History(() => events);
  for (const event of events) fold.add(event);
  return fold.messages();
}

/** A history between two turns, as JSON. */
export interface SavedHistory {
  settled: readonly Entry[];
  /** Which of them is the newest prompt; -1 for none. */
  prompt: number;
  details: readonly (readonly [id: string, detail: string])[];
}

/** The fold itself: takes events one by one, and gives the same message objects again as long as they stand. */
export class History {
  readonly #earlier: () => readonly StoredEvent[];
  /** Messages that only compaction changes. */
  #settled: Entry[] = [];
  /** Calls of the newest assistant message, while results are missing; in their order. */
  #open: { call: ToolUseContent; seq: number; result?: EventOf<'tool_result'> }[] = [];
  /** The newest prompt. */
  #prompt: Entry | undefined;
  /** What arrived while calls were open: no wire takes it between a call and its result. */
  #late: Entry[] = [];
  /** Characters of the first `#measured` of what is settled. */
  #characters = 0;
  #measured = 0;
  /** What each call was, in one line. */
  readonly #details: Map<string, string>;

  /** `earlier`: at least all events before the one that is added; asked for only to go back. */
  constructor(earlier: () => readonly StoredEvent[], saved?: SavedHistory) {
    this.#earlier = earlier;
    this.#details = new Map(saved?.details);
    if (saved) this.#settled = [...saved.settled];
    this.#prompt = saved && this.#settled[saved.prompt];
  }

  add(event: StoredEvent): void {
    if (event.type === 'rewind') this.#goBack(event);
    else this.#fold(event);
  }

  /** Undefined while calls are open. */
  save(): SavedHistory | undefined {
    if (this.#open.length) return undefined;
    const prompt = this.#prompt ? this.#settled.indexOf(this.#prompt) : -1;
    return { settled: this.#settled, prompt, details: [...this.#details] };
  }

  #fold(event: StoredEvent): void {
    const { seq } = event;
    switch (event.type) {
      case 'session':
        // First also where the log's own first line was lost.
        if (event.system)
          this.#settled.unshift({ message: { role: 'system', content: event.system }, seq, from: 'system' });
        this.#remeasure();
        break;
      case 'user': {
        // A new turn begins only when the last one ended: calls that are still open got no result and never will.
        if (!event.steered) this.#settle();
        const parts: MessageContent[] = [...(event.images ?? [])];
        if (event.text.trim()) parts.unshift({ type: 'text', text: event.text });
        const prompt: Entry = { message: { role: 'user', content: parts }, seq, from: 'prompt' };
        if (!parts.length) break;
        this.#place(prompt);
        this.#prompt = prompt;
        break;
      }
      case 'error':
        // A prompt that was too large for the window was never answered; kept, it would make every later one too large.
        if (event.code === 'overflow') this.#leaveOutUnanswered();
        break;
      case 'note': {
        const { about, text } = event;
        const inForce =
          about === 'skill' ||
          about === 'instructions' ||
          about === 'place' ||
          (about === 'tools' && holdsLesson(text));
        this.#place({ message: noted(text), seq, from: inForce ? 'instruction' : 'note' });
        break;
      }
      case 'assistant': {
        this.#settle();
        const content = event.content.filter(says);
        if (!content.length) break;
        const message: IRMessage = { role: 'assistant', content, metadata: { model: event.served.model } };
        this.#settled.push({ message, seq, from: 'assistant' });
        for (const part of content) if (part.type === 'tool_use') this.#open.push({ call: part, seq });
        break;
      }
      case 'tool_call':
        this.#details.set(event.id, event.detail);
        break;
      case 'tool_result': {
        const entry = this.#open.find(({ call, result }) => call.id === event.id && !result);
        if (entry) entry.result = event;
        if (entry && this.#open.every(({ result }) => result)) this.#settle();
        break;
      }
      case 'compaction':
        this.#settle();
        this.#compact(event);
        break;
      case 'done':
        this.#settle();
        break;
    }
  }

  /** The messages now; calls that are still open are answered as interrupted. */
  messages(): IRMessage[] {
    return this.entries().map(({ message }) => message);
  }

  entries(): Entry[] {
    return this.#open.length ? [...this.#settled, ...this.#open.map(answer), ...this.#late] : [...this.#settled];
  }

  /** Characters that the messages put into a request. */
  get characters(): number {
    this.#measure();
    return this.#characters;
  }

  /** A compaction may lie behind the prompt: what it left out is there again. */
  #goBack(rewind: EventOf<'rewind'>): void {
    const before = afterRewind(this.#earlier(), rewind);
    this.#settled = [];
    this.#open = [];
    this.#late = [];
    this.#prompt = undefined;
    this.#remeasure();
    for (const event of before) this.#fold(event);
  }

  /** The newest prompt, where nothing but notes came behind it. */
  #leaveOutUnanswered(): void {
    const at = this.#settled.findLastIndex((entry) => entry.from !== 'note');
    if (at < 0 || this.#settled[at] !== this.#prompt) return;
    this.#settled.splice(at, 1);
    this.#remeasure();
  }

  #remeasure(): void {
    this.#characters = 0;
    this.#measured = 0;
  }

  /** Goes on where the last measurement ended: a request must not cost more the longer the conversation is. */
  #measure(): void {
    for (; this.#measured < this.#settled.length; this.#measured++)
      this.#characters += charactersOf(this.#settled[this.#measured]!.message);
  }

  /** Of calls that are no longer there. */
  #forgetDetails(): void {
    const there = new Set(this.#settled.flatMap(({ message }) => partsOf(message.content).map(idOf)));
    for (const id of this.#details.keys()) if (!there.has(id)) this.#details.delete(id);
  }

  #place(entry: Entry): void {
    (this.#open.length ? this.#late : this.#settled).push(entry);
  }

  #settle(): void {
    this.#settled.push(...this.#open.map(answer), ...this.#late);
    this.#open = [];
    this.#late = [];
  }

  /** The system prompt, instructions in force and the newest prompt stay word for word. */
  #compact({ seq, summary, from = 0, pruneBefore = 0, clip }: EventOf<'compaction'>): void {
    const kept: Entry[] = [];
    let group = false;
    for (const entry of this.#settled) {
      // A result stays or goes with its call.
      // An older summary has the number of its compaction, and a newer one holds what it said.
      const isOld = entry.seq < from || (summary !== '' && entry.from === 'summary');
      if (entry.from !== 'result') group = !isOld || entry.from === 'instruction' || entry === this.#prompt;
      if (group && entry.from !== 'system') kept.push(entry);
    }
    const system = this.#settled.filter((entry) => entry.from === 'system');
    const summarised: Entry[] = summary ? [{ message: noted(summary), seq, from: 'summary' }] : [];
    const shorter = kept.map((entry) => shortened(entry, this.#details, entry.seq < pruneBefore ? 0 : clip));
    this.#settled = [...system, ...summarised, ...shorter];
    this.#forgetDetails();
    this.#remeasure();
  }
}

const idOf = (part: MessageContent): string | undefined => (part.type === 'tool_use' ? part.id : undefined);

const noted = (text: string): IRMessage => ({
  role: 'user',
  content: [{ type: 'text', text: `[note from ada] ${text}` }],
});

/** Parts that a model says; kinds of later versions, and results, are none. */
function says(part: MessageContent): boolean {
  if (part.type === 'text') return part.text.trim() !== '';
  if (part.type === 'reasoning') return part.text !== '' || !!part.signature;
  return part.type === 'tool_use';
}

function answer({ call, seq, result }: { call: ToolUseContent; seq: number; result?: EventOf<'tool_result'> }): Entry {
  const text = result ? result.output || '(no output)' : INTERRUPTED;
  const content: ToolResultContent = {
    type: 'tool_result',
    toolUseId: call.id,
    name: call.name,
    content: [{ type: 'text', text }, ...(result?.images ?? [])],
    isError: result ? result.isError : true,
  };
  return { message: { role: 'tool', content: [content] }, seq: result?.seq ?? seq, from: 'result' };
}
