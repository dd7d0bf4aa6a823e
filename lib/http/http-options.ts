/** What the HTTP side needs to know of the options; every value is set. */
export interface HttpOptions {
  /** Highest `top_n` that is accepted. */
  maxTopN: number;
  /** How long requests in flight may go on when the host is stopped, ms. */
  graceMs: number;
  /** Whether each request is logged when it has ended. */
  logRequests: boolean;
}
