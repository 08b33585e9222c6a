/**
 * The client of the endless conversation, a process of its own: one session, N prompts, and what its memory is on the
 * way. `node --expose-gc talk.js N GOAL` in the project; writes one line of JSON.
 */
import { compose } from '../../app/compose.ts';

const [turns, goal] = [Number(process.argv[2]), process.argv[3]!];
const collect = (globalThis as { gc?: () => void }).gc!;

/** MiB after everything that can go has gone. */
function memory(): { heap: number; resident: number } {
  for (let i = 0; i < 3; i++) collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: (heapUsed + external) / 2 ** 20, resident: rss / 2 ** 20 };
}

const { session } = await compose({
  cwd: process.cwd(),
  env: process.env,
  mode: 'auto',
  headless: true,
  allow: [],
  deny: [],
  directories: [],
  offline: true,
  noSkills: true,
  trust: false,
});

let compactions = 0;
let stalled = 0;
let before = '';
const finishes: Record<string, number> = {};
const samples: Record<number, ReturnType<typeof memory>> = {};
for (let turn = 1; turn <= turns; turn++) {
  const events = session.events();
  session.send({ type: 'prompt', text: turn === 1 ? goal : `Read the next file, number ${turn}.` });
  for await (const event of events) {
    if (event.type === 'compaction') {
      compactions++;
      // Two without anything between them, or one that gains nothing: it runs in a circle.
      if (before === 'compaction' || event.after >= event.before) stalled++;
    }
    if ('seq' in event) before = event.type;
    if (event.type !== 'done') continue;
    finishes[event.finish] = (finishes[event.finish] ?? 0) + 1;
    break;
  }
  if (turn === Math.round(turns / 10) || turn === turns) samples[turn] = memory();
}
const { file, state } = session;
await session.close();
process.stdout.write(`${JSON.stringify({ compactions, stalled, finishes, samples, file, lastSeq: state.lastSeq })}\n`);
process.exit(0);
