import { randomBytes } from 'node:crypto';
import { Injectable, Scope, type CanActivate } from '@nestjs/common';
import { ApiKeyGuard, ToolsModule } from '../../lib/index.js';
import { bullMqJobs } from '../../lib/queue/index.js';
import { eventually } from '../support/eventually.js';
import { startFakeLlm, type FakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { OneContentSource } from '../support/fixtures.js';
import { closeHosts, startHost } from '../support/host.js';
import { JobClient } from './job-client.js';
import { REDIS_URL } from './sharing.js';
import { startProcess, type ToolsProcess } from './start-process.mjs';

const MOST_WAITING = 3;
const MOST_STREAMS = 2;
const WORKERS = 2;
const BUDGET = 20_000;

/** One process that takes requests and works on two jobs at once. */
describe('jobs of a key that takes more than its share', () => {
  let llm: FakeLlm;
  let host: ToolsProcess;
  let client: JobClient;
  let other: JobClient;
  let videos = 0;
  const video = (words: number): { content_id: string } => ({ content_id: `words-${words}-${++videos}` });

  async function start(settings: { limits?: object; jobs?: object }): Promise<void> {
    host = await startProcess({
      ROLE: 'all',
      REDIS_URL,
      LLM_URL: llm.url,
      PREFIX: `test-${randomBytes(4).toString('hex')}`,
      CACHE: 'off',
      CONCURRENCY: String(WORKERS),
      MODEL_OPTIONS: JSON.stringify({ stallTimeoutMs: 600_000 }),
      LIMITS: JSON.stringify(settings.limits ?? {}),
      JOBS: JSON.stringify(settings.jobs ?? {}),
    });
    client = new JobClient(host.url);
    other = new JobClient(host.url, 'key-b');
  }

  beforeEach(async () => {
    llm = await startFakeLlm();
  });
  afterEach(async () => {
    await host.stop();
    await llm.close();
  });

  it('do not run once its daily budget is used up, however many were queued before', async () => {
    await start({ limits: { dailyTokens: BUDGET } });
    const paths = await Promise.all(Array.from({ length: 20 }, () => client.accepted(video(2000))));
    const jobs = await Promise.all(paths.map((path) => client.ended(path)));
    const spent = llm.calls.reduce((sum, call) => sum + call.promptTokens + call.completionTokens, 0);
    const dearest = Math.max(...llm.calls.map((call) => call.promptTokens + call.completionTokens));
    // The jobs that run at the same time as the last one may overrun it by what they cost themselves.
    expect(spent).toBeLessThanOrEqual(BUDGET + WORKERS * dearest);
    const failed = jobs.filter(({ status }) => status === 'failed');
    expect(failed.length).toBeGreaterThan(5);
    expect(failed[0]!.error).toMatchObject({ statusCode: 429, code: 'rate_limited' });
    expect(jobs.filter(({ status }) => status === 'done').length).toBeGreaterThan(1);
    // The budget is the key's own.
    expect((await other.ended(await other.accepted(video(2000)))).status).toBe('done');
  });

  it('do not go on with their next step either', async () => {
    await start({ limits: { dailyTokens: BUDGET } });
    const { status, error } = await client.ended(
      await client.accepted({ ...video(150_000), method: 'recursive' }),
    );
    expect(status).toBe('failed');
    expect(error).toMatchObject({ code: 'rate_limited' });
    // Calls of the same moment may be refused together, before the first was sent. None writes from what was read.
    expect(llm.calls.filter(({ prompt }) => !/Part \d+ of \d+\./.test(prompt))).toEqual([]);
    const costs = llm.calls.map((call) => call.promptTokens + call.completionTokens);
    const spent = costs.reduce((sum, cost) => sum + cost, 0);
    expect(spent).toBeLessThanOrEqual(BUDGET + Math.max(0, ...costs));
  });

  it('wait in a line that is no longer than it may be; those of others are accepted', async () => {
    await start({ jobs: { maxWaitingPerKey: MOST_WAITING } });
    llm.settings.ttftMs = 600_000;
    const running = await Promise.all(Array.from({ length: WORKERS }, () => client.accepted(video(1000))));
    await eventually(
      () => llm.running === WORKERS,
      () => `${llm.running} calls`,
    );
    const all = await Promise.all(Array.from({ length: 10 }, () => client.submit(video(1000))));
    expect(all.filter(({ status }) => status === 202)).toHaveLength(MOST_WAITING);
    const refused = all.find(({ status }) => status === 429)!;
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(await refused.json()).toMatchObject({
      code: 'rate_limited',
      message: 'This key has 3 jobs waiting, as many as it may have at once. Try again later.',
    });
    await other.accepted(video(1000));
    // One that is cancelled frees a place for another.
    const waiting = all.find(({ status }) => status === 202)!;
    await client.cancel(waiting.headers.get('location')!);
    await client.accepted(video(1000));
    for (const path of running) await client.cancel(path);
  });

  it('have no more event streams than it may have', async () => {
    await start({ jobs: { maxStreamsPerKey: MOST_STREAMS } });
    llm.settings.ttftMs = 600_000;
    const path = await client.accepted(video(1000));
    const leaving = new AbortController();
    const stream = (): Promise<Response> =>
      fetch(host.url + path, {
        headers: { 'X-API-Key': 'key-a', Accept: 'text/event-stream' },
        signal: leaving.signal,
      });
    const open = await Promise.all(Array.from({ length: MOST_STREAMS }, stream));
    expect(open.map(({ status }) => status)).toEqual([200, 200]);
    expect((await stream()).status).toBe(429);
    leaving.abort();
    // The next one is accepted once the host has seen the others leave.
    let status = 429;
    while (status === 429) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const last = new AbortController();
      const headers = { 'X-API-Key': 'key-a', Accept: 'text/event-stream', Connection: 'close' };
      // The connection may have ended with the stream before.
      const response = await fetch(host.url + path, { headers, signal: last.signal }).catch(() => undefined);
      status = response?.status ?? 429;
      last.abort();
    }
    expect(status).toBe(200);
  });

  it('can be listened to whatever the client says', async () => {
    await start({});
    llm.settings.ttftMs = 600_000;
    const path = await client.accepted(video(1000));
    await eventually(
      () => llm.running === 1,
      () => `${llm.running} calls`,
    );
    const highest = String(2n ** 64n - 1n);
    for (const lastEventId of [
      '99999999999999999999-0',
      '0-99999999999999999999',
      `${highest}-${highest}`,
      'x',
      '5',
    ])
      for await (const { event } of client.events(path, lastEventId)) {
        expect(event).toBe('progress');
        break;
      }
    await client.cancel(path);
  });
});

@Injectable({ scope: Scope.REQUEST })
class GuardOfOneRequest implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

describe('jobs behind a guard that Nest makes for each request', () => {
  afterEach(closeHosts);

  it('have no more event streams of a key than it may have', async () => {
    const prefix = `test-${randomBytes(4).toString('hex')}`;
    const connection = { url: REDIS_URL };
    // The job lasts until it is cancelled.
    const contents = Object.assign(new OneContentSource(), { load: () => new Promise(() => undefined) });
    const tools = ToolsModule.forRoot({
      apiKeys: ['key-a'],
      guards: [ApiKeyGuard, GuardOfOneRequest],
      contentSources: [contents],
      search: { providers: [] },
      shutdown: { graceMs: 0 },
      jobs: bullMqJobs({ connection, prefix, maxStreamsPerKey: 1 }),
    });
    const { url } = await startHost([tools]);
    const client = new JobClient(url);
    const path = await client.accepted({ content_id: 'coral' });
    const headers = { 'X-API-Key': 'key-a', Accept: 'text/event-stream' };
    expect((await fetch(url + path, { headers })).status).toBe(200);
    expect((await fetch(url + path, { headers })).status).toBe(429);
    await client.cancel(path);
  });
});
