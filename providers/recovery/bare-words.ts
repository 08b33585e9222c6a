/** Words with which a call without markup begins, besides the name of its tool. Apart, since they are needed first. */

/** Functionary, Firefunction, Gemma, DeepSeek and gpt-oss without their first token; what the message then is. */
export const BARE_WORDS: readonly (readonly [string, 'rest' | 'name'])[] = [
  ['functools[', 'rest'],
  ['call:', 'name'],
  ['to=functions.', 'rest'],
  ['assistant<|channel|>', 'rest'],
  ['commentary to=functions.', 'rest'],
  ['assistantcommentary to=functions.', 'rest'],
];
/** The name of gpt-oss' channel, run into the first word of what it thinks: all tokens between them were swallowed. */
export const ANALYSIS = 'analysis';
