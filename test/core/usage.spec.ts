import { SingleFlight } from '../../lib/core/single-flight.js';
import { trackSpend, type ModelUsage } from '../../lib/core/usage.js';
import { withContext, type ToolContext } from '../../lib/core/context.js';

const ONE = { modelCalls: 1, inputTokens: 10, outputTokens: 5 };

describe('spending', () => {
  it('is told as it happens, and a reporter that throws costs nothing', async () => {
    const work = (context: ToolContext): Promise<string> => {
      context.spend?.(ONE);
      return Promise.resolve('done');
    };
    const spend = (): void => {
      throw new Error('full');
    };
    await expect(withContext(1000, { spend }, work)).resolves.toBe('done');
  });

  it('of a total given at the end counts only where it was not reported before', async () => {
    const told: ModelUsage[] = [];
    await withContext(1000, { spend: (spent) => told.push(spent) }, (outer) => {
      const { context, record } = trackSpend(outer);
      context.spend?.(ONE);
      record({ modelCalls: 3, inputTokens: 30, outputTokens: 5 });
      record({ modelCalls: 3, inputTokens: 30, outputTokens: 5 });
      record(undefined);
      return Promise.resolve();
    });
    expect(told).toEqual([ONE, { modelCalls: 2, inputTokens: 20, outputTokens: 0 }]);
  });

  it('of shared work is borne by the caller that has waited longest, then by the last to leave, once each time', async () => {
    const flights = new SingleFlight<void>();
    const bills: Record<string, ModelUsage[]> = { a: [], b: [] };
    const leave: Record<string, (reason: Error) => void> = {};
    let working!: ToolContext;
    const wait = (name: string): Promise<unknown> => {
      const controller = new AbortController();
      leave[name] = (reason) => controller.abort(reason);
      const call = { signal: controller.signal, spend: (spent: ModelUsage) => bills[name]!.push(spent) };
      return withContext(1000, call, (context) =>
        flights.run('key', context, undefined, 1000, (own) => {
          working = own;
          own.spend?.(ONE);
          return new Promise(() => undefined);
        }),
      ).catch((error: Error) => error.message);
    };
    const [a, b] = [wait('a'), wait('b')];
    leave.a!(new Error('left'));
    await a;
    working.spend?.(ONE);
    leave.b!(new Error('left'));
    await b;
    working.spend?.(ONE);
    expect(bills).toEqual({ a: [ONE], b: [ONE, ONE] });
  });
});
