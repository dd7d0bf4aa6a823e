import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import type request from 'supertest';
import { ToolsModule, type ApiKeyIdentity, type ToolsModuleOptions } from '../../lib/index.js';
import { OneContentSource, TwoPageProvider } from '../support/fixtures.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, countArrivals, startHost, type RunningHost } from '../support/host.js';
import { SlowSource } from '../support/slow-source.js';
import { TokenSummarizer } from '../support/token-summarizer.js';

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
