import { once } from 'node:events';
import { func, optional, options, parseOption } from '../core/schema.js';
import { lazy, yielder } from '../core/async.js';
import { fork, type ToolContext } from '../core/context.js';
import {
  createGuardedFetch,
  GUARDED_FETCH_FIELDS,
  type GuardedFetchOptions,
  TEXT_PAGE_TYPES,
} from './guarded-fetch.js';
import { WebError, type WebErrorReason } from './web.errors.js';
import { harmlessText } from '../text/clean-output.js';
import type { UpstreamHealth } from '../core/health.js';
import type { Block, BlockText } from './blocks.js';
import { readLongMarkdown } from './read-markdown.js';

/** Turns the bytes of a PDF into text. Gets what a stranger sent: bound its time and memory, obey the signal. */
export type PdfReader = (bytes: Buffer, signal: AbortSignal) => Promise<{ text: string; title?: string }>;

/** Options for reading pages, in addition to those of the guarded fetch. All are optional. */
export interface PageReaderOptions extends GuardedFetchOptions {
  /** Reads `application/pdf`, e.g. `unpdfReader()`. Default: none, PDFs are refused. */
  pdf?: PdfReader;
}

/** After this time another page is read as a spare, so that a page that hangs does not hold up the rest, ms. */
const SPARE_AFTER_MS = 200;

/** A page that was read. */
interface ReadPage {
  /** The requested URL. */
  url: string;
  /** At least one. */
  blocks: Block[];
  title?: string;
  /** ISO 8601. */
  publishedAt?: string;
  /** Primary language subtag. */
  language?: string;
}

/** A page that was begun and not read. */
interface FailedPage {
  url: string;
  /** `late`: the time for the round was up first. */
  reason: WebErrorReason | 'empty' | 'late';
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
   * Reads the first pages of `urls`, best first; each one that fails or is late lets the next one begin, as long as there is time.
   * A page that fails never throws. When the context's time is up, the pages under way are cancelled.
   *
   * @param wanted pages that are read at once, and at most returned
   * @param isAdmitted asked for each address, redirects included; default: every address is
   * @throws the context's reason when it is aborted
   */
  read(
    urls: readonly string[],
    context: Pick<ToolContext, 'signal' | 'remainingMs'>,
    wanted: number,
    isAdmitted?: (url: string) => boolean,
  ): Promise<ReadPages>;
}

/** The option `pdf`. */
export const PDF = optional(func<PdfReader>());

const OPTIONS = options({ ...GUARDED_FETCH_FIELDS, pdf: PDF });

/**
 * A page reader with one set of options for all its rounds.
 * @param spareAfterMs for tests
 * @throws InvalidOptionError
 */
export function createPageReader(
  given: PageReaderOptions = {},
  spareAfterMs: number = SPARE_AFTER_MS,
): PageReader {
  const { pdf, ...guarded } = parseOption('search.pages', OPTIONS, given);
  const fetchPage = createGuardedFetch(guarded);
  const types = pdf ? [...TEXT_PAGE_TYPES, 'application/pdf'] : TEXT_PAGE_TYPES;

  async function readOne(
    url: string,
    signal: AbortSignal,
    isAdmitted?: (url: string) => boolean,
  ): Promise<ReadPage | FailedPage['reason']> {
    const { type, contentType, body, cut } = await fetchPage(url, signal, { types, isAdmitted });
    const isPdf = type === 'application/pdf';
    // A long page is worth reading as far as it goes; of a PDF, half is nothing.
    if (isPdf && cut) return 'too_large';
    const { extractPage } = await parser();
    const extracted = isPdf
      ? await readPdf(pdf!, body, signal)
      : await extractPage({ type, body, contentType }, signal);
    return extracted.blocks.length === 0 ? 'empty' : { ...extracted, url };
  }

  return {
    async read(urls, context, wanted, isAdmitted) {
      context.signal.throwIfAborted();
      // Before the clock of the first page runs: loading it must not look like a page that hangs.
      await parser();
      const found: (ReadPage | undefined)[] = [];
      const failed: FailedPage[] = [];
      /** When each began, by its place in `urls`. */
      const underWay = new Map<number, number>();
      let next = 0;
      let read = 0;
      const stage = fork(context, { ms: context.remainingMs() });
      const { signal } = stage.context;
      const stageEnd = once(signal, 'abort');

      /** Begins the next page, if there is one and the stage still wants it. */
      const begin = (): void => {
        if (signal.aborted || next >= urls.length) return;
        const index = next++;
        const url = urls[index] ?? '';
        const started = performance.now();
        underWay.set(index, started);
        // A failed page is replaced by a spare. A late page gets one spare in addition.
        let hasSpare = false;
        const startSpare = (): void => {
          if (!hasSpare) begin();
          hasSpare = true;
        };
        const late = setTimeout(startSpare, spareAfterMs);
        const record = (outcome: ReadPage | FailedPage['reason']): void => {
          clearTimeout(late);
          if (signal.aborted) return;
          underWay.delete(index);
          if (typeof outcome === 'string') {
            failed.push({ url, reason: outcome, ms: msSince(started) });
            startSpare();
          } else {
            found[index] = outcome;
            read++;
          }
          if (read >= wanted || underWay.size === 0) stage.abort(undefined);
        };
        void readOne(url, signal, isAdmitted).catch(reasonOf).then(record);
      };
      for (let place = 0; place < wanted; place++) begin();
      if (underWay.size === 0) stage.abort(undefined);
      await stageEnd;
      stage.dispose();
      context.signal.throwIfAborted();
      for (const [index, started] of underWay)
        failed.push({ url: urls[index] ?? '', reason: 'late', ms: msSince(started) });
      return { pages: found.filter((page) => page !== undefined), failed };
    },
  };
}

/** Reads a PDF. @throws WebError when it cannot be read; the signal's reason */
export async function readPdf(
  read: PdfReader,
  body: Buffer,
  signal: AbortSignal,
): Promise<BlockText & { title?: string }> {
  const { text, title } = await read(body, signal).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new WebError('unreadable', 'The PDF cannot be read.', { cause });
  });
  if (typeof text !== 'string') throw new WebError('unreadable', 'The PDF reader gave no text.');
  const harmless = harmlessText(text);
  const blocks = await readLongMarkdown(harmless, yielder(12, signal), { html: false });
  return { text: harmless, blocks, ...(title ? { title } : {}) };
}

/** The parser of pages, loaded with the first round and not with the host. */
const parser = lazy(() => import('./extract/extract-page.js'));

function msSince(started: number): number {
  return Math.round(performance.now() - started);
}

function reasonOf(error: unknown): FailedPage['reason'] {
  return error instanceof WebError ? error.reason : 'unreadable';
}

/** Place in the health registry. All pages are one upstream. */
const GROUP = 'pages';
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
  health.register(GROUP, UPSTREAM);
  return {
    async read(urls, context, wanted, isAdmitted) {
      const round = await reader.read(urls, context, wanted, isAdmitted);
      const tried = round.failed.filter(({ reason }) => !NOT_TRIED.has(reason));
      const lost = tried.find(({ reason }) => NOT_REACHED.has(reason));
      const reached = round.pages.length > 0 || tried.some(({ reason }) => !NOT_REACHED.has(reason));
      if (reached) health.succeeded(GROUP, UPSTREAM);
      else if (lost) health.failed(GROUP, UPSTREAM, lost.reason);
      return round;
    },
  };
}
