import { mapKept, type KeptResult } from '../core/cache/kept-result.js';
import { ResultCache } from '../core/cache/result-cache.js';
import { InvalidRequestError, NotConfiguredError } from '../core/errors.js';
import type { CallOptions, ToolContext } from '../core/context.js';
import { guarded, type GuardedProvider } from './provider-race.js';
import { DEFAULT_TOP_N } from './search.options.js';
import type { SearchRequest, SearchResponse } from './search-response.js';
import type { SearchCollaborators } from './search-run.js';

type UncachedResponse = Omit<SearchResponse, 'cached'>;

const MAX_QUERY_LENGTH = 400;
/** Something that can be seen; what cannot, finds nothing anywhere. */
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u;
/** Warnings of what may be over with the next request: what carries them is not kept. */
const PASSING: ReadonlySet<string> = new Set([
  'provider_failed',
  'answer_engine_failed',
  'answer_not_verified',
]);

/** Query → providers → merge → passages → results or answer. */
export class SearchService {
  private readonly cache: ResultCache<UncachedResponse>;
  private readonly guarded: readonly GuardedProvider[];

  constructor(private readonly with_: SearchCollaborators) {
    this.cache = new ResultCache(
      'search:2',
      with_.store,
      with_.options.cacheTtlMs,
      ({ warnings }) => !warnings.some(({ code }) => PASSING.has(code)),
      with_.sharing,
    );
    this.guarded = guarded(with_.providers);
  }

  /**
   * Tells its steps as progress: `search`, and with an answer `results` with their number before it is written, then `answer`, and
   * once more `answer` with the text. The text comes only after it has been checked, whole: what a model writes is not shown before.
   *
   * @throws InvalidRequestError for a query that is empty, invisible or longer than 400 characters;
   *   NotConfiguredError without any provider; UpstreamUnavailableError when all of them fail, UpstreamInvalidError when all are unreadable; UpstreamTimeoutError
   *   when the deadline passes; the caller's reason when it aborts
   */
  async search(request: SearchRequest, call: CallOptions = {}): Promise<SearchResponse> {
    this.check(request);
    const { options } = this.with_;
    const deadline = request.llmAnswer ? options.answerDeadlineMs : options.deadlineMs;
    const { value, cached, shared } = await this.cache.get(this.keyOf(request), call, deadline, (context) =>
      this.run(request, context),
    );
    return cached || shared ? { ...paidFor(value), cached } : { ...value, cached };
  }

  /**
   * What the cache has for a request, without any work. For callers that ask the same time and again, such as an endpoint.
   * @throws what `search` throws before it begins to work
   */
  kept(request: SearchRequest): KeptResult<SearchResponse> {
    return mapKept(this.cache.kept(this.identityOf(request)), (value) => ({
      ...paidFor(value),
      cached: true,
    }));
  }

  /**
   * What makes two requests equal: everything that the result depends on.
   * @throws what `search` throws before it begins to work
   */
  identityOf(request: SearchRequest): readonly unknown[] {
    this.check(request);
    return this.keyOf(request);
  }

  private check(request: SearchRequest): void {
    const { options, providers } = this.with_;
    if (!options.enabled) {
      throw new NotConfiguredError('This server does not offer search_web (option `search` is false).');
    }
    if (providers.length === 0) {
      throw new NotConfiguredError(
        'There is nothing to search: configure `search.providers`, e.g. with documents([…]).',
      );
    }
    checkQuery(request.query);
  }

  private keyOf({ query, topN = DEFAULT_TOP_N, llmAnswer = false }: SearchRequest): readonly unknown[] {
    const { providers, answers, rewriter, pages, options } = this.with_;
    const { language, freshness, includeDomains, excludeDomains, rewrite, combine } = options;
    const asked = providers.map(({ name, version }) => (version === undefined ? name : `${name}@${version}`));
    const where = [asked, combine, language, freshness, includeDomains, excludeDomains];
    const read = pages ? options.readPages : 0;
    const answered = [
      answers.engine,
      answers.version,
      options.answerPassages,
      options.answerThreshold,
      rewriter !== undefined,
    ];
    return [query, topN, llmAnswer, rewrite, read, ...where, ...(llmAnswer ? answered : [])];
  }

  private async run(request: SearchRequest, context: ToolContext): Promise<UncachedResponse> {
    // Loaded with the first search, not with the host: ranking, rewriting and reading pages are a good part of this library.
    const { SearchRun } = await import('./search-run.js');
    return new SearchRun(this.with_, this.guarded, request, context).response();
  }
}

/** A response that another request has paid for. */
function paidFor(value: UncachedResponse): UncachedResponse {
  if (!value.llm?.usage) return value;
  return { ...value, llm: { ...value.llm, usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0 } } };
}

function checkQuery(query: string): void {
  const text = typeof query === 'string' ? query.trim() : '';
  if (!VISIBLE.test(text)) {
    throw new InvalidRequestError([
      { field: 'query', message: 'query must contain something to search for' },
    ]);
  }
  if (text.length > MAX_QUERY_LENGTH) {
    const message = `query must be 1 to ${MAX_QUERY_LENGTH} characters long after trimming`;
    throw new InvalidRequestError([{ field: 'query', message }]);
  }
}
