/** What the HTTP side needs to know of the options; every value is set. */
export interface HttpOptions {
  /** Highest `top_n` that is accepted. */
  maxTopN: number;
}
