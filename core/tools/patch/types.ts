/** What a patch says, whichever of the two formats it is written in. */

export interface PatchLine {
  /** Stays, goes or comes. */
  sign: ' ' | '-' | '+';
  text: string;
  /** Written without its sign: perhaps only a gap between two parts of the patch. */
  bare?: boolean;
}

export interface Hunk {
  /** Lines of the file (`@@ class A`) that stand before the change, each narrowing the place further. */
  anchors: readonly string[];
  lines: readonly PatchLine[];
  /** The lines are the last of the file. */
  atEnd: boolean;
  /** First line in the old file as a unified diff gives it, from 1. A hint: models count badly. */
  line?: number;
  /** The last new line ends the file without a line end. */
  open?: boolean;
  /** The last line had no line end and gets one; without either, the end of the file stays as it is. */
  closes?: boolean;
  /** Its line in the patch, from 1, for messages. */
  at: number;
}

export type FilePatch =
  /** `mode`: permissions that it gets, where they are not the usual ones. */
  | { kind: 'add'; path: string; content: string; mode?: number }
  /** `content`: what the file must hold for that, where the patch says so. */
  | { kind: 'delete'; path: string; content?: string }
  | { kind: 'update'; path: string; moveTo?: string; hunks: readonly Hunk[] };

export type ParsedPatch = { files: readonly FilePatch[] } | { refused: string };

/** Every path that the patch would write, create or delete, as written in it. */
export function pathsOf(files: readonly FilePatch[]): string[] {
  const paths = files.flatMap((file) =>
    file.kind === 'update' && file.moveTo !== undefined ? [file.path, file.moveTo] : [file.path],
  );
  return [...new Set(paths)];
}
