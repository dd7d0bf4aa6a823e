/** What can be set, before and while the server runs (through `settings`). */
export interface FakeLlmSettings {
  /** Milliseconds to the first token; default 0. */
  ttftMs: number;
  /** Default: all at once. */
  tokensPerSecond: number;
  /** Reading the prompt, on top of `ttftMs`; default: takes no time. */
  prefillTokensPerSecond: number;
  /** Calls at once; beyond it 429. Default: any number. */
  maxParallel: number;
  /** `Retry-After` of a 429; null for none. Default `1`. */
  retryAfter: string | null;
  /** Default 128,000; beyond it 400 with OpenAI's words. */
  contextTokens: number;
  /** True: `max_tokens` counts towards the window, as with vLLM. */
  countsOutput?: boolean;
  /** Most characters of an answer for each token that it may have; default 4. */
  charactersPerToken: number;
  /** About so many words an answer; default 150. */
  words: number;
  /**
   * `right`: what was asked for, grounded; `wrong`: seconds outside the video and words in reverse; `invented`: claims and quotes
   * from nowhere; `prose`: sentences of the prompt whatever form was asked for; `constant`: always the same sentence.
   */
  mode: 'right' | 'wrong' | 'invented' | 'prose' | 'constant';
  /** Answers begin only once this has resolved. */
  held?: Promise<void>;
  /** False: reports 0 tokens for everything, as servers do that do not count. Default true. */
  counts: boolean;
  /** Further members of `usage`, e.g. `completion_tokens_details`. */
  usage?: object;
  /** Says by the call's number, from 0, what goes wrong with it. */
  fault?: (index: number, call: FakeLlmCall) => FakeLlmFault | undefined;
  /** Replaces the answers. */
  answer?: (
    prompt: string,
    settings: FakeLlmSettings,
    call: FakeLlmCall,
  ) => string | { text: string; finish?: string };
}

export type FakeLlmFault =
  | 'rate_limited'
  | 'server_error'
  | 'hang'
  | 'reset'
  | 'html'
  | 'malformed'
  | 'truncated'
  | 'cut'
  | 'stall'
  | 'empty'
  | 'out_of_tokens'
  | 'filtered'
  | { name: string; status: number; error: unknown; headers?: Record<string, string> }
  /** An error inside of a stream that began with 200, behind so many characters of the answer; default 0. */
  | { name: string; error: unknown; after?: number };

/** One request as the server saw it. */
export interface FakeLlmCall {
  index: number;
  /** `performance.now()` of this process. */
  startedAt: number;
  closedAt: number | undefined;
  status: number;
  fault: string | undefined;
  /** Four characters a token, and 765 a picture. */
  promptTokens: number;
  completionTokens: number;
  /** The client closed the connection before the answer was complete. */
  aborted: boolean;
  prompt: string;
  system: string;
  images: number;
  answer: string;
  headers: Record<string, string | string[] | undefined>;
  body: { model: string; stream?: boolean; max_tokens?: number; tools?: unknown; [key: string]: unknown };
}

export interface FakeLlm {
  /** Base URL, ends in `/v1`. */
  readonly url: string;
  readonly settings: FakeLlmSettings;
  readonly calls: FakeLlmCall[];
  readonly running: number;
  readonly maxRunning: number;
  /** Forgets the calls so far. */
  reset(): void;
  close(): Promise<void>;
}

export declare function startFakeLlm(settings?: Partial<FakeLlmSettings>): Promise<FakeLlm>;
