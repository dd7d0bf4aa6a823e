import { jest } from '@jest/globals';
import fc from 'fast-check';
import { raceAbort, withContext, type CallOptions } from '../../lib/core/context.js';
import {
  CircuitOpenError,
  ToolsError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../lib/core/errors.js';
import { CircuitBreaker } from '../../lib/core/upstream/circuit-breaker.js';

const down = (retryAfterSeconds?: number): Error =>
  new UpstreamUnavailableError('down', { retryAfterSeconds });

/** A breaker on a clock that only the test moves. */
function harness() {
  const clock = { now: 0 };
  jest.spyOn(performance, 'now').mockImplementation(() => clock.now);
  const breaker = new CircuitBreaker('Fake');
  let calls = 0;
  const run = <T>(work: () => Promise<T>, options: CallOptions = {}): Promise<T> =>
    withContext(Infinity, options, (context) => breaker.run(context, work));
  const call = (outcome: unknown = 'ok', caller = 'a'): Promise<unknown> =>
    run(
      () => {
        calls++;
        return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
      },
      { caller },
    ).catch((error: unknown) => error);
  const fail = async (times: number, caller = 'a'): Promise<void> => {
    for (let i = 0; i < times; i++) await call(down(), caller);
  };
  return { breaker, clock, run, call, fail, calls: () => calls };
}

describe('CircuitBreaker', () => {
  let random: jest.SpiedFunction<typeof Math.random>;
  beforeEach(() => {
    random = jest.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(() => {
    random.mockRestore();
    jest.restoreAllMocks();
  });

  it('opens after five failures in a row and then sends nothing', async () => {
    const { breaker, call, calls, fail } = harness();
    await fail(4);
    expect(breaker.isOpen).toBe(false);
    await fail(1);
    expect(breaker.isOpen).toBe(true);
    const refused = await call();
    expect(refused).toBeInstanceOf(CircuitOpenError);
    expect(refused).toMatchObject({ retryAfterSeconds: 5, code: 'upstream_unavailable' });
    expect(calls()).toBe(5);
  });

  it('counts only failures in a row', async () => {
    const { breaker, call, fail } = harness();
    for (let i = 0; i < 5; i++) {
      await fail(4);
      await call('ok');
    }
    expect(breaker.isOpen).toBe(false);
  });

  it('lets calls through after the rest, and a success closes it', async () => {
    const { clock, call, calls, fail } = harness();
    await fail(5);
    clock.now = 4999;
    expect(await call()).toBeInstanceOf(CircuitOpenError);
    clock.now = 5000;
    expect(await Promise.all([call(), call()])).toEqual(['ok', 'ok']);
    await fail(4);
    expect(await call('again')).toBe('again');
    expect(calls()).toBe(12);
  });

  it('counts calls that fail together after the rest once', async () => {
    const { clock, call, fail } = harness();
    await fail(5);
    clock.now = 5000;
    await Promise.all([call(down()), call(down())]);
    expect(await call()).toMatchObject({ retryAfterSeconds: 10 });
  });

  it('rests longer each time that it still fails, never longer than the cap', async () => {
    const { breaker, clock, call, fail } = harness();
    await fail(5);
    const rests: number[] = [];
    for (let i = 0; i < 5; i++) {
      const before = clock.now;
      while (breaker.isOpen) clock.now += 100;
      rests.push(clock.now - before);
      expect(await call(down())).not.toBeInstanceOf(CircuitOpenError);
    }
    expect(rests).toEqual([5000, 10_000, 20_000, 30_000, 30_000]);
  });

  it('rests at once, and as long as the upstream asks, up to the cap', async () => {
    for (const [asked, rest] of [
      [2, 2000],
      [12, 12_000],
      [3600, 30_000],
    ] as const) {
      const { breaker, clock, call, calls } = harness();
      await call(down(asked));
      expect(breaker.isOpen).toBe(true);
      clock.now = rest - 1;
      await call();
      expect(calls()).toBe(1);
      clock.now = rest;
      expect(await call('ok')).toBe('ok');
    }
  });

  it('takes up to a quarter off its own time of rest', async () => {
    const { breaker, clock, fail } = harness();
    random.mockReturnValue(0.999);
    await fail(5);
    clock.now = 3750;
    expect(breaker.isOpen).toBe(true);
    clock.now = 3752;
    expect(breaker.isOpen).toBe(false);
  });

  it('ignores a caller that left, and counts an error below 502 as a sign of life', async () => {
    const { breaker, call, fail } = harness();
    await fail(4);
    await call(new Error('client gone'));
    await fail(1);
    expect(breaker.isOpen).toBe(true);
    const other = harness();
    await other.fail(4);
    await other.call(new ToolsError('content_not_found', 'x'));
    await other.fail(4);
    expect(other.breaker.isOpen).toBe(false);
  });

  it('rests as long however the system clock is set', async () => {
    const { breaker, clock, fail } = harness();
    const day = 86_400_000;
    const date = jest.spyOn(Date, 'now').mockReturnValue(day);
    await fail(5);
    for (const jumped of [0, 2 * day]) {
      date.mockReturnValue(jumped);
      clock.now = 4999;
      expect(breaker.isOpen).toBe(true);
      clock.now = 5000;
      expect(breaker.isOpen).toBe(false);
    }
    date.mockRestore();
  });

  it('learns nothing from calls that end with the deadline of their caller', async () => {
    const { breaker, clock, fail, call } = harness();
    const late = (): Promise<unknown> =>
      withContext(1, { caller: 'a' }, (context) =>
        breaker.run(context, () => raceAbort(new Promise(() => undefined), context.signal)),
      ).catch((error: unknown) => error);
    for (let i = 0; i < 8; i++) expect(await late()).toBeInstanceOf(UpstreamTimeoutError);
    expect(breaker.isOpen).toBe(false);
    await fail(5);
    clock.now = 5000;
    await late();
    expect(await call('ok')).toBe('ok');
  });

  describe('with several callers', () => {
    it('keeps out only the caller whose calls fail', async () => {
      const { call, calls, fail } = harness();
      await fail(5, 'a');
      expect(await call('ok', 'a')).toBeInstanceOf(CircuitOpenError);
      expect(await call('ok', 'b')).toBe('ok');
      expect(await call('ok', 'a')).toBe('ok');
      expect(calls()).toBe(7);
    });

    it('keeps out all of them once the call of another one fails too', async () => {
      const { call, calls, fail } = harness();
      await fail(5, 'a');
      await fail(1, 'b');
      expect(await call('ok', 'c')).toBeInstanceOf(CircuitOpenError);
      expect(calls()).toBe(6);
      const mixed = harness();
      await mixed.fail(4, 'a');
      await mixed.fail(1, 'b');
      expect(await mixed.call('ok', 'c')).toBeInstanceOf(CircuitOpenError);
    });

    it('keeps out all of them when the upstream names a time to wait', async () => {
      const { call } = harness();
      await call(down(7), 'a');
      expect(await call('ok', 'b')).toMatchObject({ retryAfterSeconds: 7 });
    });

    it('asks another caller after the rest, before it keeps out all again', async () => {
      const { clock, call, fail } = harness();
      await fail(3, 'a');
      await fail(2, 'b');
      clock.now = 5000;
      await fail(1, 'a');
      expect(await call(down(), 'b')).not.toBeInstanceOf(CircuitOpenError);
      expect(await call('ok', 'c')).toBeInstanceOf(CircuitOpenError);
    });
  });

  it('does not take the late outcome of an old call for news', async () => {
    const { breaker, clock, run, call, fail } = harness();
    let finish: (value: string) => void = () => undefined;
    let breakOff: (error: Error) => void = () => undefined;
    const good = run(() => new Promise<string>((resolve) => (finish = resolve)));
    const bad = run(() => new Promise<string>((_resolve, reject) => (breakOff = reject)));
    await Promise.resolve();
    await fail(5);
    finish('late');
    expect(await good).toBe('late');
    expect(breaker.isOpen).toBe(true);
    clock.now = 5000;
    await call('ok');
    breakOff(down(60));
    await bad.catch(() => undefined);
    expect(breaker.isOpen).toBe(false);
  });

  it('is closed again within 30 s of the upstream being back, whatever happened before', async () => {
    const event = fc.record({
      caller: fc.constantFrom('a', 'b', 'c'),
      pause: fc.integer({ min: 0, max: 40_000 }),
      outcome: fc.constantFrom<unknown>(
        'ok',
        down(),
        down(),
        down(7),
        down(100_000),
        new Error('client gone'),
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 40 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        async (past, jitter) => {
          random.mockReturnValue(jitter);
          const { breaker, clock, call } = harness();
          for (const { pause, outcome, caller } of past) {
            clock.now += pause;
            await call(outcome, caller);
          }
          clock.now += 30_000;
          expect(await call('ok', 'd')).toBe('ok');
          expect(breaker.isOpen).toBe(false);
        },
      ),
    );
  });
});
