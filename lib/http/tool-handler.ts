import { PassThrough } from 'node:stream';
import { Inject, Injectable, Optional, StreamableFile, type Provider } from '@nestjs/common';
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
import { type JobDto, jobAddress, prefersAsync, type JobIntake } from './job-intake.js';
import { InFlight, observationOf, RequestObserver } from './in-flight.js';
import { errorResponse } from '../core/error-body.js';
import { ToolsExceptionFilter } from './tools-exception.filter.js';

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
    const inFlight = this.inFlight.begin(response);
    const requestId = requestIdOf(request);
    setResponseHeader(response, 'X-Request-Id', requestId);
    setResponseHeader(response, 'Cache-Control', 'no-store');
    const noCache = skipsCache(request);
    if (this.jobs && prefersAsync(request))
      return this.submit(this.jobs, tool, dto, { request, response, requestId, noCache });
    const caller = callerOf(identityOf(request), request);
    const observation = observationOf(request);
    const answer = async (onProgress?: (event: ProgressEvent) => void): Promise<Envelope> => {
      const call: ToolCall = {
        caller,
        get signal() {
          return inFlight.signal;
        },
        requestId,
        noCache,
        observation,
        onProgress,
      };
      const { data } = await this.calls.run(tool, dto, call);
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

/** Most bytes of `delta` events that wait for a slow reader; beyond it they are left out, the result has the text anyway. */
const MAX_BUFFERED_BYTES = 64 * 1024;

/**
 * The answer as server-sent events: `progress` {stage, done, total}, `delta` {text}, then one `result` (the very body of the
 * plain request) or one `error` (the very error body).
 *
 * Resolves with the first event. What is refused before there is one (a wrong id, a full queue) is an error with its own status, as for
 * the plain request: a client that retries by the status must not find a 200.
 *
 * @param work does the request, reporting to the function it is given
 * @throws what `work` throws before its first step
 */
function eventStream(
  requestId: string,
  work: (onProgress: (event: ProgressEvent) => void) => Promise<object>,
): Promise<PassThrough> {
  const stream = new PassThrough();
  let streaming = false;
  let resolve!: (stream: PassThrough) => void;
  let reject!: (error: unknown) => void;
  const begun = new Promise<PassThrough>((...settle) => ([resolve, reject] = settle));
  const send = (event: string, data: object): void => {
    streaming = true;
    resolve(stream);
    if (!stream.destroyed) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const onProgress = ({ text, ...progress }: ProgressEvent): void => {
    if (stream.writableLength > MAX_BUFFERED_BYTES) return;
    if (text === undefined) send('progress', progress);
    else send('delta', { text });
  };
  work(onProgress)
    .then(
      (result) => send('result', result),
      (error: unknown) => {
        if (streaming) send('error', errorResponse(error, requestId).body);
        else reject(error);
      },
    )
    .finally(() => stream.end());
  return begun;
}

/** Dependencies of the controllers. */
export const HTTP_PROVIDERS: Provider[] = [InFlight, RequestObserver, ToolHandler, ToolsExceptionFilter];
