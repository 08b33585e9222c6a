/** What one edit_file costs in a file of 10 MB: the slope between a session of 2 edits and one of 8. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, runOnce, scratch } from '../measure.mjs';
import { slope } from '../slope.mjs';

const RULERS = fileURLToPath(new URL('../rulers.mjs', import.meta.url));
const BYTES = 10 << 20;

/** A session in which a line in the middle is changed `count` times. */
function recording(count) {
  const file = join(scratch, `edit-${count}.jsonl`);
  const turns = Array.from({ length: count }, (_, index) => ({
    toolCalls: [
      {
        name: 'edit_file',
        input: { path: 'large.txt', old: `the value is ${index};`, new: `the value is ${index + 1};` },
      },
    ],
  }));
  writeFileSync(file, [...turns, { text: 'done' }].map((turn) => `${JSON.stringify(turn)}\n`).join(''));
  return file;
}

/** Code-like lines, with the one that is changed in the middle; `accents`: not all of it is ASCII. */
function largeFile(file, accents) {
  const line = (index) =>
    `  const name${index} = compute(${index}, "${accents ? 'größe' : 'groesse'} ${index}"); // some text\n`;
  const parts = [];
  let size = 0;
  for (let index = 0; size < BYTES; index += 1) {
    parts.push(line(index));
    size += Buffer.byteLength(parts.at(-1));
  }
  parts.splice(parts.length >> 1, 0, 'the value is 0;\n');
  writeFileSync(file, parts.join(''));
}

export async function edit({ ada, node, runs, project }) {
  const times = Math.max(2, Math.ceil(runs / 3));
  const large = join(project, 'large.txt');
  const rows = [];
  for (const accents of [false, true]) {
    const value = await slope(
      (count) => {
        largeFile(large, accents);
        return runOnce([...ada, '-p', '--mode', 'auto', '--model', `replay:${recording(count)}`, 'go'], {
          env: cleanEnvironment(),
          cwd: project,
        });
      },
      times,
      [2, 8],
    );
    const ruler = await slope(
      (count) => {
        largeFile(large, accents);
        return runOnce([...node, RULERS, 'edit', String(count)], { cwd: project });
      },
      times,
      [2, 8],
    );
    rows.push({
      figure: `edit in 10 MB${accents ? ', not ASCII' : ''}, CPU`,
      value,
      ruler,
      rulerName: 'bare read, replace, rename',
      unit: 'ms',
      limit: 60,
      rule: '60 ms',
    });
  }
  return rows;
}
