import { yielder } from '../core/async.js';
import { withFork, type ToolContext } from '../core/context.js';
import type { Warning } from '../core/warning.js';
import type { AnswerPassage } from '../search/answer-engine.js';
import type { ResolvedFilters } from '../search/filters.js';
import { findPages, type FindParts, type FindTask, type ReadBlocks } from '../search/find-pages.js';
import type { MergedHit } from '../search/merge-hits.js';
import { canonicalUrl } from '../search/ranking/canonical-url.js';
import { withoutDuplicates } from '../search/ranking/duplicate-pages.js';
import { answerPassages, type RankedTexts } from '../search/select-passages.js';
import type { Block } from '../web/blocks.js';

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
/** A page of each search that takes the place of one that fails or is late. */
const SPARE_PAGES = 1;
/** Share of the time that is left for searches and their pages. */
const TIME_SHARE = 0.5;
/** Longest stretch of comparing without yielding to other requests, ms. */
const SLICE_MS = 12;

/** Searches and reads pages for one research. No page is read twice. */
export class PassageFinder {
  private readonly hits = new Map<string, MergedHit>();
  /** Those that were read, and those that are being read. */
  private readonly blocks = new Map<string, Promise<readonly Block[] | undefined>>();
  /** Canonical addresses of the pages that were read. */
  readonly readAddresses: string[] = [];
  private readonly texts: RankedTexts = { analyzers: new Map(), pages: new WeakMap() };
  private pagesLeft: number;

  /**
   * @param filters of all searches
   * @param warn is told what failed
   * @param readBefore how many pages another worker has read
   */
  constructor(
    private readonly parts: FindParts,
    private readonly filters: ResolvedFilters,
    private readonly warn: (warning: Warning) => void,
    readBefore = 0,
  ) {
    this.pagesLeft = MOST_PAGES - readBefore;
  }

  /** Licence, credit and date of a page. */
  readonly hitOf = (url: string): MergedHit | undefined => this.hits.get(canonicalUrl(url));

  /**
   * Makes all searches at once, each with its pages.
   * @throws the context's reason when it is aborted; never what a search throws
   */
  async find(queries: readonly string[], context: ToolContext): Promise<Found[]> {
    let done = 0;
    const step = (more: number): void =>
      context.progress({ stage: 'search', done: (done += more), total: queries.length });
    step(0);
    const { answerDeadlineMs, readMs } = this.parts.options;
    const ms = Math.min(answerDeadlineMs + readMs, context.remainingMs() * TIME_SHARE);
    const share = Math.ceil(this.pagesLeft / queries.length);
    const most = queries.length === 1 ? PAGES_ALONE : Math.min(PAGES_PER_SEARCH, share);
    return Promise.all(
      queries.map(async (query) => {
        const found = await withFork(context, { ms }, (own) => this.search(query, most, own)).catch(
          (error: unknown) => ({ error }),
        );
        context.signal.throwIfAborted();
        step(1);
        return { query, ...found };
      }),
    );
  }

  private async search(
    text: string,
    most: number,
    context: ToolContext,
  ): Promise<{ passages: AnswerPassage[] }> {
    const query = { text, count: ASKED_FOR, ...this.filters.query };
    const { hits, pages, warnings } = await findPages(this.parts, query, this.filters, context, {
      readWith: (offered, read) => this.read(offered, most, read),
      texts: this.texts,
    });
    for (const hit of hits) this.hits.set(canonicalUrl(hit.url), hit);
    warnings.forEach(this.warn);
    return { passages: answerPassages(pages.slice(0, RESULTS)) };
  }

  /** Reads the pages that no other search has read or is reading, and waits for these. */
  private async read(
    hits: readonly MergedHit[],
    most: number,
    read: Parameters<NonNullable<FindTask['readWith']>>[1],
  ): Promise<ReadBlocks> {
    const keyed = hits.map((hit) => ({ hit, key: canonicalUrl(hit.url) }));
    const unread = keyed.filter(({ hit, key }) => hit.passages.length === 0 && !this.blocks.has(key));
    const wanted = Math.min(this.pagesLeft, most, unread.length);
    if (wanted > 0) {
      this.pagesLeft -= wanted;
      const offered = unread.slice(0, wanted + SPARE_PAGES);
      const begun = offered.map(({ hit }) => hit);
      const reading = read(begun, wanted).then((found) => {
        this.pagesLeft += wanted - found.size;
        for (const { hit, key } of offered)
          if (found.has(hit)) this.readAddresses.push(key);
          else this.blocks.delete(key);
        return found;
      });
      for (const { hit, key } of offered)
        this.blocks.set(
          key,
          reading.then((found) => found.get(hit)),
        );
    }
    const blocks = new Map<MergedHit, readonly Block[]>();
    for (const { hit, key } of keyed) {
      const page = await this.blocks.get(key);
      if (page) blocks.set(hit, page);
    }
    return blocks;
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
