import { randomUUID } from 'node:crypto';

const REQUEST_ID = Symbol.for('nestjs-tools:request-id');
const ACCEPTABLE = /^[\x21-\x7e]{1,128}$/;

/**
 * The id of a request: the incoming `X-Request-Id` where it is 1..128 visible ASCII characters, else a new UUID. The same
 * answer however often it is asked for one request.
 */
export function requestIdOf(request: object): string {
  const holder = request as { [REQUEST_ID]?: string; headers?: Record<string, unknown> };
  let id = holder[REQUEST_ID];
  if (id === undefined) {
    const incoming = holder.headers?.['x-request-id'];
    id = typeof incoming === 'string' && ACCEPTABLE.test(incoming) ? incoming : randomUUID();
    holder[REQUEST_ID] = id;
  }
  return id;
}
