import type { Warning } from '../core/warning.js';
import { lazy, yielder } from '../core/async.js';
import type { CallOptions, ToolContext } from '../core/context.js';
import { NotConfiguredError } from '../core/errors.js';
import { watchGroup, type Watch, type Watcher } from '../core/health.js';
import {
  ANSWER_ENGINE,
  RERANKER,
  RESOLVED_OPTIONS,
  SEARCH_PROVIDERS,
  WATCHER,
} from '../core/injection-tokens.js';
import type { ModelUsage } from '../core/usage.js';
import { type OutputSchema } from '../data/output-schema.js';
import { embeddedAnswers } from '../embedded/answer/embedded-answers.js';
import type { AnswerEngine, AnswerPassage, Citation } from '../search/answer-engine.js';
import { writeAnswer, type AnswerEngines } from '../search/answer/answer-with-fallback.js';
import { isFresh } from '../search/freshness.js';
import type { MergedHit } from '../search/merge-hits.js';
import { resolveFilters, filterWarnings, type ResolvedFilters } from '../search/filters.js';
import {
  askProviders,
  guarded,
  type GuardedProvider,
  type ProviderList,
  type RaceResult,
} from '../search/provider-race.js';
import { isAdmitted } from '../search/ranking/canonical-url.js';
import { RERANKED, rerankPages, type GuardedReranker } from '../search/reranker.js';
import type { SearchProvider, SearchQuery } from '../search/search-provider.js';
import {
  SEARCH_SCHEMA,
  type ResolvedSearchOptions,
  type SearchModuleOptions,
} from '../search/search.options.js';
import {
  answerFields,
  type SearchRequest,
  type SearchResponse,
  type SearchAnswer,
  type SearchResult,
} from '../search/search-response.js';
import type { RankedPage } from '../search/select-passages.js';
import type { Block } from '../web/blocks.js';
import { createPageReader, watchedPages, type PageReader } from '../web/page-reader.js';
import { checkRequest, faultIf, outputSchemaOf } from './request-fields.js';
import { ToolService, type ToolStores, type ToolWork } from './run-tool.js';
import { SearchDataDto, DEFAULT_TOP_N, SearchWebDto } from './dto/search-web.dto.js';
import { refusal, type Enabled, type ToolDefinition } from './tool-definition.js';

/** Providers are asked for more than is shown: duplicates are dropped, and an answer needs a choice. */
const MAX_ASKED_FOR = 50;
const MIN_FOR_ANSWER = 8;
/** Longest stretch of ranking without yielding to other requests, ms. */
const RANKING_SLICE_MS = 12;
type UncachedResponse = Omit<SearchResponse, 'cached'>;

/** The steps of a search. Loaded with the first search and not with the host: stemmers, stop words and HTML entities take time to load. */
const loadSteps = lazy(async () => ({
  ...(await import('../search/merge-hits.js')),
  ...(await import('../search/read-pages.js')),
  ...(await import('../search/select-passages.js')),
  ...(await import('../search/ranking/passages.js')),
}));
type Steps = Awaited<ReturnType<typeof loadSteps>>;

export interface SearchCollaborators extends AnswerEngines, ToolStores {
  /** In order of preference. */
  providers: readonly SearchProvider[];
  /** The host has named no providers. */
  usesDefaults?: boolean;
  options: Enabled<ResolvedSearchOptions>;
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
interface ValidRequest extends Required<Pick<SearchRequest, 'query' | 'topN' | 'llmAnswer'>> {
  filters: ResolvedFilters;
  schema: OutputSchema | undefined;
}

/**
 * Searches the web, and answers questions from what it finds. The tool `search_web`, usable without HTTP.
 * @publicApi
 */
export class SearchService extends ToolService<SearchRequest, UncachedResponse> {
  private readonly guarded: readonly GuardedProvider[];

  constructor(private readonly deps: SearchCollaborators) {
    super(SEARCH_WEB, deps.options, deps);
    this.guarded = guarded(deps.providers, deps.watch, deps.options.prices);
  }

  /**
   * Searches, and writes an answer where `llmAnswer` is true.
   *
   * Reports its steps as progress: `search`; with an answer `results` with their number before it is written, then `answer`, and `answer`
   * with each piece of the text while it is written. `rewrite` says that the text begins anew: after a repair, or where the checks changed it.
   *
   * @typeParam T type of `llm.output`; from `outputSchema` where that is a schema of a library
   * @throws InvalidRequestError for a schema that is not accepted, or comes without `llmAnswer`; MethodUnavailableError for one without a model;
   *   InvalidRequestError for a query that is empty, invisible or longer than 400 characters, a `topN` out of range, or a filter
   *   that is not valid or that the host does not allow;
   *   NotConfiguredError without any provider; UpstreamUnavailableError when all providers fail; UpstreamInvalidError when none can be
   *   read; UpstreamTimeoutError when the deadline passes; the caller's reason when it aborts
   */
  search<T = unknown>(
    request: SearchRequest<T> & { llmAnswer: true },
    call?: CallOptions,
  ): Promise<SearchResponse<T> & { llm: SearchAnswer<T> }>;
  search(
    request: SearchRequest & { llmAnswer?: false },
    call?: CallOptions,
  ): Promise<SearchResponse & { results: SearchResult[] }>;
  search<T = unknown>(request: SearchRequest<T>, call?: CallOptions): Promise<SearchResponse<T>>;
  async search<T = unknown>(request: SearchRequest<T>, call: CallOptions = {}): Promise<SearchResponse<T>> {
    return (await this.answer(request, call)) as SearchResponse<T>;
  }

  protected prepare(request: SearchRequest): ToolWork<UncachedResponse> {
    const valid = this.validate(request);
    const { query, topN, llmAnswer, filters, schema } = valid;
    const { providers, answers, pages, options, reranker } = this.deps;
    const { language, freshness, includeDomains, excludeDomains, combine, answerThreshold } = options;
    return {
      key: [
        { query, topN, llmAnswer, combine, schema: schema?.json, filters: filters.asked },
        { language, freshness, includeDomains, excludeDomains },
        providers.map(({ name, version }) => [name, version]),
        { read: pages && options.readPages, reranker: reranker?.reranker.name },
        llmAnswer && [answers.engine, answers.version, answerThreshold],
      ],
      deadlineMs: llmAnswer ? options.answerDeadlineMs : options.deadlineMs,
      run: (context, spent) => this.run(valid, context, spent),
    };
  }

  private validate(request: SearchRequest): ValidRequest {
    const { query, topN = DEFAULT_TOP_N, llmAnswer = false, outputSchema } = request;
    const { options, providers, answers } = this.deps;
    if (providers.length === 0)
      throw new NotConfiguredError(
        'There is nothing to search: configure `search.providers`, e.g. with documents([…]).',
      );
    checkRequest(
      SearchWebDto,
      { ...request, topN, llmAnswer },
      ...faultIf(topN > options.maxTopN, 'topN', `must not be greater than ${options.maxTopN}`),
      ...faultIf(
        outputSchema !== undefined && llmAnswer !== true,
        'outputSchema',
        'must come with llmAnswer: true',
      ),
    );
    const filters = resolveFilters(request, options);
    const schema = outputSchema && outputSchemaOf(outputSchema, answers.fillsSchemas);
    return { query: query.trim(), topN, llmAnswer, filters, schema };
  }

  /** Providers → merge → pages → passages → results or answer. */
  private async run(
    request: ValidRequest,
    context: ToolContext,
    spent: () => ModelUsage | undefined,
  ): Promise<UncachedResponse> {
    const { options, reranker } = this.deps;
    const query = queryOf(request, reranker !== undefined);
    context.progress({ stage: 'search' });
    const steps = await loadSteps();
    const found = await askProviders(this.guarded, query, context, options);
    const hits = await steps.mergeHits(found.lists, query);
    const blocks = await this.read(hits, query, context, steps);
    // Reading a page can tell its date.
    const current = ofTime(hits, query);
    const slices = yielder(RANKING_SLICE_MS, context.signal);
    const ranked = await steps.rankPages(query.text, current, blocks, slices);
    const { pages, warning } = reranker
      ? await rerankPages(query.text, ranked, reranker, context)
      : { pages: ranked, warning: undefined };
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
    { filters }: ValidRequest,
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
    response: Pick<UncachedResponse, 'query' | 'provider' | 'warnings'>,
    { text: query, schema }: { text: string; schema: OutputSchema | undefined },
    passages: AnswerPassage[],
    hits: readonly MergedHit[],
    context: ToolContext,
    spent: () => ModelUsage | undefined,
  ): Promise<UncachedResponse> {
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
function queryOf({ query, topN, llmAnswer, filters }: ValidRequest, isReranked: boolean): SearchQuery {
  const wanted = llmAnswer ? Math.max(topN, MIN_FOR_ANSWER) : topN;
  return {
    text: query.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim(),
    count: Math.min(MAX_ASKED_FOR, Math.max(wanted, isReranked ? RERANKED : Math.min(2 * wanted, 20))),
    ...filters.query,
  };
}

/** Hits without those that are known to be of another time. */
function ofTime(hits: readonly MergedHit[], { freshness }: SearchQuery): MergedHit[] {
  return hits.filter(({ publishedAt }) => !freshness || !publishedAt || isFresh(publishedAt, freshness));
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

function resultOfPage({ hit, score }: RankedPage, content: string): SearchResult {
  const { url, title, publishedAt, provider } = hit;
  const about = { title: title || undefined, publishedAt: publishedAt || undefined, ...creditOf(hit) };
  return { content, score, sourceUrl: url, ...about, provider };
}

// The tool

function searchService(
  providers: SearchProvider[],
  answers: AnswerEngine,
  { search, cache, shared }: { search: Enabled<ResolvedSearchOptions> } & ToolStores,
  watcher: Watcher,
  reranker?: GuardedReranker,
): SearchService {
  for (const { name } of providers) watcher.health.register('search_web', name);
  return new SearchService({
    providers,
    usesDefaults: search.providers === undefined,
    answers,
    fallbackAnswers: embeddedAnswers(search.answerThreshold),
    options: search,
    pages: search.pages === false ? undefined : watchedPages(createPageReader(search.pages), watcher.health),
    cache,
    shared,
    watch: watchGroup('search_web', watcher),
    reranker,
  });
}

/** The option `search`. */
export interface SearchWebOption {
  /** Settings of `search_web`, or false: the tool is off: no route, or 501 with `forRootAsync`. */
  search?: SearchModuleOptions | false;
}

export const SEARCH_WEB: ToolDefinition<'search_web', SearchService, SearchWebOption, ResolvedSearchOptions> =
  {
    name: 'search_web',
    title: 'Search the web',
    description: 'Returns the best passages, or, with `llm_answer`, a cited answer instead.',
    request: SearchWebDto,
    data: SearchDataDto,
    answer: 'Results, or the answer.',
    errors: {
      400: refusal(
        '`invalid_request`: a field is missing, of the wrong type, out of range or unknown (it is named); malformed JSON.',
        'top_n',
        'must not be greater than 20',
      ),
    },
    option: { name: 'search', schema: SEARCH_SCHEMA, byDefault: true },
    service: SearchService,
    provider: {
      inject: [SEARCH_PROVIDERS, ANSWER_ENGINE, RESOLVED_OPTIONS, WATCHER, RERANKER],
      useFactory: searchService,
    },
    agent: {
      description:
        'Search the web. Returns the best passage of each page with its address, or with llm_answer a short answer with citations.',
      fields: {
        query: '',
        top_n: 'Number of results',
        llm_answer: 'true: an answer instead of results',
        language: 'Of the pages',
        freshness: 'Published within',
        include_domains: '',
        exclude_domains: '',
        output_schema: 'With llm_answer: JSON Schema of wanted data, as string',
      },
      bounds: ({ maxTopN }) => ({ top_n: { maximum: maxTopN } }),
      advice: 'Lower top_n for longer passages.',
    },
    run: async (service, request, call) => {
      const response = await service.search(request, call);
      const { provider, cached, llm } = response;
      const method = llm ? 'answer' : 'results';
      return {
        result: response,
        facts: { method, provider, cached, engine: llm?.engine, usage: llm?.usage ?? response.usage },
      };
    },
  };
