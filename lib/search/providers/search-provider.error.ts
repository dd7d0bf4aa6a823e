import { ToolsError, upstreamFaults, type ToolsErrorCode, type UpstreamFault } from '../../core/errors.js';

/**
 * Why a search provider returned no results:
 * - `auth`: the key is missing, wrong or revoked, or the plan does not allow the request
 * - `quota`: the plan, the credit or the budget is used up; waiting a few seconds does not help
 * - `rate_limited`: too many requests at the moment; `retryAfterSeconds` when the provider says how long to wait
 * - `bad_request`: the provider refuses the request, or nothing answers at the configured address
 * - `timeout`: no complete answer in time
 * - `unavailable`: no connection, an error of the provider, or an outage behind a status of 200
 * - `bad_payload`: an answer that is cut off, is not JSON, or has another shape than documented
 */
export type SearchFailureKind =
  'auth' | 'quota' | 'rate_limited' | 'bad_request' | 'timeout' | 'unavailable' | 'bad_payload';

const CODES: Readonly<Record<string, ToolsErrorCode>> = {
  timeout: 'upstream_timeout',
  bad_payload: 'upstream_invalid',
};
const FOR_THE_HOST: readonly SearchFailureKind[] = ['auth', 'quota', 'bad_request'];

/**
 * A search provider failed. Over HTTP it becomes a 502, 503 or 504. `shouldRetry` is false when only the host can fix it
 * (`auth`, `quota`, `bad_request`). The message tells the host in one or two sentences what to do. Neither the message nor
 * `cause` contains a key or an address.
 */
export class SearchProviderError extends ToolsError {
  constructor(
    /** Name of the provider, e.g. `brave`. */
    readonly provider: string,
    readonly kind: SearchFailureKind,
    message: string,
    options: {
      retryAfterSeconds?: number;
      cause?: unknown;
      /** HTTP status or system code of the failure. */
      fault?: Omit<UpstreamFault, 'upstream'>;
    } = {},
  ) {
    const { fault, ...others } = options;
    super(CODES[kind] ?? 'upstream_unavailable', message, {
      ...others,
      shouldRetry: !FOR_THE_HOST.includes(kind),
      upstream: { upstream: provider, ...(fault ?? { code: kind }) },
    });
  }
}

/** Why a call failed, for logs and warnings: no address, no key. */
export function failureReason(error: unknown): string {
  const code = ToolsError.isInstance(error) ? error.code : 'failed';
  const fault = upstreamFaults(error);
  return fault ? `${code}, ${fault}` : code;
}
