import { yielder } from '../../../core/async.js';
import { statedValues } from '../../../text/stated-values.js';
import { stem, WORD, words } from '../../../text/tokens.js';
import { stopwords } from '../../../text/stopwords.js';
import { type Language } from '../../../text/languages.js';
import type { Value } from '../../../text/read-values.js';
import type { Piece } from '../material.js';

/** A run of words of the transcript, end exclusive. */
export interface WordRange {
  from: number;
  to: number;
}

/** Where something was found. */
export interface Found {
  /** Index of the first word. */
  at: number;
  startMs: number;
  /** Share of the words that were found there, 0..1. */
  share: number;
}

/** Share of a quotation's words that must stand in order at one place. */
const QUOTE_SHARE = 0.8;
/** A window for a paraphrase is this many times as long as the paraphrase, at least `MIN_WINDOW` words. */
const WINDOW_FACTOR = 3;
const MIN_WINDOW = 40;
/** A word that stands in more places than this tells nothing about where something is said. */
const MAX_PLACES = 800;
/** Numbers are read in slices of this many characters. A slice overlaps the one before. */
const VALUE_SLICE = 4000;
const VALUE_OVERLAP = 80;
/** A link opens at the beginning of the sentence, at most this long before the words it rests on, ms. */
const SENTENCE_REACH_MS = 15_000;

/** Every word of a transcript with its place and time: what claims, quotations, numbers and names are checked against. */
export class TranscriptIndex {
  /** All words in lower case, in order. */
  readonly tokens: string[] = [];
  /** Every value that may be stated, with the words where it begins. */
  private readonly values = new Map<string, { value: Value; places: number[] }>();
  private readonly times: number[] = [];
  private readonly pieceStarts: number[] = [];
  private readonly places = new Map<string, number[]>();
  private readonly stems = new Map<string, number[]>();
  private readonly stemOf = new Map<string, string>();
  /** Indices of words that begin a sentence. */
  private readonly sentenceStarts: number[] = [];

  private constructor(
    readonly pieces: readonly Piece[],
    readonly language: Language | undefined,
  ) {}

  /** Builds the index, giving way to other requests meanwhile. */
  static async build(
    pieces: readonly Piece[],
    language: Language | undefined,
    signal?: AbortSignal,
  ): Promise<TranscriptIndex> {
    const index = new TranscriptIndex(pieces, language);
    const pause = yielder(12, signal);
    let text = '';
    /** Where each word begins in the text. */
    const starts: number[] = [];
    for (const piece of pieces) {
      for (const start of index.addPiece(piece)) starts.push(text.length + start);
      text += `${piece.text} `;
      await pause();
    }
    for (let from = 0; from < text.length; from += VALUE_SLICE) {
      // A slice begins at a word, so that no number is cut.
      const start = starts[firstFrom(starts, from - VALUE_OVERLAP)] ?? text.length;
      for (const value of statedValues(text.slice(start, from + VALUE_SLICE), language ?? 'en'))
        index.addValue(value, firstFrom(starts, start + value.start));
      await pause();
    }
    for (const { places } of index.values.values()) places.sort((a, b) => a - b);
    return index;
  }

  /** The words of the pieces `from` (inclusive) to `to` (exclusive). */
  rangeOfPieces(from: number, to: number): WordRange {
    return { from: this.pieceStarts[from] ?? 0, to: this.pieceStarts[to] ?? this.tokens.length };
  }

  /** The words that are said between two times, ms. */
  rangeOfTimes(fromMs: number, toMs: number): WordRange {
    return { from: firstFrom(this.times, fromMs), to: firstFrom(this.times, toMs) };
  }

  /** The values that a range may state, each once. */
  valuesIn(range: WordRange): Value[] {
    return [...this.values.values()]
      .filter(({ places }) => hasPlaceIn(places, range))
      .map(({ value }) => value);
  }

  /** Whether a number is stated anywhere; small ones are everywhere and do not count. */
  states(number: number): boolean {
    return number > 10 && this.valuesIn(this.whole).some(({ readings }) => readings.includes(number));
  }

  get whole(): WordRange {
    return { from: 0, to: this.tokens.length };
  }

  /** Time at which a word is said, ms. */
  timeOf(wordIndex: number): number {
    return this.times[wordIndex] ?? 0;
  }

  /** Time at which the sentence of a word begins, ms. Without punctuation, or if it begins long before, the time of its piece. */
  sentenceTimeOf(wordIndex: number): number {
    const at = this.timeOf(wordIndex);
    const sentence = this.sentenceStarts[firstFrom(this.sentenceStarts, wordIndex + 1) - 1];
    const piece = this.pieceStarts[firstFrom(this.pieceStarts, wordIndex + 1) - 1];
    const near = (start: number | undefined): boolean =>
      start !== undefined && at - this.timeOf(start) <= SENTENCE_REACH_MS;
    return near(sentence) ? this.timeOf(sentence!) : near(piece) ? this.timeOf(piece!) : at;
  }

  /** Finds a quotation: at least eight of ten words in order at one place. Undefined where it is not. */
  findQuote(quote: string, range: WordRange, nearMs?: number): Found | undefined {
    const wanted = words(quote);
    if (wanted.length === 0) return undefined;
    const starts = new Map<number, number>();
    let counted = 0;
    wanted.forEach((word, offset) => {
      const places = this.places.get(word);
      if (!places || places.length > MAX_PLACES) return;
      counted++;
      forPlacesIn(places, range, (place) => {
        const start = place - offset;
        starts.set(start, (starts.get(start) ?? 0) + 1);
      });
    });
    if (counted === 0) return undefined;
    let best: Found | undefined;
    for (const [start, agreeing] of starts) {
      if (agreeing < (counted * QUOTE_SHARE) / 3) continue;
      const found = this.quoteAt(wanted, start, range);
      if (
        found &&
        (!best || found.share > best.share || (found.share === best.share && nearer(found, best, nearMs)))
      )
        best = found;
    }
    return best;
  }

  private quoteAt(wanted: readonly string[], start: number, range: WordRange): Found | undefined {
    // One word left out or added shifts the rest by one.
    let hits = 0;
    for (let i = 0; i < wanted.length; i++) {
      const at = start + i;
      const word = wanted[i];
      if (this.tokens[at] === word || this.tokens[at + 1] === word || this.tokens[at - 1] === word) hits++;
    }
    const share = hits / wanted.length;
    if (share < QUOTE_SHARE) return undefined;
    const at = Math.max(range.from, start);
    return { at, startMs: this.timeOf(at), share };
  }

  /**
   * Finds where most of the content words of a statement stand together.
   * @returns undefined when it has none, or only such as stand everywhere
   */
  locate(statement: string, range: WordRange): Found | undefined {
    const wanted = new Set(
      [...this.contentStems(statement)].filter((one) => (this.stems.get(one)?.length ?? 0) <= MAX_PLACES),
    );
    if (wanted.size === 0) return undefined;
    const hits: { at: number; stem: string }[] = [];
    for (const one of wanted) {
      const places = this.stems.get(one);
      if (places) forPlacesIn(places, range, (at) => hits.push({ at, stem: one }));
    }
    hits.sort((a, b) => a.at - b.at);
    const width = Math.max(MIN_WINDOW, WINDOW_FACTOR * words(statement).length);
    const inside = new Map<string, number>();
    let best: (Found & { span: number }) | undefined;
    for (let left = 0, right = 0; right < hits.length; right++) {
      const hit = hits[right]!;
      inside.set(hit.stem, (inside.get(hit.stem) ?? 0) + 1);
      // Drops words that are too far away, and those that occur again later in the window: the narrowest window has the true time.
      for (let first = hits[left]!; hit.at - first.at >= width || inside.get(first.stem)! > 1;) {
        const count = inside.get(first.stem)! - 1;
        if (count === 0) inside.delete(first.stem);
        else inside.set(first.stem, count);
        first = hits[++left]!;
      }
      const share = inside.size / wanted.size;
      const at = hits[left]!.at;
      const span = hit.at - at;
      if (!best || share > best.share || (share === best.share && span < best.span)) {
        best = { at, startMs: this.timeOf(at), share, span };
      }
    }
    return best;
  }

  /**
   * Share of the content words of a statement that are said anywhere, 0..1.
   * @param known words that count as said: those of title and chapters
   * @returns undefined where it has fewer than three
   */
  shareSaid(statement: string, known: ReadonlySet<string>): number | undefined {
    const wanted = this.contentStems(statement);
    if (wanted.size < 3) return undefined;
    const knownStems = new Set([...known].map((word) => this.toStem(word)));
    let said = 0;
    for (const one of wanted) if (this.stems.has(one) || knownStems.has(one)) said++;
    return said / wanted.size;
  }

  /** Whether a word or another form of it stands in the range. */
  hasWord(word: string, range: WordRange): boolean {
    const lower = word.toLowerCase();
    return hasPlaceIn(this.places.get(lower), range) || hasPlaceIn(this.stems.get(this.toStem(lower)), range);
  }

  /** Whether a word with this stem is said anywhere. */
  hasStem(stemmed: string): boolean {
    return this.stems.has(stemmed);
  }

  placesOf(word: string): readonly number[] {
    return this.places.get(word) ?? [];
  }

  vocabulary(): IterableIterator<string> {
    return this.places.keys();
  }

  /** Stems of the words of a text that carry its sense. */
  contentStems(text: string): Set<string> {
    const stops = this.language ? stopwords(this.language) : new Set<string>();
    return new Set(
      words(text)
        .filter((word) => word.length > 2 && !stops.has(word))
        .map((word) => this.toStem(word)),
    );
  }

  private toStem(word: string): string {
    if (!this.language) return word;
    let stemmed = this.stemOf.get(word);
    if (stemmed === undefined) this.stemOf.set(word, (stemmed = stem(word, this.language)));
    return stemmed;
  }

  private addValue(value: Value, at: number): void {
    const { kind, readings, unit, bound, isMultiple } = value;
    const key = [kind, ...readings, unit?.dimension, unit?.factor, bound, isMultiple].join(' ');
    const known = this.values.get(key);
    if (known) known.places.push(at);
    else this.values.set(key, { value, places: [at] });
  }

  /** @returns where each of its words begins in its text */
  private addPiece(piece: Piece): number[] {
    const from = this.tokens.length;
    this.pieceStarts.push(from);
    const own = [...piece.text.matchAll(WORD)];
    const msPerWord = (piece.endMs - piece.startMs) / Math.max(1, own.length);
    own.forEach((match, i) => {
      const word = match[0].toLowerCase();
      this.tokens.push(word);
      this.times.push(Math.round(piece.startMs + i * msPerWord));
      push(this.places, word, from + i);
      push(this.stems, this.toStem(word), from + i);
      // `maria's`, `l'accord`, `covid-19`
      if (!/['’-]/.test(word)) return;
      for (const part of new Set(word.split(/['’-]/))) {
        if (part.length < 2) continue;
        push(this.places, part, from + i);
        push(this.stems, this.toStem(part), from + i);
      }
    });
    this.addSentenceStarts(piece.text, from);
    return own.map(({ index }) => index);
  }

  /** After an end mark and a blank, and where the piece after an end mark begins. */
  private addSentenceStarts(text: string, from: number): void {
    let word = from;
    for (const sentence of text.split(/(?<=[.!?…]["'»”)]?)\s+/u)) {
      word += words(sentence).length;
      if (/[.!?…]["'»”)]?$/u.test(sentence.slice(-3)) && word > (this.sentenceStarts.at(-1) ?? 0))
        this.sentenceStarts.push(word);
    }
  }
}

function push(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Index of the first value at or after `from`; values are ascending. */
export function firstFrom(values: readonly number[], from: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

function forPlacesIn(places: readonly number[], range: WordRange, visit: (place: number) => void): void {
  for (let i = firstFrom(places, range.from); i < places.length && places[i]! < range.to; i++)
    visit(places[i]!);
}

/** True when one of the ascending places is in a range. */
export function hasPlaceIn(places: readonly number[] | undefined, range: WordRange): boolean {
  if (!places) return false;
  const place = places[firstFrom(places, range.from)];
  return place !== undefined && place < range.to;
}

function nearer(a: Found, b: Found, toMs: number | undefined): boolean {
  return toMs !== undefined && Math.abs(a.startMs - toMs) < Math.abs(b.startMs - toMs);
}
