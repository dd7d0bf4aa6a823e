import type { KeptResult } from '../core/cache/index.js';
import type { WorkFacts } from '../core/telemetry/index.js';
import type { CallOptions } from '../core/tool-context.js';

/** The `data` of an answer, and what logs and bills want to know of the work. */
export interface WireAnswer {
  data: object;
  facts: WorkFacts;
}

/** What an endpoint knows of its tool: how a body is read, who does the work, how the result looks on the wire. */
export interface ToolDefinition<Dto extends object, Result> {
  /** @throws InvalidRequestError */
  parse: (body: unknown) => Dto;
  run: (dto: Dto, call: CallOptions) => Promise<Result>;
  /**
   * What the cache has for a request.
   * @throws what `run` throws for a request that it refuses at once
   */
  kept: (dto: Dto) => KeptResult<Result>;
  wire: (result: Result) => WireAnswer;
}
