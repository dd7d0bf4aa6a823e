import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenAI } from '@ai-sdk/openai';
import { ConsoleLogger, UnauthorizedException, type CanActivate } from '@nestjs/common';
import { pino } from 'pino';
import type request from 'supertest';
import {
  documents,
  SearchService,
  ToolsExceptionFilter,
  ToolsModule,
  videoFailure,
  type RequestEvent,
  type SearchProvider,
  type ToolsModuleOptions,
  type ToolsModuleSyncOptions,
} from '../../lib/index.js';
import { LogLine } from '../../lib/core/failures.js';
import { bullMqJobs } from '../../lib/queue/index.js';
import { eventually } from '../support/eventually.js';
import { startFakeLlm, type FakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { OneContentSource, TwoPageProvider } from '../support/fixtures.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';

const KEY = 'nt_a_key_that_nobody_may_see';

/** A line as a logger of Nest gets it. */
interface Line {
  level: string;
  text: string;
  line: Partial<LogLine> & Record<string, unknown>;
}

/** A logger that remembers lines. */
class Lines extends ConsoleLogger {
  readonly lines: Line[] = [];
  override debug = (message: unknown): void => this.add('debug', message);
  override log = (message: unknown): void => this.add('log', message);
  override warn = (message: unknown): void => this.add('warn', message);
  override error = (message: unknown): void => this.add('error', message);

  private add(level: string, message: unknown): void {
    this.lines.push({ level, text: String(message), line: message as Line['line'] });
  }
}

class BrokenError extends Error {
  override name = 'BrokenError';
}
const fail = (): never => {
  throw new BrokenError('the shelf has fallen');
};
const shop: SearchProvider = { name: 'shop', search: () => Promise.resolve().then(fail) };

let host: RunningHost;
let logger: Lines;
let events: RequestEvent[];
afterEach(closeHosts);

async function start(
  options: ToolsModuleSyncOptions = {},
  adapter = ADAPTERS[0]![1],
  guards: CanActivate[] = [],
): Promise<void> {
  logger = new Lines();
  events = [];
  host = await startHost(
    [
      ToolsModule.forRoot({
        apiKeys: [{ key: KEY, name: 'billing' }],
        contentSources: [new OneContentSource()],
        search: { providers: [new TwoPageProvider()] },
        hooks: { onUsage: (event) => void events.push(event) },
        ...options,
      }),
    ],
    adapter(),
    (app) => {
      app.useLogger(logger);
      app.useGlobalGuards(...guards);
      app.useGlobalFilters(app.get(ToolsExceptionFilter));
    },
  );
}
const ask = (tool: string, body: object, key = KEY): request.Test =>
  host.http.post(`/v1/tools/${tool}`).set('X-API-Key', key).set('X-Request-Id', 'req-1').send(body);
async function lineWith(text: string): Promise<Line> {
  const find = (): Line | undefined => logger.lines.find((line) => line.text.includes(text));
  const all = (): string => logger.lines.map(({ level, text: line }) => `${level} ${line}`).join('\n');
  await eventually(
    () => find() !== undefined,
    () => `no line with ${text} in\n${all()}`,
    10_000,
  );
  return find()!;
}
async function event(): Promise<RequestEvent> {
  await eventually(
    () => events.length > 0,
    () => 'no event',
    10_000,
  );
  return events[0]!;
}

describe('what the host’s own code throws', () => {
  const SEARCH = { tool: 'search_web', body: { query: 'coral' } };
  const SUMMARY = { tool: 'summarize_content', body: { content_id: 'dQw4w9WgXcQ' } };
  const mine = { name: 'mine', fetchTranscript: () => Promise.resolve().then(fail) };
  const CASES: [string, ToolsModuleOptions, typeof SEARCH | typeof SUMMARY, number, string][] = [
    ['a search provider', { search: { providers: [shop] } }, SEARCH, 503, 'shop BrokenError'],
    [
      'a loader of documents()',
      { search: { providers: [documents(async () => fail())] } },
      SEARCH,
      503,
      'documents BrokenError',
    ],
    [
      'a transcript provider',
      { contentSources: [], youtube: { transcripts: [mine] } },
      SUMMARY,
      502,
      'mine BrokenError',
    ],
    ['a key store', { apiKeys: { verify: fail } }, SEARCH, 503, 'key store BrokenError'],
    ['a key store later', { apiKeys: { verify: async () => fail() } }, SEARCH, 503, 'key store BrokenError'],
  ];

  it.each(CASES)(
    'of %s is one error with its stack',
    async (_what, options, { tool, body }, status, fault) => {
      await start(options);
      const { body: answer } = await ask(tool, body).expect(status);
      expect(JSON.stringify(answer)).not.toContain('shelf');
      expect(await event()).toMatchObject({ upstreamFaults: fault });
      const said = logger.lines.filter(({ text }) => text.includes('the shelf has fallen'));
      expect(said.map(({ level }) => level)).toEqual(['error']);
      const [{ text, line }] = said as [Line];
      expect(text).toContain('BrokenError: the shelf has fallen request_id=req-1');
      expect(text).toMatch(/\n +at .*failures\.e2e-spec/);
      expect(line).toMatchObject({ request_id: 'req-1', upstream: fault, err: { type: 'BrokenError' } });
    },
  );

  it.each([
    [
      'an own content source',
      { contentSources: [Object.assign(new OneContentSource(), { load: async () => fail() })] },
    ],
    ['an own summarizer', { summarizer: { engine: 'mine', summarize: async () => fail() } }],
  ] as [string, ToolsModuleOptions][])('of %s is one error too', async (_what, options) => {
    await start(options);
    await ask('summarize_content', { content_id: 'coral' }).expect(500);
    await event();
    const said = logger.lines.filter(({ text }) => text.includes('the shelf has fallen'));
    expect(said.map(({ level, line }) => [level, line['request_id']])).toEqual([['error', 'req-1']]);
  });

  it('is a warning where something else answered, in the line of the request and the event too', async () => {
    await start({ search: { providers: [shop, new TwoPageProvider()] } });
    await ask('search_web', { query: 'coral' }).expect(200);
    expect(await event()).toMatchObject({
      outcome: 'ok',
      upstreamFaults: 'shop BrokenError',
      fallback: 'two-pages',
    });
    const { level, text } = await lineWith('the shelf has fallen');
    expect(level).toBe('warn');
    expect(text).toContain('fallback=two-pages');
    expect(await lineWith('search_web 200 ok')).toMatchObject({ level: 'warn' });
    await ask('search_web', { query: 'reefs' }).expect(200);
  });

  it.each([
    [
      'a reranker',
      { reranker: { name: 'mine', rerank: async () => fail() } },
      'mine BrokenError',
      'unranked',
    ],
  ] as [string, object, string, string][])('of %s is a warning', async (_what, search, fault, fallback) => {
    await start({ search: { providers: [new TwoPageProvider()], ...search } });
    await ask('search_web', { query: 'coral' }).expect(200);
    expect(await event()).toMatchObject({ upstreamFaults: fault, fallback });
    expect(await lineWith('the shelf has fallen')).toMatchObject({ level: 'warn' });
  });

  it.each([
    ['a cache', { cache: { get: fail, set: fail } }, 'The cache cannot be read'],
    ['a counter', { limits: { requestsPerMinute: 5, store: { add: fail } } }, 'The limit store failed'],
    ['the hook', { hooks: { onUsage: fail } }, 'The hook onUsage failed'],
  ] as [string, ToolsModuleOptions, string][])(
    'of %s is a warning with its stack',
    async (_what, options, text) => {
      await start(options);
      await ask('search_web', { query: 'coral' }).expect(200);
      const line = await lineWith(text);
      expect(line.level).toBe('warn');
      expect(line.text).toMatch(/BrokenError: the shelf has fallen[^\n]*\n +at /);
    },
  );

  it('is named in the line where it is no throw of code but a failure of YouTube', async () => {
    const blocked = () => Promise.reject(videoFailure('bot_check'));
    const transcripts = [{ name: 'mine', fetchTranscript: blocked }];
    await start({ contentSources: [], youtube: { transcripts } });
    await ask('summarize_content', { content_id: 'dQw4w9WgXcQ' }).expect(503);
    expect(await lineWith('summarize_content 503')).toMatchObject({
      level: 'warn',
      line: { upstream: 'YouTube bot_check' },
    });
  });

  it('is logged for a host that injects the service', async () => {
    await start({ search: { providers: [shop, new TwoPageProvider()] } });
    await host.app.get(SearchService).search({ query: 'coral' }, { requestId: 'own-1' });
    expect(await lineWith('the shelf has fallen request_id=own-1')).toMatchObject({ level: 'warn' });
  });
});

describe('a model that does not answer', () => {
  let llm: FakeLlm;
  beforeAll(async () => (llm = await startFakeLlm()));
  afterAll(() => llm.close());
  beforeEach(() => (llm.settings.fault = undefined));
  const compatible = () => createOpenAICompatible({ name: 'fake', baseURL: llm.url })('fake-model');

  it('is named in the log and in every answer when it has no key', async () => {
    const key = process.env['OPENAI_API_KEY'];
    delete process.env['OPENAI_API_KEY'];
    try {
      await start({ model: createOpenAI()('gpt-5-mini') });
      for (let i = 0; i < 2; i++) {
        const { body } = await ask('summarize_content', { content_id: 'coral' }).expect(501);
        expect(body.message).toMatch(
          /\(option `model`\) is not configured\. OpenAI API key is missing\..*OPENAI_API_KEY/,
        );
      }
      expect(await lineWith('OPENAI_API_KEY environment variable')).toMatchObject({ level: 'error' });
      await ask('search_web', { query: 'Why does coral bleach?', llm_answer: true }).expect(200);
      await eventually(
        () => events.length === 3,
        () => `${events.length} events`,
      );
      expect(events[2]).toMatchObject({
        upstreamFaults: 'openai not_configured',
        fallback: 'extractive',
      });
      expect(await lineWith('search_web 200 ok')).toMatchObject({ level: 'warn' });
    } finally {
      if (key !== undefined) process.env['OPENAI_API_KEY'] = key;
    }
  });

  it('is not asked for anything at start', async () => {
    let requests = 0;
    const fetch = () => Promise.reject(new Error(`request ${++requests}`));
    await start({ model: createOpenAI({ apiKey: 'key', fetch })('gpt-6-luna') });
    await ask('search_web', { query: 'coral' }).expect(200);
    expect(requests).toBe(0);
  });

  it('is a warning, without the words of a server that refuses its key', async () => {
    const key = 'sk-proj-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c';
    llm.settings.fault = () => ({
      name: 'key',
      status: 401,
      error: { message: `Incorrect API key provided: ${key}.` },
    });
    await start({ model: compatible() });
    await ask('search_web', { query: 'Why does coral bleach?', llm_answer: true }).expect(200);
    expect(await event()).toMatchObject({
      outcome: 'ok',
      upstreamFaults: 'fake 401',
      fallback: 'extractive',
    });
    const { level, text } = await lineWith('search_web 200 ok');
    expect(level).toBe('warn');
    expect(text).toContain(' upstream="fake 401" fallback=extractive error="');
    expect(text).toContain('The language model refused the credentials (status 401).');
    expect(text).not.toContain('Incorrect');
    expect(JSON.stringify(logger.lines)).not.toContain(key);
  });

  it('is not asked for anything at start', async () => {
    const before = llm.calls.length;
    await start({ model: compatible() });
    await ask('search_web', { query: 'coral' }).expect(200);
    expect(llm.calls.length).toBe(before);
  });
});

describe.each(ADAPTERS)('answers without a tool on %s', (_name, adapter) => {
  it.each([
    ['malformed JSON', 400, 'POST /v1/tools/search_web 400 invalid_request'],
    ['a method', 405, 'GET /v1/tools/search_web 405 method_not_allowed'],
    ['a media type', 415, 'search_web 415 unsupported_media_type'],
    ['an address', 404, 'POST /v1/tools/nothing 404 not_found'],
    ['a large body', 413, 'POST /v1/tools/search_web 413 payload_too_large'],
    ['a lost job', 404, 'GET /v1/tools/jobs/0123 404 job_not_found'],
    ['a job without a key', 401, 'DELETE /v1/tools/jobs/0123 401 missing_api_key'],
  ])('that refuse %s have a line', async (what, status, begins) => {
    const jobs = bullMqJobs({ connection: { url: 'redis://127.0.0.1:9' }, workers: false });
    await start({ jobs }, adapter);
    const post = (path: string): request.Test =>
      host.http.post(path).set('X-Request-Id', 'req-1').set('X-API-Key', KEY);
    const requests: Record<string, () => request.Test> = {
      'malformed JSON': () => post('/v1/tools/search_web').type('json').send('{"query":'),
      'a method': () => host.http.get('/v1/tools/search_web').set('X-Request-Id', 'req-1'),
      'a media type': () => post('/v1/tools/search_web').type('text/plain').send('query'),
      'an address': () => post('/v1/tools/nothing').send({}),
      'a large body': () => post('/v1/tools/search_web').send({ query: 'x'.repeat(2 ** 21) }),
      'a lost job': () =>
        host.http.get('/v1/tools/jobs/0123?a=b').set('X-Request-Id', 'req-1').set('X-API-Key', KEY),
      'a job without a key': () => host.http.delete('/v1/tools/jobs/0123').set('X-Request-Id', 'req-1'),
    };
    await requests[what]!().expect(status);
    const { text } = await lineWith(begins);
    expect(text).toContain('request_id=req-1');
  });

  it('that a global guard of the host gives have a line too', async () => {
    const refuse = (): never => {
      throw new UnauthorizedException('Please log in');
    };
    await start({}, adapter, [{ canActivate: refuse }]);
    await ask('search_web', { query: 'coral' }).expect(401);
    expect((await lineWith(' 401 ')).text).toMatch(
      /^POST \/v1\/tools\/search_web 401 unauthorized .*request_id=req-1/,
    );
  });

  it('that tell of too many wrong keys say so, to the client and in the log', async () => {
    await start({ limits: { failedKeysPerMinute: 2 } }, adapter);
    for (let i = 0; i < 2; i++) await ask('search_web', { query: 'x' }, 'wrong').expect(401);
    const { body } = await ask('search_web', { query: 'x' }).expect(429);
    expect(body.message).toMatch(/^Your address has sent 2 wrong API keys in 60 seconds\./);
    expect((await lineWith('search_web 429')).text).toContain(
      'error="Your address has sent 2 wrong API keys',
    );
  });
});

describe('a line of the log', () => {
  const line = (): LogLine =>
    new LogLine('search_web 200 ok', { key: 'a b', upstream: undefined }, { status: 200 });

  it('is text for the logger of Nest', () => {
    const printed: string[] = [];
    const write = process.stdout.write;
    process.stdout.write = ((text: string) => printed.push(text) > 0) as typeof write;
    try {
      new ConsoleLogger({ colors: false, logLevels: ['log'] }).log(line(), 'ToolsModule');
      new ConsoleLogger({ json: true, logLevels: ['log'] }).log(line(), 'ToolsModule');
    } finally {
      process.stdout.write = write;
    }
    expect(printed[0]).toMatch(/ LOG \[ToolsModule\] search_web 200 ok key="a b"\n$/);
    expect(JSON.parse(printed[1]!)).toMatchObject({
      message: { key: 'a b', status: 200, msg: 'search_web 200 ok key="a b"' },
    });
  });

  it('is fields for pino, as nestjs-pino hands them on', () => {
    const printed: string[] = [];
    const logger = pino({}, { write: (text: string) => void printed.push(text) });
    logger.info(Object.assign({ context: 'ToolsModule' }, line()));
    expect(JSON.parse(printed[0]!)).toMatchObject({
      key: 'a b',
      status: 200,
      msg: 'search_web 200 ok key="a b"',
    });
  });
});
