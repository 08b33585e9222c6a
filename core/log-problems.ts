/** What is wrong with a log that was read, in one line for a person. */
export class LogProblems {
  #skipped = 0;
  #firstSkipped = '';
  #mended = 0;
  #firstMended = '';
  #firstDisordered = '';

  /** A line that says nothing, or what another one says: `number` is then the one that they share. */
  skipped(line: number, byte: number, number?: number): void {
    if (this.#skipped++ === 0) this.#firstSkipped = place(line, byte, number);
  }

  /** A record whose number or time was not usable, or whose `number` another one has. */
  mended(line: number, byte: number, number?: number): void {
    if (this.#mended++ === 0) this.#firstMended = place(line, byte, number);
  }

  disordered(line: number, byte: number): void {
    this.#firstDisordered ||= place(line, byte);
  }

  get areDisordered(): boolean {
    return this.#firstDisordered !== '';
  }

  /** Undefined for a log that is as it was written. */
  get said(): string | undefined {
    const [skipped, mended] = [this.#skipped, this.#mended];
    const problems = [
      ...(skipped
        ? [`${skipped} damaged record${skipped > 1 ? 's' : ''} skipped, first at ${this.#firstSkipped}`]
        : []),
      ...(mended
        ? [`${mended} record${mended > 1 ? 's' : ''} kept with another number or time, first at ${this.#firstMended}`]
        : []),
      ...(this.#firstDisordered ? [`records are out of order, first at ${this.#firstDisordered}`] : []),
    ];
    return problems.join('; ') || undefined;
  }
}

const place = (line: number, byte: number, number?: number): string =>
  `line ${line}, byte ${byte}${number === undefined ? '' : ` (number ${number} again)`}`;
