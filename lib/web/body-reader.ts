import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import { pipeline as piped } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { WebError } from './web.errors.js';

interface ReadBody {
  bytes: Buffer;
  /** True when the body was larger than allowed and only its beginning was kept. */
  cut: boolean;
}

export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/**
 * Reads and inflates the first `maxBytes` of a body. They are counted as they leave the inflater (a bomb is small on the wire) and again
 * on the wire (endless empty blocks inflate to nothing). Inflating stops at the limit.
 *
 * @param check throws for a body that is not wanted, by its beginning
 * @throws WebError: `too_large` on the wire; `unreadable` for a coding that was not asked for, broken data or an early end
 */
export async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  check: (beginning: Buffer) => void = () => undefined,
): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    const stream = await inflated(response, maxBytes);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (size === 0) check(chunk);
      const left = maxBytes - size;
      if (chunk.length > left) {
        chunks.push(chunk.subarray(0, left));
        return { bytes: Buffer.concat(chunks), cut: true };
      }
      chunks.push(chunk);
      size += chunk.length;
    }
  } catch (cause) {
    if (cause instanceof WebError) throw cause;
    throw new WebError('unreadable', 'The page broke off or is damaged.', { cause });
  }
  return { bytes: Buffer.concat(chunks, size), cut: false };
}

/**
 * Writes a body, inflated, to a new file.
 * @throws WebError: `too_large` when it is larger than `maxBytes`, on the wire or inflated; `unreadable`; what the file system says
 */
export async function saveBody(response: IncomingMessage, maxBytes: number, file: string): Promise<void> {
  const stream = await inflated(response, maxBytes);
  try {
    await piped(stream, meterOf(maxBytes), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  } catch (cause) {
    if (cause instanceof WebError) throw cause;
    throw new WebError('unreadable', 'The file broke off or is damaged.', { cause });
  }
}

function meterOf(maxBytes: number): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      const isTooLarge = passed > maxBytes;
      done(
        isTooLarge ? new WebError('too_large', `The page is larger than ${maxBytes} bytes.`) : null,
        chunk,
      );
    },
  });
}

/** The codings of IANA's registry that were not asked for. Any other name, e.g. `none` or that of a charset, means none. */
const OTHER_CODINGS = new Set('aes128gcm compress dcb dcz exi pack200-gzip x-compress zstd'.split(' '));
const INFLATERS: Readonly<Record<string, (head: Buffer) => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  // Should mean zlib's format (RFC 9110, 8.4.1.2); some servers send the bare one. The first byte tells.
  deflate: (head) => (((head[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()),
};

async function inflated(response: IncomingMessage, maxBytes: number): Promise<Readable> {
  const codings = (response.headers['content-encoding'] ?? '').toLowerCase().split(/[\s,]+/);
  const [coding, ...more] = codings.filter(
    (name) => OTHER_CODINGS.has(name) || Object.hasOwn(INFLATERS, name),
  );
  if (coding === undefined) return response;
  const inflater = INFLATERS[coding];
  // No honest server sends a list of codings.
  if (!inflater || more.length > 0)
    throw new WebError('unreadable', 'The page is compressed in a way that was not asked for.');
  const rest = response[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>;
  const first = await rest.next();
  // An empty body is not a valid stream of any coding. It counts as an empty page.
  if (first.done) return Readable.from([]);
  const whole = Readable.from(
    (async function* () {
      yield first.value;
      yield* rest;
    })(),
  );
  // `pipeline` hands a failure of any part to all of them, so a cut connection ends the inflater with an error.
  return pipeline(whole, meterOf(maxBytes), inflater(first.value), () => undefined);
}
