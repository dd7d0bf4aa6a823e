import fc from 'fast-check';
import { FairGate } from '../../lib/auth/fair-gate.js';
import { OverloadedError } from '../../lib/core/errors.js';

let over: AbortController;

/** Work that ends when it is told to, and says when it began. */
class Job {
  begun = false;
  private finish: () => void = () => undefined;
  readonly result: Promise<string>;

  constructor(gate: FairGate, caller: string, signal: AbortSignal = over.signal, limit?: number) {
    this.result = gate.run(
      caller,
      signal,
      () => {
        this.begun = true;
        return new Promise<string>((resolve) => (this.finish = () => resolve(caller)));
      },
      limit,
    );
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
const gateOf = (total: number, perKey = total, queue = 10, queueTimeoutMs = 60_000): FairGate =>
  new FairGate({ total, perKey, queue, queueTimeoutMs });

describe('FairGate', () => {
  beforeEach(() => {
    over = new AbortController();
  });
  // Whoever still waits is let go, and no timer is left.
  afterEach(() => over.abort(new Error('the test is over')));

  it('lets work through at once while there is room', async () => {
    const gate = gateOf(2);
    const jobs = [new Job(gate, 'a'), new Job(gate, 'b'), new Job(gate, 'c')];
    await turn();
    expect(jobs.map((job) => job.begun)).toEqual([true, true, false]);
    expect(gate.load).toEqual({ running: 2, waiting: 1 });
    await jobs[0]!.end();
    expect(jobs[2]!.begun).toBe(true);
    await jobs[1]!.end();
    await jobs[2]!.end();
    expect(gate.load).toEqual({ running: 0, waiting: 0 });
  });

  it('holds one caller to its own limit and lets others pass it', async () => {
    const gate = gateOf(10, 1);
    const jobs = [new Job(gate, 'a'), new Job(gate, 'a'), new Job(gate, 'b')];
    await turn();
    expect(jobs.map((job) => job.begun)).toEqual([true, false, true]);
  });

  it('takes the limit of a key in place of that of everybody', async () => {
    const gate = gateOf(10, 1);
    const jobs = [
      new Job(gate, 'a', over.signal, 2),
      new Job(gate, 'a', over.signal, 2),
      new Job(gate, 'a', over.signal, 2),
    ];
    await turn();
    expect(jobs.map((job) => job.begun)).toEqual([true, true, false]);
  });

  it('gives callers turns, however long the line of one of them is', async () => {
    const gate = gateOf(1);
    const first = new Job(gate, 'greedy');
    const line = Array.from({ length: 5 }, () => new Job(gate, 'greedy'));
    const modest = new Job(gate, 'modest');
    await turn();
    await first.end();
    expect(line[0]!.begun).toBe(true);
    await line[0]!.end();
    expect([modest.begun, line[1]!.begun]).toEqual([true, false]);
  });

  it('refuses beyond the queue, and takes the place from the longest line', async () => {
    const gate = gateOf(1, 1, 3);
    new Job(gate, 'greedy');
    const line = Array.from({ length: 3 }, () => new Job(gate, 'greedy'));
    const beyond = new Job(gate, 'greedy');
    await expect(beyond.result).rejects.toBeInstanceOf(OverloadedError);
    const modest = new Job(gate, 'modest');
    await expect(line[2]!.result).rejects.toBeInstanceOf(OverloadedError);
    expect(gate.load).toEqual({ running: 1, waiting: 3 });
    expect(modest.begun).toBe(false);
  });

  it('refuses at once without a queue', async () => {
    const gate = gateOf(1, 1, 0);
    new Job(gate, 'a');
    await expect(new Job(gate, 'b').result).rejects.toMatchObject({ code: 'upstream_unavailable' });
  });

  it('refuses a caller that has waited too long, and says when to try again', async () => {
    const gate = gateOf(1, 1, 5, 10);
    new Job(gate, 'a');
    const error = await new Job(gate, 'b').result.catch((e: OverloadedError) => e);
    expect(error).toBeInstanceOf(OverloadedError);
    expect((error as OverloadedError).retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(gate.load.waiting).toBe(0);
  });

  it('removes a caller that leaves from the queue, with its own reason', async () => {
    const gate = gateOf(1);
    const running = new Job(gate, 'a');
    await turn();
    const controller = new AbortController();
    const leaving = new Job(gate, 'b', controller.signal);
    controller.abort(new Error('gone'));
    await expect(leaving.result).rejects.toThrow('gone');
    await running.end();
    expect(leaving.begun).toBe(false);
    expect(gate.load).toEqual({ running: 0, waiting: 0 });
  });

  it('makes room again when work fails', async () => {
    const gate = gateOf(1);
    await expect(gate.run('a', over.signal, () => Promise.reject(new Error('failed')))).rejects.toThrow(
      'failed',
    );
    expect(await gate.run('a', over.signal, () => Promise.resolve(1))).toBe(1);
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
        async (total, perKey, queue, requests) => {
          const gate = gateOf(total, perKey, queue);
          const running = new Map<string, number>();
          let most = 0;
          let mostOfOne = 0;
          const outcomes = requests.map(([caller, turns, leaves]) => {
            const controller = new AbortController();
            if (leaves) setImmediate(() => controller.abort(new Error('gone')));
            return gate.run(caller, controller.signal, async () => {
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
          expect(mostOfOne).toBeLessThanOrEqual(perKey);
          expect(gate.load).toEqual({ running: 0, waiting: 0 });
        },
      ),
      { numRuns: 60 },
    );
  });
});
