import { RequestLimits } from '../../lib/auth/limits/request-limits.js';
import { resolveLimits } from '../../lib/auth/limits/limits.options.js';
import { UpstreamUnavailableError } from '../../lib/core/errors.js';
import { NO_TELEMETRY, type RequestEvent } from '../../lib/core/telemetry/index.js';
import type { Spent } from '../../lib/core/context.js';
import type { RequestObserver } from '../../lib/http/request-observer.js';
import type { ToolWork, WorkResult } from '../../lib/http/tool-work.js';
import type { FlowJournal } from '../../lib/queue/flow-journal.js';
import type { ToolJob } from '../../lib/queue/job-record.js';
import type { JobReporter } from '../../lib/queue/job-reporter.js';
import { ToolJobRunner } from '../../lib/queue/tool-job-runner.js';

const CALL: Spent = { modelCalls: 1, inputTokens: 100, outputTokens: 20 };
const TWO_CALLS: Spent = { modelCalls: 2, inputTokens: 200, outputTokens: 40 };

/** Runs a job that asks a model twice and then ends as told; gives what the host hears of it, and what its owner has used. */
async function heardOf(end: () => WorkResult): Promise<{ event: RequestEvent; used: number }> {
  const events: RequestEvent[] = [];
  const limits = resolveLimits({
    dailyTokens: 1000,
    dailyCost: 5,
    price: { inputPerMillion: 10, outputPerMillion: 100 },
  });
  const work: Pick<ToolWork<never>, 'tool' | 'run'> = {
    tool: 'search_web',
    run: async (_dto, call) => {
      call.spend?.(CALL);
      call.spend?.(CALL);
      return Promise.resolve(end());
    },
  };
  const runner = new ToolJobRunner({
    works: [work as ToolWork<never>],
    limits: new RequestLimits(limits),
    telemetry: NO_TELEMETRY,
    observer: { tell: (event: RequestEvent) => void events.push(event) } as unknown as RequestObserver,
    deadlineMs: 1000,
    reporterOf: () => Promise.resolve({ end: () => Promise.resolve() } as unknown as JobReporter),
    journalOf: () => ({ forget: () => Promise.resolve() }) as unknown as FlowJournal,
  });
  const data = { tool: 'search_web', input: {}, owner: { id: 'o' }, requestId: 'r', noCache: false };
  await runner.run({ data, timestamp: Date.now() } as ToolJob, new AbortController().signal);
  const day = `day:${new Date().toISOString().slice(0, 10)}:tokens:o`;
  return { event: events[0]!, used: (await limits.store.add(day, 0, 60)).used };
}

describe('the host hears what a job has cost', () => {
  it('once, where it succeeds', async () => {
    const { event, used } = await heardOf(() => ({ data: {}, facts: { usage: TWO_CALLS } }));
    expect(event).toMatchObject({ outcome: 'ok', usage: TWO_CALLS, cost: 0.006 });
    expect(used).toBe(240);
  });

  it('also where it fails', async () => {
    const { event, used } = await heardOf(() => {
      throw new UpstreamUnavailableError('Gone.');
    });
    expect(event).toMatchObject({ outcome: 'upstream_unavailable', usage: TWO_CALLS, cost: 0.006 });
    expect(used).toBe(240);
  });
});
