import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;

/** The parts of a JSON schema that the tests look at. */
export interface Schema {
  $ref?: string;
  allOf?: Schema[];
  type?: string;
  description?: string;
  example?: unknown;
  default?: unknown;
  enum?: unknown[];
  items?: Schema;
  minimum?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
}

/** The schemas of a document by name. */
export function schemasOf(document: OpenAPIObject): Record<string, Schema> {
  return document.components!.schemas as Record<string, Schema>;
}

interface DocumentedResponse {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: Schema; example?: unknown }>;
}

/** What a response of an operation looks like in one media type; undefined where the document has none. */
export function responseBody(
  operation: Operation,
  status: string,
  mediaType: string,
): { schema: Schema; example?: unknown } | undefined {
  return (operation.responses[status] as DocumentedResponse | undefined)?.content?.[mediaType];
}

/** Names of the headers of a response of an operation. */
export function responseHeaders(operation: Operation, status: string): string[] {
  return Object.keys((operation.responses[status] as DocumentedResponse | undefined)?.headers ?? {});
}
