import { stringAt, at } from '../core/json.js';
import type { ToolContext } from '../core/context.js';
import {
  ContentUnavailableError,
  InvalidOptionError,
  UpstreamInvalidError,
  UpstreamUnavailableError,
} from '../core/errors.js';
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
import { parseJsonBody, requestUpstream, type Fetch } from '../core/upstream/request.js';
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

/** Options of {@link jinaReader}, {@link firecrawlScrape} and {@link youExtract}. */
interface RendererOptions {
  /**
   * The service's API key. It appears in requests only, never in a message or a log. Default: none, for a few requests a minute;
   * You.com needs one.
   */
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

/** The service gives up this long before we do, so that it can still answer, ms; set by hand. */
const HEAD_START_MS = 1000;

/**
 * Jina Reader.
 *
 * Wire format: `POST /` with `{ url }` and `Accept: application/json`, a bearer key or none; the answer is `{ code, data: { title, url,
 * content, publishedTime, warning } }` with Markdown in `content`; the warning tells of a page's own error (source of jina-ai/reader of 2026-05-01).
 * Never tried live.
 *
 * @throws InvalidOptionError
 */
export function jinaReader(options: RendererOptions = {}): PageRenderer {
  return serviceRenderer('jinaReader', options, {
    name: 'jina-reader',
    upstream: 'Jina Reader',
    root: 'https://r.jina.ai',
    path: '/',
    request: (url, ms) => ({
      json: { url },
      headers: {
        'x-timeout': String(Math.floor(ms / 1000)),
        'x-respond-with': 'markdown',
        'x-retain-images': 'alt',
      },
    }),
    read: (answer) => {
      const data = at(answer, 'data');
      const status = /\berror (\d{3})\b/.exec(stringAt(data, 'warning') ?? '')?.[1];
      return { text: at(data, 'content'), about: data, status };
    },
  });
}

/**
 * Firecrawl's scrape, version 2 of its API.
 *
 * Wire format: `POST /v2/scrape` with `{ url, formats, onlyMainContent, timeout }`, a bearer key or none; the answer is `{ success, data: {
 * markdown, metadata: { title, url, publishedTime, statusCode } } }` (docs.firecrawl.dev, features/scrape). Never tried live.
 *
 * @throws InvalidOptionError
 */
export function firecrawlScrape(options: RendererOptions = {}): PageRenderer {
  return serviceRenderer('firecrawlScrape', options, {
    name: 'firecrawl-scrape',
    upstream: 'Firecrawl',
    root: 'https://api.firecrawl.dev',
    path: '/v2/scrape',
    request: (url, timeout) => ({ json: { url, formats: ['markdown'], onlyMainContent: true, timeout } }),
    read: (answer) => {
      const data = at(answer, 'data');
      const about = at(data, 'metadata');
      return { text: at(data, 'markdown'), about, status: at(about, 'statusCode') };
    },
  });
}

/**
 * You.com's Extract API.
 *
 * Wire format: `POST /v1/extract` with `{ url, full_page: { extraction_formats }, timeout }` (seconds, 2..100) and `X-API-Key`; the answer
 * is `{ url, title, contents: { full_page: { markdown } } }`, with an empty `contents` for a page that it could not read
 * (you.com/docs, api-reference/extract and guides/extract/quickstart, changelog 2026-11-16). Never tried live.
 *
 * @throws InvalidOptionError
 */
export function youExtract(options: RendererOptions & { apiKey: string }): PageRenderer {
  if (options?.apiKey === undefined)
    throw new InvalidOptionError('youExtract.apiKey', 'a non-empty string (YDC_API_KEY)', undefined);
  return serviceRenderer('youExtract', options, {
    name: 'you-extract',
    upstream: 'You.com',
    root: 'https://ydc-index.io',
    path: '/v1/extract',
    keyOf: (apiKey) => ({ 'x-api-key': apiKey }),
    request: (url, ms) => ({
      json: {
        url,
        full_page: { extraction_formats: ['markdown'] },
        timeout: Math.min(Math.max(Math.floor(ms / 1000), 2), 100),
      },
    }),
    read: (answer) => {
      const page = at(at(answer, 'contents'), 'full_page');
      return { text: page === undefined ? '' : at(page, 'markdown'), about: answer };
    },
  });
}

interface RenderingService {
  name: string;
  upstream: string;
  root: string;
  path: string;
  /** Headers that carry the key. Default: a bearer token. */
  keyOf?(apiKey: string): Record<string, string>;
  /** @param ms time that the service has for the page */
  request(url: string, ms: number): { json: object; headers?: Record<string, string> };
  /** The text, the object with title and address, and the status that the page had for the service. */
  read(answer: unknown): { text: unknown; about: unknown; status?: unknown };
}

const bearer = (apiKey: string): Record<string, string> => ({ authorization: `Bearer ${apiKey}` });

function serviceRenderer(option: string, options: RendererOptions, service: RenderingService): PageRenderer {
  const { name, upstream, root, path, keyOf = bearer } = service;
  const { apiKey, baseUrl = root, fetch, timeoutMs = 0 } = parseOption(option, OPTIONS, options);
  return {
    name,
    render: async (url, context) => {
      const { json, headers } = service.request(url, Math.max(1000, timeoutMs - HEAD_START_MS));
      const request = {
        upstream,
        url: `${baseUrl}${path}`,
        method: 'POST' as const,
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          ...(apiKey ? keyOf(apiKey) : {}),
          ...headers,
        },
        body: JSON.stringify(json),
        timeoutMs,
        fetch,
      };
      const answer = await requestUpstream(request, context);
      const { status } = answer;
      if (status < 200 || status > 299)
        throw new UpstreamUnavailableError(`${upstream} answered with the status ${status}.`, {
          upstream: { upstream, status },
          retryAfterSeconds: retryAfterSeconds(answer.headers),
        });
      const page = service.read(parseJsonBody(answer, upstream));
      if (Number(page.status) >= 400)
        throw new ContentUnavailableError('forbidden', `${upstream} was not given the page.`);
      if (typeof page.text !== 'string')
        throw new UpstreamInvalidError(`${upstream} answered without the text of the page.`);
      const [address, title, publishedAt] = ['url', 'title', 'publishedTime'].map((key) =>
        stringAt(page.about, key),
      );
      return { content: page.text, url: address, title, publishedAt };
    },
  };
}
