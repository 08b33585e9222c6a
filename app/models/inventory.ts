/** What the servers have: the models that are installed, found, listed and fetched. Nothing is chosen here. */
import type { ModelInfo } from '../../providers/adapter.ts';
import type { PullProgress } from '../../providers/backends/ollama/pull.ts';
import type { FoundModel, OllamaServers, ServerFailure } from '../../providers/backends/ollama.ts';
import type { ConfiguredVendors } from '../../providers/configured-vendors.ts';
import type { VendorRow } from '../../providers/vendors.ts';
import type { Refusals } from './refusals.ts';

interface InventoryParts {
  vendors: ConfiguredVendors;
  refusals: Refusals;
  whenLoaded(row: VendorRow, url: string): Promise<unknown>;
  /** What only the one who joins the rooms may load. */
  parts: {
    ollama(): Promise<typeof import('../../providers/backends/ollama.ts')>;
    pulling(): Promise<typeof import('../../providers/backends/ollama/pull.ts')>;
    lists(): Promise<typeof import('../../providers/list-models.ts')>;
    names(): Promise<typeof import('../../providers/routing/find-local.ts')>;
    huggingFace(): Promise<typeof import('../../providers/routing/hugging-face.ts')>;
  };
}

export function createInventory({ vendors, refusals, whenLoaded, parts }: InventoryParts) {
  /** StartError when nobody has the model. A server that is loading is waited for, once. */
  async function findOllama(
    row: VendorRow,
    servers: OllamaServers,
    model: string,
    isFirst = true,
  ): Promise<FoundModel> {
    if (servers.urls.length === 0) throw refusals.noAddress(row);
    const { showOnServers } = await parts.ollama();
    const { found, failures } = await showOnServers(servers, model);
    if (found) return found;
    const loading = failures.find(({ error }) => error.details?.loading === true);
    if (loading && failures.length === servers.urls.length && isFirst) {
      await whenLoaded(row, loading.url);
      return findOllama(row, servers, model, false);
    }
    if (failures.length === servers.urls.length) throw await refusals.unreachable(row, failures, model);
    const names = (await installedModels(false, row)).models.map(({ id }) => id);
    throw await refusals.missing(row, failures, model, (await parts.names()).similarNames(model, names));
  }

  async function* pull(name: string, signal?: AbortSignal): AsyncGenerator<PullProgress, void, undefined> {
    const { huggingFaceName } = await parts.huggingFace();
    const bare = name.trim().replace(/^ollama\//, '');
    const model = huggingFaceName(bare) ?? bare;
    const { answeringServer, pullModel } = await parts.pulling();
    const row = vendors.find('ollama')!;
    const servers = vendors.servers(row);
    if (servers.urls.length === 0) throw refusals.noAddress(row);
    const { baseUrl, failures } = await answeringServer(servers, signal);
    if (baseUrl === undefined) throw await refusals.unreachable(row, failures, model);
    yield* pullModel({ baseUrl, model, headers: servers.headers, signal });
  }

  /** What the Ollama servers have; `abilities` also asks what each model can do. */
  async function installedModels(abilities = false, row = vendors.find('ollama')!) {
    const { listOnServers } = await parts.ollama();
    return listOnServers(vendors.servers(row), abilities);
  }

  async function list(tell?: (line: string) => void): Promise<readonly ModelInfo[]> {
    const { listReachable } = await parts.lists();
    const failed: [VendorRow, readonly ServerFailure[]][] = [];
    const models = await listReachable(vendors, (row, failures) => failed.push([row, failures]));
    for (const [row, failures] of failed)
      for (const { what, remedy } of await refusals.troublesOf(row, failures))
        tell?.(`${what}${remedy && `: ${remedy}`}`);
    return models;
  }

  return { findOllama, installedModels, list, pull };
}
