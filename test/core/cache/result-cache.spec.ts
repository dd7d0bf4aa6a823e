import { Logger } from '@nestjs/common';
import { ResultCache } from '../../../lib/core/cache/result-cache.js';
import { memoryCacheStore, type CacheStore } from '../../../lib/core/cache-store.js';
import { withContext, type CallOptions } from '../../../lib/core/context.js';

Logger.overrideLogger(false);

const ask = (
  cache: ResultCache<string>,
  work: (signal: AbortSignal) => Promise<string>,
  options: CallOptions = {},
): Promise<{ value: string; cached: boolean }> =>
  withContext(5000, options, (context) =>
    cache.get(['question'], context, 5000, (shared) => work(shared.signal)),
  );

describe('ResultCache', () => {
  it('does the work once and says afterwards that it was done before', async () => {
    const cache = new ResultCache<string>('t:1', memoryCacheStore(), 1000, () => true);
    let runs = 0;
    const work = () => Promise.resolve(`run ${++runs}`);
    expect(await ask(cache, work)).toMatchObject({ value: 'run 1', cached: false });
    expect(await ask(cache, work)).toMatchObject({ value: 'run 1', cached: true });
    expect(await ask(cache, work, { noCache: true })).toMatchObject({ value: 'run 2', cached: false });
  });

  it('shares the work of a thousand equal requests', async () => {
    const cache = new ResultCache<string>('t:1', undefined, 1000, () => true);
    let runs = 0;
    const answers = await Promise.all(
      Array.from({ length: 1000 }, () => ask(cache, async () => `run ${await Promise.resolve(++runs)}`)),
    );
    expect(runs).toBe(1);
    expect(new Set(answers.map(({ value }) => value))).toEqual(new Set(['run 1']));
  });

  it('cancels the work when the last of its waiters has left, and not before', async () => {
    const cache = new ResultCache<string>('t:1', undefined, 1000, () => true);
    const [first, second] = [new AbortController(), new AbortController()];
    let workSignal: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      workSignal = signal;
      return new Promise<string>(() => undefined);
    };
    const one = ask(cache, work, { signal: first.signal }).catch((error: unknown) => error);
    const two = ask(cache, work, { signal: second.signal }).catch((error: unknown) => error);
    await new Promise(setImmediate);
    first.abort(new Error('first left'));
    expect(await one).toMatchObject({ message: 'first left' });
    expect(workSignal!.aborted).toBe(false);
    second.abort(new Error('second left'));
    expect(await two).toMatchObject({ message: 'second left' });
    expect(workSignal!.aborted).toBe(true);
  });

  it('keeps neither errors nor what is not worth keeping', async () => {
    const cache = new ResultCache<string>('t:1', memoryCacheStore(), 1000, (value) => value !== 'partial');
    await expect(ask(cache, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await ask(cache, () => Promise.resolve('partial'))).toMatchObject({
      value: 'partial',
      cached: false,
    });
    expect(await ask(cache, () => Promise.resolve('whole'))).toMatchObject({ value: 'whole', cached: false });
    expect(await ask(cache, () => Promise.resolve('again'))).toMatchObject({ value: 'whole', cached: true });
  });

  it.each<[string, CacheStore]>([
    ['fails', { get: () => Promise.reject(new Error('gone')), set: () => Promise.reject(new Error('gone')) }],
    ['hangs', { get: () => new Promise(() => undefined), set: () => new Promise(() => undefined) }],
    ['holds something else', { get: () => Promise.resolve('{not json'), set: () => Promise.resolve() }],
    ['holds nothing but null', { get: () => Promise.resolve('null'), set: () => Promise.resolve() }],
    ['holds no text', { get: () => Promise.resolve(7), set: () => Promise.resolve() }],
  ])('answers without a store that %s', async (_how, store) => {
    const cache = new ResultCache<string>('t:1', store, 1000, () => true);
    const start = performance.now();
    expect(await ask(cache, () => Promise.resolve('made'))).toMatchObject({ value: 'made', cached: false });
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('gone');
      },
    ],
    ['promises after all, and fails', () => Promise.reject(new Error('gone'))],
    ['holds something else', () => '{not json'],
    ['holds nothing but null', () => 'null'],
  ])('finds nothing kept at once in a store that %s', async (_how, get) => {
    const store = { immediate: true, get, set: () => Promise.resolve() };
    const kept = new ResultCache<string>('t:1', store, 1000, () => true).kept(['a']);
    const text = kept.text();
    expect(text === undefined ? undefined : kept.parse(text)).toBeUndefined();
    await new Promise(setImmediate);
  });
});

describe('memoryCacheStore', () => {
  it('holds no more bytes than it may', async () => {
    const store = memoryCacheStore(10_000);
    for (let i = 0; i < 100; i++) await store.set(`key-${i}`, 'x'.repeat(500), 60_000);
    const kept = await Promise.all(Array.from({ length: 100 }, (_, i) => store.get(`key-${i}`)));
    expect(kept.filter((value) => value !== undefined).length).toBeLessThanOrEqual(10);
    expect(kept.at(-1)).toBe('x'.repeat(500));
  });
});
