import { Validator } from '@seriousme/openapi-schema-validator';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { EventEmitter } from 'node:events';
import { jest } from '@jest/globals';
import { Test } from '@nestjs/testing';
import type { ModuleRef } from '@nestjs/core';
import { ToolsModule, type ToolsModuleSyncOptions } from '../../lib/index.js';
import { bullMqJobs, ToolsWorkerModule, type BullMqJobsOptions } from '../../lib/queue/index.js';
import { OneContentSource } from '../support/fixtures.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import {
  InvalidOptionError,
  ClientClosedError,
  UpstreamUnavailableError,
  type InvalidRequestError,
} from '../../lib/core/errors.js';
import { jobAddress, prefersAsync } from '../../lib/http/job-intake.js';
import { JobWorker, ToolJobRunner } from '../../lib/queue/job-worker.js';
import { resolveLimits } from '../../lib/auth/auth.options.js';
import { RequestLimits } from '../../lib/auth/request-limits.js';
import type { CallOptions } from '../../lib/core/context.js';
import type { RequestEvent } from '../../lib/core/request-event.js';
import { NO_TELEMETRY } from '../../lib/core/telemetry.js';
import type { ModelUsage } from '../../lib/core/usage.js';
import type { ToolJob } from '../../lib/queue/job-record.js';
import { CallReporter } from '../../lib/tools/request-log.js';
import { ToolCalls } from '../../lib/tools/tool-calls.js';
import { Webhooks } from '../../lib/queue/webhooks.js';

const options = { apiKeys: ['k'], contentSources: [new OneContentSource()] };
const unreachable = (): ReturnType<typeof bullMqJobs> =>
  bullMqJobs({ connection: { url: 'redis://127.0.0.1:9' }, workers: false });

describe.each(ADAPTERS)('a request that would rather not wait, on %s', (_name, adapter) => {
  let host: RunningHost;
  afterEach(closeHosts);

  const ask = (prefer: string) =>
    host.http
      .post('/v1/tools/summarize_content')
      .set('X-API-Key', 'k')
      .set('Prefer', prefer)
      .send({ content_id: 'coral' });

  it('is answered when it is done where the host has no jobs', async () => {
    host = await startHost([ToolsModule.forRoot(options)], adapter());
    const { body, headers } = await ask('respond-async').expect(200);
    expect(body.data.summary).not.toBe('');
    expect(headers['preference-applied']).toBeUndefined();
    await host.http.get('/v1/tools/jobs/0123').set('X-API-Key', 'k').expect(404);
  });

  it('is told that the queue cannot be reached, while plain requests are answered', async () => {
    host = await startHost([ToolsModule.forRoot({ ...options, jobs: unreachable() })], adapter());
    const { body, headers } = await ask('wait=5, respond-async').expect(503);
    expect(body).toMatchObject({ code: 'upstream_unavailable' });
    expect(headers['x-should-retry']).toBe('true');
    await ask('return=minimal').expect(200);
  });

  it('needs a key to look at jobs', async () => {
    host = await startHost([ToolsModule.forRoot({ ...options, jobs: unreachable() })], adapter());
    await host.http.get('/v1/tools/jobs/0123').expect(401);
    await host.http.delete('/v1/tools/jobs/0123').expect(401);
    const { body } = await host.http.get('/v1/tools/jobs/0123').set('X-API-Key', 'k').expect(404);
    expect(body.code).toBe('job_not_found');
  });

  it('is refused at start where two registrations have jobs at one path', async () => {
    const twice = (['search_web', 'summarize_content'] as const).map((tool) =>
      ToolsModule.forRoot({ ...options, controllers: [tool], jobs: unreachable() }),
    );
    // Fastify refuses the second route before anybody else can.
    await expect(startHost(twice, adapter())).rejects.toThrow(
      /option `path` must be another one than that of another registration: both have \/v1\/tools\/jobs|already declared for route '\/v1\/tools\/jobs/,
    );
  });
});

describe('the OpenAPI document of a host with jobs', () => {
  afterAll(closeHosts);

  it('has the preference, the answer to it, and the endpoints of jobs', async () => {
    const [, express] = ADAPTERS[0]!;
    const { app } = await startHost([ToolsModule.forRoot({ ...options, jobs: unreachable() })], express());
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().addServer('/').build());
    expect(await new Validator().validate(JSON.stringify(document, null, 2))).toEqual({ valid: true });
    expect(Object.keys(document.paths)).toContain('/v1/tools/jobs/{id}');
    const { get, delete: remove } = document.paths['/v1/tools/jobs/{id}']!;
    expect([get!.operationId, remove!.operationId]).toEqual(['getJob', 'cancelJob']);
    for (const tool of ['summarize_content', 'search_web']) {
      const { parameters, responses } = document.paths[`/v1/tools/${tool}`]!.post!;
      expect(parameters!.map((parameter) => 'name' in parameter && parameter.name)).toContain('Prefer');
      expect(responses['202']).toMatchObject({ headers: { Location: {}, 'Preference-Applied': {} } });
    }
    expect(document.components!.schemas).toHaveProperty('JobDto');
  });
});

const batchOptions: ToolsModuleSyncOptions = {
  apiKeys: ['k', { key: 'only-search', name: 'search', tools: ['search_web'] }],
  contentSources: [new OneContentSource()],
  search: { providers: [] },
};
const CONNECTION = { url: 'redis://127.0.0.1:9' };
const jobs = bullMqJobs({ connection: CONNECTION, workers: false });
const BATCH = { tool: 'summarize_content', inputs: [{ content_id: 'coral' }] };

describe.each(ADAPTERS)('a batch on %s', (_name, adapter) => {
  afterEach(closeHosts);

  const start = (more: ToolsModuleSyncOptions = { jobs }): Promise<RunningHost> =>
    startHost([ToolsModule.forRoot({ ...batchOptions, ...more })], adapter());
  const post = ({ http }: RunningHost, body: object, key = 'k') =>
    http.post('/v1/tools/batches').set('X-API-Key', key).send(body);

  it('needs jobs, a key, and a key that may use the tool', async () => {
    await post(await start({}), BATCH).expect(404);
    const host = await start();
    await post(host, BATCH, 'wrong').expect(401);
    await host.http.get('/v1/tools/batches/0123').expect(401);
    await host.http.delete('/v1/tools/batches/0123').expect(401);
    expect((await post(host, BATCH, 'only-search').expect(403)).body).toMatchObject({
      code: 'forbidden_tool',
    });
    const list = { tool: 'search_web', list: { channel: '@talks' } };
    expect((await post(host, list, 'only-search').expect(403)).body).toMatchObject({
      message: 'This API key may not use list_videos.',
    });
    await host.http.post('/v1/tools/batches').set('X-API-Key', 'k').type('text').send('{}').expect(415);
  });

  it('is not found by an id that is none, and says that the queue is down', async () => {
    const host = await start();
    for (const id of ['0123', '..%2fjobs', 'a:b'])
      expect(
        (await host.http.get(`/v1/tools/batches/${id}`).set('X-API-Key', 'k').expect(404)).body,
      ).toMatchObject({
        code: expect.stringMatching(/not_found/) as unknown,
      });
    const { body, headers } = await post(host, BATCH).expect(503);
    expect(body).toMatchObject({ code: 'upstream_unavailable' });
    expect(headers['x-should-retry']).toBe('true');
  });

  it('refuses what is no batch before it asks the queue', async () => {
    const { http } = await start();
    const long = 'x'.repeat(60_000);
    const bodies = [
      ...[
        'null',
        '[]',
        '"inputs"',
        '{',
        `{"inputs":${'['.repeat(40_000)}`,
        `{"tool":"${long}","inputs":[{}]}`,
      ],
      ...[{ inputs: {} }, { inputs: '[]' }, { inputs: { length: 5 } }, { list: [] }, { list: null }].map(
        (body) => JSON.stringify({ tool: 'summarize_content', ...body }),
      ),
      ...['__proto__', 'constructor', 'Inputs', long].map(
        (name) => `{"tool":"summarize_content","inputs":[{}],"${name}":{"a":1}}`,
      ),
      ...['toString', '__proto__', 'batches', 'mcp'].map((tool) => JSON.stringify({ tool, inputs: [{}] })),
    ];
    for (const body of bodies) {
      const answer = await http
        .post('/v1/tools/batches')
        .set('X-API-Key', 'k')
        .type('application/json')
        .send(body);
      expect([body.slice(0, 60), answer.status]).toEqual([body.slice(0, 60), 400]);
    }
  });

  it('takes no webhook where the host has none, and lists none where list_videos is off', async () => {
    const host = await start();
    const webhook = { url: 'https://hooks.example.com/' };
    expect((await post(host, { ...BATCH, webhook }).expect(400)).body).toMatchObject({
      details: [
        { field: 'webhook', message: 'webhook is not possible: this server has no option `webhooks`' },
      ],
    });
    const single = host.http
      .post('/v1/tools/summarize_content')
      .set('X-API-Key', 'k')
      .set('Prefer', 'respond-async');
    expect((await single.send({ content_id: 'coral', webhook }).expect(400)).body).toMatchObject({
      details: [{ field: 'webhook' }],
    });
    await post(host, { tool: 'summarize_content', list: { channel: '@talks' } }).expect(501);
  });
});

describe('the option webhooks', () => {
  const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
  const given = (webhooks: object) => () =>
    bullMqJobs({
      connection: CONNECTION,
      webhooks: { domains: ['a.example'], secrets: { a: SECRET }, ...webhooks } as never,
    });

  it('takes one secret, or several by name', () => {
    expect(given({})).not.toThrow();
    expect(given({ secrets: { a: [SECRET, SECRET], b: SECRET } })).not.toThrow();
  });

  it.each([
    [{ domains: [] }, /jobs\.webhooks\.domains/],
    [{ secrets: {} }, /jobs\.webhooks\.secrets.*at least one secret/],
    [{ secrets: { a: 'my-secret-of-many-letters' } }, /jobs\.webhooks\.secrets\.a/],
    [{ secrets: { a: `whsec_${Buffer.alloc(23).toString('base64')}` } }, /24 to 64 bytes/],
    [{ secrets: { a: [] } }, /jobs\.webhooks\.secrets\.a/],
    [{ domain: ['x'] }, /jobs\.webhooks/],
  ])('refuses %j, and shows no secret', (webhooks, message) => {
    expect(given(webhooks)).toThrow(InvalidOptionError);
    expect(given(webhooks)).toThrow(message);
    expect(given(webhooks)).not.toThrow(/my-secret|AAAA/);
  });
});

describe('Prefer', () => {
  it.each([
    ['respond-async', true],
    ['Respond-Async', true],
    ['wait=10, respond-async', true],
    ['respond-async; foo=bar', true],
    ['handling=lenient', false],
    ['not-respond-async', false],
    ['respond-asynchronously', false],
    [undefined, false],
  ])('%s: %s', (prefer, expected) => {
    expect(prefersAsync({ headers: { prefer }, url: '/' })).toBe(expected);
  });
});

describe('the address of a job', () => {
  it.each([
    ['/v1/tools/summarize_content', '/v1/tools/jobs/1'],
    ['/api/v1/tools/search_web?key=secret', '/api/v1/tools/jobs/1'],
    ['/own/search_web/', '/own/jobs/1'],
  ])('next to %s is %s', (url, expected) => {
    expect(jobAddress({ headers: {}, url }, '1')).toBe(expected);
    expect(jobAddress({ headers: {}, url: '/x', originalUrl: url }, '1')).toBe(expected);
  });
});

/** BullMQ's worker, but for its work. */
class FakeWorker extends EventEmitter {
  static readonly made: FakeWorker[] = [];
  readonly close = jest.fn(() => Promise.resolve());

  constructor() {
    super();
    FakeWorker.made.push(this);
  }
}

/** A worker whose Redis is `connection`. */
function workerOn(connection: EventEmitter, workers: object | false) {
  const connect = jest.fn((_settings: object) => connection);
  const redis = { connect, peers: { bullmq: { Worker: FakeWorker } } };
  const parts = [redis, {}, {}, { workers, prefix: 'p' }, { shutdown: { graceMs: 100 } }];
  const worker = new JobWorker(...(parts as unknown as ConstructorParameters<typeof JobWorker>));
  return { connect, worker };
}

const CONCURRENCY = { concurrency: 2 };

describe('a host with workers', () => {
  let connection: EventEmitter;

  beforeEach(() => {
    connection = new EventEmitter();
    FakeWorker.made.length = 0;
  });

  it('works from when Redis is there, once however often that comes back', async () => {
    const { worker, connect } = workerOn(connection, CONCURRENCY);
    worker.onApplicationBootstrap();
    // A connection that is made when it is first used would never be: nothing else uses this one.
    expect(connect).toHaveBeenCalledWith({ maxRetriesPerRequest: null, lazyConnect: false });
    expect(FakeWorker.made).toHaveLength(0);
    connection.emit('ready');
    connection.emit('ready');
    expect(FakeWorker.made).toHaveLength(1);
    await worker.beforeApplicationShutdown();
    expect(FakeWorker.made[0]!.close).toHaveBeenCalledTimes(1);
  });

  it('begins no work when Redis comes back while the host is being stopped', async () => {
    const { worker } = workerOn(connection, CONCURRENCY);
    worker.onApplicationBootstrap();
    await worker.beforeApplicationShutdown();
    connection.emit('ready');
    expect(FakeWorker.made).toHaveLength(0);
  });

  it('does not connect if it has no workers', () => {
    const { worker, connect } = workerOn(connection, false);
    worker.onApplicationBootstrap();
    expect(connect).not.toHaveBeenCalled();
  });
});

const connection = { url: 'redis://127.0.0.1:6379' };

describe('the options of jobs', () => {
  it.each<[string, object, string]>([
    ['no connection', {}, '`jobs.connection` must be an object'],
    ['an address alone', { connection: 'redis://a:secret@b' }, '`jobs.connection` must be an object'],
    ['another scheme', { connection: { url: 'http://a' } }, '`jobs.connection.url` must be an address'],
    ['a misspelt option', { connection, worker: {} }, 'unknown option `jobs.worker`'],
    ['a prefix with a colon', { connection, prefix: 'a:b' }, '`jobs.prefix` must be 1 to 64'],
    ['no worker at all', { connection, workers: { concurrency: 0 } }, 'an integer from 1 to 256'],
    ['results for no time', { connection, resultTtlMs: 0 }, '`jobs.resultTtlMs` must be an integer'],
    ['no time for a job', { connection, deadlineMs: 10 }, '`jobs.deadlineMs` must be an integer'],
  ])('are refused: %s', (_name, options, message) => {
    expect(() => bullMqJobs(options as BullMqJobsOptions)).toThrow(message);
  });

  it('keep a password out of the message', () => {
    const wrong = { connection: { url: 'rdis://user:secret@host' } };
    expect(() => bullMqJobs(wrong)).toThrow(/^(?!.*secret).*jobs\.connection\.url/);
  });

  it('of the module are refused when they were not made by anything that has jobs', () => {
    expect(() => ToolsModule.forRoot({ jobs: { connection } as never })).toThrow(
      '`jobs` must be a JobsExtension',
    );
  });

  it('are needed by a worker', () => {
    expect(() => ToolsWorkerModule.forRoot({})).toThrow('option `jobs` must be bullMqJobs({ … })');
  });
});

describe('a worker', () => {
  it('has no endpoints, and starts while Redis is down', async () => {
    const jobs = bullMqJobs({ connection: { url: 'redis://127.0.0.1:9' }, workers: false });
    const definition = ToolsWorkerModule.forRoot({ apiKeys: ['k'], search: false, jobs });
    const [tools] = definition.imports as { controllers: unknown[] }[];
    expect(tools!.controllers).toEqual([]);
    const module = await Test.createTestingModule({ imports: [definition] })
      .setLogger(false as never)
      .compile();
    await module.init();
    await module.close();
  });
});

const CALL: ModelUsage = { modelCalls: 1, inputTokens: 100, outputTokens: 20, cost: 0.003 };
const TWO_CALLS: ModelUsage = { modelCalls: 2, inputTokens: 200, outputTokens: 40, cost: 0.006 };

/** Runs a job that asks a model twice and then ends as told; gives what the host hears of it, and what its owner has used. */
async function heardOf(
  end: () => object,
  signal = new AbortController().signal,
): Promise<{ event: RequestEvent | undefined; used: number }> {
  const events: RequestEvent[] = [];
  const limits = resolveLimits({ dailyTokens: 1000, dailyCost: 5 });
  const service = {
    search: (_request: object, call: CallOptions) => {
      call.spend?.(CALL);
      call.spend?.(CALL);
      return Promise.resolve().then(end);
    },
  };
  const services = { get: () => service } as unknown as ModuleRef;
  const hooks = { onUsage: (event: RequestEvent) => void events.push(event) };
  const parts = [
    new ToolCalls(services, new RequestLimits(limits), NO_TELEMETRY),
    new CallReporter(NO_TELEMETRY, { hooks, logRequests: false }),
    { reporterOf: () => ({ end: () => Promise.resolve() }) },
    { deadlineMs: 1000 },
  ];
  const runner = new ToolJobRunner(...(parts as unknown as ConstructorParameters<typeof ToolJobRunner>));
  const data = { tool: 'search_web', input: {}, owner: { id: 'o' }, requestId: 'r', noCache: false };
  await runner.run({ data, timestamp: Date.now() } as ToolJob, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  const day = `day:${new Date().toISOString().slice(0, 10)}:tokens:o`;
  return { event: events[0], used: (await limits.store.add(day, 0, 60)).used };
}

describe('the host hears what a job has cost', () => {
  it('once, where it succeeds', async () => {
    const { event, used } = await heardOf(() => ({ llm: { answer: 'So.', usage: TWO_CALLS } }));
    expect(event).toMatchObject({ outcome: 'ok', usage: TWO_CALLS, cost: 0.006 });
    expect(used).toBe(240);
  });

  it('also where it was cancelled', async () => {
    const controller = new AbortController();
    const { event, used } = await heardOf(() => {
      controller.abort(new ClientClosedError());
      throw controller.signal.reason;
    }, controller.signal);
    expect(event).toMatchObject({ statusCode: 499, outcome: 'client_closed', usage: TWO_CALLS });
    expect(used).toBe(240);
  });

  it('not where another worker goes on with it', async () => {
    const controller = new AbortController();
    const { event } = await heardOf(() => {
      controller.abort(new Error('handed over'));
      throw controller.signal.reason;
    }, controller.signal);
    expect(event).toBeUndefined();
  });

  it('not when the request is accepted', () => {
    const events: RequestEvent[] = [];
    const hooks = { onUsage: (event: RequestEvent) => void events.push(event) };
    const reporter = new CallReporter(NO_TELEMETRY, { hooks, logRequests: false });
    reporter.report(reporter.begin('search_web', 'r'), 202, true);
    expect(events).toEqual([]);
    reporter.report(reporter.begin('search_web', 'r'), 200, true);
    expect(events).toHaveLength(1);
  });

  it('also where it fails', async () => {
    const { event, used } = await heardOf(() => {
      throw new UpstreamUnavailableError('Gone.');
    });
    expect(event).toMatchObject({ outcome: 'upstream_unavailable', usage: TWO_CALLS, cost: 0.006 });
    expect(used).toBe(240);
  });
});

const webhooks = new Webhooks({
  domains: ['hooks.example'],
  secrets: { main: ['s'], other: ['t'] },
  allowHosts: undefined,
  ca: undefined,
});
const refusalOf = (given: unknown): unknown => {
  try {
    webhooks.check(given);
  } catch (error) {
    return (error as InvalidRequestError).details;
  }
};

describe('the field webhook of a request', () => {
  it.each([[null], ['https://hooks.example/'], [[]]])('names its fields where it is no object: %j', (given) =>
    expect(refusalOf(given)).toEqual([
      { field: 'webhook', message: 'webhook must be an object: { url, secret_name? }' },
    ]),
  );

  it('never shows an address that is refused, which may hold a password', () => {
    const refusal = JSON.stringify(refusalOf({ url: 'https://ann:s3cret@hooks.example/' }));
    expect(refusal).toContain('webhook.url must be an https address on one of the domains of this server');
    expect(refusal).not.toContain('s3cret');
  });

  it('is the same in either order of its fields, so that equal requests are one job', () => {
    const [url, name] = ['https://hooks.example/end', 'other'];
    const read = [
      { url, secret_name: name },
      { secret_name: name, url },
    ].map((given) => JSON.stringify(webhooks.check(given)));
    expect(read[0]).toBe(read[1]);
  });
});
