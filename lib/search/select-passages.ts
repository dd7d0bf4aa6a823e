import type { AnswerPassage } from './answer-engine.js';
import type { MergedHit } from './merge-hits.js';
import { ANSWER_PASSAGE, passageSpans } from './ranking/passages.js';
import { QueryMatch } from './ranking/query-match.js';
import { sentencesOf } from './ranking/sentences.js';

/** Share of each part of `score`; see {@link RankedPage.score}. */
const BY_RANK = 0.5;
const BY_TEXT = 0.35;
const BY_PROVIDER = 0.15;
/** BM25 of the best passage at which the text's part reaches one half. */
const TEXT_HALF = 4;
/** Length of `content`, characters. */
const CONTENT_MIN = 300;
const CONTENT_MAX = 700;
const PASSAGES_PER_PAGE = 2;

/** A page with its best passages, ranked. */
export interface RankedPage {
  hit: MergedHit;
  /** Best first, plain text, at least one, none of them empty. */
  passages: { text: string; match: number }[];
  /**
   * 0..1 to 3 decimals, never rising with rank: half the fused rank of the providers' lists, .35 the BM25 of the best
   * passage as `b / (b + 4)`, .15 the provider's own relevance (the fused rank where there is none), then held below
   * the score of the page before. Comparable within one response only; no probability.
   */
  score: number;
}

/** Cuts and scores the texts of the hits, keeping their order. */
export function rankPages(
  query: string,
  hits: readonly MergedHit[],
  texts: ReadonlyMap<MergedHit, string>,
): RankedPage[] {
  const match = new QueryMatch(query);
  const cut = hits.map((hit) => candidatesOf(hit, texts.get(hit)));
  for (const candidates of cut) for (const text of candidates) match.learn(text);
  let ceiling = 1;
  return hits.map((hit, i) => {
    const passages = cut[i]!.map((text, at) => ({ text, match: match.score(`${hit.title}\n${text}`), at }))
      .sort((a, b) => b.match - a.match || a.at - b.at)
      .slice(0, PASSAGES_PER_PAGE)
      .map(({ text, match: m }) => ({ text, match: m }));
    const text = passages[0]?.match ?? 0;
    const raw =
      BY_RANK * hit.fused +
      (BY_TEXT * text) / (text + TEXT_HALF) +
      BY_PROVIDER * (hit.relevance ?? hit.fused);
    ceiling = Math.min(ceiling, Math.round(raw * 1000) / 1000);
    return { hit, passages, score: ceiling };
  });
}

/** What a page is known by, best text first: the page itself, the provider's passages, its snippet, its title. */
function candidatesOf(hit: MergedHit, pageText: string | undefined): string[] {
  const long = pageText ? [pageText] : hit.passages;
  const cut = long.flatMap((text) =>
    passageSpans(text, ANSWER_PASSAGE).map((s) => text.slice(s.start, s.end)),
  );
  if (cut.length > 0) return [...new Set(cut)];
  return [hit.snippet || hit.title];
}

/** `content` of a result: the 300 to 700 characters around the sentences that match best, on one line. */
export function contentOf(query: string, page: RankedPage): string {
  const text = page.passages[0]!.text;
  if (text.length <= CONTENT_MAX) return text.replaceAll('\n', ' ');
  const sentences = sentencesOf(text);
  const match = new QueryMatch(query);
  for (const s of sentences) match.learn(s);
  const scores = sentences.map((s) => match.score(s));
  let from = scores.indexOf(Math.max(...scores));
  let to = from + 1;
  const length = (): number => sentences.slice(from, to).reduce((sum, s) => sum + s.length + 1, -1);
  while (length() < CONTENT_MAX && (from > 0 || to < sentences.length)) {
    const room = CONTENT_MAX - length() - 1;
    const after = to < sentences.length && sentences[to]!.length <= room ? (scores[to] ?? 0) : -1;
    const before = from > 0 && sentences[from - 1]!.length <= room ? (scores[from - 1] ?? 0) : -1;
    if (after < 0 && before < 0) break;
    if (after >= before) to++;
    else from--;
  }
  const content = sentences.slice(from, to).join(' ');
  if (content.length <= CONTENT_MAX && content.length >= CONTENT_MIN) return content;
  return clipped(content.length > CONTENT_MAX ? content : text.replaceAll('\n', ' '));
}

/** A text without a sentence border in reach, cut at a blank and marked. */
function clipped(text: string): string {
  if (text.length <= CONTENT_MAX) return text;
  const blank = text.lastIndexOf(' ', CONTENT_MAX - 1);
  return `${text.slice(0, blank > CONTENT_MIN ? blank : CONTENT_MAX - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The passages that an answer rests on: the best of each page in order of the pages, then the second ones by their match. */
export function answerPassages(pages: readonly RankedPage[], count: number): AnswerPassage[] {
  const first = pages.map((page) => ({ page, passage: page.passages[0]! }));
  const second = pages
    .flatMap((page, rank) => (page.passages[1] ? [{ page, passage: page.passages[1], rank }] : []))
    .filter(({ passage }) => passage.match > 0)
    .sort((a, b) => b.passage.match - a.passage.match || a.rank - b.rank);
  const room = Math.max(0, count - Math.min(first.length, Math.ceil(count * 0.75)));
  const chosen = [...first.slice(0, count - Math.min(room, second.length)), ...second.slice(0, room)];
  return chosen.slice(0, count).map(({ page, passage }) => ({
    text: passage.text,
    url: page.hit.url,
    title: page.hit.title,
    score: page.score,
    ...(page.hit.publishedAt ? { publishedAt: page.hit.publishedAt } : {}),
  }));
}
