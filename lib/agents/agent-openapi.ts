import { InvalidOptionError } from '../core/errors.js';
import { shapeOf } from '../core/openapi.js';
import { parseUrl } from '../core/url.js';
import { envelopeOf } from '../tools/dto/shared.dto.js';
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

export interface AgentOpenApiOptions {
  /** Where the server can be reached from outside, e.g. `https://tools.example.com`. */
  serverUrl: string;
}

/**
 * An OpenAPI document that agent platforms import as it is: GPT Actions, Open WebUI, LibreChat. It has the tools only, without header
 * parameters (some platforms put them into the body), with the tools' names as operation ids, short descriptions, names and types of the
 * answers, an absolute address, `x-openai-isConsequential: false`, and a bearer token as well as the API key.
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
    return tool && 'post' in item ? [[path, { post: operationOf(tool) }] as const] : [];
  });
  if (paths.length === 0)
    throw new InvalidOptionError('document', 'a document with the tools of ToolsModule', document);
  const { title, version } = document.info as { title?: string; version?: string };
  return {
    openapi: '3.1.0',
    info: { title: title || 'Tools', version: version || '1.0', description: 'Tools for agents.' },
    servers: [{ url: serverUrl.replace(/\/{1,20}$/, '') }],
    paths: Object.fromEntries(paths),
    components: {
      // GPT Actions refuses a document without it.
      schemas: {},
      securitySchemes: {
        BearerAuth: { type: 'http', scheme: 'bearer' },
        ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
    security: [{ BearerAuth: [] }, { ApiKeyAuth: [] }],
  } as OpenApiDocumentLike;
}

function operationOf(tool: ToolDefinition): object {
  const { name, title, answer, request, agent } = tool;
  const json = (schema: object): object => ({ 'application/json': { schema } });
  return {
    operationId: name,
    summary: title,
    description: agent.description,
    'x-openai-isConsequential': false,
    requestBody: { required: true, content: json(plainSchema(fieldsOf(request))) },
    responses: {
      200: { description: answer, content: json(shapeOf(envelopeOf(tool))) },
      default: { description: 'An error; `message` says what to change.' },
    },
  };
}
