import { ToolsError, type ToolsErrorCode, type ToolsErrorOptions } from '../core/errors.js';

/** Why a page was not got; short and stable, for logs, metrics and warnings. */
export type WebErrorReason =
  | 'blocked_address'
  | 'redirects'
  | 'status'
  | 'timeout'
  | 'too_large'
  | 'unavailable'
  | 'unreadable'
  | 'unsupported_type';

/**
 * The base of every failure to get a page. No message holds an address that a name resolved to, nor the URL itself:
 * both can tell a stranger about the inside of the host's network. What the socket said is in `cause`, for the log.
 */
export abstract class WebError extends ToolsError {
  abstract readonly reason: WebErrorReason;

  constructor(code: ToolsErrorCode, message: string, options: ToolsErrorOptions = {}) {
    super(code, message, { shouldRetry: false, ...options });
  }
}

/** The URL may not be fetched because of its scheme, userinfo, port, or an address that is not public. No connection was made. */
export class BlockedAddressError extends WebError {
  readonly reason = 'blocked_address';
  constructor(message = 'The address does not lead to a public web page.', options?: ToolsErrorOptions) {
    super('upstream_invalid', message, options);
  }
}

/** More redirects than allowed, or one without a usable target. */
export class RedirectError extends WebError {
  readonly reason = 'redirects';
  constructor(message: string, options?: ToolsErrorOptions) {
    super('upstream_invalid', message, options);
  }
}

/** The page answered with another status than 2xx; 429 and 5xx may be asked again. */
export class PageStatusError extends WebError {
  readonly reason = 'status';
  constructor(readonly pageStatus: number) {
    super('upstream_invalid', `The page answered with the status ${pageStatus}.`, {
      shouldRetry: pageStatus === 429 || pageStatus >= 500,
    });
  }
}

/** Looking up, connecting, the redirects, the head and the body took longer together than allowed. */
export class PageTimeoutError extends WebError {
  readonly reason = 'timeout';
  constructor(timeoutMs: number) {
    super('upstream_timeout', `The page did not arrive within ${timeoutMs} ms.`, { shouldRetry: true });
  }
}

/** The body, inflated or on the wire, is larger than allowed. */
export class PageTooLargeError extends WebError {
  readonly reason = 'too_large';
  constructor(maxBytes: number) {
    super('upstream_invalid', `The page is larger than ${maxBytes} bytes.`);
  }
}

/** The name does not resolve, or nobody answers there. */
export class PageUnavailableError extends WebError {
  readonly reason = 'unavailable';
  constructor(message: string, options?: ToolsErrorOptions) {
    super('upstream_unavailable', message, { shouldRetry: true, ...options });
  }
}

/** The answer broke off, is no HTTP, or cannot be inflated. */
export class UnreadablePageError extends WebError {
  readonly reason = 'unreadable';
  constructor(message: string, options?: ToolsErrorOptions) {
    super('upstream_invalid', message, options);
  }
}

/** The content type was not asked for; the body was not read. */
export class UnsupportedPageTypeError extends WebError {
  readonly reason = 'unsupported_type';
  constructor(type: string, accepted: readonly string[]) {
    // The type is the stranger's text: cut to what a media type can be.
    const shown = /^[\w.+-]{1,60}\/[\w.+-]{1,60}/.exec(type)?.[0] ?? 'unknown';
    super('upstream_invalid', `The page has the content type ${shown}; accepted are ${accepted.join(', ')}.`);
  }
}
