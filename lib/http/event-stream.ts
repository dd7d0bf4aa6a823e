import { PassThrough } from 'node:stream';
import type { ProgressEvent } from '../core/tool-context.js';
import { errorResponse } from './error-body.js';

/** Most bytes of `delta` events that wait for a slow reader; beyond it they are left out, the result has the text anyway. */
const MAX_BUFFERED_BYTES = 64 * 1024;

/**
 * The answer as server-sent events: `progress` {stage, done, total}, `delta` {text}, then one `result` (the very body of the
 * plain request) or one `error` (the very error body).
 *
 * @param work does the request, reporting to the function it is given
 */
export function eventStream(
  requestId: string,
  work: (onProgress: (event: ProgressEvent) => void) => Promise<object>,
): PassThrough {
  const stream = new PassThrough();
  const send = (event: string, data: object): void => {
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
      (error: unknown) => send('error', errorResponse(error, requestId).body),
    )
    .finally(() => stream.end());
  return stream;
}
