import { yielder } from '../core/async.js';
import { ToolsError } from '../core/errors.js';
import { func, optional } from '../core/schema.js';
import { parseUrl } from '../core/url.js';
import { normalized } from '../text/plain-text.js';
import type { ExtractedPage, RawPage } from './extract/extract-page.js';
import { createGuardedFetch, type GuardedFetchOptions } from './guarded-fetch.js';
import { WebError } from './web.errors.js';

/** Turns the bytes of a PDF into text. Gets what a stranger sent: bound its time and memory, obey the signal. */
export type PdfReader = (
  bytes: Buffer,
  signal: AbortSignal,
) => Promise<{
  text: string;
  title?: string;
  /** How much was read of a longer document, for a warning: `50 of 60 pages`. Default: all. */
  read?: string;
}>;

/** Options for reading pages, in addition to those of the guarded fetch. All are optional. */
export interface PageReaderOptions extends GuardedFetchOptions {
  /** Reads `application/pdf`, e.g. `unpdfReader()`. Default: none, PDFs are refused. */
  pdf?: PdfReader;
}

export const PDF = optional(func<PdfReader>());

interface FetchedPage {
  /** The address after redirects. */
  finalUrl: string;
  /** Media type. */
  type: string;
  page: ExtractedPage;
  /** Only its beginning was fetched. */
  cut: boolean;
}

interface FetchOptions {
  /** Asked for each address, redirects included. Default: every address is admitted. */
  isAdmitted?: (url: string) => boolean;
  /** The page's text is made as well. Default false: blocks only. */
  withText?: boolean;
}

/** Pages in a row that are left at once for the next one, as `meta http-equiv="refresh"` says; a plain bound. */
const MAX_REFRESHES = 5;
const ACCEPT =
  'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, application/json;q=0.8, application/rss+xml;q=0.7, ' +
  'application/atom+xml;q=0.7, application/pdf;q=0.6, */*;q=0.1';
const PDF_TYPE = 'application/pdf';
/** What the guarded fetch takes for text by its beginning: no registry names all types of text. */
const TYPES = ['text/*', 'application/*'];

/**
 * Fetches pages through the guard and reads them: HTML, Markdown, plain text, JSON, feeds, and PDFs with a reader.
 *
 * The function throws WebError, what the reader of PDFs throws of the tools' errors, and the signal's reason.
 *
 * @throws InvalidOptionError
 */
export function createPageFetcher({
  pdf,
  ...guarded
}: PageReaderOptions): (url: string, signal: AbortSignal, options?: FetchOptions) => Promise<FetchedPage> {
  const fetchPage = createGuardedFetch(guarded);
  const types = pdf ? [...TYPES, PDF_TYPE] : TYPES;
  async function fetchOne(
    url: string,
    signal: AbortSignal,
    { isAdmitted, withText = false }: FetchOptions,
  ): Promise<FetchedPage> {
    const request = { types, accept: ACCEPT, isAdmitted };
    const { url: finalUrl, type, contentType, body, cut } = await fetchPage(url, signal, request);
    if (pdf && type === PDF_TYPE) {
      // A long page is worth reading as far as it goes; of a PDF, half is nothing.
      if (cut) throw new WebError('too_large', `The PDF is larger than ${body.length} bytes.`);
      return { finalUrl, type, page: await readPdf(pdf, body, signal), cut };
    }
    const raw = { type, contentType, body, url: new URL(finalUrl), blocksOnly: !withText };
    return { finalUrl, type, page: await extract(raw, signal), cut };
  }

  return async (url, signal, options = {}) => {
    let fetched = await fetchOne(url, signal, options);
    for (let hops = 0; hops < MAX_REFRESHES; hops++) {
      const next = parseUrl(fetched.page.refresh ?? '', new URL(fetched.finalUrl));
      if (!fetched.page.refresh || !next || next.href === fetched.finalUrl) break;
      fetched = await fetchOne(next.href, signal, options);
    }
    return fetched;
  };
}

/** Reads a page that was fetched. The parser is loaded with the first page and not with the host. */
export async function extract(page: RawPage, signal: AbortSignal): Promise<ExtractedPage> {
  const { extractPage } = await import('./extract/extract-page.js');
  return extractPage(page, signal);
}

async function readPdf(read: PdfReader, body: Buffer, signal: AbortSignal): Promise<ExtractedPage> {
  const {
    text,
    title,
    read: part,
  } = await read(body, signal).catch((cause: unknown) => {
    signal.throwIfAborted();
    if (ToolsError.isInstance(cause)) throw cause;
    throw new WebError('unreadable', 'The PDF cannot be read.', { cause });
  });
  if (typeof text !== 'string') throw new WebError('unreadable', 'The PDF reader gave no text.');
  const source = normalized(text);
  const { readLongMarkdown } = await import('./read-markdown.js');
  const blocks = await readLongMarkdown(source, yielder(signal), { html: false });
  return { text: source, blocks, ...(title ? { title } : {}), ...(part ? { read: part } : {}) };
}
