/** Servers of one's own besides Ollama, where they are no use: what a person is told of each. */
import type { LocalServer } from '../../providers/routing/find-local.ts';
import type { VendorRow } from '../../providers/vendors.ts';
import { type AskedServer, serverTrouble } from './server-trouble.ts';

/** Of those that answered and have nothing that can be asked, one line each. */
export const noUse = (
  servers: readonly LocalServer[],
  addressOf: (row: VendorRow, url: string) => AskedServer,
): string[] =>
  servers.flatMap(({ row, url, models, error }) => {
    const { title, url: address, program } = addressOf(row, url);
    if (error) return [serverTrouble(error, addressOf(row, url)).what];
    if (models.length === 0)
      return [`${title} at ${address} ${program?.none ?? 'has no model yet'}${program ? ` (${program.getOne})` : ''}`];
    const embeds = models.every(({ embedding }) => embedding);
    return embeds ? [`${title} at ${address} has only models that turn text into numbers`] : [];
  });
