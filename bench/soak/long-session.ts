/**
 * One session of 2,000 turns against a server on loopback, with room made at 8,192 tokens. What must hold: every turn
 * ends by itself, the goal is in every request, no compaction follows another without gain, and memory does not grow
 * with the conversation. `node long-session.js TALK_FILE N`; exit code 1 when one of them does not hold.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILES, startSoakModel } from './model.ts';

const [talk, turns] = [process.argv[2]!, Number(process.argv[3])];
const GOAL = 'Goal kestrel: read all files, and never write to any of them.';
const COMPACT_AT = 8192;
/** Memory after the last turn, against that after a tenth of them. */
const MOST_GROWTH = 1.2;

const root = mkdtempSync(join(tmpdir(), 'ada-soak-'));
const [home, project] = [join(root, 'home'), join(root, 'project')];
for (const folder of [home, join(project, '.git')]) mkdirSync(folder, { recursive: true });
for (let i = 0; i < FILES; i++) writeFileSync(join(project, `f${i}.txt`), `line of file ${i}, some words\n`.repeat(60));
const model = await startSoakModel(32_768, GOAL);
try {
  const child = spawn(process.execPath, ['--expose-gc', talk, String(turns), GOAL], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home, OLLAMA_HOST: model.url, ADA_COMPACT_AT: String(COMPACT_AT) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) text += chunk;
  const { compactions, stalled, finishes, samples, file } = JSON.parse(text);
  const [early, late] = Object.values(samples) as { heap: number; resident: number }[];
  const show = ({ heap, resident }: { heap: number; resident: number }) =>
    `${heap.toFixed(1)} MiB heap, ${resident.toFixed(0)} MiB resident`;
  const log = statSync(file).size;
  console.log(
    `${turns} turns, ${model.requests} requests, ${compactions} compactions, log ${(log / 2 ** 20).toFixed(1)} MiB`,
  );
  console.log(`memory after ${Math.round(turns / 10)} turns: ${show(early!)}; after ${turns}: ${show(late!)}`);
  const growth = late!.resident / early!.resident;
  const faults = [
    finishes.stop === turns ? '' : `turns ended ${JSON.stringify(finishes)}`,
    compactions > 0 ? '' : 'room was never made',
    stalled ? `${stalled} compactions gained nothing` : '',
    model.forgot ? `${model.forgot} requests without the goal` : '',
    model.largest > COMPACT_AT * 1.15 ? `a request of ${model.largest} tokens` : '',
    growth > MOST_GROWTH ? `memory grew ${growth.toFixed(2)} ×, at most ${MOST_GROWTH}` : '',
  ].filter(Boolean);
  for (const fault of faults) console.log(`FAILED: ${fault}`);
  process.exitCode = faults.length ? 1 : 0;
} finally {
  model.close();
  rmSync(root, { recursive: true, force: true });
}
