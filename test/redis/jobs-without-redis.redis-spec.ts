import { eventually } from '../support/eventually.js';
import { startFakeLlm, type FakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { JobClient } from './job-client.js';
import { startRedis, type RedisServer } from './redis-server.mjs';
import { startProcess, type ToolsProcess } from './start-process.mjs';

/** One process that takes requests and works on jobs, with a Redis of its own. */
describe('jobs in one process', () => {
  let llm: FakeLlm;
  let redis: RedisServer;
  let host: ToolsProcess;
  let client: JobClient;

  beforeAll(async () => {
    [llm, redis] = await Promise.all([startFakeLlm(), startRedis()]);
    const env = { ROLE: 'all', REDIS_URL: redis.url, LLM_URL: llm.url, RESULT_TTL_MS: '10000', CACHE: 'off' };
    host = await startProcess(env);
    client = new JobClient(host.url);
  });

  afterAll(async () => {
    await host.stop();
    await Promise.all([redis.stop(), llm.close()]);
  });

  it('can be fetched for as long as the host says, then are made anew', async () => {
    const body = { content_id: 'words-1000' };
    const path = await client.accepted(body);
    const { status } = await client.ended(path);
    expect(status).toBe('done');
    while ((await client.get(path)).status !== 404) await new Promise((resolve) => setTimeout(resolve, 200));
    const again = await client.accepted(body);
    expect(again).not.toBe(path);
    expect((await client.ended(again)).status).toBe('done');
    expect(llm.calls).toHaveLength(2);
  });

  it('are refused while Redis does not answer; plain requests are answered, and what had begun ends when it is back', async () => {
    let release = (): void => undefined;
    llm.settings.held = new Promise((resolve) => (release = resolve));
    const path = await client.accepted({ content_id: 'words-1000-begun' });
    await eventually(
      () => llm.running === 1,
      () => `${llm.running} calls`,
    );
    redis.pause();
    const plain = client.summarize({ content_id: 'words-1000-plain' });
    const [submitted, fresh, looked] = await Promise.all([
      client.submit({ content_id: 'words-1000-refused' }),
      client.submit({ content_id: 'words-1000-fresh' }, { 'Cache-Control': 'no-cache' }),
      client.get(path),
    ]);
    expect([submitted.status, fresh.status, looked.status]).toEqual([503, 503, 503]);
    llm.settings.held = undefined;
    release();
    expect((await plain).status).toBe(200);
    redis.resume();
    expect((await client.ended(path)).status).toBe('done');
    // One that is submitted afterwards is done; nothing was queued for the requests that were refused.
    await client.ended(await client.accepted({ content_id: 'words-1000-later' }));
    const asked = llm.calls.map(({ prompt }) => /words-1000-\w+/.exec(prompt)?.[0]);
    expect(asked).not.toContain('words-1000-fresh');
  });

  it('are down in the health check while Redis does not answer, which is told at once and costs nothing', async () => {
    await client.healthOnce(({ status, workers }) => status === 'up' && workers === 1);
    const begun = llm.calls.length;
    redis.pause();
    const { status, jobs } = await client.healthOnce((jobs) => jobs.status === 'down');
    redis.resume();
    expect(status).toBe('up');
    expect(jobs.detail).toMatch(
      /^Redis, which holds the jobs, does not answer since \d{4}-.*: no answer within 1000 ms$/,
    );
    expect(jobs).not.toHaveProperty('waiting');
    await client.healthOnce((later) => later.status === 'up');
    expect(llm.calls).toHaveLength(begun);
  });
});
