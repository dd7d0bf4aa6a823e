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
import { Circuit } from './circuit.js';
import type { ProviderContext } from './transcript-provider.js';
import { videoFailure, type VideoFailureReason } from './video-failure.js';

const YOUTUBE = 'YouTube';

/** After a block a new try within a minute is of no use; also how long the failure is remembered, seconds. */
const BLOCK_SECONDS = 60;

/** The reasons behind which this address is blocked as a whole, whatever the client. */
const BLOCKS_ADDRESS = new Set<VideoFailureReason>(['rate_limited', 'captcha']);

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
  private readonly circuit = new Circuit();

  constructor(private readonly fetch: Fetch | undefined) {}

  /**
   * The body of an answer with status 200 that is no web page; possibly empty.
   * @throws UpstreamUnavailableError: `rate_limited`, `captcha`, `consent`, `refused`, `server_error`; UpstreamInvalidError: `not_json`;
   *   UpstreamTimeoutError
   */
  async request({ mayBeLimited, ...request }: YouTubeRequest, context: ProviderContext): Promise<string> {
    const probes = this.circuit.enter();
    const response = await this.send(request, context);
    const reason = refusalOf(response);
    if (reason && BLOCKS_ADDRESS.has(reason) && !mayBeLimited) {
      throw videoFailure(reason, { retryAfterSeconds: this.circuit.open(retryAfterMs(response.headers)) });
    }
    if (probes) this.circuit.close();
    if (reason === 'not_json') throw videoFailure(reason);
    if (reason) throw videoFailure(reason, { retryAfterSeconds: BLOCK_SECONDS });
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
