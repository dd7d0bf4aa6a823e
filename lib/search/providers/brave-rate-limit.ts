import { numberIn, objectIn } from './json-fields.js';
import type { ProviderAnswer, ProviderFailure } from './provider-request.js';

const HOUR_SECONDS = 3600;

/**
 * Brave counts in two windows, one second and one month: `X-RateLimit-Remaining: 0, 14523` beside
 * `X-RateLimit-Reset: 1, 1419704` (seconds). Which one is empty decides whether a second's wait helps or nothing does.
 * Without the headers the body's `meta` tells: `quota_current` against `quota_limit`.
 *
 * Source: Brave's documentation of the response headers; a 429 body as quoted in chatwise issue 1296.
 */
export function braveRateLimit(answer: ProviderAnswer): ProviderFailure {
  const remaining = numbers(answer.headers.get('x-ratelimit-remaining'));
  const reset = numbers(answer.headers.get('x-ratelimit-reset'));
  const waits = reset.filter((_, window) => remaining[window] === 0);
  const error = objectIn(objectIn(answer.json).error);
  const meta = objectIn(error.meta);
  const limit = numberIn(meta.quota_limit) ?? 0;
  const used = numberIn(meta.quota_current) ?? 0;
  const wait = waits.length > 0 ? Math.max(...waits) : undefined;
  if (error.code === 'QUOTA_LIMITED' || (wait ?? 0) > HOUR_SECONDS || (limit > 0 && used >= limit))
    return {
      kind: 'quota',
      advice: 'has used up this month’s quota of the key: raise the plan or its spending limit.',
    };
  return { kind: 'rate_limited', retryAfterSeconds: wait ?? 1 };
}

function numbers(header: string | null): number[] {
  return (header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => /^\d+$/.test(part))
    .map(Number);
}
