import type { ApiKeyIdentity } from '../auth/api-key-store.js';
import { RequestSlot } from '../core/request-slot.js';
import type { RequestEvent, WorkFacts } from '../core/request-event.js';
import type { Span } from '../core/telemetry.js';
import type { Spent } from '../core/context.js';
import type { ToolName } from '../core/tool-names.js';
import { errorResponse } from './error-body.js';
import { ClientClosedError } from './in-flight.js';

const OBSERVATION = new RequestSlot<Observation>('observation');

/** What is known of a request while it is under way; gathered where it becomes known, told when the response is closed. */
export class Observation {
  /** What the work was; set when it has succeeded. */
  facts: WorkFacts = {};
  identity?: ApiKeyIdentity;
  private spent?: Spent;
  private cost?: number;
  private failure?: { error: unknown };
  private readonly at = new Date();
  private readonly start = performance.now();

  constructor(
    readonly tool: ToolName,
    readonly requestId: string,
    /** Around everything from the first guard to the last byte. */
    readonly span: Span,
  ) {}

  /** Adds what a model call has cost. @param cost in the unit of `limits.price` */
  spend({ modelCalls, inputTokens, outputTokens }: Spent, cost: number | undefined): void {
    const { spent } = this;
    this.spent = {
      modelCalls: (spent?.modelCalls ?? 0) + modelCalls,
      inputTokens: (spent?.inputTokens ?? 0) + inputTokens,
      outputTokens: (spent?.outputTokens ?? 0) + outputTokens,
    };
    if (cost !== undefined) this.cost = (this.cost ?? 0) + cost;
  }

  /** Says that the request failed; the first failure counts. */
  fail(error: unknown): void {
    this.failure ??= { error };
  }

  /** @param complete false: the client left before the answer was complete */
  end(statusCode: number, complete: boolean): RequestEvent {
    const { tool, requestId, at, facts, identity, spent, cost } = this;
    const milliseconds = Math.round(performance.now() - this.start);
    return {
      at,
      requestId,
      tool,
      ...(identity ? { key: { id: identity.id, name: identity.name } } : {}),
      statusCode: complete ? statusCode : 499,
      outcome: this.outcome(complete),
      milliseconds,
      ...facts,
      ...(spent === undefined ? {} : { usage: spent }),
      ...(cost === undefined ? {} : { cost }),
    };
  }

  private outcome(complete: boolean): RequestEvent['outcome'] {
    if (!this.failure) return complete ? 'ok' : 'client_closed';
    const { error } = this.failure;
    return error instanceof ClientClosedError ? 'client_closed' : errorResponse(error, '').body.code;
  }
}

/** Attaches an observation to a request. */
export function observe(request: object, observation: Observation): void {
  OBSERVATION.set(request, observation);
}

/** The observation of a request; undefined for one that did not come to a tool. */
export function observationOf(request: object): Observation | undefined {
  return OBSERVATION.get(request);
}
