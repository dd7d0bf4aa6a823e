import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv } from 'ajv';
import { createApp } from '../../sample-app/create-app.js';
import { openApiDocument } from '../../sample-app/openapi-document.js';
import { readSettings } from '../../sample-app/settings.js';
import { responseBody, responseHeaders, schemasOf, type Schema } from '../support/openapi.js';

const OF_THE_HOST = /\.(length|focus|output_schema|language|freshness|include_domains|exclude_domains)$/;

describe('the OpenAPI document', () => {
  let app: INestApplication;
  let document: OpenAPIObject;

  beforeAll(async () => {
    app = await createApp(await readSettings({ YOUTUBE: 'off' }), { logger: false });
    await app.init();
    document = openApiDocument(app);
  });
  afterAll(() => app.close());

  const operations = () =>
    Object.entries(document.paths).map(([path, item]) => ({ path, operation: item.post! }));

  /** Every field of every schema, with its schema. */
  const fields = (): [name: string, field: Schema, required: boolean][] =>
    Object.entries(schemasOf(document)).flatMap(([name, schema]) =>
      Object.entries(schema.properties ?? {}).map(([field, definition]): [string, Schema, boolean] => [
        `${name}.${field}`,
        definition,
        schema.required?.includes(field) ?? false,
      ]),
    );

  it('is valid OpenAPI', async () => {
    const result = await new Validator().validate(JSON.stringify(document, null, 2));
    expect(result).toEqual(expect.objectContaining({ valid: true }));
  });

  it('is the one that is committed', async () => {
    const committed: unknown = JSON.parse(await readFile('openapi.json', 'utf8'));
    expect(JSON.parse(JSON.stringify(document))).toEqual(committed);
  });

  it('has the tools with stable operation ids, behind the key', () => {
    expect(operations().map(({ path, operation }) => [path, operation.operationId])).toEqual([
      ['/v1/tools/summarize_content', 'summarizeContent'],
      ['/v1/tools/search_web', 'searchWeb'],
      ['/v1/tools/read_page', 'readPage'],
      ['/v1/tools/get_transcript', 'getTranscript'],
      ['/v1/tools/ask_video', 'askVideo'],
      ['/v1/tools/list_videos', 'listVideos'],
      ['/v1/tools/research', 'research'],
    ]);
    for (const { operation } of operations()) expect(operation.security).toEqual([{ ApiKeyAuth: [] }]);
    expect(document.components!.securitySchemes).toMatchObject({
      ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    });
  });

  it('keeps to the fixed part of the interface', () => {
    const { SummarizeContentDto, SearchWebDto } = schemasOf(document);
    expect(SummarizeContentDto).toMatchObject({
      required: ['content_id'],
      properties: {
        source_type: { type: 'string', enum: ['youtube'], default: 'youtube' },
        content_id: { type: 'string' },
        output_language: { type: 'string', enum: ['en', 'pt', 'es', 'it', 'de', 'fr'], default: 'en' },
        method: { type: 'string', enum: ['auto', 'simple', 'recursive', 'multi_modal'], default: 'auto' },
        length: { type: 'string', enum: ['short', 'medium', 'long'] },
      },
    });
    expect(SearchWebDto).toMatchObject({
      required: ['query'],
      properties: {
        query: { type: 'string', default: 'Common organelles within a human eukaryote' },
        top_n: { type: 'integer', default: 5, minimum: 1 },
        llm_answer: { type: 'boolean', default: false },
      },
    });
  });

  it('describes every field', () => {
    const without = fields().filter(([, field]) => !field.description);
    expect(without.map(([name]) => name)).toEqual([]);
  });

  it('gives every field an example, its own or those of the fields in it', () => {
    const without = fields().filter(
      ([, field]) => field.example === undefined && !field.allOf && !field.$ref && !field.items?.$ref,
    );
    expect(without.map(([name]) => name)).toEqual([]);
  });

  it('gives examples and defaults that fit', () => {
    const ajv = new Ajv({ strict: false });
    const schemas = { components: { schemas: schemasOf(document) } };
    for (const [name, field] of fields()) {
      const fits = ajv.compile({ ...schemas, ...field });
      for (const value of [field.example, field.default]) {
        expect([name, value, value === undefined || fits(value)]).toEqual([name, value, true]);
      }
    }
  });

  it('bounds every number and every field of a request, which has a default unless it is required', () => {
    for (const [name, field, required] of fields()) {
      if (field.type === 'integer' || field.type === 'number') {
        expect([name, field.minimum]).toEqual([name, expect.any(Number)]);
      }
      if (!/^(SearchWebDto|SummarizeContentDto)\./.test(name)) continue;
      // The default of these is the host's own; a client that sent ours would overrule it.
      if (!required && !OF_THE_HOST.test(name))
        expect([name, field.default]).toEqual([name, expect.anything()]);
      if (field.type === 'string' && !field.enum) {
        expect([name, field.minLength, field.maxLength]).toEqual([
          name,
          expect.any(Number),
          expect.any(Number),
        ]);
      }
    }
  });

  it('gives every error status its schema, an example that fits, and the headers', () => {
    const ajv = new Ajv({ strict: false });
    for (const { path, operation } of operations()) {
      const statuses = Object.keys(operation.responses).filter((status) => status !== '200');
      expect(statuses).toEqual(
        expect.arrayContaining(['400', '401', '403', '413', '415', '429', '500', '501', '502', '503', '504']),
      );
      if (path.endsWith('summarize_content'))
        expect(statuses).toEqual(expect.arrayContaining(['404', '422']));
      for (const status of statuses) {
        const { schema, example } = responseBody(operation, status, 'application/json')!;
        expect(schema).toEqual({ $ref: '#/components/schemas/ErrorDto' });
        expect(example).toMatchObject({ statusCode: Number(status) });
        const fits = ajv.compile({ components: { schemas: schemasOf(document) }, ...schema });
        expect([status, fits(example), fits.errors]).toEqual([status, true, null]);
        const headers = responseHeaders(operation, status);
        expect(headers).toEqual(expect.arrayContaining(['X-Request-Id', 'X-Should-Retry']));
        if (status === '401') expect(headers).toContain('WWW-Authenticate');
        if (status === '429' || status === '503') expect(headers).toContain('Retry-After');
      }
    }
  });

  it('describes the stream of events', () => {
    for (const { operation } of operations()) {
      const { schema } = responseBody(operation, '200', 'text/event-stream')!;
      for (const event of ['progress', 'delta', 'result', 'error']) {
        expect(schema.description).toContain(`\`${event}\``);
      }
    }
  });
});
