import { withContext } from '../../../lib/core/context.js';
import { VERSION } from '../../../lib/core/version.js';
import { wikipedia } from '../../../lib/search/providers/wikipedia.provider.js';
import { eventually } from '../../support/eventually.js';
import { FakeUpstream, redirectedTo } from '../../support/fake-search/fake-upstream.js';
import { fixturesOf } from '../../support/fake-search/fixtures.js';
import { wikipediaService } from '../../support/fake-search/wikipedia.fake.js';
import { ask, describeSearchProvider } from './search-provider.contract.js';

describeSearchProvider({
  name: 'wikipedia',
  answered: 'organelles',
  unanswered: 'zyzzyva',
  start: async () => {
    const upstream = await FakeUpstream.start(wikipediaService());
    return {
      upstream,
      provider: (options) => wikipedia({ baseUrl: upstream.url, ...options }),
      at: (baseUrl) => wikipedia({ baseUrl, retries: 0 }),
    };
  },
  fixtures: fixturesOf('wikipedia'),
});

describe('wikipedia', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(wikipediaService())));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it('names itself and the contact to the operators', async () => {
    await ask(wikipedia({ baseUrl: upstream.url, contact: 'ops@example.com' }), { text: 'organelles' });
    expect(upstream.lastRequest.headers['user-agent']).toBe(
      `nestjs-tools/${VERSION} (ops@example.com) Node.js/${process.versions.node}`,
    );
  });

  it('names the licence and whom to credit, for Wikipedia but not for another wiki', async () => {
    const credit = { license: 'CC-BY-SA-4.0', attribution: 'Wikipedia contributors' };
    const text = 'organelles';
    const { hits } = await ask(wikipedia({ fetch: redirectedTo(upstream.url) }), { text });
    expect(hits.length).toBeGreaterThan(1);
    for (const hit of hits) expect(hit).toMatchObject(credit);
    const [own] = (await ask(wikipedia({ baseUrl: upstream.url }), { text })).hits;
    expect([own?.license, own?.attribution]).toEqual([undefined, undefined]);
  });

  it('asks for a contact when there is none, and is asked once a request', () => {
    expect(wikipedia()).toMatchObject({
      notice: expect.stringMatching(/10 requests.*contact/),
    });
    expect(wikipedia({ contact: 'ops@example.com' }).notice).toBeUndefined();
  });

  it('asks for the words of a question, and for pages with some of them where none has all', async () => {
    const texts = async (text: string, options = {}): Promise<(string | null)[]> => {
      upstream.reset();
      await ask(wikipedia({ baseUrl: upstream.url, ...options }), { text });
      return upstream.requests.map(({ params }) => params.get('srsearch'));
    };
    expect(await texts('What are the organelles of a cell?')).toEqual(['organelles cell']);
    expect(await texts('How do lysosomes digest iron?')).toEqual([
      'lysosomes digest iron',
      'lysosomes OR digest OR iron',
    ]);
    expect(await texts('What does the WHO say of organelles?')).toEqual([
      'WHO say organelles',
      'WHO OR say OR organelles',
    ]);
    expect(await texts('"common organelles" -hemifusome')).toEqual(['"common organelles" -hemifusome']);
    expect(await texts('who is who')).toEqual(['who is who']);
    expect(await texts('Welche Organellen hat die Zelle?')).toEqual([
      'Organellen Zelle',
      'Organellen OR Zelle',
    ]);
    expect(Object.fromEntries(upstream.lastRequest.params)).toMatchObject({
      srenablerewrites: '1',
      gsrenablerewrites: '1',
    });
  });

  it('cuts a query at a word to what Wikipedia takes', async () => {
    const text = `organelles ${'and other things '.repeat(20)}`.trim();
    expect((await ask(wikipedia({ baseUrl: upstream.url }), { text })).hits.length).toBeGreaterThan(0);
    const asked = upstream.lastRequest.params.get('srsearch') ?? '';
    expect(asked.length).toBeLessThanOrEqual(300);
    expect(asked.split(' OR ').slice(0, 2)).toEqual(['organelles', 'things']);
    expect(asked).toMatch(/ OR things$/);
    expect(upstream.lastRequest.params.get('gsrsearch')).toBe(asked);
  });

  it('returns articles by rank with introduction and snippet', async () => {
    const { hits } = await ask(wikipedia({ baseUrl: upstream.url }), { text: 'organelles', count: 2 });
    expect(hits[0]).toEqual({
      url: 'https://biology.example/organelles',
      title: 'Organelles & their functions',
      snippet:
        'Common organelles of a human cell are the nucleus, mitochondria & ribosomes. Each organelle has a "job".',
      passages: [
        'Common organelles of a human cell are the nucleus, mitochondria & ribosomes. Each organelle has a "job".\n\nIt has  two paragraphs.',
      ],
    });
    expect(hits[1]?.passages).toBeUndefined();
  });

  it('asks for no more introductions than are served at once', async () => {
    expect(
      (await ask(wikipedia({ baseUrl: upstream.url }), { text: 'organelles', count: 50 })).hits,
    ).toHaveLength(6);
    expect(Object.fromEntries(upstream.lastRequest.params)).toMatchObject({
      srlimit: '50',
      gsrlimit: '50',
      exlimit: '20',
    });
  });

  it('builds the address from the title when the page’s own is missing', async () => {
    upstream.script({
      body: { query: { search: [{ ns: 0, title: 'Golgi apparatus/x?', pageid: 1, snippet: '' }] } },
    });
    const [hit] = (await ask(wikipedia({ baseUrl: upstream.url }), { text: 'organelles' })).hits;
    expect(hit?.url).toBe(`${upstream.url}/wiki/Golgi_apparatus%2Fx%3F`);
  });

  it('asks the Wikipedia of the query’s language, else of its words, else of the option’s', async () => {
    const hosts: string[] = [];
    const fetch = (url: string): Promise<Response> => {
      hosts.push(new URL(url).host);
      return Promise.resolve(Response.json({ query: { search: [] } }));
    };
    await ask(wikipedia({ fetch }), { text: 'organelles' });
    await ask(wikipedia({ fetch, language: 'de' }), { text: 'Organellen' });
    await ask(wikipedia({ fetch, language: 'de' }), { text: 'orgânulos', language: 'pt' });
    const text = 'Quels sont les organites de la cellule ?';
    await ask(wikipedia({ fetch }), { text });
    await ask(wikipedia({ fetch }), { text, includeDomains: ['en.wikipedia.org'] });
    const asked = ['en', 'de', 'pt', 'fr', 'en'].map((language) => `${language}.wikipedia.org`);
    expect([...new Set(hosts)]).toEqual([...new Set(asked)]);
    expect(hosts.at(-1)).toBe('en.wikipedia.org');
  });

  it('asks nothing when the domain filters leave no Wikipedia', async () => {
    const provider = wikipedia({ fetch: () => Promise.reject(new Error('asked')) });
    expect(await ask(provider, { text: 'organelles', includeDomains: ['example.com'] })).toEqual({
      hits: [],
    });
    expect(await ask(provider, { text: 'organelles', excludeDomains: ['wikipedia.org'] })).toEqual({
      hits: [],
    });
  });

  it('has at most three requests under way, and gives up a waiting one whose caller leaves', async () => {
    let underWay = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const fetch = async (): Promise<Response> => {
      most = Math.max(most, ++underWay);
      await new Promise<void>((resolve) => waiting.push(resolve));
      underWay--;
      return Response.json({ query: { search: [] } });
    };
    const provider = wikipedia({ fetch });
    const caller = new AbortController();
    const searches = [1, 2, 3].map(() => ask(provider, { text: 'organelles' }));
    const leaving = ask(provider, { text: 'organelles' }, caller.signal);
    const last = ask(provider, { text: 'organelles' });
    caller.abort(new Error('gone'));
    await expect(leaving).rejects.toThrow('gone');
    await eventually(
      () => waiting.length === 3,
      () => `${waiting.length} requests`,
    );
    while (waiting.length > 0) {
      waiting.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all([...searches, last]);
    expect(most).toBe(3);
    // The place of the one that left is free again.
    const later = [1, 2, 3].map(() => ask(provider, { text: 'organelles' }));
    await eventually(
      () => waiting.length === 3,
      () => `${waiting.length} requests`,
    );
    waiting.splice(0).forEach((resolve) => resolve());
    await Promise.all(later);
  });

  it('gives callers turns, however many searches one of them has', async () => {
    const asked: string[] = [];
    const waiting: (() => void)[] = [];
    const fetch: typeof globalThis.fetch = async (url) => {
      asked.push(new URL(url as string).searchParams.get('gsrsearch') ?? String(url));
      await new Promise<void>((resolve) => waiting.push(resolve));
      return Response.json({ query: { search: [] } });
    };
    const provider = wikipedia({ fetch });
    const search = (caller: string, text: string) =>
      withContext(60_000, { caller }, (context) => provider.search({ text, count: 1 }, context));
    const searches = [1, 2, 3, 4, 5].map((i) => search('a', `many${i}`));
    searches.push(search('b', 'single'));
    await eventually(
      () => waiting.length === 3,
      () => asked.join(),
    );
    while (waiting.length > 0) {
      waiting.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(searches);
    expect(asked.findIndex((text) => text.includes('single'))).toBe(3);
  });

  it('refuses a contact that would break the header', () => {
    expect(() => wikipedia({ contact: 'a@b.c)\r\nx: y' })).toThrow(/wikipedia\.contact/);
    expect(() => wikipedia({ language: 'xx' as 'de' })).toThrow(/wikipedia\.language/);
  });
});
