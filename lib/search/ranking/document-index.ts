import { withoutInvisible } from '../../core/printable.js';
import { languageOf, type Language } from '../../text/languages.js';
import { stopwords } from '../../text/stopwords.js';
import { detectLanguage } from '../../text/detect-language.js';
import { paragraphOf } from '../../web/blocks.js';
import { readMarkdown } from '../../web/read-markdown.js';
import { readDocument } from '../../web/read-text.js';
import { oneLine } from '../../text/plain-text.js';
import type { SearchHit } from '../search-provider.js';
import { Analyzer } from './analyzer.js';
import { Bm25, type CollectionStatistics } from './bm25.js';
import { IndexBuilder } from './inverted-index.js';
import { fuse, MOST_EXCERPTS, type NearDocument, type RankedDocument } from './fusion.js';
import { COMMON_WORD, isLongQuery, smoothed } from './long-query.js';
import { PieceMatch, piecesOf, weighted } from './pieces.js';
import { queryTerms, type QueryTerm } from './query-terms.js';
import { excerptOf, unitsOf, type PlacedUnit } from './index-units.js';

/** A text of the host's that can be found. */
export interface SearchDocument {
  /** Absolute address; `source_url` of the result. */
  url: string;
  title?: string;
  /** Markdown, plain text or HTML. */
  text: string;
  /** ISO 8601 date or date-time. Of two versions of a page the newer one comes first. */
  publishedAt?: string;
  /** ISO 639-1 or BCP 47; detected where it is absent. Other languages than the six are searched word for word. */
  language?: string;
}

/** `npm run bench -- search`: 1 loses a point of the everyday questions, 4 wins one of them and loses some of the notes. */
const TITLE_WEIGHT = 2;
/** Different words of a unit: at most one for so many characters of usual text; set by hand. */
const CHARACTERS_A_WORD = 6;
const MOST_EXPECTED = 2 ** 26;
/** Units that BM25 hands on, and documents whose sentences are looked at: with 12 or 30 of them the same pages come first (`npm run bench -- search`). */
const DEPTH = 100;
const LOOKED_INTO = 15;
/** What the best sentence of a document adds to the BM25 score of the whole: of 456 pages (as above), 0 finds 1.6 points fewer at the first place, 1 some fewer. */
const BY_SENTENCE = 0.5;
/**
 * A document bears no relation to the query that meets less than this share of it, or of what the best one meets: so low lies no right page of
 * the everyday questions (`npm run bench -- search`), and half of what would fill up a list.
 */
const LEAST_SHARE = 0.02;
const LEAST_OF_BEST = 0.2;
/** The share of a query at which the score is a little more than half; set by hand. */
const HALF = 0.3;
/** Anything that makes a text more than one paragraph of words, and the length from which it is read in slices, characters; a plain bound. */
const MAX_PLAIN = 20_000;
const STRUCTURED = /[\n\r#*_`|<>&[\]\\~\u2028\u2029]/;

type FoundByWords = RankedDocument & { units: number[] };

/**
 * An index in memory over documents, built in slices that let other requests run. It finds documents and scores them; what is shown of them
 * is chosen later (`select-passages.ts`), for these and for pages of any other origin alike.
 */
export class DocumentIndex {
  private constructor(
    readonly documents: readonly SearchDocument[],
    /** The documents' texts, in which units are counted; the very strings of the host where nothing had to be changed. */
    readonly texts: readonly string[],
    readonly languages: readonly (Language | undefined)[],
    private readonly units: readonly PlacedUnit[],
    private readonly analyzers: ReadonlyMap<Language | undefined, Analyzer>,
    private readonly bm25: Bm25,
  ) {}

  /** @param collection that the documents were chosen from. Default: they are all there is */
  static async build(
    documents: readonly SearchDocument[],
    pause: () => Promise<void> | undefined,
    collection?: CollectionStatistics,
  ): Promise<DocumentIndex> {
    let characters = 0;
    for (const { text } of documents) characters += text.length;
    const builder = new IndexBuilder(Math.min(MOST_EXPECTED, Math.ceil(characters / CHARACTERS_A_WORD)));
    const texts: string[] = [];
    const languages = new Array<Language | undefined>(documents.length);
    const units: PlacedUnit[] = [];
    for (const [d, document] of documents.entries()) {
      const isPlain = document.text.length <= MAX_PLAIN && !STRUCTURED.test(document.text);
      // Soft hyphens and zero-width signs would tear a word that a query writes whole.
      const visible = withoutInvisible(document.text);
      const { text, blocks } = isPlain
        ? { text: visible, blocks: [paragraphOf(visible)] }
        : await readDocument(visible, pause);
      const title = oneLine(document.title ?? '');
      // "The market of 2023" is told by the date as often as by the text.
      const year = document.publishedAt?.slice(0, 4) ?? '';
      texts.push(text === document.text ? document.text : text);
      for (const { body, ...unit } of unitsOf(text, blocks)) {
        const language = (languages[d] ??= document.language
          ? languageOf(document.language)
          : (detectLanguage(body) ?? detectLanguage(`${title} ${body}`)));
        const fields = [
          { text: title, weight: TITLE_WEIGHT, isTitle: true },
          { text: `${unit.headings}\n${year}\n${body}`, weight: 1 },
        ];
        builder.add(fields, language);
        units.push({ document: d, ...unit });
        const turn = pause();
        if (turn) await turn;
      }
    }
    const analyzers = new Map([...new Set(languages)].map((language) => [language, new Analyzer(language)]));
    const index = await builder.build(pause);
    await pause();
    return new DocumentIndex(documents, texts, languages, units, analyzers, new Bm25(index, collection));
  }

  /**
   * @param accepts whether the document of this number may be found. Default: all
   * @param near documents that are near the query by their meaning, best first, all of them accepted. Default: words alone count
   * @returns at most `count` documents, best first; none when no word of the query occurs in the collection, and none that bear no relation to it.
   *   `passages` is all of a short document, of a long one the parts that match best. `score` is how much of the query the document meets; it does not
   *   depend on how many are asked for
   */
  search(
    query: string,
    count: number,
    accepts?: (document: number) => boolean,
    near: readonly NearDocument[] = [],
  ): SearchHit[] {
    const byWords = this.byWords(query, near.length > 0 ? DEPTH : count, accepts);
    const found = near.length > 0 ? fuse(byWords, near) : byWords;
    return found.slice(0, count).map(({ document, score, units, excerpts }) => {
      const { url, title = '', publishedAt } = this.documents[document]!;
      const passages = excerpts ?? units!.slice(0, MOST_EXCERPTS).map((unit) => this.excerptOf(unit));
      return { url, title: oneLine(title), passages, score, publishedAt };
    });
  }

  private byWords(
    query: string,
    count: number,
    accepts: ((document: number) => boolean) | undefined,
  ): RankedDocument[] {
    const terms = queryTerms(query, this.analyzers, this.bm25.index.ids);
    const known = terms.filter(({ forms }) => forms.size > 0);
    if (known.length === 0) return [];
    const isLong = isLongQuery(known.length, this.bm25.collectionSize);
    const lists = isLong ? [...this.analyzers.keys()].map((language) => stopwords(language ?? '')) : [];
    const weightOf = ({ word }: QueryTerm): number =>
      lists.some((list) => list.has(word)) ? COMMON_WORD : 1;
    const asked = known.map((term) => {
      const weight = weightOf(term);
      return new Map(
        [...term.forms].map(([form, share]) => [this.bm25.index.ids.get(form)!, weight * share]),
      );
    });
    const isWanted = accepts && ((unit: number) => accepts(this.units[unit]!.document));
    const ranked = this.bm25.top(asked, DEPTH, isWanted);
    const found = new Map<number, FoundByWords>();
    for (const { unit, score } of isLong ? smoothed(this.bm25, ranked) : ranked) {
      const { document } = this.units[unit]!;
      const known = found.get(document);
      if (known) known.units.push(unit);
      else found.set(document, { document, units: [unit], score });
    }
    // The order of a long query is that of its matter, which single sentences do not tell.
    const best = isLong ? [...found.values()] : this.bySentences(terms, [...found.values()]);
    const most = terms.reduce((sum, term) => {
      const idf = this.bestIdf(term, 1) ?? this.bm25.idf(undefined);
      return sum + weightOf(term) * (this.bm25.most(idf) + (isLong ? 0 : BY_SENTENCE * idf));
    }, 0);
    const least = Math.max(LEAST_SHARE, (LEAST_OF_BEST * (best[0]?.score ?? 0)) / most);
    let share = 1;
    const documents: RankedDocument[] = [];
    for (const entry of best) {
      share = Math.min(share, entry.score / most);
      if (documents.length === count || share < least) break;
      documents.push({ ...entry, score: scoreFor(share) });
    }
    return documents;
  }

  /** Adds what the best sentence of each of the first documents tells, and sorts these anew. */
  private bySentences(terms: readonly QueryTerm[], found: readonly FoundByWords[]): FoundByWords[] {
    const values = terms.map((term) => this.bestIdf(term, 0) ?? 0);
    const scored = found.slice(0, LOOKED_INTO).map((entry) => {
      const { title = '' } = this.documents[entry.document]!;
      const language = this.languages[entry.document];
      const match = new PieceMatch(terms, this.analyzers.get(language)!, title);
      const pieces = piecesOf(readMarkdown(this.excerptOf(entry.units[0]!)), language);
      const best = pieces.reduce((most, piece) => Math.max(most, weighted(match.of(piece), values)), 0);
      return { ...entry, score: entry.score + BY_SENTENCE * best };
    });
    scored.sort((a, b) => b.score - a.score || a.document - b.document);
    return [...scored, ...found.slice(LOOKED_INTO)];
  }

  private excerptOf(unit: number): string {
    const place = this.units[unit]!;
    return excerptOf(this.texts[place.document]!, place);
  }

  /** The highest inverse document frequency of those forms of a word that count at least `weight`. */
  private bestIdf({ forms }: QueryTerm, weight: number): number | undefined {
    const idfs = [...forms].flatMap(([form, w]) =>
      w >= weight ? [this.bm25.idf(this.bm25.index.ids.get(form))] : [],
    );
    return idfs.length > 0 ? Math.max(...idfs) : undefined;
  }
}

/** Near 0 where one common word is met, .7 where the important words are, 1 for all of the query many times over. */
function scoreFor(share: number): number {
  const score = ((1 + HALF * HALF) * share * share) / (share * share + HALF * HALF);
  return Math.round(score * 1000) / 1000;
}
