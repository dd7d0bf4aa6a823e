import { PassThrough, type Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import type { ProgressEvent } from '../core/context.js';
import { errorEvent } from '../core/error-response.js';
import { setResponseHeader, type ToolRequest, type ToolResponse } from '../core/http-exchange.js';

/** Most bytes of `delta` events that wait for a slow reader. Further ones are left out; the result has the text anyway. A plain bound. */
const MAX_BUFFERED_BYTES = 64 * 1024;

export const EVENTS_CACHE_CONTROL = 'no-store, no-transform';

/** Server-sent events in `Accept`, unless their weight is 0 (RFC 9110, section 12.4.2). */
const EVENTS = /^\s*text\/event-stream\s*(?![^;])(?!.*;\s*q=0(?:\.0*)?\s*(?:;|$))/i;

export const wantsEvents = ({ headers }: ToolRequest): boolean =>
  (headers.accept ?? '').split(',').some((range) => EVENTS.test(range));

/** One server-sent event. @param data an object, or its JSON */
export function eventText(event: string, data: object | string, id?: string): string {
  const json = typeof data === 'string' ? data : JSON.stringify(data);
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`;
}

export function eventsResponse(stream: Readable, response: ToolResponse): StreamableFile {
  setResponseHeader(response, 'X-Accel-Buffering', 'no');
  // A middleware that compresses (`compression`) would hold events back.
  setResponseHeader(response, 'Cache-Control', EVENTS_CACHE_CONTROL);
  return new StreamableFile(stream, { type: 'text/event-stream; charset=utf-8' });
}

/**
 * The answer of a tool as server-sent events: `progress` {stage, done, total}, `delta` {text}, then one `result` (the body of the plain
 * request) or one `error` (the error body, with `should_retry` and `retry_after_seconds`). Resolves with the first event: a request that is refused before has an error status of its own.
 *
 * @param work does the request, reporting to the function it is given
 * @throws what `work` throws before its first step
 */
export function eventStream(
  requestId: string,
  work: (onProgress: (event: ProgressEvent) => void) => Promise<object>,
): Promise<PassThrough> {
  const stream = new PassThrough();
  return new Promise((resolve, reject) => {
    let streaming = false;
    const send = (event: string, data: object): void => {
      streaming = true;
      resolve(stream);
      if (!stream.destroyed) stream.write(eventText(event, data));
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
          if (streaming) send('error', errorEvent(error, requestId));
          else reject(error);
        },
      )
      .finally(() => stream.end());
  });
}
