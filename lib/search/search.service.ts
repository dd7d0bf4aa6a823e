import { setImmediate as nextTurn } from 'node:timers/promises';
import { mapKept, ResultCache, type CacheStore, type KeptResult } from '../core/cache/index.js';
import { InvalidRequestError, NotConfiguredError, ToolsError } from '../core/errors/index.js';
import { counted } from '../core/spending.js';
import type { SharedState } from '../core/sharing/index.js';
import type { CallOptions, ToolContext } from '../core/tool-context.js';
import type { Answer, AnswerEngine, AnswerPassage, AnswerUsage, Citation } from './answer-engine.js';
import { mergeHits, type MergedHit } from './merge-hits.js';
import type { PageReader } from './page-reader.js';
import { askProviders, guarded, type GuardedProvider } from './provider-race.js';
import { canonicalUrl } from './ranking/canonical-url.js';
import { readPages } from './read-pages.js';
import { searchBeside, type BesideSearch } from './rewrite/beside-search.js';
import type { QueryRewriter } from './rewrite/query-rewriter.js';
import type { SearchProvider, SearchQuery } from './search-provider.js';
import type { ResolvedSearchOptions } from './search.options.js';
import { answerPassages, contentOf, rankPages, type RankedPage } from './select-passages.js';

/** What is searched for. */
export interface SearchRequest {
  /** 1..400 characters. */
  query: string;
  /** Number of results, from 1. Default 5. */
  topN?: number;
  /** True: an answer in place of the results. Default false. */
  llmAnswer?: boolean;
}

/** One result. */
export interface SearchResult {
  /** Best passage as one line of plain text, never empty. */
  content: string;
  /** 0..1, never rising with rank; comparable within one response only. See `RankedPage.score`. */
  score: number;
  sourceUrl: string;
  title?: string;
  /** ISO 8601 date or date-time. */
  publishedAt?: string;
  /** Name of the provider that placed it best. */
  provider: string;
}

/** An answer in place of results. */
export interface SearchAnswer {
  answer: string;
  /** 0..1: the estimated probability that the answer is correct and grounded in the sources. */
  answerableProbability: number;
  citations: Citation[];
  /** `extractive`, or the model's id. */
  engine: string;
  usage?: Answer['usage'];
}

/** What a search returns: either `results` or `llm`. */
export interface SearchResponse {
  query: string;
  /** Results found; with an answer, the sources that it was made from. */
  totalResults: number;
  results?: SearchResult[];
  llm?: SearchAnswer;
  /** The provider that the results came from; several are joined with a plus sign. */
  provider: string;
  /**
   * True when it was made for an earlier request. Then, and when an equal request at the same time bears the cost, the answer's
   * `usage` says what this one cost: nothing.
   */
  cached: boolean;
  warnings: { code: string; message: string }[];
}

/** What the service works with. */
export interface SearchCollaborators {
  /** In order of preference. */
  providers: readonly SearchProvider[];
  /** Writes the answer. */
  answers: AnswerEngine;
  /** Takes over when `answers` fails; the embedded engine beside a model. */
  fallbackAnswers?: AnswerEngine;
  options: ResolvedSearchOptions;
  /** Puts long conversational queries of answers into other words, beside the keywords that are taken out of them in code. */
  rewriter?: QueryRewriter;
  /** Reads pages that came with a snippet only; without it snippets are what there is. */
  pages?: PageReader;
  /** Where results and answers are kept; without it nothing is. */
  store?: CacheStore;
  /** What is shared with other replicas; without it nothing is. */
  sharing?: SharedState;
}

type UncachedResponse = Omit<SearchResponse, 'cached'>;

const DEFAULT_TOP_N = 5;
const MAX_QUERY_LENGTH = 400;
/** Something that can be seen; what cannot, finds nothing anywhere. */
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u;
/** More is asked for than is shown, since duplicates fall away and an answer wants choice. */
const MOST_ASKED_FOR = 50;
const LEAST_FOR_ANSWER = 8;
/** Warnings of what may be over with the next request: what carries them is not kept. */
const PASSING: ReadonlySet<string> = new Set(['provider_failed', 'answer_engine_failed']);

/** Query → providers → merge → passages → results or answer. */
export class SearchService {
  private readonly cache: ResultCache<UncachedResponse>;
  private readonly guarded: readonly GuardedProvider[];

  constructor(private readonly with_: SearchCollaborators) {
    this.cache = new ResultCache(
      'search:1',
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
    const { providers, answers, options } = this.with_;
    const { language, freshness, includeDomains, excludeDomains, rewrite } = options;
    const asked = providers.map(({ name, version }) => (version === undefined ? name : `${name}@${version}`));
    const where = [asked, language, freshness, includeDomains, excludeDomains];
    return [query, topN, llmAnswer, answers.engine, rewrite, ...where];
  }

  private async run(request: SearchRequest, context: ToolContext): Promise<UncachedResponse> {
    const { options } = this.with_;
    const query = this.queryOf(request);
    context.progress({ stage: 'search' });
    const beside = options.rewrite
      ? searchBeside(
          this.guarded,
          query,
          context,
          options,
          request.llmAnswer ? this.with_.rewriter : undefined,
        )
      : undefined;
    try {
      return await this.found(request, query, context, beside);
    } finally {
      beside?.stop();
    }
  }

  private async found(
    request: SearchRequest,
    query: SearchQuery,
    context: ToolContext,
    beside: BesideSearch | undefined,
  ): Promise<UncachedResponse> {
    const { options } = this.with_;
    const { lists, failed } = await askProviders(this.guarded, query, context, options);
    // What came in the same turn is there for nothing.
    if (beside) await nextTurn();
    const early = beside?.lists.length ?? 0;
    let hits = mergeHits([...lists, ...(beside?.lists ?? [])], query);
    let texts = await this.read(hits, context);
    if (beside && beside.lists.length > early) {
      const later = mergeHits([...lists, ...beside.lists], query);
      texts = carriedOver(texts, later);
      hits = later;
    }
    beside?.stop();
    const pages = rankPages(query.text, hits, texts);
    const warnings = failed.map(({ provider, outcome }) => ({
      code: 'provider_failed',
      message: `The search provider ${provider} failed (${outcome}).`,
    }));
    const provider = lists
      .filter((l) => l.hits.length > 0 || lists.length === 1)
      .map((l) => l.provider)
      .join('+');
    const response = { query: request.query, provider: provider || lists[0]!.provider, warnings };
    if (!request.llmAnswer) {
      const results = pages.slice(0, request.topN ?? DEFAULT_TOP_N).map((page) => resultOf(query.text, page));
      return { ...response, totalResults: results.length, results };
    }
    const passages = answerPassages(pages, options.answerPassages);
    const found = new Set(passages.map((p) => p.url)).size;
    context.progress({ stage: 'results', done: found, total: found });
    context.progress({ stage: 'answer' });
    const answer = await this.answer(query.text, passages, context);
    context.progress({ stage: 'answer', text: answer.text });
    const { text, answerableProbability, citations, engine } = answer;
    const usage = sumOf(answer.usage, beside?.usage);
    return {
      ...response,
      totalResults: found,
      llm: { answer: text, answerableProbability, citations, engine, ...(usage ? { usage } : {}) },
      warnings: [...warnings, ...answer.warnings],
    };
  }

  private queryOf(request: SearchRequest): SearchQuery {
    const { options } = this.with_;
    const topN = request.topN ?? DEFAULT_TOP_N;
    const wanted = request.llmAnswer ? Math.max(topN, LEAST_FOR_ANSWER) : topN;
    return {
      text: request.query.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim(),
      count: Math.min(MOST_ASKED_FOR, Math.max(wanted, Math.min(2 * wanted, 20))),
      ...(options.language ? { language: options.language } : {}),
      ...(options.freshness ? { freshness: options.freshness } : {}),
      ...(options.includeDomains.length > 0 ? { includeDomains: [...options.includeDomains] } : {}),
      ...(options.excludeDomains.length > 0 ? { excludeDomains: [...options.excludeDomains] } : {}),
    };
  }

  private async read(hits: readonly MergedHit[], context: ToolContext): Promise<Map<MergedHit, string>> {
    const { pages, options } = this.with_;
    if (!pages || options.readPages === 0) return new Map();
    const limit = Math.min(options.readMs, context.remainingMs() / 2);
    return readPages(pages, hits, options.readPages, limit, context);
  }

  private async answer(query: string, passages: AnswerPassage[], context: ToolContext): Promise<Answer> {
    const { answers, fallbackAnswers } = this.with_;
    const own = counted(context);
    let spent: AnswerUsage | undefined;
    try {
      const answer = await answers.answer(query, passages, own.context, (usage) => (spent = usage));
      own.settle(answer.usage);
      return answer;
    } catch (error) {
      own.settle(spent);
      if (!fallbackAnswers || context.signal.aborted) throw error;
      const answer = await fallbackAnswers.answer(query, passages, context);
      const reason = error instanceof ToolsError ? error.code : 'failed';
      const warning = {
        code: 'answer_engine_failed',
        message: `${answers.engine} did not answer (${reason}); ${fallbackAnswers.engine} did.`,
      };
      return { ...answer, ...(spent ? { usage: spent } : {}), warnings: [warning, ...answer.warnings] };
    }
  }
}

/** A response that another request has paid for. */
function paidFor(value: UncachedResponse): UncachedResponse {
  if (!value.llm?.usage) return value;
  return { ...value, llm: { ...value.llm, usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0 } } };
}

/** The texts that were read, for the same pages of another merge. */
function carriedOver(
  texts: ReadonlyMap<MergedHit, string>,
  hits: readonly MergedHit[],
): Map<MergedHit, string> {
  const known = new Map([...texts].map(([hit, text]) => [canonicalUrl(hit.url), { hit, text }]));
  const carried = new Map<MergedHit, string>();
  for (const hit of hits) {
    const read = known.get(canonicalUrl(hit.url));
    if (!read) continue;
    carried.set(hit, read.text);
    hit.publishedAt ??= read.hit.publishedAt;
    hit.title ||= read.hit.title;
  }
  return carried;
}

function sumOf(a: AnswerUsage | undefined, b: AnswerUsage | undefined): AnswerUsage | undefined {
  if (!a || !b) return a ?? b;
  return {
    modelCalls: a.modelCalls + b.modelCalls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
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

function resultOf(query: string, page: RankedPage): SearchResult {
  const { hit, score } = page;
  return {
    content: contentOf(query, page),
    score,
    sourceUrl: hit.url,
    ...(hit.title ? { title: hit.title } : {}),
    ...(hit.publishedAt ? { publishedAt: hit.publishedAt } : {}),
    provider: hit.provider,
  };
}
