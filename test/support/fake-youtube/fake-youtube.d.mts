import type { IncomingHttpHeaders } from 'node:http';

/** An answer in place of data, the same at every endpoint. */
export type Fault =
  | 'rate-limited'
  | 'captcha'
  | 'captcha-redirect'
  | 'consent'
  | 'consent-redirect'
  | 'html'
  | 'empty'
  | 'forbidden'
  | 'bad-request'
  | 'not-found'
  | 'server-error'
  | 'truncated'
  | 'hang';

export interface FakeTrack {
  language: string;
  /** `asr`: recognized by a machine. */
  kind?: 'asr';
  name?: string;
  lines: readonly { startMs: number; endMs: number; text: string }[];
}

/** How the `player` endpoint and timedtext behave for a video. */
export interface FakeBehaviour {
  /** Default: the data. */
  player?: Fault | 'reset';
  playability?: { status: string; reason?: string; subreason?: string; [more: string]: unknown };
  /** Further members of `videoDetails`. */
  details?: Record<string, unknown>;
  tracks?: readonly FakeTrack[];
  /** True: a request without `visitorData` gets a bot check. Default false. */
  needsVisitor?: boolean;
  /** Caption addresses ask for a PO token; default as the client does. */
  gated?: boolean;
  /** Origin of the caption addresses; default YouTube's. */
  captionOrigin?: string;
}

export interface FakeVideo extends FakeBehaviour {
  title?: string;
  channel?: string;
  description?: string;
  /** Default one minute. */
  durationMs?: number;
  audioTracks?: readonly Record<string, unknown>[];
  /** A storyboard specification. */
  storyboard?: string;
  timedtext?: Fault;
  /** What one client sees differently, by `clientName`. */
  clients?: Readonly<Record<string, FakeBehaviour>>;
}

export interface FakeRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  client?: string;
  headers: IncomingHttpHeaders;
  json: Record<string, unknown>;
  /** True where the caller hung up before the answer was complete. */
  closedEarly?: boolean;
}

export interface FakeYouTube {
  /** Origin, e.g. `http://127.0.0.1:40123`. */
  url: string;
  requests: FakeRequest[];
  /** Requests of each visitor, when there is a limit. */
  visitors: ReadonlyMap<string, number>;
  set(id: string, video: FakeVideo): void;
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** @param limitOf how many `player` requests of one visitor are answered at this moment; default: all */
export function startFakeYouTube(options?: { limitOf?: () => number }): Promise<FakeYouTube>;
