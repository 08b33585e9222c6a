/** Drives the reducer as the app does: keys by the names of the key table, events with their log fields added. */
import { expect } from 'vitest';
import { width } from '../../../app/tui/text/cells.ts';
import type { Action, Block, Effect, Key, KeyName, State } from '../../../app/tui/types.ts';
import { type InitialOptions, initialState, update } from '../../../app/tui/update.ts';
import { view } from '../../../app/tui/view.ts';
import type { Event, StoredBody } from '../../../core/types.ts';

const NAMES: Readonly<Record<string, KeyName>> = {
  Enter: 'enter',
  Esc: 'escape',
  Tab: 'tab',
  Backspace: 'backspace',
  Delete: 'delete',
  Up: 'up',
  Down: 'down',
  Left: 'left',
  Right: 'right',
  Home: 'home',
  End: 'end',
  PgUp: 'pageup',
  PgDn: 'pagedown',
};

/** `Ctrl+C`, `Shift+Enter`, `y`, `hello` as the input filter gives them. */
export function keyOf(name: string): Key {
  const parts = name.length > 1 ? name.split('+') : [name];
  const last = parts.pop()!;
  const held = { ctrl: parts.includes('Ctrl'), alt: parts.includes('Alt'), shift: parts.includes('Shift') };
  if (NAMES[last]) return { name: NAMES[last], text: '', ...held };
  if (held.ctrl || held.alt) return { name: 'chord', text: last.toLowerCase(), ...held };
  return { name: 'text', text: name, ctrl: false, alt: false, shift: false };
}

export const COMMANDS = [
  { name: 'help', help: 'what there is' },
  { name: 'mode', help: 'ask, plan or auto', argument: '[MODE]' },
  { name: 'model', help: 'switch the model', argument: 'ID' },
  { name: 'models', help: 'what can be reached' },
  { name: 'exit', help: 'leave' },
];

export class ScreenDriver {
  state: State;
  now = 1_000_000;
  readonly effects: Effect[] = [];
  #seq = 0;

  constructor(options: Partial<InitialOptions> = {}) {
    this.state = initialState({
      size: { columns: 80, rows: 24 },
      theme: 'none',
      model: 'ollama/qwen3:8b',
      contextTokens: 32_768,
      commands: COMMANDS,
      now: this.now,
      ...options,
    });
  }

  get blocks(): readonly Block[] {
    return [...this.state.blocks];
  }

  act(action: Action): this {
    const { state, effects } = update(this.state, action);
    this.state = state;
    for (const effect of effects) {
      // The door's field appends what is typed.
      if (effect.type !== 'field') this.effects.push(effect);
      else this.act({ type: 'query', text: (this.state.composer.search?.query ?? '') + effect.text });
    }
    return this;
  }

  /** Each key at its own moment, 10 ms after the one before. */
  press(...names: string[]): this {
    for (const name of names) {
      this.now += 10;
      this.act({ type: 'input', input: { type: 'key', key: keyOf(name) }, now: this.now });
    }
    return this;
  }

  paste(text: string): this {
    return this.act({ type: 'input', input: { type: 'paste', text }, now: this.now });
  }

  wheel(lines: number, column: number, row: number): this {
    return this.act({ type: 'input', input: { type: 'wheel', lines, column, row }, now: this.now });
  }

  wait(ms: number): this {
    this.now += ms;
    return this;
  }

  resize(columns: number, rows: number): this {
    return this.act({ type: 'resize', size: { columns, rows } });
  }

  stored(...bodies: StoredBody[]): this {
    for (const body of bodies) {
      const event = { ...body, seq: ++this.#seq, time: this.now } as Event;
      this.act({ type: 'event', event, now: this.now });
    }
    return this;
  }

  text(delta: string, at: number): this {
    return this.act({ type: 'event', event: { type: 'text', delta, at }, now: this.now });
  }

  reasoning(delta: string, at: number): this {
    return this.act({ type: 'event', event: { type: 'reasoning', delta, at }, now: this.now });
  }

  progress(id: string, output: string): this {
    return this.act({ type: 'event', event: { type: 'tool_progress', id, output }, now: this.now });
  }

  /** Effects since the last call, once it is clear that no more letters follow. */
  take(): Effect[] {
    if (this.state.held) this.wait(200).act({ type: 'tick', now: this.now });
    return this.effects.splice(0);
  }

  /** Checks that the frame has exactly the size of the screen; gives it. */
  frame() {
    const frame = view(this.state);
    const { columns, rows } = this.state.size;
    expect(frame.lines.length).toBe(rows);
    for (const line of frame.lines) expect(width(line), JSON.stringify(line)).toBe(columns);
    if (frame.cursor) {
      expect(frame.cursor.row).toBeGreaterThanOrEqual(0);
      expect(frame.cursor.row).toBeLessThan(rows);
      expect(frame.cursor.column).toBeGreaterThanOrEqual(0);
      expect(frame.cursor.column).toBeLessThan(columns);
    }
    return frame;
  }

  /** The frame as a person sees it, without styles and trailing spaces. */
  screen(): string {
    return this.frame()
      .lines.map((line) => line.replace(/\x1b\[[\d;]*m/g, '').trimEnd())
      .join('\n');
  }
}

/** One whole model message. */
export function assistant(
  content: (Extract<StoredBody, { type: 'assistant' }>['content'][number] | string)[],
  more: Partial<Extract<StoredBody, { type: 'assistant' }>> = {},
): StoredBody {
  return {
    type: 'assistant',
    content: content.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
    finish: 'stop',
    served: { backend: 'ollama', model: 'qwen3:8b', local: true, latencyMs: 90, attempts: 1 },
    ...more,
  };
}

export const usage = (input: number | null, output: number | null, cost: number | null = null) => ({
  input,
  output,
  cacheRead: null,
  cacheWrite: null,
  reasoning: null,
  cost,
});

export const done = (more: Partial<Extract<StoredBody, { type: 'done' }>> = {}): StoredBody => ({
  type: 'done',
  text: '',
  finish: 'stop',
  usage: usage(1200, 340),
  turns: 1,
  denials: [],
  durationMs: 4200,
  ...more,
});

/** A call and its request for approval. */
export const call = (id: string, name: string, detail: string, input: Record<string, unknown> = {}): StoredBody => ({
  type: 'tool_call',
  id,
  name,
  detail,
  input,
});
