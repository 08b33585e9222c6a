import { describe, expect, it } from 'vitest';
import { cacheBytesPerToken, chooseWindow, memoryOf, servedWindow } from '../../../providers/backends/ollama/window.ts';

const GIB = 2 ** 30;
/** Facts of an 8B model with grouped queries, as /api/show gives them. */
const info = {
  'general.architecture': 'llama',
  'llama.block_count': 32,
  'llama.embedding_length': 4096,
  'llama.attention.head_count': 32,
  'llama.attention.head_count_kv': 8,
};
const model = { contextTokens: 131_072, size: 4.9e9, info };

describe('cacheBytesPerToken', () => {
  it('follows from layers, heads and their width', () => {
    expect(cacheBytesPerToken(info)).toBe(131_072);
    expect(
      cacheBytesPerToken({ ...info, 'llama.attention.key_length': 256, 'llama.attention.value_length': 256 }),
    ).toBe(262_144);
    expect(cacheBytesPerToken({ ...info, 'llama.attention.head_count_kv': [8, 0, 8, 0] })).toBe(65_536);
  });

  it('is unknown where facts are missing', () => {
    expect(cacheBytesPerToken({})).toBeNull();
    expect(cacheBytesPerToken({ ...info, 'llama.block_count': undefined })).toBeNull();
  });
});

describe('chooseWindow', () => {
  it.each([
    [8, 8_192],
    [16, 32_768],
    [32, 131_072],
  ])('takes what %d GiB bear', (memory, window) => {
    expect(chooseWindow(model, memory * GIB)).toBe(window);
  });

  it('is never larger than the model was made for, nor smaller than agents need where the model allows it', () => {
    expect(chooseWindow({ ...model, contextTokens: 40_960 }, 64 * GIB)).toBe(32_768);
    expect(chooseWindow({ ...model, contextTokens: 4_096 }, 64 * GIB)).toBe(4_096);
    expect(chooseWindow({ ...model, size: 40e9 }, 8 * GIB)).toBe(8_192);
  });

  it('does as it is told', () => {
    expect(chooseWindow(model, 8 * GIB, 65_536)).toBe(65_536);
    expect(chooseWindow({ ...model, contextTokens: 32_768 }, 8 * GIB, 65_536)).toBe(32_768);
  });

  it('knows the size of the weights from their number and form', () => {
    const facts = { ...info, 'general.parameter_count': 8.03e9 };
    const small = { contextTokens: 131_072, size: null, info: facts, quantization: 'Q4_K_M' };
    expect(chooseWindow(small, 16 * GIB)).toBe(32_768);
    expect(chooseWindow({ ...small, quantization: 'F16' }, 16 * GIB)).toBe(8_192);
    expect(chooseWindow({ ...small, quantization: 'MXFP4' }, 16 * GIB)).toBe(32_768);
  });

  it('goes by the memory alone where the model tells nothing', () => {
    const unknown = { contextTokens: 131_072, size: null, info: {} };
    expect([8, 16, 32].map((memory) => chooseWindow(unknown, memory * GIB))).toEqual([8_192, 16_384, 32_768]);
    expect(chooseWindow({ ...unknown, contextTokens: null }, 64 * GIB)).toBe(8_192);
  });
});

describe('servedWindow', () => {
  it.each<[string, object, number, number | undefined, number, RegExp]>([
    [
      'memory',
      {},
      16,
      undefined,
      32_768,
      /^4\.9 GB of weights and 4\.3 GB of cache fit 70 % of 17\.2 GB of memory, more/,
    ],
    ['the model', { contextTokens: 8_192 }, 64, undefined, 8_192, /all that the model was made for/],
    ['a setting', {}, 8, 65_536, 65_536, /ollama\.contextTokens/],
    [
      'a setting that is too large',
      { contextTokens: 32_768 },
      8,
      65_536,
      32_768,
      /made for; the setting asks for more/,
    ],
    ['the least', { size: 40e9 }, 8, undefined, 8_192, /the least for an agent/],
    ['nothing known', { info: {} }, 16, undefined, 16_384, /does not tell what its cache takes/],
  ])('says what decided: %s', (_, change, gib, wished, tokens, reason) => {
    const served = servedWindow({ ...model, ...change }, gib * GIB, wished);
    expect(served.tokens).toBe(tokens);
    expect(served.reason).toMatch(reason);
  });
});

it('memoryOf counts weights and the cache of a small window', () => {
  expect(memoryOf(model)).toBe(4.9e9 + 8_192 * 131_072 + GIB / 2);
  expect(memoryOf({ ...model, size: null })).toBeNull();
});

describe('a model of another machine', () => {
  it('is served as it is loaded there, else as it was made, up to what common machines bear', () => {
    expect(servedWindow({ ...model, loadedTokens: 65_536 }, null)).toMatchObject({ tokens: 65_536 });
    expect(servedWindow({ ...model, contextTokens: null, loadedTokens: 65_536 }, null).tokens).toBe(65_536);
    expect(servedWindow({ ...model, loadedTokens: 2_048 }, null).tokens).toBe(32_768);
    expect(servedWindow(model, null).reason).toMatch(/memory of its server is not known/);
    expect(servedWindow({ ...model, contextTokens: 16_384 }, null)).toEqual({
      tokens: 16_384,
      reason: 'all that the model was made for',
    });
    expect(servedWindow(model, null, 131_072).tokens).toBe(131_072);
  });

  it('is not held in any memory where it is only passed on', () => {
    expect(servedWindow({ ...model, cloud: true }, 8 * GIB).tokens).toBe(131_072);
  });
});

describe('num_ctx of a Modelfile', () => {
  it('stands where no setting does, up to what the model was made for', () => {
    expect(servedWindow({ ...model, numCtx: 12_345 }, 64 * GIB)).toMatchObject({
      tokens: 12_345,
      reason: expect.stringContaining('PARAMETER num_ctx'),
    });
    expect(servedWindow({ ...model, contextTokens: 8_192, numCtx: 32_768 }, 64 * GIB).tokens).toBe(8_192);
    expect(servedWindow({ ...model, numCtx: 12_345 }, 64 * GIB, 16_384).tokens).toBe(16_384);
  });
});

it('facts that are nonsense are unknown', () => {
  for (const nonsense of [-1, 0, Number.POSITIVE_INFINITY, 'many', ['a', null], [], null])
    expect(cacheBytesPerToken({ ...info, 'llama.block_count': nonsense })).toBeNull();
});
