/** From a printed call to one that may run, or to the reason why not. */
import type { JsonSchema } from '../ir.ts';
import { coerceArguments, nearestArguments } from './coerce.ts';
import type { RawCall } from './family.ts';
import { schemaProblem } from './schema-check.ts';

export interface OfferedTool {
  name: string;
  parameters?: JsonSchema;
}

export interface Offer {
  /** Undefined: not known which tools there are, so every name may be one. */
  tools?: readonly OfferedTool[];
  /**
   * True for a call that the caller can resolve though its name or arguments are not those offered. Asked without
   * `input` while only the name is known.
   */
  accepts?(name: string, input?: Record<string, unknown>): boolean;
}

export type JudgedCall =
  | { name: string; arguments: Record<string, unknown>; raw: string }
  | { name: string; raw: string; reason: string };

/** `cut`: the message was cut off, so a value that was still open may not be whole. */
export function judgeCall(call: RawCall, offer: Offer, cut: boolean): JudgedCall {
  const { name, raw } = call;
  const refuse = (reason: string): JudgedCall => ({ name, raw, reason });
  const tool = offer.tools?.find((one) => one.name === name);
  if (!name) return refuse('The call names no tool.');
  if (call.arguments === undefined)
    return refuse(`The arguments cannot be used: ${call.problem ?? 'they are missing'}.`);
  if (call.open && cut) return refuse('The arguments cannot be used: they end in the middle.');
  if (offer.tools && !tool) {
    const input = call.untyped ? coerceArguments(call.arguments, undefined) : call.arguments;
    if (offer.accepts?.(name, input)) return { name, raw, arguments: input };
    return refuse(`No tool is called ${name}.`);
  }
  const schema = tool?.parameters;
  let input = call.untyped ? coerceArguments(call.arguments, schema) : call.arguments;
  let problem = schema && schemaProblem(input, schema);
  if (problem) {
    const nearer = nearestArguments(input, schema);
    const left = schemaProblem(nearer, schema);
    if (!left) [input, problem] = [nearer, undefined];
    else if (offer.accepts?.(name, nearer)) return { name, raw, arguments: nearer };
  }
  return problem ? refuse(`The arguments do not fit the tool: ${problem}.`) : { name, raw, arguments: input };
}
