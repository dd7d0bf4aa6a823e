import type { FactoryProvider } from '@nestjs/common';
import { UpstreamHealth } from '../../lib/core/health.js';
import { NO_TELEMETRY } from '../../lib/core/telemetry.js';
import { checkBudget, resolveModelOptions } from '../../lib/model/options.js';
import { costOf, UsageMeter } from '../../lib/model/usage-meter.js';
import { checkModels, MODEL_PROVIDERS, type ModelModuleOptions } from '../../lib/model/model.providers.js';
import { roughTokens } from '../../lib/model/model-profile.js';

describe('resolveModelOptions', () => {
  it('fills in the defaults', () => {
    expect(resolveModelOptions({})).toMatchObject({
      attempts: 3,
      stallTimeoutMs: 30_000,
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
    expect(() => checkBudget({}, {}, 1)).toThrow('limits.dailyCost');
    expect(() =>
      checkBudget({ money: 1 }, { inputPricePerMillion: 1, outputPricePerMillion: 1 }),
    ).not.toThrow();
  });
});

describe('the option `model`', () => {
  afterEach(() => {
    delete (globalThis as { AI_SDK_DEFAULT_PROVIDER?: unknown }).AI_SDK_DEFAULT_PROVIDER;
  });

  it.each(['gpt-5', '', ' ', 'a b/c', 7, null, {}])('refuses %j at start and says what it takes', (model) => {
    expect(() => checkModels({ model: model as string })).toThrow(
      /`model` must be a language model of the AI SDK, e\.g\. openai\('…'\), or a name of the AI Gateway/,
    );
  });

  it('takes a name of the AI Gateway, and any name where the host has set a provider for names', () => {
    expect(() => checkModels({ model: 'openai/gpt-5-mini' })).not.toThrow();
    Object.assign(globalThis, { AI_SDK_DEFAULT_PROVIDER: {} });
    expect(() => checkModels({ model: 'gpt-5' })).not.toThrow();
  });
});

describe('the models of a host', () => {
  it('need prices, each of them, where a budget is in money', async () => {
    const { useFactory } = MODEL_PROVIDERS[1] as FactoryProvider<Promise<object | undefined>>;
    const background = { environment: { telemetry: NO_TELEMETRY, health: new UpstreamHealth() } };
    const prices = { inputPricePerMillion: 1, outputPricePerMillion: 1 };
    const options: ModelModuleOptions = {
      model: 'some/model',
      modelOptions: prices,
      mapModel: 'some/small-model',
      budget: { money: 1 },
    };
    await expect(useFactory(options, background)).rejects.toThrow('budget.money');
    await expect(useFactory({ ...options, mapModelOptions: prices }, background)).resolves.toBeDefined();
  });
});

describe('UsageMeter', () => {
  const prices = { inputPricePerMillion: 2, outputPricePerMillion: 10 };

  it('adds up by stage, with the cost where prices are known', () => {
    const meter = new UsageMeter();
    meter.book('map', { modelCalls: 1, inputTokens: 1000, outputTokens: 100, cost: 0.003 });
    meter.book('map', { modelCalls: 1, inputTokens: 1000, outputTokens: 100, cost: 0.003 });
    meter.book('write', { modelCalls: 1, inputTokens: 500, outputTokens: 200, cost: 0.003 });
    expect(meter.usage).toEqual({
      modelCalls: 3,
      inputTokens: 2500,
      outputTokens: 400,
      stages: {
        map: { modelCalls: 2, inputTokens: 2000, outputTokens: 200, cost: 0.006 },
        write: { modelCalls: 1, inputTokens: 500, outputTokens: 200, cost: 0.003 },
      },
      cost: expect.closeTo(0.009, 9) as number,
    });
  });

  it('prices prompt tokens that came from the cache of a provider apart', () => {
    const spent = { inputTokens: 1_000_000, cachedInputTokens: 900_000, outputTokens: 0 };
    const perMillion = { inputPricePerMillion: 10, outputPricePerMillion: 10 };
    expect(costOf(spent, perMillion)).toBe(10);
    expect(costOf(spent, { ...perMillion, cachedInputPricePerMillion: 1 })).toBeCloseTo(1.9);
    expect(costOf(spent, {})).toBeUndefined();
    expect(costOf(spent, { inputPricePerMillion: 1 })).toBe(1);
    expect(costOf({ ...spent, outputTokens: 1 }, { inputPricePerMillion: 1 })).toBeUndefined();
  });

  it('has no cost where a price is unknown', () => {
    const meter = new UsageMeter();
    meter.book('map', { modelCalls: 1, inputTokens: 1000, outputTokens: 100, cost: 1 });
    meter.book('map', { modelCalls: 1, inputTokens: 1000, outputTokens: 100 });
    expect(meter.usage.cost).toBeUndefined();
  });

  it('counts what was spent before, which is no part of its usage', () => {
    const meter = new UsageMeter({ money: 0.01 }, 0.009);
    expect(() => meter.reserve(3000, 200, prices)).toThrow('budget.money');
    expect(meter.usage.cost).toBe(0);
  });

  it('counts what parallel calls have reserved', () => {
    const meter = new UsageMeter({ money: 0.01 });
    const settle = meter.reserve(3000, 200, prices);
    expect(() => meter.reserve(3000, 200, prices)).toThrow('budget.money');
    settle();
    expect(() => meter.reserve(3000, 200, prices)).not.toThrow();
  });
});

describe('roughTokens', () => {
  it.each([
    ['Latin letters', 'abcd'.repeat(1000), 1000],
    ['Chinese signs', '水'.repeat(10), 10],
  ])('estimates %s', (_script, text, tokens) => {
    expect(roughTokens(text)).toBe(tokens);
  });
});
