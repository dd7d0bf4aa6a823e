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
    const env = { ROLE: 'all', REDIS_URL: redis.url, LLM_URL: llm.url, RESULT_TTL_MS: '1000', CACHE: 'off' };
    host = await startProcess(env);
    client = new JobClient(host.url);
  }, 30_000);

  afterAll(async () => {
    await host.stop();
    await Promise.all([redis.stop(), llm.close()]);
  });

  it('can be fetched for as long as the host says, then are made anew', async () => {
    const body = { content_id: 'words-1000' };
    const path = await client.accepted(body);
    const { status } = await client.ended(path);
    expect(status).toBe('done');
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect((await client.get(path)).status).toBe(404);
    const again = await client.accepted(body);
    expect(again).not.toBe(path);
    expect((await client.ended(again)).status).toBe('done');
    expect(llm.calls).toHaveLength(2);
  });

  it('are refused while Redis does not answer; plain requests are answered, and what had begun ends when it is back', async () => {
    llm.settings.ttftMs = 1000;
    const path = await client.accepted({ content_id: 'words-1000-begun' });
    redis.pause();
    const start = performance.now();
    const [submitted, looked, plain] = await Promise.all([
      client.submit({ content_id: 'words-1000-refused' }),
      client.get(path),
      client.summarize({ content_id: 'words-1000-plain' }),
    ]);
    expect(performance.now() - start).toBeLessThan(5000);
    expect([submitted.status, looked.status, plain.status]).toEqual([503, 503, 200]);
    redis.resume();
    expect((await client.ended(path)).status).toBe('done');
  }, 20_000);

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
  }, 30_000);
});
