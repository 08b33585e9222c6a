/** What the words around a printed call say of it: that it is made, or that it is only spoken of. English, as far as words are needed. */

const MODELS =
  'hermes|qwen[\\w.-]*|llama[\\w.-]*|[mc]\\w*stral|mixtral|deepseek|kimi|glm[\\w.-]*|granite|command[- ]?r\\+?|cohere|harmony|gpt[\\w.-]*|react|minimax|gemma|phi[\\w.-]*|internlm|nemotron|functionary|lfm[\\w.-]*|liquid|olmo|apertus|gigachat|xlam|chatml|claude|openai|ollama|vllm|(?:the |a |an |some |most |other |small |local |these |such )(?:\\w+ )?(?:models?|assistants?|llms?|agents?|parsers?|servers?|clients?)';
const SAYS =
  'writes?|wrote|written|prints?|printed|emits?|emitted|outputs?|produces?|produced|generates?|generated|says?|said|shows?|showed|contains?|contained|reads|returned|answered|replied|pasted|logged|logs|recorded|quoted|sends?|sent|spells?|marks?|wraps?|encodes?|expects?|appeared|appears';

/** The call is announced: somebody is about to do something. */
const ANNOUNCES =
  /\b(?:I['’]ll|I will|I['’]m (?:now )?(?!not\b)(?:\w+ing|about to)|I am (?:now )?(?!not\b)(?:\w+ing|about to)|I (?:now )?(?:need|want|have) to|I should|I must|let me|let us|let['’]s|we['’]ll|we (?:need|have) to|we should)\b/i;
/** `Reading the file:`, and not `Reading it, the form is:`. */
const DOING =
  /^[\W\d]*(?:(?:okay|ok|now|next|first|then|sure)\W+)?[a-z]+ing\b(?! convention)(?![^.!?]*(?:,|\b(?:is|are|would|does|means?|gives?)\b))/i;
/** What is about to be done is work: whatever it is about, nothing is shown by it. */
const WORKS =
  /\b(?:see|check|look|find|verify|read|inspect|test|know|understand|learn|figure|determine|confirm|search|grep|view|examine|review|investigate|explore|open|add|create|update|edit|change|fix|remove|delete|implement|start)\b/i;
const SHOWS = 'show|showing|demonstrat\\w+|illustrat\\w+|explain\\w*|describ\\w+|document(?:s|ed|ing)?|spell\\w* out';
/** That which the model is about to do is to show something. */
const ABOUT_TO_SHOW = new RegExp(
  `\\b(?:let me|let['’]s|I['’]ll|I will|we['’]ll|going to) (?:\\w+ly |now |also |just |first )*(?:${SHOWS}|give|quote|cite)\\b`,
  'i',
);

const DOES =
  '(?:run|ran|call(?:ed|ing)?|execut\\w*|us(?:e|ed|ing)|print\\w*|writ\\w*|wrote|send|sent|typ(?:e|ed)|invok\\w*|do|done|try|tried)';
/** Of itself enough: a sample, a description, something that is not to be done. */
const SURELY = new RegExp(
  [
    '\\b(?:for (?:example|instance)|such as|like (?:this|so|these)|as (?:an example|follows)|e\\.g\\.|i\\.e\\.|hypothetical(?:ly)?|literally|verbatim|instead of|rather than)',
    `(?:\\b(?:not|never|cannot)|n['’]t)\\b[^.!?:]{0,25}\\b${DOES}(?: (?:this|that|these|those|it|such|them|the (?:call|following|line|text|command)s?)(?: \\w+)?)?\\s*[:：.!]?\\s*$`,
    "^\\W*(?:please )?(?:don['’]t|do not|not|no|never)\\b[^.!?]*[:：]\\s*$",
    '\\b(?:never|avoid|refuse\\w*|beware|ignor(?:e|ed|ing) (?:it|this|that|them))\\b',
    '\\b(?:would|could|might) (?:then |also |just |simply |only |have |be )*(?:writ\\w*|print\\w*|emit\\w*|output|produce|generate|say|send|sent|look|use|call\\w*|run|typ(?:e|ed)|invoke|execute|make|answer)\\b',
    `\\b(?:${SHOWS})\\b[^.!?]{0,60}\\b(?:how|what|example|samples?|form|format|forms|formats|syntax|markup|notation|calls?|looks|template|tags?|tokens?)\\b`,
    `\\b(?:${SHOWS})\\s*[:：]\\s*$`,
    '\\bgiv(?:e|ing)\\b[^.!?]{0,20}\\b(?:examples?|samples?|form|format)\\b',
    '\\b(?:quot(?:e|ing)|cit(?:e|ing))\\b|\\bwrit(?:e|ing) (?:down|out)\\b',
    '\\blooks? like\\s*:?\\s*$',
    '\\b(?:wrong|malicious|injected|injection|dangerous|forbidden|outdated|deprecated|invalid|broken)\\b[^.!?]{0,30}(?::|\\b(?:call|form|line|text|example)\\b)',
    `\\b(?:one|you|people|they|${MODELS}) (?:\\d[\\w.]* )?(?:(?:then|usually|often|always|only|simply|just|also|would|will|may|can|must|should|have to|has to) ){0,2}(?:writes?|prints?|emits?|outputs?|produces?|generates?|says?|sends?|types?|calls?|uses?|answers?|gets?|sees?)\\b`,
    '\\bis (?:written|printed|spelled|encoded|marked|wrapped|rendered|shown)\\b',
  ].join('|'),
  'i',
);

const MARKUP_WORDS =
  '\\b(?:forms?|formats?|formatted|syntax(?! error)|markup|notation|dialects?|templates?|tags?|tokens?|examples?|samples?|variants?|delimiters?|convention|equivalent|placeholder|(?:same|raw|old|older|new|newer) (?:way|style|text|one))\\b';
/** Words about markup: the call is its example unless somebody is about to do something. */
const PERHAPS = new RegExp(
  [
    MARKUP_WORDS,
    `\\b(?:${MODELS})\\b`,
    `\\b(?:${SAYS})\\b[^.!?]{0,40}[:：]?\\s*$`,
    `\\b(?:${SAYS}|is|are|was|were|means|becomes|gives|uses?|be|in|with)\\s*[:：]?\\s*$`,
    '\\b(?:is|are|was|were) (?:this|so|the following)\\b',
    '\\b(?:as|like|exactly|namely|to|by|into|from)\\W*$',
    '\\bas (?:\\w+ )?text\\b',
  ].join('|'),
  'i',
);
/** The same in a sentence that is over, where such words may be about anything. */
const PERHAPS_OVER = new RegExp(
  `(?=.*(?:${MARKUP_WORDS}|\\b(?:below|following|above)\\b))(?=.*\\b(?:calls?|calling|tools?|${MODELS})\\b)|\\b(?:${MODELS}) (?:\\w+ ){0,2}(?:${SAYS})\\b|\\b(?:found|saw|have|got|received|pasted|here is) (?:this|these|it)\\b`,
  'i',
);
const INTRODUCES = /[:：=]\s*$/;
const IS_OVER = /[.!?。！？…]["')\]*_]*\s*$/;
/** Short words that introduce a call itself. */
const BEGINS =
  /^[\W\d]*(?:so|now|next|then|first|second|finally|okay|ok|sure|alright|yes|great|step \d+|(?:i|we) (?!found|saw|got|wrote|mean|said)\w+|here(?:['’]s| is) (?:the|my) (?:\w+ ){0,2}(?:calls?|commands?)|(?:check|list|read|run|look|find|search|open|inspect|view) \w+)\b|^[\W\d]*[a-z]+ing\b(?![^.!?]*\b(?:would|does)\b)/i;
/** Such words before a sample all the same. */
const BEGINS_A_SAMPLE = /\b(?:calls? looks?|from|following|this is|you go|convention|how)\b/i;
/** English, so that the words above would have been found; or a label; or a word for a sample in other languages. */
const INTRODUCES_A_SAMPLE =
  /\b(?:the|an|this|that|these|of|is|one|for|with|your|it|and)\b|^[\W\d]*(?:good|bad|wrong|right|before|after|expected|actual|input|output|got|want|given|assistant|user|system|answer|result|response|text|raw|string|prompt|line|log|file|version|old|new|style|case|test|compare|correct|incorrect|quote|q|a)\W*$|\b(?:text|regex|pattern|string|const|let|var|value|body|payload|content|fixture)\b|beispiel|z\. ?b\.|ejemplo|exemple|esempio|exemplo|formato?\b|例如|比如|示例|格式|如下|例えば|形式|пример|формат|예를|형식/i;

/** The whole answer is about how calls are written. */
const TOPIC =
  /\b(?:calls?\b[^.\n]{0,40}\bmarkup|markup (?:of|for) [^.\n]{0,20}calls?|call(?:ing)? (?:formats?|forms?|syntax|conventions?)|(?:formats?|forms?|syntax|notation) (?:of|for) (?:\w+ ){0,3}calls?|(?:tool|function)[- ]call(?:s|ing)? (?:is|are|formats?|forms?|syntax|looks?))\b|`[^`\n]*(?:<\/?\|?[a-z:_]*(?:tool|function|invoke|action|python)|\[TOOL_CALLS\]|functools\[)[^`\n]*`/i;

/** Said of a call that has just been printed. */
const OF_IT = new RegExp(
  [
    "^\\s*(?:this|that|these|those|it|its|such|which|who|where|as|so|here|above|below|but|or|and|note|warning|only|of course|hence|because|since|while|although|every|each|both|all)\\b(?!['’]ll\\b| will\\b| should\\b)",
    '\\b(?:not|nothing|no|never|none|nobody|without|instead|you|your|yours|would|could|might|careful|careless|danger\\w*|remember|replace\\w*|try|copy|paste|calls?|called|calling|tools?|functions?|commands?|json|xml|arguments?|parameters?|parser|run|ran|written|printed|same|means?|similar\\w*|differ\\w*|whereas|between|inside|above|below|following|preceding|surround\\w*|easy|simple|old|older|new|newer|purpose\\w*|deliberate\\w*|hope|helps?|welcome|enjoy|feel free)\\b',
    "n['’]t\\b",
    `\\b(?:${SAYS}|${MODELS})\\b`,
    PERHAPS.source,
    SURELY.source,
  ].join('|'),
  'i',
);
/** A promise of what the call will bring, as it follows a call that was announced. */
const PROMISE =
  /^\s*(?:this|that|it)(?:['’]ll| will| should) (?:help|show|list|give|tell|let|return|print|display|read|find|create|update|run)\b/i;
/** The model goes on as if it had the result, or speaks for others. */
const RESULT =
  /^\s*(?:\**(?:observation|tool (?:result|output|response)|user|human)s?\**\s*:|<\/?(?:tool_response|tool_result|tool_results|function_response|function_results?|observation|result|output)s?>|<\|(?:im_start|start_header_id|observation|user|tool|ipython)\|>)/i;
/** It goes on inside a sentence, as a list, a heading, a table, a quotation or code. */
const GOES_ON = /^\s*(?:\p{Ll}|[,.;:)\]}"'”’»?&/=+~#|>*–—-]|\d+[.)]\s|[•→←])/u;
const MARKUP = /`|<\/?[a-z|｜]|\[\/?[A-Z_]+\]|[?？]\s*$/i;

/** Ends of a turn that are printed as text. */
const ENDS = /<\/?s>|<eo[a-z]+>|<\|[a-z_]+\|>/g;

/** Longer talk behind a call is never a remark. */
export const LONGEST_REMARK = 100;

/** What the text before a call says of it. */
export function talkBefore(text: string): 'announced' | 'shown' | 'open' {
  const sentences = text
    .trim()
    .split(/(?<=[.!?。！？…])\s+|\n+/)
    .filter((one) => /[\p{L}\p{N}]/u.test(one));
  const last = sentences.at(-1) ?? '';
  const announces = ANNOUNCES.test(last);
  if (announces && WORKS.test(last) && !ABOUT_TO_SHOW.test(last)) return 'announced';
  if (SURELY.test(last)) return 'shown';
  if (announces || DOING.test(last)) return 'announced';
  if ((IS_OVER.test(last) ? PERHAPS_OVER : PERHAPS).test(last) || TOPIC.test(text)) return 'shown';
  if (INTRODUCES.test(last)) {
    if (BEGINS.test(last) ? BEGINS_A_SAMPLE.test(last) : INTRODUCES_A_SAMPLE.test(last)) return 'shown';
    const previous = sentences.at(-2) ?? '';
    if (SURELY.test(previous) && !ANNOUNCES.test(previous)) return 'shown';
  }
  return 'open';
}

/** Of what the model says that it does next, these speak of what it said. */
const SPEAKS = /\b(?:know|explain|note|add|show|you|your|not|never|nothing)\b|n['’]t\b/i;

/** Whether text behind a call speaks of it, as far as its beginning tells. */
export const speaksOfIt = (text: string): boolean => GOES_ON.test(text) || MARKUP.test(text) || OF_IT.test(text);

/** Whether a call with `text` behind it may still be meant: nothing, a result made up, or a few words of no matter. */
export function mayFollow(printed: string, isAnnounced: boolean): boolean {
  if (RESULT.test(printed)) return true;
  const text = printed.replace(ENDS, '');
  if (text.trim() === '') return true;
  if (text.trim().length > LONGEST_REMARK || GOES_ON.test(text) || MARKUP.test(text)) return false;
  if (PROMISE.test(text)) return isAnnounced && !SURELY.test(text);
  if (ANNOUNCES.test(text)) return !SPEAKS.test(text) && !SURELY.test(text);
  return !OF_IT.test(text);
}
