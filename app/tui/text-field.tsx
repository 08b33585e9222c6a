/**
 * A line of text that Ink owns: ink-text-input draws it and takes what is typed at its end. That component loses keys
 * that come faster than React shows them, so it is given one at a time, each shown before the next.
 */
import { EventEmitter } from 'node:events';
import { Box, type Instance, render, Text } from 'ink';
import TextInput from 'ink-text-input';
import { Sink } from './app.tsx';
import { graphemes } from './text/graphemes.ts';
import type { Line } from './types.ts';

/** Ink reads its keys here. */
class Keys extends EventEmitter {
  readonly isTTY = true;
  #key: string | null = null;
  press(key: string): void {
    this.#key = key;
    this.emit('readable');
  }
  read(): string | null {
    const key = this.#key;
    this.#key = null;
    return key;
  }
}
/** What Ink does to a terminal is done elsewhere. */
const NOTHING = { setEncoding() {}, setRawMode() {}, ref() {}, unref() {} };

export class TextField {
  readonly #sink = new Sink(80);
  readonly #keys = Object.assign(new Keys(), NOTHING);
  readonly #shown = { label: '', value: '', hint: '', columns: 80 };
  /** Another text than the one that was typed here is another field: its cursor stands at its end. */
  #text = 0;
  #ink: Instance | undefined;

  /** The value after text was typed at its end. */
  type(value: string, text: string): string {
    this.#show({ value });
    for (const key of graphemes(text)) {
      this.#keys.press(key);
      this.#show({});
    }
    return this.#shown.value;
  }

  /** The line as Ink draws it: label, text with its cursor, and a hint at the right. */
  draw(label: Line, value: string, hint: Line, columns: number): Line {
    this.#sink.columns = columns;
    this.#show({ label, value, hint, columns });
    return this.#sink.picture.split('\n')[0]!;
  }

  unmount(): void {
    this.#ink?.unmount();
  }

  #show(change: { label?: Line; value?: string; hint?: Line; columns?: number }): void {
    if (change.value !== undefined && change.value !== this.#shown.value) this.#text++;
    const { label, value, hint, columns } = Object.assign(this.#shown, change);
    const line = (
      <Box width={columns} height={1} overflow="hidden" justifyContent="space-between">
        <Box flexShrink={0}>
          <Text>{label}</Text>
          <TextInput key={this.#text} value={value} onChange={(next) => Object.assign(this.#shown, { value: next })} />
        </Box>
        <Text wrap="truncate">{hint}</Text>
      </Box>
    );
    const stdout = this.#sink as unknown as NodeJS.WriteStream;
    const stdin = this.#keys as unknown as NodeJS.ReadStream;
    if (this.#ink) this.#ink.rerender(line);
    else this.#ink = render(line, { stdout, stdin, debug: true, exitOnCtrlC: false, patchConsole: false });
  }
}
