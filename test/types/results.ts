/**
 * What the services give: the fields of the DTO classes by their names in TypeScript. Checked by `npm run typecheck`; nothing here runs.
 */
import type {
  AskVideoResult,
  ReadPageResult,
  ResearchResult,
  SearchResponse,
  SearchResult,
  SummarizeResult,
  TranscriptResult,
  VideoListResult,
} from '../../lib/index.js';

type Answer = NonNullable<SearchResponse<{ year: number }>['llm']>;

/** Always there, although the document calls some of them optional. */
export const always = (
  page: ReadPageResult,
  search: SearchResponse,
  result: SearchResult,
  answer: Answer,
  video: AskVideoResult,
  list: VideoListResult,
): (string | number | boolean)[] => [
  page.finalUrl,
  page.site,
  page.warnings.length,
  page.cached,
  search.totalResults,
  search.provider,
  result.sourceUrl,
  result.provider,
  answer.outcome,
  answer.engine,
  answer.citations.length,
  video.answerableProbability,
  video.answer,
  list.items.length,
];

/** Services measure in milliseconds where their ports do, and know more than an answer shows. */
export const measured = (
  summary: SummarizeResult,
  transcript: TranscriptResult,
  list: VideoListResult,
): (number | undefined)[] => [
  summary.keyPoints[0]?.startMs,
  summary.sections[0]?.endMs,
  summary.content.durationMs,
  summary.usage?.stages?.map?.modelCalls,
  summary.usage?.cost,
  transcript.chapters[0]?.startMs,
  transcript.segments?.[0]?.startSeconds,
  transcript.usage?.cost,
  list.items[0]?.durationMs,
];

/** Names of sources, and the type of a caller's schema. */
export const named = (
  answer: Answer,
  summary: SummarizeResult<{ year: number }>,
  research: ResearchResult<{ year: number }>,
): (string | number | undefined)[] => [
  answer.citations[0]?.url,
  answer.output?.year,
  summary.output?.year,
  summary.outputGrounding?.[0]?.startSeconds,
  research.output?.year,
  research.sources[0]?.url,
  research.citations[0]?.publishedAt,
  research.research.pagesRead,
];

export const refused = (page: ReadPageResult, search: SearchResponse, video: AskVideoResult): unknown[] => [
  // @ts-expect-error -- wire names belong to the wire
  page.final_url,
  // @ts-expect-error -- a page without a title has none
  page.title.length,
  // @ts-expect-error -- either may be there
  search.results.length,
  // @ts-expect-error -- the members of an answer from a video are those of the result
  video.llm,
  // @ts-expect-error -- a mark for the compiler, no field
  page.warnings[0]?.['~result'],
];
