import { readOutputSchema } from '../../lib/data/output-schema.js';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv, type ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { createApp } from '../../sample-app/create-app.js';
import { openApiDocument } from '../../sample-app/openapi-document.js';
import { readSettings } from '../../sample-app/settings.js';
import { DEMO_TALKS } from '../../sample-app/content/talks/index.js';
import { closeHosts, listen } from '../support/host.js';
import { responseBody, schemasOf, type Schema } from '../support/openapi.js';

const KEY = 'demo-key';
const RUNS = Number(process.env.PROPERTY_RUNS ?? 100);
const TOOLS = ['summarize_content', 'search_web'] as const;
type Tool = (typeof TOOLS)[number];

interface FuzzRequest {
  body: string;
  headers: Record<string, string>;
}

/** What the generators know beyond the schema: values with which the app has something to do. */
const MEANINGFUL: Record<string, string[]> = {
  content_id: [
    ...Object.keys(DEMO_TALKS),
    'https://youtu.be/sampleTalk1',
    'https://www.youtube.com/watch?v=sampleTalk2&t=9s',
    'dQw4w9WgXcQ',
    'https://example.org/watch?v=sampleTalk1',
  ],
  query: [
    'Common organelles within a human eukaryote',
    'Who built the pyramids?',
    'água e fotossíntese',
    '"quoted" AND (unbalanced',
    '$where: 1; DROP TABLE',
    '北京 天气',
  ],
};

/** A value that fits the schema of a field. */
function fitting(name: string, schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') return fc.integer({ min: schema.minimum, max: 20 });
  if (schema.type === 'array')
    return fc.array(fc.constantFrom('example.com', 'docs.example.org'), { maxLength: 3 });
  const text = fc.string({ unit: 'grapheme', minLength: schema.minLength ?? 0, maxLength: 80 });
  const known = MEANINGFUL[name];
  return known ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, text) : text;
}

/** Something else: other types, other ranges, conversions that must not be made. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    null,
    '',
    ' ',
    '5',
    'true',
    0,
    -1,
    21,
    1.5,
    1e308,
    'x'.repeat(3000),
    [],
    {},
    '\u0000',
    '\ud800',
  ),
);

function bodyOf(schema: Schema): fc.Arbitrary<string> {
  const properties = Object.entries(schema.properties!);
  const required = schema.required as never[];
  const good = fc.record(Object.fromEntries(properties.map(([n, s]) => [n, fitting(n, s)])), {
    requiredKeys: required,
  });
  const mixed = fc.record(Object.fromEntries(properties.map(([n, s]) => [n, fc.oneof(fitting(n, s), odd)])), {
    requiredKeys: [],
  });
  const strange = fc.tuple(good, fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 }));
  return fc.oneof(
    { weight: 5, arbitrary: good.map((body) => JSON.stringify(body)) },
    { weight: 4, arbitrary: mixed.map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: strange.map(([body, more]) => JSON.stringify({ ...more, ...body })) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
  );
}

const headers: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    'X-API-Key': fc.oneof(
      { weight: 12, arbitrary: fc.constant(KEY) },
      { weight: 1, arbitrary: fc.constantFrom('another', '', `${KEY}x`) },
    ),
    'Content-Type': fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom('application/json', 'application/json; charset=utf-8') },
      {
        weight: 1,
        arbitrary: fc.constantFrom('text/plain', 'application/xml', 'application/json; charset=klingon'),
      },
    ),
    Accept: fc.constantFrom('application/json', '*/*', 'text/event-stream', 'application/xml'),
    'X-Request-Id': fc.constantFrom('abc', 'x'.repeat(200), 'a b'),
  },
  { requiredKeys: ['X-API-Key', 'Content-Type'] },
);

/** A field that the document does not name is a field that clients do not know of. */
function closed(document: OpenAPIObject): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(schemasOf(document)).map(([name, schema]) => [
      name,
      { ...schema, additionalProperties: false },
    ]),
  );
}

describe('the contract, against requests that nobody would think of', () => {
  let url: string;
  let document: OpenAPIObject;
  const validators = new Map<string, ValidateFunction>();

  beforeAll(async () => {
    const app = await createApp(await readSettings({ YOUTUBE: 'off' }), { logger: false });
    ({ url } = await listen(app));
    document = JSON.parse(JSON.stringify(openApiDocument(app))) as OpenAPIObject;
    const ajv = new Ajv({ strict: false, allErrors: true });
    const schemas = closed(document);
    for (const name of Object.keys(schemas)) {
      validators.set(
        `#/components/schemas/${name}`,
        ajv.compile({ components: { schemas }, $ref: `#/components/schemas/${name}` }),
      );
    }
  });
  afterAll(closeHosts);

  const operationOf = (tool: Tool) => document.paths[`/v1/tools/${tool}`]!.post!;
  const requestSchema = (tool: Tool): string =>
    (operationOf(tool).requestBody as { content: Record<string, { schema: Schema }> }).content[
      'application/json'
    ]!.schema.$ref!;

  function expectFit(ref: string, body: unknown): void {
    const validate = validators.get(ref)!;
    expect([validate(body), validate.errors]).toEqual([true, null]);
  }

  /** The last event of a stream. */
  function lastEvent(text: string): { event: string; data: unknown } {
    const [event, data] = text.trim().split('\n\n').at(-1)!.split('\n');
    return { event: event!.slice('event: '.length), data: JSON.parse(data!.slice('data: '.length)) };
  }

  /** Whether a body is one that the document allows; the query counts as trimmed and must show something, as its description says. */
  function allows(tool: Tool, text: string): boolean {
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return false;
    }
    if (typeof body === 'object' && body !== null && 'query' in body && typeof body.query === 'string') {
      const visible = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u.test(body.query);
      body = { ...body, query: visible ? body.query.trim() : '' };
    }
    // OpenAPI does not say which JSON Schemas are taken.
    const given = (body as { output_schema?: unknown } | null)?.output_schema;
    if (given !== undefined && typeof readOutputSchema(given) === 'string') return false;
    return validators.get(requestSchema(tool))!(body);
  }

  async function check(tool: Tool, request: FuzzRequest): Promise<number> {
    const response = await fetch(`${url}/v1/tools/${tool}`, { method: 'POST', ...request });
    const { status } = response;
    const documented = operationOf(tool).responses;
    expect(Object.keys(documented)).toContain(String(status));
    if (status >= 500) expect(status).toBe(501);
    const mediaType = response.headers.get('content-type')!.split(';', 1)[0]!;
    const described = responseBody(operationOf(tool), String(status), mediaType);
    expect([status, mediaType, described]).toEqual([status, mediaType, expect.anything()]);

    const text = await response.text();
    const id = response.headers.get('x-request-id');
    if (mediaType === 'text/event-stream') {
      const { event, data } = lastEvent(text);
      expect(['result', 'error']).toContain(event);
      const ok = responseBody(operationOf(tool), '200', 'application/json')!.schema.$ref!;
      expectFit(event === 'result' ? ok : '#/components/schemas/ErrorDto', data);
      expect(data).toMatchObject({ request_id: id });
      return status;
    }
    const body = JSON.parse(text) as { request_id: string; code?: string };
    expectFit(described!.schema.$ref!, body);
    expect(body.request_id).toBe(id);
    if (status >= 400) expect(response.headers.get('x-should-retry')).toMatch(/^(true|false)$/);
    if (status === 200) expect(allows(tool, request.body)).toBe(true);
    if (body.code === 'invalid_request') expect(allows(tool, request.body)).toBe(false);
    return status;
  }

  it.each(TOOLS)(
    'holds for %s',
    async (tool) => {
      const seen = new Set<number>();
      const request = fc.record({
        body: bodyOf(schemasOf(document)[requestSchema(tool).split('/').at(-1)!]!),
        headers,
      });
      await fc.assert(
        fc.asyncProperty(request, async (one) => {
          seen.add(await check(tool, one));
        }),
        { numRuns: RUNS },
      );
      // The requests reach into the app, and do not all stop at its door.
      expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 415]));
    },
    600_000,
  );
});
