/**
 * The React part of the screen: Ink lays out the regions and draws the lines between them (tabs, rules, status). Panes,
 * draft and approvals are empty boxes to it; their lines are painted from below, because Ink composes every cell anew
 * for each change, and a streamed answer or a typed key changes only a few rows.
 */
import { Box, render, Text } from 'ink';
import { memo } from 'react';
import type { Line, Size } from './types.ts';

/** A full-width part of the screen, from top to bottom; `lines` null: painted from below. */
export interface Region {
  name: string;
  rows: number;
  lines: readonly Line[] | null;
}

export interface Mounted {
  /** Lays the regions out anew; gives Ink's picture of the whole screen, a line a row. */
  show(regions: readonly Region[], size: Size): readonly Line[];
  unmount(): void;
}

const Rows = memo(
  ({ rows, lines }: Region) => (
    <Box flexDirection="column" flexShrink={0} height={rows}>
      {lines?.map((line, index) => (
        <Box key={index} flexShrink={0} height={1}>
          <Text wrap="truncate">{line}</Text>
        </Box>
      ))}
    </Box>
  ),
  (before, after) => before.rows === after.rows && sameLines(before.lines, after.lines),
);

const sameLines = (a: readonly Line[] | null, b: readonly Line[] | null): boolean =>
  a === b || (a !== null && b !== null && a.length === b.length && a.every((line, index) => line === b[index]));

export const Screen = ({ regions, size }: { regions: readonly Region[]; size: Size }) => (
  <Box flexDirection="column" width={size.columns} height={size.rows}>
    {regions.map((region) => (
      <Rows key={region.name} {...region} />
    ))}
  </Box>
);

/** Ink's picture goes here instead of to the terminal; it comes whole, without cursor movements (`debug`). */
class Sink {
  columns = 0;
  rows = 0;
  picture = '';
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

export function mount(regions: readonly Region[], size: Size): Mounted {
  const sink = new Sink();
  const resize = ({ columns, rows }: Size) => Object.assign(sink, { columns, rows });
  resize(size);
  const ink = render(<Screen regions={regions} size={size} />, {
    stdout: sink as unknown as NodeJS.WriteStream,
    // Keys come through the input filter and the reducer; Ink reads none.
    stdin: { isTTY: false, on() {}, off() {} } as unknown as NodeJS.ReadStream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  return {
    show(next, nextSize) {
      resize(nextSize);
      ink.rerender(<Screen regions={next} size={nextSize} />);
      return sink.picture.split('\n');
    },
    unmount: () => ink.unmount(),
  };
}
