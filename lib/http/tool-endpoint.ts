import { Inject, Injectable, Optional, StreamableFile } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { identityOf } from '../auth/api-key.guard.js';
import { FairGate } from '../auth/limits/fair-gate.js';
import { callerOf, RequestLimits, type Caller } from '../auth/limits/request-limits.js';
import { UnsupportedMediaTypeError } from '../core/errors.js';
import { setResponseHeader } from '../core/response-header.js';
import { JOB_INTAKE, TELEMETRY } from '../core/injection-tokens.js';
import type { Telemetry } from '../core/telemetry.js';
import type { WorkFacts } from '../core/request-event.js';
import type { Admit, CallOptions, ProgressEvent } from '../core/context.js';
import type { JobDto } from './dto/job.dto.js';
import { eventStream } from './event-stream.js';
import type { ToolRequest, ToolResponse } from './http-exchange.js';
import { InFlight } from './in-flight.js';
import { jobAddress, prefersAsync, type JobIntake } from './job-intake.js';
import { observationOf, type Observation } from './observation.js';
import { preparedEnvelope, type Envelope } from './prepared-envelope.js';
import { requestIdOf } from './request-id.js';
import { SeenRequests, type PreparedAnswer } from './seen-requests.js';
import { StepSpans } from './step-spans.js';
import type { ToolWork, WorkResult } from './tool-work.js';

/** One HTTP exchange with a tool. */
interface Exchange<Dto extends object> {
  work: ToolWork<Dto>;
  dto: Dto;
  request: ToolRequest;
  response: ToolResponse;
  requestId: string;
  caller: Caller;
  /** When it began, as `performance.now()` has it. */
  start: number;
}

/** Answers the requests of one endpoint. */
export type OpenTool = (
  body: unknown,
  request: ToolRequest,
  response: ToolResponse,
) => Envelope | Promise<Envelope | StreamableFile | JobDto>;

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
    @Optional() @Inject(JOB_INTAKE) private readonly jobs?: JobIntake,
  ) {}

  /** A tool, ready for its requests; made once for each endpoint. */
  open<Dto extends object>(work: ToolWork<Dto>, parse: (body: unknown) => Dto): OpenTool {
    const requests = new SeenRequests(work, parse);
    return (body, request, response) => {
      const start = performance.now();
      this.inFlight.refuseWhenStopping();
      requireJson(request);
      const { dto, prepared } = requests.find(body);
      const requestId = requestIdOf(request);
      setResponseHeader(response, 'X-Request-Id', requestId);
      setResponseHeader(response, 'Cache-Control', 'no-store');
      if (this.jobs && prefersAsync(request)) return this.submit(this.jobs, work, dto, request, response);
      const events = wantsEvents(request);
      const answer = events || skipsCache(request) ? undefined : prepared();
      if (answer) return this.answerKept(answer, request, response, requestId, start);
      const caller = callerOf(identityOf(request), request);
      return this.answer({ work, dto, request, response, requestId, caller, start }, events);
    };
  }

  private answerKept(
    { json, facts }: PreparedAnswer,
    request: ToolRequest,
    response: ToolResponse,
    requestId: string,
    start: number,
  ): Envelope {
    this.tell(observationOf(request), facts);
    return preparedEnvelope(response, json, requestId, secondsSince(start));
  }

  private async answer<Dto extends object>(
    exchange: Exchange<Dto>,
    events: boolean,
  ): Promise<Envelope | StreamableFile> {
    const { request, response, requestId, caller, start } = exchange;
    const inFlight = this.inFlight.begin(response);
    const answer = async (onProgress?: (event: ProgressEvent) => void): Promise<Envelope> => {
      const steps = new StepSpans(this.telemetry);
      const call: CallOptions = {
        get signal() {
          return inFlight.signal;
        },
        requestId,
        noCache: skipsCache(request),
        onProgress: (event) => {
          steps.begin(event.stage);
          onProgress?.(event);
        },
        admit: this.admitFor(caller),
      };
      const data = await this.work(exchange, call).finally(() => steps.end());
      return { data, request_id: requestId, seconds_taken: secondsSince(start) };
    };
    if (!events) return answer();
    const stream = await eventStream(requestId, answer);
    setResponseHeader(response, 'X-Accel-Buffering', 'no');
    return new StreamableFile(stream, { type: 'text/event-stream; charset=utf-8' });
  }

  /** Does the work inside its span, and charges the caller. */
  private async work<Dto extends object>(
    { work, dto, request, caller }: Exchange<Dto>,
    call: CallOptions,
  ): Promise<object> {
    const observation = observationOf(request);
    const charges: Promise<void>[] = [];
    // At each model call and not at the end: what fails, or is given up because the client has left, has cost what it has cost.
    call.spend = (spent) => {
      observation?.spend(spent, this.limits.costOf(spent));
      charges.push(this.limits.charge(caller, spent));
    };
    const run = (): Promise<WorkResult> => work.run(dto, call);
    try {
      const { data, facts } = await (observation ? observation.span.run(run) : run());
      this.tell(observation, facts);
      return data;
    } catch (error) {
      observation?.fail(error);
      throw error;
    } finally {
      if (charges.length > 0) await Promise.all(charges);
    }
  }

  /** Answers now and leaves the work for later: 202 with the address of the job. */
  private async submit<Dto extends object>(
    jobs: JobIntake,
    work: ToolWork<Dto>,
    dto: Dto,
    request: ToolRequest,
    response: ToolResponse,
  ): Promise<JobDto> {
    const { tool } = work;
    const identity = work.identityOf(dto);
    const key = identityOf(request);
    const owner = { ...callerOf(key, request), name: key?.name };
    const requestId = requestIdOf(request);
    const noCache = skipsCache(request);
    const job = await jobs.submit({ tool, input: dto, identity, owner, requestId, noCache });
    this.adapterHost.httpAdapter.status(response, 202);
    setResponseHeader(response, 'Location', jobAddress(request, job.id));
    setResponseHeader(response, 'Preference-Applied', 'respond-async');
    return job;
  }

  private tell(observation: Observation | undefined, facts: WorkFacts): void {
    if (!observation) return;
    observation.facts = facts;
    // What others have paid for has cost nothing, which is not the same as unknown.
    if (facts.usage) observation.spend(NOTHING, this.limits.costOf(NOTHING));
  }

  private admitFor({ id, limits }: Caller): Admit | undefined {
    const { gate } = this;
    return gate && ((signal, work) => gate.run(id, signal, work, limits?.concurrency));
  }
}

const NOTHING = { modelCalls: 0, inputTokens: 0, outputTokens: 0 };

function requireJson({ headers }: ToolRequest): void {
  const type = headers['content-type'];
  if (type === 'application/json') return;
  if (!type || !/^application\/json\s*(;|$)/i.test(type.trim())) throw new UnsupportedMediaTypeError(type);
}

const wantsEvents = ({ headers }: ToolRequest): boolean =>
  headers.accept !== undefined && /\btext\/event-stream\b/i.test(headers.accept);

const skipsCache = ({ headers }: ToolRequest): boolean => {
  const directives = headers['cache-control'];
  return directives !== undefined && /\bno-cache\b/i.test(directives);
};

const secondsSince = (start: number): number => Math.round(performance.now() - start) / 1000;
