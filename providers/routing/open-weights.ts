/** Names that are both those of weights which anybody may have and, by their beginning, a vendor's. */
import type { ConfiguredVendors } from '../configured-vendors.ts';
import type { VendorRow } from '../vendors.ts';

/** Families by the names that they go by locally. */
const WEIGHTS =
  /^(?:gpt-oss|qw(?:en|q)|gemma|deepseek-(?:r|v|coder|llm|ocr|math)|(?:code)?llama|codestral|mi[sx]tral|devstral|magistral|ministral|phi|granite|glm|kimi-k|minimax-m|nemotron|smollm|olmo|lfm|starcoder|command-r|yi|falcon|exaone|cogito)/i;
/** Behind such a name: only the service of the vendor has it. */
const SERVED = /-(?:max|plus|turbo|flash|latest|preview|pro|\d{4})$|-(?:max|plus)-/i;
/** Weights that their maker does not serve. */
const NEVER_SERVED = /^gpt-oss/i;

/** Whether a bare name is one of weights that anybody may have, so that a vendor's service is hardly what is meant. */
export const isOpenWeights = (name: string): boolean => !name.includes('/') && WEIGHTS.test(name) && !SERVED.test(name);

/**
 * Whether a name that only its beginning gives to a vendor may go there: one of open weights only with a key, and where
 * a local server was asked (`isAsked`) only one that the vendor is known to serve.
 */
export async function isServed(
  vendors: Pick<ConfiguredVendors, 'hasKey'>,
  row: VendorRow,
  model: string,
  isAsked: boolean,
): Promise<boolean> {
  if (row.local || !isOpenWeights(model)) return true;
  if (NEVER_SERVED.test(model) || !vendors.hasKey(row)) return false;
  if (!isAsked) return true;
  const { isListed } = await import('../catalog/catalog.ts');
  return isListed(model, row.id);
}
