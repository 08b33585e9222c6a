/** What is known of one model, asked of the server that has it. */
import type { ModelInfo } from '../../providers/adapter.ts';
import type { describeInstalled } from '../../providers/backends/ollama/describe.ts';
import type { FoundModel, OllamaServers } from '../../providers/backends/ollama.ts';
import type { describeModel } from '../../providers/catalog/describe-model.ts';
import type { ConfiguredVendors } from '../../providers/configured-vendors.ts';
import type { AdapterError } from '../../providers/errors.ts';
import type { findByName, similarNames } from '../../providers/routing/find-local.ts';
import type { VendorRow } from '../../providers/vendors.ts';
import type { ShownModel } from '../models-api.ts';
import { StartError } from '../start-error.ts';
import type { Refusals } from './refusals.ts';
import { shownElsewhere } from './shown-elsewhere.ts';

export interface ShowOptions {
  vendors: ConfiguredVendors;
  refusals: Refusals;
  /** StartError when nobody has it. */
  findOllama(row: VendorRow, servers: OllamaServers, model: string): Promise<FoundModel>;
  /** What a server that is loading its model has, once it is ready. */
  whenLoaded(row: VendorRow, url: string): Promise<readonly ModelInfo[]>;
  /** Bytes of this machine where the model is on it, else null. */
  memoryAt(found: FoundModel): number | null;
  /** `ollama.contextTokens` of the settings. */
  wished: number | undefined;
  /** Loaded when they are needed. */
  parts: {
    names(): Promise<{ findByName: typeof findByName; similarNames: typeof similarNames }>;
    catalog(): Promise<{ describeModel: typeof describeModel }>;
    installed(): Promise<{ describeInstalled: typeof describeInstalled }>;
  };
}

/** StartError where it cannot be had. */
export async function showFrom(
  row: VendorRow,
  model: string,
  { vendors, refusals, findOllama, whenLoaded, memoryAt, wished, parts }: ShowOptions,
): Promise<ShownModel> {
  const [url] = vendors.urls(row);
  if (!url || !vendors.isUsable(row))
    throw new StartError(`${row.title} cannot be reached: it has no address, no key, or --offline closes it`, 3);
  if (row.wire !== 'ollama') {
    const listed = await vendors.models(row, url, { abilities: true }).catch(async (error: AdapterError) => {
      if (row.local && error.details?.loading === true) return whenLoaded(row, url);
      if (row.local) throw await refusals.unreachable(row, [{ url, error }], model);
      throw new StartError(`${row.title} cannot be asked: ${error.message}`, 3);
    });
    const { findByName, similarNames } = await parts.names();
    const one = row.local ? findByName(model, listed) : listed.find((known) => known.id === model);
    const ids = listed.map(({ id }) => id);
    if (!one) throw refusals.notServed(row, url, model, similarNames(model, ids));
    const { describeModel } = await parts.catalog();
    const known = describeModel({ ...one, local: vendors.isLocal(row, url) });
    return shownElsewhere(row, known, refusals.addressOf(row, url).url);
  }
  const servers = vendors.servers(row);
  const installed = await findOllama(row, servers, model);
  const { describeInstalled } = await parts.installed();
  const described = await describeInstalled(servers, installed, { memory: memoryAt(installed), wished });
  const { info, template, capabilities, embedsOnly, numCtx, ...shown } = described;
  return {
    ...shown,
    longestTokens: shown.contextTokens,
    local: !shown.cloud && vendors.isLocal(row, servers.urls[installed.index]!),
  };
}
