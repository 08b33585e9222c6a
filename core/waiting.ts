/** Answers that are waited for, each by its id. */
export class Waiting<A> {
  readonly #takers = new Map<string, (answer: A) => void>();

  wait(id: string): Promise<A> {
    return new Promise((resolve) => this.#takers.set(id, resolve));
  }

  /** False when nobody waits for this id. */
  give(id: string, answer: A): boolean {
    const take = this.#takers.get(id);
    this.#takers.delete(id);
    take?.(answer);
    return take !== undefined;
  }

  /** The same answer for everything that waits. */
  giveAll(answer: A): void {
    for (const id of [...this.#takers.keys()]) this.give(id, answer);
  }
}
