import type { ModelInfo } from '../../providers/adapter.ts';
import { whereText } from './where.ts';

/**
 * The reason of a choice, with the place of the model's server, and without what is not known: only of a model whose
 * server tells it is said that it can call tools.
 */
export function placedReason(reason: string, model: ModelInfo | undefined): string {
  if (!model) return reason;
  let said = reason;
  const { server, tools } = model;
  if (server && server.locality !== 'machine') said = said.replace('on this machine', whereText(server));
  if (server?.locality === 'elsewhere') said = said.replace(/ local model/, ' model');
  if (tools !== true) {
    said = said.replace(/ that (?:can call tools and fits the memory|can call tools)/, '');
    said += '; whether it can call tools is not known';
  }
  return said;
}
