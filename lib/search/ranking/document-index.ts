import { detectLanguage, eachWord, languageOf, LOOKED_AT, type Language } from '../../core/text/index.js';
import { Analyzer } from './analyzer.js';
import { Bm25 } from './bm25.js';
import { IndexBuilder, type InvertedIndex } from './inverted-index.js';
import { ANSWER_PASSAGE, MAX_SENTENCE, passageSpans, type PassageSize } from './passages.js';
import type { Span } from './sentences.js';
import { noWords, WordReader, type ReadWords } from './word-reader.js';
import { plainText } from '../plain-text.js';

/** A text of the host's that can be found. */
export interface SearchDocument {
  /** Absolute address; `source_url` of the result. */
  url: string;
  title?: string;
  /** The text; markup in it is removed. */
  text: string;
  /** ISO 8601 date or date-time. */
  publishedAt?: string;
  /** ISO 639-1; detected where it is absent. Other languages than the six are searched word for word. */
  language?: string;
}

/** A document that was found, with the passages that match best, best first. */
export interface FoundDocument {
  document: SearchDocument;
  /** Plain text. */
  title: string;
  /** Plain text, at most two, in the order of their relevance. */
  passages: string[];
  /** Relative to the best possible rank, 0..1. */
  score: number;
}

/**
 * What is ranked: long documents are cut into units of this many words, so that one chapter of a book can be found and a
 * page of normal length stays whole. The passages that are shown are cut from the best units when they are asked for.
 */
const UNIT: PassageSize = { min: 300, max: 400, overlap: 0 };
const TITLE_WEIGHT = 3;
/** Different words of a unit: at most one for so many characters of usual text. */
const CHARACTERS_A_WORD = 6;
const MOST_EXPECTED = 2 ** 26;
const PASSAGES_PER_DOCUMENT = 2;
/** Units looked at for passages, a document. */
const UNITS_PER_DOCUMENT = 3;

/** An index in memory over documents, built in slices that let other requests run. */
export class DocumentIndex {
  private constructor(
    private readonly documents: readonly SearchDocument[],
    private readonly texts: readonly string[],
    private readonly languages: readonly (Language | undefined)[],
    private readonly unitDocuments: Uint32Array,
    private readonly unitStarts: Uint32Array,
    private readonly unitEnds: Uint32Array,
    private readonly index: InvertedIndex,
    private readonly bm25: Bm25,
    private readonly analyzers: ReadonlyMap<Language | undefined, Analyzer>,
  ) {}

  /** @param pause gives way to other work when its slice is used up */
  static async build(
    documents: readonly SearchDocument[],
    pause: () => Promise<void> | undefined,
  ): Promise<DocumentIndex> {
    let characters = 0;
    for (const { text } of documents) characters += text.length;
    const reader = new WordReader();
    const titleWords = noWords();
    const textWords = noWords();
    const builder = new IndexBuilder(
      reader,
      Math.min(MOST_EXPECTED, Math.ceil(characters / CHARACTERS_A_WORD)),
    );
    const texts: string[] = [];
    const languages: (Language | undefined)[] = [];
    const unitDocuments: number[] = [];
    const unitStarts: number[] = [];
    const unitEnds: number[] = [];
    for (const [d, document] of documents.entries()) {
      const text = cleaned(document.text);
      reader.read(plainText(document.title ?? ''), titleWords);
      reader.read(text, textWords);
      const language = document.language
        ? languageOf(document.language)
        : (reader.languageOf([textWords], LOOKED_AT) ??
          (titleWords.length > 0 ? reader.languageOf([titleWords, textWords], LOOKED_AT) : undefined));
      texts.push(text);
      languages.push(language);
      for (const { start, end } of unitsOf(text, textWords)) {
        const fields = [
          { words: titleWords, start: 0, end: titleWords.length, weight: TITLE_WEIGHT },
          { words: textWords, start, end, weight: 1 },
        ];
        builder.add(fields, language);
        unitDocuments.push(d);
        unitStarts.push(start);
        unitEnds.push(end);
        const turn = pause();
        if (turn) await turn;
      }
    }
    const index = await builder.build(pause);
    await pause();
    const bm25 = new Bm25(index);
    const analyzers = new Map([...new Set(languages)].map((l) => [l, new Analyzer(l)] as const));
    return new DocumentIndex(
      documents,
      texts,
      languages,
      new Uint32Array(unitDocuments),
      new Uint32Array(unitStarts),
      new Uint32Array(unitEnds),
      index,
      bm25,
      analyzers,
    );
  }

  get size(): number {
    return this.documents.length;
  }

  /**
   * @param accepts documents that may be found at all
   * @returns at most `count` documents, best first; none when no word of the query occurs in the collection
   */
  search(
    query: string,
    count: number,
    accepts: (document: SearchDocument) => boolean = () => true,
  ): FoundDocument[] {
    const terms = this.termsOf(query);
    if (terms.size === 0) return [];
    const ranked = this.bm25.top(terms, Math.max(100, count * 4));
    const byDocument = new Map<number, { units: number[]; score: number }>();
    for (const { unit, score } of ranked) {
      const d = this.unitDocuments[unit]!;
      const entry = byDocument.get(d);
      if (!entry) byDocument.set(d, { units: [unit], score });
      else if (entry.units.length < UNITS_PER_DOCUMENT) entry.units.push(unit);
    }
    const found: FoundDocument[] = [];
    for (const [d, { units, score }] of byDocument) {
      if (found.length === count) break;
      const document = this.documents[d]!;
      if (!accepts(document)) continue;
      found.push({
        document,
        title: plainText(document.title ?? ''),
        passages: this.passages(terms, d, units),
        score,
      });
    }
    const best = found[0]?.score ?? 1;
    for (const f of found) f.score /= best;
    return found;
  }

  /** Terms of a query as every language of the collection writes them. */
  private termsOf(query: string): Map<number, number> {
    const lower = query.toLowerCase();
    const ids = new Map<number, number>();
    const ofQuery = detectLanguage(query);
    const languages = ofQuery && this.analyzers.has(ofQuery) ? [ofQuery] : [...this.analyzers.keys()];
    const collect = (languages: (Language | undefined)[]): void => {
      for (const language of languages) {
        const analyzer = this.analyzers.get(language)!;
        eachWord(lower, (word) => {
          const id = this.index.ids.get(analyzer.term(word) ?? '');
          if (id !== undefined) ids.set(id, 1);
        });
      }
    };
    collect(languages);
    // Names are the same in every language: a query in one of them may well find documents in another.
    if (ids.size === 0) collect([...this.analyzers.keys()]);
    return ids;
  }

  private passages(query: ReadonlyMap<number, number>, d: number, units: readonly number[]): string[] {
    const text = this.texts[d]!;
    const analyzer = this.analyzers.get(this.languages[d])!;
    const cut = units.flatMap((unit, rank) => {
      const offset = this.unitStarts[unit]!;
      const unitText = text.slice(offset, this.unitEnds[unit]!);
      return passageSpans(unitText, ANSWER_PASSAGE).map((span) => ({
        passage: unitText.slice(span.start, span.end),
        rank,
        at: offset + span.start,
      }));
    });
    // Most documents are short: of one passage nothing has to be counted.
    if (cut.length === 1) return [cut[0]!.passage].filter((p) => p !== '');
    const scored = cut.map((piece) => {
      const counts = new Map<number, number>();
      for (const term of analyzer.terms(piece.passage)) {
        const id = this.index.ids.get(term);
        if (id !== undefined && query.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
      }
      let score = 0;
      for (const [id, n] of counts) score += this.bm25.idf(id) * (n / (n + 1));
      return { ...piece, score };
    });
    scored.sort((a, b) => b.score - a.score || a.rank - b.rank || a.at - b.at);
    const best = scored.filter((s, i) => i === 0 || s.score > 0).slice(0, PASSAGES_PER_DOCUMENT);
    return best.map((s) => s.passage).filter((p) => p !== '');
  }
}

/** Where the units of a text stand in it; at least one. */
function unitsOf(text: string, { breaks, length }: ReadWords): Span[] {
  // Pieces of sentences end at characters between words, or else after `MAX_SENTENCE` of them: so few have no more words than a unit
  // must have, and their borders need not be looked for.
  const mostWords = breaks + 1 + Math.ceil(length / (MAX_SENTENCE - 1));
  if (mostWords < UNIT.min) return [{ start: 0, end: length }];
  const spans = passageSpans(text, UNIT);
  return spans.length > 0 ? spans : [{ start: 0, end: 0 }];
}

/** Keeps the host's own string where nothing had to be cleaned, so that the text is not held twice. */
function cleaned(raw: string): string {
  const text = plainText(raw);
  return text === raw ? raw : text;
}
