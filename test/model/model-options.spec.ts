import { checkBudget, resolveModelOptions, UsageMeter } from '../../lib/model/options.js';
import { FirstTokenLatency } from '../../lib/model/retries.js';
import { TokenEstimator } from '../../lib/model/profile.js';

describe('resolveModelOptions', () => {
  it('fills in the defaults', () => {
    expect(resolveModelOptions({})).toMatchObject({
      maxParallelCalls: 8,
      attempts: 3,
      maxOutputTokens: 4096,
    });
  });

  it.each([
    [{ maxParallelCalls: 0 }, 'maxParallelCalls'],
    [{ contextTokens: 8192.5 }, 'contextTokens'],
    [{ attempts: 99 }, 'attempts'],
    [{ inputPricePerMillion: -1 }, 'inputPricePerMillion'],
  ])('refuses %j naming the option', (options, name) => {
    expect(() => resolveModelOptions(options)).toThrow(name);
  });

  it('refuses a budget of money without prices', () => {
    expect(() => checkBudget({ money: 1 }, {})).toThrow('budget.money');
    expect(() =>
      checkBudget({ money: 1 }, { inputPricePerMillion: 1, outputPricePerMillion: 1 }),
    ).not.toThrow();
  });
});

describe('UsageMeter', () => {
  const prices = { inputPricePerMillion: 2, outputPricePerMillion: 10 };

  it('adds up by stage, with the cost where prices are known', () => {
    const meter = new UsageMeter();
    meter.add('map', 1000, 100, prices);
    meter.add('map', 1000, 100, prices);
    meter.add('write', 500, 200, prices);
    expect(meter.usage).toEqual({
      modelCalls: 3,
      inputTokens: 2500,
      outputTokens: 400,
      stages: {
        map: { modelCalls: 2, inputTokens: 2000, outputTokens: 200 },
        write: { modelCalls: 1, inputTokens: 500, outputTokens: 200 },
      },
      cost: expect.closeTo(0.009, 9) as number,
    });
  });

  it('has no cost where a price is unknown', () => {
    const meter = new UsageMeter();
    meter.add('map', 1000, 100, {});
    expect(meter.usage.cost).toBeUndefined();
  });

  it('counts what parallel calls have reserved', () => {
    const meter = new UsageMeter({ money: 0.01 });
    const settle = meter.reserve(3000, 200, prices);
    expect(() => meter.reserve(3000, 200, prices)).toThrow('budget.money');
    settle();
    expect(() => meter.reserve(3000, 200, prices)).not.toThrow();
  });
});

describe('TokenEstimator', () => {
  it('starts from a quarter of the Latin characters and learns from the server', () => {
    const tokens = new TokenEstimator();
    const text = 'abcd'.repeat(1000);
    expect(tokens.estimate(text)).toBe(1000);
    for (let i = 0; i < 20; i++) tokens.learn(1000, 1300);
    expect(tokens.estimate(text)).toBeGreaterThan(1270);
    expect(tokens.estimate(text)).toBeLessThan(1330);
  });

  it('does not believe a server that counts nonsense', () => {
    const tokens = new TokenEstimator();
    tokens.learn(5000, 10);
    tokens.learn(5000, 0);
    expect(tokens.estimate('abcd')).toBe(1);
  });
});

describe('FirstTokenLatency', () => {
  it('waits the base, a little longer for long prompts', () => {
    const watch = new FirstTokenLatency(10_000);
    expect(watch.hedgeAfterMs(1000)).toBe(10_000);
    expect(watch.hedgeAfterMs(20_000)).toBe(11_200);
    expect(watch.hedgeAfterMs(500_000)).toBe(14_000);
  });

  it('is quicker with a quick model and patient with a slow one', () => {
    const quick = new FirstTokenLatency(10_000);
    const slow = new FirstTokenLatency(10_000);
    for (let i = 0; i < 5; i++) {
      quick.observe(300);
      slow.observe(9000);
    }
    expect(quick.hedgeAfterMs(1000)).toBe(4000);
    expect(slow.hedgeAfterMs(1000)).toBe(27_000);
  });
});
