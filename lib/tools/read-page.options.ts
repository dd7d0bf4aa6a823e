import type { DomainLists } from '../core/context.js';
import type { ProviderOption } from '../core/ports.js';
import { array, check, integer, optional, options, string, withDefault, type Infer } from '../core/schema.js';
import { GUARDED_FETCH_FIELDS } from '../web/guarded-fetch.js';
import { PDF, type PageReaderOptions } from '../web/page-reader.js';
import type { PageRenderer } from '../web/page-renderer.js';
import type { Enabled } from './tool-definition.js';

/** Options of `read_page`; all are optional. How pages are fetched is set apart from `search.pages`. */
export interface ReadPageOptions extends PageReaderOptions, DomainLists {
  /** Only pages of these domains and their subdomains are read, also after redirects. Default all. */
  includeDomains?: readonly string[];
  /** No page of these is read. Default none. */
  excludeDomains?: readonly string[];
  /**
   * Opens pages that need a browser, e.g. `jinaReader({ apiKey })` or `firecrawlScrape({ apiKey })`. Their addresses leave this server.
   * Default: none, such pages are 422.
   */
  renderer?: ProviderOption<PageRenderer>;
  /** For fetching one page, ms. Default 8,000. */
  timeoutMs?: number;
  /** Bytes of a page after inflating; only the beginning of a larger one is read, and a warning says so. Default 4 MiB. */
  maxBytes?: number;
  /** Time for a whole request, ms, 100..600,000. Default 30,000. */
  deadlineMs?: number;
  /** How long a page is cached, ms; 0: not at all. Default ten minutes. */
  cacheTtlMs?: number;
}

const DOMAINS = withDefault(array(string({ min: 1 })), []);

/** The options `readPage.…`. */
export const READ_PAGE_SCHEMA = options({
  ...GUARDED_FETCH_FIELDS,
  timeoutMs: withDefault(integer(1), 8000),
  maxBytes: withDefault(integer(1), 4 * 1024 * 1024),
  pdf: PDF,
  includeDomains: DOMAINS,
  excludeDomains: DOMAINS,
  renderer: optional(
    check<ProviderOption<PageRenderer>>('a PageRenderer', (value) => Object(value) === value),
  ),
  deadlineMs: withDefault(integer(100, 600_000), 30_000),
  cacheTtlMs: withDefault(integer(0, 365 * 86_400_000), 600_000),
});

/** {@link ReadPageOptions} with every default filled in. */
export type ResolvedReadPageOptions = Enabled<Infer<typeof READ_PAGE_SCHEMA>>;
