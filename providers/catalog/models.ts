/**
 * What is known of hosted models: window, longest answer, abilities, price. Data, from the vendors' public model and
 * price pages as of July 2026; what a server says of itself always wins over it, and what is not here is unknown.
 */

/**
 * Id · window · longest answer, in tokens · abilities (t tools, v vision, r reasoning) · US dollars per million tokens
 * of input, output, cache reads, cache writes · dearer steps for long prompts: tokens above which they hold, input,
 * output, cache reads.
 */
export type CatalogRow = readonly [
  id: string,
  contextTokens: number,
  outputTokens: number,
  abilities: string,
  input: number,
  output: number,
  cacheRead?: number | null,
  cacheWrite?: number | null,
  steps?: readonly (readonly [above: number, input: number, output: number, cacheRead?: number])[],
];

/** By vendor: the same weights cost differently elsewhere. */
export const catalog: Readonly<Record<string, readonly CatalogRow[]>> = {
  anthropic: [
    ['claude-sonnet-5', 1_000_000, 128_000, 'tvr', 2, 10, 0.2, 2.5],
    ['claude-fable-5', 1_000_000, 128_000, 'tvr', 10, 50, 1, 12.5],
    ['claude-opus-4-8', 1_000_000, 128_000, 'tvr', 5, 25, 0.5, 6.25],
    ['claude-opus-4-7', 1_000_000, 128_000, 'tvr', 5, 25, 0.5, 6.25],
    ['claude-opus-4-6', 1_000_000, 128_000, 'tvr', 5, 25, 0.5, 6.25],
    ['claude-opus-4-5', 200_000, 64_000, 'tvr', 5, 25, 0.5, 6.25],
    ['claude-opus-4-1', 200_000, 32_000, 'tvr', 15, 75, 1.5, 18.75],
    ['claude-sonnet-4-6', 1_000_000, 64_000, 'tvr', 3, 15, 0.3, 3.75],
    ['claude-sonnet-4-5', 200_000, 64_000, 'tvr', 3, 15, 0.3, 3.75],
    ['claude-haiku-4-5', 200_000, 64_000, 'tvr', 1, 5, 0.1, 1.25],
  ],
  openai: [
    ['gpt-5.5', 1_050_000, 128_000, 'tvr', 5, 30, 0.5, null, [[272_000, 10, 45, 1]]],
    ['gpt-5.4', 1_050_000, 128_000, 'tvr', 2.5, 15, 0.25, null, [[272_000, 5, 22.5, 0.5]]],
    ['gpt-5.4-mini', 400_000, 128_000, 'tvr', 0.75, 4.5, 0.075],
    ['gpt-5.4-nano', 400_000, 128_000, 'tvr', 0.2, 1.25, 0.02],
    ['gpt-5.3-codex', 400_000, 128_000, 'tvr', 1.75, 14, 0.175],
    ['gpt-5.2', 400_000, 128_000, 'tvr', 1.75, 14, 0.175],
    ['gpt-5.2-codex', 400_000, 128_000, 'tvr', 1.75, 14, 0.175],
    ['gpt-5.1', 400_000, 128_000, 'tvr', 1.25, 10, 0.125],
    ['gpt-5.1-codex', 400_000, 128_000, 'tvr', 1.25, 10, 0.125],
    ['gpt-5.1-codex-mini', 400_000, 128_000, 'tvr', 0.25, 2, 0.025],
    ['gpt-5.1-codex-max', 400_000, 128_000, 'tvr', 1.25, 10, 0.125],
    ['gpt-5', 400_000, 128_000, 'tvr', 1.25, 10, 0.125],
    ['gpt-5-mini', 400_000, 128_000, 'tvr', 0.25, 2, 0.025],
    ['gpt-5-nano', 400_000, 128_000, 'tvr', 0.05, 0.4, 0.005],
    ['gpt-5-codex', 400_000, 128_000, 'tvr', 1.25, 10, 0.125],
    ['gpt-4.1', 1_047_576, 32_768, 'tv', 2, 8, 0.5],
    ['gpt-4.1-mini', 1_047_576, 32_768, 'tv', 0.4, 1.6, 0.1],
    ['gpt-4.1-nano', 1_047_576, 32_768, 'tv', 0.1, 0.4, 0.025],
    ['gpt-4o', 128_000, 16_384, 'tv', 2.5, 10, 1.25],
    ['gpt-4o-mini', 128_000, 16_384, 'tv', 0.15, 0.6, 0.075],
    ['o1', 200_000, 100_000, 'tvr', 15, 60, 7.5],
    ['o3', 200_000, 100_000, 'tvr', 2, 8, 0.5],
    ['o3-mini', 200_000, 100_000, 'tr', 1.1, 4.4, 0.55],
    ['o4-mini', 200_000, 100_000, 'tvr', 1.1, 4.4, 0.275],
  ],
  gemini: [
    ['gemini-3.5-flash', 1_048_576, 65_536, 'tvr', 1.5, 9, 0.15],
    ['gemini-3.1-pro-preview', 1_048_576, 65_536, 'tvr', 2, 12, 0.2, null, [[200_000, 4, 18, 0.4]]],
    ['gemini-3.1-flash-lite', 1_048_576, 65_536, 'tvr', 0.25, 1.5, 0.025],
    ['gemini-3-flash-preview', 1_048_576, 65_536, 'tvr', 0.5, 3, 0.05],
    ['gemini-2.5-pro', 1_048_576, 65_536, 'tvr', 1.25, 10, 0.125, null, [[200_000, 2.5, 15, 0.25]]],
    ['gemini-2.5-flash', 1_048_576, 65_536, 'tvr', 0.3, 2.5, 0.03],
    ['gemini-2.5-flash-lite', 1_048_576, 65_536, 'tvr', 0.1, 0.4, 0.01],
  ],
  mistral: [
    ['mistral-large-latest', 262_144, 262_144, 'tv', 0.5, 1.5],
    ['mistral-large-2512', 262_144, 262_144, 'tv', 0.5, 1.5],
    ['mistral-medium-latest', 262_144, 262_144, 'tv', 0.4, 2],
    ['mistral-medium-2508', 262_144, 262_144, 'tv', 0.4, 2],
    ['mistral-small-latest', 256_000, 256_000, 'tvr', 0.15, 0.6],
    ['mistral-small-2603', 256_000, 256_000, 'tvr', 0.15, 0.6],
    ['codestral-latest', 256_000, 4_096, 't', 0.3, 0.9],
  ],
  deepseek: [
    ['deepseek-v4-pro', 1_000_000, 384_000, 'tr', 0.435, 0.87, 0.003625],
    ['deepseek-v4-flash', 1_000_000, 384_000, 'tr', 0.14, 0.28, 0.0028],
    ['deepseek-chat', 1_000_000, 384_000, 't', 0.14, 0.28, 0.0028],
    ['deepseek-reasoner', 1_000_000, 384_000, 'tr', 0.14, 0.28, 0.0028],
  ],
  xai: [
    ['grok-4.3', 1_000_000, 30_000, 'tvr', 1.25, 2.5, 0.2, null, [[200_000, 2.5, 5, 0.4]]],
    ['grok-build-0.1', 256_000, 256_000, 'tvr', 1, 2, 0.2, null, [[200_000, 2, 4, 0.4]]],
  ],
  groq: [
    ['openai/gpt-oss-120b', 131_072, 65_536, 'tr', 0.15, 0.6, 0.075],
    ['openai/gpt-oss-20b', 131_072, 65_536, 'tr', 0.075, 0.3, 0.0375],
    ['llama-3.3-70b-versatile', 131_072, 32_768, 't', 0.59, 0.79],
    ['llama-3.1-8b-instant', 131_072, 131_072, 't', 0.05, 0.08],
  ],
  together: [
    ['openai/gpt-oss-120b', 131_072, 131_072, 'tr', 0.15, 0.6],
    ['openai/gpt-oss-20b', 131_072, 131_072, 'tr', 0.05, 0.2],
    ['meta-llama/Llama-3.3-70B-Instruct-Turbo', 131_072, 131_072, 't', 0.88, 0.88],
  ],
  dashscope: [
    ['qwen3-coder-plus', 1_048_576, 65_536, 't', 1, 5],
    ['qwen3-coder-flash', 1_000_000, 65_536, 't', 0.3, 1.5],
    ['qwen3-max', 262_144, 65_536, 't', 1.2, 6],
    ['qwen-plus', 1_000_000, 32_768, 'tr', 0.4, 1.2],
    ['qwen-flash', 1_000_000, 32_768, 'tr', 0.05, 0.4],
  ],
  cloudflare: [
    ['@cf/openai/gpt-oss-120b', 128_000, 16_384, 'tr', 0.35, 0.75],
    ['@cf/openai/gpt-oss-20b', 128_000, 16_384, 'tr', 0.2, 0.3],
  ],
  openrouter: [['anthropic/claude-sonnet-5', 1_000_000, 128_000, 'tvr', 2, 10, 0.2, 2.5]],
};
