import { CallSlots, type CallLease } from '../../lib/model/limits.js';

const never = new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('CallSlots', () => {
  async function start(slots: CallSlots, count: number): Promise<CallLease[]> {
    const leases: CallLease[] = [];
    for (let i = 0; i < count; i++) void slots.acquire(100, never).then((lease) => leases.push(lease));
    await turn();
    return leases;
  }

  it('lets calls start in order, no more at once than allowed', async () => {
    const slots = new CallSlots({ maxParallel: 2 });
    const leases = await start(slots, 3);
    expect(leases).toHaveLength(2);
    leases[0]!.release({ kind: 'taken' });
    await turn();
    expect(leases).toHaveLength(3);
  });

  it('goes down to what the server carries when a burst is refused, and up again by one after a round', async () => {
    const slots = new CallSlots({ maxParallel: 8 });
    const leases = await start(slots, 8);
    for (const lease of leases.slice(2)) lease.release({ kind: 'limited', waitMs: 0 });
    expect(slots.currentParallel).toBe(2);
    leases[0]!.release({ kind: 'taken' });
    leases[1]!.release({ kind: 'taken' });
    expect(slots.currentParallel).toBe(3);
  });

  it('halves at most for a single refusal at the tail', async () => {
    const slots = new CallSlots({ maxParallel: 8 });
    const [lease] = await start(slots, 1);
    lease!.release({ kind: 'limited', waitMs: 0 });
    expect(slots.currentParallel).toBe(4);
  });

  it('starts nothing before the time that the server named', async () => {
    const slots = new CallSlots({ maxParallel: 8 });
    const [lease] = await start(slots, 1);
    const at = performance.now();
    lease!.release({ kind: 'limited', waitMs: 60 });
    expect(await slots.acquireSoon(100, never)).toBeUndefined();
    await slots.acquire(100, never);
    expect(performance.now() - at).toBeGreaterThanOrEqual(58);
  });

  it('lets one call at a time through while everything fails, and all again after the first success', async () => {
    const slots = new CallSlots({ maxParallel: 8 });
    const leases = await start(slots, 4);
    for (const lease of leases.slice(0, 3)) lease.release({ kind: 'failed' });
    expect(slots.currentParallel).toBe(1);
    leases[3]!.release({ kind: 'taken' });
    expect(slots.currentParallel).toBe(8);
  });

  it('forgets a caller that leaves while waiting', async () => {
    const slots = new CallSlots({ maxParallel: 1 });
    const [lease] = await start(slots, 1);
    const controller = new AbortController();
    const waiting = slots.acquire(100, controller.signal);
    controller.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    lease!.release({ kind: 'taken' });
    expect(await slots.acquireSoon(100, never)).toBeDefined();
  });

  it('lets a second release of the same lease count for nothing', async () => {
    const slots = new CallSlots({ maxParallel: 1 });
    const [lease] = await start(slots, 1);
    lease!.release({ kind: 'taken' });
    lease!.release({ kind: 'taken' });
    expect(await slots.acquireSoon(1, never)).toBeDefined();
    expect(await slots.acquireSoon(1, never)).toBeUndefined();
  });
});
