/**
 * What judging a shell command costs: the first compound one of a process, one of the rare forms for which the grammar of
 * bash is loaded, and each of many. Commands that read whole folders are not among them: how long those take depends on the folder.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, runOnce, scratch } from '../measure.mjs';

/** Kinds of commands as models write them: plain lists, and below compound commands. */
const PLAIN = ['git status && git diff --stat', 'cd src && ls -la | head -20', 'npm test 2>&1 | tail -n 40'];
const COMPOUND = [
  'for f in src/*.ts; do wc -l "$f"; done',
  'TS=$(date +%s) && echo "$TS" > stamp.txt',
  'git commit -m "$(cat <<\'X\'\nFix the parser\n\nIt lost the last line.\nX\n)"',
  'if [ -f package.json ]; then cat package.json | grep -n version; else echo none; fi',
  'find . -name "*.ts" -not -path "*/node_modules/*" | sort | head -n "$N"; [[ -d src ]] && ls src',
  'while IFS= read -r line; do echo "$line"; done < README.md',
];

/** Backslashes inside backquotes are left to the grammar. */
const RARE = 'echo `ls \\`pwd\\``';

const FEW = 300;
const MANY = 1500;

export async function judge({ ada, node, runs, project, environment }) {
  let files = 0;
  const lab = async (commands) => {
    const file = join(scratch, `judge-${files++}.jsonl`);
    writeFileSync(file, commands.map((command) => `${JSON.stringify({ command, cwd: project, project })}\n`).join(''));
    const argv = ['bash', '-c', 'file=$1; shift; exec "$@" <"$file"', 'lab', file, ...ada, 'lab', 'judge'];
    return runOnce(argv, { env: environment('none'), cwd: project });
  };
  const mixed = (count) => Array.from({ length: count }, (_, i) => [...PLAIN, ...COMPOUND][i % 9]);
  const times = Math.max(3, runs);
  const cpu = { plain: [], compound: [], rare: [], few: [], many: [], node: [] };
  for (let i = 0; i < times; i++) {
    cpu.node.push((await runOnce([...node, '-e', '0'])).cpu);
    cpu.plain.push((await lab(PLAIN.slice(0, 1))).cpu);
    cpu.compound.push((await lab(COMPOUND.slice(0, 1))).cpu);
    cpu.rare.push((await lab([RARE])).cpu);
    cpu.few.push((await lab(mixed(FEW))).cpu);
    cpu.many.push((await lab(mixed(MANY))).cpu);
  }
  const least = (values) => Math.min(...values);
  return [
    {
      figure: 'one shell command judged, CPU',
      value: ((least(cpu.many) - least(cpu.few)) / (MANY - FEW)) * 1000,
      ruler: null,
      rulerName: '',
      unit: 'ms',
      limit: 1,
      rule: '1 ms',
    },
    {
      figure: 'first compound command, CPU',
      value: Math.max(0, least(cpu.compound) - least(cpu.plain)) * 1000,
      ruler: median(cpu.node) * 1000,
      rulerName: 'node -e 0',
      unit: 'ms',
      limit: 15,
      rule: '15 ms',
    },
    {
      // V8 has to compile a large WebAssembly function; hardly any command needs it.
      figure: 'first that loads the grammar, CPU',
      value: (least(cpu.rare) - least(cpu.plain)) * 1000,
      ruler: median(cpu.node) * 1000,
      rulerName: 'node -e 0',
      unit: 'ms',
      limit: 15,
      rule: '15 ms',
    },
  ];
}
