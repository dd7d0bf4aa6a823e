import { setImmediate as nextTurn } from 'node:timers/promises';
import { ToolsError } from '../core/errors.js';
import { trackSpend } from '../core/usage.js';
import type { CacheStore } from '../core/cache-store.js';
import type { SharedState } from '../core/shared-state.js';
import type { ToolContext } from '../core/context.js';
import type { Answer, AnswerEngine, AnswerPassage, AnswerUsage, Citation } from './answer-engine.js';
import { mergeHits, type MergedHit } from './merge-hits.js';
import type { PageReader } from './page-reader.js';
import { askProviders, type GuardedProvider } from './provider-race.js';
import { canonicalUrl } from './ranking/canonical-url.js';
import { readPages } from './read-pages.js';
import { searchBeside, type BesideSearch } from './rewrite/beside-search.js';
import type { QueryRewriter } from './rewrite/query-rewriter.js';
import type { SearchProvider, SearchQuery } from './search-provider.js';
import { DEFAULT_TOP_N, type ResolvedSearchOptions } from './search.options.js';
import type { SearchRequest, SearchResponse, SearchResult } from './search-response.js';
import { answerPassages, contentOf, rankPages, type RankedPage } from './select-passages.js';

/** More is asked for than is shown, since duplicates fall away and an answer wants choice. */
const MOST_ASKED_FOR = 50;
const LEAST_FOR_ANSWER = 8;

/** What searches work with. */
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

/** One search that no cache could answer: providers → merge → passages → results or answer. */
export class SearchRun {
  constructor(
    private readonly with_: SearchCollaborators,
    private readonly guarded: readonly GuardedProvider[],
    private readonly request: SearchRequest,
    private readonly context: ToolContext,
  ) {}

  /** @throws what `SearchService.search` throws once it works */
  async response(): Promise<Omit<SearchResponse, 'cached'>> {
    const { guarded, request, context } = this;
    const { options, rewriter } = this.with_;
    const query = this.query();
    context.progress({ stage: 'search' });
    const beside = options.rewrite
      ? searchBeside(guarded, query, context, options, request.llmAnswer ? rewriter : undefined)
      : undefined;
    try {
      return await this.found(query, beside);
    } finally {
      beside?.stop();
    }
  }

  private query(): SearchQuery {
    const { options } = this.with_;
    const { query, topN = DEFAULT_TOP_N, llmAnswer } = this.request;
    const wanted = llmAnswer ? Math.max(topN, LEAST_FOR_ANSWER) : topN;
    return {
      text: query.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim(),
      count: Math.min(MOST_ASKED_FOR, Math.max(wanted, Math.min(2 * wanted, 20))),
      ...(options.language ? { language: options.language } : {}),
      ...(options.freshness ? { freshness: options.freshness } : {}),
      ...(options.includeDomains.length > 0 ? { includeDomains: [...options.includeDomains] } : {}),
      ...(options.excludeDomains.length > 0 ? { excludeDomains: [...options.excludeDomains] } : {}),
    };
  }

  private async found(
    query: SearchQuery,
    beside: BesideSearch | undefined,
  ): Promise<Omit<SearchResponse, 'cached'>> {
    const { request, context } = this;
    const { options } = this.with_;
    const { lists, failed } = await askProviders(this.guarded, query, context, options);
    // What came in the same turn is there for nothing.
    if (beside) await nextTurn();
    const early = beside?.lists.length ?? 0;
    let hits = mergeHits([...lists, ...(beside?.lists ?? [])], query);
    let texts = await this.read(hits);
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
    const sources = new Set(passages.map((p) => p.url)).size;
    context.progress({ stage: 'results', done: sources, total: sources });
    context.progress({ stage: 'answer' });
    const answer = await this.answer(query.text, passages);
    context.progress({ stage: 'answer', text: answer.text });
    const { text, outcome, answerableProbability, engine } = answer;
    const citations = credited(answer.citations, hits);
    const usage = sumOf(answer.usage, beside?.usage);
    return {
      ...response,
      totalResults: sources,
      llm: { answer: text, outcome, answerableProbability, citations, engine, ...(usage ? { usage } : {}) },
      warnings: [...warnings, ...answer.warnings],
    };
  }

  private async read(hits: readonly MergedHit[]): Promise<Map<MergedHit, string>> {
    const { pages, options } = this.with_;
    if (!pages || options.readPages === 0) return new Map();
    const limit = Math.min(options.readMs, this.context.remainingMs() / 2);
    return readPages(pages, hits, options.readPages, limit, this.context);
  }

  private async answer(query: string, passages: AnswerPassage[]): Promise<Answer> {
    const { answers, fallbackAnswers } = this.with_;
    const own = trackSpend(this.context);
    let spent: AnswerUsage | undefined;
    try {
      const answer = await answers.answer(query, passages, own.context, (usage) => (spent = usage));
      own.record(answer.usage);
      return answer;
    } catch (error) {
      own.record(spent);
      if (!fallbackAnswers || this.context.signal.aborted) throw error;
      const answer = await fallbackAnswers.answer(query, passages, this.context);
      const reason = error instanceof ToolsError ? error.code : 'failed';
      const warning = {
        code: 'answer_engine_failed',
        message: `${answers.engine} did not answer (${reason}); ${fallbackAnswers.engine} did.`,
      };
      return { ...answer, ...(spent ? { usage: spent } : {}), warnings: [warning, ...answer.warnings] };
    }
  }
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

/** Adds licence and credit to the citations of sources that demand it. */
function credited(citations: readonly Citation[], hits: readonly MergedHit[]): Citation[] {
  const byUrl = new Map(hits.map((hit) => [hit.url, hit]));
  return citations.map((citation) => ({ ...citation, ...creditOf(byUrl.get(citation.url)) }));
}

function creditOf(hit: MergedHit | undefined): Pick<MergedHit, 'license' | 'attribution'> {
  return {
    ...(hit?.license ? { license: hit.license } : {}),
    ...(hit?.attribution ? { attribution: hit.attribution } : {}),
  };
}

function resultOf(query: string, page: RankedPage): SearchResult {
  const { hit, score } = page;
  return {
    content: contentOf(query, page),
    score,
    sourceUrl: hit.url,
    ...(hit.title ? { title: hit.title } : {}),
    ...(hit.publishedAt ? { publishedAt: hit.publishedAt } : {}),
    ...creditOf(hit),
    provider: hit.provider,
  };
}
