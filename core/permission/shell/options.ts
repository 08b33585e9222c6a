/**
 * Splits the arguments of a program into options and operands, the way GNU getopt reads them: bundles of short options,
 * values attached or apart, shortened long options, `--`.
 */

export interface OptionTable {
  /** Options that take a value: `-n`, `--lines`. */
  values?: ReadonlySet<string>;
  /** Stop at the first operand (programs that run what follows). */
  stopAtOperand?: boolean;
  /** Long options begin with one dash (terraform, java): no bundles. */
  singleDash?: boolean;
}

export interface Option {
  /** As written, without its value. */
  name: string;
  value?: string;
}

export interface Arguments {
  options: Option[];
  operands: string[];
}

/** Reads `words`, which are without the program's name. */
export function splitArguments(words: readonly string[], table: OptionTable = {}): Arguments {
  const values = table.values ?? new Set<string>();
  const options: Option[] = [];
  const operands: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === '--') return { options, operands: [...operands, ...words.slice(i + 1)] };
    if (word === '-' || !word.startsWith('-')) {
      if (table.stopAtOperand) return { options, operands: words.slice(i) };
      operands.push(word);
    } else if (word.startsWith('--') || table.singleDash) {
      const equals = word.indexOf('=');
      if (equals >= 0) options.push({ name: word.slice(0, equals), value: word.slice(equals + 1) });
      else if (values.has(word)) options.push({ name: word, value: words[++i] ?? '' });
      else options.push({ name: word });
    } else {
      for (let k = 1; k < word.length; k++) {
        const name = `-${word[k]}`;
        if (!values.has(name)) {
          options.push({ name });
          continue;
        }
        options.push({ name, value: k + 1 < word.length ? word.slice(k + 1) : (words[++i] ?? '') });
        break;
      }
    }
  }
  return { options, operands };
}

/** True when `written` is the option `name`, also shortened as getopt allows (`--outp` for `--output`). */
export function isOption(written: string, name: string): boolean {
  return written === name || (written.startsWith('--') && written.length > 3 && name.startsWith(written));
}

/** The first of `names` that is among the options. */
export function findOption(options: readonly Option[], ...names: string[]): Option | undefined {
  return options.find((option) => names.some((name) => isOption(option.name, name)));
}
