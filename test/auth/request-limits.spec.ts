import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { resolveLimits, type LimitOptions } from '../../lib/auth/auth.options.js';
import { MemoryLimitStore, type LimitCount, type LimitStore } from '../../lib/core/shared-state.js';
import { callerOf } from '../../lib/auth/api-key.guard.js';
import { RequestLimits, type LimitState } from '../../lib/auth/request-limits.js';
import { NEVER } from '../../lib/core/async.js';
import { BudgetUsedUpError, RateLimitedError } from '../../lib/core/errors.js';

const limitsOf = (options: LimitOptions): RequestLimits => new RequestLimits(resolveLimits(options));
const ignore = (): void => undefined;
/** Whether it refuses at once or later is all the same here. */
const take = async (limits: RequestLimits, ...args: Parameters<RequestLimits['take']>): Promise<void> =>
  limits.take(...args);
const SPENT = { modelCalls: 1, inputTokens: 900, outputTokens: 100, cost: 0.00325 };

describe('RequestLimits', () => {
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('counts nothing where nothing is limited', async () => {
    const add = jest.fn<LimitStore['add']>();
    const limits = limitsOf({ store: { add } });
    await take(limits, { id: 'a' }, 'search_web', () => {
      throw new Error('there is nothing to say');
    });
    await limits.charge({ id: 'a' }, SPENT);
    expect(await limits.verifyCounted({ ip: '192.0.2.1' }, () => undefined)).toBeUndefined();
    expect(add).not.toHaveBeenCalled();
  });

  it('counts both tools together, and each by itself', async () => {
    const limits = limitsOf({ requestsPerMinute: 3, tools: { summarize_content: 1 } });
    const said: (readonly LimitState[])[] = [];
    await take(limits, { id: 'a' }, 'summarize_content', (states) => said.push(states));
    expect(said[0]!.map(({ policy, limit, remaining }) => [policy, limit, remaining])).toEqual([
      ['requests', 3, 2],
      ['summarize_content', 1, 0],
    ]);
    await expect(take(limits, { id: 'a' }, 'summarize_content', ignore)).rejects.toBeInstanceOf(
      RateLimitedError,
    );
    await take(limits, { id: 'a' }, 'search_web', ignore);
    await expect(take(limits, { id: 'a' }, 'search_web', ignore)).rejects.toBeInstanceOf(RateLimitedError);
    await take(limits, { id: 'b' }, 'search_web', ignore);
  });

  it('takes the limits of a key one by one in place of those of everybody', async () => {
    const limits = limitsOf({ requestsPerMinute: 1, tools: { search_web: 1 } });
    const caller = { id: 'a', limits: { requestsPerMinute: 5 } };
    await take(limits, caller, 'search_web', ignore);
    await take(limits, caller, 'summarize_content', ignore);
    await expect(take(limits, caller, 'search_web', ignore)).rejects.toThrow('limit of 1 requests');
  });

  describe('model calls of a caller with a budget', () => {
    const callOf = (limits: RequestLimits, inputTokens: number) => async (): Promise<number> => {
      const usage = { modelCalls: 1, inputTokens, outputTokens: 0, cost: inputTokens / 1e6 };
      const account = limits.accountOf({ id: 'a' });
      const ended = await account.admitCall(
        { ...usage, outputTokens: 400, cost: (inputTokens + 400) / 1e6 },
        NEVER,
      );
      await new Promise((resolve) => setImmediate(resolve));
      account.spend(usage);
      ended();
      await account.settled();
      return inputTokens;
    };
    const spentBy = async (calls: (() => Promise<number>)[]): Promise<number> => {
      const ended = await Promise.allSettled(calls.map((call) => call()));
      const refused = ended.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
      for (const { reason } of refused) expect(reason).toBeInstanceOf(BudgetUsedUpError);
      return ended.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0);
    };

    it('exceed it by one call at most, however many come at once', async () => {
      const limits = limitsOf({ dailyTokens: 1000 });
      expect(await spentBy(Array.from({ length: 30 }, () => callOf(limits, 600)))).toBe(600);
      expect(await spentBy(Array.from({ length: 30 }, () => callOf(limits, 600)))).toBe(600);
      expect(await spentBy([callOf(limits, 600)])).toBe(0);
      const money = limitsOf({ dailyCost: 0.001 });
      expect(await spentBy(Array.from({ length: 30 }, () => callOf(money, 600)))).toBe(600);
    });

    it('run side by side while it lasts for all of them', async () => {
      const limits = limitsOf({ dailyTokens: 100_000 });
      const account = limits.accountOf({ id: 'a' });
      const usage = { modelCalls: 1, inputTokens: 600, outputTokens: 400 };
      await Promise.all(Array.from({ length: 30 }, () => account.admitCall(usage, NEVER)));
    });
  });

  it('starts anew when the window has passed', async () => {
    jest.useFakeTimers();
    const limits = limitsOf({ requestsPerMinute: 1 });
    await take(limits, { id: 'a' }, 'search_web', ignore);
    const error = await take(limits, { id: 'a' }, 'search_web', ignore).catch((e: RateLimitedError) => e);
    expect((error as RateLimitedError).retryAfterSeconds).toBe(60);
    jest.advanceTimersByTime(60_001);
    await take(limits, { id: 'a' }, 'search_web', ignore);
  });

  it('refuses once the tokens of the day are used up, until midnight UTC', async () => {
    jest.useFakeTimers({ now: new Date('2026-11-20T22:00:00Z') });
    const limits = limitsOf({ dailyTokens: 1500 });
    for (let i = 0; i < 2; i++) {
      await take(limits, { id: 'a' }, 'search_web', ignore);
      await limits.charge({ id: 'a' }, SPENT);
    }
    const error = await take(limits, { id: 'a' }, 'search_web', ignore).catch((e: BudgetUsedUpError) => e);
    expect(error).toBeInstanceOf(BudgetUsedUpError);
    expect(error).toMatchObject({ retryAfterSeconds: 7200, shouldRetry: false, code: 'rate_limited' });
    await take(limits, { id: 'b' }, 'search_web', ignore);
    jest.setSystemTime(new Date('2026-11-21T00:00:01Z'));
    await take(limits, { id: 'a' }, 'search_web', ignore);
  });

  it('counts money to the millionth', async () => {
    const limits = limitsOf({ dailyCost: 0.01 });
    await take(limits, { id: 'a' }, 'search_web', ignore);
    await limits.charge({ id: 'a' }, SPENT);
    await limits.charge({ id: 'a' }, SPENT);
    await limits.charge({ id: 'a' }, SPENT);
    await take(limits, { id: 'a' }, 'search_web', ignore);
    await limits.charge({ id: 'a' }, SPENT);
    await expect(take(limits, { id: 'a' }, 'search_web', ignore)).rejects.toThrow('daily budget');
  });

  it('keeps the counters of callers apart whatever their ids are', async () => {
    const limits = limitsOf({ requestsPerMinute: 1, tools: { search_web: 1 } });
    await take(limits, { id: 'a' }, 'search_web', ignore);
    await take(limits, { id: 'a:search_web' }, 'search_web', ignore);
    await take(limits, { id: 'a%3Asearch_web' }, 'search_web', ignore);
  });

  describe('of refused keys', () => {
    const refused = () => undefined;

    it('stops asking for keys after too many wrong ones from one address, an IPv6 network being one', async () => {
      const limits = limitsOf({ failedKeysPerMinute: 2 });
      const ask = (ip: string) => limits.verifyCounted({ ip }, refused);
      for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9']) await ask(address);
      await expect(ask('2001:db8:1:2:0:0:0:77')).rejects.toBeInstanceOf(RateLimitedError);
      await ask('2001:db8:1:3::1');
      await ask('192.0.2.1');
      await ask('::ffff:192.0.2.1');
    });

    it('asks less than twice as often as that, however many wrong keys come at once', async () => {
      const limits = limitsOf({ failedKeysPerMinute: 5 });
      const verify = jest.fn(
        () => new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined))),
      );
      const outcomes = await Promise.allSettled(
        Array.from({ length: 300 }, async () => limits.verifyCounted({ ip: '192.0.2.1' }, verify)),
      );
      expect(verify.mock.calls.length).toBeLessThan(10);
      expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(290);
    });

    it('lets all right keys of an address in, however many come at once', async () => {
      const limits = limitsOf({ failedKeysPerMinute: 2 });
      const verify = () => new Promise<string>((resolve) => setImmediate(() => resolve('identity')));
      const identities = await Promise.all(
        Array.from({ length: 50 }, async () => limits.verifyCounted({ ip: '192.0.2.1' }, verify)),
      );
      expect(new Set(identities)).toEqual(new Set(['identity']));
    });

    it('goes on with those that wait when a verification fails', async () => {
      const limits = limitsOf({ failedKeysPerMinute: 1 });
      const down = limits.verifyCounted({ ip: '192.0.2.1' }, () => Promise.reject(new Error('store down')));
      const next = limits.verifyCounted({ ip: '192.0.2.1' }, () => Promise.resolve('identity'));
      await expect(down).rejects.toThrow('store down');
      expect(await next).toBe('identity');
    });
  });

  it.each([
    ['fails', () => Promise.reject(new Error('down'))],
    ['hangs', () => new Promise<never>(() => undefined)],
    ['tells no count', () => ({}) as LimitCount],
    ['tells a count that is no number', () => ({ used: Number.NaN, resetMs: 1000 })],
  ])('lets requests through, with a warning, when the store %s', async (_how, add) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const limits = limitsOf({ requestsPerMinute: 1, store: { add } });
    const said = jest.fn();
    await take(limits, { id: 'a' }, 'search_web', said);
    await take(limits, { id: 'a' }, 'search_web', said);
    expect(said).not.toHaveBeenCalled();
    expect(String(warn.mock.calls[0])).toContain('limit is not applied');
  });

  it('tells callers without a key apart by address', () => {
    expect(callerOf({ ip: '192.0.2.1' }).id).toBe('192.0.2.1');
  });
});

describe('MemoryLimitStore', () => {
  it('adds, and only looks when nothing is added', () => {
    const store = new MemoryLimitStore();
    expect(store.add('k', 0, 60)).toEqual({ used: 0, resetMs: 60_000 });
    expect(store.add('k', 5, 60)).toMatchObject({ used: 5 });
    expect(store.add('k', 2, 60)).toMatchObject({ used: 7 });
    const { used, resetMs } = store.add('k', 0, 60);
    expect(used).toBe(7);
    expect(resetMs).toBeGreaterThan(59_000);
    expect(store.add('other', 0, 60).used).toBe(0);
  });

  it('keeps one counter a caller, however much it counts', () => {
    const store = new MemoryLimitStore();
    store.add('k', 1_000_000, 60);
    expect(store.add('k', 1, 60)).toMatchObject({ used: 1_000_001 });
  });

  it('never promises more than its window, whatever fraction of a millisecond it is', () => {
    const now = jest.spyOn(performance, 'now');
    const store = new MemoryLimitStore();
    for (let i = 0; i < 5_000; i++) {
      now.mockReturnValue(6_000 + i * 11.8371);
      expect(store.add(`k${i}`, 1, 60)).toEqual({ used: 1, resetMs: 60_000 });
    }
    now.mockRestore();
  });

  describe('as time passes', () => {
    beforeEach(() => jest.useFakeTimers({ now: 0 }));
    afterEach(() => jest.useRealTimers());

    it('begins anew when the window has ended, not before', () => {
      const store = new MemoryLimitStore();
      store.add('k', 3, 60);
      jest.advanceTimersByTime(59_999);
      expect(store.add('k', 1, 60)).toEqual({ used: 4, resetMs: 1 });
      jest.advanceTimersByTime(1);
      expect(store.add('k', 0, 60)).toEqual({ used: 0, resetMs: 60_000 });
      expect(store.add('k', 1, 60)).toEqual({ used: 1, resetMs: 60_000 });
    });

    it('ends a window after its time also where the clock has been set back meanwhile', () => {
      const HOUR_MS = 3_600_000;
      jest.setSystemTime(2 * HOUR_MS);
      const store = new MemoryLimitStore();
      store.add('k', 5, 60);
      jest.setSystemTime(HOUR_MS);
      expect(store.add('k', 1, 60)).toEqual({ used: 6, resetMs: 60_000 });
      jest.advanceTimersByTime(60_000);
      expect(store.add('k', 1, 60)).toEqual({ used: 1, resetMs: 60_000 });
    });

    it('drops counters that have ended as others begin, and keeps those that run', () => {
      const store = new MemoryLimitStore();
      store.add('day', 7, 86_400);
      for (let caller = 0; caller < 200_000; caller++) {
        store.add(`caller:${caller}`, 1, 0.01);
        if (caller % 10_000 === 9_999) jest.advanceTimersByTime(10);
      }
      // Every window but one has ended. What is left is a part of the last ones.
      expect(store['counters'].size).toBeLessThan(40_000);
      expect(store.add('day', 0, 86_400).used).toBe(7);
    });
  });
});

describe('the options of limits', () => {
  it('have sane defaults', () => {
    expect(resolveLimits({})).toMatchObject({
      concurrency: { total: 100, perKey: 100, queue: 200, queueTimeoutMs: 10_000 },
      caller: {},
    });
    expect(resolveLimits({ concurrency: false }).concurrency).toBeUndefined();
  });

  it.each<[string, LimitOptions]>([
    ['limits.requestsPerMinute', { requestsPerMinute: 0 }],
    ['limits.tools.search_web', { tools: { search_web: 1.5 } }],
    ['limits.tools.search', { tools: { search: 1 } as never }],
    ['limits.concurrency.total', { concurrency: { total: 0 } }],
    ['limits.concurrency.most', { concurrency: { most: 1 } as never }],
    ['limits.concurrency', { concurrency: true as never }],
    ['limits.dailyTokens', { dailyTokens: -1 }],
    ['limits.dailyCost', { dailyCost: 0 }],
    ['limits.price', { price: { inputPerMillion: 1 } } as never],
    ['limits.failedKeysPerMinute', { failedKeysPerMinute: 0 }],
    ['limits.store', { store: {} as never }],
  ])('name what is wrong: %s', (option, options) => {
    expect(() => resolveLimits(options)).toThrow(`option \`${option}\``);
  });
});
