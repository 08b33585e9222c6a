/** What goes wrong with a local server in the middle of a session, told with what can be done about it. */
import type { AdapterError } from '../../providers/errors.ts';
import { OLLAMA } from './programs.ts';
import { type AskedServer, serverTrouble } from './server-trouble.ts';

/** Changes the message of the error where a better one is known; `model` as the server knows it. */
export function reword(error: AdapterError, model: string, server: AskedServer): void {
  const message = better(error, model, server);
  if (message !== undefined) error.message = message;
}

function better(error: AdapterError, model: string, server: AskedServer): string | undefined {
  const { title, url, program = OLLAMA } = server;
  if (error.code === 'MODEL_NOT_FOUND') {
    // LM Studio's words where nothing is loaded, and it may not load by itself.
    const has = /no models? (?:is |are )?loaded/i.test(error.message)
      ? 'has no model loaded'
      : `has no model ${model} any more`;
    return `${title} at ${url} ${has}: ${program.get(model)}, /model chooses another.`;
  }
  if (error.category === 'validation' && /does not support tools/i.test(error.message))
    return `${model} cannot call tools, says ${title} at ${url}: choose one that can (ada models lists them, /model changes it).`;
  if (error.details?.noRoom === true) return error.message.replace(/\.?$/, ` (${program.narrow}).`);
  if (error.details?.loading === true)
    return `${title} at ${url} is still loading the model: send the prompt again when it is ready.`;
  if (error.category === 'stream' && /connection broke in the middle/.test(error.message))
    return `${title} at ${url} broke off in the middle of its answer: it may have crashed or run out of memory, which its log tells.`;
  const isGone = error.code === 'CONNECTION_REFUSED' || error.details?.errno === 'ENOTFOUND';
  if (error.category !== 'network' || !isGone) return undefined;
  const { what, remedy } = serverTrouble(error, server);
  return `${what} any more: ${remedy}.`;
}
