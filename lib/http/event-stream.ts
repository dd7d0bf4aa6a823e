import { PassThrough } from 'node:stream';
import type { ProgressEvent } from '../core/context.js';
import { errorResponse } from '../core/error-body.js';

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
export function eventStream(
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
