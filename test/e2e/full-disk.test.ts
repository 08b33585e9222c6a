/** A disk that fills up while a session is written: nothing that was said is lost, and a person hears of it at once. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseLog } from '../../core/parse-log.ts';
import type { StoredEvent } from '../../core/types.ts';
import { makePlace, type Place } from './ada.ts';

const launcher = fileURLToPath(new URL('../../app/ada.cjs', import.meta.url));
const isRoot = process.getuid?.() === 0;
const canMount = isRoot && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

let place: Place;
let recording: string;
beforeEach(() => {
  place = makePlace();
  recording = join(place.home, 'recording.jsonl');
  const answers = Array.from({ length: 8 }, (_, i) => `${JSON.stringify({ text: `answer ${i + 1}` })}\n`);
  writeFileSync(recording, answers.join(''));
});
afterEach(() => place.dispose());

/**
 * One prompt in a project on a small disk, then seven more with so many bytes free. `where`: what lies on it.
 * Gives what each printed, the events of the log that was gone on with, and those that the disk holds.
 */
function fill(free: number, where: 'project' | 'both', after = ''): { told: string; logs: StoredEvent[][] } {
  const disk = where === 'both' ? join(place.project, '..') : place.project;
  const script = `
    set -e
    cp -r ${disk} ${disk}.kept; mount -t tmpfs -o size=256k tmpfs ${disk}; cp -r ${disk}.kept/. ${disk}; rm -rf ${disk}.kept
    cd ${place.project}
    node ${launcher} -p -m replay:${recording} 'first prompt'
    dd if=/dev/zero of=${disk}/filling bs=1k count=999 2> ${disk}/ignored || true
    truncate -s -${free} ${disk}/filling
    for i in 1 2 3 4 5; do node ${launcher} -p -c "prompt $i ${'x'.repeat(1_200)}" 2>&1; done
    ${after}
    mkdir -p ${disk}/filled; mount -t tmpfs -o size=9m tmpfs ${disk}/filled
    for dir in ${place.project}/.ada/sessions ${place.home}/.ada/sessions/*; do
      for log in $dir/*.jsonl; do if [ -f $log ]; then echo "@@@@"; cat $log; fi; done
    done`;
  const env = { PATH: process.env.PATH, HOME: place.home, OLLAMA_HOST: 'http://127.0.0.1:9' };
  const { stdout, stderr } = spawnSync('unshare', ['-m', 'bash', '-c', script], { encoding: 'utf8', env });
  const [told = '', ...logs] = stdout.split('@@@@\n');
  if (logs.length === 0) throw new Error(`${told}\n${stderr}`);
  return { told, logs: logs.map((log) => [...parseLog(Buffer.from(log)).events]) };
}

const prompts = (events: readonly StoredEvent[]) =>
  events.flatMap((event) => (event.type === 'user' ? [event.text.replace(/ x+$/, '')] : []));
const ends = (events: readonly StoredEvent[]) => events.filter(({ type }) => type === 'done').length;
const ALL = ['first prompt', 'prompt 1', 'prompt 2', 'prompt 3', 'prompt 4', 'prompt 5'];

describe.skipIf(!canMount)('a disk that fills up', () => {
  it.each([4_096, 8_192])(
    'moves the session where there is room, says so once, and -c finds it there: %i free',
    (free) => {
      const { told, logs } = fill(free, 'project');
      expect(told.match(/^ada: .*/gm)).toEqual([
        expect.stringMatching(/^ada: this session cannot be saved where it was: .*; it goes on in \S+\.jsonl$/),
      ]);
      expect(told.match(/^answer \d/gm)).toEqual([1, 2, 3, 4, 5, 6].map((n) => `answer ${n}`));
      expect(logs).toHaveLength(1);
      expect(prompts(logs[0]!)).toEqual(ALL);
      expect(ends(logs[0]!)).toBe(6);
      expect(logs[0]!.map(({ seq }) => seq)).toEqual(logs[0]!.map((_, i) => i + 1));
    },
  );

  it.each([0, 4_096])('goes on in memory where there is room nowhere, and says so each time: %i free', (free) => {
    const { told, logs } = fill(
      free,
      'both',
      `truncate -s 0 ${join(place.project, '../filling')}; node ${launcher} -p -c 'there is room again' 2>&1`,
    );
    const notices = told.match(/^ada: .*cannot be (saved|written).*/gm) ?? [];
    expect(notices.length).toBeGreaterThanOrEqual(free ? 4 : 5);
    for (const notice of notices) expect(notice).toMatch(/it goes on in memory$/);
    // No half of a line stands in the way of what comes when there is room again.
    expect(told).not.toMatch(/damaged/);
    expect(logs).toHaveLength(1);
    const [log] = logs;
    expect(prompts(log!)).toEqual([...ALL.slice(0, prompts(log!).length - 1), 'there is room again']);
    expect(ends(log!)).toBe(prompts(log!).length);
  });
});

const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

/** One prompt, and a second one while the disk keeps nothing of what `where` is written to. */
function unkept(where: 'project' | 'all'): { told: string; logs: StoredEvent[][] } {
  const inject = 'strace -f -qq -o /dev/null -e trace=fsync -e inject=fsync:error=EIO';
  const script = `
    cd ${place.project}
    node ${launcher} -p -m replay:${recording} 'first prompt'
    ${inject}${where === 'project' ? ':when=1' : ''} node ${launcher} -p -c 'prompt 1' 2>&1
    node ${launcher} -p -c 'prompt 2' 2>&1
    for log in ${place.project}/.ada/sessions/*.jsonl ${place.home}/.ada/sessions/*/*.jsonl; do
      if [ -f $log ]; then echo "@@@@"; cat $log; fi
    done`;
  const env = { PATH: process.env.PATH, HOME: place.home, OLLAMA_HOST: 'http://127.0.0.1:9' };
  const [told = '', ...logs] = spawnSync('bash', ['-c', script], { encoding: 'utf8', env }).stdout.split('@@@@\n');
  return { told, logs: logs.map((log) => [...parseLog(Buffer.from(log)).events]) };
}

describe.skipIf(!canTrace)('a disk that does not keep what it takes', () => {
  it('is heard of before the turn ends, and the session moves where it is kept', () => {
    const { told, logs } = unkept('project');
    expect(told.match(/^ada: .*/gm)).toEqual([
      expect.stringMatching(/^ada: this session cannot be saved where it was: EIO.*; it goes on in \S+\.jsonl$/),
    ]);
    expect(logs).toHaveLength(1);
    expect(prompts(logs[0]!)).toEqual(['first prompt', 'prompt 1', 'prompt 2']);
    expect(ends(logs[0]!)).toBe(3);
    expect(logs[0]!.map(({ seq }) => seq)).toEqual(logs[0]!.map((_, i) => i + 1));
  });

  it('is heard of where there is no other', () => {
    const { told, logs } = unkept('all');
    expect(told.match(/^ada: .*/gm)).toEqual([expect.stringMatching(/^ada: this session cannot be saved: EIO.*/)]);
    expect(logs).toHaveLength(1);
    expect(prompts(logs[0]!)).toEqual(['first prompt', 'prompt 1', 'prompt 2']);
    expect(ends(logs[0]!)).toBe(3);
  });
});
