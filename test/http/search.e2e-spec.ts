import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ToolsModule, type SearchHit, wikipedia, type SearchProvider } from '../../lib/index.js';
import type { SearchModuleOptions } from '../../lib/search/search.options.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import { fakePages, type FakePages } from '../support/fake-pages/fake-pages.js';
import { StubProvider } from '../search/search.fixtures.js';
import { FakeUpstream, redirectedTo } from '../support/fake-search/fake-upstream.js';
import { documented } from '../support/fake-search/fixtures.js';

const HITS: SearchHit[] = [
  {
    url: 'https://a.example/1',
    title: 'Coral reefs',
    snippet: 'Coral reefs are built by corals.',
    publishedAt: '2001-01-01',
  },
  { url: 'https://docs.a.example/2', title: 'Coral bleaching', snippet: 'Warm water bleaches corals.' },
  { url: 'https://b.example/3', title: 'Coral islands', snippet: 'Atolls are islands of coral.' },
];

describe('a search that the request filters', () => {
  afterAll(closeHosts);

  async function host(search: SearchModuleOptions = {}): Promise<RunningHost & { provider: StubProvider }> {
    const provider = new StubProvider('stub', async () => HITS);
    const options = { providers: [provider], pages: false as const, ...search };
    const running = await startHost([ToolsModule.forRoot({ apiKeys: ['a-key'], search: options })]);
    return { ...running, provider };
  }
  const search = ({ http }: RunningHost, body: object) =>
    http
      .post('/v1/tools/search_web')
      .set('X-API-Key', 'a-key')
      .send({ query: 'coral', ...body });
  const urls = (body: { data: { results: { source_url: string }[] } }) =>
    body.data.results.map(({ source_url }) => source_url).sort();

  it('asks the provider for it and filters by itself what it did not', async () => {
    const running = await host();
    const filters = {
      language: 'de',
      freshness: 'month',
      include_domains: ['A.example'],
      exclude_domains: ['x.a.example'],
    };
    const { body } = await search(running, filters).expect(200);
    expect(running.provider.queries[0]).toMatchObject({
      language: 'de',
      freshness: 'month',
      includeDomains: ['a.example'],
      excludeDomains: ['x.a.example'],
    });
    expect(urls(body)).toEqual(['https://docs.a.example/2']);
  });

  it('is cached apart from the same search without it, and together with an equal one', async () => {
    const running = await host();
    const told: [number, boolean][] = [];
    for (const body of [
      {},
      { exclude_domains: ['a.example', 'c.example'] },
      { exclude_domains: ['c.example', 'www.a.example'] },
      { include_domains: ['a.example'] },
      { freshness: 'year' },
      {},
    ]) {
      const answer = await search(running, body).expect(200);
      told.push([answer.body.data.total_results, answer.body.data.cached]);
    }
    expect(told).toEqual([
      [3, false],
      [1, false],
      [1, true],
      [2, false],
      [2, false],
      [3, true],
    ]);
  });

  it('says what a provider could not filter by', async () => {
    const running = await host();
    Object.assign(running.provider, { filters: ['freshness'] });
    const { body } = await search(running, { language: 'en', include_domains: ['a.example'] }).expect(200);
    expect(body.data.warnings.map(({ code }: { code: string }) => code)).toEqual([
      'narrowing_not_supported',
      'narrowing_not_supported',
    ]);
  });

  it('never goes beyond what the host allows', async () => {
    const running = await host({
      includeDomains: ['a.example'],
      excludeDomains: ['docs.a.example'],
      language: 'fr',
    });
    const allowed = await search(running, {
      include_domains: ['docs.a.example', 'a.example'],
      language: 'en',
    });
    expect(urls(allowed.body)).toEqual(['https://a.example/1']);
    expect(running.provider.queries[0]).toMatchObject({ language: 'fr', excludeDomains: ['docs.a.example'] });
    expect(allowed.body.data.warnings[0].code).toBe('narrowing_limited');
    const refused = await search(running, { include_domains: ['b.example'] }).expect(400);
    expect(refused.body).toMatchObject({
      code: 'invalid_request',
      details: [
        {
          field: 'include_domains',
          message: 'include_domains must name domains that this server searches: a.example',
        },
      ],
    });
    expect(running.provider.queries).toHaveLength(1);
  });

  it.each([
    [
      { language: 'xx' },
      'language',
      'language must be one of en, pt, es, it, de, fr, received the string "xx"',
    ],
    [
      { language: null },
      'language',
      'language must be one of en, pt, es, it, de, fr, received null; leave the field out instead of sending null',
    ],
    [
      { freshness: 'hour' },
      'freshness',
      'freshness must be one of day, week, month, year, received the string "hour"',
    ],
    [
      { freshness: ['day'] },
      'freshness',
      'freshness must be one of day, week, month, year, received an array of 1',
    ],
    [
      { include_domains: 'a.example' },
      'include_domains',
      'include_domains must be an array of at most 20 domains, received the string "a.example"',
    ],
    [
      { exclude_domains: Array(21).fill('a.example') },
      'exclude_domains',
      'exclude_domains must be an array of at most 20 domains, received an array of 21',
    ],
    [
      { exclude_domains: [['a.example']] },
      'exclude_domains',
      'exclude_domains[0] must be a domain such as example.com, without https:// and path, received an array of 1',
    ],
    [
      { include_domains: ['a.example', 'a b'] },
      'include_domains',
      'include_domains[1] must be a domain such as example.com, without https:// and path, received the string "a b"',
    ],
    [
      { include_domain: ['a.example'] },
      'include_domain',
      'include_domain is not a field of this request; did you mean include_domains?',
    ],
  ])('refuses %j', async (wrong, field, message) => {
    const { body } = await search(await host(), wrong).expect(400);
    expect(body.details).toEqual([{ field, message }]);
  });

  it.each<[string, SearchModuleOptions, object]>([
    ['the domains of the host', { includeDomains: ['127.0.0.1'] }, {}],
    ['a domain that the host excludes', { excludeDomains: ['localhost'] }, {}],
    ['a domain that the request excludes', {}, { exclude_domains: ['localhost'] }],
  ])('never reads a page that redirects past %s', async (_, own, body) => {
    const pages: FakePages = await fakePages({
      '/open': (_request, response) =>
        response.writeHead(302, { location: `http://localhost:${pages.port}/elsewhere` }).end(),
      '/elsewhere': `<p>${'Coral secrets from elsewhere. '.repeat(20)}`,
      '/here': (_request, response) => response.writeHead(302, { location: '/there' }).end(),
      '/there': `<p>${'Coral facts from there. '.repeat(20)}`,
    });
    const hits = ['/open', '/here'].map((path) => ({
      url: pages.origin + path,
      title: 'Coral',
      snippet: `Coral of ${path}.`,
    }));
    const running = await host({
      providers: [new StubProvider('stub', async () => hits)],
      pages: { allowHosts: [pages.host, `localhost:${pages.port}`] },
      ...own,
    });
    const { body: found } = await search(running, body).expect(200);
    expect(JSON.stringify(found)).toContain('from there');
    expect(JSON.stringify(found)).not.toContain('elsewhere.');
    expect(pages.requests.map(({ path }) => path).sort()).toEqual(['/here', '/open', '/there']);
    await pages.close();
  });
});

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
