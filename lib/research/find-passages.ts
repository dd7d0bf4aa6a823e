import { yielder } from '../core/async.js';
import { withFork, type ToolContext } from '../core/context.js';
import type { Warning } from '../core/warning.js';
import type { AnswerPassage } from '../search/answer-engine.js';
import type { ResolvedFilters } from '../search/filters.js';
import { findPages, type FindParts } from '../search/find-pages.js';
import type { MergedHit } from '../search/merge-hits.js';
import { canonicalUrl } from '../search/ranking/canonical-url.js';
import { withoutDuplicates } from '../search/ranking/duplicate-pages.js';
import { answerPassages } from '../search/select-passages.js';
import type { PageReader, ReadPage, ReadPages, Round } from '../web/result-pages.js';

/** What a search found: passages, best first, or why it failed. */
export type Found = { query: string; passages: AnswerPassage[] } | { query: string; error: unknown };

const RESULTS = 8; // of one search; a plain bound
/** Providers are asked for more: duplicates are dropped; set by hand. */
const ASKED_FOR = 16;
/** Pages that are read for a search alone, for each of several, and in one research; plain bounds. */
const PAGES_ALONE = 5;
const PAGES_PER_SEARCH = 3;
const MOST_PAGES = 16;
/** A page of each search that takes the place of one that fails or is late; set by hand. */
const SPARE_PAGES = 1;
const TIME_SHARE = 0.5; // of the time that is left, for searches and their pages; set by hand

/** Pages for all searches of one research: none is read twice, and one that failed is not tried again, unless it was only late. */
class SharedPages implements PageReader {
  /** Those that were read or have failed, and those that are being read. */
  private readonly known = new Map<string, Promise<ReadPage | undefined>>();
  /** Canonical addresses of the pages that were read. */
  readonly addresses: string[] = [];

  constructor(
    private readonly reader: PageReader,
    private left: number,
  ) {}

  async read(urls: readonly string[], round: Round, context: ToolContext): Promise<ReadPages> {
    const unread = urls.filter((url) => !this.known.has(canonicalUrl(url)));
    const wanted = Math.min(this.left, round.wanted, unread.length);
    if (wanted > 0) this.begin(unread.slice(0, wanted + SPARE_PAGES), { ...round, wanted }, context);
    const found = await Promise.all(
      urls.flatMap(
        (url) => this.known.get(canonicalUrl(url))?.then((page) => page && { ...page, url }) ?? [],
      ),
    );
    return { pages: found.filter((page) => page !== undefined), failed: [] };
  }

  private begin(urls: readonly string[], round: Round, context: ToolContext): void {
    this.left -= round.wanted;
    const reading = this.reader.read(urls, round, context).catch(() => ({ pages: [], failed: [] }));
    for (const url of urls) {
      const key = canonicalUrl(url);
      const page = reading.then(({ pages, failed }) => {
        const read = pages.find((page) => page.url === url);
        if (read) this.addresses.push(key);
        else if (!failed.some((miss) => miss.url === url && miss.reason !== 'late')) this.known.delete(key);
        return read;
      });
      this.known.set(key, page);
    }
    void reading.then(({ pages }) => (this.left += round.wanted - pages.length));
  }
}

/** Searches and reads pages for one research. */
export class PassageFinder {
  private readonly hits = new Map<string, MergedHit>();
  private readonly pages: SharedPages | undefined;

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
    this.pages = parts.pages && new SharedPages(parts.pages, MOST_PAGES - readBefore);
  }

  /** Canonical addresses of the pages that were read. */
  get readAddresses(): readonly string[] {
    return this.pages?.addresses ?? [];
  }

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
    const most = queries.length === 1 ? PAGES_ALONE : PAGES_PER_SEARCH;
    return Promise.all(
      queries.map(async (query) => {
        const found = await withFork(context, { ms }, (forked) => this.search(query, most, forked)).catch(
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
    const options = { ...this.parts.options, readPages: this.parts.options.readPages && most };
    const parts = { ...this.parts, pages: this.pages, options };
    const { hits, pages, warnings } = await findPages(parts, query, this.filters, context);
    for (const hit of hits) this.hits.set(canonicalUrl(hit.url), hit);
    warnings.forEach(this.warn);
    return { passages: answerPassages(pages.slice(0, RESULTS)) };
  }
}

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
  const lists = found.flatMap((search) => ('passages' in search ? [search.passages] : []));
  const compared = [...shown, ...inTurn(lists)].map((passage) => ({
    passage,
    title: '',
    snippet: '',
    passages: [passage.text],
  }));
  const unique = await withoutDuplicates(compared, yielder(signal));
  return unique.flatMap(({ passage }) => (shown.includes(passage) ? [] : [passage])).slice(0, most);
}
