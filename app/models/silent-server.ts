/** A server of one's own that does not answer: what follows for the choice of a model, and what is said. */
import type { ConfiguredVendors } from '../../providers/configured-vendors.ts';
import type { DefaultModelOptions, FoundDefault } from '../../providers/default-model.ts';
import type { AdapterError } from '../../providers/errors.ts';
import type { VendorRow } from '../../providers/vendors.ts';
import type { ChosenModel, ModelsOptions } from '../models-api.ts';
import { StartError } from '../start-error.ts';
import { noUse } from './local-servers.ts';
import { DEFAULT_KEEP_ALIVE, type Refusals } from './refusals.ts';
import { serverTrouble, type Trouble } from './server-trouble.ts';

/**
 * What is wrong with the servers that are there and were no use: slow, broken, or not one of models. Where nothing
 * listens there is no server, and one that is loading its model is there. `reason`: that of the choice, `told`, true where there may be a model that could not be
 * asked.
 */
export async function judged(
  told: string,
  { vendors, refusals, installed, servers }: Judged,
): Promise<{ troubles: readonly Trouble[]; reason: string }> {
  const failures = installed.failures.filter(({ error }) => error.code !== 'CONNECTION_REFUSED');
  const others = servers.flatMap(({ row, url, error }) =>
    error ? [serverTrouble(error, refusals.addressOf(row, url))] : [],
  );
  const troubles = [...(await refusals.troublesOf(vendors.find('ollama')!, failures)), ...others];
  const idle = noUse(
    servers.filter(({ error }) => !error),
    refusals.addressOf,
  );
  const why = [...troubles.map(({ what }) => what), ...idle].join('; ');
  return { troubles, reason: why ? told.replace(/there is no local model$/, why) : told };
}

interface Judged {
  vendors: ConfiguredVendors;
  refusals: Refusals;
  installed: Pick<DefaultModelOptions['installed'], 'failures'>;
  servers: FoundDefault['servers'];
}

/** Nobody said that a hosted model may stand in. */
export function notInItsPlace(troubles: readonly Trouble[], hosted: string): StartError {
  const said = troubles.map(({ what, remedy }) => (remedy ? `${what} (${remedy})` : what)).join('; ');
  return new StartError(
    `the local model cannot be asked: ${said}. Nothing was sent to ${hosted}: -m ${hosted} asks it, and routing.fallback "always" in the settings does so whenever a local model cannot be reached`,
    3,
  );
}

/** Whether a request to a server of one's own that does not answer may go on to a hosted model. */
export function mayMove(
  vendors: ConfiguredVendors,
  row: VendorRow,
  { offline, fallback = 'never' }: Pick<ModelsOptions, 'offline' | 'fallback'>,
): boolean {
  if (!row.local || offline || fallback === 'never') return false;
  return vendors.rows.some(
    (one) => !one.local && vendors.isUsable(one) && (one.id === 'remote' || (vendors.hasKey(one) && one.defaultModel)),
  );
}

/** What may answer besides, and what the settings say of it. */
export interface Place extends Pick<ModelsOptions, 'offline' | 'fallback'> {
  vendors: ConfiguredVendors;
}

const ITS_OWN = new Set(['provider', 'network', 'stream']);

/** Said behind the failure of a local model where nobody else was asked, although another could have been; else empty. */
export function notMoved({ category, code, notAsked = [] }: AdapterError, backend: string, place: Place): string {
  if (!ITS_OWN.has(category) || code === 'ABORTED') return '';
  if (notAsked.length > 0) return ` Nobody else could be asked: ${notAsked.join('; ')}.`;
  const { vendors, offline, fallback = 'never' } = place;
  const row = vendors.find(backend);
  const stays = fallback === 'never' && row && mayMove(vendors, row, { offline, fallback: 'always' });
  return stays ? ' No hosted model was asked in its place: routing.fallback does not allow it here.' : '';
}

/** Of a model whose server does not answer. */
const UNSEEN_WINDOW = 16_384;

/** The model of a server that does not answer, with what is known of it all the same. */
export function silentModel({
  row,
  model,
  refused,
  window,
  local,
  options: { contextTokens: wished, keepAlive = DEFAULT_KEEP_ALIVE, fallback },
}: {
  row: VendorRow;
  model: string;
  /** Why it cannot be had now. */
  refused: StartError;
  /** Of a stored session. */
  window: number | null | undefined;
  local: boolean;
  options: Pick<ModelsOptions, 'contextTokens' | 'keepAlive' | 'fallback'>;
}): ChosenModel {
  const isOllama = row.wire === 'ollama';
  const contextTokens = window ?? (isOllama ? (wished ?? UNSEEN_WINDOW) : null);
  const parameters = { model, ...(isOllama && { contextTokens: contextTokens ?? UNSEEN_WINDOW, keepAlive }) };
  const until =
    fallback === 'always'
      ? 'until it answers a hosted model does (routing.fallback)'
      : 'you are asked before a hosted model answers in its place (routing.fallback)';
  return { id: `${row.id}/${model}`, local, contextTokens, parameters, notice: `${refused.message}; ${until}` };
}
