import { stringAt, at } from '../core/json.js';
import type { ToolContext } from '../core/context.js';
import { UpstreamInvalidError, UpstreamUnavailableError } from '../core/errors.js';
import {
  func,
  integer,
  optional,
  options,
  parseOption,
  secret,
  string,
  withDefault,
} from '../core/schema.js';
import { parseJson, requestUpstream, type Fetch, type UpstreamRequest } from '../core/upstream/request.js';
import { retryAfterSeconds } from '../core/upstream/retry.js';

/** A page as a browser shows it. */
export interface RenderedPage {
  /** Markdown, or HTML with the type `text/html`. */
  content: string;
  /** Default `text/markdown`. */
  type?: 'text/markdown' | 'text/html';
  /** The address after redirects. Default: the one that was asked for. */
  url?: string;
  title?: string;
  /** ISO 8601 date or date-time. */
  publishedAt?: string;
}

/**
 * Opens pages in a browser, for `read_page`: it is asked when a page shows next to nothing without JavaScript, asks for consent to
 * cookies, or answers 403. The address was checked as for every other page, and is then fetched from the renderer's network.
 */
export interface PageRenderer {
  /** Appears in logs and health, e.g. `jina-reader`. */
  readonly name: string;
  /**
   * Addresses that it opens at once, without a fetch before and for no network at all if it likes, e.g. those of your own documents. It is then
   * asked for no others. Default: it is asked for pages that need a browser.
   */
  handles?(url: string): boolean;
  /**
   * @throws any error; the answer is then what the page said without a browser, or 503 for an address that it handles. ContentNotFoundError
   *   and ContentUnavailableError are answered as such
   */
  render(url: string, context: ToolContext): Promise<RenderedPage>;
}

/** Options of {@link jinaReader} and {@link firecrawlScrape}. */
interface RendererOptions {
  /** The service's API key. It appears in requests only, never in a message or a log. Default: none, for a few requests a minute. */
  apiKey?: string;
  /** Root of the service's API, for a gateway or an instance of your own. Default: the service's own address. */
  baseUrl?: string;
  /** Sends the requests, e.g. through a proxy. Default: the global `fetch`. */
  fetch?: Fetch;
  /** Time for one page, ms, 1,000..120,000. Default 20,000. The deadline of the request counts as well. */
  timeoutMs?: number;
}

const OPTIONS = options<RendererOptions>({
  apiKey: optional(secret(string({ min: 1 }))),
  baseUrl: optional(string({ min: 1 })),
  fetch: optional(func<Fetch>()),
  timeoutMs: withDefault(integer(1000, 120_000), 20_000),
});

/** The service gives up this long before we do, so that it can still answer, s. */
const HEAD_START = 1;

/**
 * Jina Reader.
 *
 * Wire format: `POST /` with `{ url }` and `Accept: application/json`, a bearer key or none; the answer is `{ code, data: { title, url,
 * content, publishedTime } }` with Markdown in `content` (source of jina-ai/reader of 2026-05-01). Never tried live.
 *
 * @throws InvalidOptionError
 */
export function jinaReader(given: RendererOptions = {}): PageRenderer {
  const { baseUrl = 'https://r.jina.ai', timeoutMs, ...rest } = parseOption('jinaReader', OPTIONS, given);
  const seconds = Math.max(1, Math.floor(timeoutMs! / 1000) - HEAD_START);
  const headers = { 'x-timeout': String(seconds), 'x-respond-with': 'markdown', 'x-retain-images': 'alt' };
  return {
    name: 'jina-reader',
    render: async (url, context) => {
      const request = { ...rest, timeoutMs, url: `${baseUrl}/`, headers, json: { url } };
      const answer = await ask('Jina Reader', request, context);
      return pageOf('Jina Reader', at(answer, 'data'), 'content', 'publishedTime');
    },
  };
}

/**
 * Firecrawl's scrape, version 2 of its API.
 *
 * Wire format: `POST /v2/scrape` with `{ url, formats, onlyMainContent, timeout }`, a bearer key or none; the answer is `{ success, data: {
 * markdown, metadata: { title, url, publishedTime } } }` (docs.firecrawl.dev, features/scrape). Never tried live.
 *
 * @throws InvalidOptionError
 */
export function firecrawlScrape(given: RendererOptions = {}): PageRenderer {
  const {
    baseUrl = 'https://api.firecrawl.dev',
    timeoutMs,
    ...rest
  } = parseOption('firecrawlScrape', OPTIONS, given);
  const timeout = timeoutMs! - HEAD_START * 1000;
  return {
    name: 'firecrawl-scrape',
    render: async (url, context) => {
      const json = { url, formats: ['markdown'], onlyMainContent: true, timeout: Math.max(1000, timeout) };
      const answer = await ask(
        'Firecrawl',
        { ...rest, timeoutMs, url: `${baseUrl}/v2/scrape`, json },
        context,
      );
      const data = at(answer, 'data');
      return pageOf(
        'Firecrawl',
        { ...(at(data, 'metadata') as object), markdown: at(data, 'markdown') },
        'markdown',
        'publishedTime',
      );
    },
  };
}

interface Asked extends Omit<UpstreamRequest, 'upstream' | 'timeoutMs' | 'method' | 'body'> {
  apiKey?: string;
  timeoutMs?: number;
  json: object;
}

/** @throws UpstreamUnavailableError for any other status than 2xx, with its `Retry-After`; what `requestUpstream` throws */
async function ask(
  upstream: string,
  { apiKey, json, timeoutMs = 0, ...request }: Asked,
  context: ToolContext,
): Promise<unknown> {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
    ...request.headers,
  };
  const sent = {
    ...request,
    upstream,
    timeoutMs,
    headers,
    method: 'POST' as const,
    body: JSON.stringify(json),
  };
  const answer = await requestUpstream(sent, context);
  const { status } = answer;
  if (status >= 200 && status <= 299) return parseJson(answer, upstream);
  throw new UpstreamUnavailableError(`${upstream} answered with the status ${status}.`, {
    upstream: { upstream, status },
    retryAfterSeconds: retryAfterSeconds(answer.headers),
  });
}

function pageOf(upstream: string, data: unknown, content: string, date: string): RenderedPage {
  const text = stringAt(data, content);
  if (text === undefined)
    throw new UpstreamInvalidError(`${upstream} answered without the text of the page.`);
  const [url, title, publishedAt] = [stringAt(data, 'url'), stringAt(data, 'title'), stringAt(data, date)];
  return {
    content: text,
    ...(url ? { url } : {}),
    ...(title ? { title } : {}),
    ...(publishedAt ? { publishedAt } : {}),
  };
}
