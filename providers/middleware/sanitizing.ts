import type { Middleware } from '../adapter.ts';
import { type IRChatRequest, type IRMessage, type IRWarning, type MessageContent, partsOf } from '../ir.ts';
import { growing } from '../wire/growing.ts';

export interface SanitizingOptions {
  /** False: text that nobody sees (zero-width spaces, direction marks, tag characters) stays. Removed unless given. */
  invisible?: boolean;
  /** Replaced in every text of the request, for example a form of key; patterns without `g` replace the first. */
  replace?: readonly { pattern: RegExp; with: string }[];
}

/** Control characters that no text needs: all of C0 but tab and line ends, DEL and C1. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/** Half of a surrogate pair: no valid UTF-8 can be made of it, and some servers refuse the whole request. */
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** Marks of direction and tag characters, in which instructions can be hidden. Joiners stay: emoji and scripts need them. */
const INVISIBLE = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;
/** A flag of a region is written in tag characters behind a black flag. */
const FLAG = /\u{1f3f4}[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}]{1,6}\u{e007f}/gu;

/**
 * Cleans the texts of a request before it is sent: control characters, broken surrogates, text that nobody sees, and
 * what `replace` names; a warning says which messages changed. Calls and signed thinking are left as they are, since
 * they must go back as they came. The same message becomes the same again.
 */
export function createSanitizingMiddleware(options: SanitizingOptions = {}): Middleware {
  const clean = cleaner(options);
  const cleaned = growing<IRMessage, { messages: IRMessage[]; changed: number[] }>({
    start: () => ({ messages: [], changed: [] }),
    step(state, message, index) {
      const after = cleanMessage(message, clean);
      state.messages.push(after);
      if (after !== message) state.changed.push(index);
    },
  });
  return async function* sanitizing(context, next) {
    const { messages, changed } = cleaned(context.request.messages);
    if (changed.length === 0) {
      yield* next();
      return;
    }
    context.request = { ...context.request, messages: [...messages] } satisfies IRChatRequest;
    const warnings = changed.map((index): IRWarning => {
      return { kind: 'repaired', field: `messages[${index}]`, message: 'text was sanitized' };
    });
    for await (const chunk of next()) {
      yield chunk;
      // Renumbered by `composeMiddleware`.
      if (chunk.type === 'start')
        for (const warning of warnings) yield { type: 'warning', sequence: chunk.sequence, warning };
    }
  };
}

function cleaner({ invisible = true, replace = [] }: SanitizingOptions): (text: string) => string {
  return (text) => {
    let out = text.replace(CONTROLS, '').replace(LONE, '\ufffd');
    if (invisible && out.search(INVISIBLE) >= 0) out = withoutInvisible(out);
    for (const { pattern, with: replacement } of replace) out = out.replace(pattern, replacement);
    return out;
  };
}

function withoutInvisible(text: string): string {
  let out = '';
  let from = 0;
  for (const flag of text.matchAll(FLAG)) {
    out += text.slice(from, flag.index).replace(INVISIBLE, '') + flag[0];
    from = flag.index + flag[0].length;
  }
  return out + text.slice(from).replace(INVISIBLE, '');
}

function cleanMessage(message: IRMessage, clean: (text: string) => string): IRMessage {
  if (typeof message.content === 'string') {
    const content = clean(message.content);
    return content === message.content ? message : { ...message, content };
  }
  const content = partsOf(message.content).map((part) => cleanPart(part, clean));
  return content.every((part, index) => part === message.content[index]) ? message : { ...message, content };
}

function cleanPart<Part extends MessageContent>(part: Part, clean: (text: string) => string): Part {
  if (part.type === 'text') {
    const text = clean(part.text);
    return text === part.text ? part : { ...part, text };
  }
  if (part.type !== 'tool_result') return part;
  const content = part.content.map((inner) => cleanPart(inner, clean));
  return content.every((inner, index) => inner === part.content[index]) ? part : { ...part, content };
}
