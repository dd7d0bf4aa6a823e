import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { jest } from '@jest/globals';
import { ConsoleLogger } from '@nestjs/common';
import type request from 'supertest';
import {
  ContentNotFoundError,
  searxng,
  tavily,
  ToolsHealthIndicator,
  ToolsModule,
  type RequestEvent,
  type SearchProvider,
  type ToolsModuleOptions,
} from '../../lib/index.js';
import { startFakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { eventually } from '../support/eventually.js';
import { OneContentSource, TwoPageProvider } from '../support/fixtures.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import { recordOpenTelemetry } from '../support/open-telemetry.js';
import { SlowSource } from '../support/slow-source.js';
import { TokenSummarizer } from '../support/token-summarizer.js';

const KEY = 'nt_a_key_that_nobody_may_see';

/** A logger that remembers lines. */
class Lines extends ConsoleLogger {
  readonly lines: [string, string][] = [];
  override log(message: unknown): void {
    this.lines.push(['log', String(message)]);
  }
  override warn(message: unknown): void {
    this.lines.push(['warn', String(message)]);
  }
  override error(message: unknown): void {
    this.lines.push(['error', String(message)]);
  }
}

describe.each(ADAPTERS)('what can be seen of requests on %s', (_name, adapter) => {
  let host: RunningHost;
  let logger: Lines;
  let events: RequestEvent[];
  afterEach(closeHosts);

  const start = async (options: ToolsModuleOptions = {}): Promise<void> => {
    logger = new Lines();
    events = [];
    host = await startHost(
      [
        ToolsModule.forRoot({
          apiKeys: [{ key: KEY, name: 'billing' }],
          contentSources: [new OneContentSource()],
          summarizer: new TokenSummarizer(),
          search: { providers: [new TwoPageProvider()] },
          hooks: { onUsage: (event) => void events.push(event) },
          ...options,
        }),
      ],
      adapter(),
      (app) => app.useLogger(logger),
    );
    logger.lines.length = 0;
  };
  const ask = (tool: string, body: object, key = KEY): request.Test =>
    host.http.post(`/v1/tools/${tool}`).set('X-API-Key', key).set('X-Request-Id', 'req-1').send(body);
  const ended = (count: number): Promise<void> =>
    eventually(
      () => events.length >= count,
      () => `${events.length} events`,
    );

  it('is one line each, with the level of its outcome, and no key and no text in it', async () => {
    await start();
    await ask('summarize_content', { content_id: 'coral' }).expect(200);
    await ask('search_web', { query: 'coral bleaching' }).expect(200);
    await ask('search_web', {}).expect(400);
    await ask('search_web', { query: 'coral' }, 'wrong').expect(401);
    await ended(4);
    expect(logger.lines.map(([level, line]) => [level, line.replace(/\d+ ms/, 'n ms')])).toEqual([
      [
        'log',
        'summarize_content 200 ok n ms request_id=req-1 key=billing method=simple provider=test engine=fake-model cached=false tokens=900+100',
      ],
      [
        'log',
        'search_web 200 ok n ms request_id=req-1 key=billing method=results provider=two-pages cached=false',
      ],
      ['log', 'search_web 400 invalid_request n ms request_id=req-1 key=billing'],
      ['warn', 'search_web 401 invalid_api_key n ms request_id=req-1'],
    ]);
  });

  it('names calls and cost of search providers with a price, in the answer, the hook and the line', async () => {
    const broken: SearchProvider = { name: 'broken', search: () => Promise.reject(new Error('down')) };
    await start({
      search: {
        providers: [broken, new TwoPageProvider(), { ...broken, name: 'unasked' }],
        prices: { broken: 0.25, 'two-pages': 0.005, unasked: 1 },
      },
      limits: { dailyCost: 0.5 },
    });
    const searches = [
      { provider: 'broken', calls: 1, cost: 0.25 },
      { provider: 'two-pages', calls: 1, cost: 0.005 },
    ];
    const results = await ask('search_web', { query: 'coral bleaching' }).expect(200);
    const nothing = { model_calls: 0, input_tokens: 0, output_tokens: 0 };
    expect(results.body.data.usage).toEqual({ ...nothing, searches });
    const answer = await ask('search_web', { query: 'Why does coral bleach?', llm_answer: true }).expect(200);
    expect(answer.body.data.llm.usage).toEqual({ ...nothing, searches });
    expect(answer.body.data).not.toHaveProperty('usage');
    // The provider that failed is still asked: its breaker is closed.
    const later = await ask('search_web', { query: 'coral' }).expect(429);
    expect(later.body.code).toBe('rate_limited');
    await ended(3);
    for (const event of events.slice(0, 2)) {
      expect(event).toMatchObject({ cost: 0.255, usage: { modelCalls: 0, searches } });
    }
    const [, line] = logger.lines.find(([, text]) => text.startsWith('search_web'))!;
    expect(line).toContain('tokens=0+0 searches=broken:1+two-pages:1');
  });

  it('says of results from the cache that they have cost nothing', async () => {
    await start({ search: { providers: [new TwoPageProvider()], prices: { 'two-pages': 0.005 } } });
    await ask('search_web', { query: 'coral bleaching' }).expect(200);
    await ask('search_web', { query: 'coral bleaching' }).expect(200);
    await ended(2);
    expect(events.map(({ cost, usage }) => [cost, usage?.searches?.length])).toEqual([
      [0.005, 1],
      [0, undefined],
    ]);
  });

  it('names the upstreams that failed and how, in the line, the hook and the health indicator', async () => {
    const refusing = createServer((_request, response) => response.writeHead(403).end('no JSON here'));
    await once(refusing.listen(0, '127.0.0.1'), 'listening');
    const closed = createServer();
    await once(closed.listen(0, '127.0.0.1'), 'listening');
    const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const closedUrl = urlOf(closed);
    await once(closed.close(), 'close');
    const own = { name: 'own', search: () => Promise.reject(new Error('secret-token is wrong')) };
    try {
      await start({
        search: {
          providers: [
            searxng({ url: urlOf(refusing), retries: 0 }),
            tavily({ apiKey: 'tvly-key', baseUrl: closedUrl, retries: 0 }),
            own,
          ],
        },
      });
      await ask('search_web', { query: 'coral' }).expect(503);
      await ended(1);
      const faults = 'searxng 403, tavily ECONNREFUSED, own Error';
      expect(events[0]).toMatchObject({ outcome: 'upstream_unavailable', upstreamFaults: faults });
      const [level, line] = logger.lines.find(([, text]) => text.startsWith('search_web'))!;
      expect(level).toBe('warn');
      expect(line).toContain(` upstream="${faults}"`);
      expect(line).not.toContain('secret-token');
      const { tools } = host.app.get(ToolsHealthIndicator).check();
      expect(tools).toMatchObject({
        search_web: {
          upstreams: {
            searxng: { lastFault: 'searxng 403' },
            tavily: { lastFault: 'tavily ECONNREFUSED' },
          },
        },
      });
    } finally {
      refusing.close();
    }
  });

  it('names the status of the model', async () => {
    const llm = await startFakeLlm();
    llm.settings.fault = () => ({ name: 'key', status: 401, error: { message: 'Incorrect API key' } });
    try {
      const model = createOpenAICompatible({ name: 'fake', baseURL: llm.url })('fake-model');
      await start({ model, summarizer: undefined });
      await ask('summarize_content', { content_id: 'coral' }).expect(503);
      await ended(1);
      expect(events[0]).toMatchObject({ upstreamFaults: 'fake 401' });
    } finally {
      await llm.close();
    }
  });

  it('can be left out of the log', async () => {
    await start({ logRequests: false });
    await ask('search_web', { query: 'coral' }).expect(200);
    await ended(1);
    expect(logger.lines).toEqual([]);
  });

  it('is told to the hook, with what it cost, and a hook that fails costs nothing', async () => {
    await start();
    await ask('summarize_content', { content_id: 'coral' }).expect(200);
    await ask('summarize_content', { content_id: 'coral' }).expect(200);
    await ended(2);
    expect(events[0]).toMatchObject({
      requestId: 'req-1',
      tool: 'summarize_content',
      key: { name: 'billing' },
      statusCode: 200,
      outcome: 'ok',
      cached: false,
      usage: { modelCalls: 1, inputTokens: 900, outputTokens: 100 },
    });
    expect(events[0]!.cost).toBeCloseTo(0.0019, 10);
    expect(events[1]).toMatchObject({ cached: true, cost: 0, usage: { inputTokens: 0, outputTokens: 0 } });
    expect(JSON.stringify(events)).not.toContain(KEY);
    await closeHosts();
    await start({
      hooks: {
        onUsage: (event) => {
          events.push(event);
          throw new Error('no billing today');
        },
      },
    });
    await ask('search_web', { query: 'coral' }).expect(200);
    await ended(1);
    await eventually(
      () => logger.lines.some(([level, line]) => level === 'warn' && line.includes('onUsage failed')),
      () => JSON.stringify(logger.lines),
    );
  });

  it('says of an event stream how it ended', async () => {
    const source = new OneContentSource();
    source.load = () => Promise.reject(new ContentNotFoundError('It is gone.'));
    await start({ contentSources: [source] });
    await ask('summarize_content', { content_id: 'coral' }).set('Accept', 'text/event-stream').expect(200);
    await ended(1);
    expect(events[0]).toMatchObject({ statusCode: 200, outcome: 'content_not_found' });
    const [, line] = logger.lines.find(([, text]) => text.startsWith('summarize_content'))!;
    expect(line).toMatch(/^summarize_content 200 \(stream\) content_not_found \d+ ms /);
  });

  it('says that the client has left', async () => {
    const source = new SlowSource();
    await start({ contentSources: [source] });
    const leaving = ask('summarize_content', { content_id: 'x' });
    leaving.end(() => undefined);
    await source.begun(1);
    leaving.abort();
    await ended(1);
    expect(events[0]).toMatchObject({ statusCode: 499, outcome: 'client_closed' });
    expect(logger.lines.filter(([level]) => level === 'error')).toEqual([]);
  });

  it('is in the health indicator, without asking anybody', async () => {
    await start({
      search: { providers: [{ name: 'broken', search: () => Promise.reject(new Error('down')) }] },
    });
    const indicator = host.app.get(ToolsHealthIndicator);
    expect(indicator.check()).toMatchObject({
      tools: { status: 'up', search_web: { upstreams: { broken: { status: 'unknown' } } } },
    });
    for (let i = 0; i < 3; i++) await ask('search_web', { query: 'coral' }).expect(503);
    expect(indicator.check()).toMatchObject({ tools: { status: 'down', search_web: { status: 'down' } } });
  });

  describe('through OpenTelemetry', () => {
    const recorded = recordOpenTelemetry();

    it('is a span with one below it for each step and each provider', async () => {
      await start();
      await ask('search_web', { query: 'coral', llm_answer: true }).expect(200);
      await ended(1);
      const all = recorded.spans();
      const root = all.find(({ name }) => name === 'nestjs_tools search_web')!;
      expect(root.attributes).toMatchObject({
        'nestjs_tools.key_name': 'billing',
        'nestjs_tools.outcome': 'ok',
        'nestjs_tools.method': 'answer',
        'nestjs_tools.request_id': 'req-1',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'search_web',
      });
      const below = all.filter(
        ({ parentSpanContext }) => parentSpanContext?.spanId === root.spanContext().spanId,
      );
      expect(below.map(({ name }) => name).sort()).toEqual([
        'nestjs_tools step answer',
        'nestjs_tools step results',
        'nestjs_tools step search',
        'search_web two-pages',
      ]);
      expect(JSON.stringify(all.map(({ attributes }) => attributes))).not.toContain(KEY);
    });

    it('is in the metrics by tool and outcome', async () => {
      await start();
      await ask('summarize_content', { content_id: 'coral' }).expect(200);
      await ask('search_web', {}).expect(400);
      await ended(2);
      const points = (await recorded.metrics()).flatMap(({ descriptor, dataPoints }) =>
        dataPoints.map((p) => [descriptor.name, p.attributes['nestjs_tools.outcome']]),
      );
      expect(points).toEqual(
        expect.arrayContaining([
          ['nestjs_tools.request.duration', 'ok'],
          ['nestjs_tools.request.duration', 'invalid_request'],
          ['nestjs_tools.request.tokens', 'ok'],
        ]),
      );
    });
  });

  it('keeps the request going when the log itself fails', async () => {
    await start();
    const log = jest.spyOn(logger, 'log').mockImplementation(() => {
      throw new Error('disk full');
    });
    await ask('search_web', { query: 'coral' }).expect(200);
    await ended(1);
    expect(log).toHaveBeenCalled();
    expect(events[0]).toMatchObject({ outcome: 'ok' });
  });
});
