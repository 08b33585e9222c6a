import type { ModelInfo } from './adapter.ts';
import type { ServerFailure } from './backends/ollama.ts';
import type { ConfiguredVendors } from './configured-vendors.ts';
import { AdapterError } from './errors.ts';
import type { VendorRow } from './vendors.ts';

/**
 * Everything that can be reached now: what Ollama has by its name, all else as `vendor/model`, with what the catalogue
 * knows of it. The servers that nobody set up are looked for where no Ollama has a model that will do. `tell`: of servers that
 * could not be asked, also of those that are still loading their model.
 */
export async function listReachable(
  vendors: ConfiguredVendors,
  tell: (row: VendorRow, failures: readonly ServerFailure[]) => void,
): Promise<ModelInfo[]> {
  const ollama = vendors.find('ollama')!;
  const named = vendors.rows.filter((row) => row !== ollama && vendors.isNamed(row) && vendors.isUsable(row));
  const listed = async (row: VendorRow): Promise<{ models: readonly ModelInfo[]; answered: boolean }> => {
    if (row.wire === 'ollama') {
      const { listOnServers } = await import('./backends/ollama.ts');
      const found = await listOnServers(vendors.servers(row), true);
      if (found.failures.length > 0) tell(row, found.failures);
      return found;
    }
    const [url] = vendors.urls(row);
    if (!url) return { models: [], answered: false };
    try {
      return { models: await vendors.models(row, url, { abilities: true }), answered: true };
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error;
      tell(row, [{ url, error }]);
      return { models: [], answered: false };
    }
  };
  const [installed, ...lists] = await Promise.all([listed(ollama), ...named.map(listed)]);
  const others = lists.flatMap(({ models }) => models);
  if (!installed!.models.some(({ local, tools, embedding }) => local && tools !== false && !embedding)) {
    const { findLocal } = await import('./routing/find-local.ts');
    for (const { row, url, models, error } of await findLocal(vendors, { except: named })) {
      others.push(...models);
      if (error) tell(row, [{ url, error }]);
    }
  }
  if (others.length === 0) return [...installed!.models];
  const { describeModel } = await import('./catalog/describe-model.ts');
  // Only of Ollama's models the bare name is enough everywhere.
  return [...installed!.models, ...others.map((one) => ({ ...describeModel(one), id: `${one.provider}/${one.id}` }))];
}
