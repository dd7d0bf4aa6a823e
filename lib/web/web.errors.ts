import { ToolsError, type ToolsErrorCode, type ToolsErrorOptions } from '../core/errors.js';

/**
 * Why a page was not got; short and stable, for logs, metrics and warnings:
 * - `blocked_address`: the scheme, userinfo, port or address of the URL is not allowed. No connection was made
 * - `not_admitted`: the page, or one that it redirects to, lies outside the domains of the host or the request. No connection was made
 * - `redirects`: more redirects than allowed, or one without a usable target
 * - `status`: another status than 2xx; 429 and 5xx may be asked again
 * - `timeout`: looking up, connecting, the redirects, the head and the body took longer together than allowed
 * - `too_large`: the body, inflated or on the wire, is larger than allowed
 * - `unavailable`: the name does not resolve, or the address does not answer
 * - `unreadable`: the answer broke off, is no HTTP, or cannot be inflated
 * - `unsupported_type`: the content type was not asked for; the body was not read
 */
export type WebErrorReason =
  | 'blocked_address'
  | 'not_admitted'
  | 'redirects'
  | 'status'
  | 'timeout'
  | 'too_large'
  | 'unavailable'
  | 'unreadable'
  | 'unsupported_type';

const CODES: Partial<Record<WebErrorReason, ToolsErrorCode>> = {
  timeout: 'upstream_timeout',
  unavailable: 'upstream_unavailable',
};

/**
 * A failure to get a page. `pageStatus` is that of the page, where it answered with one. No message holds an address that a name resolved to, nor the URL itself: both can tell a stranger about the
 * inside of the host's network. What the socket said is in `cause`, for the log.
 */
export class WebError extends ToolsError {
  readonly pageStatus?: number;
  /** The name of the host does not exist, or has an address that is not public. Strangers must not learn which. */
  readonly isHostUnknown: boolean;

  /** @param options `shouldRetry` is true by default for `timeout` and `unavailable` */
  constructor(
    readonly reason: WebErrorReason,
    message: string,
    {
      pageStatus,
      isHostUnknown = false,
      ...options
    }: ToolsErrorOptions & { pageStatus?: number; isHostUnknown?: boolean } = {},
  ) {
    const code = CODES[reason];
    super(code ?? 'upstream_invalid', message, { shouldRetry: code !== undefined, ...options });
    this.pageStatus = pageStatus;
    this.isHostUnknown = isHostUnknown;
  }
}
