import { UpstreamTimeoutError } from '../../core/errors.js';
import { requestUpstream, type UpstreamRequest, type UpstreamResponse } from '../../core/upstream/request.js';
import { retryAfterSeconds, withRetry } from '../../core/upstream/retry.js';
import type { ProviderContext } from './transcript-provider.js';
import { BLOCKS_ADDRESS, videoFailure, type VideoFailureReason } from './video-failure.js';

const YOUTUBE = 'YouTube';

/**
 * Sends a request to YouTube, as {@link requestTranscript}.
 *
 * @returns the body of an answer with status 200 that is not a web page. It may be empty.
 * @throws UpstreamUnavailableError: `rate_limited`, `captcha`, `consent`, `refused`, `server_error`; UpstreamInvalidError: `not_json`;
 *   UpstreamTimeoutError
 */
export async function requestYouTube(
  request: Omit<UpstreamRequest, 'upstream' | 'timeoutMs'>,
  context: ProviderContext,
): Promise<string> {
  const response = await requestTranscript({ ...request, upstream: YOUTUBE }, context);
  const reason = refusalOf(response);
  if (!reason) return response.body;
  const { status, headers } = response;
  throw videoFailure(reason, {
    // The status says all, but for a web page behind a 200.
    upstream: status === 200 ? { upstream: YOUTUBE, status, code: reason } : { upstream: YOUTUBE, status },
    ...(BLOCKS_ADDRESS.has(reason) ? { retryAfterSeconds: restSeconds(headers) } : {}),
  });
}

/**
 * Sends a request for a transcript. A server error or a broken connection is tried once more. A request that used all its time is not: the
 * next client or provider may be quicker.
 *
 * @throws UpstreamUnavailableError (`server_error`), and as `requestUpstream`
 */
export function requestTranscript(
  request: Omit<UpstreamRequest, 'timeoutMs'>,
  context: ProviderContext,
): Promise<UpstreamResponse> {
  const { upstream } = request;
  const attempt = async (): Promise<UpstreamResponse> => {
    const response = await requestUpstream({ ...request, timeoutMs: context.requestTimeoutMs }, context);
    if (response.status < 500) return response;
    throw videoFailure('server_error', {
      message: `${upstream} answered with a server error.`,
      retryAfterSeconds: retryAfterSeconds(response.headers),
      upstream: { upstream, status: response.status },
    });
  };
  const when = (error: unknown): boolean => !(error instanceof UpstreamTimeoutError);
  return withRetry(attempt, context, { attempts: 2, baseMs: 300, longestMs: 2000, when });
}

/** Seconds for which an upstream that limits this address is left alone: as long as it asks, at least a minute, at most ten. */
export function restSeconds(headers: Headers): number {
  return Math.min(600, Math.max(60, retryAfterSeconds(headers) ?? 0));
}

function refusalOf({ status, headers, body }: UpstreamResponse): VideoFailureReason | undefined {
  const isRedirect = status >= 300 && status < 400;
  const page = isRedirect ? (headers.get('location') ?? '') : isWebPage(body) ? body : undefined;
  const kind = page === undefined ? undefined : pageKind(page);
  if (kind === 'captcha') return kind;
  if (status === 429) return 'rate_limited';
  if (kind === 'consent') return kind;
  return status >= 300 ? 'refused' : kind;
}

export function isWebPage(body: string): boolean {
  return /^\s*(?:<!--|<!doctype\s+html|<html|<head|<body)/i.test(body.slice(0, 500));
}

/** Recognises Google's captcha and YouTube's cookie consent by the addresses of their forms, or by the target of a redirect. */
export function pageKind(page: string): 'captcha' | 'consent' | 'not_json' {
  if (/class=["']g-recaptcha|\/sorry\/index|google\.com\/sorry\//i.test(page)) return 'captcha';
  if (/(?:^|(?:action|href)=["'])https:\/\/consent\.(?:youtube|google)\.com\//i.test(page)) return 'consent';
  return 'not_json';
}
