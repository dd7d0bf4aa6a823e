import { type IncomingMessage, request as httpRequest, validateHeaderValue } from 'node:http';
import type { LookupAddress } from 'node:dns';
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, rootCertificates } from 'node:tls';
import {
  array,
  check,
  func,
  integer,
  optional,
  options,
  parseOption,
  string,
  union,
  withDefault,
} from '../core/schema.js';
import type { Resolve } from './dns.js';
import { AddressGuard, type AddressGuardOptions, type VettedTarget } from './address-guard.js';
import { ACCEPTED_ENCODINGS, readBody, type WhenTooLarge } from './body-reader.js';
import {
  PageStatusError,
  PageTimeoutError,
  PageUnavailableError,
  RedirectError,
  UnreadablePageError,
  UnsupportedPageTypeError,
} from './web.errors.js';

/** Options for every fetch of an address that came from outside. All are optional. */
export interface GuardedFetchOptions extends AddressGuardOptions, ConnectorOptions {
  /** For looking up, connecting, redirects, head and whole body together, ms. Default 1,500. */
  timeoutMs?: number;
  /** Bytes of a body after inflating. Default 1 MiB. */
  maxBytes?: number;
  /** Redirects followed, each to a newly vetted address. Default 5. */
  maxRedirects?: number;
  /** Sent as `User-Agent`. Default `Mozilla/5.0 (compatible; nestjs-tools)`. */
  userAgent?: string;
}

/** One fetch; what is not set is as in `GuardedFetchOptions`. */
export interface GuardedRequest {
  /** Ends the fetch; its reason is then the error thrown. */
  signal?: AbortSignal;
  timeoutMs?: number;
  maxBytes?: number;
  /** Default `refuse`. */
  whenTooLarge?: WhenTooLarge;
  /** Media types read, lower-case; `*` for any. Default: HTML, XHTML and plain text. */
  types?: readonly string[];
  /** Sent to the origin of the first address only, never to another that it redirects to. */
  headers?: Readonly<Record<string, string>>;
  /** True: an answer of any status but a redirect is returned. Default false: other than 2xx throws PageStatusError. */
  anyStatus?: boolean;
}

/** A page as it arrived. */
interface GuardedResponse {
  /** The URL after redirects. */
  url: string;
  status: number;
  headers: Headers;
  /** Media type in lower case without parameters, e.g. `text/html`; sniffed where the server names none. */
  type: string;
  /** Inflated. */
  body: Buffer;
  /** True when the page was larger than `maxBytes` and only its beginning was kept. */
  cut: boolean;
}

/**
 * Gets a page whose address came from outside.
 *
 * @throws WebError (blocked address, redirects, status, timeout, size, type, no connection, unreadable), or the signal's reason
 */
export type GuardedFetch = (url: string, request?: GuardedRequest) => Promise<GuardedResponse>;

/** The media types that the text can be extracted from without further libraries. */
export const TEXT_PAGE_TYPES: readonly string[] = ['text/html', 'application/xhtml+xml', 'text/plain'];

/** The options of {@link createGuardedFetch}. `AddressGuard` looks into those that are its own. */
export const GUARDED_FETCH_FIELDS = {
  timeoutMs: withDefault(integer(1), 1500),
  maxBytes: withDefault(integer(1), 1024 * 1024),
  maxRedirects: withDefault(integer(0), 5),
  userAgent: withDefault(
    check<string>('a header value', isHeaderValue),
    'Mozilla/5.0 (compatible; nestjs-tools)',
  ),
  allowHosts: optional(array(string())),
  allowPorts: optional(array(integer(1, 65_535))),
  denyRanges: optional(array(string())),
  resolve: optional(func<Resolve>()),
  onDial: optional(func<(dial: Dial) => void>()),
  ca: optional(union(string(), array(string()))),
};
const OPTIONS = options(GUARDED_FETCH_FIELDS);

function isHeaderValue(value: unknown): boolean {
  try {
    validateHeaderValue('user-agent', value as string);
    return typeof value === 'string';
  } catch {
    return false;
  }
}

/**
 * The one way to fetch what a stranger named (pages, caption URLs, redirects of upstreams). Only http and https without
 * userinfo; the name resolved once a hop and exactly the vetted addresses dialled, so that a name cannot be rebound; no
 * pooled sockets, no cookies, no referrer, no credentials. Redirects are followed by hand. From https to http they are
 * followed too: nothing secret is sent, and a page over http is accepted in the first place, so refusing would lose
 * pages and protect nothing.
 *
 * Built on `node:http` rather than on `fetch`: a `lookup` hook of the latter is not asked for literals, its sockets are
 * pooled past the check, and its abort can be lost on Node 20; a socket of one's own has none of the three and needs no
 * dependency.
 *
 * @throws InvalidOptionError
 */
export function createGuardedFetch(given: GuardedFetchOptions = {}): GuardedFetch {
  const settings = parseOption('createGuardedFetch', OPTIONS, given);
  const guard = new AddressGuard(settings);

  return async (address, request = {}) => {
    const { timeoutMs = settings.timeoutMs, signal } = request;
    signal?.throwIfAborted();
    const controller = new AbortController();
    const onAbort = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => controller.abort(new PageTimeoutError(timeoutMs)), timeoutMs);
    try {
      return await follow(address, request, controller.signal);
    } catch (error) {
      if (controller.signal.aborted) throw controller.signal.reason;
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  };

  async function follow(
    address: string,
    request: GuardedRequest,
    signal: AbortSignal,
  ): Promise<GuardedResponse> {
    let url = guard.parse(address);
    const { origin } = url;
    for (let hops = 0; ; hops++) {
      const target = await guard.vet(url, signal);
      const own = url.origin === origin ? request.headers : undefined;
      const response = await send(
        url,
        target,
        headersFor(url, settings.userAgent, request, own),
        settings,
        signal,
      );
      try {
        const location = redirectTarget(response);
        if (location === undefined) return await readResponse(url, response, request, settings.maxBytes);
        if (hops >= settings.maxRedirects)
          throw new RedirectError(`The page redirects more than ${settings.maxRedirects} times.`);
        url = guard.parse(location, url);
      } finally {
        response.destroy();
      }
    }
  }
}

function headersFor(
  url: URL,
  userAgent: string,
  { types = TEXT_PAGE_TYPES }: GuardedRequest,
  own: GuardedRequest['headers'],
): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': userAgent,
    accept: types.includes('*') ? '*/*' : `${types.join(', ')}, */*;q=0.1`,
  };
  for (const [name, value] of Object.entries(own ?? {})) headers[name.toLowerCase()] = value;
  // Not for the caller to choose: they decide where the request goes and how it can be read.
  return { ...headers, host: url.host, 'accept-encoding': ACCEPTED_ENCODINGS, connection: 'close' };
}

/** One request on a socket of its own; resolves with the head. */
function send(
  url: URL,
  target: VettedTarget,
  headers: Record<string, string>,
  connector: ConnectorOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = openSocket(url.protocol === 'https:', target, connector);
    socket.on('error', () => undefined); // The request reports it; one that comes after the request's end must not throw.
    // A bare `createConnection` and no agent: nothing else may choose, keep or reuse the socket.
    const outgoing = httpRequest({
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers,
      createConnection: () => socket,
    });
    const onAbort = (): void => {
      outgoing.destroy(new Error('aborted')); // Whoever waits throws the signal's reason instead.
      socket.destroy();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    outgoing.once('close', () => {
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      // After a response this is too late to matter; without one (an upgrade, a bare close) it is the only news.
      reject(new UnreadablePageError('The page sent no answer.'));
    });
    outgoing.on('error', (cause: NodeJS.ErrnoException) =>
      reject(
        String(cause.code).startsWith('HPE_')
          ? new UnreadablePageError('The page does not speak HTTP.', { cause })
          : new PageUnavailableError('The page cannot be reached.', { cause }),
      ),
    );
    outgoing.once('response', resolve);
    outgoing.end();
  });
}

function redirectTarget({ statusCode, headers }: IncomingMessage): string | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode ?? 0)) return undefined;
  if (!headers.location) throw new RedirectError('The page redirects to nowhere.');
  // Header bytes arrive as Latin-1; browsers read them as UTF-8.
  return Buffer.from(headers.location, 'latin1').toString('utf8');
}

async function readResponse(
  url: URL,
  response: IncomingMessage,
  request: GuardedRequest,
  maxBytes: number,
): Promise<GuardedResponse> {
  const status = response.statusCode ?? 0;
  if (!request.anyStatus && (status < 200 || status > 299)) throw new PageStatusError(status);
  const { types = TEXT_PAGE_TYPES } = request;
  const named = mediaType(response.headers['content-type']);
  const accepts = (type: string): boolean => types.includes('*') || types.includes(type);
  if (named !== undefined && !accepts(named)) throw new UnsupportedPageTypeError(named, types);
  const { bytes, cut } = await readBody(
    response,
    request.maxBytes ?? maxBytes,
    request.whenTooLarge ?? 'refuse',
  );
  const type = named ?? sniff(bytes);
  if (!accepts(type)) throw new UnsupportedPageTypeError(type, types);
  return { url: url.href, status, headers: headersOf(response), type, body: bytes, cut };
}

function mediaType(header: string | undefined): string | undefined {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase();
  return type === '' ? undefined : type;
}

/** For servers that name no type: HTML or text, unless the beginning has bytes that no text has. */
function sniff(bytes: Buffer): string {
  const head = bytes.subarray(0, 1024).toString('latin1').trimStart();
  if (head.startsWith('%PDF-')) return 'application/pdf';
  if (head.includes('\0')) return 'application/octet-stream';
  return /^<(?:!doctype html|html|head|body|!--)/i.test(head) ? 'text/html' : 'text/plain';
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    try {
      headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '');
    } catch {
      // A header that the standard forbids is not worth a page.
    }
  }
  return headers;
}

/** One attempt to open a socket, told just before it is made. */
export interface Dial {
  address: string;
  port: number;
  /** The name in the URL that led here. */
  host: string;
}

/** How sockets are opened. */
interface ConnectorOptions {
  /** Called before each attempt to open a socket, e.g. to count or log them. */
  onDial?: (dial: Dial) => void;
  /** PEM certificates of authorities trusted besides the well-known ones, e.g. an intranet's own. */
  ca?: string | readonly string[];
}

/**
 * A socket to one of the vetted addresses, encrypted for `https`. The name is not looked up again: the socket's `lookup`
 * is answered from the list, so that what was vetted is what is dialled, and all of it (both families, tried in turn).
 * A literal needs no lookup and is on the list itself. Sockets are not pooled: a reused one would skip the vetting.
 */
function openSocket(secure: boolean, target: VettedTarget, { onDial, ca }: ConnectorOptions): Socket {
  const { host, port, addresses } = target;
  const options = { host, port, lookup: answerFrom(addresses), autoSelectFamily: true };
  const socket = secure
    ? connectTls({
        ...options,
        servername: isIP(host) === 0 ? host : '',
        ALPNProtocols: ['http/1.1'],
        ...(ca === undefined ? {} : { ca: [...rootCertificates, ...(typeof ca === 'string' ? [ca] : ca)] }),
      })
    : connectPlain(options);
  if (onDial)
    socket.on('connectionAttempt', (address, attemptedPort) =>
      onDial({ address, port: attemptedPort, host }),
    );
  return socket;
}

function answerFrom(addresses: LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    // Not within the call: `net` connects in the callback, before anyone could listen to the socket.
    process.nextTick(() =>
      options.all ? callback(null, addresses) : callback(null, first?.address ?? '', first?.family),
    );
  };
}
