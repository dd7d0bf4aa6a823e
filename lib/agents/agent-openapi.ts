import { InvalidOptionError } from '../core/errors.js';
import { parseUrl } from '../core/url.js';
import type { ToolDefinition } from '../tools/tool-definition.js';
import { TOOLS } from '../tools/tools.js';
import { fieldsOf, plainSchema } from './tool-arguments.js';

/** The part of an OpenAPI document that is read here. */
export interface OpenApiDocumentLike {
  openapi: string;
  info: object;
  paths: Record<string, object>;
  components?: object;
}

/** Options of {@link agentOpenApi}. */
export interface AgentOpenApiOptions {
  /** Where the server can be reached from outside, e.g. `https://tools.example.com`. */
  serverUrl: string;
}

type Json = Record<string, unknown>;

/**
 * An OpenAPI document that agent platforms import as it is: GPT Actions, Open WebUI, LibreChat. It has the tools only, without header
 * parameters (some platforms put them into the body), with the tools' names as operation ids, descriptions of at most 300 characters, an
 * absolute address, `x-openai-isConsequential: false`, and a bearer token as well as the API key.
 *
 * @param document of the host, as `SwaggerModule.createDocument` makes it
 * @throws InvalidOptionError for an address that is not absolute, or a document without any of the tools
 */
export function agentOpenApi(
  document: OpenApiDocumentLike,
  { serverUrl }: AgentOpenApiOptions,
): OpenApiDocumentLike {
  if (!/^https?:$/.test(parseUrl(serverUrl)?.protocol ?? ''))
    throw new InvalidOptionError(
      'serverUrl',
      'an absolute address such as https://tools.example.com',
      serverUrl,
    );
  const paths = Object.entries(document.paths).flatMap(([path, item]) => {
    const tool = TOOLS.find(({ name }) => path.endsWith(`/${name}`));
    const post = (item as { post?: Json }).post;
    return tool && post ? [[path, { post: operationOf(tool, post) }] as const] : [];
  });
  if (paths.length === 0)
    throw new InvalidOptionError('document', 'a document with the tools of ToolsModule', document);
  const { title, version } = document.info as { title?: string; version?: string };
  const { schemas = {} } = (document.components ?? {}) as { schemas?: Json };
  const found = Object.fromEntries(paths);
  return {
    openapi: '3.1.0',
    info: { title: title || 'Tools', version: version || '1.0', description: 'Tools for agents.' },
    servers: [{ url: serverUrl.replace(/\/{1,20}$/, '') }],
    paths: found,
    components: {
      schemas: shortened(reachable(found, schemas)) as Json,
      securitySchemes: {
        BearerAuth: { type: 'http', scheme: 'bearer' },
        ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
    security: [{ BearerAuth: [] }, { ApiKeyAuth: [] }],
  } as OpenApiDocumentLike;
}

function operationOf({ name, title, answer, request, agent }: ToolDefinition, post: Json): Json {
  const { 200: ok } = post.responses as Record<string, { content: Json }>;
  const error = { $ref: '#/components/schemas/ErrorDto' };
  return {
    operationId: name,
    summary: title,
    description: agent.description,
    'x-openai-isConsequential': false,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: plainSchema(fieldsOf(request, agent.fields)) } },
    },
    responses: {
      200: { description: answer, content: { 'application/json': ok!.content['application/json'] } },
      default: {
        description: 'An error; `message` says what to change.',
        content: { 'application/json': { schema: error } },
      },
    },
  };
}

/** The schemas that the paths refer to, directly or through others. */
function reachable(paths: object, schemas: Json): Json {
  const found = new Set<string>();
  const follow = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(name!) || schemas[name!] === undefined) continue;
      found.add(name!);
      follow(schemas[name!]);
    }
  };
  follow(paths);
  return Object.fromEntries([...found].sort().map((name) => [name, schemas[name]]));
}

const MAX_DESCRIPTION = 300;

/** A schema whose descriptions have at most 300 characters, ended at a sentence. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'description' && typeof inner === 'string' ? firstSentences(inner) : shortened(inner),
    ]),
  );
}

function firstSentences(text: string): string {
  if (text.length <= MAX_DESCRIPTION) return text;
  const end = text.lastIndexOf('. ', MAX_DESCRIPTION - 1);
  return end > 0 ? text.slice(0, end + 1) : `${text.slice(0, MAX_DESCRIPTION - 1)}…`;
}
