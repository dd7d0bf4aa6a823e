import fc from 'fast-check';
import { UpstreamUnavailableError } from '../../lib/core/errors.js';
import { FairQueue } from '../../lib/core/fair-queue.js';

let over: AbortController;

/** Work that ends when it is told to, and says when it began. */
class Job {
  begun = false;
  private finish: () => void = () => undefined;
  readonly result: Promise<string>;

  constructor(queue: FairQueue, caller: string, signal: AbortSignal = over.signal, limit?: number) {
    this.result = queue.run({ callers: () => [caller], signal, limit }, () => {
      this.begun = true;
      return new Promise<string>((resolve) => (this.finish = () => resolve(caller)));
    });
    // Looked at later; until then a refusal is not an unhandled one.
    this.result.catch(() => undefined);
  }

  async end(): Promise<void> {
    this.finish();
    await this.result;
    await turn();
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const queueOf = (slots: number, perCaller = slots, places = 10, waitMs = 60_000): FairQueue =>
  new FairQueue({
    slots,
    perCaller,
    places,
    waitMs,
    refuse: (retryAfterSeconds) => new UpstreamUnavailableError('busy', { retryAfterSeconds }),
  });

describe('FairQueue', () => {
  beforeEach(() => {
    over = new AbortController();
  });
  // Whoever still waits is let go, and no timer is left.
  afterEach(() => over.abort(new Error('the test is over')));

  it('lets work through at once while a slot is free', async () => {
    const queue = queueOf(2);
    const jobs = [new Job(queue, 'a'), new Job(queue, 'b'), new Job(queue, 'c')];
    await turn();
    expect(jobs.map((job) => job.begun)).toEqual([true, true, false]);
    expect(queue.load).toEqual({ running: 2, waiting: 1 });
    await jobs[0]!.end();
    expect(jobs[2]!.begun).toBe(true);
    await jobs[1]!.end();
    await jobs[2]!.end();
    expect(queue.load).toEqual({ running: 0, waiting: 0 });
  });

  it('holds one caller to its own limit and lets others pass it', async () => {
    const queue = queueOf(10, 1);
    const jobs = [new Job(queue, 'a'), new Job(queue, 'a'), new Job(queue, 'b')];
    await turn();
    expect(jobs.map((job) => job.begun)).toEqual([true, false, true]);
  });

  it('takes the limit of a key in place of that of everybody', async () => {
    const queue = queueOf(10, 1);
    const jobs = [
      new Job(queue, 'a', over.signal, 2),
      new Job(queue, 'a', over.signal, 2),
      new Job(queue, 'a', over.signal, 2),
    ];
    await turn();
    expect(jobs.map((job) => job.begun)).toEqual([true, true, false]);
  });

  it('gives callers turns, however long the line of one of them is', async () => {
    const queue = queueOf(1);
    const first = new Job(queue, 'greedy');
    const line = Array.from({ length: 5 }, () => new Job(queue, 'greedy'));
    const modest = [new Job(queue, 'modest'), new Job(queue, 'modest')];
    await turn();
    await first.end();
    expect([modest[0]!.begun, line[0]!.begun]).toEqual([true, false]);
    await modest[0]!.end();
    expect([modest[1]!.begun, line[0]!.begun]).toEqual([false, true]);
  });

  it('gives a free slot to the caller that has the fewest', async () => {
    const queue = queueOf(3);
    const greedy = [1, 2, 3].map(() => new Job(queue, 'greedy'));
    const line = [new Job(queue, 'greedy'), new Job(queue, 'modest'), new Job(queue, 'modest')];
    await turn();
    await greedy[0]!.end();
    expect(line.map(({ begun }) => begun)).toEqual([false, true, false]);
    await greedy[1]!.end();
    await greedy[2]!.end();
    await line[1]!.end();
    expect(line.map(({ begun }) => begun)).toEqual([true, true, true]);
  });

  it('takes the turn of whichever of its callers comes first', async () => {
    const queue = queueOf(1);
    const first = new Job(queue, 'greedy');
    const line = Array.from({ length: 3 }, () => new Job(queue, 'greedy'));
    let begun = false;
    const callers = ['greedy'] as [string, ...string[]];
    const shared = queue.run(
      { callers: () => callers, signal: over.signal },
      async () => void (begun = true),
    );
    // Another caller asks for the same meanwhile.
    callers.push('modest');
    await turn();
    await first.end();
    await shared;
    expect([begun, line[0]!.begun]).toEqual([true, true]);
    expect(line[1]!.begun).toBe(false);
  });

  it('lets a caller below its limit pass a full queue of callers that have reached theirs', async () => {
    const queue = queueOf(5, 1, 2);
    const greedy = Array.from({ length: 3 }, () => new Job(queue, 'greedy'));
    const modest = new Job(queue, 'modest');
    await turn();
    expect([greedy[0]!.begun, greedy[1]!.begun, modest.begun]).toEqual([true, false, true]);
  });

  it('leaves a quarter of the slots to others while there are others, however long work takes', async () => {
    const queue = queueOf(8, 8, 30);
    const alone = Array.from({ length: 9 }, () => new Job(queue, 'greedy'));
    await turn();
    expect(alone.filter(({ begun }) => begun)).toHaveLength(8);
    await new Job(queue, 'modest', AbortSignal.timeout(5)).result.catch(() => undefined);
    for (const job of alone) await job.end();
    const together = Array.from({ length: 9 }, () => new Job(queue, 'greedy'));
    await turn();
    expect(together.filter(({ begun }) => begun)).toHaveLength(6);
    const modest = [new Job(queue, 'modest'), new Job(queue, 'modest')];
    await turn();
    expect(modest.map(({ begun }) => begun)).toEqual([true, true]);
  });

  it('refuses beyond the queue, and takes the place from the longest line', async () => {
    const queue = queueOf(1, 1, 3);
    new Job(queue, 'greedy');
    const line = Array.from({ length: 3 }, () => new Job(queue, 'greedy'));
    const beyond = new Job(queue, 'greedy');
    await expect(beyond.result).rejects.toBeInstanceOf(UpstreamUnavailableError);
    const modest = new Job(queue, 'modest');
    await expect(line[2]!.result).rejects.toBeInstanceOf(UpstreamUnavailableError);
    expect(queue.load).toEqual({ running: 1, waiting: 3 });
    expect(modest.begun).toBe(false);
  });

  it('refuses at once without a queue', async () => {
    const queue = queueOf(1, 1, 0);
    new Job(queue, 'a');
    await expect(new Job(queue, 'b').result).rejects.toMatchObject({ code: 'upstream_unavailable' });
  });

  it('refuses a caller that has waited too long, and says when to try again', async () => {
    const queue = queueOf(1, 1, 5, 10);
    new Job(queue, 'a');
    const error = await new Job(queue, 'b').result.catch((e: UpstreamUnavailableError) => e);
    expect(error).toBeInstanceOf(UpstreamUnavailableError);
    expect((error as UpstreamUnavailableError).retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(queue.load.waiting).toBe(0);
  });

  it('removes a caller that leaves from the queue, with its own reason', async () => {
    const queue = queueOf(1);
    const running = new Job(queue, 'a');
    await turn();
    const controller = new AbortController();
    const leaving = new Job(queue, 'b', controller.signal);
    controller.abort(new Error('gone'));
    await expect(leaving.result).rejects.toThrow('gone');
    await running.end();
    expect(leaving.begun).toBe(false);
    expect(queue.load).toEqual({ running: 0, waiting: 0 });
  });

  it('frees the slot when work fails', async () => {
    const queue = queueOf(1);
    await expect(
      queue.run({ callers: () => ['a'], signal: over.signal }, () => Promise.reject(new Error('failed'))),
    ).rejects.toThrow('failed');
    expect(await queue.run({ callers: () => ['a'], signal: over.signal }, () => Promise.resolve(1))).toBe(1);
  });

  it('never exceeds its limits and never forgets anybody, whatever comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 5 }),
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 3 }), fc.boolean()), {
          maxLength: 30,
        }),
        async (total, perCaller, places, requests) => {
          const queue = queueOf(total, perCaller, places);
          const running = new Map<string, number>();
          let most = 0;
          let mostOfOne = 0;
          const outcomes = requests.map(([caller, turns, leaves]) => {
            const controller = new AbortController();
            if (leaves) setImmediate(() => controller.abort(new Error('gone')));
            return queue.run({ callers: () => [caller], signal: controller.signal }, async () => {
              running.set(caller, (running.get(caller) ?? 0) + 1);
              mostOfOne = Math.max(mostOfOne, running.get(caller)!);
              most = Math.max(
                most,
                [...running.values()].reduce((a, b) => a + b, 0),
              );
              for (let i = 0; i < turns; i++) await turn();
              running.set(caller, running.get(caller)! - 1);
            });
          });
          await Promise.allSettled(outcomes);
          expect(most).toBeLessThanOrEqual(total);
          expect(mostOfOne).toBeLessThanOrEqual(perCaller);
          expect(queue.load).toEqual({ running: 0, waiting: 0 });
        },
      ),
    );
  });
});
