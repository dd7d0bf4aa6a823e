import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** The parts of a request that the endpoints read; Express and Fastify both have them. */
export interface ToolRequest {
  headers: IncomingHttpHeaders;
}

/** A response of Express (the ServerResponse itself) or of Fastify (which has it as `raw`). */
export type ToolResponse = ServerResponse | { raw: ServerResponse };

/** Why the work was given up: the client has gone, so there is nobody left to answer. */
export class ClientClosedError extends Error {
  override readonly name = 'ClientClosedError';
  constructor() {
    super('The client closed the connection.');
  }
}

/** A signal that fires when the client leaves before the answer is complete. */
export function clientSignal(response: ToolResponse): AbortSignal {
  const raw = 'raw' in response ? response.raw : response;
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new ClientClosedError());
  });
  return controller.signal;
}
