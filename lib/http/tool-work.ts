import type { KeptResult } from '../core/cache/kept-result.js';
import type { WorkFacts } from '../core/request-event.js';
import type { CallOptions } from '../core/context.js';
import type { ToolName } from '../core/tool-names.js';

/** What the work of a tool gives: the `data` of the answer, and what logs and bills want to know. */
export interface WorkResult {
  data: object;
  facts: WorkFacts;
}

/** A tool between its validated request and the `data` of its answer: the same behind a request and behind a job. */
export interface ToolWork<Dto> {
  readonly tool: ToolName;
  /**
   * What makes two requests equal, whoever asks.
   * @throws what `run` throws before it begins to work
   */
  identityOf(dto: Dto): readonly unknown[];
  run(dto: Dto, call: CallOptions): Promise<WorkResult>;
  /**
   * What the cache has for a request.
   * @throws what `run` throws before it begins to work
   */
  kept(dto: Dto): KeptResult<WorkResult>;
}
