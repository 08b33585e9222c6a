/**
 * The React part of the screen: Ink mounts it and draws the lines that stand still (tabs, status). Panes, draft and
 * approvals are painted beside it, by rows: Ink composes every cell of its picture anew for each change, which for a
 * whole screen of 120×40 costs 8 ms and more (60 ms at first) where a key or a piece of an answer changes a few rows.
 */
import { Box, render, Text } from 'ink';
import type { Line } from './types.ts';

export interface Mounted {
  /** Draws these lines; gives them as Ink draws them. */
  show(lines: readonly Line[], columns: number): readonly Line[];
  unmount(): void;
}

export const Frame = ({ lines, columns }: { lines: readonly Line[]; columns: number }) => (
  <Box flexDirection="column" width={columns} height={lines.length}>
    {lines.map((line, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place.
      <Box key={row} flexShrink={0} height={1}>
        <Text wrap="truncate">{line}</Text>
      </Box>
    ))}
  </Box>
);

/** Takes Ink's picture in place of the terminal; it comes whole and without cursor movements (`debug`). */
export class Sink {
  columns: number;
  readonly rows = 0;
  picture = '';
  constructor(columns: number) {
    this.columns = columns;
  }
  write(picture: string): boolean {
    this.picture = picture;
    return true;
  }
  on(): this {
    return this;
  }
  off(): this {
    return this;
  }
}

/** Keys come through the input filter and the reducer; Ink reads none. */
const NO_KEYS = { isTTY: false, on() {}, off() {} };

export function mount(lines: readonly Line[], columns: number): Mounted {
  const sink = new Sink(columns);
  const ink = render(<Frame lines={lines} columns={columns} />, {
    stdout: sink as unknown as NodeJS.WriteStream,
    stdin: NO_KEYS as unknown as NodeJS.ReadStream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  return {
    show(next, width) {
      sink.columns = width;
      ink.rerender(<Frame lines={next} columns={width} />);
      return sink.picture.split('\n');
    },
    unmount: () => ink.unmount(),
  };
}
