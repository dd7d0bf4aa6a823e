import { jest } from '@jest/globals';
import { NEVER } from '../../lib/core/async.js';
import { CallSlots, type CallLease } from '../../lib/model/call-slots.js';

const context = { signal: NEVER, remainingMs: () => 1000, callers: () => ['a'] as const };
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('CallSlots', () => {
  async function start(slots: CallSlots, count: number): Promise<CallLease[]> {
    const leases: CallLease[] = [];
    for (let i = 0; i < count; i++) void slots.acquire(100, context).then((lease) => leases.push(lease));
    await turn();
    return leases;
  }

  it('lets calls start in order, no more at once than allowed', async () => {
    const slots = new CallSlots({ maxParallel: 2 });
    const leases = await start(slots, 3);
    expect(leases).toHaveLength(2);
    leases[0]!.release({});
    await turn();
    expect(leases).toHaveLength(3);
  });

  it('lets callers take turns', async () => {
    const slots = new CallSlots({ maxParallel: 2 });
    const leases = await start(slots, 30);
    let isModest = false;
    void slots.acquire(100, { ...context, callers: () => ['b'] as const }).then(() => (isModest = true));
    leases[0]!.release({});
    await turn();
    expect([leases.length, isModest]).toEqual([2, true]);
  });

  it('goes down to what the server carries when a burst is refused, and up again by one every ten seconds', async () => {
    const slots = new CallSlots({ maxParallel: 8 });
    const leases = await start(slots, 8);
    for (const lease of leases.slice(2)) lease.release({ tokens: 0, refusedForMs: 0 });
    expect(slots.pace.parallel).toBe(2);
    const refusedAt = performance.now();
    const now = jest.spyOn(performance, 'now');
    for (const [seconds, parallel] of [
      [9, 2],
      [11, 3],
      [21, 4],
      [100, 8],
    ] as const) {
      now.mockReturnValue(refusedAt + seconds * 1000);
      expect(slots.pace.parallel).toBe(parallel);
    }
    now.mockRestore();
  });

  it('halves at most for a single refusal at the tail', async () => {
    const slots = new CallSlots({ maxParallel: 8 });
    const [lease] = await start(slots, 1);
    lease!.release({ tokens: 0, refusedForMs: 0 });
    expect(slots.pace.parallel).toBe(4);
  });

  it('starts nothing before the time that the server named', async () => {
    const slots = new CallSlots({ maxParallel: 8 });
    const [lease] = await start(slots, 1);
    const at = performance.now();
    lease!.release({ tokens: 0, refusedForMs: 60 });
    await slots.acquire(100, context);
    expect(performance.now() - at).toBeGreaterThanOrEqual(58);
  });

  it('forgets a caller that leaves while waiting', async () => {
    const slots = new CallSlots({ maxParallel: 1 });
    const [lease] = await start(slots, 1);
    const controller = new AbortController();
    const waiting = slots.acquire(100, { ...context, signal: controller.signal });
    controller.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    lease!.release({});
    expect(await slots.acquire(100, context)).toBeDefined();
  });
});
