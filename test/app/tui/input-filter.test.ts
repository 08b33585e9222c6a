import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInputFilter } from '../../../app/tui/input-filter.ts';
import { backgroundOf } from '../../../app/tui/input-keys.ts';
import type { Input } from '../../../app/tui/types.ts';

/** A filter whose time is set by hand, and what it gave. */
function listen() {
  const inputs: Input[] = [];
  const reports: string[] = [];
  const waiting = new Map<() => void, number>();
  const filter = createInputFilter((input) => inputs.push(input), {
    onReport: (report) => reports.push(report),
    timer: (callback, ms) => {
      waiting.set(callback, ms);
      return () => waiting.delete(callback);
    },
  });
  const pass = (ms: number) => {
    for (const [callback, due] of [...waiting])
      if (due <= ms) {
        waiting.delete(callback);
        callback();
      }
  };
  return { filter, inputs, reports, pass, waiting };
}

/** An input in short: `ctrl+shift+left`, `"text"`. */
function short(input: Input): string {
  if (input.type === 'paste') return `paste ${JSON.stringify(input.text)}`;
  if (input.type === 'wheel') return `wheel ${input.lines} at ${input.column},${input.row}`;
  if (input.type === 'focus') return input.focused ? 'focus' : 'blur';
  const { name, text, ctrl, alt, shift } = input.key;
  const held = `${ctrl ? 'ctrl+' : ''}${alt ? 'alt+' : ''}${shift ? 'shift+' : ''}`;
  return held + (name === 'text' ? JSON.stringify(text) : name === 'chord' ? text : name);
}

/** Neighbouring text is one: how much comes in one read is chance. */
const joined = (inputs: readonly Input[]): string[] => {
  const found: string[] = [];
  for (const each of inputs.map(short)) {
    if (each.startsWith('"') && found.at(-1)?.startsWith('"'))
      found.push(JSON.stringify(JSON.parse(found.pop()!) + JSON.parse(each)));
    else found.push(each);
  }
  return found;
};

function read(bytes: Buffer | string): string[] {
  const { filter, inputs, pass } = listen();
  filter.feed(Buffer.from(bytes as string, 'utf8'));
  pass(30);
  return inputs.map(short);
}

const CASES: [bytes: string, ...inputs: string[]][] = [
  ['hello', '"hello"'],
  ['größe 漢字 👩‍👩‍👧', '"größe 漢字 👩‍👩‍👧"'],
  ['a\rb', '"a"', 'enter', '"b"'],
  ['\n', 'ctrl+j'],
  ['\t', 'tab'],
  ['\x7f\x08', 'backspace', 'backspace'],
  ['\x01\x03\x04\x1a', 'ctrl+a', 'ctrl+c', 'ctrl+d', 'ctrl+z'],
  ['\0', 'ctrl+ '],
  ['\x1f\x1c', 'ctrl+_', 'ctrl+\\'],
  // Arrows, Home, End: CSI and SS3.
  ['\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F', 'up', 'down', 'right', 'left', 'home', 'end'],
  ['\x1bOA\x1bOB\x1bOC\x1bOD\x1bOH\x1bOF', 'up', 'down', 'right', 'left', 'home', 'end'],
  ['\x1b[1~\x1b[4~\x1b[7~\x1b[8~', 'home', 'end', 'home', 'end'],
  ['\x1b[5~\x1b[6~\x1b[3~', 'pageup', 'pagedown', 'delete'],
  ['\x1b[1;2A\x1b[1;3D\x1b[1;5C\x1b[1;6F', 'shift+up', 'alt+left', 'ctrl+right', 'ctrl+shift+end'],
  ['\x1b[5;5~\x1b[3;3~', 'ctrl+pageup', 'alt+delete'],
  ['\x1b[5C', 'ctrl+right'],
  ['\x1b[a\x1bOd\x1b[3^\x1b[6@', 'shift+up', 'ctrl+left', 'ctrl+delete', 'ctrl+shift+pagedown'],
  ['\x1b[Z', 'shift+tab'],
  // Enter in all its forms.
  ['\x1b[13;2u\x1b[27;2;13~', 'shift+enter', 'shift+enter'],
  ['\x1b\r\x1b\n\x1b[13;3u\x1b[13;5u', 'alt+enter', 'alt+enter', 'alt+enter', 'ctrl+enter'],
  ['\x1bOM', 'enter'],
  // Alt.
  ['\x1bb\x1bF\x1b.', 'alt+b', 'alt+shift+f', 'alt+.'],
  ['\x1bä\x1b漢', 'alt+ä', 'alt+漢'],
  ['\x1b\x7f\x1b\x08\x1b\x01', 'alt+backspace', 'alt+backspace', 'ctrl+alt+a'],
  ['\x1b\x1b[A\x1b\x1bOB', 'alt+up', 'alt+down'],
  // The ESC key, also before others.
  ['\x1b', 'escape'],
  ['\x1b\x1b', 'escape', 'escape'],
  ['\x1b\x1bx', 'escape', 'alt+x'],
  ['\x1b[', 'alt+['],
  ['\x1bO', 'alt+shift+o'],
  ['\x1b]', 'alt+]'],
  ['\x1b\x1b[', 'escape', 'alt+['],
  // kitty keyboard protocol.
  ['\x1b[97u\x1b[97;2u\x1b[97:65;2u', '"a"', '"A"', '"A"'],
  ['\x1b[49:33;2u\x1b[50;2;34u', '"!"', '"\\""'],
  ['\x1b[97;5u\x1b[97;3u\x1b[99;6u\x1b[106;5u', 'ctrl+a', 'alt+a', 'ctrl+shift+c', 'ctrl+j'],
  ['\x1b[27u\x1b[9;2u\x1b[127;3u\x1b[13u', 'escape', 'shift+tab', 'alt+backspace', 'enter'],
  ['\x1b[97;65u\x1b[97;66u', '"A"', '"a"'],
  ['\x1b[97;1:1u\x1b[97;1:3u\x1b[1;1:3A\x1b[1;1:2A\x1b[5;1:3~', '"a"', 'up'],
  ['\x1b[57399u\x1b[57414u\x1b[57417u\x1b[57441u', '"0"', 'enter', 'left'],
  ['\x1b[27;5;105~', 'ctrl+i'],
  // Keypad.
  ['\x1bOp\x1bOy\x1bOk', '"0"', '"9"', '"+"'],
  // What is ignored: function keys, Insert, F keys with modifiers and of the Linux console, clicks, moves.
  ['\x1bOP\x1b[11~\x1b[24~\x1b[2~\x1b[1;2P\x1b[[Ax', '"x"'],
  ['\x1b[<0;5;6M\x1b[<0;5;6m\x1b[<35;1;1M\x1b[<66;1;1Mx', '"x"'],
  ['\x1b[M !!x', '"x"'],
  // Wheel, focus.
  ['\x1b[<64;5;6M\x1b[<65;1;1M\x1b[<80;2;2M', 'wheel -3 at 4,5', 'wheel 3 at 0,0', 'wheel -3 at 1,1'],
  ['\x1b[I\x1b[O', 'focus', 'blur'],
  // Paste.
  ['\x1b[200~hello\x1b[201~x', 'paste "hello"', '"x"'],
  ['\x1b[200~a\r\nb\rc\nd\te\x1b[201~', 'paste "a\\nb\\nc\\nd\\te"'],
  ['\x1b[200~a\x1b[31mb\x1b[20~\x07\x7f\x9b\x1b[201~', 'paste "ab"'],
  ['\x1b[200~\x1b\x1b[201~\x1b[200~\x1b[201~', 'paste ""', 'paste ""'],
  ['\x1b[200~a\x1b[31mb\x1b]0;title\x07c\x1b]8;;x\x1b\\d\x1bPq\ne\x1b(Bf\x1b[201~', 'paste "abcd\\nef"'],
  ['\x1b[200~a\x1b[201~\rb\n', 'paste "a"', 'paste "\\n"', '"b"', 'paste "\\n"'],
  ['\x1b[200~grüße 👩‍👩‍👧\x1b[201~', 'paste "grüße 👩‍👩‍👧"'],
  ['\x1b[201~x', '"x"'],
  // Broken off by the next one.
  ['\x1b]11;rgb:\x03x', 'ctrl+c', '"x"'],
  ['\x1b[1;\x1b[A\x1b[3\rx', 'up', 'enter', '"x"'],
];

describe('an input filter', () => {
  it.each(CASES)('%j', (bytes, ...inputs) => {
    expect(read(bytes)).toEqual(inputs);
  });

  it('gives the same whatever comes in one read', () => {
    const some = fc.array(fc.constantFrom(...CASES.map(([bytes]) => bytes)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(some, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (parts, sizes) => {
        // An Enter is told from a pasted line end by its coming alone.
        fc.pre(!/\x1b\[201~[\s\S]*[\r\n]/.test(parts.join('')));
        const bytes = Buffer.from(parts.join(''), 'utf8');
        const whole = listen();
        whole.filter.feed(bytes);
        whole.filter.flush();
        const split = listen();
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length]!;
          split.filter.feed(bytes.subarray(at, at + size));
          at += size;
        }
        split.filter.flush();
        expect(joined(split.inputs)).toEqual(joined(whole.inputs));
        expect(split.reports).toEqual(whole.reports);
      }),
      { numRuns: 500 },
    );
  });

  it('gives keys without control characters for any bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 6 }), (reads) => {
        const { filter, inputs } = listen();
        for (const bytes of reads) expect(filter.feed(Buffer.from(bytes))).toBe('');
        filter.flush();
        for (const input of inputs)
          if (input.type === 'key') expect(input.key.text).not.toMatch(/[\x00-\x1f\x7f-\x9f\p{Cs}]/u);
      }),
      { numRuns: 500 },
    );
  });

  it('waits for the rest of a sequence, and for a lone ESC only shortly', () => {
    const { filter, inputs, pass, waiting } = listen();
    filter.feed(Buffer.from('\x1b'));
    expect([...waiting.values()]).toEqual([30]);
    expect(inputs).toEqual([]);
    filter.feed(Buffer.from('[1;5'));
    pass(30);
    expect(inputs).toEqual([]);
    filter.feed(Buffer.from('C\x1b'));
    pass(30);
    expect(inputs.map(short)).toEqual(['ctrl+right', 'escape']);
    expect(waiting.size).toBe(0);
  });

  it('drops a sequence that is never finished and reads on', () => {
    const { filter, inputs, pass } = listen();
    filter.feed(Buffer.from('\x1b]11;rgb:'));
    pass(500);
    filter.feed(Buffer.from('\x1b[1;'));
    pass(500);
    filter.feed(Buffer.from('x'));
    expect(inputs.map(short)).toEqual(['"x"']);
  });

  it('keeps a paste open through pauses', () => {
    const { filter, inputs, pass } = listen();
    filter.feed(Buffer.from('\x1b[200~one\x1b[20'));
    pass(500);
    filter.feed(Buffer.from('1~'));
    expect(inputs.map(short)).toEqual(['paste "one"']);
  });

  it('ends a paste whose end is lost, and what comes of it later sends nothing', () => {
    const { filter, inputs, pass, waiting } = listen();
    filter.feed(Buffer.from('\x1b[200~one\r'));
    pass(1000);
    expect(inputs.map(short)).toEqual(['paste "one\\n"']);
    filter.feed(Buffer.from('two\rthree\r'));
    filter.feed(Buffer.from('four\x1b[201~'));
    expect(inputs.map(short)).toEqual(['paste "one\\n"', 'paste "two\\nthree\\nfour"']);
    expect(waiting.size).toBe(0);
    filter.feed(Buffer.from('\r'));
    expect(inputs.map(short).at(-1)).toBe('enter');
  });

  it.each(['\x03', '\x1b[99;5u'])('ends a paste at a Ctrl+C that comes alone (%j)', (ctrlC) => {
    const { filter, inputs, waiting } = listen();
    filter.feed(Buffer.from('\x1b[200~one\x03two'));
    filter.feed(Buffer.from(ctrlC));
    expect(inputs.map(short)).toEqual(['paste "onetwo"']);
    expect(waiting.size).toBe(0);
    filter.feed(Buffer.from('x'));
    expect(inputs.map(short).at(-1)).toBe('"x"');
  });

  it('takes a megabyte of paste in small reads', () => {
    const { filter, inputs } = listen();
    filter.feed(Buffer.from('\x1b[200~'));
    for (let i = 0; i < 1000; i++) filter.feed(Buffer.from(`${'x'.repeat(999)}\r`));
    filter.feed(Buffer.from('\x1b[201~'));
    expect(inputs).toEqual([{ type: 'paste', text: `${'x'.repeat(999)}\n`.repeat(1000) }]);
  });

  it('hands replies of the terminal to who asked, and to nobody else', () => {
    const { filter, inputs, reports } = listen();
    filter.feed(
      Buffer.from(
        '\x1b[12;40R\x1b[?62;4c\x1b[>1;10;0c\x1b[?1u\x1b[?2026;2$y\x1b[?997;1n\x1b[8;24;80t' +
          '\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\\x1b]10;rgb:ff/ff/ff\x07\x1bP>|term 1\x1b\\\x1b_Gi=1;OK\x1b\\x',
      ),
    );
    expect(inputs.map(short)).toEqual(['"x"']);
    expect(reports).toEqual([
      '[12;40R',
      '[?62;4c',
      '[>1;10;0c',
      '[?1u',
      '[?2026;2$y',
      '[?997;1n',
      '[8;24;80t',
      ']11;rgb:1e1e/1e1e/1e1e',
      ']10;rgb:ff/ff/ff',
      'P>|term 1',
      '_Gi=1;OK',
    ]);
  });

  it('ends a lone ESC by its own timer', async () => {
    const inputs: Input[] = [];
    await new Promise<void>((resolve) => {
      createInputFilter((input) => {
        inputs.push(input);
        resolve();
      }).feed(Buffer.from('\x1b'));
    });
    expect(inputs.map(short)).toEqual(['escape']);
  });
});

describe('backgroundOf', () => {
  it.each<[string, 'dark' | 'light' | null]>([
    [']11;rgb:1e1e/1e1e/1e1e', 'dark'],
    [']11;rgb:ffff/ffff/ffff', 'light'],
    [']11;rgb:fd/f6/e3', 'light'],
    [']11;rgba:0000/0000/8080/ffff', 'dark'],
    [']10;rgb:ff/ff/ff', null],
    ['[?1u', null],
  ])('%s', (report, expected) => {
    expect(backgroundOf(report)).toBe(expected);
  });
});
