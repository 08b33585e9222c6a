/** Why a model that was named cannot be had, and what is said with one that can: the sentences and what they need. */
import type { ServerFailure } from '../../providers/backends/ollama.ts';
import type { ConfiguredVendors } from '../../providers/configured-vendors.ts';
import type { VendorRow } from '../../providers/vendors.ts';
import { StartError } from '../start-error.ts';
import { OLLAMA, programOf } from './programs.ts';
import type { AskedServer, Trouble } from './server-trouble.ts';
import { whereText } from './where.ts';

/** How long a server keeps a model in memory that was asked. */
export const DEFAULT_KEEP_ALIVE = '30m';

export interface RefusalsOptions {
  env: NodeJS.ProcessEnv;
  vendors: ConfiguredVendors;
  /** Rows that a person described. */
  custom: readonly VendorRow[];
  ollamaHosts?: readonly string[];
  /** Also a hosted model is told of. */
  announces?: boolean;
}

export interface Refusals {
  /** A server as it is told of. `found`: where it was found, when that is another form of its address. */
  addressOf(row: VendorRow, url: string, found?: string): AskedServer;
  troublesOf(row: VendorRow, failures: readonly ServerFailure[]): Promise<Trouble[]>;
  /** No server of the model could be asked. */
  unreachable(row: VendorRow, failures: readonly ServerFailure[], model: string): Promise<StartError>;
  /** Those that could be asked do not have it. `near`: names of models that they have. */
  missing(
    row: VendorRow,
    failures: readonly ServerFailure[],
    model: string,
    near: readonly string[],
  ): Promise<StartError>;
  /**
   * A bare name of weights that nobody has here. `hosted`: who may serve them all the same. `program`: the server that
   * runs here instead of Ollama.
   */
  notInstalled(
    model: string,
    more: { near: readonly string[]; hosted?: VendorRow | undefined; program?: VendorRow | undefined },
  ): StartError;
  /** A server besides Ollama lists its models, and it is none of them. */
  notServed(row: VendorRow, url: string, model: string, near: readonly string[]): StartError;
  noAddress(row: VendorRow): StartError;
  /** Said of a hosted model, and of a server that a person may take for their own, but is further away. */
  awayNotice(row: VendorRow, url: string, model: string): string | undefined;
}

export function createRefusals({ env, vendors, custom, ollamaHosts, announces = false }: RefusalsOptions): Refusals {
  const titleOf = (row: VendorRow): string => (row.wire === 'ollama' ? 'Ollama' : row.title);

  function addressOf(row: VendorRow, url: string, found?: string): AskedServer {
    const inSettings = row.id === 'ollama' && !env.OLLAMA_HOST && ollamaHosts?.includes(url);
    const described = custom.includes(row) && !env[row.baseUrlVariable];
    const setting = inSettings ? 'ollama.hosts' : described ? `vendors.${row.id}.baseUrl` : row.baseUrlVariable;
    const shown = vendors.shown(row, found ?? url);
    const place = vendors.placeOf(row, url);
    return { url: shown, place, title: titleOf(row), setting, program: programOf(row) };
  }

  async function troublesOf(row: VendorRow, failures: readonly ServerFailure[]): Promise<Trouble[]> {
    if (failures.length === 0) return [];
    const { serverTrouble } = await import('./server-trouble.ts');
    return failures.map(({ url, error }) => serverTrouble(error, addressOf(row, url)));
  }

  return {
    addressOf,
    troublesOf,

    async unreachable(row, failures, model) {
      const troubles = await troublesOf(row, failures);
      if (failures.length === 1 && failures[0]!.error.code === 'CONNECTION_REFUSED') {
        const { url, title } = addressOf(row, failures[0]!.url);
        return silent(`cannot reach ${title} at ${url} for ${model}: ${troubles[0]!.remedy}`);
      }
      const each = troubles.map(({ what, remedy }) => (remedy ? `${what}: ${remedy}` : what));
      return silent(`cannot reach ${titleOf(row)} for ${model}: ${each.join('; ')}`);
    },

    async missing(row, failures, model, near) {
      const failed = (await troublesOf(row, failures)).map(({ what }) => `; not asked: ${what}`).join('');
      const answering = vendors.urls(row).filter((url) => !failures.some((failure) => failure.url === url));
      const named = answering.map((url) => addressOf(row, url).url).join(' and ');
      const has = near.length ? `; nearest installed: ${near.join(', ')}` : '';
      const get = `(${OLLAMA.get(model)})`;
      return new StartError(`Ollama at ${named} has no model ${model}${has}${failed} ${get}`, 3);
    },

    notInstalled(model, { near, hosted, program }) {
      const nearest = near.length ? `; nearest installed: ${near.join(', ')}` : '';
      const other = hosted ? `; -m ${hosted.id}/${model} asks ${hosted.title} for it` : '';
      const get = program ? programOf(program).get(model) : OLLAMA.get(model);
      return new StartError(`${model} is not installed: ${get}${nearest}${other}`, 3);
    },

    notServed(row, url, model, near) {
      const { title, url: address } = addressOf(row, url);
      const has = near.length ? `; nearest there: ${near.join(', ')}` : '';
      const get = row.local ? `: ${programOf(row).get(model)}` : '';
      return new StartError(`${title} at ${address} has no model ${model}${get}${has}`, 3);
    },

    noAddress(row) {
      if (row.id === 'ollama') return new StartError(vendors.problems.join('; ') || 'Ollama: --offline closes it', 3);
      const what = row.baseUrl?.match(/\{(\w+)\}/)?.[1] ?? row.baseUrlVariable;
      return new StartError(`${row.title} has no address: set ${what}`, 3);
    },

    awayNotice(row, url, model) {
      const place = vendors.placeOf(row, url);
      // Of what is served at an address on this machine nothing is known.
      if (!row.local)
        return announces && place.locality !== 'machine' ? `${model} at ${row.title} (hosted)` : undefined;
      return place.locality === 'elsewhere' ? `${model} is served ${whereText(place)}` : undefined;
    },
  };
}

/** Of a server that does not answer now, and may do so later. */
export function silent(message: string): StartError {
  const error = new StartError(message, 3);
  error.isSilent = true;
  return error;
}

export const embedsOnly = (model: string): StartError =>
  new StartError(`${model} turns text into numbers and cannot answer: choose another model (ada models lists them)`);

/** Said with the choice of such a model. */
export const toolless = (model: string): string =>
  `${model} cannot call tools by itself: it is taught to write calls as text, which goes wrong more often (ada models lists others)`;

export function willLoad(model: string, title: string, most: number | null): string {
  const limit = most === null ? '' : `, at most ${most.toLocaleString('en-US')} tokens`;
  return `${model} is not loaded: ${title} decides on its window when it loads it${limit}`;
}

/** One line of what there is to say; undefined for nothing. */
export const noticeOf = (parts: readonly (string | false | undefined)[]): string | undefined =>
  parts.filter(Boolean).join('; ') || undefined;
