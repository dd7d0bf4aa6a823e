import { Inject, Injectable, Optional, StreamableFile } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { identityOf } from '../auth/api-key.guard.js';
import { FairGate } from '../auth/limits/fair-gate.js';
import { callerOf, RequestLimits, type Caller } from '../auth/limits/request-limits.js';
import { UnsupportedMediaTypeError } from '../core/errors/index.js';
import { TELEMETRY } from '../core/tokens.js';
import type { Telemetry, WorkFacts } from '../core/telemetry/index.js';
import type { Admit, CallOptions, ProgressEvent } from '../core/tool-context.js';
import { eventStream } from './event-stream.js';
import type { ToolRequest, ToolResponse } from './http-exchange.js';
import { InFlight } from './in-flight.js';
import { observationOf } from './observation.js';
import { requestIdOf } from './request-id.js';
import { StepSpans } from './step-spans.js';

/** What the work of a tool gives: the `data` of the answer, and what logs and bills want to know. */
export interface WorkResult {
  data: object;
  facts: WorkFacts;
}

/** One HTTP exchange with what its tool does. */
export interface Exchange<Dto> {
  request: ToolRequest;
  response: ToolResponse;
  /** @throws InvalidRequestError */
  parse: () => Dto;
  work: (dto: Dto, call: CallOptions) => Promise<WorkResult>;
}

/** The body of a successful answer. */
export interface Envelope {
  data: object;
  request_id: string;
  seconds_taken: number;
}

/**
 * What both tools do the same way around their work: media type, validation, cancelling, room for the work, what it cost, envelope,
 * headers, stream.
 */
@Injectable()
export class ToolEndpoint {
  constructor(
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(InFlight) private readonly inFlight: InFlight,
    @Inject(RequestLimits) private readonly limits: RequestLimits,
    @Inject(TELEMETRY) private readonly telemetry: Telemetry,
    @Optional() @Inject(FairGate) private readonly gate?: FairGate,
  ) {}

  async handle<Dto>(exchange: Exchange<Dto>): Promise<Envelope | StreamableFile> {
    const start = performance.now();
    const { request, response } = exchange;
    const inFlight = this.inFlight.begin(response);
    requireJson(request);
    const dto = exchange.parse();
    const requestId = requestIdOf(request);
    this.setHeaders(response, { 'X-Request-Id': requestId, 'Cache-Control': 'no-store' });
    const caller = callerOf(identityOf(request), request.ip);
    const noCache = /\bno-cache\b/i.test(request.headers['cache-control'] ?? '');
    const answer = async (onProgress?: (event: ProgressEvent) => void): Promise<Envelope> => {
      const steps = new StepSpans(this.telemetry);
      const call: CallOptions = {
        get signal() {
          return inFlight.signal;
        },
        requestId,
        noCache,
        onProgress: (event) => {
          steps.begin(event.stage);
          onProgress?.(event);
        },
        admit: this.admitFor(caller),
      };
      const data = await this.work(exchange, dto, call, caller).finally(() => steps.end());
      return { data, request_id: requestId, seconds_taken: secondsSince(start) };
    };
    if (!wantsEvents(request)) return answer();
    const stream = await eventStream(requestId, answer);
    this.setHeaders(response, { 'X-Accel-Buffering': 'no' });
    return new StreamableFile(stream, { type: 'text/event-stream; charset=utf-8' });
  }

  /** Does the work inside its span, and charges the caller. */
  private async work<Dto>(
    { request, work }: Exchange<Dto>,
    dto: Dto,
    call: CallOptions,
    caller: Caller,
  ): Promise<object> {
    const observation = observationOf(request);
    const charges: Promise<void>[] = [];
    // At each model call and not at the end: what fails, or is given up because the client has left, has cost what it has cost.
    call.spend = (spent) => {
      observation?.spend(spent, this.limits.costOf(spent));
      charges.push(this.limits.charge(caller, spent));
    };
    const run = (): Promise<WorkResult> => work(dto, call);
    try {
      const { data, facts } = await (observation ? observation.span.run(run) : run());
      if (observation) observation.facts = facts;
      // What others have paid for has cost nothing, which is not the same as unknown.
      if (facts.usage) observation?.spend(NOTHING, this.limits.costOf(NOTHING));
      return data;
    } catch (error) {
      observation?.fail(error);
      throw error;
    } finally {
      if (charges.length > 0) await Promise.all(charges);
    }
  }

  private admitFor({ id, limits }: Caller): Admit | undefined {
    const { gate } = this;
    return gate && ((signal, work) => gate.run(id, signal, work, limits?.concurrency));
  }

  private setHeaders(response: ToolResponse, headers: Record<string, string>): void {
    for (const [name, value] of Object.entries(headers)) {
      this.adapterHost.httpAdapter.setHeader(response, name, value);
    }
  }
}

const NOTHING = { modelCalls: 0, inputTokens: 0, outputTokens: 0 };

function requireJson({ headers }: ToolRequest): void {
  const type = headers['content-type'];
  if (!type || !/^application\/json\s*(;|$)/i.test(type.trim())) throw new UnsupportedMediaTypeError(type);
}

const wantsEvents = ({ headers }: ToolRequest): boolean =>
  /\btext\/event-stream\b/i.test(headers.accept ?? '');

const secondsSince = (start: number): number => Math.round(performance.now() - start) / 1000;
