import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import * as fc from 'fast-check';
import { withContext, type CallOptions } from '../../../lib/core/context.js';
import { CircuitOpenError, ToolsError, UpstreamInvalidError } from '../../../lib/core/errors.js';
import { UpstreamHealth } from '../../../lib/core/health.js';
import type { EmbeddingModelLike } from '../../../lib/model/ai-sdk.js';
import { Embedder } from '../../../lib/search/vectors/embedder.js';
import type { EmbeddingOptions } from '../../../lib/search/vectors/embedding-options.js';
import { cachedVectors } from '../../../lib/search/vectors/vector-store.js';
import {
  embeddingModel,
  startFakeVectors,
  type FakeVectors,
  type VectorFault,
} from '../../support/fake-vectors/fake-vectors.js';

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
