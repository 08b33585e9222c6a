import { describe, expect, it } from 'vitest';
import { endsInLoop, RepeatedText } from '../../../core/guards/repeated-text.ts';

const BLOCK =
  "I'll check the configuration file again to see whether the option is set, and then I will run the tests. ";

/** Characters after which the watcher speaks, or undefined. */
function noticedAfter(text: string, size = 7): number | undefined {
  const watcher = new RepeatedText();
  for (let at = 0; at < text.length; at += size) {
    const found = watcher.add(text.slice(at, at + size));
    if (found !== undefined) return at + found;
  }
  return undefined;
}

describe('RepeatedText', () => {
  it('notices a block that comes again and again, soon after the twentieth time', () => {
    const before = 'First I read the file. It holds three functions.\n\n';
    const after = noticedAfter(before + BLOCK.repeat(200));
    expect(after).toBeGreaterThan(BLOCK.length * 19);
    expect(after).toBeLessThan(BLOCK.length * 30);
  });

  it('notices long and short blocks, in any pieces', () => {
    const paragraph = Array.from({ length: 40 }, (_, i) => `Sentence ${i} of a paragraph.`).join(' ');
    expect(noticedAfter(`${paragraph}\n`.repeat(60))).toBeDefined();
    expect(noticedAfter('no! '.repeat(2_000), 1)).toBeDefined();
    expect(noticedAfter('('.repeat(10_000), 1_000)).toBeDefined();
  });

  it.each([
    ['a block', `Let me see.\n${BLOCK.repeat(60)}`],
    ['characters of two halves', `I see. ${'🙂 no, '.repeat(900)}`],
    ['code', `\`\`\`\n${'x = 1;\n'.repeat(3_000)}`],
    ['what begins late', `${Array.from({ length: 900 }, (_, i) => `Sentence ${i}. `).join('')}${BLOCK.repeat(60)}`],
  ])('notices %s at the same place whatever the pieces are, and again in what was noticed', (_, text) => {
    const at = noticedAfter(text, 1)!;
    expect(at).toBeDefined();
    for (const size of [3, 4, 24, 200, 511, 513, text.length]) expect(noticedAfter(text, size)).toBe(at);
    expect(noticedAfter(text.slice(0, at), 200)).toBe(at);
    expect(/[\ud800-\udbff]$/.test(text.slice(0, at))).toBe(false);
  });

  it.each([
    ['a table of similar rows', Array.from({ length: 200 }, (_, i) => `| row ${i} | ok | passed | - | - |`).join('\n')],
    [
      'a file of code',
      Array.from({ length: 300 }, (_, i) => `  if (value === ${i}) {\n    return names[${i % 7}];\n  }\n`).join(''),
    ],
    ['a rule', `${'='.repeat(400)}\n${'-'.repeat(300)}\n`.repeat(2)],
    ['a matrix of zeros', `[${'0, '.repeat(600)}0]\n and then the rest of the answer, which is not the same.`],
    ['prose that repeats itself a little', `${BLOCK.repeat(6)}Then the answer. `.repeat(3)],
    ['a short text', 'ha '.repeat(20)],
    ['rows of zeros in a fence', `A grid:\n\n\`\`\`js\nconst grid = [\n${'  0, 0, 0, 0,\n'.repeat(64)}];\n\`\`\`\n`],
    ['rows of zeros alone', `Its rows:\n${'  0, 0, 0, 0,\n'.repeat(64)}`],
    ['equal lines in a fence', `\`\`\`yaml\n${'- name: default value\n'.repeat(120)}\`\`\`\n`],
    ['equal words between brackets', `The list is [${'"nothing here", '.repeat(120)}]. That is all.`],
    ['numbered lines', Array.from({ length: 200 }, (_, i) => `Step ${i}: I look at it once more.\n`).join('')],
    [
      'a long table of numbers',
      Array.from({ length: 1_500 }, (_, i) => `| row ${i} | passed in ${i % 9} ms |\n`).join(''),
    ],
    [
      'a long numbered list in a fence',
      `\`\`\`sql\n${Array.from({ length: 1_500 }, (_, i) => `INSERT INTO t VALUES (${i});\n`).join('')}`,
    ],
  ])('leaves %s alone', (_name, text) => {
    expect(noticedAfter(text)).toBeUndefined();
  });

  it('notices data too, when they go on for much longer', () => {
    const rows = '  0, 0, 0, 0,\n';
    const after = noticedAfter(`\`\`\`\n${rows.repeat(5_000)}`);
    expect(after).toBeGreaterThan(6_000);
    expect(after).toBeLessThan(12_000);
    expect(noticedAfter(`[${'"nothing here", '.repeat(5_000)}`)).toBeDefined();
    // Behind a fence all is as before.
    expect(noticedAfter(`\`\`\`\n${rows}\`\`\`\n${BLOCK.repeat(40)}`)).toBeLessThan(4_000);
    expect(noticedAfter(`It is in list[0, as I said.\n\n${BLOCK.repeat(40)}`)).toBeLessThan(4_000);
  });

  it('leaves a list that counts on alone: it may be what was asked for', () => {
    let all = '';
    for (let n = 1; all.length < 60_000; n++) all += `host${n} has the address 10.0.${n >> 8}.${n & 255}\n`;
    expect(noticedAfter(all)).toBeUndefined();
  });

  it('needs the loop to be at the end', () => {
    expect(endsInLoop(BLOCK.repeat(30))).toBe(true);
    expect(endsInLoop(`${BLOCK.repeat(30)}Now I know what is wrong: the option has another name.`)).toBe(false);
    expect(endsInLoop('')).toBe(false);
  });
});
