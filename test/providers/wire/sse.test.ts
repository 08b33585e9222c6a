import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readNdjson } from '../../../providers/wire/ndjson.ts';
import { createSseParser, parseSse, readSse } from '../../../providers/wire/sse.ts';

const pieces = (bytes: Uint8Array, size: number): Uint8Array[] => {
  const out: Uint8Array[] = [];
  for (let i = 0; i < bytes.length; i += size) out.push(bytes.subarray(i, i + size));
  return out;
};
const sizes = [1, 2, 3, 7, 1_000_000];
async function* stream(text: string, size: number) {
  yield* pieces(Buffer.from(text), size);
}
async function gather(batches: AsyncIterable<string[]>): Promise<string[]> {
  const all: string[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}

const cases: [name: string, text: string, events: object[]][] = [
  ['data without a space', 'data:x\n\n', [{ event: 'message', data: 'x' }]],
  ['only one space removed', 'data:  x\n\n', [{ event: 'message', data: ' x' }]],
  ['CRLF', 'data: a\r\ndata: b\r\n\r\n', [{ event: 'message', data: 'a\nb' }]],
  [
    'CR',
    'data: a\r\rdata: b\r\r',
    [
      { event: 'message', data: 'a' },
      { event: 'message', data: 'b' },
    ],
  ],
  [
    'CRLF, then an LF of its own',
    'data: a\r\n\ndata: b\n\n',
    [
      { event: 'message', data: 'a' },
      { event: 'message', data: 'b' },
    ],
  ],
  ['byte order mark', '\ufeffdata: x\n\n', [{ event: 'message', data: 'x' }]],
  ['comments', ': hello\n\ndata: x\n: y\n\n', [{ event: 'message', data: 'x' }]],
  [
    'names and ids',
    'event: ping\nid: 7\ndata: x\n\ndata: y\n\n',
    [
      { event: 'ping', data: 'x', id: '7' },
      { event: 'message', data: 'y' },
    ],
  ],
  ['characters of four bytes', 'data: 😀我\n\n', [{ event: 'message', data: '😀我' }]],
  ['an unfinished last event', 'data: x\n\ndata: y\n', [{ event: 'message', data: 'x' }]],
];

describe('parseSse', () => {
  it.each(cases)('%s', (_name, text, events) => {
    for (const size of sizes) expect(parseSse(pieces(Buffer.from(text), size))).toEqual(events);
  });

  const shared = new URL('../../../../shared/cases/sse.jsonl', import.meta.url);
  it.skipIf(!existsSync(shared))('reads the gathered cases, whole, byte by byte and in sevens', () => {
    for (const line of readFileSync(shared, 'utf8').trim().split('\n')) {
      const { name, chunks, expected } = JSON.parse(line);
      const bytes = Buffer.from(chunks.join(''));
      for (const size of [bytes.length, 1, 7]) expect(parseSse(pieces(bytes, size)), name).toEqual(expected.events);
    }
  });
});

describe('createSseParser', () => {
  it('keeps what has no end for those who want it', () => {
    const parser = createSseParser();
    expect(parser.push(Buffer.from('data: [DONE]'))).toEqual([]);
    expect(parser.rest()).toEqual({ event: 'message', data: '[DONE]' });
    expect(parser.rest()).toBeUndefined();
  });
});

describe('readSse', () => {
  it.each(sizes)('takes a whole last event, and no half one, %i bytes a read', async (size) => {
    expect(await gather(readSse(stream('data: {"a":1}\n\ndata: [DONE]', size)))).toEqual(['{"a":1}', '[DONE]']);
    expect(await gather(readSse(stream('data: {"a":1}\n\ndata: {"a":', size)))).toEqual(['{"a":1}']);
  });

  it('makes an error of an event of that name', async () => {
    expect(await gather(readSse(stream('event: error\ndata: {"message":"no"}\n\n', 9)))).toEqual([
      '{"error":{"message":"no"}}',
    ]);
    expect(await gather(readSse(stream('event: error\ndata: out of memory\n\n', 9)))).toEqual([
      '{"error":"out of memory"}',
    ]);
  });

  it('gives what came in one read in one batch', async () => {
    const batches: string[][] = [];
    for await (const batch of readSse(stream('data: 1\n\ndata: 2\n\ndata: 3\n\n', 1000))) batches.push(batch);
    expect(batches).toEqual([['1', '2', '3']]);
  });
});

describe('readNdjson', () => {
  it.each(sizes)('reads lines, blank ones left out, %i bytes a read', async (size) => {
    expect(await gather(readNdjson(stream('{"a":"ä"}\r\n\n  \n{"b":2}\n{"c":3}', size)))).toEqual([
      '{"a":"ä"}',
      '{"b":2}',
      '{"c":3}',
    ]);
    expect(await gather(readNdjson(stream('{"a":1}\n{"b":', size)))).toEqual(['{"a":1}']);
  });
});
