import { type IncomingMessage, request as httpRequest, validateHeaderValue } from 'node:http';
import type { LookupAddress } from 'node:dns';
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, rootCertificates } from 'node:tls';
import { LONGEST } from '../core/length-limits.js';
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
import { withFork } from '../core/context.js';
import { retryAfterSeconds } from '../core/upstream/retry.js';
import type { Resolve } from './dns.js';
import { AddressGuard, type AddressGuardOptions, type VettedTarget } from './address-guard.js';
import { ACCEPTED_ENCODINGS, readBody, saveBody } from './body-reader.js';
import { decodeText } from './extract/decode-text.js';
import { WebError } from './web.errors.js';

/** Options for every fetch of an address that came from outside. All are optional. */
export interface GuardedFetchOptions extends AddressGuardOptions {
  /** For looking up, connecting, redirects, head and whole body together, ms. Default 1,500. */
  timeoutMs?: number;
  /** Bytes of a body after inflating; only the beginning of a larger one is read. Default 1 MiB. */
  maxBytes?: number;
  /** Sent as `User-Agent`. Default `Mozilla/5.0 (compatible; nestjs-tools)`. */
  userAgent?: string;
  /** PEM certificates of authorities trusted in addition to the well-known ones, e.g. an intranet's own. */
  ca?: string | readonly string[];
}

const TEXT_PAGE_TYPES: readonly string[] = ['text/html', 'application/xhtml+xml', 'text/plain'];
/** Control characters that stand in no text. */
const BINARY = /(?![\t\n\f\r\u001b\u007f-\u009f])\p{Cc}/u;
/** Redirects followed, each to a newly vetted address; a plain bound. */
const MAX_REDIRECTS = 5;

interface GuardedResponse {
  /** The URL after redirects. */
  url: string;
  /** The whole `Content-Type` header, for the charset. */
  contentType?: string;
  /** Media type in lower case without parameters, e.g. `text/html`; sniffed where the server names none. */
  type: string;
  body: Buffer;
  /** True when the page was larger than `maxBytes` and only its beginning was kept. */
  cut: boolean;
}

interface PageRequest {
  /** Media types that are read, lower-case; of `application/*` those whose beginning is text. Default: HTML and plain text. */
  types?: readonly string[];
  /** The header `Accept`. Default: the types, and anything else with less weight. */
  accept?: string;
  /** Asked before each hop, redirects included. Default: every address that the guard allows. */
  isAdmitted?: (url: string) => boolean;
  /**
   * Path of a new file that the body is written to; the `body` of the response is then empty. A larger one than `maxBytes` is refused.
   * Default: it is read into memory.
   */
  file?: string;
  /** Sent with POST. Only the status of the answer counts then: one other than 2xx, redirects included, is an error. Default: GET. */
  post?: { body: string; headers: Readonly<Record<string, string>> };
}

/**
 * Gets a page whose address came from outside.
 *
 * @param signal ends the fetch; its reason is then the error thrown
 * @throws WebError (blocked or not admitted address, redirects, status, timeout, size, type, no connection, unreadable), or the signal's reason
 */
export type GuardedFetch = (
  url: string,
  signal: AbortSignal,
  request?: PageRequest,
) => Promise<GuardedResponse>;

/** The options of {@link createGuardedFetch}. `AddressGuard` looks into those that are its own. */
export const GUARDED_FETCH_FIELDS = {
  timeoutMs: withDefault(integer(1), 1500),
  maxBytes: withDefault(integer(1), 1024 * 1024),
  userAgent: withDefault(
    check<string>('a header value', isHeaderValue),
    'Mozilla/5.0 (compatible; nestjs-tools)',
  ),
  allowHosts: optional(array(string())),
  denyRanges: optional(array(string())),
  resolve: optional(func<Resolve>()),
  ca: optional(union(string({ max: LONGEST.document }), array(string({ max: LONGEST.document })))),
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
 * The one way to fetch what a stranger named. Each hop resolves the name once and dials exactly the vetted addresses, so that a name
 * cannot be rebound. No pooled sockets, no cookies, no referrer, no credentials; hence redirects from https to http are followed too.
 *
 * Built on `node:http`, because `fetch` asks no `lookup` hook for literals, pools its sockets past the check, and can lose an abort on
 * Node 20.
 *
 * @throws InvalidOptionError
 */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const settings = parseOption('createGuardedFetch', OPTIONS, options);
  const guard = new AddressGuard(settings);

  return (address, signal, request = {}) => {
    const { timeoutMs: ms } = settings;
    const onTimeout = (): WebError => new WebError('timeout', `The page did not arrive within ${ms} ms.`);
    const caller = { signal, remainingMs: () => Infinity };
    return withFork(caller, { ms, onTimeout }, (own) => follow(address, request, own.signal));
  };

  async function follow(
    address: string,
    request: PageRequest,
    signal: AbortSignal,
  ): Promise<GuardedResponse> {
    const { userAgent, maxBytes, ca } = settings;
    const { types = TEXT_PAGE_TYPES, isAdmitted = () => true, file, post } = request;
    const { accept = `${types.join(', ')}, */*;q=0.1` } = request;
    let url = guard.parse(address);
    for (let hops = 0; ; hops++) {
      if (!isAdmitted(url.href))
        throw new WebError('not_admitted', 'The page lies outside the allowed domains.');
      const target = await guard.vet(url, signal);
      signal.throwIfAborted();
      const headers = {
        host: url.host,
        'user-agent': userAgent,
        accept,
        'accept-encoding': ACCEPTED_ENCODINGS,
        connection: 'close',
        ...post?.headers,
      };
      const socket = openSocket(url.protocol === 'https:', target, ca);
      const response = await send(url, socket, headers, signal, post?.body);
      try {
        if (post) {
          checkStatus(response);
          return { url: url.href, type: '', body: Buffer.alloc(0), cut: false };
        }
        const location = redirectTarget(response);
        if (location === undefined) return await readResponse(url, response, types, maxBytes, file);
        if (hops >= MAX_REDIRECTS)
          throw new WebError('redirects', `The page redirects more than ${MAX_REDIRECTS} times.`);
        url = guard.parse(location, url);
      } finally {
        response.destroy();
      }
    }
  }
}

function send(
  url: URL,
  socket: Socket,
  headers: Record<string, string>,
  signal: AbortSignal,
  body?: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    socket.on('error', () => undefined); // The request reports it; one that comes after the request's end must not throw.
    // A bare `createConnection` and no agent: nothing else may choose, keep or reuse the socket.
    const outgoing = httpRequest({
      method: body === undefined ? 'GET' : 'POST',
      path: `${url.pathname}${url.search}`,
      headers,
      createConnection: () => socket,
    });
    const onAbort = (): void => {
      outgoing.destroy(new Error('aborted')); // The caller throws the signal's reason instead.
      socket.destroy();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    outgoing.once('close', () => {
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      // After a response this is too late to matter; without one (an upgrade, a bare close) it is the only news.
      reject(new WebError('unreadable', 'The page sent no answer.'));
    });
    outgoing.on('error', (cause: NodeJS.ErrnoException) =>
      reject(
        String(cause.code).startsWith('HPE_')
          ? new WebError('unreadable', 'The page does not speak HTTP.', { cause })
          : new WebError('unavailable', 'The page cannot be reached.', { cause }),
      ),
    );
    outgoing.once('response', resolve);
    outgoing.end(body);
  });
}

function redirectTarget({ statusCode, headers }: IncomingMessage): string | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode ?? 0)) return undefined;
  if (!headers.location) throw new WebError('redirects', 'The page redirects to nowhere.');
  // Header bytes arrive as Latin-1; browsers read them as UTF-8.
  return Buffer.from(headers.location, 'latin1').toString('utf8');
}

/** @throws WebError unless the status is 2xx */
function checkStatus(response: IncomingMessage): void {
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299)
    throw new WebError('status', `The page answered with the status ${status}.`, {
      pageStatus: status,
      shouldRetry: status === 429 || status >= 500,
      retryAfterSeconds: retryAfterSeconds(
        new Headers({
          'retry-after': response.headers['retry-after'] ?? '',
          date: response.headers.date ?? '',
        }),
      ),
    });
}

async function readResponse(
  url: URL,
  response: IncomingMessage,
  types: readonly string[],
  maxBytes: number,
  file: string | undefined,
): Promise<GuardedResponse> {
  checkStatus(response);
  const contentType = response.headers['content-type'];
  const named = mediaType(contentType);
  if (named !== undefined && !accepts(types, named)) throw unsupported(named, types);
  if (file !== undefined) {
    await saveBody(response, maxBytes, file);
    return { url: url.href, contentType, type: named ?? '', body: Buffer.alloc(0), cut: false };
  }
  const isAnyApplication = types.includes('application/*') && !types.includes(named ?? '');
  const { bytes, cut } = await readBody(response, maxBytes, (head) => {
    if (isAnyApplication && named?.startsWith('application/') && !isText(head, contentType))
      throw unsupported(named, ['text']);
  });
  const type = named ?? sniff(bytes);
  if (!accepts(types, type)) throw unsupported(type, types);
  return { url: url.href, contentType, type, body: bytes, cut };
}

/** Whether a media type, lower-case and without parameters, is one of a list; `text/*` stands for many. */
export function accepts(types: readonly string[], type: string): boolean {
  return types.some((one) => {
    const [start, end] = one.split('*');
    return end === undefined ? one === type : type.startsWith(start!) && type.endsWith(end);
  });
}

function unsupported(type: string, accepted: readonly string[]): WebError {
  // The type is the stranger's text: cut to what a media type can be.
  const shown = /^[\w.+-]{1,60}\/[\w.+-]{1,60}/.exec(type)?.[0] ?? 'unknown';
  const message = `The page has the content type ${shown}; accepted are ${accepted.join(', ')}.`;
  return new WebError('unsupported_type', message);
}

/** The media type of a `Content-Type`, lower-case and without parameters; undefined for an empty one. */
export function mediaType(header: string | undefined): string | undefined {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase();
  return type === '' ? undefined : type;
}

/** Whether a body, by its beginning, has no signs that stand in binary data alone (MIME Sniffing standard). It may be in any charset. */
function isText(beginning: Buffer, contentType: string | undefined): boolean {
  const head = decodeText(beginning.subarray(0, 1024), contentType, false);
  return !BINARY.test(head) && !head.startsWith('%PDF-');
}

/** For servers that name no type: HTML or text, unless the beginning has bytes that no text has. */
function sniff(bytes: Buffer): string {
  const head = bytes.subarray(0, 1024).toString('latin1').trimStart();
  if (head.startsWith('%PDF-')) return 'application/pdf';
  if (head.includes('\0')) return 'application/octet-stream';
  return /^<(?:!doctype html|html|head|body|!--)/i.test(head) ? 'text/html' : 'text/plain';
}

/**
 * A socket to one of the vetted addresses, encrypted for `https`. Its `lookup` answers from their list, so only vetted addresses of both
 * families are dialled. Sockets are not pooled: a reused one would skip the vetting.
 */
function openSocket(secure: boolean, target: VettedTarget, ca: GuardedFetchOptions['ca']): Socket {
  const { host, port, addresses } = target;
  const options = { host, port, lookup: answerFrom(addresses), autoSelectFamily: true };
  if (!secure) return connectPlain(options);
  return connectTls({
    ...options,
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ...(typeof ca === 'string' ? [ca] : ca)] }),
  });
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
