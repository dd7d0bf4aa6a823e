import { UpstreamTimeoutError } from '../../core/errors/index.js';
import {
  requestUpstream,
  retryAfterMs,
  withRetry,
  type Fetch,
  type UpstreamRequest,
  type UpstreamResponse,
} from '../../core/upstream/index.js';
import { isWebPage, pageKind, redirectKind } from './captions/page-kind.js';
import { BLOCKS_ADDRESS, RateLimitCircuit, restSeconds } from './rate-limit-circuit.js';
import type { ProviderContext } from './transcript-provider.js';
import { videoFailure, type VideoFailureReason } from './video-failure.js';

const YOUTUBE = 'YouTube';

/** One request to YouTube. */
export interface YouTubeRequest extends Omit<UpstreamRequest, 'upstream' | 'timeoutMs' | 'fetch'> {
  /** True: a 429 here says nothing about other requests and does not open the circuit. Default false. */
  mayBeLimited?: boolean;
}

/**
 * The one way in which requests to YouTube leave this host: one hop's time each, one more try after a server error or a broken connection, none
 * after a refusal, and a circuit that opens when YouTube limits the address.
 */
export class YouTubeEgress {
  private readonly circuit = new RateLimitCircuit(YOUTUBE);

  constructor(private readonly fetch: Fetch | undefined) {}

  /**
   * The body of an answer with status 200 that is no web page; possibly empty.
   * @throws UpstreamUnavailableError: `rate_limited`, `captcha`, `consent`, `refused`, `server_error`; UpstreamInvalidError: `not_json`;
   *   UpstreamTimeoutError
   */
  async request({ mayBeLimited, ...request }: YouTubeRequest, context: ProviderContext): Promise<string> {
    const response = await this.circuit.run(async () => {
      const answer = await this.send(request, context);
      const blocked = refusalOf(answer);
      if (blocked && BLOCKS_ADDRESS.has(blocked) && !mayBeLimited) {
        throw videoFailure(blocked, { retryAfterSeconds: restSeconds(retryAfterMs(answer.headers)) });
      }
      return answer;
    });
    const reason = refusalOf(response);
    if (reason) throw videoFailure(reason);
    return response.body;
  }

  private async send(request: YouTubeRequest, context: ProviderContext): Promise<UpstreamResponse> {
    const answer = await withRetry(
      async () => {
        try {
          const whole = { ...request, upstream: YOUTUBE, timeoutMs: context.hopMs, fetch: this.fetch };
          const response = await requestUpstream(whole, context);
          if (response.status >= 500) {
            const waitMs = retryAfterMs(response.headers);
            throw videoFailure('server_error', {
              retryAfterSeconds: waitMs === undefined ? undefined : waitMs / 1000,
            });
          }
          return response;
        } catch (error) {
          // A hop that took its whole time is not worth another one; the next client or provider may be quicker.
          if (error instanceof UpstreamTimeoutError) return error;
          throw error;
        }
      },
      context,
      { attempts: 2, baseMs: 300, capMs: 2000 },
    );
    if (answer instanceof UpstreamTimeoutError) throw answer;
    return answer;
  }
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
