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
const SLICE_MS = 12;

/** Searches and reads pages for one research. No page is read twice. */
export class PassageFinder {
  private readonly hits = new Map<string, MergedHit>();
  private readonly blocks = new Map<string, readonly Block[]>();
  private readonly texts: RankedTexts = { analyzers: new Map(), pages: new WeakMap() };

  /**
   * @param filters of all searches
   * @param warn is told what failed
   * @param readBefore how many pages another worker has read
   */
  constructor(
    private readonly deps: FinderDeps,
    private readonly filters: Omit<SearchQuery, 'text' | 'count'>,
    private readonly warn: (warning: Warning) => void,
    private readonly readBefore = 0,
  ) {}

  /** Licence, credit and date of a page. */
  readonly hitOf = (url: string): MergedHit | undefined => this.hits.get(canonicalUrl(url));

  /** Canonical addresses of the pages that were read. */
  get readAddresses(): string[] {
    return [...this.blocks.keys()];
  }

  /**
   * Makes all searches at once, then reads their pages at once.
   * @throws the context's reason when it is aborted; never what a search throws
   */
  async find(queries: readonly string[], context: ToolContext): Promise<Found[]> {
    let done = 0;
    const step = (more: number): void =>
      context.progress({ stage: 'search', done: (done += more), total: queries.length });
    step(0);
    const ms = Math.min(this.deps.options.answerDeadlineMs, context.remainingMs() * TIME_SHARE);
    const lists = await Promise.all(
      queries.map(async (query) => {
        const hits = await withFork(context, { ms }, (own) => this.search(query, own)).catch(
          (error: unknown) => ({ error }),
        );
        context.signal.throwIfAborted();
        step(1);
        return { query, hits };
      }),
    );
    const successful = lists.flatMap(({ hits }) => ('error' in hits ? [] : [hits]));
    await this.read(successful, context);
    const found: Found[] = [];
    for (const { query, hits } of lists)
      if ('error' in hits) found.push({ query, error: hits.error });
      else found.push({ query, passages: await this.passagesOf(query, hits, context) });
    return found;
  }

  private async search(text: string, context: ToolContext): Promise<MergedHit[]> {
    const query = { text, count: ASKED_FOR, ...this.filters };
    const { providers, options, reranker } = this.deps;
    const { lists, failed } = await askProviders(providers, query, context, options);
    for (const { provider, outcome } of failed)
      this.warn({
        code: 'provider_failed',
        message: `The search provider ${provider} failed (${outcome}).`,
        transient: true,
      });
    lists.flatMap((list) => list.warnings ?? []).forEach(this.warn);
    const hits = (await mergeHits(lists, query)).slice(0, reranker ? ASKED_FOR : RESULTS);
    for (const hit of hits) this.hits.set(canonicalUrl(hit.url), hit);
    return hits;
  }

  /** Reads the pages that no search had before, the best of each search first. */
  private async read(lists: readonly (readonly MergedHit[])[], context: ToolContext): Promise<void> {
    const { pages, options } = this.deps;
    const unread = new Map(inTurn(lists).map((hit) => [canonicalUrl(hit.url), hit]));
    for (const key of this.blocks.keys()) unread.delete(key);
    const left = MOST_PAGES - this.blocks.size - this.readBefore;
    const most = lists.length === 1 ? PAGES_ALONE : PAGES_PER_SEARCH * lists.length;
    const wanted = Math.min(left, most, unread.size);
    if (!pages || options.readPages === 0 || wanted <= 0) return;
    const limit = Math.min(options.readMs, context.remainingMs() * TIME_SHARE);
    const offered = [...unread.values()].slice(0, wanted + SPARE_PAGES);
    const read = await readPages(pages, offered, wanted, limit, context, (url) =>
      isAdmitted(url, this.filters),
    );
    for (const [hit, blocks] of read) this.blocks.set(canonicalUrl(hit.url), blocks);
  }

  private async passagesOf(
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
    const pause = yielder(SLICE_MS, context.signal);
    const ranked = await rankPages(query, hits, read, pause, undefined, this.texts);
    const { pages, warning } = await rerankPages(query, ranked, reranker, context);
    if (warning) this.warn(warning);
    return answerPassages(pages.slice(0, RESULTS));
  }
}

/** The first of each list, then the second of each. */
function inTurn<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, rank) => lists.flatMap((list) => list[rank] ?? [])).flat();
}

/** Passages that were not shown before, in turn of the searches, best first. Copies of one text count once. */
export async function newPassages(
  found: readonly Found[],
  shown: readonly AnswerPassage[],
  most: number,
  { signal }: ToolContext,
): Promise<AnswerPassage[]> {
  const lists = found.flatMap((one) => ('passages' in one ? [one.passages] : []));
  const compared = [...shown, ...inTurn(lists)].map((passage) => ({
    passage,
    title: '',
    snippet: '',
    passages: [passage.text],
  }));
  const unique = await withoutDuplicates(compared, yielder(SLICE_MS, signal));
  return unique.flatMap(({ passage }) => (shown.includes(passage) ? [] : [passage])).slice(0, most);
}
