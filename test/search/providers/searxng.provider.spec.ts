import { searxng } from '../../../lib/search/providers/searxng.provider.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
import { fixturesOf } from '../../support/fake-search/fixtures.js';
import { searxngService } from '../../support/fake-search/searxng.fake.js';
import { ask, describeSearchProvider, failureOf } from './search-provider.contract.js';

describeSearchProvider({
  name: 'searxng',
  answered: 'organelles of the cell',
  unanswered: 'zyzzyva',
  secret: 'Basic c2VjcmV0',
  start: async () => {
    const upstream = await FakeUpstream.start(searxngService());
    const headers = { authorization: 'Basic c2VjcmV0' };
    return {
      upstream,
      provider: (options) => searxng({ url: upstream.url, headers, ...options }),
      at: (url) => searxng({ url, headers, retries: 0 }),
    };
  },
  fixtures: fixturesOf('searxng'),
});

describe('searxng', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(searxngService({ pageSize: 2 }))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it('passes language, time range, safe search, engines and categories', async () => {
    const provider = searxng({
      url: `${upstream.url}/`,
      safeSearch: 2,
      engines: ['bing', 'brave'],
      categories: ['general', 'it'],
    });
    await ask(provider, { text: 'organelles', count: 1, language: 'de', freshness: 'week' });
    expect(upstream.lastRequest.path).toBe('/search');
    expect(Object.fromEntries(upstream.lastRequest.params)).toEqual({
      q: 'organelles',
      format: 'json',
      language: 'de',
      time_range: 'week',
      safesearch: '2',
      engines: 'bing,brave',
      categories: 'general,it',
    });
  });

  it('turns domains into site operators unless told that the engines do not know them', async () => {
    const query = {
      text: 'organelles',
      includeDomains: ['cells.example.org', 'biology.example'],
      excludeDomains: ['news.example'],
    };
    await ask(searxng({ url: upstream.url }), { ...query, count: 1 });
    expect(upstream.lastRequest.params.get('q')).toBe(
      'organelles site:cells.example.org OR site:biology.example -site:news.example',
    );
    await ask(searxng({ url: upstream.url, siteOperators: false }), { ...query, count: 1 });
    expect(upstream.lastRequest.params.get('q')).toBe('organelles');
  });

  it('keeps the date of publication and leaves out a score without an upper bound', async () => {
    const [first] = (await ask(searxng({ url: upstream.url }), { text: 'organelles', count: 1 })).hits;
    expect(first).toEqual({
      url: 'https://biology.example/organelles',
      title: 'Organelles & their functions',
      snippet:
        'Common organelles of a human cell are the nucleus, mitochondria & ribosomes. Each organelle has a "job".',
      publishedAt: '2024-03-05',
    });
  });

  it('takes an empty list for the same outage while the engines that failed may be left out', async () => {
    const provider = searxng({ url: upstream.url, retries: 0 });
    const nothing = { text: 'zyzzyva' };
    expect((await ask(provider, nothing)).hits).toEqual([]);
    const failed = { query: 'a', results: [], unresponsive_engines: [['brave', 'too many requests']] };
    upstream.script({ body: failed });
    for (let i = 0; i < 2; i++)
      expect((await failureOf(ask(provider, nothing))).message).toContain('brave (too many requests)');
    // Another instance has not failed, and an engine that answers is not left out.
    expect((await ask(searxng({ url: upstream.url }), nothing)).hits).toEqual([]);
    expect((await ask(provider, { text: 'organelles' })).hits).not.toEqual([]);
    expect((await ask(provider, nothing)).hits).toEqual([]);
  });

  it.each([
    [{ url: '' }, /searxng\.url.*SEARXNG_URL/],
    [{ url: 'ftp://127.0.0.1' }, /root URL/],
    [{ url: 'http://user:pw-8812@127.0.0.1' }, /root URL of the instance.*hidden/],
    [{ url: 'http://127.0.0.1', safeSearch: 3 as 2 }, /safeSearch.*0, 1, 2/],
  ])('refuses the options %j', (options, message) => {
    expect(() => searxng(options)).toThrow(message);
    expect(() => searxng(options)).not.toThrow(/pw-8812/);
  });
});
