import { detectLanguage, toldLanguage } from '../text/detect-language.js';
import { identifyLanguage } from '../text/identify-language.js';
import { languageOf, type Language } from '../text/languages.js';
import type { AnswerPassage } from './answer-engine.js';
import type { MergedHit } from './merge-hits.js';
import { paragraphOf, type Block } from '../web/blocks.js';
import { readText } from '../web/read-text.js';
import { Analyzer } from './ranking/analyzer.js';
import { bestPassages, type Passage, type PassageRules } from './ranking/passages.js';
import { PieceMatch, piecesOf, type Piece } from './ranking/pieces.js';
import { queryTerms } from './ranking/query-terms.js';

const MAX_TEXT = 300_000; // characters, some 50,000 words; a plain bound
/** Pieces of a page that are searched; a text of 50,000 words has some 3,000 sentences; a plain bound. */
export const MAX_PIECES = 6000;
/** Beginning of a page that tells its language, characters; more says the same, and takes longer; a plain bound. */
const LANGUAGE_SAMPLE = 4000;
/** With one, the passages of a long page lack about 5 answers in a hundred more (`npm run bench -- search --passages`). */
const PASSAGES_PER_PAGE = 2;
/** Passages that an answer may rest on, and those of them that come from pages of their own where there are so many; plain bounds. */
export const ANSWER_PASSAGES = 8;
const LEAST_FIRST = 6;

export interface RankedPage {
  hit: MergedHit;
  /** Best first; at least one, each non-empty. */
  passages: Passage[];
  /**
   * How well the page meets the query, 0..1 to 3 decimals, never rising with rank: the provider's own relevance where it gives one, as
   * `documents()` does; otherwise the share of the query's words that the best passage has, half of it taken from the page before. Depends
   * on this page and those before it, not on how many are asked for. No probability.
   */
  score: number;
  /** More text than is searched of one page: its end was not. */
  isCut: boolean;
}

interface PageText {
  analyzer: Analyzer;
  pieces: Piece[];
  isCut: boolean;
}

/**
 * Reads the texts of the hits and chooses their passages, keeping the order of the hits. Yields to other work by `pause`.
 *
 * @param read blocks of the pages that were read
 * @param rules which passages of each page. Default: two
 */
export async function rankPages(
  query: string,
  hits: readonly MergedHit[],
  read: ReadonlyMap<MergedHit, readonly Block[]>,
  pause: () => Promise<void> | undefined,
  rules: PassageRules = { count: PASSAGES_PER_PAGE },
): Promise<RankedPage[]> {
  const ofQuery = toldLanguage(query);
  const analyzers = new Map<Language | undefined, Analyzer>();
  const vocabulary = new Set<string>();
  const pages: ({ hit: MergedHit } & PageText)[] = [];
  for (const hit of hits) {
    const page = await pageText(read.get(hit) ?? (await blocksOf(hit, pause)), ofQuery, analyzers, pause);
    for (const piece of page.pieces) {
      page.analyzer.eachTerm(piece.text, (term) => vocabulary.add(term));
      await pause();
    }
    pages.push({ hit, ...page });
  }
  const terms = queryTerms(query, analyzers, vocabulary);
  const ranked: RankedPage[] = [];
  let before = 1;
  for (const { hit, analyzer, pieces, isCut } of pages) {
    const match = new PieceMatch(terms, analyzer, hit.title);
    const matched = [];
    for (const piece of pieces) {
      matched.push({ piece, found: match.of(piece) });
      await pause();
    }
    const passages = await bestPassages(matched, rules, pause);
    const best = passages[0]!.match;
    const raw = hit.relevance ?? (ranked.length === 0 ? best : (best + before) / 2);
    before = Math.min(before, Math.round(raw * 1000) / 1000);
    ranked.push({ hit, passages, score: before, isCut });
  }
  return ranked;
}

async function pageText(
  blocks: readonly Block[],
  ofQuery: Language | undefined,
  analyzers: Map<Language | undefined, Analyzer>,
  pause: () => Promise<void> | undefined,
): Promise<PageText> {
  const sample = blocks.slice(0, 20).map((block) => block.text.slice(0, 600));
  const language = languageOfPage(sample.join(' ').slice(0, LANGUAGE_SAMPLE), ofQuery);
  const analyzer = analyzers.get(language) ?? new Analyzer(language);
  analyzers.set(language, analyzer);
  const pieces: Piece[] = [];
  for (const block of blocks) {
    const [blockPieces, left] = [piecesOf([block], language), MAX_PIECES - pieces.length];
    pieces.push(...blockPieces.slice(0, left));
    if (blockPieces.length > left) return { analyzer, pieces, isCut: true };
    await pause();
  }
  return { analyzer, pieces, isCut: false };
}

/** The language whose stems a page is read by: none for one outside of the six, that of the query or English for a few words that tell none. */
function languageOfPage(text: string, ofQuery: Language | undefined): Language | undefined {
  const language = identifyLanguage(text);
  return language === undefined ? (detectLanguage(text) ?? ofQuery ?? 'en') : languageOf(language);
}

/** The blocks of what the provider gave: its passages, else its snippet, else its title. */
async function blocksOf(hit: MergedHit, pause: () => Promise<void> | undefined): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const passage of new Set(hit.passages))
    blocks.push(...(await readText(passage.slice(0, MAX_TEXT), pause, MAX_PIECES)));
  if (blocks.length > 0) return blocks;
  return [paragraphOf(hit.snippet || hit.title)];
}

/** The passages that an answer rests on: the best of each page in order of the pages, then the second ones by their match. */
export function answerPassages(pages: readonly RankedPage[]): AnswerPassage[] {
  const first = pages.map((page) => ({ page, passage: page.passages[0]! }));
  const second = pages
    .flatMap((page) => (page.passages[1] ? [{ page, passage: page.passages[1] }] : []))
    .filter(({ passage }) => passage.match > 0)
    .sort((a, b) => b.passage.match - a.passage.match);
  const order = [...first.slice(0, LEAST_FIRST), ...second, ...first.slice(LEAST_FIRST)];
  return order.slice(0, ANSWER_PASSAGES).map(({ page, passage }) => ({
    text: passage.text,
    blocks: passage.blocks,
    url: page.hit.url,
    title: page.hit.title,
    score: page.score,
    publishedAt: page.hit.publishedAt,
  }));
}
