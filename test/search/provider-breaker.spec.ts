import { setTimeout as delay } from 'node:timers/promises';
import { jest } from '@jest/globals';
import {
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../lib/core/errors.js';
import type { SearchHit } from '../../lib/search/search-provider.js';
import { SearchProviderError } from '../../lib/search/providers/search-provider.error.js';
import { eventually } from '../support/eventually.js';
import { answering, failing, hanging, hit, serviceWith, StubProvider } from './search.fixtures.js';

const down = (name: string, more: { retryAfterSeconds?: number } = {}) =>
  failing(name, new SearchProviderError(name, 'unavailable', 'It has an error on its side.', more));
const limited = (name: string, retryAfterSeconds: number) =>
  failing(name, new SearchProviderError(name, 'rate_limited', 'Too many requests.', { retryAfterSeconds }));

describe('a provider that keeps failing', () => {
  it('is not asked after five failures in a row, and the next one is, at once', async () => {
    const broken = down('broken');
    const service = serviceWith([broken, answering('good', [hit(1)])], { hedgeAfterMs: 60_000 });
    for (let i = 0; i < 8; i++) {
      const { provider, warnings } = await service.search({ query: `rivers ${i}` });
      expect(provider).toBe('good');
      expect(warnings).toMatchObject([{ code: 'provider_failed' }]);
    }
    expect(broken.queries).toHaveLength(5);
  });

  it('is asked again after its rest, and then as before', async () => {
    let works = false;
    const flaky = new StubProvider('flaky', async () => {
      if (works) return [hit(1)];
      throw new SearchProviderError('flaky', 'rate_limited', 'Too many requests.', { retryAfterSeconds: 10 });
    });
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1000);
    try {
      const service = serviceWith([flaky, answering('good', [hit(2)])]);
      await service.search({ query: 'rivers' });
      works = true;
      expect((await service.search({ query: 'rivers' })).provider).toBe('good');
      clock.mockReturnValue(11_001);
      expect((await service.search({ query: 'rivers' })).provider).toBe('flaky');
      expect((await service.search({ query: 'rivers' })).provider).toBe('flaky');
      expect(flaky.queries).toHaveLength(3);
    } finally {
      clock.mockRestore();
    }
  });

  it('is not judged by a query that it refuses, nor by losing the race', async () => {
    const picky = failing(
      'picky',
      new SearchProviderError('picky', 'bad_request', 'It refuses the request.'),
    );
    const slow = hanging('slow');
    const service = serviceWith([picky, slow, answering('good', [hit(1)])], {
      hedgeAfterMs: 1,
      deadlineMs: 400,
    });
    for (let i = 0; i < 7; i++) await service.search({ query: `rivers ${i}` });
    expect(picky.queries).toHaveLength(7);
    expect(slow.queries).toHaveLength(7);
  });

  describe('that hangs', () => {
    beforeEach(() => {
      jest.useFakeTimers();
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    it.each(['first', 'all'] as const)(
      'is left alone once five calls have reached its time limit (%s)',
      async (combine) => {
        const hung = hanging('hung');
        const options = { hedgeAfterMs: 1, deadlineMs: 60, combine };
        const service = serviceWith([hung, answering('good', [hit(1)])], options);
        const ask = async (): Promise<void> => {
          const searching = service.search({ query: 'rivers' }, { noCache: true });
          await jest.advanceTimersByTimeAsync(60);
          expect((await searching).provider).toBe('good');
        };
        for (let i = 0; i < 6; i++) await ask();
        expect(hung.signals.map(({ aborted }) => aborted)).toEqual(Array(6).fill(false));
        await jest.advanceTimersByTimeAsync(10_000);
        expect(hung.signals.every(({ aborted }) => aborted)).toBe(true);
        await ask();
        expect(hung.queries).toHaveLength(6);
      },
    );
  });

  it('is not judged by questions that it is slow at', async () => {
    const slow = new StubProvider('slow', async ({ text }, { signal }) => {
      if (text.startsWith('slow')) await delay(60_000, undefined, { signal, ref: false });
      return [hit(1)];
    });
    const service = serviceWith([slow], { deadlineMs: 500 });
    for (let i = 0; i < 6; i++)
      await expect(service.search({ query: `slow ${i}` })).rejects.toThrow(UpstreamTimeoutError);
    expect((await service.search({ query: 'rivers' })).provider).toBe('slow');
  });

  it('keeps its place when it is merely slower than the next one', async () => {
    let answered = 0;
    const good = answering('good', [hit(1)]);
    const slow = new StubProvider('slow', async () => {
      await eventually(
        () => good.queries.length > answered,
        () => 'the next one was not asked',
      );
      answered++;
      return [hit(2)];
    });
    const service = serviceWith([slow, good], { hedgeAfterMs: 1, deadlineMs: 10_000 });
    for (let i = 0; i < 12; i++) {
      expect((await service.search({ query: `rivers ${i}` })).provider).toBe('good');
      await eventually(
        () => answered === i + 1,
        () => `${answered} answers`,
      );
    }
    expect(slow.queries).toHaveLength(12);
  });

  it('is cancelled with its caller', async () => {
    const hung = hanging('hung');
    const service = serviceWith([hung], { deadlineMs: 1000 });
    const controller = new AbortController();
    const searching = service.search({ query: 'rivers' }, { signal: controller.signal });
    await eventually(
      () => hung.signals.length === 1,
      () => 'not asked',
    );
    controller.abort(new Error('left'));
    await expect(searching).rejects.toThrow('left');
    expect(hung.signals[0]!.aborted).toBe(true);
  });

  it('is not waited for where another one was late and has answered', async () => {
    jest.useFakeTimers();
    try {
      const hung = hanging('hung');
      let answer: (hits: SearchHit[]) => void = () => undefined;
      const late = new StubProvider('late', () => new Promise((resolve) => (answer = resolve)));
      const service = serviceWith([hung, late], { combine: 'all', deadlineMs: 20_000 });
      const searching = service.search({ query: 'rivers' });
      await jest.advanceTimersByTimeAsync(16_000);
      answer([hit(1)]);
      await jest.advanceTimersByTimeAsync(0);
      expect(await searching).toMatchObject({ provider: 'late', warnings: [{ code: 'provider_failed' }] });
    } finally {
      jest.useRealTimers();
    }
  });
});

describe("a host's own provider that is broken", () => {
  const giving = (result: unknown) => ({ name: 'own', search: async () => result as { hits: [] } });

  it.each([
    undefined,
    null,
    {},
    { hits: null },
    { hits: 'x' },
    { hits: [null] },
    { hits: [{ title: 'x' }] },
    [],
  ])('is a failure, and the next one answers: %j', async (result) => {
    const service = serviceWith([giving(result), answering('good', [hit(1)])]);
    const { provider, warnings } = await service.search({ query: 'rivers' });
    expect(provider).toBe('good');
    expect(warnings).toMatchObject([{ code: 'provider_failed' }]);
    await expect(serviceWith([giving(result)]).search({ query: 'rivers' })).rejects.toThrow(
      UpstreamInvalidError,
    );
  });

  it.each([
    ['title', 5],
    ['snippet', ['x']],
    ['publishedAt', new Date(0)],
    ['passages', [undefined, 3]],
    ['score', '0.5'],
    ['url', null],
  ])('is a failure for a wrong type of %s', async (field, value) => {
    const service = serviceWith([
      giving({ hits: [{ ...hit(2), [field]: value }] }),
      answering('good', [hit(1)]),
    ]);
    expect(await service.search({ query: 'rivers' })).toMatchObject({
      provider: 'good',
      warnings: [{ code: 'provider_failed', message: expect.stringContaining('upstream_invalid') }],
    });
  });

  it('may give null for what it does not know', async () => {
    const bare = {
      title: null,
      passages: null,
      score: null,
      publishedAt: null,
      license: null,
      attribution: null,
    };
    const { results } = await serviceWith([
      giving({ hits: [{ ...hit(1), snippet: 'Of rivers.', ...bare }] }),
    ]).search({
      query: 'rivers',
    });
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results)).not.toContain('null');
  });

  it('is cut off at the deadline when it throws at once, or heeds no signal', async () => {
    const thrower = {
      name: 'thrower',
      search: () => {
        throw new Error('at once');
      },
    };
    const deaf = { name: 'deaf', search: () => new Promise<never>(() => undefined) };
    const options = { hedgeAfterMs: 1, deadlineMs: 200 };
    expect(
      (await serviceWith([thrower, deaf, answering('good', [hit(1)])], options).search({ query: 'rivers' }))
        .provider,
    ).toBe('good');
    await expect(serviceWith([deaf], options).search({ query: 'rivers' })).rejects.toThrow(
      UpstreamTimeoutError,
    );
  });
});

describe('Retry-After of providers', () => {
  it('reaches the caller, the smallest of them, from the failure and from the open breaker', async () => {
    const providers = [limited('one', 25), limited('two', 12)];
    const service = serviceWith(providers);
    const first = await service.search({ query: 'rivers' }).catch((e: unknown) => e);
    expect(first).toBeInstanceOf(UpstreamUnavailableError);
    expect(first).toMatchObject({ code: 'upstream_unavailable', retryAfterSeconds: 12, shouldRetry: true });
    const second = (await service
      .search({ query: 'rivers' })
      .catch((e: unknown) => e)) as UpstreamUnavailableError;
    expect(second).toBeInstanceOf(UpstreamUnavailableError);
    expect(second.retryAfterSeconds).toBeGreaterThan(10);
    expect(second.retryAfterSeconds).toBeLessThanOrEqual(12);
    expect(second.details).toMatchObject({ attempts: [{ provider: 'one' }, { provider: 'two' }] });
    expect(providers.map((p) => p.queries.length)).toEqual([1, 1]);
  });
});
