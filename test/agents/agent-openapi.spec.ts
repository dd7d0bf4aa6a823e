import { readFile } from 'node:fs/promises';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Validator } from '@seriousme/openapi-schema-validator';
import { TOOL_NAMES } from '../../lib/core/request-event.js';
import { agentOpenApi } from '../../lib/agents/index.js';

type Json = Record<string, unknown>;

describe('the OpenAPI document for agent platforms', () => {
  let document: OpenAPIObject;
  beforeAll(async () => {
    document = JSON.parse(await readFile('openapi.json', 'utf8')) as OpenAPIObject;
  });
  const made = () => agentOpenApi(document, { serverUrl: 'https://tools.example.com/' });
  const operations = () => Object.values(made().paths).map((item) => (item as { post: Json }).post);

  it('is valid, and has the tools under their own names', async () => {
    expect(await new Validator().validate(JSON.stringify(made(), null, 2))).toMatchObject({
      valid: true,
    });
    expect(Object.keys(made().paths)).toEqual(TOOL_NAMES.map((name) => `/v1/tools/${name}`));
    expect(operations().map(({ operationId }) => operationId)).toEqual(TOOL_NAMES);
  });

  it('has what GPT Actions, Open WebUI and LibreChat ask for', () => {
    expect(made()).toMatchObject({
      servers: [{ url: 'https://tools.example.com' }],
      security: [{ BearerAuth: [] }, { ApiKeyAuth: [] }],
    });
    for (const operation of operations()) {
      expect(operation.parameters).toBeUndefined();
      expect(operation['x-openai-isConsequential']).toBe(false);
    }
    const descriptions = [
      ...JSON.stringify(made()).matchAll(/"(?:description|summary)":"((?:[^"\\]|\\.)*)"/g),
    ];
    expect(descriptions.length).toBeGreaterThan(10);
    for (const [, text] of descriptions) expect(text!.length).toBeLessThanOrEqual(300);
  });

  it('says what answers hold, and refers to nothing', () => {
    expect(JSON.stringify(made())).not.toContain('$ref');
    const [{ responses }] = operations() as [{ responses: Json }];
    expect(responses['200']).toMatchObject({
      content: {
        'application/json': {
          schema: { properties: { data: { properties: { summary: { type: 'string' } } } } },
        },
      },
    });
  });

  it('asks for requests that the tools accept', () => {
    const bodies = operations().map(
      ({ requestBody }) => requestBody as { content: Record<string, { schema: Json }> },
    );
    const search = bodies[1]!.content['application/json']!.schema as { properties: Json; required: string[] };
    expect(search.required).toEqual(['query']);
    expect(Object.keys(search.properties)).toContain('include_domains');
    expect(search.properties.top_n).toMatchObject({ minimum: 1, maximum: 20 });
    // A default for what is required would make a model leave it out.
    expect((search.properties.query as Json).default).toBeUndefined();
  });

  it('has a title and a version where the document has empty ones, as DocumentBuilder makes it', () => {
    const untitled = { ...document, info: { title: '', version: '' } };
    const { info } = agentOpenApi(untitled, { serverUrl: 'https://tools.example.com' });
    expect(info).toMatchObject({ title: 'Tools', version: '1.0' });
  });

  it('does not change the document that it is given', () => {
    const before = JSON.stringify(document);
    made();
    expect(JSON.stringify(document)).toBe(before);
  });

  it.each([['/'], ['tools.example.com'], ['ftp://tools.example.com'], ['']])(
    'refuses %j as an address',
    (serverUrl) => {
      expect(() => agentOpenApi(document, { serverUrl })).toThrow('`serverUrl` must be an absolute address');
    },
  );

  it('refuses a document without the tools', () => {
    const other = { openapi: '3.0.0', info: {}, paths: { '/own': {} } };
    expect(() => agentOpenApi(other, { serverUrl: 'https://tools.example.com' })).toThrow(
      'a document with the tools',
    );
  });
});
