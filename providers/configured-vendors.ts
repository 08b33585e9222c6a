/** The vendors of the table, and those that a person described, as they can be reached from here. */
import type { BackendAdapter, ModelInfo } from './adapter.ts';
import type { Transport, TransportOptions } from './transport.ts';
import { findVendor, isConfigured, isLoopback, type VendorRow, vendorBaseUrl, vendorKey, vendors } from './vendors.ts';
import type { CapabilitiesOf } from './wire/facts.ts';

export interface VendorsOptions {
  /** Rows behind those of the table. */
  custom?: readonly VendorRow[];
  /** Where base URLs and keys are looked up. */
  variables: Readonly<Record<string, string | undefined>>;
  /** Ollama servers, the one that is asked first in front; without any what the variables say. */
  ollamaHosts?: readonly string[];
  /** Nothing but loopback and the Ollama servers is reached. */
  offline?: boolean;
  transport: Transport;
  proxy?: TransportOptions['proxy'];
}

export interface OpenOptions {
  name?: string;
  outputTokens?: number | null;
  capabilitiesOf?: CapabilitiesOf;
}

export interface ConfiguredVendors {
  /** In the order of the table. */
  readonly rows: readonly VendorRow[];
  readonly transport: Transport;
  find(id: string): VendorRow | undefined;
  /** Addresses of a vendor, best first; none when a variable that it needs is not set. */
  urls(row: VendorRow): readonly string[];
  /** False for what offline closes. */
  mayReach(row: VendorRow, url: string): boolean;
  /** Whether what is sent there stays on machines of one's own. */
  isLocal(row: VendorRow, url: string): boolean;
  /** It has an address that may be reached, and a key where it wants one. */
  isUsable(row: VendorRow): boolean;
  /** Somebody set it up: its address or key stands in the variables or in a description. */
  isNamed(row: VendorRow): boolean;
  hasKey(row: VendorRow): boolean;
  headers(row: VendorRow): Record<string, string>;
  open(row: VendorRow, url: string, options?: OpenOptions): Promise<BackendAdapter>;
  /** The models of one server; `abilities` also asks Ollama what each can do. Rejects when it cannot be asked. */
  models(row: VendorRow, url: string, options?: { abilities?: boolean; signal?: AbortSignal }): Promise<ModelInfo[]>;
}

/** Ollama's own hosted service speaks the same API. */
const OLLAMA_CLOUD = /^(https?:\/\/)?([\w-]+\.)*ollama\.com([:/]|$)/i;

export function configuredVendors(options: VendorsOptions): ConfiguredVendors {
  const { variables, transport, proxy, offline = false, custom = [], ollamaHosts = [] } = options;
  const rows = [...vendors, ...custom];

  const urls = (row: VendorRow): readonly string[] => {
    if (row.id === 'ollama' && ollamaHosts.length > 0) return ollamaHosts;
    const url = vendorBaseUrl(row, variables);
    return url === null ? [] : [url];
  };
  const mayReach = (row: VendorRow, url: string): boolean => !offline || row.id === 'ollama' || isLoopback(url);
  // A proxy on this machine may well lead to a hosted model, and a program's usual port may be moved to another machine.
  const isLocal = (row: VendorRow, url: string): boolean =>
    row.local && (row.id === 'ollama' ? !OLLAMA_CLOUD.test(url) : custom.includes(row) || isLoopback(url));
  const headers = (row: VendorRow): Record<string, string> => {
    const key = vendorKey(row, variables);
    return { ...(key ? { authorization: `Bearer ${key}` } : {}), ...row.headers };
  };

  async function open(row: VendorRow, url: string, more: OpenOptions = {}): Promise<BackendAdapter> {
    const apiKey = vendorKey(row, variables);
    const { name = row.id, outputTokens = null, capabilitiesOf } = more;
    const common = { name, baseUrl: url, headers: row.headers, capabilitiesOf, local: isLocal(row, url) };
    switch (row.wire) {
      case 'ollama': {
        const { OllamaBackendAdapter } = await import('./backends/ollama.ts');
        return new OllamaBackendAdapter({ ...common, headers: headers(row), transport, refusesLongPrompts: true });
      }
      case 'anthropic': {
        const { AnthropicBackendAdapter } = await import('./backends/anthropic.ts');
        return new AnthropicBackendAdapter({ ...common, apiKey, outputTokens, proxy });
      }
      case 'openai-chat': {
        const { OpenAIChatBackendAdapter } = await import('./backends/openai-chat.ts');
        return new OpenAIChatBackendAdapter({ ...common, apiKey, provider: row.id, quirks: row.quirks, transport });
      }
    }
  }

  return {
    rows,
    transport,
    find: (id) => findVendor(id, rows),
    urls,
    mayReach,
    isLocal,
    isUsable: (row) => isConfigured(row, variables) && urls(row).some((url) => mayReach(row, url)),
    isNamed: (row) =>
      custom.includes(row) ||
      vendorKey(row, variables) !== undefined ||
      vendorBaseUrl(row, variables) !== vendorBaseUrl(row, {}),
    hasKey: (row) => vendorKey(row, variables) !== undefined,
    headers,
    open,
    async models(row, url, { abilities, signal } = {}) {
      if (!mayReach(row, url)) return [];
      if (row.wire === 'ollama') {
        const { listOllamaModels, ollamaBaseUrl } = await import('./backends/ollama.ts');
        const found = await listOllamaModels(transport, ollamaBaseUrl(url), {
          abilities,
          headers: headers(row),
          signal,
        });
        return found.map((model) => ({ ...model, provider: row.id, local: model.local && isLocal(row, url) }));
      }
      const found = (await (await open(row, url)).listModels?.(signal))?.models ?? [];
      return found.map((model) => ({ ...model, provider: row.id }));
    },
  };
}
