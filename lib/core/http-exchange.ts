import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { ToolName } from './request-event.js';

/** The parts of a request that are read here; Express and Fastify both have them. */
export interface ToolRequest {
  headers: IncomingHttpHeaders;
  ip?: string;
  method?: string;
  url: string;
  /** With the paths of the routers above; Express. */
  originalUrl?: string;
}

/** The path of a request with the paths of the routers above it, without its query. */
export function pathOf({ originalUrl, url = '' }: Partial<ToolRequest>): string {
  return (originalUrl ?? url).split('?', 1)[0]!;
}

/** A response of Express (the ServerResponse itself) or a reply of Fastify (which has it as `raw`). */
export type ToolResponse = ServerResponse | { raw: ServerResponse };

export function rawResponse(response: ToolResponse): ServerResponse {
  return 'raw' in response ? response.raw : response;
}

/** Sets a header, by the public method that Express (`setHeader`) or Fastify (`header`) has for it. */
export function setResponseHeader(response: object, name: string, value: string): void {
  if ('setHeader' in response) (response as ServerResponse).setHeader(name, value);
  else (response as { header(name: string, value: string): unknown }).header(name, value);
}

const REQUEST_IDS = new WeakMap<object, string>();
const ACCEPTED_ID = /^[\x21-\x7e]{1,128}$/;

/**
 * The id of a request: the incoming `X-Request-Id` where it is 1 to 128 visible ASCII characters, else a new UUID. The same id however
 * often it is asked for.
 */
export function requestIdOf(request: object): string {
  const known = REQUEST_IDS.get(request);
  if (known !== undefined) return known;
  const incoming = (request as { headers?: Record<string, unknown> }).headers?.['x-request-id'];
  const id = typeof incoming === 'string' && ACCEPTED_ID.test(incoming) ? incoming : randomUUID();
  REQUEST_IDS.set(request, id);
  return id;
}

/** Sets the headers that every answer has. Returns the id of the request. */
export function beginAnswer(request: object, response: object): string {
  const id = requestIdOf(request);
  setResponseHeader(response, 'X-Request-Id', id);
  setResponseHeader(response, 'Cache-Control', 'no-store');
  return id;
}

const TOOL = 'nestjs-tools:tool';

/** Names the tool that a route serves, for the guards. */
export const Tool = (name: ToolName): MethodDecorator => SetMetadata(TOOL, name);

/** The tool that a route serves; undefined for a route of the host's own. */
export function toolOf(context: ExecutionContext): ToolName | undefined {
  return Reflect.getMetadata(TOOL, context.getHandler()) as ToolName | undefined;
}
