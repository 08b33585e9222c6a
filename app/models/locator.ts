/** What a name means: a recording, a model of a vendor, or one that only a server of one's own can tell. */
import type { ModelInfo } from '../../providers/adapter.ts';
import type { ServerFailure } from '../../providers/backends/ollama.ts';
import type { ConfiguredVendors } from '../../providers/configured-vendors.ts';
import type { LocalServer } from '../../providers/routing/find-local.ts';
import type { ResolvedModel } from '../../providers/routing/resolve-model.ts';
import type { VendorRow } from '../../providers/vendors.ts';
import { StartError } from '../start-error.ts';
import { programOf } from './programs.ts';
import type { Refusals } from './refusals.ts';

export interface Located {
  row: VendorRow;
  model: string;
  /** Its vendor was named. */
  explicit: boolean;
  /** What of Ollama could not be asked, where the name may have been meant for it. */
  silent?: string;
}

export interface LocatorOptions {
  vendors: ConfiguredVendors;
  refusals: Refusals;
  /** `installed`: the models that Ollama has, where it was asked. */
  resolve(id: string, installed?: readonly string[]): ResolvedModel;
  installed(): Promise<{ models: readonly ModelInfo[]; answered: boolean; failures: readonly ServerFailure[] }>;
  /** Whether a bare name that was taken for a vendor's may go there; `isAsked`: a local server was, and has none. */
  isServed(row: VendorRow, model: string, isAsked: boolean): Promise<boolean>;
  /** Whether anybody may have the weights of that name. */
  isOpenWeights(name: string): boolean;
  nearest(name: string, names: readonly string[]): readonly string[];
  /** The same for names of servers that have other ways to write them. */
  similar(name: string, names: readonly string[]): Promise<readonly string[]>;
  /** The model of a server of one's own besides Ollama that is called so. */
  own(id: string): Promise<{ row: VendorRow; model: string } | undefined>;
  /** Such servers, with what they have. */
  ownServers(): Promise<readonly LocalServer[]>;
}

export interface Locator {
  /** StartError where nobody has it. */
  locate(id: string): Promise<{ replay: string } | Located>;
  /** Where what a name was taken for cannot be had, the model of a server of one's own is used that is called so. */
  tried<T>(id: string, found: Located, use: (row: VendorRow, model: string) => Promise<T>): Promise<T>;
}

export function createLocator(options: LocatorOptions): Locator {
  const { vendors, refusals, resolve, installed, own } = options;
  /** The models of servers of one's own besides Ollama, as they are asked for, and those with a similar name. */
  async function ownNear(name: string): Promise<{ near: string[]; all: string[]; program?: VendorRow | undefined }> {
    const servers = await options.ownServers();
    const models = servers.flatMap((server) => server.models.map(({ id }) => ({ row: server.row, model: id })));
    const similar = await options.similar(
      name,
      models.map(({ model }) => model),
    );
    const named = ({ row, model }: { row: VendorRow; model: string }) => `${row.id}/${model}`;
    const near = similar.flatMap((id) => models.filter(({ model }) => model === id)).map(named);
    return { near, all: models.map(named), program: models[0]?.row ?? servers[0]?.row };
  }
  return {
    async locate(id) {
      let found = resolve(id);
      let silent: string | undefined;
      let names: string[] = [];
      let isAsked = false;
      let isAbsent = false;
      if ('needsInstalled' in found) {
        const { models, answered, failures } = await installed();
        names = models.map((model) => model.id);
        isAsked = answered;
        isAbsent = failures.every(({ error }) => error.code === 'CONNECTION_REFUSED');
        found = resolve(id, names);
        const troubles = await refusals.troublesOf(vendors.find('ollama')!, failures);
        silent = troubles.map(({ what, remedy }) => `; not asked: ${what}${remedy && ` (${remedy})`}`).join('');
      }
      if ('replay' in found) {
        if (!found.replay) throw new StartError('replay: names no file (replay:FILE)');
        return { replay: found.replay };
      }
      const row = 'vendor' in found ? vendors.find(found.vendor)! : undefined;
      if (row && 'vendor' in found && (found.explicit || (await options.isServed(row, found.model, isAsked))))
        // What is Ollama's says itself that Ollama does not answer.
        return { row, model: found.model, explicit: found.explicit, ...(row.id !== 'ollama' && { silent }) };
      const elsewhere = await own(id);
      if (elsewhere) return { ...elsewhere, explicit: true };
      const name = 'vendor' in found ? found.model : 'unknown' in found ? found.unknown : id;
      const { near: ownNames, all: others, program } = await ownNear(name);
      // Who has another program is not told of an Ollama that was never there.
      const missed = !isAsked && program && isAbsent ? '' : silent;
      if (row || options.isOpenWeights(name)) {
        const refused = refusals.notInstalled(name, {
          near: [...options.nearest(name, names), ...ownNames],
          hosted: row && vendors.hasKey(row) ? row : undefined,
          // Where Ollama is not there, what is there gets it.
          program: isAsked ? undefined : program,
        });
        throw missed && !others.length ? new StartError(`${refused.message}${missed}`, 3) : refused;
      }
      const nearest = [...ownNames, ...('unknown' in found ? found.nearest : [])].slice(0, 3);
      const near = nearest.length ? `; nearest: ${nearest.join(', ')}` : '';
      const get = !isAsked && program ? programOf(program).getOne : 'ada models pull gets more';
      throw new StartError(
        `no model is called ${id}${near}${missed ?? ''} (ada models lists what can be reached, ${get})`,
        3,
      );
    },

    async tried(id, { row, model, explicit }, use) {
      return use(row, model).catch(async (error: unknown) => {
        const isMissing = error instanceof StartError && error.exitCode === 3;
        // A hosted vendor that cannot be asked: servers of one's own have models of such names (`openai/gpt-oss-20b`).
        const isOpen = !explicit || (!row.local && !vendors.isUsable(row));
        const other = isMissing && isOpen ? await own(id) : undefined;
        if (other) return use(other.row, other.model);
        const { near, all } = isMissing && !explicit ? await ownNear(model) : { near: [], all: [] };
        if (all.length === 0) throw error;
        const has = (near.length ? near : all).slice(0, 3);
        // The same error: what else it says of the server decides whether another may answer in its place.
        const refused = error as StartError;
        refused.message += `; ${has.length === 1 ? 'here is' : 'here are'} ${has.join(', ')}`;
        throw refused;
      });
    },
  };
}
