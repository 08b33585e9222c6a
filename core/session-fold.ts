/**
 * What a session knows of its events: a fold that grows with each of them. Of the events themselves nothing is kept,
 * so that a session of any length takes no more memory than its window.
 */
import { type SavedFacts, SummaryFacts } from './compaction/summary-facts.ts';
import { History, type SavedHistory } from './history.ts';
import { afterRewind } from './rewound.ts';
import { emptyState, type PromptMark, reduce, type SessionState, stateAfter } from './state.ts';
import { foldSeen, type SeenMarks } from './tools/files/seen-files.ts';
import type { EventOf, Served, StoredEvent, Todo } from './types.ts';

/** The fold as JSON. */
export interface SavedFold {
  state: Omit<SessionState, 'prompts'>;
  prompts: SavedMarks;
  history: SavedHistory;
  facts: SavedFacts;
  seen: readonly (readonly [path: string, mark: string])[];
  opening: EventOf<'session'>;
  callIds: readonly string[];
  said: readonly string[];
}

export class SessionFold {
  #state: SessionState = emptyState();
  #opening: EventOf<'session'> | undefined;
  /** All events so far, while all folds go back. */
  #read: readonly StoredEvent[] | undefined;
  readonly history: History;
  readonly facts: SummaryFacts;
  /** What the model knows of files. */
  readonly seen: SeenMarks;
  readonly #earlier: () => readonly StoredEvent[];
  /** Ids of all calls: a new one must have another. */
  readonly callIds: Set<string>;
  /** Texts of all notices. */
  readonly said: Set<string>;

  /** `earlier`: all events so far, for going back. */
  constructor(earlier: () => readonly StoredEvent[], saved?: SavedFold) {
    this.#earlier = () => (this.#read ??= earlier());
    this.history = new History(this.#earlier, saved?.history);
    this.facts = new SummaryFacts(this.#earlier, saved?.facts);
    this.seen = new Map(saved?.seen);
    this.callIds = new Set(saved?.callIds);
    this.said = new Set(saved?.said);
    this.#opening = saved?.opening;
    if (saved) this.#state = { ...saved.state, prompts: marksOf(saved.prompts) };
  }

  get state(): SessionState {
    return this.#state;
  }

  /** The `session` event: what every request begins with. */
  get opening(): EventOf<'session'> | undefined {
    return this.#opening;
  }

  add(event: StoredEvent): void {
    this.#state = reduce(this.#state, event);
    this.#remember(event);
  }

  /** The same as one by one, without a copy of the state for each of many thousands. */
  addAll(events: readonly StoredEvent[]): void {
    this.#state = stateAfter(this.#state, events);
    for (const event of events) this.#remember(event);
  }

  #remember(event: StoredEvent): void {
    this.history.add(event);
    this.facts.add(event);
    if (event.type === 'tool_call') this.callIds.add(event.id);
    else if (event.type === 'notice') this.said.add(event.text);
    else if (event.type === 'tool_result') foldSeen(this.seen, event.seen);
    else if (event.type === 'rewind') this.#goBack(event);
    else if (event.type === 'session') this.#opening ??= event;
  }

  #goBack(rewind: EventOf<'rewind'>): void {
    this.seen.clear();
    for (const event of afterRewind(this.#earlier(), rewind))
      if (event.type === 'tool_result') foldSeen(this.seen, event.seen);
    // A log is read once for all of them, and not kept.
    this.#read = undefined;
  }

  /** Undefined in the middle of a turn. */
  save(): SavedFold | undefined {
    const history = this.history.save();
    if (!history || !this.#opening || this.#state.running) return undefined;
    const { prompts, ...state } = this.#state;
    return {
      state,
      prompts: savedMarks(prompts),
      history,
      facts: this.facts.save(),
      seen: [...this.seen],
      opening: this.#opening,
      callIds: [...this.callIds],
      said: [...this.said],
    };
  }
}

type Before = PromptMark['before'];

/** Marks as rows, since there may be thousands: number, tokens, and where in the lists the rest is. */
interface SavedMarks {
  cwds: string[];
  todos: (readonly Todo[])[];
  served: (Served | null)[];
  rows: [
    seq: number,
    promptTokens: Before['promptTokens'],
    toldMode: Before['toldMode'],
    cwd: number,
    todos: number,
    served: number,
    countedWith: Before['countedWith'],
  ][];
}

function savedMarks(marks: readonly PromptMark[]): SavedMarks {
  const cwds = new Places<string>();
  const todos = new Places<readonly Todo[]>();
  const served = new Places<Served | null>();
  const rows = marks.map(({ seq, before }): SavedMarks['rows'][number] => [
    seq,
    before.promptTokens,
    before.toldMode,
    cwds.of(before.cwd),
    todos.of(before.todos),
    served.of(before.served),
    before.countedWith,
  ]);
  return { cwds: cwds.values, todos: todos.values, served: served.values, rows };
}

/** Values, each once, and where it is. */
class Places<T> {
  readonly values: T[] = [];
  readonly #places = new Map<T, number>();

  of(value: T): number {
    const place = this.#places.get(value) ?? this.values.length;
    if (place === this.values.length) this.values.push(value);
    this.#places.set(value, place);
    return place;
  }
}

const marksOf = ({ cwds, todos, served, rows }: SavedMarks): PromptMark[] =>
  rows.map(([seq, promptTokens, toldMode, cwd, items, by, countedWith]) => ({
    seq,
    before: { cwd: cwds[cwd]!, todos: todos[items]!, toldMode, served: served[by]!, promptTokens, countedWith },
  }));
