import type { ModelInfo } from '../../providers/adapter.ts';
import type { VendorRow } from '../../providers/vendors.ts';
import type { ShownModel } from '../models-api.ts';

/** Abilities of a model of Ollama as its backend counts them; what is not known of tools is tried. */
export const abilitiesOf = ({ contextTokens, tools, vision, reasoning }: ModelInfo) => ({
  contextTokens,
  tools: tools ?? true,
  multiModal: vision ?? false,
  reasoning: reasoning ?? false,
});

/** A model of a server that is not Ollama, as a person is shown it. `url`: as it may be shown. */
export function shownElsewhere(row: VendorRow, known: ModelInfo, url: string): ShownModel {
  const { contextTokens, trainedTokens, loaded } = known;
  // What such a server has not loaded is served with a window that it decides on then.
  const window =
    loaded === false
      ? { tokens: null, reason: `${row.title} decides when it loads the model` }
      : { tokens: contextTokens, reason: 'as its server decides' };
  return {
    ...known,
    id: `${row.id}/${known.id}`,
    window,
    loadedTokens: loaded ? contextTokens : null,
    longestTokens: trainedTokens ?? (row.local ? null : contextTokens),
    family: null,
    url,
  };
}
