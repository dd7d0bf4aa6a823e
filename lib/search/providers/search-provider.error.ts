import { ToolsError, type ToolsErrorCode } from '../../core/errors/index.js';

/**
 * Why a search provider gave no results:
 * - `auth`: the key is missing, wrong, revoked or not allowed to do this
 * - `quota`: the plan, the credit or the budget is used up; waiting seconds does not help
 * - `rate_limited`: too many requests for the moment; `retryAfterSeconds` where the provider says when
 * - `bad_request`: the provider refuses the request as sent, or is not where the options say
 * - `timeout`: no complete answer in time
 * - `unavailable`: no connection, an error on the provider's side, or an outage hidden behind a 200
 * - `bad_payload`: an answer that is broken off, not JSON or of another shape than documented
 */
export type SearchFailureKind =
  'auth' | 'quota' | 'rate_limited' | 'bad_request' | 'timeout' | 'unavailable' | 'bad_payload';

const KINDS: Record<SearchFailureKind, { code: ToolsErrorCode; retry: boolean }> = {
  auth: { code: 'upstream_unavailable', retry: false },
  quota: { code: 'upstream_unavailable', retry: false },
  rate_limited: { code: 'upstream_unavailable', retry: true },
  bad_request: { code: 'upstream_unavailable', retry: false },
  timeout: { code: 'upstream_timeout', retry: true },
  unavailable: { code: 'upstream_unavailable', retry: true },
  bad_payload: { code: 'upstream_invalid', retry: true },
};

/**
 * A provider failed. Over HTTP it is the 502, 503 or 504 of its `code`; `shouldRetry` is false where only the host
 * can mend it (`auth`, `quota`, `bad_request`). The message is one or two sentences for the host that say what to do,
 * without an address; neither it nor `cause` holds a key.
 */
export class SearchProviderError extends ToolsError {
  constructor(
    /** Name of the provider, e.g. `brave`. */
    readonly provider: string,
    readonly kind: SearchFailureKind,
    message: string,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(KINDS[kind].code, message, { ...options, shouldRetry: KINDS[kind].retry });
  }
}
