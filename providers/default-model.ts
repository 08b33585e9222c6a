/** Looks for what answers when nobody named a model: local servers first, then what is hosted and set up. */
import type { ModelInfo } from './adapter.ts';
import type { ServerFailure } from './backends/ollama.ts';
import type { ConfiguredVendors } from './configured-vendors.ts';
import { chooseDefault, type DefaultChoice } from './routing/choose-default.ts';
import type { LocalServer } from './routing/find-local.ts';

export interface DefaultModelOptions {
  /** What the Ollama servers have, with abilities, and who of them could not be asked. */
  installed: { models: readonly ModelInfo[]; answered: boolean; failures: readonly ServerFailure[] };
  /** Bytes of this machine. */
  memory: number;
  offline: boolean;
  /** The models of a server that is loading its model, once it is ready, none if it never is; without it nobody waits. */
  whenReady?(server: LocalServer): Promise<readonly ModelInfo[]>;
}

export interface FoundDefault {
  choice: DefaultChoice | undefined;
  /** What is known of the chosen one, where its server told. */
  model: ModelInfo | undefined;
  /** Other servers of one's own that answered, or are loading their model; none where they were not asked. */
  servers: readonly LocalServer[];
}

/**
 * Servers of one's own come before hosted ones, whatever keys are set. Those besides Ollama are asked only where no Ollama
 * has a model that will do: on a port where nothing listens that is a connection that is refused at once.
 */
export async function findDefaultModel(
  vendors: ConfiguredVendors,
  { installed, memory, offline, whenReady }: DefaultModelOptions,
): Promise<FoundDefault> {
  const remoteRow = vendors.find('remote')!;
  const [remote] = vendors.urls(remoteRow);
  const withKey = vendors.rows
    .filter((row) => !row.local && row.id !== 'remote' && vendors.isUsable(row) && vendors.hasKey(row))
    .map(({ id }) => id);
  const ready = { rows: vendors.rows, memory };
  const chooseLocal = (local: readonly ModelInfo[]) => chooseDefault({ ...ready, local, withKey: [] });
  const ollama = installed.models.map(withoutMemory);
  let servers: readonly LocalServer[] = [];
  const found = (choice: DefaultChoice | undefined, models = ollama): FoundDefault => ({
    choice,
    servers,
    model: models.find(({ id, provider }) => id === choice?.model && provider === choice.vendor),
  });

  const first = chooseLocal(ollama);
  if (first) return found(first);
  const { findLocal } = await import('./routing/find-local.ts');
  servers = await findLocal(vendors);
  let local = [...ollama, ...servers.flatMap(({ models }) => models).map(withoutMemory)];
  const second = chooseLocal(local);
  if (second) return found(second, local);
  for (const server of servers.filter(({ loading }) => loading && whenReady)) {
    const ready = await whenReady!(server);
    if (ready.length > 0)
      servers = servers.map((one) =>
        one === server ? { ...one, models: ready, loading: false, error: undefined } : one,
      );
    local = [...local, ...ready.map(withoutMemory)];
    const choice = chooseLocal(local);
    if (choice) return found(choice, local);
  }
  // An Ollama that somebody named is asked wherever it is, but not for what it passes on to others.
  const far = ollama.filter(({ server, cloud }) => !cloud && server?.locality === 'elsewhere');
  const third = chooseLocal(far.map((model) => ({ ...model, local: true })));
  if (third) return found({ ...third, local: false });
  const listed = remote && !offline ? await vendors.models(remoteRow, remote).catch(() => []) : undefined;
  return found(chooseDefault({ ...ready, withKey, local, remote: listed && { url: remote!, models: listed } }), []);
}

/** The memory of this machine says nothing of a model on another. */
const withoutMemory = (model: ModelInfo): ModelInfo =>
  model.server && model.server.locality !== 'machine' ? { ...model, size: null, memory: null } : model;
