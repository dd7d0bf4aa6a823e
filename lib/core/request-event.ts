import type { ToolsErrorCode } from './errors.js';
import type { ModelUsage } from './usage.js';

/** The tools, as their endpoints are named. */
export const TOOL_NAMES = [
  'summarize_content',
  'search_web',
  'read_page',
  'get_transcript',
  'ask_video',
  'list_videos',
  'research',
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** What of the module is reached over HTTP. */
export interface MountedTools {
  /** Tools that have a route; none in a worker, and none where a host only injects the services. */
  tools: readonly ToolName[];
  /** Their endpoints, as paths without the host's global prefix. */
  paths: readonly string[];
  /** Paths below which it answers: its own, or at the root of the host those of its endpoints. Without slashes around them. */
  roots: readonly string[];
  /** Whether callers show an API key that the key store must know. */
  apiKeys: boolean;
  /** Who is let in: callers whom a key guard knows, those whom guards of the host let through, or everybody. */
  access: 'keys' | 'own' | 'open';
}

/** What the work of a request was, for logs, metrics and billing. */
export interface WorkFacts {
  /** The method that ran: a summary's, or `results` and `answer` of a search. */
  method?: string;
  /** Where the material came from; several are joined with a plus sign. */
  provider?: string;
  /** `extractive`, or the model's id. */
  engine?: string;
  /** True when the answer was made for an earlier request. */
  cached?: boolean;
  /**
   * What this request has cost, also where it failed or its client left; absent where no model and no search provider with a price was asked,
   * zero where another request has paid.
   */
  usage?: ModelUsage;
}

/** One request that has ended, however it did. Holds neither the key nor any text of the request, its material or its answer. */
export interface RequestEvent extends WorkFacts {
  at: Date;
  requestId: string;
  tool: ToolName;
  /** Owner of the key; absent if the request was refused before the key was known, or if the host has its own guard. */
  key?: { id: string; name: string };
  /** The status as it was sent; 499 where the client left before, 200 for an event stream however it ended. */
  statusCode: number;
  /** `ok`, the code of the error, or `client_closed`. */
  outcome: 'ok' | 'client_closed' | ToolsErrorCode;
  milliseconds: number;
  /**
   * Which upstreams failed and how: those that ended the request, else those that something answered in place of. E.g.
   * `searxng 403, you ECONNREFUSED`, or `shop TypeError` for what a provider of the host threw. Holds no address and no key.
   */
  upstreamFaults?: string;
  /** What answered in place of what failed, e.g. `extractive`, or the name of a provider; several are joined with a plus sign. Absent if nothing failed. */
  fallback?: string;
  /** That of `usage`; zero where another request has paid, absent where nothing has a price. */
  cost?: number;
}

/** Called by the tools at fixed moments. What a hook throws is logged and costs the client nothing. */
export interface ToolsHooks {
  /**
   * Once for every request when it has ended, refused ones included; for billing look at `key`, `usage` and `cost`. A request that became
   * a job is reported once, by the worker, when the job has ended or was cancelled while it ran.
   */
  onUsage?: (event: RequestEvent) => void | Promise<void>;
  /** Once for every batch, by a worker, when all of its items have ended; again where that worker dies in between. */
  onBatchEnd?: (event: BatchEndEvent) => void | Promise<void>;
}

/** A batch that has ended. Its results are fetched with its id. */
export interface BatchEndEvent {
  id: string;
  tool: ToolName;
  /** Items in all, with a result, and with an error. */
  total: number;
  done: number;
  failed: number;
  /** Whose batch it is. */
  key: { id: string; name: string };
}
