import { yielder } from '../../lib/core/async.js';

/** Computes for `ms` without giving way. */
function burn(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('yielder', () => {
  it('lets others run during long computing, and only then', async () => {
    const pause = yielder(5);
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
    expect(turns).toBeLessThan(40);
    expect(beats).toBeGreaterThanOrEqual(3);
  });

  it('costs nothing within the slice', () => {
    const pause = yielder(10_000);
    let turns = 0;
    for (let i = 0; i < 100_000; i++) if (pause()) turns++;
    expect(turns).toBe(0);
  });

  it('ends the computing when the signal has fired', async () => {
    const pause = yielder(0, AbortSignal.abort(new Error('gone')));
    await expect(pause()).rejects.toThrow('gone');
  });
});
