import * as fc from 'fast-check';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { withContext, type CallOptions } from '../../../lib/core/context.js';
import { documents, type DocumentsOptions } from '../../../lib/search/providers/documents.provider.js';
import type { SearchDocument } from '../../../lib/search/ranking/document-index.js';
import type { SearchQuery } from '../../../lib/search/search-provider.js';
import { VectorIndex } from '../../../lib/search/vectors/document-vectors.js';
import {
  type VectorEntry,
  type VectorStore,
  cachedVectors,
} from '../../../lib/search/vectors/vector-store.js';
import { ToolsModule } from '../../../lib/tools.module.js';
import { eventually } from '../../support/eventually.js';
import {
  embeddingModel,
  startFakeVectors,
  type FakeVectors,
  type VectorFault,
} from '../../support/fake-vectors/fake-vectors.js';
import { closeHosts, startHost } from '../../support/host.js';
import { CircuitOpenError, ToolsError, UpstreamInvalidError } from '../../../lib/core/errors.js';
import { UpstreamHealth } from '../../../lib/core/health.js';
import type { EmbeddingModelLike } from '../../../lib/model/ai-sdk.js';
import { Embedder } from '../../../lib/search/vectors/embedder.js';
import type { EmbeddingOptions } from '../../../lib/search/vectors/embedding-options.js';

// Failures of the fake server.
Logger.overrideLogger(false);

/** The meanings that the fake model knows: words that mean the same have the same place. */
const MEANINGS = [
  ['dog', 'dogs', 'puppy', 'hound'],
  ['train', 'trains', 'railway', 'locomotive'],
  ['doctor', 'physician', 'surgeon'],
];
const meaningOf = (text: string): number[] => {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const vector = MEANINGS.map((same) => words.filter((word) => same.includes(word)).length);
  return [...vector, 0.5];
};

const page = (name: string, text: string): SearchDocument => ({
  url: `https://town.example/${name}`,
  title: name,
  text,
});
const PAGES = [
  page('Kennel', 'Every hound gets two meals a day.'),
  page('Station', 'The locomotive leaves at noon from platform four.'),
  page('Clinic', 'A physician is present at all hours.'),
  page('Bakery', 'Bread is sold until six in the evening.'),
  page('Library', 'Books can be kept for four weeks.'),
];

class MemoryStore implements VectorStore {
  readonly entries = new Map<string, Float32Array>();
  get = async (keys: readonly string[]) => keys.map((key) => this.entries.get(key));
  put = async (entries: readonly VectorEntry[]) =>
    entries.forEach(({ key, vector }) => this.entries.set(key, vector));
}

describe('documents() with embeddings', () => {
  let fake: FakeVectors;
  const stopped = new AbortController();
  beforeEach(async () => {
    fake = await startFakeVectors(meaningOf);
  });
  afterEach(async () => {
    await closeHosts();
    await fake.close();
  });
  afterAll(() => stopped.abort());

  const provide = (options: Partial<DocumentsOptions> = {}, pages: readonly SearchDocument[] = PAGES) =>
    documents(pages, {
      embeddings: embeddingModel(fake),
      ...options,
      embeddingOptions: { backOffMs: 1, ...options.embeddingOptions },
    });
  const ask = (provider: ReturnType<typeof provide>, query: Partial<SearchQuery>, ms = 60_000) =>
    withContext(ms, {}, (context) => provider.search({ text: 'puppy', count: 5, ...query }, context));
  const complete = async (provider: ReturnType<typeof provide>): Promise<void> => {
    await ask(provider, {});
    await eventually(
      () => provider.version!.endsWith('+fake-embedding'),
      () => String(provider.version),
    );
  };
  const names = ({ hits }: { hits: { url: string }[] }) => hits.map(({ url }) => url.split('/').at(-1));

  it('finds pages by their words at once, and by their meaning as soon as all are embedded', async () => {
    let release = (): void => undefined;
    fake.settings.held = new Promise((resolve) => (release = resolve));
    const provider = provide();
    expect(await ask(provider, { text: 'puppy' })).toEqual({ hits: [] });
    expect(names(await ask(provider, { text: 'locomotive' }))).toEqual(['Station']);
    const before = provider.version;
    release();
    await eventually(
      () => provider.version !== before,
      () => String(before),
    );
    const { hits, warnings } = await ask(provider, { text: 'puppy' });
    expect(hits[0]).toMatchObject({ url: 'https://town.example/Kennel', passages: [PAGES[0]!.text] });
    expect(hits.every(({ score }) => score! > 0 && score! <= 1)).toBe(true);
    expect(warnings).toBeUndefined();
  });

  it('embeds each passage once, with its title, however many searches come', async () => {
    const provider = provide({ embeddingOptions: { batchSize: 2 } });
    await Promise.all(Array.from({ length: 10 }, () => ask(provider, { text: 'bread' })));
    await complete(provider);
    const documentsSent = fake.calls.flatMap(({ texts }) => texts).filter((text) => text.includes('\n'));
    expect(documentsSent.sort()).toEqual(PAGES.map(({ title, text }) => `${title}\n${text}`).sort());
  });

  it('shows the passage of a long page that the vectors found', async () => {
    const filler = Array.from({ length: 120 }, (_, i) => `Line ${i} tells of nothing in particular.`).join(
      ' ',
    );
    const long = page('Guide', `${filler}\n\n## Animals\n\nEvery hound is welcome here. ${filler}`);
    const provider = provide({}, [...PAGES.slice(1), long]);
    await complete(provider);
    const { hits } = await ask(provider, { text: 'puppy' });
    expect(hits[0]!.url).toBe(long.url);
    expect(hits[0]!.passages![0]).toContain('Every hound is welcome here.');
    expect(hits[0]!.passages![0]!.length).toBeLessThan(2000);
  });

  it('keeps a page that has all words of the query first', async () => {
    const provider = provide({}, [...PAGES, page('Puppy school', 'The puppy school opens on Monday.')]);
    await complete(provider);
    expect(names(await ask(provider, { text: 'puppy school' }))[0]).toBe('Puppy school');
  });

  it('finds only what the query admits', async () => {
    const other = { ...page('Kennel', 'The hound sleeps.'), url: 'https://other.example/Kennel' };
    const provider = provide({}, [...PAGES, other]);
    await complete(provider);
    const { hits } = await ask(provider, { includeDomains: ['other.example'] });
    expect(hits.map(({ url }) => url)).toEqual([other.url]);
    expect(await ask(provider, { freshness: 'week' })).toEqual({ hits: [] });
  });

  it.each(['server_error', 'unauthorized', 'html', 'too_few'] as const)(
    'searches words and warns when the query cannot be embedded (%s)',
    async (fault) => {
      const provider = provide();
      await complete(provider);
      fake.settings.fault = () => fault;
      const { hits, warnings } = await ask(provider, { text: 'locomotive' });
      expect(hits[0]!.url).toBe('https://town.example/Station');
      expect(warnings).toEqual([
        {
          code: 'embeddings_failed',
          message: expect.stringContaining('documents searched by words only'),
          transient: true,
        },
      ]);
    },
  );

  it('does not wait longer than its share for the vector of a query', async () => {
    const provider = provide();
    await complete(provider);
    fake.settings.fault = () => 'hang';
    const { hits, warnings } = await ask(provider, { text: 'locomotive' }, 2000);
    expect(hits).toHaveLength(1);
    expect(warnings).toMatchObject([
      { code: 'embeddings_failed', message: expect.stringContaining('timeout'), transient: true },
    ]);
  });

  it('warns while no passage can be embedded, tries again, and goes on', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    let broken = true;
    fake.settings.fault = () => (broken ? 'server_error' : undefined);
    const provider = provide({ embeddingOptions: { attempts: 1 } });
    await ask(provider, { text: 'locomotive' });
    await eventually(
      () => warn.mock.calls.length > 0,
      () => 'no warning',
    );
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('documents: passages cannot be embedded'));
    const { hits, warnings } = await ask(provider, { text: 'locomotive' });
    expect(hits).toHaveLength(1);
    expect(warnings).toMatchObject([{ code: 'embeddings_failed' }]);
    broken = false;
    await complete(provider);
    expect(names(await ask(provider, {}))[0]).toBe('Kennel');
    warn.mockRestore();
  });

  it('leaves out the passages that the model refuses', async () => {
    fake.settings.fault = (_n, texts) => (texts[0]!.startsWith('Bakery') ? 'refused' : undefined);
    const provider = provide({ embeddingOptions: { batchSize: 1, maxParallelCalls: 1 } });
    await complete(provider);
    expect(names(await ask(provider, {}))[0]).toBe('Kennel');
    expect(names(await ask(provider, { text: 'bread evening' }))[0]).toBe('Bakery');
  });

  it('takes known vectors from the store, and none of a changed page', async () => {
    const vectors = new MemoryStore();
    await complete(provide({ vectors }));
    expect(vectors.entries.size).toBe(5);
    const sent = fake.calls.length;
    const changed = [page('Kennel', 'The kennel is closed for good.'), ...PAGES.slice(1, 4)];
    const provider = provide({ vectors }, changed);
    await complete(provider);
    expect(fake.calls.slice(sent).flatMap(({ texts }) => texts)).toEqual([
      'Kennel\nThe kennel is closed for good.',
    ]);
    expect(JSON.stringify(await ask(provider, {}))).not.toContain('hound');
    const { hits } = await ask(provider, { text: 'Library books' });
    expect(JSON.stringify(hits)).not.toContain('four weeks');
  });

  it.each([
    [{ embeddings: {} }, '`documents.embeddings`'],
    [{ vectors: new MemoryStore() }, '`documents.vectors`'],
    [{ embeddingOptions: {} }, '`documents.embeddingOptions`'],
    [{ embeddings: 'some/m', embeddingOptions: { batchSize: 0 } }, '`documents.embeddingOptions.batchSize`'],
    [{ embeddings: 'some/m', vectors: {} }, '`documents.vectors`'],
    [{ embedings: 'm' }, 'Did you mean `embeddings`?'],
  ])('names what is wrong with %j', (options, name) => {
    expect(() => documents(PAGES, options as never)).toThrow(name);
  });

  describe('over HTTP', () => {
    const start = async (options: Partial<DocumentsOptions> = {}) => {
      const provider = provide(options);
      const { http, app } = await startHost([
        ToolsModule.forRoot({ apiKeys: ['key'], logRequests: false, search: { providers: [provider] } }),
      ]);
      const search = async (query: string) => {
        const { body } = await http.post('/v1/tools/search_web').set('X-API-Key', 'key').send({ query });
        return (body as { data: { results: { source_url: string; score: number }[]; warnings?: unknown[] } })
          .data;
      };
      return { provider, search, app };
    };

    it('embeds from the start on, finds by meaning, and warns without caching when the model fails', async () => {
      const { provider, search } = await start();
      await eventually(
        () => provider.version!.endsWith('+fake-embedding'),
        () => String(provider.version),
      );
      fake.settings.fault = () => 'server_error';
      expect((await search('puppy')).warnings).toMatchObject([{ code: 'embeddings_failed' }]);
      fake.settings.fault = () => undefined;
      const { results, warnings } = await search('puppy');
      expect(results[0]!.source_url).toBe('https://town.example/Kennel');
      expect(results.map(({ score }) => score)).toEqual(
        results.map(({ score }) => score).sort((a, b) => b - a),
      );
      expect(warnings ?? []).toEqual([]);
    });

    it('stops embedding when the application is closed', async () => {
      fake.settings.held = new Promise(() => undefined);
      const { app } = await start();
      await eventually(
        () => fake.calls.length > 0,
        () => 'no call',
      );
      await app.close();
      await eventually(
        () => fake.calls[0]!.aborted,
        () => 'not aborted',
      );
      expect(fake.calls).toHaveLength(1);
    });
  });
});

describe('VectorIndex', () => {
  const unit = (vector: readonly number[]): Float32Array => {
    const length = Math.hypot(...vector) || 1;
    return Float32Array.from(vector, (value) => value / length);
  };

  it('finds the very rows that comparing all of them finds', async () => {
    const number = fc.float({ min: -1, max: 1, noNaN: true });
    const table = fc.integer({ min: 1, max: 9 }).chain((size) =>
      fc.tuple(
        fc.array(fc.option(fc.array(number, { minLength: size, maxLength: size }), { freq: 5 }), {
          maxLength: 600,
        }),
        fc.array(number, { minLength: size, maxLength: size }),
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 1, max: 3 }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(table, async ([rows, query, count, step]) => {
        const index = new VectorIndex(rows.length, query.length);
        const asked = unit(query);
        const all: { unit: number; score: number }[] = [];
        rows.forEach((row, i) => {
          if (!row) return;
          const vector = unit(row);
          index.set(i, vector);
          all.push({ unit: i, score: vector.reduce((sum, value, k) => sum + value * asked[k]!, 0) });
        });
        const accepts = (row: number): boolean => row % step === 0;
        const found = await index.nearest(asked, count, () => undefined, accepts);
        const scores = all
          .filter((row) => accepts(row.unit))
          .map(({ score }) => score)
          .sort((a, b) => b - a)
          .slice(0, count);
        expect(found.rows).toHaveLength(scores.length);
        found.rows.forEach(({ unit: row, score }, i) => {
          expect(score).toBeCloseTo(scores[i]!, 5);
          expect(score).toBeCloseTo(all.find((one) => one.unit === row)!.score, 5);
        });
        const mean = all.reduce((sum, { score }) => sum + score, 0) / (all.length || 1);
        expect(found.mean).toBeCloseTo(mean, 5);
      }),
    );
  });

  it('gives way to other work while it compares', async () => {
    const index = new VectorIndex(10_000, 4);
    let turns = 0;
    await index.nearest(unit([1, 0, 0, 0]), 3, () => {
      turns++;
      return undefined;
    });
    expect(turns).toBeGreaterThan(30);
  });
});

// Failures of the fake server.
Logger.overrideLogger(false);

const TEXTS = ['Return the bike to any station.', 'The museum is closed on Mondays.', 'Moons of Saturn'];
const only = (index: number, fault: VectorFault) => (n: number) => (n === index ? fault : undefined);

describe('Embedder', () => {
  let fake: FakeVectors;
  beforeEach(async () => {
    fake = await startFakeVectors();
  });
  afterEach(() => fake.close());

  const embedder = (options: EmbeddingOptions = {}) =>
    new Embedder(embeddingModel(fake), { backOffMs: 1, ...options });
  const embed = (texts: readonly string[], by = embedder(), call: CallOptions = {}) =>
    withContext(120_000, call, (context) => by.embed(texts, context));

  it('gives a vector of length 1 for each text, in their order', async () => {
    const vectors = await embed(TEXTS);
    expect(vectors).toHaveLength(3);
    for (const [i, vector] of vectors.entries()) {
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      const own = fake.settings.vectorOf(TEXTS[i]!);
      const length = Math.hypot(...own);
      expect([...vector]).toEqual(own.map((value) => Math.fround(value / length)));
    }
    expect(fake.calls).toHaveLength(1);
  });

  it('sends batches, only so many at once, and reports what they cost', async () => {
    const spent = { modelCalls: 0, inputTokens: 0 };
    const texts = Array.from({ length: 25 }, (_, i) => `Text number ${i}`);
    const vectors = await embed(texts, embedder({ batchSize: 4, maxParallelCalls: 2 }), {
      spend: ({ modelCalls, inputTokens }) => {
        spent.modelCalls += modelCalls;
        spent.inputTokens += inputTokens;
      },
    });
    expect(vectors).toHaveLength(25);
    expect(fake.calls.map(({ texts }) => texts.length).sort()).toEqual([1, 4, 4, 4, 4, 4, 4]);
    expect(fake.maxRunning).toBeLessThanOrEqual(2);
    const tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
    expect(spent).toEqual({ modelCalls: 7, inputTokens: tokens });
  });

  it('sends no more texts at once than the model takes', async () => {
    const model = { ...embeddingModel(fake), maxEmbeddingsPerCall: 2 };
    Object.setPrototypeOf(model, Object.getPrototypeOf(embeddingModel(fake)) as object);
    await embed(TEXTS, new Embedder(model as EmbeddingModelLike));
    expect(fake.calls.map(({ texts }) => texts.length)).toEqual([2, 1]);
  });

  it.each<VectorFault>(['server_error', 'rate_limited', 'reset', 'html', 'too_few', 'not_numbers', 'uneven'])(
    'gets over one %s',
    async (fault) => {
      fake.settings.fault = only(0, fault);
      await expect(embed(TEXTS)).resolves.toHaveLength(3);
      expect(fake.calls).toHaveLength(2);
    },
  );

  it('gets over a call that hangs', async () => {
    fake.settings.fault = only(0, 'hang');
    await expect(embed(TEXTS, embedder({ callTimeoutMs: 100 }))).resolves.toHaveLength(3);
    expect(fake.calls[0]!.aborted).toBe(true);
  });

  it('fails with an error of the tools when every attempt does, and asks no longer after five such calls', async () => {
    fake.settings.fault = () => 'too_few';
    const by = embedder({ attempts: 2 });
    for (let i = 0; i < 5; i++) await expect(embed(TEXTS, by)).rejects.toThrow(UpstreamInvalidError);
    expect(fake.calls).toHaveLength(10);
    await expect(embed(TEXTS, by)).rejects.toThrow(CircuitOpenError);
    expect(fake.calls).toHaveLength(10);
  });

  it('does not repeat what would be refused again', async () => {
    fake.settings.fault = () => 'unauthorized';
    const error = await embed(TEXTS).catch((thrown: unknown) => thrown);
    expect(ToolsError.isInstance(error) && error.upstream).toEqual({ upstream: 'fake', status: 401 });
    expect(fake.calls).toHaveLength(1);
  });

  it('divides a batch that is too long, and shortens a text that is', async () => {
    const long = 'word '.repeat(400);
    fake.settings.fault = (_n, texts) => (texts.join().length > 600 ? 'too_long' : undefined);
    const vectors = await embed([...TEXTS, long, ...TEXTS]);
    expect(vectors).toHaveLength(7);
    expect(vectors[0]).toEqual(vectors[4]);
  });

  it('ends its calls when the caller leaves', async () => {
    fake.settings.held = new Promise(() => undefined);
    const controller = new AbortController();
    const answer = embed(TEXTS, embedder(), { signal: controller.signal });
    const failed = expect(answer).rejects.toThrow('left');
    while (fake.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error('left'));
    await failed;
  });

  it('sends no query that the budget of a request does not allow; documents belong to no request', async () => {
    const by = new Embedder(embeddingModel(fake), {}, { budget: { tokens: 1 } });
    const query = withContext(60_000, {}, (context) => by.embedQuery('opening hours', context));
    await expect(query).rejects.toThrow('budget.tokens');
    expect(fake.calls).toHaveLength(0);
    await expect(embed(TEXTS, by)).resolves.toHaveLength(3);
  });

  it('asks with the options of a query, where they are others', async () => {
    const by = embedder({
      providerOptions: { fake: { user: 'documents' } },
      queryProviderOptions: { fake: { user: 'queries' } },
    });
    await embed(['a'], by);
    await withContext(60_000, {}, (context) => by.embedQuery('a', context));
    expect(fake.calls.map(({ body }) => body.user)).toEqual(['documents', 'queries']);
  });

  it('tells the health registry how its calls end, in a group of its own', async () => {
    const health = new UpstreamHealth();
    const by = new Embedder(embeddingModel(fake), { backOffMs: 1 }, { health });
    await embed(['a'], by);
    expect(health.snapshot()).toMatchObject({ embeddings: { 'fake-embedding': { status: 'up' } } });
    fake.settings.fault = () => 'server_error';
    await embed(['a'], by).catch(() => undefined);
    expect(health.snapshot().embeddings!['fake-embedding']).toMatchObject({
      failures: 1,
      lastFault: 'fake 500',
    });
  });

  describe('with a store', () => {
    const cache = () => {
      const entries = new Map<string, string>();
      return {
        entries,
        get: (key: string) => entries.get(key),
        set: async (key: string, value: string) => void entries.set(key, value),
      };
    };
    const stored = (texts: readonly string[], by: Embedder, store: Parameters<Embedder['embed']>[2]) =>
      withContext(60_000, {}, (context) => by.embed(texts, context, store));

    it('embeds each text once, and a changed text anew', async () => {
      const store = cachedVectors(cache());
      const first = await stored(TEXTS, embedder(), store);
      const again = await stored([...TEXTS, 'A new one'], embedder(), store);
      expect(again.slice(0, 3)).toEqual(first);
      expect(fake.calls.map(({ texts }) => texts)).toEqual([TEXTS, ['A new one']]);
    });

    it('does not take the vectors of another model, or of other settings', async () => {
      const store = cachedVectors(cache());
      await stored(TEXTS, embedder(), store);
      await stored(TEXTS, new Embedder(embeddingModel(fake, 'other')), store);
      await stored(TEXTS, embedder({ providerOptions: { fake: { dimensions: 8 } } }), store);
      expect(fake.calls).toHaveLength(3);
    });

    it('works without a store that fails, and with one that returns nonsense', async () => {
      const warned = jest.fn();
      const broken = {
        get: () => Promise.reject(new Error('down')),
        put: () => Promise.reject(new Error('down')),
      };
      await expect(stored(TEXTS, embedder(), broken)).resolves.toHaveLength(3);
      const odd = {
        get: async () => [null, new Float32Array(0), 'x'] as never,
        put: async () => void warned(),
      };
      await expect(stored(TEXTS, embedder(), odd)).resolves.toHaveLength(3);
      expect(warned).toHaveBeenCalledTimes(1);
    });

    it('gives back the very numbers that it got', async () => {
      const store = cachedVectors(cache());
      const numbers = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 });
      await fc.assert(
        fc.asyncProperty(fc.uuid(), numbers, async (key, values) => {
          const vector = Float32Array.from(values);
          await store.put([{ key, vector }]);
          expect(await store.get([key, `${key}x`])).toEqual([vector, undefined]);
        }),
      );
    });
  });

  it.each([
    [() => new Embedder(embeddingModel(fake), { batchSize: 0 }), '`embeddingOptions.batchSize`'],
    [() => new Embedder(embeddingModel(fake), { batchsize: 8 } as never), 'batchSize'],
    [() => cachedVectors({} as never), '`cachedVectors`'],
  ])('names what is wrong with its options', (make, name) => {
    expect(make).toThrow(name);
  });
});
