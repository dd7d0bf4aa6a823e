import { LOOKED_AT } from '../../core/text/detect-language.js';
import { languageOf, type Language } from '../../core/text/languages.js';
import { stopwords } from '../../core/text/stopwords.js';
import { readAllBlocks, readBlocks, structuredText, type Block } from '../page-blocks.js';
import { oneLine } from '../plain-text.js';
import { Analyzer } from './analyzer.js';
import { Bm25, type CollectionStatistics } from './bm25.js';
import { IndexBuilder, type InvertedIndex, type UnitField } from './inverted-index.js';
import { fuse, type FusedDocument, type NearDocument, type RankedDocument } from './fusion.js';
import { COMMON_WORD, isLongQuery, rankForLongQuery } from './long-query.js';
import { PieceMatch, piecesOf, weighted } from './pieces.js';
import { queryTerms, type QueryTerm } from './query-terms.js';
import { unitsOf } from './units.js';
import { noWords, WordReader, type ReadWords } from './word-reader.js';

/** A text of the host's that can be found. */
export interface SearchDocument {
  /** Absolute address; `source_url` of the result. */
  url: string;
  title?: string;
  /** Markdown, plain text or HTML. */
  text: string;
  /** ISO 8601 date or date-time. Of two versions of a page the newer one comes first. */
  publishedAt?: string;
  /** ISO 639-1; detected where it is absent. Other languages than the six are searched word for word. */
  language?: string;
}

/** A document that was found. */
export interface FoundDocument {
  document: SearchDocument;
  /** One line of plain text. */
  title: string;
  /** Markdown or plain text: all of a short document, of a long one the parts that match best, best first. */
  excerpts: string[];
  /**
   * How much of the query the document meets, 0..1, 3 decimals: near 0 where it is about something else. Depends on the query, the document
   * and the collection alone, not on how many are asked for.
   */
  score: number;
}

const TITLE_WEIGHT = 2;
/** Different words of a unit: at most one for so many characters of usual text. */
const CHARACTERS_A_WORD = 6;
const MOST_EXPECTED = 2 ** 26;
/** Units that BM25 hands on, and documents whose sentences are looked at: with 12 or 30 of them the same pages come first. */
const DEPTH = 100;
const LOOKED_INTO = 15;
/** What the best sentence of a document adds to the BM25 score of the whole. */
const BY_SENTENCE = 0.5;
const MOST_EXCERPTS = 2;
/**
 * A document bears no relation to the query that meets less than this share of it, or of what the best one meets: so low lies no right page of
 * the everyday questions (`npm run bench:search`), and half of what would fill up a list.
 */
const LEAST_SHARE = 0.02;
const LEAST_OF_BEST = 0.2;
/** The share of a query at which the score is a little more than half. */
const HALF = 0.3;
/** Anything that makes a text more than one paragraph of words, and the length from which it is read in slices, characters. */
const MAX_PLAIN = 20_000;
const STRUCTURED = /[\n\r#*_`|<>&[\]\\~\u2028\u2029]/;

/** Where the units of all documents stand. */
interface UnitTable {
  documents: Uint32Array;
  starts: Uint32Array;
  ends: Uint32Array;
  /** Markdown that belongs before a unit; only of those that have any. */
  contexts: ReadonlyMap<number, string>;
}

/**
 * An index in memory over documents, built in slices that let other requests run. It finds documents and scores them; what is shown of them
 * is chosen later (`select-passages.ts`), for these and for pages of any other origin alike.
 */
export class DocumentIndex {
  private readonly bm25: Bm25;

  private constructor(
    readonly documents: readonly SearchDocument[],
    /** The documents' texts, in which units are counted; the very strings of the host where nothing had to be changed. */
    readonly texts: readonly string[],
    private readonly languages: readonly (Language | undefined)[],
    private readonly units: UnitTable,
    private readonly index: InvertedIndex,
    private readonly analyzers: ReadonlyMap<Language | undefined, Analyzer>,
    private readonly collection: CollectionStatistics | undefined,
  ) {
    this.bm25 = new Bm25(index, collection);
  }

  /**
   * @param pause gives way to other work when its slice is used up
   * @param collection that the documents were chosen from. Default: they are all there is
   */
  static async build(
    documents: readonly SearchDocument[],
    pause: () => Promise<void> | undefined,
    collection?: CollectionStatistics,
  ): Promise<DocumentIndex> {
    let characters = 0;
    for (const { text } of documents) characters += text.length;
    const reader = new WordReader();
    const builder = new IndexBuilder(
      reader,
      Math.min(MOST_EXPECTED, Math.ceil(characters / CHARACTERS_A_WORD)),
    );
    const [title, year, headings, body] = [noWords(), noWords(), noWords(), noWords()];
    const texts: string[] = [];
    const languages: (Language | undefined)[] = [];
    const unitDocuments: number[] = [];
    const starts: number[] = [];
    const ends: number[] = [];
    const contexts = new Map<number, string>();
    for (const [d, document] of documents.entries()) {
      const isPlain = document.text.length <= MAX_PLAIN && !STRUCTURED.test(document.text);
      const text = isPlain ? document.text : structuredText(document.text);
      const blocks = isPlain ? undefined : await readAllBlocks(text, {}, pause);
      const titleText = oneLine(document.title ?? '');
      reader.read(titleText, title);
      // "The market of 2023" is told by the date as often as by the text.
      const published = document.publishedAt?.slice(0, 4) ?? '';
      reader.read(published, year);
      texts.push(text === document.text ? document.text : text);
      for (const unit of unitsOf(text, blocks)) {
        reader.read(unit.headings, headings);
        reader.read(unit.body, body);
        languages[d] ??= languageIn(document, reader, title, body);
        const fields: UnitField[] = [
          { text: titleText, words: title, weight: TITLE_WEIGHT },
          { text: unit.headings, words: headings, weight: 1 },
          { text: published, words: year, weight: 1 },
          { text: unit.body, words: body, weight: 1 },
        ];
        const u = builder.add(fields, languages[d]);
        unitDocuments.push(d);
        starts.push(unit.start);
        ends.push(unit.end);
        if (unit.context !== '') contexts.set(u, unit.context);
        const turn = pause();
        if (turn) await turn;
      }
    }
    const index = await builder.build(pause);
    await pause();
    const units = {
      documents: Uint32Array.from(unitDocuments),
      starts: Uint32Array.from(starts),
      ends: Uint32Array.from(ends),
      contexts,
    };
    const known = Array.from(documents, (_, d) => languages[d]);
    const analyzers = new Map([...new Set(known)].map((l) => [l, new Analyzer(l)] as const));
    return new DocumentIndex(documents, texts, known, units, index, analyzers, collection);
  }

  get size(): number {
    return this.documents.length;
  }

  /**
   * @param accepts documents that may be found. Default: all
   * @param near documents that are near the query by their meaning, best first, all of them accepted. Default: words alone count
   * @returns at most `count` documents, best first; none when no word of the query occurs in the collection, and none that bear no relation to it
   */
  search(
    query: string,
    count: number,
    accepts?: (document: SearchDocument) => boolean,
    near: readonly NearDocument[] = [],
  ): FoundDocument[] {
    const byWords = this.byWords(query, near.length > 0 ? DEPTH : count, accepts);
    const found: readonly FusedDocument[] = near.length > 0 ? fuse(byWords, near) : byWords;
    return found.slice(0, count).map(({ document, score, units, excerpts }) => ({
      document: this.documents[document]!,
      title: oneLine(this.documents[document]!.title ?? ''),
      excerpts: excerpts ?? units!.slice(0, MOST_EXCERPTS).map((unit) => this.excerpt(unit)),
      score,
    }));
  }

  /** Documents that have words of the query, best first. */
  private byWords(
    query: string,
    count: number,
    accepts: ((document: SearchDocument) => boolean) | undefined,
  ): RankedDocument[] {
    const terms = queryTerms(query, this.analyzers, this.index.ids);
    const asked = terms.map((term) => this.weighted(term));
    const known = asked.filter(({ forms }) => forms.size > 0);
    if (known.length === 0) return [];
    const isLong = isLongQuery(known.length, this.collection?.size ?? this.index.units);
    if (isLong) this.weakenCommonWords(terms, asked);
    const isWanted = accepts && ((unit: number) => accepts(this.documents[this.units.documents[unit]!]!));
    const ranked = this.bm25.top(known, DEPTH, isWanted);
    const order = isLong ? rankForLongQuery(this.bm25, known, ranked, isWanted) : ranked;
    const scoreOf = new Map(ranked.map(({ unit, score }) => [unit, score]));
    const lowest = ranked.at(-1)?.score ?? 0;
    const found = new Map<number, { units: number[]; score: number }>();
    for (const { unit } of order) {
      const d = this.units.documents[unit]!;
      const entry = found.get(d);
      if (entry) entry.units.push(unit);
      else found.set(d, { units: [unit], score: scoreOf.get(unit) ?? lowest });
    }
    // The order of a long query is that of its matter, which single sentences do not tell.
    const best = isLong ? [...found] : this.bySentences(terms, [...found]);
    const most = asked.reduce((sum, { weight }, i) => {
      const idf = this.bestIdf(terms[i]!, 1) ?? this.bm25.idf(undefined);
      return sum + weight * (this.bm25.most(idf) + (isLong ? 0 : BY_SENTENCE * idf));
    }, 0);
    const least = Math.max(LEAST_SHARE, (LEAST_OF_BEST * (best[0]?.[1].score ?? 0)) / most);
    let share = 1;
    const documents: RankedDocument[] = [];
    for (const [document, { units, score }] of best) {
      share = Math.min(share, score / most);
      if (documents.length === count || share < least) break;
      documents.push({ document, units, score: scoreFor(share) });
    }
    return documents;
  }

  /** Adds what the best sentence of each of the first documents tells, and sorts these anew. */
  private bySentences<T extends { units: readonly number[]; score: number }>(
    terms: readonly QueryTerm[],
    found: readonly (readonly [number, T])[],
  ): [number, T][] {
    const values = terms.map((term) => this.bestIdf(term, 0) ?? 0);
    const scored = found.slice(0, LOOKED_INTO).map(([d, entry]): [number, T] => {
      const { title = '' } = this.documents[d]!;
      const match = new PieceMatch(terms, this.analyzers.get(this.languages[d])!, title);
      const pieces = piecesOf(blocksOf(this.excerpt(entry.units[0]!)), this.languages[d]);
      const best = pieces.reduce((most, piece) => Math.max(most, weighted(match.of(piece), values)), 0);
      return [d, { ...entry, score: entry.score + BY_SENTENCE * best }];
    });
    scored.sort((a, b) => b[1].score - a[1].score || a[0] - b[0]);
    return [...scored, ...found.slice(LOOKED_INTO).map(([d, entry]): [number, T] => [d, entry])];
  }

  /** The highest inverse document frequency of those forms of a word that count at least `weight`. */
  private bestIdf({ forms }: QueryTerm, weight: number): number | undefined {
    const idfs = [...forms].flatMap(([form, w]) =>
      w >= weight ? [this.bm25.idf(this.index.ids.get(form))] : [],
    );
    return idfs.length > 0 ? Math.max(...idfs) : undefined;
  }

  private weighted({ forms }: QueryTerm): { forms: Map<number, number>; weight: number } {
    return {
      forms: new Map([...forms].map(([form, weight]) => [this.index.ids.get(form)!, weight])),
      weight: 1,
    };
  }

  private weakenCommonWords(terms: readonly QueryTerm[], asked: readonly { weight: number }[]): void {
    const lists = [...this.analyzers.keys()].flatMap((language) => (language ? [stopwords(language)] : []));
    terms.forEach(({ word }, i) => {
      if (lists.some((list) => list.has(word))) (asked[i] as { weight: number }).weight = COMMON_WORD;
    });
  }

  private excerpt(unit: number): string {
    const text = this.texts[this.units.documents[unit]!]!.slice(
      this.units.starts[unit],
      this.units.ends[unit],
    );
    const context = this.units.contexts.get(unit);
    return context === undefined ? text : `${context}\n\n${text}`;
  }
}

/** Near 0 where one common word is met, .7 where the important words are, 1 for all of the query many times over. */
function scoreFor(share: number): number {
  const score = ((1 + HALF * HALF) * share * share) / (share * share + HALF * HALF);
  return Math.round(score * 1000) / 1000;
}

function blocksOf(text: string): Block[] {
  if (STRUCTURED.test(text)) return [...readBlocks(text)];
  return [{ kind: 'paragraph', text, headings: [], start: 0, end: text.length }];
}

function languageIn(
  { language }: SearchDocument,
  reader: WordReader,
  title: ReadWords,
  body: ReadWords,
): Language | undefined {
  if (language) return languageOf(language);
  return (
    reader.languageOf([body], LOOKED_AT) ??
    (title.length > 0 ? reader.languageOf([title, body], LOOKED_AT) : undefined)
  );
}
