/**
 * What hosted vendors tell in their lists of a model that nobody knows yet: window and price. The list is asked for
 * once, beside the first request, and kept as `ada models` keeps it.
 */
import type { HostedFacts } from '../../providers/catalog/hosted-facts.ts';
import type { ConfiguredVendors } from '../../providers/configured-vendors.ts';
import type { IRChatStream, IRUsage } from '../../providers/ir.ts';
import type { VendorRow } from '../../providers/vendors.ts';

/** A model at one address of its vendor, and what is known of it. */
export interface KnownModel {
  row: VendorRow;
  url: string;
  model: string;
  facts: HostedFacts;
}

export interface ListedFacts {
  /** The model that requests go to from now on; undefined where there is nothing to ask for. */
  use(model: KnownModel | undefined): void;
  /** The stream, the list asked for beside it: the end of an answer waits a moment for it, since the answer has a price. */
  alongside(stream: IRChatStream): IRChatStream;
  /** The hosted model in use whose price nobody knows, told once each; a list that may tell it is waited for, a moment. */
  unpriced(): Promise<string | undefined>;
  /** Tokens that the model in use is served with; null when unknown. */
  contextTokens(): number | null;
  /** US dollars of an answer, null when unknown. */
  cost(backend: string, model: string, usage: IRUsage): number | null;
}

/** From when it was asked for. Nobody waits longer for a figure that may never come. */
const PATIENCE_MS = 2_000;

export function createListedFacts(
  vendors: Pick<ConfiguredVendors, 'facts' | 'listedLately' | 'models'>,
  { offline, signal }: { offline: boolean; signal: AbortSignal },
): ListedFacts {
  let used: KnownModel | undefined;
  /** By backend. */
  const costs = new Map<string, HostedFacts['cost']>();
  /** By vendor and address: until its list came, or was waited for long enough. */
  const asked = new Map<string, Promise<void>>();
  const told = new Set<string>();

  /** One's own servers tell their windows themselves, and nobody charges for them. */
  const hosted = (): KnownModel | undefined => (used?.row.local ? undefined : used);
  const isKnown = ({ facts }: KnownModel): boolean => facts.contextTokens !== null && facts.isPriced;
  /** Undefined where there is nothing to ask. */
  function list(): Promise<void> | undefined {
    const wanted = hosted();
    if (!wanted || offline || isKnown(wanted)) return undefined;
    const { row, url } = wanted;
    const server = `${row.id} ${url}`;
    let asking = asked.get(server);
    if (!asking) {
      asking = shortly(ask(wanted).catch(() => {}));
      asked.set(server, asking);
    }
    return asking;
  }
  async function ask(wanted: KnownModel): Promise<void> {
    const { row, url, model } = wanted;
    if (await vendors.listedLately(row, url)) return;
    await vendors.models(row, url, { signal });
    wanted.facts = await vendors.facts(row, url, model);
    costs.set(row.id, wanted.facts.cost);
  }

  return {
    use(model) {
      used = model;
      if (model) costs.set(model.row.id, model.facts.cost);
    },
    alongside(stream) {
      const asking = list();
      return asking ? endingWith(stream, asking) : stream;
    },
    async unpriced() {
      const asking = list();
      await asking;
      const model = hosted();
      if (!model || model.facts.isPriced) return undefined;
      const id = `${model.row.id}/${model.model}`;
      if (told.has(id)) return undefined;
      told.add(id);
      return id;
    },
    contextTokens: () => hosted()?.facts.contextTokens ?? null,
    cost: (backend, model, usage) => costs.get(backend)?.(model, usage) ?? null,
  };
}

async function* endingWith(stream: IRChatStream, asking: Promise<void>): IRChatStream & AsyncGenerator {
  for await (const chunk of stream) {
    if (chunk.type === 'done') await asking;
    yield chunk;
  }
}

async function shortly(asking: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([asking, patience]);
  clearTimeout(timer);
}
