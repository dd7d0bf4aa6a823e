import { nextTurn, yielder } from '../../lib/core/async.js';
import { withContext } from '../../lib/core/context.js';

/** Computes for `ms` without giving way. */
function burn(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('yielder', () => {
  it('lets others run during long computing', async () => {
    const pause = yielder(undefined, 5);
    let beats = 0;
    const beat = setInterval(() => beats++, 0);
    let turns = 0;
    for (let i = 0; i < 40; i++) {
      burn(1);
      const turn = pause();
      if (turn) turns++;
      await turn;
    }
    clearInterval(beat);
    expect(turns).toBeGreaterThanOrEqual(4);
    expect(beats).toBeGreaterThanOrEqual(3);
  });

  it('lets callers take turns, however many computations each has', async () => {
    const order: string[] = [];
    const compute = (caller: string) =>
      withContext(Infinity, { caller }, async ({ signal }) => {
        await nextTurn(signal);
        order.push(caller);
      });
    await Promise.all([...Array.from({ length: 9 }, () => compute('greedy')), compute('modest')]);
    expect(order.indexOf('modest')).toBeLessThanOrEqual(2);
  });

  it('lets one of many computations go on in each turn of the event loop', async () => {
    let turn = 0;
    let running = true;
    const count = (): void => {
      turn++;
      if (running) setImmediate(count);
    };
    setImmediate(count);
    const wentOn: number[] = [];
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        const pause = yielder(undefined, 0);
        for (let i = 0; i < 4; i++) {
          await pause();
          wentOn.push(turn);
        }
      }),
    );
    running = false;
    expect(wentOn).toHaveLength(20);
    expect(new Set(wentOn).size).toBe(20);
  });

  it('costs nothing within the slice', () => {
    const pause = yielder(undefined, 10_000);
    let turns = 0;
    for (let i = 0; i < 100_000; i++) if (pause()) turns++;
    expect(turns).toBe(0);
  });

  it('ends the computing when the signal has fired', async () => {
    const pause = yielder(AbortSignal.abort(new Error('gone')), 0);
    await expect(pause()).rejects.toThrow('gone');
  });
});
