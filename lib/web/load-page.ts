import type { ToolContext } from '../core/context.js';
import {
  ContentNotFoundError,
  ContentUnavailableError,
  InvalidRequestError,
  NotConfiguredError,
  ToolsError,
  UpstreamUnavailableError,
  type PageUnavailableReason,
} from '../core/errors.js';
import { unwatched, type Watch } from '../core/health.js';
import { portResult } from '../core/ports.js';
import { nullable, object, oneOf, string, type Schema } from '../core/schema.js';
import { parseUrl } from '../core/url.js';
import { detectLanguage } from '../text/detect-language.js';
import { harmlessText } from '../text/sanitize-output.js';
import { oneLine } from '../text/plain-text.js';
import type { BlockText } from './blocks.js';
import type { ExtractedPage } from './extract/extract-page.js';
import { AddressGuard } from './address-guard.js';
import { createPageFetcher, extract, type PdfReader } from './fetch-page.js';
import type { GuardedFetchOptions } from './guarded-fetch.js';
import type { PageRenderer, RenderedPage } from './page-renderer.js';
import { WebError } from './web.errors.js';

export interface LoadedPage
  extends Omit<ExtractedPage, 'text' | 'read' | 'isUncovered' | 'obstacle' | 'refresh'>, BlockText {
  /** The address after redirects. */
  finalUrl: string;
  /** Name of the site, else its host. */
  site: string;
  /** Media type that the page was sent as. */
  contentType: string;
  /** Who fetched it: `web`, or the name of the renderer. */
  provider: string;
  warnings: { code: string; message: string }[];
}

interface PageLoaderOptions {
  pdf?: PdfReader;
  renderer?: PageRenderer;
  /** Observes calls to the renderer. */
  watch?: Watch;
}

/**
 * Loads one page.
 * @param isAdmitted whether an address may be read, asked for each redirect too
 */
type LoadPage = (
  url: string,
  isAdmitted: (url: string) => boolean,
  context: ToolContext,
) => Promise<LoadedPage>;

/** Addresses of pages that stand before the one asked for, by host or path. */
const WALLS: readonly (readonly [PageUnavailableReason, RegExp])[] = [
  [
    'login_required',
    /^https?:\/\/(?:(?:login|accounts?|signin|sso|auth|idp)\.|[^?#]*\/(?:log-?in|sign-?in|signon|sso|auth|oauth2?)(?:[/.?#]|$))/i,
  ],
  ['consent_required', /^https?:\/\/(?:consent\.|[^?#]*\/(?:cookie-?)?consent(?:[/.?#]|$))/i],
];

/** Why a page that exists cannot be read, in words. */
export const PAGE_REASONS: Record<PageUnavailableReason, string> = {
  javascript_required:
    'The page shows next to nothing without JavaScript. The host can set `readPage.renderer`.',
  login_required: 'The page asks for a login.',
  consent_required: 'The page asks for consent to cookies before it shows its text.',
  forbidden: 'The site refuses to give the page to this server.',
  unsupported_type: 'The address leads to a file that is no text, such as an image, an archive or a video.',
  empty: 'The page has no text.',
};
/** Obstacles that a browser may get over. */
const FOR_BROWSERS: ReadonlySet<string> = new Set([
  'javascript_required',
  'consent_required',
  'forbidden',
  'empty',
]);

const RENDERED: Schema<RenderedPage> = object<RenderedPage>({
  content: string({ max: Infinity }),
  type: nullable(oneOf('text/markdown', 'text/html')),
  url: nullable(string()),
  title: nullable(string()),
  publishedAt: nullable(string()),
});

/**
 * Loads one page: fetched by this server, or by the renderer where it needs a browser.
 *
 * The function throws InvalidRequestError for an address that does not lead to a public page or is not admitted, NotConfiguredError for a
 * PDF without a reader, ContentNotFoundError (404, 410), ContentUnavailableError with a reason, UpstreamUnavailableError with the page's
 * `Retry-After`, WebError for all other failures, and the context's reason.
 *
 * @throws InvalidOptionError
 */
export function createPageLoader(
  guarded: GuardedFetchOptions & { maxBytes: number },
  { pdf = refusePdf, renderer, watch = unwatched }: PageLoaderOptions,
): LoadPage {
  const fetchPage = createPageFetcher({ ...guarded, pdf });
  const guard = new AddressGuard(guarded);

  async function fetched(...[url, isAdmitted, { signal }]: Parameters<LoadPage>): Promise<LoadedPage> {
    const options = { isAdmitted, withText: true };
    const { finalUrl, type, page, cut } = await fetchPage(url, signal, options).catch(refuse);
    const wall = WALLS.find(([, address]) => address.test(finalUrl) && !address.test(url));
    const obstacle = wall?.[0] ?? page.obstacle;
    if (obstacle) throw unavailable(obstacle);
    const about = { finalUrl, contentType: type, provider: 'web' };
    return loadedPage(page, about, cut ? `${guarded.maxBytes} bytes of the page` : undefined);
  }

  /** The address where a renderer ended is bound like the one that was asked for. */
  async function checkEnd(by: PageRenderer, finalUrl: string, signal: AbortSignal): Promise<void> {
    const target = guard.parse(finalUrl);
    if (!by.handles?.(finalUrl)) await guard.vet(target, signal);
  }

  async function rendered(
    by: PageRenderer,
    ...[url, isAdmitted, context]: Parameters<LoadPage>
  ): Promise<LoadedPage> {
    const given = await watch(by.name, context.signal, async () => by.render(url, context));
    const {
      content,
      type = 'text/markdown',
      title,
      ...known
    } = portResult(RENDERED, given, 'page renderer', by.name);
    const finalUrl = parseUrl(known.url ?? '')?.href ?? url;
    if (finalUrl !== url) {
      if (!isAdmitted(finalUrl)) throw notAdmitted();
      await checkEnd(by, finalUrl, context.signal).catch(refuse);
    }
    const { maxBytes } = guarded;
    const whole = Buffer.from(content);
    const body = whole.subarray(0, maxBytes);
    const raw = { type, contentType: 'charset=utf-8', body, url: new URL(finalUrl) };
    const page = await extract(raw, context.signal);
    const { publishedAt = page.publishedAt } = known;
    const own = { ...page, title: title ? oneLine(title) : page.title, publishedAt };
    const about = { finalUrl, contentType: type, provider: by.name };
    return loadedPage(own, about, whole.length > maxBytes ? `${maxBytes} bytes of the page` : undefined);
  }

  return async (...page) => {
    const [url, , context] = page;
    context.progress({ stage: 'read', done: 0, total: 1 });
    if (renderer?.handles?.(url))
      return rendered(renderer, ...page).catch((failure: unknown) => {
        context.signal.throwIfAborted();
        if (ToolsError.isInstance(failure)) throw failure;
        throw new UpstreamUnavailableError(`${renderer.name} failed.`, { cause: failure });
      });
    try {
      return await fetched(...page);
    } catch (error) {
      const isForBrowsers = error instanceof ContentUnavailableError && FOR_BROWSERS.has(error.reason);
      if (!renderer || renderer.handles || !isForBrowsers) throw error;
      return rendered(renderer, ...page).catch((failure: unknown) => {
        context.signal.throwIfAborted();
        const isTold = failure instanceof InvalidRequestError;
        throw isTold || (ToolsError.isInstance(failure) && failure.getStatus() >= 500) ? failure : error;
      });
    }
  };
}

const refusePdf: PdfReader = () =>
  Promise.reject(
    new NotConfiguredError('This server does not read PDFs (option `readPage.pdf`, e.g. unpdfReader()).'),
  );

const HIDDEN_TEXT = {
  code: 'hidden_text',
  message: 'The page shows next to nothing. The text is of a part that it hides until a script runs.',
};

/** @param read how much of a page was read that is longer. Default: all, unless it has too many elements */
function loadedPage(
  page: ExtractedPage,
  about: Pick<LoadedPage, 'finalUrl' | 'contentType' | 'provider'>,
  read = page.read,
): LoadedPage {
  const { text = '', title, site = '', language = detectLanguage(text.slice(0, 5000)) } = page;
  if (text.trim() === '') throw unavailable('empty');
  const warnings = [
    ...(read ? [{ code: 'page_cut', message: `Only the first ${read} were read.` }] : []),
    ...(page.isUncovered ? [HIDDEN_TEXT] : []),
  ];
  return {
    ...page,
    ...about,
    text,
    title: title && harmlessText(title),
    site: harmlessText(site) || new URL(about.finalUrl).hostname.replace(/^www\./, ''),
    language,
    warnings,
  };
}

export const notAdmitted = (): InvalidRequestError =>
  refusedUrl('leads to a domain that may not be read here');

const refusedUrl = (message: string, cause?: WebError): InvalidRequestError =>
  new InvalidRequestError([{ field: 'url', message: `url ${message}` }], cause);

const unavailable = (
  reason: PageUnavailableReason,
  message = PAGE_REASONS[reason],
): ContentUnavailableError => new ContentUnavailableError(reason, message);

/** Throws a failure to fetch the page as the caller sees it. */
function refuse(error: unknown): never {
  if (!(error instanceof WebError)) throw error;
  const { reason, pageStatus = 0, retryAfterSeconds } = error;
  // A name that does not exist and one of the host's own network get the same words: the difference would tell about that network.
  if (error.isHostUnknown)
    throw refusedUrl('leads to a host that could not be found on the public internet', error);
  if (reason === 'blocked_address') throw refusedUrl('does not lead to a public web page');
  if (reason === 'not_admitted') throw notAdmitted();
  if (reason === 'unsupported_type') throw unavailable('unsupported_type');
  if (reason === 'too_large') throw unavailable('unsupported_type', error.message);
  if (pageStatus === 404 || pageStatus === 410)
    throw new ContentNotFoundError('There is no such page, or it has been removed.');
  if (pageStatus === 401 || pageStatus === 407) throw unavailable('login_required');
  if (pageStatus === 403 || pageStatus === 451) throw unavailable('forbidden');
  if (reason === 'status' && error.shouldRetry)
    throw new UpstreamUnavailableError(error.message, { retryAfterSeconds, cause: error });
  throw error;
}
