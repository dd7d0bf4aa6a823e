import { ToolsModule, type SearchHit } from '../../lib/index.js';
import type { SearchModuleOptions } from '../../lib/search/search.options.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import { fakePages, type FakePages } from '../support/fake-pages/fake-pages.js';
import { StubProvider } from '../search/search.fixtures.js';

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
