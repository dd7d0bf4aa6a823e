import { jina } from '../../../lib/search/providers/jina.provider.js';
import { jinaService } from '../../support/fake-search/jina.fake.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
import { fixturesOf } from '../../support/fake-search/fixtures.js';
import { ask, describeSearchProvider } from './search-provider.contract.js';

const apiKey = 'key-5f3a/9c+1=';

describeSearchProvider({
  name: 'jina',
  answered: 'organelles of the cell',
  unanswered: 'zyzzyva',
  secret: apiKey,
  start: async () => {
    const upstream = await FakeUpstream.start(jinaService(apiKey));
    return {
      upstream,
      provider: (options) => jina({ apiKey, baseUrl: upstream.url, ...options }),
      at: (baseUrl) => jina({ apiKey, baseUrl, retries: 0 }),
    };
  },
  fixtures: fixturesOf('jina'),
});

describe('jina', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(jinaService(apiKey))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it('passes language and domains, and asks for no pages unless told to', async () => {
    const { hits } = await ask(jina({ apiKey, baseUrl: upstream.url, country: 'DE' }), {
      text: 'organelles',
      count: 50,
      language: 'de',
      includeDomains: ['cells.example.org'],
    });
    expect(upstream.lastRequest.json).toEqual({
      q: 'organelles site:cells.example.org',
      num: 20,
      gl: 'de',
      hl: 'de',
    });
    expect(upstream.lastRequest.headers['x-respond-with']).toBe('no-content');
    expect(hits[0]).toEqual({
      url: 'https://cells.example.org/golgi',
      title: 'Golgi apparatus',
      snippet: 'The Golgi apparatus is an organelle that packs proteins.',
      publishedAt: '2024-03-05',
    });
  });

  it('hands on whole pages as passages when told to', async () => {
    const [first] = (await ask(jina({ apiKey, baseUrl: upstream.url, pages: true }), { text: 'Golgi' })).hits;
    expect(upstream.lastRequest.headers['x-respond-with']).toBeUndefined();
    expect(first?.passages).toEqual([
      '# Golgi apparatus\n\nThe Golgi apparatus is an organelle that packs proteins.\n\n[home](https://example.com)',
    ]);
  });

  it('says at construction that the key is missing and where it is kept', () => {
    expect(() => jina({ apiKey: ' ' })).toThrow(/jina\.apiKey.*JINA_API_KEY/);
  });
});
