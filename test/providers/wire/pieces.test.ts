/** The small pure parts that the wire formats share. */
import { describe, expect, it } from 'vitest';
import { StreamError } from '../../../providers/errors.ts';
import type { IRStreamChunk, IRWarning, JsonSchema } from '../../../providers/ir.ts';
import { parseArguments } from '../../../providers/wire/arguments.ts';
import { type CallIdForm, createIdMapper, makeCallId } from '../../../providers/wire/call-id.ts';
import { collect } from '../../../providers/wire/collect.ts';
import { sameModel } from '../../../providers/wire/facts.ts';
import { resultText } from '../../../providers/wire/media.ts';
import { createProxyLookup, proxyFromEnvironment } from '../../../providers/wire/proxy.ts';
import { toolParameters } from '../../../providers/wire/schema.ts';
import { ownThinking } from '../../../providers/wire/thinking.ts';

describe('parseArguments', () => {
  it.each([
    ['', {}],
    ['  ', {}],
    ['null', {}],
    ['{"a":1}', { a: 1 }],
    ['"{\\"a\\":1}"', { a: 1 }],
  ])('%j is good', (raw, input) => expect(parseArguments(raw)).toEqual({ input }));

  it.each(['{"a":', '[]', '1', '"a"', '{a:1}', '{"a":1}}', '{"a":1}{"b":2}'])('%j is not', (raw) => {
    expect(parseArguments(raw).invalid).toBeTruthy();
    expect(parseArguments(raw).input).toEqual({});
  });

  it('does not take nothing for no arguments when the message was cut', () => {
    expect(parseArguments('', true).invalid).toContain('cut off');
  });
});

describe('createIdMapper', () => {
  it.each(['any', 'short', 'word', 'nine'] as const)(
    'maps to the form %s, one to one, always alike',
    (form: CallIdForm) => {
      const ids = [
        'call_1',
        'functions.bash:0',
        'functions_bash_0',
        'x'.repeat(80),
        'x'.repeat(81),
        'abcdefgh9',
        'ä b',
      ];
      const map = createIdMapper(form);
      const mapped = ids.map(map);
      expect(new Set(mapped).size).toBe(ids.length);
      expect(ids.map(map)).toEqual(mapped);
      expect(ids.slice(0, 3).map(createIdMapper(form))).toEqual(mapped.slice(0, 3));
      const shapes = { any: /./, short: /^.{1,40}$/, word: /^[\w-]{1,64}$/, nine: /^[A-Za-z0-9]{9}$/ };
      for (const id of mapped) expect(id).toMatch(shapes[form]);
    },
  );

  it('leaves ids that fit', () => expect(createIdMapper('nine')('abcdefgh9')).toBe('abcdefgh9'));

  it('makes ids that differ', () => expect(new Set(Array.from({ length: 500 }, makeCallId)).size).toBe(500));
});

describe('collect', () => {
  const metadata = { requestId: 'r', timestamp: 0 };
  async function* stream(...chunks: object[]): AsyncGenerator<IRStreamChunk> {
    yield* chunks.map((chunk, sequence) => ({ sequence, ...chunk })) as IRStreamChunk[];
  }

  it('forgets what a retry discards', async () => {
    const response = await collect(
      stream(
        { type: 'start', metadata },
        { type: 'content', delta: 'half an ans' },
        { type: 'retry', reason: 'cut', attempt: 2, delayMs: 0, discard: true },
        { type: 'content', delta: 'whole' },
        { type: 'content', delta: ' answer' },
        { type: 'done', finishReason: 'stop', metadata },
      ),
    );
    expect(response.message.content).toEqual([{ type: 'text', text: 'whole answer' }]);
  });

  it('keeps blocks of reasoning apart, with signature and owner', async () => {
    const response = await collect(
      stream(
        { type: 'reasoning', delta: 'a', index: 0 },
        { type: 'reasoning', delta: 'b', index: 0 },
        { type: 'reasoning', delta: '', index: 0, signature: 'S' },
        { type: 'reasoning', delta: '', index: 1, signature: 'R', redacted: true },
        { type: 'done', finishReason: 'stop', metadata: { ...metadata, provenance: { servedModel: 'm' } } },
      ),
    );
    expect(response.message.content).toEqual([
      { type: 'reasoning', text: 'ab', signature: 'S', model: 'm' },
      { type: 'reasoning', text: '', signature: 'R', redacted: true, model: 'm' },
    ]);
  });

  it('throws what the stream ends with, or that it does not end', async () => {
    const error = new StreamError({ message: 'x' });
    await expect(collect(stream({ type: 'error', error }))).rejects.toBe(error);
    await expect(collect(stream({ type: 'content', delta: 'x' }))).rejects.toMatchObject({ code: 'STREAM_TRUNCATED' });
  });
});

describe('sameModel', () => {
  it.each([
    ['claude-x-4', 'claude-x-4-20250929', true],
    ['gpt-x', 'gpt-x-2025-08-07', true],
    ['qwen3', 'qwen3:latest', true],
    ['qwen3:8b', 'qwen3:14b', false],
    ['a', 'b', false],
  ])('%s, %s: %s', (a, b, same) => expect(sameModel(a, b)).toBe(same));
});

describe('resultText', () => {
  const result = (text: string, isError = false) =>
    resultText({ type: 'tool_result', toolUseId: '1', content: [{ type: 'text', text }], isError }, () => false);
  it('says what failed and what was empty', () => {
    expect(result('fine')).toBe('fine');
    expect(result('no such file', true)).toBe('Error: no such file');
    expect(result('error: no such file', true)).toBe('error: no such file');
    expect(result(' ')).toBe('(no output)');
  });
});

describe('ownThinking', () => {
  it('gives back what belongs to the model, and warns once of the rest', () => {
    const warnings: IRWarning[] = [];
    const parts = ['a', 'b', 'b'].map((model) => ({ type: 'reasoning', text: model, model }) as const);
    expect(ownThinking(parts, 'a', warnings, () => true)).toEqual([parts[0]]);
    expect(ownThinking(parts, 'a', warnings, () => false)).toEqual([]);
    expect(warnings).toHaveLength(1);
  });
});

describe('proxies', () => {
  const lookup = createProxyLookup({
    httpsProxy: 'http://proxy.test:3128',
    noProxy: 'internal.test, .corp.test,10.0.0.1:8443, *.wild.test',
  });
  it.each([
    ['https://api.vendor.test/', 'http://proxy.test:3128'],
    ['http://api.vendor.test/', undefined],
    ['https://internal.test/', undefined],
    ['https://a.internal.test/', undefined],
    ['https://notinternal.test/', 'http://proxy.test:3128'],
    ['https://x.corp.test/', undefined],
    ['https://10.0.0.1:8443/', undefined],
    ['https://10.0.0.1/', 'http://proxy.test:3128'],
    ['https://a.wild.test/', undefined],
  ])('%s by %s', (url, proxy) => expect(lookup(new URL(url))).toBe(proxy));

  it('goes direct everywhere for *', () => {
    expect(createProxyLookup({ httpsProxy: 'proxy.test:1', noProxy: '*' })(new URL('https://a.test'))).toBeUndefined();
  });

  it('adds the scheme, prefers lower-case names, refuses what it cannot do', () => {
    const env = { HTTPS_PROXY: 'http://upper.test', https_proxy: 'lower.test:8080' };
    expect(proxyFromEnvironment(env)(new URL('https://a.test'))).toBe('http://lower.test:8080');
    expect(() => createProxyLookup({ allProxy: 'socks5://u:secret@h:1' })).toThrow(/socks5:\/\/h:1/);
  });
});

describe('toolParameters', () => {
  const adapt = (parameters: JsonSchema) => {
    const warnings: IRWarning[] = [];
    return { schema: toolParameters({ name: 't', parameters }, warnings), warnings };
  };
  it('returns a usual schema itself', () => {
    const schema = { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } };
    expect(adapt(schema)).toEqual({ schema, warnings: [] });
    expect(adapt(schema).schema).toBe(schema);
  });

  it('makes an object of nothing', () => {
    expect(adapt({})).toEqual({ schema: { type: 'object', properties: {} }, warnings: [] });
  });

  it('merges alternatives and follows references at the top', () => {
    const { schema, warnings } = adapt({
      $ref: '#/$defs/root',
      $defs: {
        root: { anyOf: [{ $ref: '#/$defs/one' }, { properties: { b: {}, c: {} }, required: ['b', 'c'] }] },
        one: { type: 'object', properties: { a: {}, b: {} }, required: ['b'] },
      },
    });
    expect(schema).toMatchObject({ type: 'object', properties: { a: {}, b: {}, c: {} }, required: ['b'] });
    expect(schema.anyOf).toBeUndefined();
    expect(warnings).toHaveLength(1);
  });
});
