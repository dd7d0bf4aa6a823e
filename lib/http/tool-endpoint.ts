import { Inject, Injectable, Optional, StreamableFile } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { identityOf } from '../auth/api-key.guard.js';
import { FairGate } from '../auth/limits/fair-gate.js';
import { callerOf, RequestLimits, type Caller } from '../auth/limits/request-limits.js';
import { UnsupportedMediaTypeError } from '../core/errors/index.js';
import { JOB_INTAKE, TELEMETRY } from '../core/tokens.js';
import type { Telemetry } from '../core/telemetry/index.js';
import type { Admit, CallOptions, ProgressEvent } from '../core/tool-context.js';
import type { JobDto } from './dto/job.dto.js';
import { eventStream } from './event-stream.js';
import type { ToolRequest, ToolResponse } from './http-exchange.js';
import { InFlight } from './in-flight.js';
import { jobAddress, prefersAsync, type JobIntake } from './job-intake.js';
import { observationOf } from './observation.js';
import { requestIdOf } from './request-id.js';
import { StepSpans } from './step-spans.js';
import type { ToolWork, WorkResult } from './tool-work.js';

/** One HTTP exchange with what its tool does. */
export interface Exchange<Dto> {
  request: ToolRequest;
  response: ToolResponse;
  /** @throws InvalidRequestError */
  parse: () => Dto;
  work: ToolWork<Dto>;
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
    @Optional() @Inject(JOB_INTAKE) private readonly jobs?: JobIntake,
  ) {}

  async handle<Dto extends object>(exchange: Exchange<Dto>): Promise<Envelope | StreamableFile | JobDto> {
    const start = performance.now();
    const { request, response } = exchange;
    const inFlight = this.inFlight.begin(response);
    requireJson(request);
    const dto = exchange.parse();
    const requestId = requestIdOf(request);
    this.setHeaders(response, { 'X-Request-Id': requestId, 'Cache-Control': 'no-store' });
    const caller = callerOf(identityOf(request), request.ip);
    const noCache = /\bno-cache\b/i.test(request.headers['cache-control'] ?? '');
    if (this.jobs && prefersAsync(request)) return this.submit(this.jobs, exchange, dto, caller, noCache);
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
    this.setHeaders(response, { 'X-Accel-Buffering': 'no' });
    return new StreamableFile(eventStream(requestId, answer), { type: 'text/event-stream; charset=utf-8' });
  }

  /** Does the work inside its span, and charges the caller. */
  private async work<Dto extends object>(
    { request, work }: Exchange<Dto>,
    dto: Dto,
    call: CallOptions,
    caller: Caller,
  ): Promise<object> {
    const observation = observationOf(request);
    const run = (): Promise<WorkResult> => work.run(dto, call);
    try {
      const { data, facts } = await (observation ? observation.span.run(run) : run());
      const cost = facts.usage && (await this.limits.charge(caller, facts.usage));
      if (observation) Object.assign(observation, { facts, cost });
      return data;
    } catch (error) {
      observation?.fail(error);
      throw error;
    }
  }

  /** Answers now and leaves the work for later: 202 with the address of the job. */
  private async submit<Dto extends object>(
    jobs: JobIntake,
    { request, response, work }: Exchange<Dto>,
    dto: Dto,
    caller: Caller,
    noCache: boolean,
  ): Promise<JobDto> {
    try {
      const identity = work.identityOf(dto);
      const owner = { ...caller, name: identityOf(request)?.name };
      const requestId = requestIdOf(request);
      const job = await jobs.submit({ tool: work.tool, input: dto, identity, owner, requestId, noCache });
      this.adapterHost.httpAdapter.status(response, 202);
      this.setHeaders(response, {
        Location: jobAddress(request, job.id),
        'Preference-Applied': 'respond-async',
      });
      return job;
    } catch (error) {
      observationOf(request)?.fail(error);
      throw error;
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

function requireJson({ headers }: ToolRequest): void {
  const type = headers['content-type'];
  if (!type || !/^application\/json\s*(;|$)/i.test(type.trim())) throw new UnsupportedMediaTypeError(type);
}

const wantsEvents = ({ headers }: ToolRequest): boolean =>
  /\btext\/event-stream\b/i.test(headers.accept ?? '');

const secondsSince = (start: number): number => Math.round(performance.now() - start) / 1000;
