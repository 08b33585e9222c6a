/** The vendors that ada knows by name: one row each, from the vendors' public documentation. */
import type { OpenAIChatQuirks } from './backends/openai-chat.ts';

export type VendorWire = 'ollama' | 'openai-chat' | 'anthropic';

/** One vendor. A vendor that speaks a known wire format is one of these rows and nothing else. */
export interface VendorRow {
  /** First segment of an explicit model id, and the name of its backend. */
  id: string;
  /** How a person knows it. */
  title: string;
  wire: VendorWire;
  /** Default base URL; `{NAME}` is filled from the variable NAME. Null: only where the base URL variable is set. */
  baseUrl: string | null;
  baseUrlVariable: string;
  /** Variable that holds the key; null where there are no keys. */
  keyVariable: string | null;
  /** True where requests are served without a key. */
  keyOptional?: boolean;
  /** True when it is a server that a person runs on the own machine. */
  local: boolean;
  /** Matches the bare model ids that are this vendor's. */
  prefix?: RegExp;
  /** Model that is asked for when nobody named one; null: the first that it lists. */
  defaultModel: string | null;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  quirks?: OpenAIChatQuirks;
}

/** In the order in which hosted vendors are tried when no model is named. */
export const vendors: readonly VendorRow[] = [
  {
    id: 'ollama',
    title: 'Ollama',
    wire: 'ollama',
    baseUrl: 'http://127.0.0.1:11434',
    baseUrlVariable: 'OLLAMA_HOST',
    keyVariable: 'OLLAMA_API_KEY',
    keyOptional: true,
    local: true,
    defaultModel: null,
  },
  {
    id: 'lmstudio',
    title: 'LM Studio',
    wire: 'openai-chat',
    baseUrl: 'http://127.0.0.1:1234/v1',
    baseUrlVariable: 'LMSTUDIO_BASE_URL',
    keyVariable: 'LMSTUDIO_API_KEY',
    keyOptional: true,
    local: true,
    defaultModel: null,
    quirks: { effort: 'none' },
  },
  {
    id: 'llamacpp',
    title: 'llama.cpp server',
    wire: 'openai-chat',
    baseUrl: 'http://127.0.0.1:8080/v1',
    baseUrlVariable: 'LLAMACPP_BASE_URL',
    keyVariable: 'LLAMACPP_API_KEY',
    keyOptional: true,
    local: true,
    defaultModel: null,
    quirks: { effort: 'none' },
  },
  {
    id: 'vllm',
    title: 'vLLM',
    wire: 'openai-chat',
    baseUrl: 'http://127.0.0.1:8000/v1',
    baseUrlVariable: 'VLLM_BASE_URL',
    keyVariable: 'VLLM_API_KEY',
    keyOptional: true,
    local: true,
    defaultModel: null,
  },
  {
    id: 'remote',
    title: 'remote ada backend',
    wire: 'openai-chat',
    baseUrl: null,
    baseUrlVariable: 'ADA_BACKEND_URL',
    keyVariable: 'ADA_CLIENT_KEY',
    // `ada backend` without client keys is in development mode.
    keyOptional: true,
    local: false,
    defaultModel: null,
  },
  {
    id: 'openai',
    title: 'OpenAI',
    wire: 'openai-chat',
    baseUrl: 'https://api.openai.com/v1',
    baseUrlVariable: 'OPENAI_BASE_URL',
    keyVariable: 'OPENAI_API_KEY',
    local: false,
    prefix: /^(gpt|chatgpt|o\d)/i,
    defaultModel: 'gpt-5.2',
    quirks: { maxTokensField: 'max_completion_tokens' },
  },
  {
    id: 'anthropic',
    title: 'Anthropic',
    wire: 'anthropic',
    // The SDK adds /v1 itself.
    baseUrl: 'https://api.anthropic.com',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    keyVariable: 'ANTHROPIC_API_KEY',
    local: false,
    prefix: /^claude/i,
    defaultModel: 'claude-sonnet-5',
  },
  {
    id: 'openrouter',
    title: 'OpenRouter',
    wire: 'openai-chat',
    baseUrl: 'https://openrouter.ai/api/v1',
    baseUrlVariable: 'OPENROUTER_BASE_URL',
    keyVariable: 'OPENROUTER_API_KEY',
    local: false,
    defaultModel: 'anthropic/claude-sonnet-5',
    quirks: { effort: 'reasoning', cacheControl: true },
  },
  {
    id: 'mistral',
    title: 'Mistral',
    wire: 'openai-chat',
    baseUrl: 'https://api.mistral.ai/v1',
    baseUrlVariable: 'MISTRAL_BASE_URL',
    keyVariable: 'MISTRAL_API_KEY',
    local: false,
    prefix: /^(mistral|codestral)/i,
    defaultModel: 'mistral-medium-latest',
    // Usage comes without being asked for; fields that it does not know are an error.
    quirks: { callIds: 'nine', streamUsage: false, effort: 'none', assistantAfterResults: true },
  },
  {
    id: 'deepseek',
    title: 'DeepSeek',
    wire: 'openai-chat',
    baseUrl: 'https://api.deepseek.com/v1',
    baseUrlVariable: 'DEEPSEEK_BASE_URL',
    keyVariable: 'DEEPSEEK_API_KEY',
    local: false,
    prefix: /^deepseek/i,
    defaultModel: 'deepseek-v4-flash',
    quirks: { reasoningBack: 'reasoning_content', noJsonSchema: true },
  },
  {
    id: 'xai',
    title: 'xAI',
    wire: 'openai-chat',
    baseUrl: 'https://api.x.ai/v1',
    baseUrlVariable: 'XAI_BASE_URL',
    keyVariable: 'XAI_API_KEY',
    local: false,
    prefix: /^grok/i,
    defaultModel: 'grok-4.3',
    // Most of its reasoning models refuse `reasoning_effort`.
    quirks: { effort: 'none' },
  },
  {
    id: 'groq',
    title: 'Groq',
    wire: 'openai-chat',
    baseUrl: 'https://api.groq.com/openai/v1',
    baseUrlVariable: 'GROQ_BASE_URL',
    keyVariable: 'GROQ_API_KEY',
    local: false,
    defaultModel: 'openai/gpt-oss-120b',
  },
  {
    id: 'together',
    title: 'Together AI',
    wire: 'openai-chat',
    baseUrl: 'https://api.together.xyz/v1',
    baseUrlVariable: 'TOGETHER_BASE_URL',
    keyVariable: 'TOGETHER_API_KEY',
    local: false,
    defaultModel: 'openai/gpt-oss-120b',
  },
  {
    id: 'gemini',
    title: 'Google Gemini',
    wire: 'openai-chat',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    baseUrlVariable: 'GEMINI_BASE_URL',
    keyVariable: 'GEMINI_API_KEY',
    local: false,
    prefix: /^(gemini|gemma)/i,
    defaultModel: 'gemini-3.5-flash',
  },
  {
    id: 'dashscope',
    title: 'Alibaba Model Studio (Qwen)',
    wire: 'openai-chat',
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    baseUrlVariable: 'DASHSCOPE_BASE_URL',
    keyVariable: 'DASHSCOPE_API_KEY',
    local: false,
    prefix: /^(qwen|qwq)/i,
    defaultModel: 'qwen3-coder-plus',
    quirks: { effort: 'enable_thinking' },
  },
  {
    id: 'cloudflare',
    title: 'Cloudflare Workers AI',
    wire: 'openai-chat',
    baseUrl: 'https://api.cloudflare.com/client/v4/accounts/{CLOUDFLARE_ACCOUNT_ID}/ai/v1',
    baseUrlVariable: 'CLOUDFLARE_BASE_URL',
    keyVariable: 'CLOUDFLARE_API_KEY',
    local: false,
    prefix: /^@cf\//i,
    defaultModel: '@cf/openai/gpt-oss-120b',
  },
];

export const findVendor = (id: string, rows: readonly VendorRow[] = vendors): VendorRow | undefined =>
  rows.find((row) => row.id === id);

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Where the vendor is reached: its base URL variable, else `<ID>_BASE_URL`, else its own address; null when a needed
 * variable is not set.
 */
export function vendorBaseUrl(row: VendorRow, variables: Variables): string | null {
  const set = variables[row.baseUrlVariable]?.trim();
  if (set) return set;
  if (row.baseUrl === null) return null;
  const named = variables[`${variableStem(row.id)}_BASE_URL`]?.trim();
  if (named) return named;
  let whole = true;
  const url = row.baseUrl.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = variables[name]?.trim();
    if (!value) whole = false;
    return encodeURIComponent(value ?? '');
  });
  return whole ? url : null;
}

/** What the names of a vendor's variables begin with: `my-box` has `MY_BOX_API_KEY` and `MY_BOX_BASE_URL`. */
export const variableStem = (id: string): string => id.toUpperCase().replace(/[^A-Z0-9]/g, '_');

/** The key that the variables hold for the vendor; undefined when there is none. */
export function vendorKey(row: VendorRow, variables: Variables): string | undefined {
  const key = row.keyVariable === null ? undefined : variables[row.keyVariable]?.trim();
  return key || undefined;
}

/** True when the vendor can be asked: it has an address, and a key where it wants one. */
export function isConfigured(row: VendorRow, variables: Variables): boolean {
  return (
    vendorBaseUrl(row, variables) !== null && (row.keyOptional === true || vendorKey(row, variables) !== undefined)
  );
}

/** True for a URL on this machine, with or without its scheme. */
export function isLoopback(url: string): boolean {
  try {
    const { hostname } = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`);
    return (
      hostname === 'localhost' ||
      hostname.endsWith('.localhost') ||
      hostname === '[::1]' ||
      /^127(\.\d+){3}$/.test(hostname)
    );
  } catch {
    return false;
  }
}
