/** The vendors of the table, and those that a person described, as they can be reached from here. */
import type { BackendAdapter, ModelInfo } from './adapter.ts';
import { ollamaBaseUrl, shownUrl } from './backends/ollama/base-url.ts';
import type { OllamaServers } from './backends/ollama.ts';
import type { OpenAIChatBackendAdapter } from './backends/openai-chat.ts';
import type { HostedFacts } from './catalog/hosted-facts.ts';
import { ValidationError } from './errors.ts';
import { discoveryMs, localityOf, type ServerPlace, serverPlace } from './locality.ts';
import type { Transport, TransportOptions } from './transport.ts';
import { findVendor, isConfigured, type VendorRow, vendorBaseUrl, vendorKey, vendors } from './vendors.ts';
import type { CapabilitiesOf } from './wire/facts.ts';
import { within } from './wire/within.ts';

export interface VendorsOptions {
  /** Rows behind those of the table. */
  custom?: readonly VendorRow[];
  /** Where base URLs and keys are looked up. */
  variables: Readonly<Record<string, string | undefined>>;
  /** Ollama servers, the one that is asked first in front; without any what the variables say. */
  ollamaHosts?: readonly string[];
  /** Nothing but this machine and the server that OLLAMA_HOST names is reached. */
  offline?: boolean;
  transport: Transport;
  proxy?: TransportOptions['proxy'];
  /** Folder in which the lists of hosted vendors are kept; undefined to keep none. */
  lists?: string;
}

export interface OpenOptions {
  name?: string;
  outputTokens?: number | null;
  capabilitiesOf?: CapabilitiesOf;
}

export interface ConfiguredVendors {
  /** In the order of the table. */
  readonly rows: readonly VendorRow[];
  /** Ollama servers of the settings that are left out, one line each: no addresses, or closed by offline. */
  readonly problems: readonly string[];
  readonly transport: Transport;
  find(id: string): VendorRow | undefined;
  /** Addresses of a vendor, best first; none when a variable that it needs is not set, or offline closes all. */
  urls(row: VendorRow): readonly string[];
  /** False for what offline closes. */
  mayReach(row: VendorRow, url: string): boolean;
  /** Whether what is sent there stays on machines of one's own, or in a network of one's own. */
  isLocal(row: VendorRow, url: string): boolean;
  /** Where a server is, for a person. */
  placeOf(row: VendorRow, url: string): ServerPlace;
  /** The address in full, as it may be shown. */
  shown(row: VendorRow, url: string): string;
  /** It has an address that may be reached, and a key where it wants one. */
  isUsable(row: VendorRow): boolean;
  /** Somebody set it up: its address or key stands in the variables or in a description. */
  isNamed(row: VendorRow): boolean;
  hasKey(row: VendorRow): boolean;
  headers(row: VendorRow): Record<string, string>;
  /** Those of a vendor that speaks Ollama's format, as far as they may be reached. */
  servers(row: VendorRow): OllamaServers;
  open(row: VendorRow, url: string, options?: OpenOptions): Promise<BackendAdapter>;
  /** What is known of a model without asking. */
  facts(row: VendorRow, url: string, model: string): Promise<HostedFacts>;
  /** Its list need not be asked for: it was a short while ago, or there is no place to keep it. */
  listedLately(row: VendorRow, url: string): Promise<boolean>;
  /**
   * The models of one server; `abilities` also asks servers of one's own what each can do. Rejects when it cannot be
   * asked, or does not begin to answer in time.
   */
  models(row: VendorRow, url: string, options?: { abilities?: boolean; signal?: AbortSignal }): Promise<ModelInfo[]>;
}

/** Hosted lists are long, and far away; ms. */
const HOSTED_LIST_MS = 15_000;

export function configuredVendors(options: VendorsOptions): ConfiguredVendors {
  const { variables, transport, proxy, offline = false, custom = [], ollamaHosts = [], lists } = options;
  const rows = [...vendors, ...custom];

  const whole = (row: VendorRow, url: string): string => (row.wire === 'ollama' ? ollamaUrl(url) : url);
  // What OLLAMA_HOST names is the person's word, wherever it is.
  const mayReach = (row: VendorRow, url: string): boolean =>
    !offline ||
    localityOf(whole(row, url)) === 'machine' ||
    (row.id === 'ollama' && url.trim() === variables.OLLAMA_HOST?.trim());
  const { servers, problems } = usableHosts(ollamaHosts, variables.OLLAMA_HOST, (url) =>
    mayReach(findVendor('ollama')!, url),
  );
  const urls = (row: VendorRow): readonly string[] => {
    if (row.id === 'ollama' && ollamaHosts.length > 0) return servers;
    const url = withScheme(row, vendorBaseUrl(row, variables));
    return url === null || (row.id === 'ollama' && !mayReach(row, url)) ? [] : [url];
  };
  // A proxy on this machine may well lead to a hosted model. A person may call a server at any address their own, until
  // a variable moves it.
  const isLocal = (row: VendorRow, url: string): boolean => {
    if (!row.local) return false;
    const isMoved = Boolean(variables[row.baseUrlVariable]?.trim());
    return (custom.includes(row) && !isMoved) || localityOf(whole(row, url)) !== 'elsewhere';
  };
  const headers = (row: VendorRow): Record<string, string> => {
    const key = vendorKey(row, variables);
    return { ...(key ? { authorization: `Bearer ${key}` } : {}), ...row.headers };
  };

  async function open(row: VendorRow, url: string, more: OpenOptions = {}): Promise<BackendAdapter> {
    if (row.wire !== 'ollama' && !/^https?:/i.test(URL.canParse(url) ? url : ''))
      throw new ValidationError({ message: `${row.baseUrlVariable} “${withoutUser(url)}” is not an address.` });
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
    problems,
    transport,
    find: (id) => findVendor(id, rows),
    urls,
    mayReach,
    isLocal,
    shown(row, url) {
      const full = whole(row, url);
      return URL.canParse(full) ? shownUrl(full) : withoutUser(url.trim());
    },
    placeOf: (row, url) => serverPlace(whole(row, url)),
    isUsable: (row) => isConfigured(row, variables) && urls(row).some((url) => mayReach(row, url)),
    isNamed: (row) =>
      custom.includes(row) ||
      vendorKey(row, variables) !== undefined ||
      Boolean(variables[row.baseUrlVariable]?.trim()) ||
      vendorBaseUrl(row, variables) !== vendorBaseUrl(row, {}),
    hasKey: (row) => vendorKey(row, variables) !== undefined,
    headers,
    servers: (row) => ({
      urls: urls(row).filter((url) => mayReach(row, url)),
      headers: headers(row),
      transport,
      isLocal: (url) => isLocal(row, url),
    }),
    open,
    async facts(row, url, model) {
      const { hostedFacts } = await import('./catalog/hosted-facts.ts');
      return hostedFacts(model, row.id, url, row.local ? undefined : lists);
    },
    async listedLately(row, url) {
      if (lists === undefined || row.local) return true;
      const { isListedLately } = await import('./catalog/kept-lists.ts');
      return isListedLately(lists, row.id, url);
    },
    async models(row, url, { abilities, signal } = {}) {
      if (!mayReach(row, url)) return [];
      const local = isLocal(row, url);
      if (row.wire === 'ollama') {
        const { listOllamaModels } = await import('./backends/ollama.ts');
        const more = { abilities, local, headers: headers(row), signal };
        const found = await listOllamaModels(transport, ollamaBaseUrl(url), more);
        return found.map((model) => ({ ...model, provider: row.id }));
      }
      const backend = await open(row, url);
      const ms = row.local ? discoveryMs(url) : HOSTED_LIST_MS;
      const found = await within(ms, whole(row, url), signal, (limited) =>
        row.wire === 'openai-chat'
          ? (backend as OpenAIChatBackendAdapter).listModels({ abilities: abilities && row.local, signal: limited })
          : backend.listModels!(limited),
      );
      if (lists !== undefined && !row.local) {
        const { keepList } = await import('./catalog/kept-lists.ts');
        keepList(lists, row.id, url, found.models);
      }
      const server = row.local ? { server: serverPlace(url) } : {};
      return found.models.map((model) => ({ ...model, ...server, provider: row.id }));
    },
  };
}

/** As people write it: `127.0.0.1:8000`, `box.lan/v1`. Nothing leaves one's own network in plain text for want of a scheme. */
function withScheme(row: VendorRow, url: string | null): string | null {
  if (url === null || row.wire === 'ollama' || /^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return url;
  const whole = `${localityOf(url) === 'elsewhere' ? 'https' : 'http'}://${url}`;
  return URL.canParse(whole) ? whole : url;
}

const withoutUser = (url: string): string => url.replace(/[^/@]*@/, '');

/** What is no address is nowhere. */
function ollamaUrl(url: string): string {
  try {
    return ollamaBaseUrl(url);
  } catch {
    return 'invalid.';
  }
}

/** The hosts that may be asked. What OLLAMA_HOST holds stays, so that who asks there is told what is wrong with it. */
function usableHosts(
  hosts: readonly string[],
  named: string | undefined,
  mayReach: (url: string) => boolean,
): { servers: readonly string[]; problems: readonly string[] } {
  const problems: string[] = [];
  const servers = [...new Set(hosts)].filter((url) => {
    if (url.trim() === named?.trim()) return true;
    if (ollamaUrl(url) === 'invalid.')
      problems.push(`ollama.hosts: “${withoutUser(url)}” is not an address (host, host:port or a URL); it is left out`);
    else if (!mayReach(url))
      problems.push(
        `ollama.hosts: ${serverPlace(ollamaUrl(url)).host} is left out: offline, only this machine and OLLAMA_HOST are reached`,
      );
    else return true;
    return false;
  });
  return { servers, problems };
}
