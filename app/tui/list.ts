/**
 * A list that never changes and is still cheap to add to: the next list shares all but its last part with this one. What
 * a long conversation needs, where each event makes the next list.
 */

const PART = 256;

export class List<T> {
  readonly length: number;
  /** Full parts of `PART` items each, and after them the part that grows. */
  readonly #parts: readonly (readonly T[])[];
  readonly #last: readonly T[];

  private constructor(parts: readonly (readonly T[])[], last: readonly T[]) {
    this.#parts = parts;
    this.#last = last;
    this.length = parts.length * PART + last.length;
  }

  static of<T>(items: Iterable<T> = []): List<T> {
    return new List<T>([], []).concat(items);
  }

  /** Like an array's: a negative index counts from the end. */
  at(index: number): T | undefined {
    const place = index < 0 ? this.length + index : index;
    const part = Math.floor(place / PART);
    return (part === this.#parts.length ? this.#last : this.#parts[part])?.[place % PART];
  }

  append(item: T): List<T> {
    if (this.#last.length < PART) return new List(this.#parts, [...this.#last, item]);
    return new List([...this.#parts, this.#last], [item]);
  }

  concat(items: Iterable<T>): List<T> {
    let list: List<T> = this;
    for (const item of items) list = list.append(item);
    return list;
  }

  /** With another item at a place that exists. */
  with(index: number, item: T): List<T> {
    const part = Math.floor(index / PART);
    if (part === this.#parts.length) return new List(this.#parts, this.#last.with(index % PART, item));
    return new List(this.#parts.with(part, this.#parts[part]!.with(index % PART, item)), this.#last);
  }

  /** Its first `length` items. */
  take(length: number): List<T> {
    if (length >= this.length) return this;
    const part = Math.floor(length / PART);
    const last = part === this.#parts.length ? this.#last : this.#parts[part]!;
    return new List(this.#parts.slice(0, part), last.slice(0, length % PART));
  }

  /** Its items from `from` to the end. */
  from(from: number): T[] {
    const items: T[] = [];
    for (let index = from; index < this.length; index++) items.push(this.at(index)!);
    return items;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const part of this.#parts) yield* part;
    yield* this.#last;
  }
}
