/** Who may answer in the place of a model that failed. Loaded when one has. */
import type { AdapterCapabilities, BackendAdapter, ModelInfo } from '../adapter.ts';
import { ollamaBaseUrl, showModel } from '../backends/ollama.ts';
import type { CatalogEntry } from '../catalog/catalog.ts';
import type { ConfiguredVendors } from '../configured-vendors.ts';
import type { IRUsage } from '../ir.ts';
import type { VendorRow } from '../vendors.ts';

export interface StandIn {
  /** Name of the backend, unlike that of the failed one. */
  name: string;
  row: VendorRow;
  model: string;
  backend: BackendAdapter;
  local: boolean;
  /** What the catalogue knows of the model; never for a local one. */
  known?: CatalogEntry;
  /** US dollars of an answer, null when unknown. */
  cost(model: string, usage: IRUsage): number | null;
  /** Abilities of this model, where they are known. */
  capabilities?: Partial<AdapterCapabilities>;
}

export interface StandInOptions {
  /** The model that failed, and where: another way to the same server is none. */
  failed: { vendor: string; model: string; url: string };
  /** Also hosted ones. */
  hosted: boolean;
  /** A server that does not answer in this time stands in for nobody. */
  patienceMs?: number;
}

/**
 * Local ones first: the same model on a further Ollama server, then the servers that somebody set up. Behind them the
 * remote backend and the hosted vendors that have a key, in the order of the table, with the model of their row.
 */
export async function findStandIns(vendors: ConfiguredVendors, options: StandInOptions): Promise<StandIn[]> {
  const { failed, hosted, patienceMs = 3_000 } = options;
  const signal = () => AbortSignal.timeout(patienceMs);
  const found: Promise<StandIn | undefined>[] = [];
  const ollama = vendors.find('ollama')!;
  if (failed.vendor === 'ollama')
    for (const url of vendors.urls(ollama))
      if (url !== failed.url) found.push(sameModel(vendors, ollama, url, failed.model, signal()));

  const rows = vendors.rows.filter((row) => row !== ollama && row.id !== failed.vendor && vendors.isUsable(row));
  const isLocal = (row: VendorRow) => vendors.isLocal(row, vendors.urls(row)[0]!);
  for (const row of rows) if (isLocal(row) && vendors.isNamed(row)) found.push(listed(vendors, row, signal()));
  if (hosted) {
    for (const row of rows.filter((one) => !isLocal(one) && vendors.isNamed(one))) {
      if (row.defaultModel === null) found.push(listed(vendors, row, signal()));
      else found.push(standIn(vendors, row, vendors.urls(row)[0]!, row.defaultModel));
    }
  }
  const all = await Promise.all(found.map((one) => one.catch(() => undefined)));
  return all.filter((one) => one !== undefined).sort((a, b) => Number(b.local) - Number(a.local));
}

async function sameModel(
  vendors: ConfiguredVendors,
  row: VendorRow,
  url: string,
  model: string,
  signal: AbortSignal,
): Promise<StandIn | undefined> {
  const baseUrl = ollamaBaseUrl(url);
  const shown = await showModel(vendors.transport, baseUrl, model, vendors.headers(row), signal);
  if (!shown) return undefined;
  const name = `${row.id}@${new URL(baseUrl).host}`;
  const made = await standIn(vendors, row, url, model, name);
  return { ...made, capabilities: abilitiesOf(shown) };
}

/** The first model of a server that can call tools, unless its row names one. */
async function listed(vendors: ConfiguredVendors, row: VendorRow, signal: AbortSignal): Promise<StandIn | undefined> {
  const url = vendors.urls(row)[0]!;
  const models = await vendors.models(row, url, { signal });
  const model =
    models.find(({ id }) => id === row.defaultModel) ??
    models.find(({ tools, embedding }) => tools !== false && !embedding);
  const id = model?.id ?? row.defaultModel;
  if (id == null) return undefined;
  const made = await standIn(vendors, row, url, id);
  return model ? { ...made, capabilities: { ...made.capabilities, ...abilitiesOf(model) } } : made;
}

async function standIn(
  vendors: ConfiguredVendors,
  row: VendorRow,
  url: string,
  model: string,
  name = row.id,
): Promise<StandIn> {
  const local = vendors.isLocal(row, url);
  const { contextTokens, outputTokens, cost, ...facts } = await vendors.facts(row, url, model);
  const known = local ? undefined : facts.known;
  const backend = await vendors.open(row, url, { name, outputTokens: local ? undefined : outputTokens });
  const capabilities = known && {
    contextTokens,
    tools: known.tools,
    multiModal: known.vision,
    reasoning: known.reasoning,
  };
  return { name, row, model, backend, local, known, cost, capabilities };
}

/** What the server said of its model; what it did not say is left out. */
function abilitiesOf({ contextTokens, tools, vision, reasoning }: ModelInfo): Partial<AdapterCapabilities> {
  return {
    ...(contextTokens === null ? {} : { contextTokens }),
    ...(tools === null ? {} : { tools }),
    ...(vision === null ? {} : { multiModal: vision }),
    ...(reasoning === null ? {} : { reasoning }),
  };
}
