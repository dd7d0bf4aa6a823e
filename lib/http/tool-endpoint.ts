import { Inject, Injectable, StreamableFile } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { UnsupportedMediaTypeError } from '../core/errors/index.js';
import type { CallOptions } from '../core/tool-context.js';
import { eventStream } from './event-stream.js';
import { clientSignal, type ToolRequest, type ToolResponse } from './http-exchange.js';
import { requestIdOf } from './request-id.js';

/** One HTTP exchange with what its tool does. */
export interface Exchange<Dto> {
  request: ToolRequest;
  response: ToolResponse;
  /** @throws InvalidRequestError */
  parse: () => Dto;
  /** Does the work and gives `data`. */
  work: (dto: Dto, call: CallOptions) => Promise<object>;
}

/** The body of a successful answer. */
export interface Envelope {
  data: object;
  request_id: string;
  seconds_taken: number;
}

/** What both tools do the same way around their work: media type, validation, cancelling, envelope, headers, stream. */
@Injectable()
export class ToolEndpoint {
  constructor(@Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost) {}

  async handle<Dto>(exchange: Exchange<Dto>): Promise<Envelope | StreamableFile> {
    const start = performance.now();
    const { request, response } = exchange;
    requireJson(request);
    const dto = exchange.parse();
    const requestId = requestIdOf(request);
    this.setHeaders(response, { 'X-Request-Id': requestId, 'Cache-Control': 'no-store' });
    const call: CallOptions = {
      signal: clientSignal(response),
      requestId,
      noCache: /\bno-cache\b/i.test(request.headers['cache-control'] ?? ''),
    };
    const answer = async (options: CallOptions): Promise<Envelope> => {
      const data = await exchange.work(dto, options);
      return { data, request_id: requestId, seconds_taken: secondsSince(start) };
    };
    if (!wantsEvents(request)) return answer(call);
    this.setHeaders(response, { 'X-Accel-Buffering': 'no' });
    const stream = eventStream(requestId, (onProgress) => answer({ ...call, onProgress }));
    return new StreamableFile(stream, { type: 'text/event-stream; charset=utf-8' });
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
