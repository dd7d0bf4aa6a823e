import { UpstreamInvalidError } from '../errors/index.js';

/**
 * Reads the whole body of a response, as bytes.
 *
 * @param maxBytes after inflating
 * @param signal ends the read; its reason is thrown
 * @param upstream name in messages
 * @throws UpstreamInvalidError when the body is larger; what the socket says when it is cut off
 */
export async function readBody(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
  upstream: string,
): Promise<Buffer> {
  if (!response.body) return Buffer.alloc(0);
  const reader = response.body.getReader();
  // A reader cancelled by hand ends the read even where an abort of the request has been lost.
  const cancel = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) break;
      size += value.byteLength;
      if (size > maxBytes) {
        cancel();
        throw new UpstreamInvalidError(`The answer of ${upstream} is larger than ${maxBytes} bytes.`);
      }
      chunks.push(value);
    }
    return Buffer.concat(chunks, size);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
