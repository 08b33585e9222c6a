/** Names of tools in the form that hosted vendors accept, and back. */
import { type IRChatRequest, partsOf } from '../ir.ts';
import { digest } from './call-id.ts';

export interface ToolNames {
  /** What a tool is called on the wire. */
  sent(name: string): string;
  /** Whose name that is; a name that no tool was given is itself. */
  given(name: string): string;
  /** Names that are changed, in the order in which they were met, each with what it became. */
  readonly changed: ReadonlyMap<string, string>;
}

/** Letters, digits, `_` and `-`, 64 at most. Sources: OpenAI, "Function calling"; Anthropic, "Define tools". */
const FITS = /^[A-Za-z0-9_-]{1,64}$/;
const AS_THEY_ARE: ToolNames = { sent: (name) => name, given: (name) => name, changed: new Map() };

/**
 * Maps the names of a request's tools and calls, different names to different names. A name that fits stays; what
 * another becomes depends on it alone, unless two clash, so a conversation that grows keeps its bytes.
 */
export function toolNames(request: IRChatRequest): ToolNames {
  const names = new Set<string>(request.tools?.map((tool) => tool.name));
  for (const { role, content } of request.messages)
    if (role === 'assistant' && typeof content !== 'string')
      for (const part of partsOf(content)) if (part.type === 'tool_use') names.add(part.name);
  const unfit = [...names].filter((name) => !FITS.test(name));
  if (unfit.length === 0) return AS_THEY_ARE;
  const changed = new Map<string, string>();
  const back = new Map<string, string>();
  for (const name of unfit) {
    const readable = name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 54);
    let mapped = `${readable}_${digest(name)}`;
    for (let salt = 1; names.has(mapped) || back.has(mapped); salt++)
      mapped = `${readable}_${digest(`${name}#${salt}`)}`;
    changed.set(name, mapped);
    back.set(mapped, name);
  }
  return { sent: (name) => changed.get(name) ?? name, given: (name) => back.get(name) ?? name, changed };
}
