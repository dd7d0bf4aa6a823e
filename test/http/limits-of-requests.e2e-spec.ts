import {
  VersioningType,
  type ValidationPipeOptions,
  ValidationPipe,
  Logger,
  type INestApplication,
} from '@nestjs/common';
import type request from 'supertest';
import { jest } from '@jest/globals';
import fastifyCompress from '@fastify/compress';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import compression from 'compression';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv, type ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { ApiKeyGuard, ToolsModule, type ApiKeyIdentity, type ToolsModuleOptions } from '../../lib/index.js';
import { InvalidApiKeyError, ToolsError, UpstreamUnavailableError } from '../../lib/core/errors.js';
import { OneContentSource, TwoPageProvider } from '../support/fixtures.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost, countArrivals, listen } from '../support/host.js';
import { SlowSource } from '../support/slow-source.js';
import { TokenSummarizer } from '../support/token-summarizer.js';
import { raceTimeout } from '../../lib/core/async.js';
import { sendRaw } from '../support/raw-http.js';
import { readOutputSchema } from '../../lib/data/output-schema.js';
import { createApp } from '../../sample-app/create-app.js';
import { openApiDocument } from '../../sample-app/openapi-document.js';
import { readSettings } from '../../sample-app/settings.js';
import { DEMO_TALKS } from '../../sample-app/content/talks/index.js';
import { responseBody, schemasOf, type Schema } from '../support/openapi.js';

const OPTIONS: ToolsModuleOptions = {
  apiKeys: ['k'],
  contentSources: [new OneContentSource()],
  search: { providers: [new TwoPageProvider()] },
};

describe.each(ADAPTERS)('a request on %s', (_name, adapter) => {
  afterEach(closeHosts);
  const start = (
    setUp?: Parameters<typeof startHost>[2],
    extras: object = {},
    options = OPTIONS,
  ): Promise<RunningHost> => startHost([ToolsModule.forRoot({ ...options, ...extras })], adapter(), setUp);
  const search = ({ http }: RunningHost, headers: Record<string, string>, body: object): request.Test =>
    http.post('/v1/tools/search_web').set(headers).send(body);

  it.each<[string, Record<string, string>, number]>([
    ['in X-API-Key', { 'X-API-Key': 'k' }, 200],
    ['as a bearer token', { Authorization: 'Bearer k' }, 200],
    ['as a bearer token, in any case', { Authorization: 'bearer  k' }, 200],
    ['in X-API-Key, which wins', { 'X-API-Key': 'k', Authorization: 'Bearer wrong' }, 200],
    [
      'in X-API-Key, which wins also where it is wrong',
      { 'X-API-Key': 'wrong', Authorization: 'Bearer k' },
      401,
    ],
    ['as a wrong bearer token', { Authorization: 'Bearer wrong' }, 401],
    ['by another scheme', { Authorization: 'Basic k' }, 401],
    ['as two tokens', { Authorization: 'Bearer k k' }, 401],
    ['nowhere', {}, 401],
  ])('with its key %s', async (_where, headers, status) => {
    const { body, headers: answered } = await search(await start(), headers, { query: 'coral' }).expect(
      status,
    );
    if (status === 401) {
      expect(['missing_api_key', 'invalid_api_key']).toContain(body.code);
      expect(answered['www-authenticate']).toBe(
        'ApiKey realm="tools", header="X-API-Key", Bearer realm="tools"',
      );
    }
  });

  it.each(['get', 'put', 'patch', 'delete'] as const)(
    'by %s is told which method to use, without a key, under a prefix and versions of the host',
    async (method) => {
      const host = await start((app) => {
        app.setGlobalPrefix('api');
        app.enableVersioning({ type: VersioningType.URI, defaultVersion: '7' });
      });
      for (const tool of ['search_web', 'summarize_content']) {
        const { body, headers } = await host.http[method](`/api/v1/tools/${tool}`).expect(405);
        expect(headers['allow']).toBe('POST');
        expect(body).toMatchObject({
          statusCode: 405,
          error: 'Method Not Allowed',
          code: 'method_not_allowed',
          message: 'This address only accepts POST. Send the request as POST with a JSON body.',
          request_id: headers['x-request-id'],
        });
        expect(headers['x-should-retry']).toBe('false');
      }
      await host.http.get('/api/v1/tools/other').expect(404);
    },
  );

  it.each<ValidationPipeOptions>([
    { whitelist: true, forbidNonWhitelisted: true, transform: true },
    { validateCustomDecorators: true, whitelist: true, transform: true },
    { transform: true, transformOptions: { enableImplicitConversion: true } },
  ])('is validated in our words and not converted by the global pipe of the host, %j', async (pipe) => {
    const host = await start((app) => app.useGlobalPipes(new ValidationPipe(pipe)));
    const key = { 'X-API-Key': 'k' };
    await search(host, key, { query: 'coral' }).expect(200);
    const { body } = await search(host, key, { query: 7, top_n: '5', llm_answer: 'false', topn: 1 }).expect(
      400,
    );
    expect(body.message).toEqual([
      'topn is not a field of this request; did you mean top_n?',
      'query must be a string, received the number 7',
      'top_n must be an integer of at least 1, received the string "5"',
      'llm_answer must be true or false, received the string "false"',
    ]);
  });

  it('is refused in few words, however long the names in it are', async () => {
    const host = await start(undefined, {}, { ...OPTIONS, askVideo: true });
    const long = 'x'.repeat(20_000);
    const { body } = await host.http
      .post('/v1/tools/ask_video')
      .set('X-API-Key', 'k')
      .send({
        content_id: 'dQw4w9WgXcQ',
        question: { [long]: 1 },
        context: [{ question: 'Who?', answer: 'He.', [long]: 1 }],
        [long]: 1,
      })
      .expect(400);
    expect((body as { message: string[] }).message).toHaveLength(3);
    expect(JSON.stringify(body).length).toBeLessThan(2000);
  });

  it('is told to leave out a field that is null, unless it must be there', async () => {
    const { body } = await search(await start(), { 'X-API-Key': 'k' }, { query: null, top_n: null }).expect(
      400,
    );
    expect(body.message).toEqual([
      'query must be a string, received null',
      'top_n must be an integer of at least 1, received null; leave the field out instead of sending null',
    ]);
  });

  it('is held to the ceiling of the host', async () => {
    const host = await start(
      undefined,
      {},
      { ...OPTIONS, search: { ...OPTIONS.search, maxTopN: 30 } as object },
    );
    const key = { 'X-API-Key': 'k' };
    await search(host, key, { query: 'coral', top_n: 30 }).expect(200);
    const { body } = await search(host, key, { query: 'coral', top_n: 31 }).expect(400);
    expect(body.message).toEqual(['top_n must not be greater than 30']);
  });

  it('is 415 before its body is looked at', async () => {
    const { http } = await start();
    const sent = http
      .post('/v1/tools/search_web')
      .set('X-API-Key', 'k')
      .set('Content-Type', 'text/plain')
      .send('x');
    expect((await sent.expect(415)).body.code).toBe('unsupported_media_type');
  });

  it('is identified and refused as a guard of the host says', async () => {
    class SessionGuard extends ApiKeyGuard {
      protected override identify(request_: {
        headers: Record<string, string | string[] | undefined>;
      }): Promise<ApiKeyIdentity | undefined> {
        const session = request_.headers['x-session'];
        return Promise.resolve(
          session === 'down'
            ? Promise.reject(new UpstreamUnavailableError('No sessions.'))
            : session === 'of-ada'
              ? { id: 'ada', name: 'Ada', tools: ['search_web'] }
              : undefined,
        );
      }

      protected override onRefused(error: unknown): unknown {
        return error instanceof InvalidApiKeyError
          ? new ToolsError('invalid_api_key', 'Log in first.')
          : error;
      }
    }
    const events: { key?: { name: string }; statusCode: number }[] = [];
    const host = await start(undefined, {
      guards: [SessionGuard],
      hooks: { onUsage: (event: { key?: { name: string }; statusCode: number }) => void events.push(event) },
    });
    await search(host, { 'X-Session': 'of-ada' }, { query: 'coral' }).expect(200);
    expect((await search(host, {}, { query: 'coral' }).expect(401)).body.message).toBe('Log in first.');
    expect((await search(host, { 'X-Session': 'down' }, { query: 'coral' }).expect(503)).body.message).toBe(
      'No sessions.',
    );
    const refused = host.http.post('/v1/tools/summarize_content').set('X-Session', 'of-ada').send({});
    expect((await refused.expect(403)).body.code).toBe('forbidden_tool');
    expect(events.map(({ statusCode, key }) => [statusCode, key?.name])).toEqual([
      [200, 'Ada'],
      [401, undefined],
      [503, undefined],
      [403, 'Ada'],
    ]);
  });
});

describe('an error of the tools', () => {
  it('is recognized also when it comes from another copy of the package', () => {
    const foreign = Object.assign(new Error('x'), { [Symbol.for('nestjs-tools:error')]: true });
    expect(ToolsError.isInstance(new InvalidApiKeyError())).toBe(true);
    expect(ToolsError.isInstance(foreign)).toBe(true);
    for (const other of [new Error('x'), {}, null, 'x', undefined])
      expect(ToolsError.isInstance(other)).toBe(false);
  });
});

describe.each(ADAPTERS)('limits on %s', (_name, adapter) => {
  let host: RunningHost;
  afterEach(async () => {
    jest.restoreAllMocks();
    await closeHosts();
  });

  const start = async (options: ToolsModuleOptions): Promise<void> => {
    host = await startHost([ToolsModule.forRoot({ apiKeys: ['one', 'two'], ...options })], adapter());
  };
  const ask = (tool: string, body: object, key = 'one'): request.Test =>
    host.http.post(`/v1/tools/${tool}`).set('X-API-Key', key).send(body);
  const summarize = (id: string, key?: string): request.Test =>
    ask('summarize_content', { content_id: id }, key);

  it('say what is left of each, and refuse with the time of the one that takes longest', async () => {
    await start({
      limits: { requestsPerMinute: 10, tools: { search_web: 1 } },
      search: { providers: [new TwoPageProvider()] },
    });
    const first = await ask('search_web', { query: 'coral' }).expect(200);
    expect(first.headers['ratelimit-policy']).toBe('"requests";q=10;w=60, "search_web";q=1;w=60');
    expect(first.headers.ratelimit).toMatch(/^"requests";r=9;t=\d+, "search_web";r=0;t=\d+$/);
    const second = await ask('search_web', { query: 'coral' }).expect(429);
    expect(Number(second.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(second.body.code).toBe('rate_limited');
    await ask('search_web', { query: 'coral' }, 'two').expect(200);
  });

  it('of a key take the place of those of everybody', async () => {
    await start({
      apiKeys: ['one', { key: 'two', limits: { requestsPerMinute: 5 } }],
      limits: { requestsPerMinute: 1 },
      search: { providers: [new TwoPageProvider()] },
    });
    for (let i = 0; i < 3; i++) await ask('search_web', { query: 'coral' }, 'two').expect(200);
    await ask('search_web', { query: 'coral' }).expect(200);
    await ask('search_web', { query: 'coral' }).expect(429);
  });

  it('on tokens refuse until midnight, and charge shared and cached answers once', async () => {
    const source = new SlowSource();
    await start({
      contentSources: [source],
      summarizer: new TokenSummarizer(),
      limits: { dailyTokens: 1500 },
    });
    const arrived = countArrivals(host);
    const both = [summarize('a').then((r) => r), summarize('a').then((r) => r)];
    await source.begun(1);
    await arrived(2);
    source.loads[0]!.finish();
    const usages = (await Promise.all(both)).map(({ body }) => body.data.usage.input_tokens as number);
    expect(usages.sort()).toEqual([0, 900]);
    expect((await summarize('a').expect(200)).body.data).toMatchObject({
      cached: true,
      usage: { input_tokens: 0 },
    });
    const third = summarize('b').then((r) => r);
    await source.begun(2);
    source.loads[1]!.finish();
    expect((await third).status).toBe(200);
    const refused = await summarize('c').expect(429);
    expect(refused.body).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('daily budget'),
    });
    expect(refused.headers['x-should-retry']).toBe('false');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    const other = summarize('c', 'two').then((r) => r);
    await source.begun(3);
    source.loads[2]!.finish();
    expect((await other).status).toBe(200);
  });

  it('on work at once answer 503 beyond the queue, but not for shared or cached work', async () => {
    const source = new SlowSource();
    await start({
      contentSources: [source],
      limits: { concurrency: { total: 1, queue: 1, queueTimeoutMs: 5000 } },
    });
    const arrived = countArrivals(host);
    const [first, same] = [summarize('a').then((r) => r), summarize('a').then((r) => r)];
    await source.begun(1);
    const queued = summarize('b', 'two').then((r) => r);
    let isAnswered = false;
    void queued.then(() => (isAnswered = true));
    await arrived(3);
    expect(isAnswered).toBe(false);
    const refused = await summarize('c', 'two').expect(503);
    expect(refused.body.code).toBe('upstream_unavailable');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(refused.headers['x-should-retry']).toBe('true');
    // Nothing has been streamed: a client that retries by the status must see one.
    const stream = await summarize('c', 'two').set('Accept', 'text/event-stream').expect(503);
    expect(stream.body.code).toBe('upstream_unavailable');
    expect(Number(stream.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    source.loads[0]!.finish();
    expect([(await first).status, (await same).status]).toEqual([200, 200]);
    await source.begun(2);
    expect((await summarize('a').expect(200)).body.data.cached).toBe(true);
    source.loads[1]!.finish();
    expect((await queued).status).toBe(200);
  });

  it('on wrong keys keep a flood off the store of keys', async () => {
    const verify = jest.fn((key: string) => (key === 'good' ? { id: '1', name: 'good' } : undefined));
    await start({
      apiKeys: { verify },
      limits: { failedKeysPerMinute: 3 },
      search: { providers: [new TwoPageProvider()] },
    });
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++)
      statuses.push((await ask('search_web', { query: 'coral' }, `bad-${i}`)).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
    expect(verify).toHaveBeenCalledTimes(3);
  });

  it('let nobody in when the store of keys fails', async () => {
    const provider = new TwoPageProvider();
    await start({
      apiKeys: { verify: () => Promise.reject(new Error('db at 10.0.0.5 is down')) },
      search: { providers: [provider] },
    });
    const { body, headers } = await ask('search_web', { query: 'coral' }).expect(503);
    expect(body.code).toBe('upstream_unavailable');
    expect(JSON.stringify(body)).not.toContain('10.0.0.5');
    expect(headers['retry-after']).toBeDefined();
    expect(provider.searches).toBe(0);
  });

  it.each([
    ['', { id: '' }],
    [
      'limits.requestsPerMinute must be an integer from 1 to 1000000, received the number 0',
      { limits: { requestsPerMinute: 0 } },
    ],
    ['limits.tools.search_web must be', { limits: { tools: { search_web: Number.NaN } } }],
    ['limits.concurrency must be', { limits: { concurrency: 0 } }],
    ['tools must be an array', { tools: 'not_search_web' }],
    ['tools must be an array', { tools: new Set(['search_web']) }],
    ['tools[0] must be', { tools: ['search'] }],
  ])('let nobody in whose identity cannot be read, and log why: %s', async (fault, wrong) => {
    const provider = new TwoPageProvider();
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    await start({
      apiKeys: { verify: () => ({ id: '1', name: 'one', ...wrong }) as ApiKeyIdentity },
      search: { providers: [provider] },
    });
    const { body } = await ask('search_web', { query: 'coral' }).expect(503);
    expect(body.code).toBe('upstream_unavailable');
    expect(String(log.mock.calls[0]![0])).toContain(fault);
    expect(provider.searches).toBe(0);
  });

  it('take an absent limit of a row of a database for the limit of everybody', async () => {
    const limits = { requestsPerMinute: null, tools: { search_web: null }, dailyTokens: null };
    await start({
      apiKeys: { verify: () => ({ id: '1', name: 'one', tools: null, limits }) as unknown as ApiKeyIdentity },
      limits: { tools: { search_web: 1 } },
      search: { providers: [new TwoPageProvider()] },
    });
    await ask('search_web', { query: 'coral' }).expect(200);
    await ask('search_web', { query: 'coral' }).expect(429);
  });

  it('see a revoked key at the next request', async () => {
    let valid = true;
    await start({
      apiKeys: { verify: () => (valid ? { id: '1', name: 'one' } : undefined) },
      contentSources: [new OneContentSource()],
    });
    await summarize('coral').expect(200);
    valid = false;
    await summarize('coral').expect(401);
  });
});

function compress(app: INestApplication): void {
  if (app.getHttpAdapter().getType() === 'express') app.use(compression({ threshold: 0 }));
  else void (app as NestFastifyApplication).register(fastifyCompress, { threshold: 0 });
}

describe.each(ADAPTERS)('a host on %s that compresses', (_name, adapter) => {
  let host: RunningHost;
  let source: SlowSource;
  afterEach(closeHosts);
  beforeEach(async () => {
    source = new SlowSource();
    const options = { apiKeys: ['k'], contentSources: [source] };
    host = await startHost([ToolsModule.forRoot(options)], adapter(), compress);
  });
  const headers = { 'X-API-Key': 'k', 'Content-Type': 'application/json', 'Accept-Encoding': 'br' };
  const body = JSON.stringify({ content_id: 'coral' });

  it('sends events as they happen', async () => {
    const response = await raceTimeout(
      fetch(`${host.url}/v1/tools/summarize_content`, {
        method: 'POST',
        headers: { ...headers, Accept: 'text/event-stream' },
        body,
      }),
      10_000,
    );
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    const reader = response.body!.getReader();
    const { value } = await raceTimeout(reader.read(), 10_000);
    expect(Buffer.from(value!).toString()).toContain('event: progress');
    source.loads[0]!.finish();
    let rest = '';
    for (let part = await reader.read(); !part.done; part = await reader.read())
      rest += Buffer.from(part.value).toString();
    expect(rest).toContain('event: result');
  });

  it('compresses a plain answer', async () => {
    const answer = sendRaw(host.url, {
      path: '/v1/tools/summarize_content',
      headers: Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      body,
    });
    await source.begun(1);
    source.loads[0]!.finish();
    const { headers: answered } = await answer;
    expect(answered['content-encoding']).toBe('br');
  });
});

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
