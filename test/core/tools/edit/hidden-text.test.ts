/** A model edits what it was shown; the secrets behind the marks stay what they are, or nothing is written. */
import { describe, expect, it } from 'vitest';
import { redact } from '../../../../core/redact.ts';
import { applyEdits, type Edit } from '../../../../core/tools/edit/apply.ts';

const token = (last: string) => `ghp_${'aB3dE6gH9jK2mN5pQ8rS'.repeat(2).slice(0, 35)}${last}`;
const mark = '[redacted: GitHub token]';
const A = token('a');
const B = token('b');

async function apply(content: string, ...edits: Edit[]): Promise<string> {
  const outcome = await applyEdits(Buffer.from(content), edits);
  if ('refused' in outcome) {
    expect(outcome.refused).not.toContain(A);
    return `refused: ${outcome.refused}`;
  }
  return Buffer.concat(outcome.parts).toString();
}

describe('marks in `old` stand for what is hidden', () => {
  it.each<[string, string, string, string, string]>([
    ['on the line', `T=${A}\nx=1\n`, `T=${mark}\nx=1`, `T=${mark}\nx=2`, `T=${A}\nx=2\n`],
    ['renamed', `T=${A}\n`, `T=${mark}`, `TOKEN=${mark}`, `TOKEN=${A}\n`],
    ['deleted', `T=${A}\nx\n`, `T=${mark}\n`, '', 'x\n'],
    ['replaced', `T=${A}\n`, `T=${mark}`, 'T=$TOKEN', 'T=$TOKEN\n'],
    ['two, swapped', `A=${A}\nB=${B}\n`, `A=${mark}\nB=${mark}`, `B=${mark}\nA=${mark}`, `B=${B}\nA=${A}\n`],
    ['two, one goes', `A=${A}\nB=${B}\n`, `A=${mark}\nB=${mark}`, `B=${mark}`, `B=${B}\n`],
    ['two, one renamed', `A=${A}\nB=${B}\n`, `A=${mark}\nB=${mark}`, `X=${mark}\nB=${mark}`, `X=${A}\nB=${B}\n`],
    ['CRLF', `T=${A}\r\nx=1\r\n`, `T=${mark}\nx=1`, `T=${mark}\nx=2`, `T=${A}\r\nx=2\r\n`],
    ['twice the same', `A=${A} ${A}\n`, `A=${mark} ${mark}`, `B=${mark} ${mark}`, `B=${A} ${A}\n`],
  ])('%s', async (_name, file, old, fresh, expected) => {
    expect(await apply(file, { old, new: fresh })).toBe(expected);
  });

  it('also in several edits, and where a key goes over lines', async () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'ab12'.repeat(16)}\n-----END PRIVATE KEY-----`;
    const file = `k = """${key}"""\nT=${A}\n`;
    const edits = [
      { old: 'k = """[redacted: private key]"""', new: 'key = """[redacted: private key]"""' },
      { old: `T=${mark}`, new: `U=${mark}` },
    ];
    expect(await apply(file, ...edits)).toBe(`key = """${key}"""\nU=${A}\n`);
  });
});

describe('it is refused', () => {
  it.each<[string, string, Edit, RegExp]>([
    ['a new mark', `T=${A}\nx\n`, { old: 'x', new: `y=${mark}` }, /takes? its place/],
    ['one more than there was', `T=${A}\n`, { old: `T=${mark}`, new: `T=${mark}\nU=${mark}` }, /more often/],
    [
      'which of two is not clear',
      `A=${A}\nB=${B}\n`,
      { old: `A=${mark}\nB=${mark}`, new: `X=${mark}\nY=${mark}` },
      /not clear/,
    ],
    ['two places', `T=${A}\nT=${B}\n`, { old: `T=${mark}`, new: 'T=' }, /fits 2 places/],
    ['all of them', `T=${A}\nT=${B}\n`, { old: `T=${mark}`, new: 'T=', all: true }, /fits 2 places/],
    ['what is not there', `T=${A}\n`, { old: `TOKEN=${mark}`, new: 'T=' }, /not in the file as it is shown/],
  ])('%s', async (_name, file, edit, expected) => {
    expect(await apply(file, edit)).toMatch(expected);
  });

  it('with no diff of two lines that look the same', async () => {
    const refused = redact(await apply(`name = ${A} # the first\n`, { old: `name = ${B} # the first`, new: 'x' }));
    expect(refused).toContain('but for hidden text');
    const rows = refused.split('\n').map((row) => row.slice(3));
    expect(new Set(rows).size).toBe(rows.length);
  });
});

it('marks that a file itself holds are text', async () => {
  const file = `expect(x).toBe('${mark}');\nend\n`;
  expect(await apply(file, { old: mark, new: `${mark}!` })).toBe(`expect(x).toBe('${mark}!');\nend\n`);
  expect(await apply(file, { old: 'end', new: `also ${mark}` })).toBe(`expect(x).toBe('${mark}');\nalso ${mark}\n`);
});
