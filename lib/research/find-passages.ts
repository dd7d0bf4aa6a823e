import { yielder } from '../core/async.js';
import { isAdmitted } from '../core/domains.js';
import { withFork, type ToolContext } from '../core/context.js';
import type { Warning } from '../core/warning.js';
import type { AnswerPassage } from '../search/answer-engine.js';
import { mergeHits, type MergedHit } from '../search/merge-hits.js';
import { askProviders, type GuardedProvider } from '../search/provider-race.js';
import { canonicalUrl } from '../search/ranking/canonical-url.js';
import { withoutDuplicates } from '../search/ranking/duplicate-pages.js';
import { readPages } from '../search/read-pages.js';
import { rerankPages, type GuardedReranker } from '../search/reranker.js';
import type { SearchQuery } from '../search/search-provider.js';
import type { ResolvedSearchOptions } from '../search/search.options.js';
import { answerPassages, rankPages, type RankedTexts } from '../search/select-passages.js';
import type { Block } from '../web/blocks.js';
import type { PageReader } from '../web/page-reader.js';

export interface FinderDeps {
  providers: readonly GuardedProvider[];
  options: ResolvedSearchOptions;
  /** Reads pages that came with a snippet only; without it snippets are what there is. */
  pages?: PageReader;
  reranker?: GuardedReranker;
}

/** What a search found: passages, best first, or why it failed. */
export type Found = { query: string; passages: AnswerPassage[] } | { query: string; error: unknown };

/** Results of one search. */
const RESULTS = 8;
/** Providers are asked for more: duplicates are dropped. */
const ASKED_FOR = 16;
/** Pages that are read for a search alone, for each of several, and in one research. */
const PAGES_ALONE = 5;
const PAGES_PER_SEARCH = 3;
const MOST_PAGES = 16;
/** Pages that take the place of those that fail or are late. */
const SPARE_PAGES = 2;
/** Share of the time that is left for searches, and then for reading pages. */
const TIME_SHARE = 0.5;
/** Longest stretch of ranking without yielding to other requests, ms. */
const RANKING_SLICE_MS = 12;

/** Searches and reads pages for one research. No page is read twice. */
export class PassageFinder {
  readonly warnings: Warning[] = [];
  private readonly hits = new Map<string, MergedHit>();
  private readonly blocks = new Map<string, readonly Block[]>();
  private readonly texts: RankedTexts = { analyzers: new Map(), pages: new WeakMap() };

  /**
   * @param filters of all searches
   * @param readBefore how many pages another worker has read
   */
  constructor(
    private readonly deps: FinderDeps,
    private readonly filters: Omit<SearchQuery, 'text' | 'count'>,
    private readonly readBefore = 0,
  ) {}

  /** Licence, credit and title of a page. */
  hitOf(url: string): MergedHit | undefined {
    return this.hits.get(canonicalUrl(url));
  }

  /**
   * Makes all searches at once, then reads their pages at once.
   * @throws the context's reason when it is aborted; never what a search throws
   */
  async find(queries: readonly string[], context: ToolContext): Promise<Found[]> {
    let done = 0;
    const step = (): void => context.progress({ stage: 'search', done, total: queries.length });
    step();
    const lists = await Promise.all(
      queries.map(async (query) => {
        try {
          const ms = Math.min(this.deps.options.answerDeadlineMs, context.remainingMs() * TIME_SHARE);
          return { query, hits: await withFork(context, { ms }, (own) => this.search(query, own)) };
        } catch (error) {
          context.signal.throwIfAborted();
          return { query, error };
        } finally {
          done++;
          step();
        }
      }),
    );
    const found = lists.flatMap((list) => (list.hits ? [list.hits] : []));
    await this.read(found, context);
    const results: Found[] = [];
    for (const list of lists)
      results.push(
        list.hits ? { query: list.query, passages: await this.rank(list.query, list.hits, context) } : list,
      );
    return results;
  }

  /** Canonical addresses of the pages that were read. */
  get readAddresses(): string[] {
    return [...this.blocks.keys()];
  }

  private async search(text: string, context: ToolContext): Promise<MergedHit[]> {
    const query = { text, count: ASKED_FOR, ...this.filters };
    const { providers, options } = this.deps;
    const { lists, failed } = await askProviders(providers, query, context, options);
    for (const { provider, outcome } of failed)
      this.warn({
        code: 'provider_failed',
        message: `The search provider ${provider} failed (${outcome}).`,
        transient: true,
      });
    for (const list of lists) list.warnings?.forEach((warning) => this.warn(warning));
    const hits = (await mergeHits(lists, query)).slice(0, this.deps.reranker ? ASKED_FOR : RESULTS);
    for (const hit of hits) this.hits.set(canonicalUrl(hit.url), hit);
    return hits;
  }

  private warn(warning: Warning): void {
    if (!this.warnings.some(({ message }) => message === warning.message)) this.warnings.push(warning);
  }

  /** Reads the pages that no search had before, the best of each search first. */
  private async read(lists: readonly (readonly MergedHit[])[], context: ToolContext): Promise<void> {
    const { pages, options } = this.deps;
    const best = [...Array(RESULTS).keys()].flatMap((rank) => lists.flatMap((hits) => hits[rank] ?? []));
    const unread = new Map(best.map((hit) => [canonicalUrl(hit.url), hit]));
    for (const key of this.blocks.keys()) unread.delete(key);
    const left = MOST_PAGES - this.blocks.size - this.readBefore;
    const most = lists.length === 1 ? PAGES_ALONE : PAGES_PER_SEARCH * lists.length;
    const wanted = Math.min(left, most, unread.size);
    if (!pages || options.readPages === 0 || wanted <= 0) return;
    const limit = Math.min(options.readMs, context.remainingMs() * TIME_SHARE);
    const admits = (url: string): boolean => isAdmitted(url, this.filters);
    const offered = [...unread.values()].slice(0, wanted + SPARE_PAGES);
    const read = await readPages(pages, offered, wanted, limit, context, admits);
    for (const [hit, blocks] of read) this.blocks.set(canonicalUrl(hit.url), blocks);
  }

  private async rank(
    query: string,
    hits: readonly MergedHit[],
    context: ToolContext,
  ): Promise<AnswerPassage[]> {
    const { reranker } = this.deps;
    const read = new Map(
      hits.flatMap((hit) => {
        const blocks = this.blocks.get(canonicalUrl(hit.url));
        return blocks ? [[hit, blocks]] : [];
      }),
    );
    const pause = yielder(RANKING_SLICE_MS, context.signal);
    const ranked = await rankPages(query, hits, read, pause, undefined, this.texts);
    const { pages, warning } = reranker
      ? await rerankPages(query, ranked, reranker, context)
      : { pages: ranked, warning: undefined };
    if (warning) this.warn(warning);
    return answerPassages(pages.slice(0, RESULTS));
  }
}

/**
 * Chooses passages that were not shown before, in turn of the searches, best first. Copies of one text count once.
 * @param perSearch most passages of one search
 * @param most passages in all
 */
export async function newPassages(
  lists: readonly (readonly AnswerPassage[])[],
  shown: readonly AnswerPassage[],
  { perSearch, most }: { perSearch: number; most: number },
  context: ToolContext,
): Promise<AnswerPassage[]> {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const inTurn = [...Array(longest).keys()].flatMap((rank) =>
    lists.flatMap((list, search) => (list[rank] ? [{ passage: list[rank], search }] : [])),
  );
  const compared = [...shown.map((passage) => ({ passage, search: -1 })), ...inTurn].map((one) => ({
    ...one,
    title: '',
    snippet: '',
    passages: [one.passage.text],
  }));
  const unique = await withoutDuplicates(compared, yielder(RANKING_SLICE_MS, context.signal));
  const taken = lists.map(() => 0);
  return unique
    .filter(({ search }) => search >= 0 && taken[search]!++ < perSearch)
    .slice(0, most)
    .map(({ passage }) => passage);
}
