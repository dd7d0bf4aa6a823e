import { yielder } from '../core/async.js';
import { eachWordSpan } from '../text/each-word.js';
import type { Language } from '../text/languages.js';
import { sentenceSpans, type SentenceSpan } from '../text/sentences.js';
import { statedValues, type Value } from '../text/read-values.js';
import { stem } from '../text/tokens.js';
import { functionWords } from '../text/word-lists.js';
import { NameIndex } from './names.js';
import { ValueIndex } from './value-index.js';

/** A text that statements may rest on: a passage of a page, or the transcript of a video. */
export interface EvidenceText {
  text: string;
  /** Words that count as said but cannot be quoted: title, date, host; of a video title, channel and chapters. Default none. */
  about?: string;
  /** Undefined where the text does not tell. */
  language?: Language;
}

/** Where words stand: characters `[start, end)` of the text of a source. */
export interface Place {
  /** Index of the source. */
  source: number;
  start: number;
  end: number;
}

/** A piece of a transcript. */
export interface SpokenPiece {
  text: string;
  startMs: number;
  endMs: number;
}

/** How many of a statement's words a source has. */
export interface Overlap {
  /** Share of the statement's content words in the stretch of the source that has most of them, 0..1; long words count more. */
  together: number;
  /** Share of them anywhere in the source, 0..1. */
  anywhere: number;
  /** How many content words the statement has. */
  words: number;
  /** That stretch, from its first to its last word of the statement. */
  place: Place;
}

/** A text as it is searched. */
export interface Source extends EvidenceText {
  readonly index: number;
  /** The language in which it is read. */
  readonly reading: Language | undefined;
  readonly sentences: readonly SentenceSpan[];
  readonly names: NameIndex;
  readonly values: ValueIndex;
  /** The values that its text states, where they stand. */
  readonly stated: readonly Value[];
}

/** Names and values are read in slices of about this many characters; set by hand. */
const SLICE = 4000;
/** How far behind the end of a slice the end of a line or sentence is looked for, characters; a plain bound. */
const NEAR_END = 500;
/** A word in more places than this says nothing about where a statement stands; a plain bound. */
const MOST_PLACES = 800;
/** The stretch in which a statement's words are looked for is this many times as long as they are, and at least so many words; set by hand. */
const STRETCH = 3;
const LEAST_STRETCH = 40;
/** Between the words of two sources, so that no stretch reaches from one into the next; set by hand. */
const GAP = 1000;
/** Stems are compared as far as this: "installation" and "installing"; set by hand. */
const STEM = 6;
/** A content word counts by its letters, up to this many; set by hand. */
const MOST_WEIGHT = 8;
/** A link opens at the beginning of a sentence that begins at most this long before the words, ms; set by hand. */
const SENTENCE_REACH_MS = 15_000;

/** Texts with an index of their words, values and names: what statements are compared with. Built in linear time. */
export class Evidence {
  readonly sources: Source[] = [];
  /** Every word in lower case; empty places lie between sources. */
  readonly words: string[] = [];
  /** Where each word begins in its source. */
  private readonly starts: number[] = [];
  /** The first word of each source. */
  private readonly firstWords: number[] = [];
  private readonly placesOfWord = new Map<string, number[]>();
  private readonly placesOfTerm = new Map<string, number[]>();
  private readonly terms = new Map<string, string>();
  private pieces: readonly (SpokenPiece & { start: number })[] = [];

  private constructor(
    /** True for a transcript: names may be misheard, numbers shortened. */
    readonly isSpoken: boolean,
  ) {}

  /**
   * @param language in which a text is read that does not tell its own
   * @throws the signal's reason when it fires meanwhile
   */
  static async of(
    texts: readonly EvidenceText[],
    language: Language | undefined,
    signal?: AbortSignal,
  ): Promise<Evidence> {
    const evidence = new Evidence(false);
    const pause = yielder(signal);
    for (const text of texts) await evidence.add(text, language, pause);
    return evidence;
  }

  /**
   * A transcript as one source, whose places have a time.
   * @param about title, channel and chapters
   * @param language undefined where it is none of the six: then only quotations can be looked up
   * @throws the signal's reason when it fires meanwhile
   */
  static async ofTranscript(
    pieces: readonly SpokenPiece[],
    about: string,
    language: Language | undefined,
    signal?: AbortSignal,
  ): Promise<Evidence> {
    const evidence = new Evidence(true);
    let length = 0;
    evidence.pieces = pieces.map((piece) => {
      const start = length;
      length += piece.text.length + 1;
      return { ...piece, start };
    });
    const text = pieces.map((piece) => piece.text).join(' ');
    await evidence.add({ text, about, ...(language ? { language } : {}) }, language, yielder(signal));
    return evidence;
  }

  private async add(
    given: EvidenceText,
    language: Language | undefined,
    pause: () => Promise<void> | undefined,
  ): Promise<void> {
    const reading = given.language ?? language;
    const [names, values] = [new NameIndex(this.isSpoken), new ValueIndex()];
    const sentences = sentenceSpans(given.text);
    this.firstWords.push(this.words.length);
    for (const { text, start } of slices(given.text)) {
      this.addWords(text, start, reading);
      await pause();
    }
    const stated: Value[] = [];
    for (const part of [given.text, given.about ?? ''])
      for (const { text, start } of slices(part)) {
        for (const value of statedValues(text, reading ?? 'en')) {
          values.add(value);
          if (part === given.text)
            stated.push({ ...value, start: start + value.start, end: start + value.end });
        }
        names.add(text);
        await pause();
      }
    const index = this.sources.length;
    this.sources.push({ ...given, index, reading, sentences, names, values, stated });
    this.words.length += GAP;
    this.starts.length += GAP;
  }

  private addWords(text: string, start: number, language: Language | undefined): void {
    const lower = lowerCase(text);
    eachWordSpan(lower, (from, to) => {
      const word = lower.slice(from, to);
      const at = this.words.length;
      this.words.push(word);
      this.starts.push(start + from);
      push(this.placesOfWord, word, at);
      const term = this.termOf(word, language);
      if (term) push(this.placesOfTerm, term, at);
    });
  }

  /** A content word without its ending; empty for a function word. */
  private termOf(word: string, language: Language | undefined): string {
    const key = `${language} ${word}`;
    let term = this.terms.get(key);
    if (term === undefined) {
      const isContent = word.length > 1 && !(language && functionWords(language).has(word));
      term = isContent ? (language ? stem(word, language) : word).slice(0, STEM) : '';
      this.terms.set(key, term);
    }
    return term;
  }

  /** The content words of a text without their endings, each once with what it counts. */
  contentTerms(text: string, language: Language | undefined): Map<string, number> {
    const terms = new Map<string, number>();
    const lower = lowerCase(text);
    eachWordSpan(lower, (from, to) => {
      const term = this.termOf(lower.slice(from, to), language);
      if (term) terms.set(term, Math.min(MOST_WEIGHT, to - from));
    });
    return terms;
  }

  /** Where a word stands, as places in {@link words}, ascending. */
  placesOf(word: string): readonly number[] {
    return this.placesOfWord.get(word) ?? [];
  }

  /** The stretch of words `[from, to)` of one source as a place. */
  placeOf(from: number, to: number): Place {
    const source = firstFrom((i) => this.firstWords[i]!, from + 1, 0, this.firstWords.length) - 1;
    const start = this.starts[from] ?? this.sources[source]!.text.length;
    const last = to - 1;
    return { source, start, end: to > from ? this.starts[last]! + this.words[last]!.length : start };
  }

  /** The words `[from, to)` that a place covers. */
  wordsAt({ source, start, end }: Place): { from: number; to: number } {
    const { from, to } = this.wordsOf(source);
    const startOf = (at: number): number => this.starts[at]!;
    return { from: firstFrom(startOf, start, from, to), to: firstFrom(startOf, end, from, to) };
  }

  textAt({ source, start, end }: Place): string {
    return this.sources[source]!.text.slice(start, end);
  }

  /** The whole sentences that a place lies in. */
  sentencesAt({ source, start, end }: Place): Place {
    const { sentences } = this.sources[source]!;
    const first = sentences[firstFrom((at) => sentences[at]!.end, start + 1, 0, sentences.length)];
    const last =
      sentences[firstFrom((at) => sentences[at]!.start, Math.max(end, start + 1), 0, sentences.length) - 1];
    return { source, start: Math.min(start, first?.start ?? start), end: Math.max(end, last?.end ?? end) };
  }

  /**
   * How many of a statement's words each source has, and where most of them stand together. Empty where languages differ or are not known, and for
   * a statement without content words.
   *
   * @param language of the statement
   * @param given words that count as found
   * @param within the stretch must lie in this place; default: anywhere
   */
  overlaps(statement: string, language: Language | undefined, given = '', within?: Place): Overlap[] {
    const free = this.contentTerms(given, language);
    const terms = this.contentTerms(statement, language);
    return this.sources.flatMap((source) => {
      if (!language || source.reading !== language || terms.size === 0) return [];
      if (within && within.source !== source.index) return [];
      return [this.stretch(terms, free, within ? this.wordsAt(within) : this.wordsOf(source.index))];
    });
  }

  /** The stretch of words `[from, to)` that has most of the terms; of several the shortest. */
  private stretch(
    terms: ReadonlyMap<string, number>,
    free: ReadonlyMap<string, number>,
    { from, to }: { from: number; to: number },
  ): Overlap {
    const hits: { term: string; at: number }[] = [];
    let [total, everywhere, anywhere] = [0, 0, 0];
    for (const [term, weight] of terms) {
      const places = this.placesOfTerm.get(term) ?? [];
      const first = firstFrom((i) => places[i]!, from, 0, places.length);
      const last = firstFrom((i) => places[i]!, to, first, places.length);
      total += weight;
      if (last > first || free.has(term)) anywhere += weight;
      if (last - first > MOST_PLACES || free.has(term)) everywhere += weight;
      else for (let i = first; i < last; i++) hits.push({ term, at: places[i]! });
    }
    hits.sort((a, b) => a.at - b.at);
    const width = Math.max(LEAST_STRETCH, STRETCH * terms.size);
    const inside = new Map<string, number>();
    let weight = everywhere;
    let best = { weight: everywhere, from, to: from };
    let left = 0;
    for (const hit of hits) {
      const count = inside.get(hit.term) ?? 0;
      inside.set(hit.term, count + 1);
      if (count === 0) weight += terms.get(hit.term)!;
      // Words that are too far away, and those that come again later in the stretch.
      while (hit.at - hits[left]!.at >= width || inside.get(hits[left]!.term)! > 1) {
        const { term } = hits[left++]!;
        const others = inside.get(term)! - 1;
        inside.set(term, others);
        if (others === 0) weight -= terms.get(term)!;
      }
      const stretch = { weight, from: hits[left]!.at, to: hit.at + 1 };
      const isShorter = stretch.to - stretch.from < best.to - best.from;
      if (weight > best.weight || (weight === best.weight && isShorter)) best = stretch;
    }
    const place = this.placeOf(best.from, best.to);
    return { together: best.weight / total, anywhere: anywhere / total, words: terms.size, place };
  }

  private wordsOf(source: number): { from: number; to: number } {
    const next = this.firstWords[source + 1] ?? this.words.length;
    return { from: this.firstWords[source]!, to: next - GAP };
  }

  /** All of a source; of a transcript, there is only one. */
  wholeOf(source = 0): Place {
    return { source, start: 0, end: this.sources[source]!.text.length };
  }

  /** The part of a transcript between two times, ms. */
  between(fromMs: number, toMs: number): Place {
    const first = firstFrom((i) => this.pieces[i]!.endMs, fromMs + 1, 0, this.pieces.length);
    const next = this.pieces[firstFrom((i) => this.pieces[i]!.startMs, toMs, 0, this.pieces.length)];
    const { length } = this.sources[0]!.text;
    return { source: 0, start: this.pieces[first]?.start ?? length, end: next?.start ?? length };
  }

  /** When a place of a transcript begins, ms. */
  timeOf({ start }: Place): number {
    const piece = this.pieceAt(start);
    if (!piece) return 0;
    const share = Math.min(1, (start - piece.start) / Math.max(1, piece.text.length));
    return Math.round(piece.startMs + share * (piece.endMs - piece.startMs));
  }

  /** When the sentence of a place begins, ms. Without punctuation, or where it begins long before, the time of its piece. */
  sentenceTimeOf(place: Place): number {
    const at = this.timeOf(place);
    const { start } = this.sentencesAt(place);
    const begin = start > 0 ? this.timeOf({ ...place, start }) : -Infinity;
    return at - begin <= SENTENCE_REACH_MS ? begin : (this.pieceAt(place.start)?.startMs ?? at);
  }

  private pieceAt(start: number): (SpokenPiece & { start: number }) | undefined {
    return this.pieces[firstFrom((i) => this.pieces[i]!.start, start + 1, 0, this.pieces.length) - 1];
  }
}

/** Parts of a text with their places. They end between words, and at the end of a line or sentence where one is near, so that no value is cut. */
function* slices(text: string): Generator<{ text: string; start: number }> {
  for (let start = 0; start < text.length;) {
    const rest = text.slice(start + SLICE, start + SLICE + NEAR_END);
    const end = /^[^]*?(?:\n|[.!?]\s)/.exec(rest) ?? /^\S*/.exec(rest)!;
    const next = start + SLICE + end[0].length;
    yield { text: text.slice(start, next), start };
    start = next;
  }
}

/** In lower case, each character at the place that it has in the text. */
export function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return [...text].map((c) => (c.toLowerCase().length === c.length ? c.toLowerCase() : c)).join('');
}

/** The first of the numbers `[from, to)` whose ascending value reaches `wanted`; `to` where none does. */
export function firstFrom(valueOf: (at: number) => number, wanted: number, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueOf(middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function push(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
