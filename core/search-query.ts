import { foldText } from './fold-text.ts';

/** What a search asks for: its words, folded, each once; what stands in double quotes is one. */
export function termsOf(query: string): string[] {
  const terms: string[] = [];
  // Quotes of a text that is copied from prose mean the same; one that is left open is a sign like any other.
  for (const [, phrase, word] of query.matchAll(/["“„]([^"“”„]+)["”“]|(\S+)/g)) {
    const term = foldText(phrase ?? word!).trim();
    if (term !== '' && !terms.includes(term)) terms.push(term);
  }
  return terms;
}
