import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { edit } from '../../app/lab/edit.ts';
import { judge } from '../../app/lab/judge.ts';
import { sse } from '../../app/lab/sse.ts';
import { answerLine } from '../../app/lab.ts';

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');

describe('a line that is not understood gives an error on its line', () => {
  test.each<[string, (row: Record<string, unknown>) => unknown, string]>([
    ['not JSON', judge, '{'],
    ['not an object', judge, '[1]'],
    ['null', judge, 'null'],
    ['no command', judge, '{}'],
    ['a command that is no text', judge, '{"command": 3}'],
    ['an unknown mode', judge, '{"command": "ls", "mode": "fast"}'],
    ['no content', edit, '{"edits": []}'],
    ['two contents', edit, '{"content": "a", "base64": "", "edits": []}'],
    ['edits that are no list', edit, '{"content": "a", "edits": {}}'],
    ['an edit without new', edit, '{"content": "a", "edits": [{"old": "a"}]}'],
    ['chunks that are no list', sse, '{"base64": "YQ=="}'],
  ])('%s', async (_, probe, line) => {
    expect(await answerLine(probe, line)).toEqual({ error: expect.stringMatching(/./) });
  });
});

test('judge gives the verdict of the mode', async () => {
  const at = { cwd: '/repo', project: '/repo' };
  expect(await judge({ command: 'ls', ...at })).toMatchObject({
    verdict: 'allow',
    class: 'read',
    readOnly: true,
    destructive: false,
  });
  expect(await judge({ command: 'rm -rf /', ...at, mode: 'auto' })).toMatchObject({
    verdict: 'ask',
    destructive: true,
  });
  expect(await judge({ command: 'touch a', ...at, mode: 'plan' })).toMatchObject({ verdict: 'deny', readOnly: false });
  expect(Object.keys(await judge({ command: 'ls' }))).toEqual([
    'verdict',
    'class',
    'readOnly',
    'destructive',
    'reasons',
  ]);
});

test('edit answers in the form it was asked in', async () => {
  expect(await edit({ content: 'a\r\nb', edits: [{ old: 'b', new: 'ü' }] })).toEqual({ content: 'a\r\nü', notes: [] });
  expect(await edit({ base64: base64('caf\xe9\nx\n'), edits: [{ old: 'x', new: 'y' }] })).toEqual({
    base64: base64('caf\xe9\ny\n'),
    notes: [],
  });
  expect(await edit({ content: 'a', edits: [{ old: 'b', new: 'c' }] })).toEqual({
    refused: expect.stringMatching(/./),
  });
});

test('sse gives the events of a stream in pieces', () => {
  const answer = sse({ base64: ['id: 1\nda', 'ta: a\n', '\n'].map(base64) });
  expect(answer).toEqual({ events: [{ event: 'message', data: 'a', id: '1' }] });
});

const cases = new URL('../../../shared/cases/sse.jsonl', import.meta.url);
test.skipIf(!existsSync(cases))('event streams gathered from the field', () => {
  for (const line of readFileSync(cases, 'utf8').trim().split('\n')) {
    const { chunks, expected } = JSON.parse(line) as {
      chunks: string[];
      expected: { events: { event?: string; data: string }[] };
    };
    const bytes = Buffer.from(chunks.join(''));
    for (const size of [bytes.length || 1, 1, 7]) {
      const pieces: string[] = [];
      for (let i = 0; i < bytes.length; i += size) pieces.push(bytes.subarray(i, i + size).toString('base64'));
      const { events } = sse({ base64: pieces }) as { events: { event: string; data: string }[] };
      expect(events.map(({ event, data }) => [event, data])).toEqual(
        expected.events.map(({ event, data }) => [event ?? 'message', data]),
      );
    }
  }
});
