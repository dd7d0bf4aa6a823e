import { randomUUID } from 'node:crypto';
import { RequestSlot } from '../core/request-slot.js';

const REQUEST_ID = new RequestSlot<string>('id');
const ACCEPTABLE = /^[\x21-\x7e]{1,128}$/;

/**
 * The id of a request: the incoming `X-Request-Id` where it is 1..128 visible ASCII characters, else a new UUID. The same
 * answer however often it is asked for one request.
 */
export function requestIdOf(request: object): string {
  const known = REQUEST_ID.get(request);
  if (known !== undefined) return known;
  const incoming = (request as { headers?: Record<string, unknown> }).headers?.['x-request-id'];
  const id = typeof incoming === 'string' && ACCEPTABLE.test(incoming) ? incoming : randomUUID();
  REQUEST_ID.set(request, id);
  return id;
}
