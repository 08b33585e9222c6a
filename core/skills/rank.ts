/** Ranks texts by the words they share with a query: BM25 (Robertson, Zaragoza 2009) with weighted fields. */

export interface Rankable {
  name: string;
  category: string;
  description: string;
}

export interface Ranked<T> {
  item: T;
  /** Above 0; comparable within one call only. */
  score: number;
}

const K1 = 1.2;
const B = 0.6;
/** A word in the name says more than one in the description. */
const WEIGHTS = { name: 4, category: 1.5, description: 1 } as const;

const STOP = new Set(
  'a an and any are as at be but by can could do does for from get give has have help how i if in into is it its me my need needs new not of on or our please should so some that the their them there these this to up us use using want we what when where which who why will with would you your'.split(
    ' ',
  ),
);

/** Words of `text` in lower case, without stop words, reduced to a rough stem. */
export function words(text: string): string[] {
  const out: string[] = [];
  for (const [word] of text
    .toLowerCase()
    .normalize('NFKC')
    .matchAll(/[\p{L}\p{N}]+[+#]*/gu)) {
    if (!STOP.has(word)) out.push(stem(word));
  }
  return out;
}

/** Brings plural, -ing and -ed forms together; exact grammar does not matter as long as both sides agree. */
function stem(word: string): string {
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  let out = word
    .replace(/ies$/, 'y')
    .replace(/(ss|us|is)$/, '$1 ')
    .replace(/s$/, '')
    .trimEnd();
  const cut = out.replace(/(ing|ed|er)$/, '');
  if (cut !== out && cut.length >= 3 && /[aeiouy]/.test(cut)) out = cut.replace(/([bdfgklmnprt])\1$/, '$1');
  return out.length > 3 ? out.replace(/e$/, '') : out;
}

/** What a skill says it is not for must not attract the query. */
const positive = (description: string) => description.replace(/\bnot (?:for|when|to)\b[^.;]*[.;]?/gi, ' ');

/** The items that share a word with `query`, best first; equal scores keep the given order. */
export function rank<T extends Rankable>(query: string, items: readonly T[], limit = 10): readonly Ranked<T>[] {
  const wanted = [...new Set(words(query))];
  if (wanted.length === 0 || items.length === 0) return [];
  const documents = items.map((item) => {
    const counts = new Map<string, number>();
    let length = 0;
    const add = (text: string, weight: number) => {
      for (const word of words(text)) {
        counts.set(word, (counts.get(word) ?? 0) + weight);
        length += 1;
      }
    };
    add(item.name, WEIGHTS.name);
    add(item.category, WEIGHTS.category);
    add(positive(item.description), WEIGHTS.description);
    return { item, counts, length };
  });
  const average = documents.reduce((sum, document) => sum + document.length, 0) / documents.length || 1;
  const rarity = wanted.map((word) => {
    const holders = documents.filter((document) => document.counts.has(word)).length;
    return Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
  });
  const ranked: Ranked<T>[] = [];
  for (const { item, counts, length } of documents) {
    let score = 0;
    wanted.forEach((word, index) => {
      const count = counts.get(word) ?? 0;
      if (count > 0) score += (rarity[index]! * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average));
    });
    if (score > 0) ranked.push({ item, score });
  }
  return ranked.sort((a, b) => b.score - a.score).slice(0, limit);
}
