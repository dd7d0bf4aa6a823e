import { lazy, yielder } from '../core/async.js';
import type { ToolContext } from '../core/context.js';
import type { Watch } from '../core/health.js';
import type { ModelUsage } from '../core/usage.js';
import type { Warning } from '../core/warning.js';
import { type OutputSchema } from '../data/output-schema.js';
import type { Block } from '../web/blocks.js';
import type { PageReader } from '../web/page-reader.js';
import { answerFields, type AnswerPassage, type Citation } from './answer-engine.js';
import { writeAnswer, type AnswerEngines } from './answer/answer-with-fallback.js';
import { filterWarnings, type ResolvedFilters } from './filters.js';
import type { MergedHit } from './merge-hits.js';
import {
  askProviders,
  guarded,
  type GuardedProvider,
  type ProviderList,
  type RaceResult,
} from './provider-race.js';
import { isAdmitted } from '../core/domains.js';
import { RERANKED, rerankPages, type GuardedReranker } from './reranker.js';
import type { SearchProvider, SearchQuery } from './search-provider.js';
import type { ResolvedSearchOptions } from './search.options.js';
import type { RankedPage } from './select-passages.js';

/** Providers are asked for more than is shown: duplicates are dropped, and an answer needs a choice. */
const MAX_ASKED_FOR = 50;
const MIN_FOR_ANSWER = 8;
/** Longest stretch of ranking without yielding to other requests, ms. */
const RANKING_SLICE_MS = 12;

/** The steps of a search. Loaded with the first search and not with the host: stemmers, stop words and HTML entities take time to load. */
const loadSteps = lazy(async () => ({
  ...(await import('./merge-hits.js')),
  ...(await import('./read-pages.js')),
  ...(await import('./select-passages.js')),
  ...(await import('./ranking/passages.js')),
}));
type Steps = Awaited<ReturnType<typeof loadSteps>>;

export interface WebSearchParts extends AnswerEngines {
  /** In order of preference. */
  providers: readonly SearchProvider[];
  /** The host has named no providers. */
  usesDefaults?: boolean;
  options: ResolvedSearchOptions;
  /** Reads pages that came with a snippet only; without it snippets are what there is. */
  pages?: PageReader;
  /** Puts the best pages in a better order; without it the order of the search stays. */
  reranker?: GuardedReranker;
  /** Observes calls to providers; without it nobody does. */
  watch?: Watch;
}

/** What a host can do when a default provider fails: the free ones may end without notice. */
const NO_PROVIDERS = ' The host has configured no search provider of its own (option `search.providers`).';

/** Validated: every field is there. */
export interface WebSearchRequest {
  query: string;
  topN: number;
  llmAnswer: boolean;
  filters: ResolvedFilters;
  schema: OutputSchema | undefined;
}

/** A search of the web, from the providers to results or an answer. */
export class WebSearch {
  private readonly guarded: readonly GuardedProvider[];

  constructor(private readonly deps: WebSearchParts) {
    this.guarded = guarded(deps.providers, deps.watch, deps.options.prices);
  }

  /**
   * Providers → merge → pages → passages → results or answer.
   * @param spent what the search has cost so far
   * @throws UpstreamUnavailableError when all providers fail; UpstreamInvalidError when none can be read; what the answer engine throws
   */
  async run(request: WebSearchRequest, context: ToolContext, spent: () => ModelUsage | undefined) {
    const { options, reranker } = this.deps;
    const query = queryOf(request, reranker !== undefined);
    context.progress({ stage: 'search' });
    const steps = await loadSteps();
    const found = await askProviders(this.guarded, query, context, options);
    const hits = await steps.mergeHits(found.lists, query, context.signal);
    const blocks = await this.read(hits, query, context, steps);
    // Reading a page can tell its date.
    const current = hits.filter((hit) => steps.isWanted(hit, query));
    const slices = yielder(RANKING_SLICE_MS, context.signal);
    const ranked = await steps.rankPages(query.text, current, blocks, slices);
    const { pages, warning } = await rerankPages(query.text, ranked, reranker, context);
    const best = pages.slice(0, request.topN);
    const warnings = this.warningsOf(found, request, query, warning);
    const response = { query: request.query, provider: providerOf(found.lists), warnings };
    if (request.llmAnswer) {
      const passages = steps.answerPassages(best);
      const asked = { text: query.text, schema: request.schema };
      return this.answered(response, asked, passages, hits, context, spent);
    }
    const results = best.map((page) =>
      resultOfPage(page, steps.contentOf(page.passages[0]!, page.hit.title)),
    );
    return { ...response, totalResults: results.length, results, usage: spent() };
  }

  /** The blocks of the pages that were read: the best ones that came without passages. */
  private async read(
    hits: readonly MergedHit[],
    query: SearchQuery,
    context: ToolContext,
    { readPages }: Steps,
  ): Promise<ReadonlyMap<MergedHit, readonly Block[]>> {
    const { pages, options } = this.deps;
    if (!pages || options.readPages === 0) return new Map();
    const limit = Math.min(options.readMs, context.remainingMs() / 2);
    return readPages(pages, hits, options.readPages, limit, context, (url) => isAdmitted(url, query));
  }

  private warningsOf(
    { lists, failed }: RaceResult,
    { filters }: WebSearchRequest,
    query: SearchQuery,
    reranking: Warning | undefined,
  ): Warning[] {
    const answered = new Set(lists.map(({ provider }) => provider));
    const asked = this.deps.providers.filter(({ name }) => answered.has(name));
    const hint = this.deps.usesDefaults ? NO_PROVIDERS : '';
    return [
      ...failed.map(({ provider, outcome }) => ({
        code: 'provider_failed',
        message: `The search provider ${provider} failed (${outcome}).${hint}`,
        transient: true,
      })),
      ...lists.flatMap((list) => list.warnings ?? []),
      ...(reranking ? [reranking] : []),
      ...filters.warnings,
      ...filterWarnings(asked, query, filters.asked),
    ];
  }

  /** The response with an answer in place of results. */
  private async answered(
    response: { query: string; provider: string; warnings: Warning[] },
    { text: query, schema }: { text: string; schema: OutputSchema | undefined },
    passages: AnswerPassage[],
    hits: readonly MergedHit[],
    context: ToolContext,
    spent: () => ModelUsage | undefined,
  ) {
    const sources = new Set(passages.map(({ url }) => url)).size;
    context.progress({ stage: 'results', done: sources, total: sources });
    const answer = await writeAnswer(this.deps, query, passages, context, schema);
    const citations = credited(answer.citations, hits);
    const usage = spent() ?? answer.usage;
    return {
      ...response,
      totalResults: sources,
      llm: { ...answerFields(answer), citations, usage, ...answer.data },
      warnings: [...response.warnings, ...answer.warnings],
    };
  }
}

/** What providers are asked. */
function queryOf({ query, topN, llmAnswer, filters }: WebSearchRequest, isReranked: boolean): SearchQuery {
  const wanted = llmAnswer ? Math.max(topN, MIN_FOR_ANSWER) : topN;
  return {
    text: query.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim(),
    count: Math.min(MAX_ASKED_FOR, Math.max(wanted, isReranked ? RERANKED : Math.min(2 * wanted, 20))),
    ...filters.query,
  };
}

/** The providers that found something; where nothing was found, the one that said so. */
function providerOf(lists: readonly ProviderList[]): string {
  const found = lists.filter(({ hits }) => hits.length > 0);
  return (found.length > 0 ? found : lists.slice(0, 1)).map(({ provider }) => provider).join('+');
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
