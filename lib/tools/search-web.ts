import type { CallOptions } from '../core/context.js';
import { NotConfiguredError } from '../core/errors.js';
import { watchGroup, type Watcher } from '../core/health.js';
import {
  ANSWER_ENGINE,
  RERANKER,
  RESOLVED_OPTIONS,
  SEARCH_PROVIDERS,
  WATCHER,
} from '../core/injection-tokens.js';
import { embeddedAnswers } from '../embedded/answer/embedded-answers.js';
import type { OutputSchemaOf } from '../data/output-schema.js';
import type { AnswerEngine } from '../search/answer-engine.js';
import { resolveFilters, type RequestFilters } from '../search/filters.js';
import type { GuardedReranker } from '../search/reranker.js';
import type { SearchProvider } from '../search/search-provider.js';
import {
  SEARCH_SCHEMA,
  type ResolvedSearchOptions,
  type SearchModuleOptions,
} from '../search/search.options.js';
import { WebSearch, type WebSearchParts, type WebSearchRequest } from '../search/web-search.js';
import { createPageReader, watchedPages } from '../web/result-pages.js';
import { checkRequest, faultIf, outputSchemaOf } from './request-fields.js';
import type { ResultOf } from './result-fields.js';
import { ToolService, type ToolStores, type ToolWork } from './run-tool.js';
import {
  SearchDataDto,
  DEFAULT_TOP_N,
  SearchWebDto,
  type LlmAnswerDto,
  type SearchResultDto,
} from './dto/search-web.dto.js';
import { refusal, type Enabled, type ToolDefinition } from './tool-definition.js';

/** The request for a search. Its filters apply to this search only, within what the host allows. */
export interface SearchRequest<T = unknown> extends RequestFilters {
  /** 1..400 characters. */
  query: string;
  /** Number of results, from 1. Default 5. */
  topN?: number;
  /** True: an answer in place of the results. Default false. */
  llmAnswer?: boolean;
  /**
   * With `llmAnswer` and a model: the form of `llm.output`. A JSON Schema of type object within the limits of docs/answers-as-data.md, or a schema
   * of zod 4.2+ or any other library with Standard JSON Schema.
   */
  outputSchema?: OutputSchemaOf<T>;
}

/** One result. */
export interface SearchResult extends ResultOf<SearchResultDto> {}

/** Result of a search: either `results` or `llm`; fields as in docs/reference.md. */
export interface SearchResponse<T = unknown> extends ResultOf<SearchDataDto, T> {}

export interface SearchCollaborators extends WebSearchParts, ToolStores {
  options: Enabled<ResolvedSearchOptions>;
}

type UncachedResponse = Omit<SearchResponse, 'cached'>;

/**
 * Searches the web, and answers questions from what it finds. The tool `search_web`, usable without HTTP.
 * @publicApi
 */
export class SearchService extends ToolService<SearchRequest, UncachedResponse, ResolvedSearchOptions> {
  private readonly pipeline: WebSearch;

  constructor(private readonly deps: SearchCollaborators) {
    super(SEARCH_WEB, { ...deps, search: deps.options });
    this.pipeline = new WebSearch(deps);
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
  ): Promise<SearchResponse<T> & { llm: ResultOf<LlmAnswerDto, T> }>;
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
      run: (context, spent) => this.pipeline.run(valid, context, spent),
    };
  }

  private validate(request: SearchRequest): WebSearchRequest {
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
}

// The tool

function searchService(
  providers: SearchProvider[],
  answers: AnswerEngine,
  { search, cache, shared }: { search: Enabled<ResolvedSearchOptions> } & ToolStores,
  watcher: Watcher,
  reranker?: GuardedReranker,
): SearchService {
  for (const { name } of providers) watcher.health.register(SEARCH_WEB.name, name);
  return new SearchService({
    providers,
    usesDefaults: search.providers === undefined,
    answers,
    fallbackAnswers: embeddedAnswers(search.answerThreshold),
    options: search,
    pages: search.pages === false ? undefined : watchedPages(createPageReader(search.pages), watcher.health),
    cache,
    shared,
    watch: watchGroup(SEARCH_WEB.name, watcher),
    reranker,
  });
}

/** The option `search`. */
export interface SearchWebOption {
  /** Settings of `search_web`. False: the tool is off: no route, or 501 with `forRootAsync`. Default: on. */
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
      400: refusal('top_n', 'must not be greater than 20'),
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
      bounds: ({ maxTopN }) => ({ top_n: { maximum: maxTopN } }),
      advice: 'Lower top_n for longer passages.',
    },
    run: async (service, request, call) => {
      const result = await service.search(request, call);
      return { result, method: result.llm ? 'answer' : 'results' };
    },
  };
