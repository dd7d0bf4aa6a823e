import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** The parts of a request that the endpoints read; Express and Fastify both have them. */
export interface ToolRequest {
  headers: IncomingHttpHeaders;
  ip?: string;
  url: string;
  /** With the paths of routers above; Express. */
  originalUrl?: string;
}

/** A response of Express (the ServerResponse itself) or of Fastify (which has it as `raw`). */
export type ToolResponse = ServerResponse | { raw: ServerResponse };

/** Node's own response under that of the adapter. */
export function rawResponse(response: ToolResponse): ServerResponse {
  return 'raw' in response ? response.raw : response;
}
