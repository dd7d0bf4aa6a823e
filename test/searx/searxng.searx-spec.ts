import { searxng } from '../../lib/search/providers/searxng.provider.js';
import { ask, expectWellFormed, failureOf } from '../search/providers/search-provider.contract.js';
import { startSearx, type Searx } from './searx-server.mjs';

const url = process.env.SEARX_URL ?? '';
if (url === '') throw new Error('This spec needs a running searx: npm run check -- searx');

describe('searxng against a running searx', () => {
  const provider = searxng({ url, retries: 0, siteOperators: false });

  it('returns the results of both engines', async () => {
    const { hits } = await ask(provider, { text: 'cell' });
    hits.forEach(expectWellFormed);
    // SearXNG gives an address twice that two engines find with other texts; `search_web` merges them.
    expect([...new Set(hits.map((hit) => hit.url))].sort()).toEqual([
      'https://biology.example/mitochondria',
      'https://biology.example/organelles',
      'https://cells.example/golgi',
      'https://cells.example/lysosome',
      'https://news.example/organelle',
    ]);
  });

  it('gives text without markup or entities', async () => {
    const { hits } = await ask(provider, { text: 'mitochondria' });
    expect(hits.find((hit) => hit.url.endsWith('/mitochondria'))).toEqual({
      url: 'https://biology.example/mitochondria',
      title: 'Mitochondria & ATP',
      snippet: 'Mitochondria are organelles that make most of the ATP of a cell; 2 < 30 membranes.',
    });
  });

  it('gives no more than asked for', async () => {
    expect((await ask(provider, { text: 'cell', count: 2 })).hits).toHaveLength(2);
  });

  it('returns an empty list when both engines found nothing', async () => {
    expect((await ask(provider, { text: 'zyzzyva' })).hits).toEqual([]);
  });

  it('fails, and does not return an empty list, when every engine failed', async () => {
    // The word makes the one engine fail, the operators crash the other.
    const error = await failureOf(ask(provider, { text: 'outage AND "' }));
    expect(error.kind).toBe('unavailable');
    expect(error.message).toMatch(/its engines failed: .*localjson.*\(.*\)/);
    expect(error.message).toMatch(/localfts \(unexpected crash/);
  });

  it('returns what one engine found although the other failed', async () => {
    const { hits } = await ask(provider, { text: 'outage OR lysosomes' });
    expect(hits.map((hit) => hit.url)).toEqual(['https://cells.example/lysosome']);
  });

  it.each(['day', 'week', 'month', 'year'] as const)(
    'may ask for the last %s, in a language, with safe search',
    async (freshness) => {
      const strict = searxng({ url, retries: 0, safeSearch: 1, engines: ['localfts'] });
      // Neither engine knows times, so that searx leaves both out: no error is what counts.
      expect((await ask(strict, { text: 'golgi', freshness, language: 'de' })).hits).toEqual([]);
      expect((await ask(strict, { text: 'golgi', language: 'de' })).hits).toHaveLength(1);
    },
  );

  it('asks only the engines it is told to', async () => {
    const { hits } = await ask(searxng({ url, engines: ['localjson'] }), { text: 'cell' });
    // SearXNG gives an address twice that two engines find with other texts; `search_web` merges them.
    expect([...new Set(hits.map((hit) => hit.url))].sort()).toEqual([
      'https://biology.example/mitochondria',
      'https://news.example/organelle',
    ]);
  });

  it('reports a refused parameter in the words of searx', async () => {
    const error = await failureOf(ask(provider, { text: 'cell', language: 'no language' as 'de' }));
    expect(error.kind).toBe('bad_request');
    expect(error.message).toMatch(/Invalid value "no language" for parameter language/);
  });

  it('says that the address is wrong when it is not the root', async () => {
    const error = await failureOf(ask(searxng({ url: `${url}/nowhere` }), { text: 'cell' }));
    expect(error.kind).toBe('bad_request');
    expect(error.message).toMatch(/Check the address/);
  });
});

describe('searxng against a searx that leaves failed engines out, as it does by default', () => {
  let searx: Searx;
  beforeAll(async () => (searx = await startSearx(60)));
  afterAll(() => searx.stop());

  it('fails, and does not return an empty list, in its own retry and in the next search', async () => {
    const provider = searxng({ url: searx.url, siteOperators: false });
    for (const text of ['outage AND "', 'zyzzyva']) {
      const error = await failureOf(ask(provider, { text }));
      expect([text, error.kind]).toEqual([text, 'unavailable']);
      expect(error.message).toMatch(/its engines failed: /);
    }
  });
});
