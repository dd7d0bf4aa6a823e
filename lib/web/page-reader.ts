import { setMaxListeners } from 'node:events';
import { func, integer, optional, options, parseOption, withDefault } from '../core/schema.js';
import { lazy } from '../core/async.js';
import type { ToolContext } from '../core/context.js';
import type { ExtractedPage, RawPage } from './extract/extract-page.js';
import {
  createGuardedFetch,
  GUARDED_FETCH_FIELDS,
  type GuardedFetch,
  type GuardedFetchOptions,
  TEXT_PAGE_TYPES,
} from './guarded-fetch.js';
import { WebError, type WebErrorReason } from './web.errors.js';
import type { UpstreamHealth } from '../core/health.js';

/** Turns the bytes of a PDF into text. Gets what a stranger sent: bound its time and memory, obey the signal. */
export type PdfReader = (bytes: Buffer, signal: AbortSignal) => Promise<{ text: string; title?: string }>;

/** Options for reading pages, in addition to those of the guarded fetch. All are optional. */
export interface PageReaderOptions extends GuardedFetchOptions {
  /** Pages read at once, and at most returned. Default 5. */
  pages?: number;
  /** For all pages together, ms; what has arrived by then is returned. Default 2,000. */
  stageTimeoutMs?: number;
  /** After this many ms another page is read as a spare, so that a page that hangs does not hold up the rest. Default 200. */
  spareAfterMs?: number;
  /** Reads `application/pdf`. Default: none, PDFs are refused. */
  pdf?: PdfReader;
  /** Extracts the main text, e.g. with another library. Default `extractPage`. */
  extract?: (page: RawPage, signal: AbortSignal) => Promise<ExtractedPage>;
  /** Gets the pages. Default `createGuardedFetch` with these options. */
  guardedFetch?: GuardedFetch;
}

/** A page that was read. */
interface ReadPage {
  /** The requested URL. */
  url: string;
  /** Plain text, never empty. */
  text: string;
  title?: string;
  /** ISO 8601. */
  publishedAt?: string;
  /** Primary language subtag. */
  language?: string;
}

/** A page that was begun and not read. */
interface FailedPage {
  url: string;
  reason: WebErrorReason | 'empty';
  ms: number;
}

/** Result of one round of reading. */
export interface ReadPages {
  /** In the order of the addresses given. */
  pages: ReadPage[];
  failed: FailedPage[];
}

/** Reads pages of search results. */
export interface PageReader {
  /**
   * Reads the first pages of `urls`, best first; each one that fails or is late makes room for the next, as long as there is time.
   * Ends with as many pages as are wanted.
   * A page that fails never throws. At the end of the stage what is still under way is cancelled.
   *
   * @throws the context's reason when it is aborted
   */
  read(urls: readonly string[], context: Pick<ToolContext, 'signal' | 'remainingMs'>): Promise<ReadPages>;
}

type Extract = NonNullable<PageReaderOptions['extract']>;

const OPTIONS = options({
  ...GUARDED_FETCH_FIELDS,
  pages: withDefault(integer(1), 5),
  stageTimeoutMs: withDefault(integer(1), 2000),
  spareAfterMs: withDefault(integer(1), 200),
  pdf: optional(func<PdfReader>()),
  extract: withDefault(func<Extract>(), extractLate),
  guardedFetch: optional(func<GuardedFetch>()),
});

/** A page reader with one set of options for all its rounds. @throws InvalidOptionError */
export function createPageReader(given: PageReaderOptions = {}): PageReader {
  const settings = parseOption('search.pages', OPTIONS, given);
  const { pages: wanted, stageTimeoutMs, spareAfterMs, pdf, extract, guardedFetch, ...guarded } = settings;
  const fetchPage = guardedFetch ?? createGuardedFetch(guarded);
  const types = pdf ? [...TEXT_PAGE_TYPES, 'application/pdf'] : TEXT_PAGE_TYPES;

  async function readOne(url: string, signal: AbortSignal): Promise<ReadPage | FailedPage['reason']> {
    // A long page is worth reading as far as it goes; of a PDF, half is nothing.
    const page = await fetchPage(url, { signal, types, whenTooLarge: 'cut' });
    let extracted: ExtractedPage;
    if (page.type === 'application/pdf') {
      if (page.cut || !pdf) return 'too_large';
      extracted = await pdf(page.body, signal);
    } else {
      const { type, body } = page;
      extracted = await extract({ type, body, contentType: page.headers.get('content-type') }, signal);
    }
    if (typeof extracted.text !== 'string') return 'unreadable';
    return extracted.text === '' ? 'empty' : { ...extracted, url };
  }

  return {
    async read(urls, context) {
      context.signal.throwIfAborted();
      // Before the clock of the first page runs: loading it must not look like a page that hangs.
      if (extract === extractLate) await parser();
      const found: (ReadPage | undefined)[] = [];
      const failed: FailedPage[] = [];
      /** When each began, by its place in `urls`. */
      const underWay = new Map<number, number>();
      const stage = new AbortController();
      setMaxListeners(0, stage.signal); // One or two a page, and a host may read many.
      let next = 0;
      let read = 0;
      const deadline = Math.min(stageTimeoutMs, context.remainingMs());

      await withinStage(deadline, context.signal, stage, (finished) => {
        /** Begins the next page, if there is one and the stage still wants it. */
        const begin = (): void => {
          if (stage.signal.aborted || next >= urls.length) return;
          const index = next++;
          const url = urls[index] ?? '';
          const started = performance.now();
          underWay.set(index, started);
          // A failed page is replaced by a spare. A late page gets one spare in addition.
          let relieved = false;
          const relieve = (): void => {
            if (!relieved) begin();
            relieved = true;
          };
          const late = setTimeout(relieve, spareAfterMs);
          const settle = (outcome: ReadPage | FailedPage['reason']): void => {
            clearTimeout(late);
            if (stage.signal.aborted) return;
            underWay.delete(index);
            if (typeof outcome === 'string') {
              failed.push({ url, reason: outcome, ms: msSince(started) });
              relieve();
            } else {
              found[index] = outcome;
              read++;
            }
            if (read >= wanted || underWay.size === 0) finished();
          };
          void readOne(url, stage.signal).catch(reasonOf).then(settle);
        };
        for (let place = 0; place < wanted; place++) begin();
        if (underWay.size === 0) finished();
      });
      for (const [index, started] of underWay)
        failed.push({ url: urls[index] ?? '', reason: 'timeout', ms: msSince(started) });
      return { pages: found.filter((page) => page !== undefined), failed };
    },
  };
}

/** The parser of pages, loaded with the first round and not with the host. */
const parser = lazy(() => import('./extract/extract-page.js'));

async function extractLate(page: RawPage, signal: AbortSignal): Promise<ExtractedPage> {
  const { extractPage } = await parser();
  return extractPage(page, signal);
}

/** Waits until `work` says that it is finished, the time is up, or the caller leaves; then ends the stage. Only the last rejects. */
function withinStage(
  ms: number,
  outer: AbortSignal,
  stage: AbortController,
  work: (finished: () => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      outer.removeEventListener('abort', onAbort);
      stage.abort();
      settle();
    };
    const onAbort = (): void => finish(() => reject(outer.reason as Error));
    const timer = setTimeout(() => finish(resolve), ms);
    outer.addEventListener('abort', onAbort, { once: true });
    work(() => finish(resolve));
  });
}

function msSince(started: number): number {
  return Math.round(performance.now() - started);
}

function reasonOf(error: unknown): FailedPage['reason'] {
  return error instanceof WebError ? error.reason : 'unreadable';
}

/** Its place in the health registry: there is one web, whatever the page. */
const GROUP = 'pages';
const UPSTREAM = 'web';

/** Failures of a page that may as well be failures of the way to it. */
const NOT_REACHED: ReadonlySet<FailedPage['reason']> = new Set(['timeout', 'unavailable']);

/**
 * The same page reader, with the outcome of each round in the health registry. One page that answers, with whatever, shows that pages can
 * be reached; a round in which none did counts as one failure.
 */
export function watchedPages(reader: PageReader, health: UpstreamHealth): PageReader {
  health.register(GROUP, UPSTREAM);
  return {
    async read(urls, context) {
      const round = await reader.read(urls, context);
      const tried = round.failed.filter(({ reason }) => reason !== 'blocked_address');
      const lost = tried.find(({ reason }) => NOT_REACHED.has(reason));
      const reached = round.pages.length > 0 || tried.some(({ reason }) => !NOT_REACHED.has(reason));
      if (reached) health.succeeded(GROUP, UPSTREAM);
      else if (lost) health.failed(GROUP, UPSTREAM, lost.reason);
      return round;
    },
  };
}
