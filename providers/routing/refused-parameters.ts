import { type AdapterError, type OptionalParameter, ValidationError } from '../errors.ts';
import type { IRChatRequest, IRWarning } from '../ir.ts';

/** What a backend was seen to refuse, by model, while the process lives: asked for once, then left out. */
export class RefusedParameters {
  readonly #byModel = new Map<string, Set<OptionalParameter>>();

  /** Takes note of a refusal; true when the request may be sent once more, without what it had. */
  learn(request: IRChatRequest, error: AdapterError): boolean {
    const refused = error instanceof ValidationError ? error.refused : undefined;
    if (!refused || !has(request, refused)) return false;
    const known = this.#of(request);
    if (known) known.add(refused);
    else this.#byModel.set(modelOf(request), new Set([refused]));
    return true;
  }

  /** The request without what its model refuses. */
  leaveOut(request: IRChatRequest): IRChatRequest {
    let left = request;
    for (const field of this.#of(request) ?? []) if (has(left, field)) left = without(left, field);
    return left;
  }

  /** Says what of `wanted` is missing in `sent`. */
  warnings(wanted: IRChatRequest, sent: IRChatRequest): IRWarning[] {
    const missing = [...(this.#of(sent) ?? [])].filter((field) => has(wanted, field) && !has(sent, field));
    return missing.map((field) => ({ kind: 'dropped', field, message: `${modelOf(sent) || 'the model'} refuses it` }));
  }

  #of(request: IRChatRequest): Set<OptionalParameter> | undefined {
    return this.#byModel.size === 0 ? undefined : this.#byModel.get(modelOf(request));
  }
}

const modelOf = (request: IRChatRequest): string => request.parameters?.model ?? '';

/** The object that holds the field, and its name there. */
const placeOf = (request: IRChatRequest, field: OptionalParameter): [Record<string, unknown> | undefined, string] =>
  field.startsWith('parameters.')
    ? [request.parameters as Record<string, unknown> | undefined, field.slice('parameters.'.length)]
    : [request as unknown as Record<string, unknown>, field];

function has(request: IRChatRequest, field: OptionalParameter): boolean {
  const [holder, name] = placeOf(request, field);
  return holder?.[name] !== undefined;
}

function without(request: IRChatRequest, field: OptionalParameter): IRChatRequest {
  const [holder, name] = placeOf(request, field);
  const { [name]: _, ...rest } = holder!;
  return field.startsWith('parameters.') ? { ...request, parameters: rest } : (rest as unknown as IRChatRequest);
}
