import { Inject, Injectable, Optional, StreamableFile } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { identityOf } from '../auth/api-key.guard.js';
import { callerOf } from '../auth/request-limits.js';
import type { ProgressEvent } from '../core/context.js';
import {
  requestIdOf,
  setResponseHeader,
  type ToolRequest,
  type ToolResponse,
} from '../core/http-exchange.js';
import { JOB_INTAKE } from '../core/injection-tokens.js';
import { ToolCalls, type ToolCall } from '../tools/tool-calls.js';
import type { ToolDefinition } from '../tools/tool-definition.js';
import type { JobDto } from './dto/job.dto.js';
import { eventStream } from './event-stream.js';
import { InFlight } from './in-flight.js';
import { jobAddress, prefersAsync, type JobIntake } from './job-intake.js';
import { observationOf } from './request-observer.js';

/** The body of a successful answer. */
export interface Envelope {
  data: object;
  request_id: string;
  seconds_taken: number;
}

/** Answers the validated requests of every tool: headers, cancellation, job or call, envelope or event stream. */
@Injectable()
export class ToolHandler {
  constructor(
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(InFlight) private readonly inFlight: InFlight,
    @Inject(ToolCalls) private readonly calls: ToolCalls,
    @Optional() @Inject(JOB_INTAKE) private readonly jobs?: JobIntake,
  ) {}

  async handle<Dto extends object>(
    tool: ToolDefinition<Dto>,
    dto: Dto,
    request: ToolRequest,
    response: ToolResponse,
  ): Promise<Envelope | StreamableFile | JobDto> {
    const start = performance.now();
    const signal = this.inFlight.begin(response);
    const requestId = requestIdOf(request);
    setResponseHeader(response, 'X-Request-Id', requestId);
    setResponseHeader(response, 'Cache-Control', 'no-store');
    const noCache = skipsCache(request);
    if (this.jobs && prefersAsync(request))
      return this.submit(this.jobs, tool, dto, { request, response, requestId, noCache });
    const caller = callerOf(identityOf(request), request);
    const call: ToolCall = { caller, signal, requestId, noCache, observation: observationOf(request) };
    const answer = async (onProgress?: (event: ProgressEvent) => void): Promise<Envelope> => {
      const { data } = await this.calls.run(tool, dto, { ...call, onProgress });
      return { data, request_id: requestId, seconds_taken: secondsSince(start) };
    };
    if (!wantsEvents(request)) return answer();
    const stream = await eventStream(requestId, answer);
    setResponseHeader(response, 'X-Accel-Buffering', 'no');
    return new StreamableFile(stream, { type: 'text/event-stream; charset=utf-8' });
  }

  /** Answers at once with 202 and the address of a job. */
  private async submit<Dto extends object>(
    jobs: JobIntake,
    tool: ToolDefinition<Dto>,
    dto: Dto,
    exchange: { request: ToolRequest; response: ToolResponse; requestId: string; noCache: boolean },
  ): Promise<JobDto> {
    const { request, response, requestId, noCache } = exchange;
    const identity = this.calls.identityOf(tool, dto);
    const key = identityOf(request);
    const owner = { ...callerOf(key, request), name: key?.name };
    const job = await jobs.submit({ tool: tool.name, input: dto, identity, owner, requestId, noCache });
    this.adapterHost.httpAdapter.status(response, 202);
    setResponseHeader(response, 'Location', jobAddress(request, job.id));
    setResponseHeader(response, 'Preference-Applied', 'respond-async');
    return job;
  }
}

const wantsEvents = ({ headers }: ToolRequest): boolean =>
  /\btext\/event-stream\b/i.test(headers.accept ?? '');

const skipsCache = ({ headers }: ToolRequest): boolean =>
  /\bno-cache\b/i.test(headers['cache-control'] ?? '');

const secondsSince = (start: number): number => Math.round(performance.now() - start) / 1000;
