import { jest } from '@jest/globals';
import fc from 'fast-check';
import { MinuteWindow } from '../../lib/model/call-slots.js';

describe('MinuteWindow', () => {
  let now: number;
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  it('waits until enough of the last minute has passed', () => {
    const window = new MinuteWindow(Infinity, 1000);
    window.add(600);
    now = 10_000;
    window.add(300);
    expect(window.waitMs(100)).toBe(0);
    expect(window.waitMs(500)).toBe(50_000);
    expect(window.waitMs(900)).toBe(60_000);
    now = 60_000;
    expect(window.waitMs(500)).toBe(0);
  });

  it('takes the true amount once it is known', () => {
    const window = new MinuteWindow(Infinity, 1000);
    const correct = window.add(900);
    expect(window.waitMs(500)).toBeGreaterThan(0);
    correct(400);
    expect(window.waitMs(500)).toBe(0);
  });

  it('lets a call larger than the limit through an empty window', () => {
    expect(new MinuteWindow(Infinity, 1000).waitMs(5000)).toBe(0);
  });

  it('never holds more calls or tokens than the limits in any minute', () => {
    const step = fc.record({ after: fc.nat(40_000), tokens: fc.integer({ min: 1, max: 100 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (steps, callLimit) => {
        now = 0;
        const started: { at: number; tokens: number }[] = [];
        const window = new MinuteWindow(callLimit, 100);
        for (const { after, tokens } of steps) {
          now += after;
          now += window.waitMs(tokens);
          window.add(tokens);
          started.push({ at: now, tokens });
          const inMinute = started.filter(({ at }) => at > now - 60_000);
          expect(inMinute.length).toBeLessThanOrEqual(callLimit);
          expect(inMinute.reduce((sum, one) => sum + one.tokens, 0)).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});
