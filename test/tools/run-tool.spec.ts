import { Logger } from '@nestjs/common';
import { FairQueue } from '../../lib/core/fair-queue.js';
import { memoryCacheStore, type CacheStore } from '../../lib/core/cache.js';
import type { Admit, CallOptions } from '../../lib/core/context.js';
import { UpstreamUnavailableError } from '../../lib/core/errors.js';
import type { ModelUsage } from '../../lib/core/usage.js';
import type { Warning } from '../../lib/core/warning.js';
import { AnyWork } from '../support/any-work.js';

Logger.overrideLogger(false);

type Result = { text: string; warnings: Warning[]; coverage?: number; usage?: ModelUsage };

const runnerOf = (store?: CacheStore): AnyWork<Result> => new AnyWork<Result>({ cache: store });

const resultFrom = (text: string): Result => ({
  text,
  ...(text === 'partial' ? { coverage: 0.5 } : {}),
  // What the host's own engine says of itself.
  warnings: [{ code: 'own', message: 'Something.', transient: text === 'hurried' }],
  usage: { modelCalls: 1, inputTokens: 2, outputTokens: 3 },
});

const ask = (
  runner: AnyWork<Result>,
  work: (signal: AbortSignal) => Promise<string>,
  call: CallOptions = {},
): Promise<Result & { cached: boolean }> =>
  runner.run(
    { key: ['question'], deadlineMs: 5000, run: async ({ signal }) => resultFrom(await work(signal)) },
    call,
  );
const turn = (): Promise<void> => new Promise(setImmediate);
/** A text that is there when the test says so. */
const later = (): { text: Promise<string>; arrive: (text: string) => void } => {
  let arrive!: (text: string) => void;
  const text = new Promise<string>((resolve) => (arrive = resolve));
  return { text, arrive };
};

describe('a tool that runs', () => {
  it('does the work once and says afterwards that it was done before', async () => {
    const runner = runnerOf(memoryCacheStore());
    let runs = 0;
    const work = (): Promise<string> => Promise.resolve(`run ${++runs}`);
    expect(await ask(runner, work)).toMatchObject({ text: 'run 1', cached: false });
    expect(await ask(runner, work)).toMatchObject({ text: 'run 1', cached: true });
    expect(await ask(runner, work, { noCache: true })).toMatchObject({
      text: 'run 2',
      cached: false,
    });
  });

  it('shares the work of a thousand equal requests', async () => {
    const runner = runnerOf();
    let runs = 0;
    const answers = await Promise.all(
      Array.from({ length: 1000 }, () => ask(runner, async () => `run ${await Promise.resolve(++runs)}`)),
    );
    expect(runs).toBe(1);
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['run 1']));
    expect(answers.filter(({ usage }) => usage!.modelCalls > 0)).toHaveLength(1);
  });

  it('cancels the work when the last of its waiters has left, and not before', async () => {
    const runner = runnerOf();
    const [first, second] = [new AbortController(), new AbortController()];
    let workSignal: AbortSignal | undefined;
    const work = (signal: AbortSignal): Promise<string> => {
      workSignal = signal;
      return new Promise(() => undefined);
    };
    const one = ask(runner, work, { signal: first.signal }).catch((error: unknown) => error);
    const two = ask(runner, work, { signal: second.signal }).catch((error: unknown) => error);
    await turn();
    first.abort(new Error('first left'));
    expect(await one).toMatchObject({ message: 'first left' });
    expect(workSignal!.aborted).toBe(false);
    second.abort(new Error('second left'));
    expect(await two).toMatchObject({ message: 'second left' });
    expect(workSignal!.aborted).toBe(true);
  });

  it('caches neither errors nor what should not be cached', async () => {
    const runner = runnerOf(memoryCacheStore());
    await expect(ask(runner, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    for (const [made, given, cached] of [
      ['partial', 'partial', false],
      ['hurried', 'hurried', false],
      ['whole', 'whole', false],
      ['again', 'whole', true],
    ] as const)
      expect(await ask(runner, () => Promise.resolve(made))).toMatchObject({
        text: given,
        cached,
      });
  });

  it.each<[string, CacheStore]>([
    ['fails', { get: () => Promise.reject(new Error('gone')), set: () => Promise.reject(new Error('gone')) }],
    [
      'throws',
      {
        get: () => {
          throw new Error('gone');
        },
        set: () => {
          throw new Error('gone');
        },
      },
    ],
    ['hangs', { get: () => new Promise(() => undefined), set: () => new Promise(() => undefined) }],
    ['holds something else', { get: () => Promise.resolve('{not json'), set: () => Promise.resolve() }],
    ['holds nothing but null', { get: () => Promise.resolve('null'), set: () => Promise.resolve() }],
    ['holds no text', { get: () => Promise.resolve(7), set: () => Promise.resolve() }],
    ['holds a list', { get: () => '[7]', set: () => Promise.resolve() }],
  ])('answers without a store that %s', async (_how, store) => {
    expect(await ask(runnerOf(store), () => Promise.resolve('made'))).toMatchObject({
      text: 'made',
      cached: false,
    });
  });
});

describe('the place in the queue', () => {
  const queue = (perCaller: number, places = 10): FairQueue =>
    new FairQueue({ slots: 2, perCaller, places, waitMs: 60_000 });
  const admitting =
    (to: FairQueue, caller: string): Admit =>
    (signal, work) =>
      to.run({ callers: () => [caller], signal }, work);

  it('of the caller with room counts, not of the one who asked first', async () => {
    const rooms = queue(1);
    const busy = later();
    const running = admitting(rooms, 'greedy')(new AbortController().signal, () => busy.text);
    const runner = runnerOf();
    let runs = 0;
    const work = (): Promise<string> => Promise.resolve(`run ${++runs}`);
    const first = ask(runner, work, { admit: admitting(rooms, 'greedy') });
    await turn();
    expect(rooms.load).toEqual({ running: 1, waiting: 1 });
    const second = ask(runner, work, { admit: admitting(rooms, 'idle') });
    expect((await second).text).toBe('run 1');
    expect((await first).text).toBe('run 1');
    await turn();
    // Nobody waits any more, and only the work of before holds a slot.
    expect(rooms.load).toEqual({ running: 1, waiting: 0 });
    busy.arrive('done');
    await running;
    expect(runs).toBe(1);
  });

  it('is held by the admitted caller until the work ends, and by nobody else', async () => {
    const rooms = queue(1);
    const runner = runnerOf();
    const work = later();
    const answers = ['a', 'b', 'c'].map((caller) =>
      ask(runner, () => work.text, { admit: admitting(rooms, caller) }),
    );
    await turn();
    expect(rooms.load).toEqual({ running: 1, waiting: 0 });
    work.arrive('made');
    await Promise.all(answers);
    await turn();
    expect(rooms.load).toEqual({ running: 0, waiting: 0 });
  });

  it('is refused only when every waiter is refused', async () => {
    const runner = runnerOf();
    const refuse: Admit = () => Promise.reject(new UpstreamUnavailableError('busy'));
    await expect(ask(runner, () => Promise.resolve('made'), { admit: refuse })).rejects.toBeInstanceOf(
      UpstreamUnavailableError,
    );
    let admit!: () => void;
    const room = new Promise<void>((resolve) => (admit = resolve));
    const waiting: Admit = async (_signal, work) => {
      await room;
      return work();
    };
    const first = ask(runner, () => Promise.resolve('made'), { admit: waiting });
    await turn();
    const second = ask(runner, () => Promise.resolve('made'), { admit: refuse });
    await turn();
    admit();
    expect((await second).text).toBe('made');
    expect((await first).text).toBe('made');
  });

  it('is given up by a caller that leaves; the others keep theirs', async () => {
    const rooms = queue(1);
    const busy = [later(), later()];
    const running = busy.map(({ text }, i) =>
      admitting(rooms, ['a', 'b'][i]!)(new AbortController().signal, () => text),
    );
    const runner = runnerOf();
    const leaving = new AbortController();
    const first = ask(runner, () => Promise.resolve('made'), {
      admit: admitting(rooms, 'a'),
      signal: leaving.signal,
    });
    const second = ask(runner, () => Promise.resolve('made'), { admit: admitting(rooms, 'b') });
    const left = expect(first).rejects.toThrow('left');
    await turn();
    expect(rooms.load).toEqual({ running: 2, waiting: 2 });
    leaving.abort(new Error('left'));
    await left;
    expect(rooms.load).toEqual({ running: 2, waiting: 1 });
    busy[1]!.arrive('done');
    expect((await second).text).toBe('made');
    busy[0]!.arrive('done');
    await Promise.all(running);
  });

  it('is not asked for an answer from the cache', async () => {
    const runner = runnerOf(memoryCacheStore());
    await ask(runner, () => Promise.resolve('made'));
    const admit: Admit = () => Promise.reject(new Error('nobody may work'));
    expect((await ask(runner, () => Promise.resolve('again'), { admit })).cached).toBe(true);
  });
});
