/** Which models of a session take no tools, as their servers told it or were seen to refuse them. */
import type { ConfiguredVendors } from '../../providers/configured-vendors.ts';
import type { Models } from '../models-api.ts';
import type { Refusals } from './refusals.ts';
import { isRefusal, type ModelAt, noteRefused, taughtInstead } from './refused-tools.ts';

export interface TaughtModels extends Pick<Models, 'isToolless' | 'refusedTools' | 'sendNoTools'> {
  /** The model that requests go to from now on; undefined for a recording. */
  use(model: ModelAt | undefined, takesNone: boolean): void;
  /** For the backend of a vendor: what it must know of its models. */
  capabilitiesOf(vendor: string): (model: string) => { tools: false } | undefined;
}

export function createTaughtModels(vendors: ConfiguredVendors, refusals: Refusals): TaughtModels {
  const taught = new Set<string>();
  let chosen: ModelAt | undefined;
  const nameOf = ({ vendor, model }: Pick<ModelAt, 'vendor' | 'model'>): string => `${vendor}/${model}`;
  const isToolless = (): boolean => chosen !== undefined && taught.has(nameOf(chosen));
  const sendNoTools = (): void => {
    if (chosen) taught.add(nameOf(chosen));
  };

  return {
    use(model, takesNone) {
      chosen = model;
      if (model && takesNone) taught.add(nameOf(model));
      else if (model) taught.delete(nameOf(model));
    },
    capabilitiesOf: (vendor) => (model) => (taught.has(nameOf({ vendor, model })) ? { tools: false } : undefined),
    isToolless,
    sendNoTools,
    refusedTools(error) {
      if (!chosen || isToolless() || !isRefusal(error, chosen)) return undefined;
      const { title, url } = refusals.addressOf(vendors.find(chosen.vendor)!, chosen.url);
      noteRefused(chosen);
      sendNoTools();
      return taughtInstead(chosen.model, `${title} at ${url}`, error);
    },
  };
}
