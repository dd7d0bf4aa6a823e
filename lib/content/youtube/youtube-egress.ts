import { UpstreamTimeoutError, type UpstreamFault } from '../../core/errors.js';
import {
  requestUpstream,
  type Fetch,
  type UpstreamRequest,
  type UpstreamResponse,
} from '../../core/upstream/request.js';
import { retryAfterMs, withRetry } from '../../core/upstream/retry.js';
import { isWebPage, pageKind, redirectKind } from './captions/page-kind.js';
import { BLOCKS_ADDRESS, RateLimitCircuit, restSeconds } from './rate-limit-circuit.js';
import type { ProviderContext } from './transcript-provider.js';
import { videoFailure, type VideoFailureReason } from './video-failure.js';

const YOUTUBE = 'YouTube';

/** One request to YouTube. */
export interface YouTubeRequest extends Omit<UpstreamRequest, 'upstream' | 'timeoutMs' | 'fetch'> {
  /** True: a 429 here says nothing about other requests, so it does not open the circuit. Default false. */
  mayBeLimited?: boolean;
}

/**
 * Sends all requests to YouTube. Each request has its own time limit. A server error or a broken connection is tried once more, a
 * refusal is not. A circuit opens when YouTube limits this server's address.
 */
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
    const response = await this.circuit.run(async () => {
      const answer = await this.send(request, context);
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

  private async send(request: YouTubeRequest, context: ProviderContext): Promise<UpstreamResponse> {
    const answer = await withRetry(
      async () => {
        try {
          const whole = {
            ...request,
            upstream: YOUTUBE,
            timeoutMs: context.requestTimeoutMs,
            fetch: this.fetch,
          };
          const response = await requestUpstream(whole, context);
          if (response.status >= 500) {
            const waitMs = retryAfterMs(response.headers);
            throw videoFailure('server_error', {
              retryAfterSeconds: waitMs === undefined ? undefined : waitMs / 1000,
              upstream: { upstream: YOUTUBE, status: response.status },
            });
          }
          return response;
        } catch (error) {
          // A request that used all its time is not repeated: the next client or provider may be quicker.
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
