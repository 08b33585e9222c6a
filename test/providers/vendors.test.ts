import { expect, test } from 'vitest';
import { customVendor } from '../../providers/custom-vendor.ts';
import { findVendor, isConfigured, isLoopback, vendorBaseUrl, vendorKey, vendors } from '../../providers/vendors.ts';

test('every row is whole and no two clash', () => {
  for (const field of ['id', 'baseUrlVariable', 'keyVariable'] as const)
    expect(new Set(vendors.map((row) => row[field])).size).toBe(vendors.length);
  for (const row of vendors) {
    expect(row.id).toMatch(/^[a-z]+$/);
    expect(row.baseUrl === null || /^https?:\/\/\S+[^/]$/.test(row.baseUrl)).toBe(true);
    expect(row.local && row.baseUrl !== null).toBe(row.baseUrl !== null && isLoopback(row.baseUrl));
    // A hosted vendor can be a default choice; a server of one's own lists its models.
    expect(row.defaultModel === null).toBe(row.local || row.id === 'remote');
  }
});

test('base URLs come from the variable, else from the row', () => {
  const openai = findVendor('openai')!;
  expect(vendorBaseUrl(openai, {})).toBe('https://api.openai.com/v1');
  expect(vendorBaseUrl(openai, { OPENAI_BASE_URL: ' http://127.0.0.1:1/v1 ' })).toBe('http://127.0.0.1:1/v1');
  expect(vendorBaseUrl(findVendor('remote')!, {})).toBe(null);
  expect(vendorBaseUrl(findVendor('ollama')!, { OLLAMA_HOST: 'box:1' })).toBe('box:1');
});

test('an address with an account needs the account', () => {
  const cloudflare = findVendor('cloudflare')!;
  expect(vendorBaseUrl(cloudflare, {})).toBe(null);
  expect(vendorBaseUrl(cloudflare, { CLOUDFLARE_ACCOUNT_ID: 'abc' })).toContain('/accounts/abc/ai/v1');
  expect(isConfigured(cloudflare, { CLOUDFLARE_API_KEY: 'k' })).toBe(false);
});

test('hosted vendors want a key, local servers none', () => {
  expect(vendorKey(findVendor('groq')!, { GROQ_API_KEY: ' k ' })).toBe('k');
  expect(vendorKey(findVendor('groq')!, { GROQ_API_KEY: ' ' })).toBeUndefined();
  expect(isConfigured(findVendor('groq')!, {})).toBe(false);
  expect(isConfigured(findVendor('groq')!, { GROQ_API_KEY: 'k' })).toBe(true);
  expect(isConfigured(findVendor('ollama')!, {})).toBe(true);
  expect(isConfigured(findVendor('remote')!, {})).toBe(false);
  expect(isConfigured(findVendor('remote')!, { ADA_BACKEND_URL: 'http://x' })).toBe(true);
});

test.each([
  ['http://127.0.0.1:8080/v1', true],
  ['http://localhost', true],
  ['http://[::1]:1', true],
  ['http://127.example.com', false],
  ['https://localhost.example.com', false],
  ['http://10.0.0.1', false],
  ['no url', false],
])('%s is loopback: %s', (url, expected) => {
  expect(isLoopback(url)).toBe(expected);
});

test('every row has its <ID>_BASE_URL', () => {
  expect(vendorBaseUrl(findVendor('ollama')!, { OLLAMA_BASE_URL: 'http://box:1' })).toBe('http://box:1');
  expect(vendorBaseUrl(findVendor('ollama')!, { OLLAMA_HOST: 'a:1', OLLAMA_BASE_URL: 'http://b:1' })).toBe('a:1');
  for (const row of vendors.filter(({ id, baseUrl }) => id !== 'remote' && baseUrl !== null))
    expect(vendorBaseUrl(row, { [`${row.id.toUpperCase()}_BASE_URL`]: 'http://x' })).toBe('http://x');
});

test('an address without a scheme is one of this machine all the same', () => {
  expect(isLoopback('localhost:1234')).toBe(true);
  expect(isLoopback('127.0.0.1')).toBe(true);
  expect(isLoopback('example.com:1234')).toBe(false);
});

test('a described vendor is a whole row', () => {
  expect(customVendor('my-box', { baseUrl: 'http://127.0.0.1:1/v1/' })).toEqual({
    id: 'my-box',
    title: 'my-box',
    wire: 'openai-chat',
    baseUrl: 'http://127.0.0.1:1/v1',
    baseUrlVariable: 'MY_BOX_BASE_URL',
    keyVariable: 'MY_BOX_API_KEY',
    keyOptional: true,
    local: true,
    defaultModel: null,
  });
  const far = { baseUrl: 'https://x.example.com', keyVariable: 'K', title: 'X', defaultModel: 'm' };
  expect(customVendor('x', far)).toMatchObject({ local: false, keyVariable: 'K', keyOptional: false, title: 'X' });
});
