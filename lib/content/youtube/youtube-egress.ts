import { CircuitOpenError, UpstreamTimeoutError, type UpstreamFault, ToolsError } from '../../core/errors.js';
import {
  requestUpstream,
  type Fetch,
  type UpstreamRequest,
  type UpstreamResponse,
} from '../../core/upstream/request.js';
import { CircuitBreaker, type Verdict } from '../../core/upstream/circuit-breaker.js';
import { retryAfterMs, retryAfterSeconds, withRetry } from '../../core/upstream/retry.js';
import type { ToolContext } from '../../core/context.js';
import type { ProviderContext } from './transcript-provider.js';
import { videoFailure, type VideoFailureReason, outcomeOf } from './video-failure.js';

const YOUTUBE = 'YouTube';

interface YouTubeRequest extends Omit<UpstreamRequest, 'upstream' | 'timeoutMs' | 'fetch'> {
  /** True: a 429 here says nothing about other requests, so it does not open the circuit. Default false. */
  mayBeLimited?: boolean;
}

/** Sends all requests to YouTube, as {@link requestTranscript}. A circuit opens when YouTube limits this server's address. */
export class YouTubeEgress {
  private readonly circuit = new RateLimitCircuit(YOUTUBE);

  constructor(private readonly fetch: Fetch | undefined) {}

  /**
   * Returns the body of an answer with status 200 that is not a web page. It may be empty.
   *
   * @throws UpstreamUnavailableError: `rate_limited`, `captcha`, `consent`, `refused`, `server_error`; UpstreamInvalidError: `not_json`;
   *   UpstreamTimeoutError
   */
  async request({ mayBeLimited, ...request }: YouTubeRequest, context: ProviderContext): Promise<string> {
    const response = await this.circuit.run(context, async () => {
      const answer = await requestTranscript({ ...request, upstream: YOUTUBE, fetch: this.fetch }, context);
      const blocked = refusalOf(answer);
      if (blocked && BLOCKS_ADDRESS.has(blocked) && !mayBeLimited) {
        throw videoFailure(blocked, {
          retryAfterSeconds: restSeconds(retryAfterMs(answer.headers)),
          upstream: faultOf(answer, blocked),
        });
      }
      return answer;
    });
    const reason = refusalOf(response);
    if (reason) throw videoFailure(reason, { upstream: faultOf(response, reason) });
    return response.body;
  }

  /** True while nothing is sent. */
  get isResting(): boolean {
    return this.circuit.isOpen;
  }

  /** Throws a failure again. A limit that came inside an answer with status 200 opens the circuit. */
  async fail(error: unknown, context: ToolContext): Promise<never> {
    if (!this.isResting && verdictOf(error) === 'failed') {
      return this.circuit.run(context, () => Promise.reject(error as Error));
    }
    throw error;
  }
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

/** The status of a refusal, or its kind when a web page came behind a 200. */
function faultOf({ status }: UpstreamResponse, reason: VideoFailureReason): UpstreamFault {
  return status === 200 ? { upstream: YOUTUBE, status, code: reason } : { upstream: YOUTUBE, status };
}

function refusalOf({ status, headers, body }: UpstreamResponse): VideoFailureReason | undefined {
  const page = isWebPage(body) ? pageKind(body) : undefined;
  if (page === 'captcha') return 'captcha';
  if (status === 429) return 'rate_limited';
  if (status >= 300 && status < 400) return redirectKind(headers.get('location') ?? '') ?? 'refused';
  if (page === 'consent') return 'consent';
  if (status >= 400) return 'refused';
  return page;
}

/** Failures that are about this server's address, and not about the video or client. */
const BLOCKS_ADDRESS: ReadonlySet<string> = new Set(['rate_limited', 'captcha']);

/** How long an upstream that limits this address is left alone, ms. Up to a quarter is added, so that hosts do not return together. */
const REST_MS = 60_000;
const JITTER = 0.25;

/** Longest rest, also when `Retry-After` asks for more, ms. */
const LONGEST_MS = 600_000;

/**
 * Stops requests from an address that is limited (429, captcha), since each further request would prolong the block. It opens at the
 * first such refusal, for about a minute or as long as the other side asks. Then requests go through again, and a success closes the
 * circuit. The work signals a limit by throwing `rate_limited` or `captcha` with {@link restSeconds} as `retryAfterSeconds`.
 */
export class RateLimitCircuit {
  private readonly breaker: CircuitBreaker;

  constructor(upstream: string) {
    this.breaker = new CircuitBreaker(upstream, {
      failures: Infinity,
      openMs: REST_MS,
      maxOpenMs: LONGEST_MS,
    });
  }

  get isOpen(): boolean {
    return this.breaker.isOpen;
  }

  /** @throws UpstreamUnavailableError (`rate_limited`) with the remaining time while it is open; what `work` throws */
  async run<T>(context: ToolContext, work: () => Promise<T>): Promise<T> {
    try {
      return await this.breaker.run(context, work, verdictOf);
    } catch (error) {
      if (!(error instanceof CircuitOpenError)) throw error;
      throw videoFailure('rate_limited', { retryAfterSeconds: error.retryAfterSeconds, cause: error });
    }
  }
}

/** Any other failure shows that the address is not blocked. */
function verdictOf(error: unknown): Verdict {
  if (!ToolsError.isInstance(error)) return 'nothing';
  return BLOCKS_ADDRESS.has(outcomeOf(error)) ? 'failed' : 'there';
}

/**
 * Seconds for which an upstream that limits this address is left alone.
 *
 * @param askedMs the wait that the upstream asks for, ms
 */
export function restSeconds(askedMs = 0): number {
  const ownMs = REST_MS * (1 + Math.random() * JITTER);
  return Math.ceil(Math.max(ownMs, Math.min(askedMs, LONGEST_MS)) / 1000);
}

/** The kind of a web page that came instead of data. */
type PageKind = 'captcha' | 'consent' | 'not_json';

/** True when a body is HTML and not data. */
export function isWebPage(body: string): boolean {
  return /^\s*(?:<!--|<!doctype\s+html|<html|<head|<body)/i.test(body.slice(0, 500));
}

/** Recognises Google's captcha and YouTube's cookie consent by the addresses of their forms. */
export function pageKind(html: string): PageKind {
  if (/class=["']g-recaptcha|\/sorry\/index|google\.com\/sorry\//i.test(html)) return 'captcha';
  if (/(?:action|href)=["']https:\/\/consent\.(?:youtube|google)\.com\//i.test(html)) return 'consent';
  return 'not_json';
}

/** The same for the target of a redirect; undefined for any other target. */
function redirectKind(location: string): PageKind | undefined {
  if (/^https:\/\/(?:www\.)?google\.com\/sorry\//i.test(location)) return 'captcha';
  if (/^https:\/\/consent\.(?:youtube|google)\.com\//i.test(location)) return 'consent';
  return undefined;
}
