import type { Fetch } from '../core/upstream/index.js';
import type { GuardedFetch, GuardedRequest } from './guarded-fetch.js';

const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * A guarded fetch in the shape of `fetch`, for `requestUpstream` and others that ask an upstream at an address which came
 * from outside, e.g. a caption URL. Any status and type come back, redirects are already followed. GET only; `signal` and
 * `headers` of the init are used.
 *
 * @param request what holds for every call, e.g. `{ timeoutMs: 10_000, maxBytes: 5 * 1024 * 1024 }`
 */
export function guardedUpstreamFetch(
  guardedFetch: GuardedFetch,
  request: Omit<GuardedRequest, 'signal' | 'headers'> = {},
): Fetch {
  return async (url, { method = 'GET', headers, signal }) => {
    if (method !== 'GET') throw new TypeError(`Addresses from outside are only read, not sent ${method}.`);
    const {
      status,
      headers: answered,
      body,
    } = await guardedFetch(url, {
      types: ['*'],
      anyStatus: true,
      ...request,
      headers: Object.fromEntries(new Headers(headers)),
      ...(signal ? { signal } : {}),
    });
    // The body is inflated by now.
    answered.delete('content-encoding');
    answered.delete('content-length');
    return new Response(WITHOUT_BODY.has(status) ? null : new Uint8Array(body), {
      status,
      headers: answered,
    });
  };
}
