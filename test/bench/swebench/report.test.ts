import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Evaluation,
  formatReport,
  type Meta,
  makeReport,
  type Settings,
  statusOf,
} from '../../../bench/swebench/report.ts';
import { RunFolder } from '../../../bench/swebench/run-folder.ts';
import { put, temporary } from './repository.ts';

const settings: Settings = {
  ada: '1',
  node: 'v20',
  model: 'm',
  dataset: 'd',
  timeoutSeconds: 9,
  maxTurns: null,
  concurrency: 2,
};
const meta = (instance_id: string, status: Meta['status'], reason: string | null = null): Meta => ({
  instance_id,
  status,
  reason,
  base: null,
  exitCode: 0,
  turns: 3,
  usage: null,
  denials: 0,
  durationMs: 5,
  attempts: 1,
  patchBytes: 1,
  files: [],
  stripped: [],
  finishedAt: 0,
  settings,
});
const evaluation = (instance_id: string, verdict: Evaluation['verdict'], reason: string | null = null): Evaluation => ({
  instance_id,
  verdict,
  reason,
  failed: [],
  passed: 0,
  durationMs: 1,
});
const prediction = (instance_id: string, model_patch = 'p') => ({ instance_id, model_name_or_path: 'm', model_patch });

describe('statusOf', () => {
  it.each<[Meta['status'] | null, Evaluation['verdict'] | null, string]>([
    [null, null, 'not_run'],
    ['submitted', null, 'submitted'],
    ['submitted', 'resolved', 'resolved'],
    ['submitted', 'unresolved', 'unresolved'],
    ['submitted', 'not_run', 'not_run'],
    ['limit', null, 'limit'],
    ['limit', 'resolved', 'resolved'],
    ['limit', 'unresolved', 'limit'],
    ['limit', 'not_run', 'limit'],
    ['empty_patch', null, 'empty_patch'],
    ['error', null, 'error'],
    ['not_run', 'resolved', 'not_run'],
  ])('%s and %s give %s', (run, scored, status) => {
    expect(statusOf(run ? meta('a', run) : undefined, scored ? evaluation('a', scored) : undefined).status).toBe(
      status,
    );
  });
});

describe('makeReport', () => {
  it('counts errors and what was not run apart from the score', () => {
    const metas = new Map(
      [meta('a', 'submitted'), meta('b', 'submitted'), meta('c', 'error', 'no network'), meta('d', 'empty_patch')].map(
        (line) => [line.instance_id, line],
      ),
    );
    const evaluations = new Map(
      [evaluation('a', 'resolved'), evaluation('b', 'unresolved', '1 of 2 tests fail')].map((line) => [
        line.instance_id,
        line,
      ]),
    );
    const report = makeReport(['a', 'b', 'c', 'd', 'e'], metas, evaluations, settings);
    expect(report).toMatchObject({ total: 5, attempted: 3, score: 1 / 3, settings });
    expect(report.counts).toEqual({
      resolved: 1,
      unresolved: 1,
      submitted: 0,
      empty_patch: 1,
      limit: 0,
      error: 1,
      not_run: 1,
    });
    const text = formatReport(report);
    expect(text).toMatch(/^c +error +no network$/m);
    expect(text).toMatch(/^e +not_run +not run yet$/m);
    expect(text).toContain('resolved 1 of 3 attempted (33.3 %)');
  });

  it('has no score before anything was scored', () => {
    const report = makeReport(['a'], new Map([['a', meta('a', 'submitted')]]), new Map(), settings);
    expect(report.score).toBeNull();
    expect(formatReport(report)).not.toContain('attempted');
  });
});

describe('RunFolder', () => {
  const lines = (folder: string, name: string) =>
    readFileSync(join(folder, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('goes on where it stopped, and tries errors again', () => {
    const folder = temporary();
    const first = new RunFolder(folder);
    first.addOutcome(meta('a', 'submitted'), prediction('a'));
    first.addOutcome(meta('b', 'error'), null);
    first.addOutcome(meta('c', 'limit'), prediction('c', ''));
    first.addEvaluation(evaluation('a', 'resolved'));
    first.close();
    const second = new RunFolder(folder);
    expect(['a', 'b', 'c', 'd'].map((id) => second.isDone(id))).toEqual([true, false, true, false]);
    expect(second.evaluations.get('a')?.verdict).toBe('resolved');
    second.addOutcome(meta('b', 'empty_patch'), prediction('b', ''));
    second.close();
    const third = new RunFolder(folder);
    expect(third.isDone('b')).toBe(true);
    third.close();
    expect(lines(folder, 'predictions.jsonl')).toEqual([prediction('a'), prediction('c', ''), prediction('b', '')]);
  });

  it('cuts off a torn line and mends a lost one', () => {
    const folder = temporary();
    const first = new RunFolder(folder);
    first.addOutcome(meta('a', 'submitted'), prediction('a'));
    first.close();
    // Killed between the two lines of b, and again in the middle of c's.
    appendFileSync(join(folder, 'predictions.jsonl'), `${JSON.stringify(prediction('b'))}\n{"instance_id":"c","mod`);
    const second = new RunFolder(folder);
    second.recover(settings);
    expect(['a', 'b', 'c'].map((id) => second.isDone(id))).toEqual([true, true, false]);
    second.addOutcome(meta('c', 'submitted'), prediction('c'));
    second.close();
    expect(lines(folder, 'predictions.jsonl').map((line) => line.instance_id)).toEqual(['a', 'b', 'c']);
    expect(lines(folder, 'meta.jsonl').map((line) => [line.instance_id, line.status])).toEqual([
      ['a', 'submitted'],
      ['b', 'submitted'],
      ['c', 'submitted'],
    ]);
  });

  it('belongs to one process at a time', () => {
    const folder = temporary();
    const open = new RunFolder(folder);
    expect(() => new RunFolder(folder)).toThrow(`process ${process.pid} is already writing`);
    open.close();
    // The process of an old lock is gone.
    writeFileSync(join(folder, 'run.lock'), '999999999\n');
    new RunFolder(folder).close();
  });

  it('names a line that is broken in the middle', () => {
    const folder = temporary();
    put(folder, { 'meta.jsonl': '{"instance_id":"a"}\nbroken\n{"instance_id":"b"}\n' });
    expect(() => new RunFolder(folder)).toThrow(/meta\.jsonl:2 is not JSON/);
  });
});
