import { yielder } from '../../../core/async.js';
import { spokenNumbers, stem, stopwords, words, type Language } from '../../../core/text/index.js';
import type { Piece } from '../piece.js';

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
  /** Share of what was looked for that is there, 0..1. */
  share: number;
}

/** Share of a quotation's words that must stand in order at one place. */
const QUOTE_SHARE = 0.8;
/** A window for a paraphrase is so many times as long as the paraphrase, at least `MIN_WINDOW` words. */
const WINDOW_FACTOR = 3;
const MIN_WINDOW = 40;
/** A word that stands in more places than this tells nothing about where a quotation is. */
const MAX_PLACES = 3000;

/** Every word of a transcript with its place and time: what claims, quotations and numbers are checked against. */
export class TranscriptIndex {
  private readonly tokens: string[] = [];
  private readonly times: number[] = [];
  private readonly pieceStarts: number[] = [];
  private readonly places = new Map<string, number[]>();
  private readonly stems = new Map<string, number[]>();
  private readonly numbers = new Map<string, number[]>();
  private readonly stemOf = new Map<string, string>();

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
    for (const piece of pieces) {
      index.addPiece(piece);
      await pause();
    }
    return index;
  }

  /** The words of the pieces `from` (inclusive) to `to` (exclusive). */
  rangeOfPieces(from: number, to: number): WordRange {
    return { from: this.pieceStarts[from] ?? 0, to: this.pieceStarts[to] ?? this.tokens.length };
  }

  get whole(): WordRange {
    return { from: 0, to: this.tokens.length };
  }

  /** Time at which a word is said, ms. */
  timeOf(wordIndex: number): number {
    return this.times[wordIndex] ?? 0;
  }

  /** The words from a place on, for quoting. */
  textAt(at: number, count: number, range: WordRange): string {
    return this.tokens.slice(at, Math.min(at + count, range.to)).join(' ');
  }

  /** Finds a quotation: at least eight of ten words in order at one place. Undefined where it is not. */
  findQuote(quote: string, range: WordRange, nearMs?: number): Found | undefined {
    const wanted = words(quote);
    if (wanted.length === 0) return undefined;
    const starts = new Map<number, number>();
    wanted.forEach((word, offset) => {
      const places = this.places.get(word);
      if (!places || places.length > MAX_PLACES) return;
      forPlacesIn(places, range, (place) => {
        const start = place - offset;
        starts.set(start, (starts.get(start) ?? 0) + 1);
      });
    });
    let best: Found | undefined;
    for (const [start, agreeing] of starts) {
      if (agreeing < (wanted.length * QUOTE_SHARE) / 3) continue;
      // One word left out or added shifts the rest by one.
      let hits = 0;
      for (let i = 0; i < wanted.length; i++) {
        const at = start + i;
        const word = wanted[i];
        if (this.tokens[at] === word || this.tokens[at + 1] === word || this.tokens[at - 1] === word) hits++;
      }
      const share = hits / wanted.length;
      if (share < QUOTE_SHARE) continue;
      const at = Math.max(range.from, start);
      const found = { at, startMs: this.timeOf(at), share };
      if (!best || share > best.share || (share === best.share && nearer(found, best, nearMs))) best = found;
    }
    return best;
  }

  /** Finds where most of the content words of a statement stand together. Undefined when it has none. */
  locate(statement: string, range: WordRange): Found | undefined {
    const wanted = this.contentStems(statement);
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
      // What is too far away goes, and what stands in the window once more further on: the narrowest window has the true time.
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

  /** True when a number stands in the range, in digits or spoken. */
  hasNumber(normalised: string, range: WordRange): boolean {
    return hasPlaceIn(this.numbers.get(normalised), range);
  }

  /** True when a word, another form of it, or a spelling one letter off stands in the range. */
  hasWord(word: string, range: WordRange): boolean {
    const lower = word.toLowerCase();
    if (hasPlaceIn(this.places.get(lower), range) || hasPlaceIn(this.stems.get(this.toStem(lower)), range))
      return true;
    if (lower.length < 5) return false;
    for (const [candidate, places] of this.places) {
      if (isOneLetterOff(lower, candidate) && hasPlaceIn(places, range)) return true;
    }
    return this.hasSplitWord(lower, range);
  }

  /** Speech recognition writes unknown names in pieces: `kuber netes`. */
  private hasSplitWord(word: string, range: WordRange): boolean {
    for (let cut = 2; cut <= word.length - 2; cut++) {
      const rest = word.slice(cut);
      let found = false;
      const places = this.places.get(word.slice(0, cut));
      if (places) forPlacesIn(places, range, (at) => (found ||= this.tokens[at + 1] === rest));
      if (found) return true;
    }
    return false;
  }

  private contentStems(text: string): Set<string> {
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

  private addPiece(piece: Piece): void {
    const from = this.tokens.length;
    this.pieceStarts.push(from);
    const own = words(piece.text);
    const msPerWord = (piece.endMs - piece.startMs) / Math.max(1, own.length);
    own.forEach((word, i) => {
      this.tokens.push(word);
      this.times.push(Math.round(piece.startMs + i * msPerWord));
      push(this.places, word, from + i);
      push(this.stems, this.toStem(word), from + i);
    });
    for (const number of digitsIn(piece.text)) push(this.numbers, number, from);
    if (!this.language) return;
    for (const { index, value } of spokenNumbers(own, this.language))
      push(this.numbers, String(value), from + index);
  }
}

/** The numbers written in digits in a text: thousands separators dropped, the decimal sign a point. */
export function digitsIn(text: string): string[] {
  return (text.match(/\d[\d.,'’]*/g) ?? []).map((raw) =>
    raw
      .replace(/[.,'’]+$/, '')
      .replace(/[.,'’](?=\d{3}(?!\d))/g, '')
      .replace(',', '.'),
  );
}

function push(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Index of the first place at or after `from`; places are ascending. */
function firstFrom(places: readonly number[], from: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

function forPlacesIn(places: readonly number[], range: WordRange, visit: (place: number) => void): void {
  for (let i = firstFrom(places, range.from); i < places.length && places[i]! < range.to; i++)
    visit(places[i]!);
}

function hasPlaceIn(places: readonly number[] | undefined, range: WordRange): boolean {
  if (!places) return false;
  const place = places[firstFrom(places, range.from)];
  return place !== undefined && place < range.to;
}

function nearer(a: Found, b: Found, toMs: number | undefined): boolean {
  return toMs !== undefined && Math.abs(a.startMs - toMs) < Math.abs(b.startMs - toMs);
}

/** One letter replaced, added or left out. */
function isOneLetterOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  const longer = a.length >= b.length ? a : b;
  const shorter = longer === a ? b : a;
  return longer.slice(i + 1) === shorter.slice(longer.length === shorter.length ? i + 1 : i);
}
