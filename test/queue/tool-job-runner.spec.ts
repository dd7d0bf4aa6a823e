import type { ModuleRef } from '@nestjs/core';
import { resolveLimits } from '../../lib/auth/auth.options.js';
import { RequestLimits } from '../../lib/auth/request-limits.js';
import type { CallOptions } from '../../lib/core/context.js';
import { ClientClosedError, UpstreamUnavailableError } from '../../lib/core/errors.js';
import type { RequestEvent } from '../../lib/core/request-event.js';
import { NO_TELEMETRY } from '../../lib/core/telemetry.js';
import type { ModelUsage } from '../../lib/core/usage.js';
import type { ToolJob } from '../../lib/queue/job-record.js';
import { ToolJobRunner } from '../../lib/queue/job-worker.js';
import { CallReporter } from '../../lib/tools/request-log.js';
import { ToolCalls } from '../../lib/tools/tool-calls.js';

const CALL: ModelUsage = { modelCalls: 1, inputTokens: 100, outputTokens: 20, cost: 0.003 };
const TWO_CALLS: ModelUsage = { modelCalls: 2, inputTokens: 200, outputTokens: 40, cost: 0.006 };

/** Runs a job that asks a model twice and then ends as told; gives what the host hears of it, and what its owner has used. */
async function heardOf(
  end: () => object,
  signal = new AbortController().signal,
): Promise<{ event: RequestEvent | undefined; used: number }> {
  const events: RequestEvent[] = [];
  const limits = resolveLimits({ dailyTokens: 1000, dailyCost: 5 });
  const service = {
    search: (_request: object, call: CallOptions) => {
      call.spend?.(CALL);
      call.spend?.(CALL);
      return Promise.resolve().then(end);
    },
  };
  const services = { get: () => service } as unknown as ModuleRef;
  const hooks = { onUsage: (event: RequestEvent) => void events.push(event) };
  const parts = [
    new ToolCalls(services, new RequestLimits(limits), NO_TELEMETRY),
    new CallReporter(NO_TELEMETRY, { hooks, logRequests: false }),
    { reporterOf: () => ({ end: () => Promise.resolve() }) },
    { deadlineMs: 1000 },
  ];
  const runner = new ToolJobRunner(...(parts as unknown as ConstructorParameters<typeof ToolJobRunner>));
  const data = { tool: 'search_web', input: {}, owner: { id: 'o' }, requestId: 'r', noCache: false };
  await runner.run({ data, timestamp: Date.now() } as ToolJob, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  const day = `day:${new Date().toISOString().slice(0, 10)}:tokens:o`;
  return { event: events[0], used: (await limits.store.add(day, 0, 60)).used };
}

describe('the host hears what a job has cost', () => {
  it('once, where it succeeds', async () => {
    const { event, used } = await heardOf(() => ({ llm: { answer: 'So.', usage: TWO_CALLS } }));
    expect(event).toMatchObject({ outcome: 'ok', usage: TWO_CALLS, cost: 0.006 });
    expect(used).toBe(240);
  });

  it('also where it was cancelled', async () => {
    const controller = new AbortController();
    const { event, used } = await heardOf(() => {
      controller.abort(new ClientClosedError());
      throw controller.signal.reason;
    }, controller.signal);
    expect(event).toMatchObject({ statusCode: 499, outcome: 'client_closed', usage: TWO_CALLS });
    expect(used).toBe(240);
  });

  it('not where another worker goes on with it', async () => {
    const controller = new AbortController();
    const { event } = await heardOf(() => {
      controller.abort(new Error('handed over'));
      throw controller.signal.reason;
    }, controller.signal);
    expect(event).toBeUndefined();
  });

  it('not when the request is accepted', () => {
    const events: RequestEvent[] = [];
    const hooks = { onUsage: (event: RequestEvent) => void events.push(event) };
    const reporter = new CallReporter(NO_TELEMETRY, { hooks, logRequests: false });
    reporter.report(reporter.begin('search_web', 'r'), 202, true);
    expect(events).toEqual([]);
    reporter.report(reporter.begin('search_web', 'r'), 200, true);
    expect(events).toHaveLength(1);
  });

  it('also where it fails', async () => {
    const { event, used } = await heardOf(() => {
      throw new UpstreamUnavailableError('Gone.');
    });
    expect(event).toMatchObject({ outcome: 'upstream_unavailable', usage: TWO_CALLS, cost: 0.006 });
    expect(used).toBe(240);
  });
});
