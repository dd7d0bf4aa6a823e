/** What a PO token is needed for. */
export interface PoTokenRequest {
  videoId: string;
  /** `clientName` of the profile that uses it, e.g. `WEB`. */
  client: string;
  signal: AbortSignal;
}

/** A proof of origin, made by a browser or by a generator such as `bgutils-js` for one video or one visitor. */
export interface PoToken {
  token: string;
  /** The visitor that the token was made for, sent as `X-Goog-Visitor-Id`. */
  visitorData?: string;
}

/** Provides PO tokens; undefined when there is none for this request. */
export type PoTokenProvider = (request: PoTokenRequest) => Promise<PoToken | undefined>;
