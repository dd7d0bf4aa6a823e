import fc from 'fast-check';
import { MinuteWindow } from '../../lib/model/minute-window.js';

describe('MinuteWindow', () => {
  it('waits until enough of the last minute has passed', () => {
    let now = 0;
    const window = new MinuteWindow(1000, () => now);
    window.spend(600);
    now = 10_000;
    window.spend(300);
    expect(window.waitMs(100)).toBe(0);
    expect(window.waitMs(500)).toBe(50_000);
    expect(window.waitMs(900)).toBe(60_000);
    now = 60_000;
    expect(window.waitMs(500)).toBe(0);
  });

  it('takes the true amount once it is known', () => {
    const window = new MinuteWindow(1000, () => 0);
    const correct = window.spend(900);
    expect(window.waitMs(500)).toBeGreaterThan(0);
    correct(400);
    expect(window.waitMs(500)).toBe(0);
  });

  it('lets what is larger than the limit through an empty window', () => {
    expect(new MinuteWindow(1000, () => 0).waitMs(5000)).toBe(0);
  });

  it('never holds more than the limit in any minute', () => {
    const step = fc.record({ after: fc.nat(40_000), amount: fc.integer({ min: 1, max: 100 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let now = 0;
        const spent: { at: number; amount: number }[] = [];
        const window = new MinuteWindow(100, () => now);
        for (const { after, amount } of steps) {
          now += after;
          now += window.waitMs(amount);
          window.spend(amount);
          spent.push({ at: now, amount });
          const inMinute = spent
            .filter(({ at }) => at > now - 60_000)
            .reduce((sum, one) => sum + one.amount, 0);
          expect(inMinute).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});
