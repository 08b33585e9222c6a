/** What a person is told where no model was named and none was found. */
import { totalmem } from 'node:os';
import type { ConfiguredVendors } from '../../providers/configured-vendors.ts';
import type { DefaultModelOptions, FoundDefault } from '../../providers/default-model.ts';
import type { StartError } from '../start-error.ts';
import { noUse } from './local-servers.ts';
import type { Refusals } from './refusals.ts';

export interface NoneFound {
  vendors: ConfiguredVendors;
  refusals: Refusals;
  installed: DefaultModelOptions['installed'];
  servers: FoundDefault['servers'];
  offline: boolean;
  /** What could be got for this machine. */
  suggestion: { id: string; size: number; reason: string } | undefined;
}

export async function noneFound({ vendors, refusals, installed, servers, ...more }: NoneFound): Promise<StartError> {
  const { noModel } = await import('../no-model.ts');
  const { models, answered, failures } = installed;
  const row = vendors.find('ollama')!;
  return noModel({
    ollama: vendors.urls(row).map((url) => refusals.addressOf(row, url).url),
    answered,
    troubles: await refusals.troublesOf(row, failures),
    others: noUse(servers, refusals.addressOf),
    leftOut: vendors.problems,
    models,
    remote: vendors.urls(vendors.find('remote')!)[0] ?? null,
    memory: totalmem(),
    ...more,
  });
}
