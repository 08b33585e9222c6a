/** Notices calls in tags that nothing ran: whole ones where a line begins, and answers that are nothing but such markup. */

/** Whether there is such a tool, and takes these arguments; without `input` whether there is one. */
export type CanCall = (name: string, input?: unknown) => boolean;

const FENCED = /^[ \t]*(```+|~~~+)[\s\S]*?(?:^[ \t]*\1|$(?![\s\S]))/gm;
const OPENERS = /^[ \t]*<([A-Za-z_][\w.:-]*)(=[\w.-]+|(?:\s[^<>\n]*)?)>/gm;
const CHILDREN =
  /<(?:parameter|param|arg|argument)(?:=|\s+name\s*=\s*)["']?([\w.-]+)["']?\s*>([\s\S]*?)<\/|<([A-Za-z_][\w-]*)>([\s\S]*?)<\/\3>/g;
/** Tags looked at: each is compared with all that follows. */
const MOST_TRIES = 20;

/** Tags that nothing but calls begins with. */
const CALL_WORD =
  /^(?:\w+:)?(?:tool[_-]?calls?|tool[_-]?(?:use|code|request|invocation)|function[_-]?calls?|invoke|use_tool|use_mcp_tool|start_function_call)$/i;
/** Tags that may, where a tool is named inside. */
const PERHAPS = /^(?:\w+:)?(?:tools?|functions?|calls?|actions?|execute|command|run)$/i;
const NAMED = /(?:name|tool|tool_name|function)["']?(?:\s*[=:]|>)\s*["']?([A-Za-z_][\w.-]*)/g;
/** What tools take; such a tag or attribute behind a tool's name is no page. */
const WORDS =
  'path|file|file_path|filename|command|content|query|pattern|regex|args|arguments|parameters|parameter|input|diff|patch|url';
const TAKEN = new RegExp(`^<[\\w.:-]+(?:\\s+(?:${WORDS})\\s*=\\s*["']|\\s*>\\s*[<{]\\s*["']?(?:${WORDS})\\b)`);

/** True where such a call stands outside code, or where the text looks like one and is nothing else. */
export function callInTags(text: string, canCall: CanCall): boolean {
  const plain = text.replace(FENCED, '\n').trim();
  return holdsWhole(plain, canCall) || (isMarkup(plain) && looksLikeCall(plain, canCall));
}

/** True for `text` that begins with a call in tags which could run. */
export function holdsWhole(text: string, canCall: CanCall): boolean {
  let tries = 0;
  for (const { index, 0: head, 1: tag, 2: more } of text.matchAll(OPENERS)) {
    if (++tries > MOST_TRIES) return false;
    const from = index + head.length;
    const end = text.indexOf(`</${tag}>`, from);
    if (end < 0) continue;
    const name = more === '' ? tag! : /^(?:=|\s+(?:name|tool|function)\s*=\s*["'])([\w.:/-]+)/.exec(more!)?.[1];
    if (name === undefined) continue;
    const children = [...text.slice(from, end).matchAll(CHILDREN)].map((one) => [one[1] ?? one[3], one[2] ?? one[4]]);
    if (children.length > 0 && canCall(name, Object.fromEntries(children))) return true;
  }
  return false;
}

const isMarkup = (text: string): boolean => /^(?:<|\[TOOL_CALLS?\])[\s\S]*[>}\])]$/.test(text);

function looksLikeCall(text: string, canCall: CanCall): boolean {
  if (text[0] === '[') return true;
  const found = /^<\W{0,2}([A-Za-z_][\w.:-]*)([^<>\n]*)/.exec(text);
  if (!found) return false;
  const [, tag, attributes] = found as unknown as [string, string, string];
  if (CALL_WORD.test(tag)) return true;
  const named = (inside: string) => [...inside.slice(0, 2_000).matchAll(NAMED)].some(([, name]) => canCall(name!));
  if (named(attributes) || (PERHAPS.test(tag) && named(text))) return true;
  return canCall(tag) && (tag.includes('_') || TAKEN.test(text));
}
