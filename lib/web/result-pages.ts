import { options, parseOption } from '../core/schema.js';
import { fork, raceAbort, type ToolContext } from '../core/context.js';
import type { UpstreamHealth } from '../core/health.js';
import type { Block } from './blocks.js';
import { createPageFetcher, PDF, type PageReaderOptions } from './fetch-page.js';
import { GUARDED_FETCH_FIELDS } from './guarded-fetch.js';
import { WebError, type WebErrorReason } from './web.errors.js';

/** After this time another page is read as a spare, so that a page that hangs does not hold up the rest, ms; set by hand. */
const SPARE_AFTER_MS = 200;

export interface ReadPage {
  url: string;
  /** At least one. */
  blocks: Block[];
  title?: string;
  /** ISO 8601. */
  publishedAt?: string;
}

/** A page that was begun and not read. */
interface FailedPage {
  url: string;
  /** `late`: the round was over first. */
  reason: WebErrorReason | 'empty' | 'late';
}

export interface ReadPages {
  /** In the order of the addresses given. */
  pages: ReadPage[];
  failed: FailedPage[];
}

export interface Round {
  /** Pages that are read at once, and at most returned. */
  wanted: number;
  /** Time for all of them, ms. */
  limitMs: number;
  /** Asked for each address, redirects included. Default: every address is admitted. */
  isAdmitted?: (url: string) => boolean;
}

export interface PageReader {
  /**
   * Reads the first pages of `urls`, best first; each one that fails or is late lets the next one begin, as long as there is time.
   * A page that fails never throws. When the time is up, the pages under way are cancelled.
   *
   * @throws the context's reason when it is aborted
   */
  read(
    urls: readonly string[],
    round: Round,
    context: Pick<ToolContext, 'signal' | 'remainingMs'>,
  ): Promise<ReadPages>;
}

const OPTIONS = options({ ...GUARDED_FETCH_FIELDS, pdf: PDF });

/**
 * A page reader with one set of options for all its rounds.
 * @param spareAfterMs for tests
 * @throws InvalidOptionError
 */
export function createPageReader(
  options: PageReaderOptions = {},
  spareAfterMs: number = SPARE_AFTER_MS,
): PageReader {
  const fetchPage = createPageFetcher(parseOption('search.pages', OPTIONS, options));
  return {
    async read(urls, { wanted, limitMs, isAdmitted }, context) {
      context.signal.throwIfAborted();
      const found: ReadPage[] = [];
      const failed: FailedPage[] = [];
      let [next, read] = [0, 0];
      const round = fork(context, { ms: limitMs });
      const { signal } = round.context;

      /** Reads the next page, if there is one and the round still wants it, and one spare if that page fails or is late. */
      const readNext = async (): Promise<void> => {
        if (signal.aborted || next >= urls.length) return;
        const index = next++;
        const url = urls[index]!;
        let spare: Promise<void> | undefined;
        const startSpare = (): void => void (spare ??= readNext());
        const late = setTimeout(startSpare, spareAfterMs);
        try {
          const { page } = await raceAbort(fetchPage(url, signal, { isAdmitted }), signal);
          if (page.blocks.length > 0) {
            found[index] = { ...page, url };
            read++;
          } else failed.push({ url, reason: 'empty' });
        } catch (error) {
          failed.push({
            url,
            reason: signal.aborted ? 'late' : error instanceof WebError ? error.reason : 'unreadable',
          });
        }
        clearTimeout(late);
        if (read >= wanted) round.abort(undefined);
        if (!found[index]) startSpare();
        await spare;
      };
      await Promise.all(Array.from({ length: wanted }, readNext));
      round.dispose();
      context.signal.throwIfAborted();
      return { pages: found.filter((page) => page !== undefined), failed };
    },
  };
}

/** Place in the health registry. All pages are one upstream. */
export const PAGES = 'pages';
const UPSTREAM = 'web';

/** Pages that were not asked for, or whose end nobody waited for. */
const NOT_TRIED: ReadonlySet<FailedPage['reason']> = new Set(['blocked_address', 'not_admitted', 'late']);

/** Failures that may be those of the network instead of the page. */
const NOT_REACHED: ReadonlySet<FailedPage['reason']> = new Set(['timeout', 'unavailable']);

/**
 * The same page reader, with the outcome of each round in the health registry. Any answer of one page shows that pages can be reached. A
 * round without any answer counts as one failure. Pages that were late for their round say nothing.
 */
export function watchedPages(reader: PageReader, health: UpstreamHealth): PageReader {
  // A search answers from snippets as well.
  health.register(PAGES, UPSTREAM, true);
  return {
    async read(urls, options, context) {
      const round = await reader.read(urls, options, context);
      const tried = round.failed.filter(({ reason }) => !NOT_TRIED.has(reason));
      const lost = tried.find(({ reason }) => NOT_REACHED.has(reason));
      const reached = round.pages.length > 0 || tried.some(({ reason }) => !NOT_REACHED.has(reason));
      if (reached) health.succeeded(PAGES, UPSTREAM);
      else if (lost) health.failed(PAGES, UPSTREAM, lost.reason);
      return round;
    },
  };
}
