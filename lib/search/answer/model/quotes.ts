import { isSameValue } from '../values/compare-values.js';
import { readValues, type Value } from '../values/read-values.js';
import type { ReplyQuote } from './read-reply.js';
import { contentTerms, foldText, wordsOf, type Source } from './source.js';

/** Words of a source that a sentence of the answer rests on. */
export interface FoundQuote {
  source: Source;
  /** Where they stand in the source's text. */
  start: number;
  end: number;
  /** Indices of the sentences that they are part of. */
  sentences: readonly number[];
}

/** Result of checking a quotation. */
export interface LocatedQuote {
  /**
   * `verbatim`: the words stand in the named source. `misplaced`: they stand in another one. `altered`: the named source has similar words.
   * `missing`: nowhere.
   */
  status: 'verbatim' | 'misplaced' | 'altered' | 'missing';
  /** The number that the model gave, from 1. */
  n?: number;
  text: string;
  /** The words of the source; of an altered quotation the sentences that it comes closest to. */
  found?: FoundQuote;
  /**
   * What the model changed in an altered quotation: values and stems of content words that it put in, and whether a "not" was added or lost.
   */
  changed?: { values: readonly Value[]; terms: ReadonlySet<string>; negation: boolean };
}

/** Fewer words stand in any text, unless a number is among them. */
const LEAST_WORDS = 2;
/** Share of the words of an altered quotation that the source has in this order. */
const SIMILAR = 0.6;
/** Fewer words are not compared: any text has some of them. */
const LEAST_SIMILAR = 4;
/** Longer quotations are compared as far as this, words. */
const MOST_WORDS = 80;
/** Share of a sentence's content words that a sentence of a source must have to stand in for a missing quotation. */
const OWN_WORDS = 0.5;
const LEAST_OWN_WORDS = 2;
/** Negations of the six languages; `t` is what is left of "don't". */
const NEGATIONS = new Set(
  (
    'not no never none neither nor without cannot t nicht kein keine keinen keinem keiner keines nie niemals ohne weder ne n pas jamais aucun ' +
    'aucune sans ni nunca sin ningún ninguna non mai nessun nessuno nessuna senza né não nem sem nenhum nenhuma'
  ).split(' '),
);
/** A gap in a quotation. */
const ELLIPSIS = /\s*(?:\[\s*)?(?:\.{3,}|…)(?:\s*\])?\s*/;
const EDGES = /^(?:["'\s.,;:]|…)+|(?:["'\s.,;:]|…)+$/g;

/** Looks for a quotation: verbatim in its source, verbatim in another, then similar in its source. */
export function locateQuote(quote: ReplyQuote, sources: readonly Source[]): LocatedQuote {
  const { n, text } = quote;
  const base = { text, ...(n === undefined ? {} : { n }) };
  const named = n === undefined ? undefined : sources[n - 1];
  if (named) {
    const found = findVerbatim(text, named);
    if (found) return { ...base, status: 'verbatim', found };
  }
  for (const source of sources) {
    if (source === named) continue;
    const found = findVerbatim(text, source);
    if (found) return { ...base, status: 'misplaced', found };
  }
  const altered = named && findSimilar(text, named);
  return altered ? { ...base, status: 'altered', ...altered } : { ...base, status: 'missing' };
}

/** The quotation in a source; white space, case, quotation marks, dashes and gaps marked by an ellipsis aside. */
export function findVerbatim(quote: string, source: Source): FoundQuote | undefined {
  const parts = foldText(quote)
    .text.split(ELLIPSIS)
    .map((part) => part.replace(EDGES, ''))
    .filter((part) => part !== '');
  const words = parts.reduce((sum, part) => sum + wordsOf(part).length, 0);
  if (words === 0 || (words < LEAST_WORDS && !/\d/.test(quote))) return undefined;
  const { text, at } = source.folded;
  let start = -1;
  let end = 0;
  for (const part of parts) {
    const from = wordAt(text, part, end);
    if (from < 0) return undefined;
    if (start < 0) start = from;
    end = from + part.length;
  }
  const span = { start: at[start]!, end: at[end - 1]! + 1 };
  return { source, ...span, sentences: source.sentencesAt(span.start, span.end) };
}

/** The sentence of the sources that shares most of its content words with `text`: what a missing quotation would have been. */
export function findByOwnWords(text: string, sources: readonly Source[]): FoundQuote | undefined {
  let best: { source: Source; at: number; share: number } | undefined;
  for (const source of sources) {
    const wanted = contentTerms(text, source.reading);
    if (wanted.size < LEAST_OWN_WORDS) continue;
    source.sentences.forEach((_, at) => {
      let shared = 0;
      for (const term of source.termsOf(at)) if (wanted.has(term)) shared++;
      const share = shared / wanted.size;
      if (shared >= LEAST_OWN_WORDS && share > (best?.share ?? 0)) best = { source, at, share };
    });
  }
  return best && best.share >= OWN_WORDS ? wholeSentences(best.source, [best.at]) : undefined;
}

/** Whole sentences of a source as a quotation. */
export function wholeSentences(source: Source, sentences: readonly number[]): FoundQuote {
  const [first, last] = [Math.min(...sentences), Math.max(...sentences)];
  const span = { start: source.sentences[first]!.start, end: source.sentences[last]!.end };
  return { source, ...span, sentences };
}

/** Without those that begin at the same place of the same source. */
export function uniqueQuotes(quotes: readonly FoundQuote[]): FoundQuote[] {
  return quotes.filter(
    (quote, i) =>
      !quotes.slice(0, i).some((other) => other.source === quote.source && other.start === quote.start),
  );
}

function wordAt(text: string, part: string, from: number): number {
  for (let at = text.indexOf(part, from); at >= 0; at = text.indexOf(part, at + 1))
    if (!isInsideWord(text, at) && !isInsideWord(text, at + part.length)) return at;
  return -1;
}

function isInsideWord(text: string, border: number): boolean {
  return /[\p{L}\p{N}]/u.test(text[border - 1] ?? '') && /[\p{L}\p{N}]/u.test(text[border] ?? '');
}

/** The sentences of a source that are most like a quotation, and what of it they do not have. */
function findSimilar(
  quote: string,
  source: Source,
): Required<Pick<LocatedQuote, 'found' | 'changed'>> | undefined {
  const own = wordsOf(quote).slice(0, MOST_WORDS);
  const words = source.foldedWords;
  const { pairs } = align(
    own.map((w) => w.word),
    words.map((w) => w.word),
  );
  if (own.length < LEAST_SIMILAR || pairs.size < SIMILAR * own.length) return undefined;
  const places = [...pairs.values()];
  const [from, to] = [words[Math.min(...places)]!.start, words[Math.max(...places)]!.end];
  const sentences = source.sentencesAt(from, to);
  if (sentences.length === 0) return undefined;
  const isChanged = ({ start, end }: { start: number; end: number }): boolean =>
    own.some((w, i) => !pairs.has(i) && w.start < end && w.end > start);
  const kept = readValues(source.passage.text.slice(from, to), source.reading);
  const read = readValues(quote, source.reading);
  const values = read.filter(
    // A value in another form ("two" for "2") is not changed; the same value at another place is.
    (v) => isChanged(v) && (!kept.some((k) => isSameValue(v, k)) || /\d/.test(v.text)),
  );
  const inWords = own.filter((w) => !read.some((v) => w.start < v.end && w.end > v.start));
  const terms = contentTerms(inWords.map((w) => w.word).join(' '), source.reading);
  for (const at of sentences) for (const term of source.termsOf(at)) terms.delete(term);
  const placed = new Set(places);
  const matched = [...pairs.keys()];
  // What stands where the words before the first and after the last common one should be.
  const first = Math.min(...places) - Math.min(...matched);
  const last = Math.max(...places) + own.length - Math.max(...matched);
  const left = words.filter((_, i) => i >= first && i < last && !placed.has(i));
  const changed = [...own.filter((_, i) => !pairs.has(i)), ...left];
  const negation = changed.some(({ word }) => NEGATIONS.has(word));
  return { found: wholeSentences(source, sentences), changed: { values, terms, negation } };
}

/**
 * Smith–Waterman over words: the stretch of `source` that fits `quote` best.
 * @returns `pairs`: for each word of the quotation that the source has, its place there
 */
function align(quote: readonly string[], source: readonly string[]): { pairs: Map<number, number> } {
  const width = source.length + 1;
  const scores = new Int16Array((quote.length + 1) * width);
  let best = 0;
  for (let i = 1; i <= quote.length; i++) {
    for (let j = 1; j <= source.length; j++) {
      const diagonal = scores[(i - 1) * width + j - 1]! + (quote[i - 1] === source[j - 1] ? 2 : -1);
      const score = Math.max(0, diagonal, scores[(i - 1) * width + j]! - 1, scores[i * width + j - 1]! - 1);
      scores[i * width + j] = score;
      if (score > scores[best]!) best = i * width + j;
    }
  }
  const pairs = new Map<number, number>();
  let [i, j] = [Math.floor(best / width), best % width];
  while (i > 0 && j > 0 && scores[i * width + j]! > 0) {
    const score = scores[i * width + j]!;
    const isSame = quote[i - 1] === source[j - 1];
    if (score === scores[(i - 1) * width + j - 1]! + (isSame ? 2 : -1)) {
      if (isSame) pairs.set(i - 1, j - 1);
      i--;
      j--;
    } else if (score === scores[(i - 1) * width + j]! - 1) i--;
    else j--;
  }
  return { pairs };
}
