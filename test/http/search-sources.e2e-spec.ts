import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ToolsModule, wikipedia, type SearchProvider } from '../../lib/index.js';
import type { SearchModuleOptions } from '../../lib/search/search.options.js';
import { FakeUpstream, redirectedTo } from '../support/fake-search/fake-upstream.js';
import { documented } from '../support/fake-search/fixtures.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';

const CREDIT = { license: 'CC-BY-SA-4.0', attribution: 'Wikipedia contributors' };

describe('search_web with other people’s sources', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(() => documented('wikipedia', 'success'))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());
  afterEach(closeHosts);
  afterEach(() => jest.restoreAllMocks());

  const start = (search: SearchModuleOptions): Promise<RunningHost> =>
    startHost([ToolsModule.forRoot({ apiKeys: ['k'], search: { pages: false, ...search } })]);

  async function searchWeb(host: RunningHost, body: object) {
    const response = await host.http
      .post('/v1/tools/search_web')
      .set('X-API-Key', 'k')
      .send(body)
      .expect(200);
    return response.body.data;
  }

  const encyclopedia = (): SearchProvider =>
    wikipedia({ contact: 'ops@example.org', fetch: redirectedTo(upstream.url) });

  it('names licence and attribution in each result and citation that needs them', async () => {
    const host = await start({ providers: [encyclopedia()] });
    const { results } = await searchWeb(host, { query: 'Golgi apparatus' });
    expect(results).toHaveLength(2);
    for (const result of results) expect(result).toMatchObject(CREDIT);
    const { llm } = await searchWeb(host, { query: 'What is the Golgi apparatus?', llm_answer: true });
    expect(llm.citations.length).toBeGreaterThan(0);
    for (const citation of llm.citations) expect(citation).toMatchObject(CREDIT);
  });

  it('answers from the second default where the first has ended, and says what the host can set', async () => {
    const encyclopediaOnly = redirectedTo(upstream.url);
    jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation((url, init) =>
        String(url as string).startsWith('https://api.you.com/')
          ? Promise.resolve(new Response('Not Found', { status: 404 }))
          : encyclopediaOnly(String(url as string), init as never),
      );
    const { provider, results, warnings } = await searchWeb(await start({}), { query: 'Golgi apparatus' });
    expect([provider, results.length]).toEqual(['wikipedia', 2]);
    expect(warnings).toContainEqual({
      code: 'provider_failed',
      message: expect.stringMatching(/provider you failed .*\(option `search\.providers`\)/),
    });
  });

  it('leaves them out where a source demands nothing', async () => {
    const own: SearchProvider = {
      name: 'own',
      search: () => Promise.resolve({ hits: [{ url: 'https://a.example', title: 'A', snippet: 'Golgi.' }] }),
    };
    const { results } = await searchWeb(await start({ providers: [own] }), { query: 'Golgi' });
    expect(results[0]).not.toHaveProperty('license');
    expect(results[0]).not.toHaveProperty('attribution');
  });

  it('leaves out results without an http or https address, and says so in the log', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const urls = [
      'ftp://a.example/',
      'file:///etc/passwd',
      'steam://run/1',
      '//b.example/',
      'c.example',
      '/d',
    ];
    const hits = [...urls, 'javascript:alert(1)', 'https://e.example/'].map((url) => ({
      url,
      title: `Golgi ${url.length}`,
      snippet: `Golgi apparatus of ${url.replace(/\W/g, ' ')}.`,
    }));
    const own: SearchProvider = { name: 'own', search: () => Promise.resolve({ hits }) };
    const { results } = await searchWeb(await start({ providers: [own] }), { query: 'Golgi', top_n: 20 });
    expect(results.map((result: { source_url: string }) => result.source_url)).toEqual([
      'https://e.example/',
    ]);
    expect(warn.mock.calls.map(String)).toContain(
      'The search provider own gave 7 results without an http or https address: left out.',
    );
  });
});

describe('the log at start', () => {
  afterEach(closeHosts);
  afterEach(() => jest.restoreAllMocks());

  async function logOf(search: SearchModuleOptions): Promise<string> {
    const log = jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
    await startHost([ToolsModule.forRoot({ apiKeys: ['k'], search })]);
    return log.mock.calls.map(([line]) => String(line)).join('\n');
  }

  it('names the limits of the default providers, and asks for a contact', async () => {
    const log = await logOf({});
    expect(log).toMatch(/You\.com without a key, then Wikipedia.*Queries leave this server/);
    expect(log).toMatch(/You\.com without a key: 100 searches a day/);
    expect(log.match(/Wikipedia answers this server 10 requests a minute.*`contact`/g)).toHaveLength(1);
  });

  it('asks for no contact when it is set', async () => {
    expect(await logOf({ contact: 'ops@example.org' })).not.toMatch(/10 requests a minute/);
  });

  it('says which provider cannot filter as the options want', async () => {
    const log = await logOf({ providers: [wikipedia({ contact: 'a@b.example' })], freshness: 'week' });
    expect(log).toMatch(/wikipedia cannot filter by time/);
  });

  it.each<[SearchModuleOptions, RegExp]>([
    [{ contact: 'nobody (really)' }, /`search\.contact` must be an e-mail address or a web address/],
    [{ contact: 'a@b.example', providers: [] }, /`search\.contact` must be absent with `search\.providers`/],
    [{ freshness: 'weekly' as 'week' }, /`search\.freshness` must be one of day, week, month, year/],
  ])('refuses the options %j', async (search, message) => {
    await expect(logOf(search)).rejects.toThrow(message);
  });
});
