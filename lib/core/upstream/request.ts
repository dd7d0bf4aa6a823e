import {
  ToolsError,
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../errors.js';
import { fork, raceAbort, type ToolContext } from '../context.js';
import { parseJson as parse } from '../json.js';
import { isRecord } from '../schema.js';

/** What every request upstream goes through; a host injects its own for a proxy, a gateway or a test server. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** One request to a service that the host configured (not to an address that came from outside; that is `web/`). */
export interface UpstreamRequest {
  /** Name of the upstream in messages, e.g. `Brave`; no address, no key. */
  upstream: string;
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** For connecting, the head and the whole body together, ms; the context's deadline also counts. */
  timeoutMs: number;
  /** Bytes of the body after inflating; default 5 MiB. */
  maxBytes?: number;
  /** Default: the global `fetch`. */
  fetch?: Fetch;
}

/** A complete answer, whatever its status; redirects are not followed and come back as 3xx. */
export interface UpstreamResponse {
  status: number;
  headers: Headers;
  body: string;
}

const MAX_BYTES = 5 * 1024 * 1024; // of an answer; a plain bound

type UpstreamBytes = Omit<UpstreamResponse, 'body'> & { body: Buffer };

/** {@link requestBytes} with the body as text, in the charset that the answer names, else UTF-8. */
export async function requestUpstream(
  request: UpstreamRequest,
  context: ToolContext,
): Promise<UpstreamResponse> {
  const { status, headers, body } = await requestBytes(request, context);
  return { status, headers, body: new TextDecoder(charsetOf(headers)).decode(body) };
}

/**
 * Sends one request and reads the whole answer within its time and size.
 *
 * @throws UpstreamTimeoutError when the time is up, UpstreamUnavailableError when there is no connection,
 *   UpstreamInvalidError when the body is cut off, too large or not to be inflated, the context's reason when it is aborted;
 *   an error of the tools that the `fetch` given throws passes as it is
 */
export async function requestBytes(request: UpstreamRequest, context: ToolContext): Promise<UpstreamBytes> {
  const { upstream, timeoutMs, maxBytes = MAX_BYTES } = request;
  context.signal.throwIfAborted();
  const onTimeout = (): Error =>
    new UpstreamTimeoutError(`${upstream} did not answer within ${timeoutMs} ms.`, {
      upstream: { upstream, code: 'timeout' },
    });
  const { context: forked, dispose } = fork(context, { ms: timeoutMs, onTimeout });
  const { signal } = forked;
  let headArrived = false;
  try {
    // `manual`, never `error`: on Node 20 a garbage collection between head and body makes the latter deaf to its signal.
    const pending = (request.fetch ?? fetch)(request.url, {
      method: request.method ?? 'GET',
      headers: request.headers,
      body: request.body,
      redirect: 'manual',
      signal,
    });
    // A host's own `fetch` may ignore the signal. Its answer is then dropped when it arrives.
    const response = await raceAbort(pending, signal).catch((error: unknown) => {
      void pending.then((late) => late.body?.cancel()).catch(() => undefined);
      throw error;
    });
    headArrived = true;
    const body = await readBody(response, maxBytes, signal, upstream);
    return { status: response.status, headers: response.headers, body };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (ToolsError.isInstance(error)) throw error;
    const fault = { cause: error, upstream: { upstream, code: systemCode(error) } };
    if (headArrived) throw new UpstreamInvalidError(`The answer of ${upstream} broke off.`, fault);
    throw new UpstreamUnavailableError(`${upstream} cannot be reached.`, fault);
  } finally {
    dispose();
  }
}

/**
 * The code of a failed connection, e.g. `ECONNREFUSED`. `fetch` hides it in the cause of its `TypeError`. No `instanceof`: errors of
 * the platform may come from another realm, as in Jest.
 */
export function systemCode(error: unknown, depth = 4): string | undefined {
  if (!isRecord(error) || depth === 0) return undefined;
  const { code, cause, errors } = error;
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return code;
  const inner: unknown[] = Array.isArray(errors) ? errors : [cause];
  return inner.map((cause) => systemCode(cause, depth - 1)).find((found) => found !== undefined);
}

function charsetOf(headers: Headers): string {
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(headers.get('content-type') ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return 'utf-8';
  }
}

/**
 * The JSON of an answer.
 * @throws UpstreamInvalidError when the body is something else, e.g. an HTML error page behind a status of 200
 */
export function parseJsonBody(response: UpstreamResponse, upstream: string): unknown {
  try {
    return parse(response.body);
  } catch (error) {
    throw new UpstreamInvalidError(`${upstream} answered with something that is not JSON.`, { cause: error });
  }
}

/**
 * Reads the whole body of a response, at most `maxBytes` after inflating.
 * @throws UpstreamInvalidError when the body is larger; the signal's reason; what the socket says when it is cut off
 */
async function readBody(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
  upstream: string,
): Promise<Buffer> {
  if (!response.body) return Buffer.alloc(0);
  const reader = response.body.getReader();
  // A reader cancelled by hand ends the read even where an abort of the request has been lost.
  const cancel = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) break;
      size += value.byteLength;
      if (size > maxBytes) {
        cancel();
        throw new UpstreamInvalidError(`The answer of ${upstream} is larger than ${maxBytes} bytes.`);
      }
      chunks.push(value);
    }
    return Buffer.concat(chunks, size);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
