/** The recorded model of the demonstration, a turn each (CONTRACT, "The recorded model"). */
interface RecordedTurn {
  text: string;
  toolCalls?: readonly { name: string; input: Record<string, unknown> }[];
}

const TURNS: readonly RecordedTurn[] = [
  {
    text: 'I will look at the project and run its tests first.',
    toolCalls: [
      { name: 'glob', input: { pattern: '**/*.js' } },
      { name: 'bash', input: { command: 'node --test' } },
    ],
  },
  {
    text: 'Two tests of split fail: the shares of 10.00 and 20.00 for three people do not add up. I will read it.',
    toolCalls: [
      { name: 'read_file', input: { path: 'src/split.js' } },
      { name: 'read_file', input: { path: 'test/split.test.js' } },
    ],
  },
  {
    text: 'Every person gets the same rounded share, so up to half a cent a person is lost or invented. I will round down and give the cents that remain to the first people, one each.',
    toolCalls: [
      {
        name: 'edit_file',
        input: {
          path: 'src/split.js',
          old: '  const share = Math.round(total / people);\n  return Array.from({ length: people }, () => share);',
          new: '  const share = Math.floor(total / people);\n  const left = total - share * people;\n  return Array.from({ length: people }, (_, i) => (i < left ? share + 1 : share));',
        },
      },
    ],
  },
  { text: 'Now the tests again.', toolCalls: [{ name: 'bash', input: { command: 'node --test' } }] },
  {
    text: 'Fixed. split in src/split.js rounded each share on its own, so 10.00 for three people gave 9.99 and 20.00 gave 20.01. It now rounds down and hands out the remaining cents one by one: the shares always add up to the total, and differ by a cent at most. All tests pass.',
  },
];

/** The recording as the text of a JSONL file. */
export const RECORDING: string = TURNS.map((turn) => `${JSON.stringify(turn)}\n`).join('');
