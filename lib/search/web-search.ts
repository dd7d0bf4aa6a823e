import type { ToolContext } from '../core/context.js';
import type { Watch } from '../core/health.js';
import type { ModelUsage } from '../core/usage.js';
import { type OutputSchema } from '../data/output-schema.js';
import { answerFields, type Citation } from './answer-engine.js';
import { writeAnswer, type AnswerEngines } from './answer/answer-with-fallback.js';
import type { ResolvedFilters } from './filters.js';
import type { FindParts } from './find-pages.js';
import type { MergedHit } from './merge-hits.js';
import { guarded, type GuardedProvider } from './provider-race.js';
import { RERANKED } from './reranker.js';
import type { SearchProvider, SearchQuery } from './search-provider.js';
import type { RankedPage } from './select-passages.js';

/** Providers are asked for more than is shown, because duplicates are dropped; a plain bound. */
const MAX_ASKED_FOR = 50;
/** A page for each of the passages that an answer rests on, see `select-passages.ts`; set by hand. */
const MIN_FOR_ANSWER = 8;

export interface WebSearchParts extends AnswerEngines, Omit<FindParts, 'providers'> {
  providers: readonly SearchProvider[];
  /** Observes calls to providers; without it nobody does. */
  watch?: Watch;
}

export interface WebSearchRequest {
  query: string;
  topN: number;
  llmAnswer: boolean;
  filters: ResolvedFilters;
  schema: OutputSchema | undefined;
}

export class WebSearch {
  private readonly guarded: readonly GuardedProvider[];

  constructor(private readonly deps: WebSearchParts) {
    this.guarded = guarded(deps.providers, deps.watch, deps.options.prices);
  }

  /**
   * Pages with their passages → results or answer.
   * @param spent what the search has cost so far
   * @throws UpstreamUnavailableError when all providers fail; UpstreamInvalidError when none can be read; what the answer engine throws
   */
  async run(request: WebSearchRequest, context: ToolContext, spent: () => ModelUsage | undefined) {
    const { deps, guarded: providers } = this;
    const query = queryOf(request, deps.reranker !== undefined);
    context.progress({ stage: 'search' });
    // Loaded with the first search and not with the host: stemmers, stop words and HTML entities take time to load.
    const { findPages } = await import('./find-pages.js');
    const found = await findPages({ ...deps, providers }, query, request.filters, context);
    const best = found.pages.slice(0, request.topN);
    const response = { query: request.query, provider: found.provider, warnings: found.warnings };
    if (!request.llmAnswer) {
      const { contentOf } = await import('./ranking/passages.js');
      const results = best.map((page) => resultOfPage(page, contentOf(page.passages[0]!, page.hit.title)));
      return { ...response, totalResults: results.length, results, usage: spent() };
    }
    const { answerPassages } = await import('./select-passages.js');
    const passages = answerPassages(best);
    const sources = new Set(passages.map(({ url }) => url)).size;
    context.progress({ stage: 'results', done: sources, total: sources });
    const answer = await writeAnswer(deps, query.text, passages, context, request.schema);
    const citations = credited(answer.citations, found.hits);
    const usage = spent() ?? answer.usage;
    return {
      ...response,
      totalResults: sources,
      llm: { ...answerFields(answer), citations, usage, ...answer.data },
      warnings: [...response.warnings, ...answer.warnings],
    };
  }
}

function queryOf({ query, topN, llmAnswer, filters }: WebSearchRequest, isReranked: boolean): SearchQuery {
  const wanted = llmAnswer ? Math.max(topN, MIN_FOR_ANSWER) : topN;
  return {
    text: query.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim(),
    count: Math.min(MAX_ASKED_FOR, Math.max(wanted, isReranked ? RERANKED : Math.min(2 * wanted, 20))),
    ...filters.query,
  };
}

/** Adds licence and credit to the citations of sources that demand it. */
function credited(citations: readonly Citation[], hits: readonly MergedHit[]): Citation[] {
  const byUrl = new Map(hits.map((hit) => [hit.url, hit]));
  return citations.map((citation) => ({ ...citation, ...creditOf(byUrl.get(citation.url)) }));
}

function creditOf(hit: MergedHit | undefined): Pick<MergedHit, 'license' | 'attribution'> {
  return { license: hit?.license || undefined, attribution: hit?.attribution || undefined };
}

function resultOfPage({ hit, score }: RankedPage, content: string) {
  const { url, title, publishedAt, provider } = hit;
  const about = { title: title || undefined, publishedAt: publishedAt || undefined, ...creditOf(hit) };
  return { content, score, sourceUrl: url, ...about, provider };
}
