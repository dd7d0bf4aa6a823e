import { detectLanguage } from '../../../text/detect-language.js';
import { parseUrl } from '../../../core/url.js';
import { functionWords } from '../../../text/word-lists.js';
import { stem } from '../../../text/tokens.js';
import { type Language } from '../../../text/languages.js';
import type { AnswerPassage } from '../../answer-engine.js';
import { sentenceSpans, type Span } from '../../../text/sentences.js';
import { isSameValue } from '../../../text/compare-values.js';
import { readValues, type Value } from '../../../text/read-values.js';
import { NameIndex } from './name-index.js';
import type { ReplyQuote } from './read-reply.js';
import { statedValues } from '../../../text/stated-values.js';
import { addressesAssistant } from '../wording.js';

/** A source as the checks read it. Everything but the text is computed on first use. */
export class Source {
  /** Undefined where the text does not tell. */
  readonly language: Language | undefined;
  /** The sentences of the text. */
  readonly sentences: readonly Span[];
  private readText?: FoldedText;
  private readValues?: Value[];
  private readNames?: NameIndex;
  private readonly terms = new Map<number, ReadonlySet<string>>();

  /** @param index of the passage among those that were sent to the model */
  constructor(
    readonly passage: AnswerPassage,
    readonly index: number,
    readonly questionLanguage: Language,
  ) {
    this.language = detectLanguage(`${passage.title}. ${passage.text}`);
    this.sentences = sentenceSpans(passage.text);
  }

  /** The text as quotations are compared with it. */
  get folded(): FoldedText {
    return (this.readText ??= foldText(this.passage.text));
  }

  /** The values of title, text and date. */
  get values(): readonly Value[] {
    const { title, text, publishedAt = '' } = this.passage;
    return (this.readValues ??= statedValues(
      `${title}.\n${text}\n${publishedAt.slice(0, 10)}`,
      this.reading,
    ));
  }

  /** The names in title, text and host. */
  get names(): NameIndex {
    if (!this.readNames) {
      const { title, text, url } = this.passage;
      const host = parseUrl(url)?.hostname ?? '';
      this.readNames = new NameIndex(`${title}.\n${text}\n${host.replaceAll('.', ' ')}`);
    }
    return this.readNames;
  }

  /** The language in which number words are read. */
  get reading(): Language {
    return this.language ?? this.questionLanguage;
  }

  sentenceText(at: number): string {
    const { start, end } = this.sentences[at]!;
    return this.passage.text.slice(start, end);
  }

  /** Stems of the content words of a sentence. */
  termsOf(at: number): ReadonlySet<string> {
    let terms = this.terms.get(at);
    if (!terms) this.terms.set(at, (terms = contentTerms(this.sentenceText(at), this.reading)));
    return terms;
  }

  /** The sentences that a part of the text lies in. */
  sentencesAt(start: number, end: number): number[] {
    return this.sentences.flatMap((s, i) => (s.start < end && s.end > start ? [i] : []));
  }

  /** Whether a sentence gives orders to a model that reads the page. */
  addressesAssistant(at: number): boolean {
    return addressesAssistant(this.sentenceText(at));
  }
}

/** A text in the form in which quotations are compared, and for each of its units where that stood. */
interface FoldedText {
  text: string;
  at: readonly number[];
}

const ALIKE: Record<string, string> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‹': '<',
  '›': '>',
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
};

/** Lower case, straight quotation marks and dashes, single blanks, nothing invisible. */
export function foldText(raw: string): FoldedText {
  const at: number[] = [];
  let text = '';
  for (let i = 0; i < raw.length; i++) {
    const c = raw[i]!;
    if (/\s/.test(c)) {
      if (text === '' || text.endsWith(' ')) continue;
      text += ' ';
      at.push(i);
      continue;
    }
    if (/[\p{Cc}\p{Cf}]/u.test(c)) continue;
    const same = ALIKE[c] ?? c.toLowerCase();
    text += same;
    for (let n = 0; n < same.length; n++) at.push(i);
  }
  return { text, at };
}

/** The words and numbers of a text in lower case, and where they stand. */
function placedWords(text: string): { word: string; start: number; end: number }[] {
  return [...text.matchAll(/\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{M}\p{N}]+/gu)].map((match) => ({
    word: match[0].normalize('NFKC').toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** The words and numbers of a text in lower case. */
export function wordsOf(text: string): string[] {
  return placedWords(text).map(({ word }) => word);
}

/** Stems of the content words of a text. */
export function contentTerms(text: string, language: Language): Set<string> {
  const functional = functionWords(language);
  const terms = new Set<string>();
  for (const word of wordsOf(text))
    if (!functional.has(word) && word.length > 1) terms.add(stem(word, language));
  return terms;
}

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

/** The sentence of the sources that shares most content words with `text`: what a missing quotation would have been. */
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

/** The words of a source that a quotation stands for. */
export function textOf({ source, start, end }: Pick<FoundQuote, 'source' | 'start' | 'end'>): string {
  return source.passage.text.slice(start, end);
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
  const own = placedWords(quote).slice(0, MOST_WORDS);
  const words = placedWords(source.passage.text);
  const pairs = align(
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
 * @returns for each word of the quotation that the source has, its place there
 */
function align(quote: readonly string[], source: readonly string[]): Map<number, number> {
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
  return pairs;
}
