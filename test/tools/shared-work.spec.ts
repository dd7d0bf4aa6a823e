import { memoryCacheStore } from '../../lib/core/cache.js';
import type { CallOptions } from '../../lib/core/context.js';
import type { Lease, LeaseStore } from '../../lib/core/shared-state.js';
import type { ModelUsage } from '../../lib/core/usage.js';
import { AnyWork } from '../support/any-work.js';

/** Leases between replicas that are in fact in one process. */
class LocalLeases implements LeaseStore {
  readonly asked: string[] = [];
  private readonly held = new Map<string, { waiters: (() => void)[] }>();

  acquire(key: string): Promise<Lease | undefined> {
    this.asked.push(key);
    const held = this.held.get(key);
    if (held) return Promise.resolve(undefined);
    const mine = { waiters: [] as (() => void)[] };
    this.held.set(key, mine);
    return Promise.resolve({
      release: () => {
        this.held.delete(key);
        for (const wake of mine.waiters) wake();
        return Promise.resolve();
      },
    });
  }

  released(key: string, signal: AbortSignal): Promise<void> {
    const held = this.held.get(key);
    if (!held) return Promise.resolve();
    return new Promise((resolve) => {
      held.waiters.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

type Made = { text: string; coverage: number; usage: ModelUsage };
/** What the test looks at. `shared`: another call has paid. */
type Seen = { value: string; cached: boolean; shared: boolean };
const USAGE: ModelUsage = { modelCalls: 1, inputTokens: 2, outputTokens: 3 };

describe('the results of two replicas', () => {
  let leases: LocalLeases;
  let one: AnyWork<Made>;
  let two: AnyWork<Made>;
  let coverage: number;
  let runs: number;
  let finish: ((value: string) => void)[];
  let fail: ((error: Error) => void)[];

  const ask = async (runner: AnyWork<Made>, call: CallOptions = {}, deadlineMs = 5000): Promise<Seen> => {
    const run = (): Promise<Made> => {
      runs++;
      return new Promise<Made>((resolve, reject) => {
        finish.push((text) => resolve({ text, coverage, usage: USAGE }));
        fail.push(reject);
      });
    };
    const { text, cached, usage } = await runner.run({ key: ['question'], deadlineMs, run }, call);
    return { value: text, cached, shared: usage.modelCalls === 0 };
  };
  const turns = async (count = 20): Promise<void> => {
    for (let i = 0; i < count; i++) await new Promise(setImmediate);
  };
  /** Both replicas with their own store, or one that they share. */
  const replicas = (stores = [memoryCacheStore(), memoryCacheStore()], keep = true): void => {
    leases = new LocalLeases();
    const shared = { leases, cache: memoryCacheStore() };
    [one, two] = [0, 1].map((i) => new AnyWork<Made>({ cache: stores[i], shared })) as [
      AnyWork<Made>,
      AnyWork<Made>,
    ];
    coverage = keep ? 1 : 0.5;
  };

  beforeEach(() => {
    [runs, finish, fail] = [0, [], []];
    replicas();
  });

  it.each<[string, () => void]>([
    ['is kept', () => undefined],
    ['is not worth keeping', () => replicas(undefined, false)],
    ['has no store to be kept in', () => replicas([])],
  ])('are made once for all who ask at the same time, also what %s', async (_what, setUp) => {
    setUp();
    const first = ask(one);
    await turns();
    const second = ask(two);
    await turns();
    finish[0]!('made');
    expect(await first).toEqual({ value: 'made', cached: false, shared: false });
    expect(await second).toEqual({ value: 'made', cached: false, shared: true });
    expect(runs).toBe(1);
  });

  it('are not made again by a caller that came between the look-up and the lease', async () => {
    const store = memoryCacheStore();
    let free!: () => void;
    const slow = {
      get: async (key: string) => {
        const seen = store.get(key);
        await new Promise<void>((resolve) => (free = resolve));
        return seen;
      },
      set: store.set,
    };
    replicas([store, slow]);
    const late = ask(two);
    const first = ask(one);
    await turns();
    finish[0]!('made');
    await first;
    // Its look-up found nothing; the one under the lease does.
    free();
    await turns();
    free();
    expect(await late).toEqual({ value: 'made', cached: false, shared: true });
    expect(runs).toBe(1);
  });

  it('are made by the next when the first fails, and its error is its own', async () => {
    const first = ask(one).catch((error: unknown) => error);
    await turns();
    const second = ask(two);
    await turns();
    fail[0]!(new Error('down'));
    expect(await first).toMatchObject({ message: 'down' });
    await turns();
    finish[1]!('made');
    expect(await second).toMatchObject({ value: 'made', shared: false });
    expect(runs).toBe(2);
  });

  it('are made by the next when the caller of the first leaves', async () => {
    const leaving = new AbortController();
    const first = ask(one, { signal: leaving.signal }).catch((error: unknown) => error);
    await turns();
    const second = ask(two);
    await turns();
    leaving.abort(new Error('left'));
    expect(await first).toMatchObject({ message: 'left' });
    await turns();
    // Also where the work of the first does not listen to its signal.
    finish[1]!('made');
    expect(await second).toMatchObject({ value: 'made', shared: false });
    expect(runs).toBe(2);
  });

  it('are waited for until the deadline, and not by a caller that has left', async () => {
    const first = ask(one);
    await turns();
    await expect(ask(two, {}, 50)).rejects.toThrow('deadline of 50 ms');
    const leaving = new AbortController();
    const second = ask(two, { signal: leaving.signal });
    await turns();
    leaving.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    finish[0]!('made');
    await first;
    expect(runs).toBe(1);
  });

  it('are neither shared nor waited for when they are to be fresh', async () => {
    const first = ask(one, { noCache: true });
    const second = ask(two, { noCache: true });
    await turns();
    finish.forEach((done, index) => done(`made ${index}`));
    expect((await Promise.all([first, second])).map(({ value }) => value)).toEqual(['made 0', 'made 1']);
    expect(leases.asked).toEqual([]);
  });

  it('that are kept are read without a lease', async () => {
    const first = ask(one);
    await turns();
    finish[0]!('made');
    await first;
    leases.asked.length = 0;
    expect(await ask(one)).toMatchObject({ value: 'made', cached: true });
    expect(leases.asked).toEqual([]);
  });
});
