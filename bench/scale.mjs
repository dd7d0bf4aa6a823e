/**
 * Jobs over several workers, each a process of its own, on a `redis-server` that this starts, against the fake model of `npm run bench -- llm` (300 ms
 * to the first token, 80 tokens a second, no limit on parallel calls): 200 jobs at once, 150 of one key and then 50 of another. Throughput,
 * fairness, Redis memory per job.
 *
 *     npm run bench -- scale [--jobs 150,50]
 */
import { Redis } from 'ioredis';
import { startRedis } from '../test/redis/redis-server.mjs';
import { startProcess } from '../test/redis/start-process.mjs';
import { startFakeLlm } from '../test/support/fake-llm/fake-llm.mjs';

const args = process.argv.slice(2);
const option = (name, standard) => (args.includes(name) ? args.splice(args.indexOf(name), 2)[1] : standard);
const numbers = (text) => text.split(',').map(Number);
/** Jobs of key a, then of key b. */
const [OF_A, OF_B] = numbers(option('--jobs', '150,50'));

const KEYS = { a: 'key-a', b: 'key-b' };
const llm = await startFakeLlm({ ttftMs: 300, tokensPerSecond: 80, words: 150 });
const redis = await startRedis();
const client = new Redis(redis.url);
const usedMemory = async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))[1]);
const kilobytes = (bytes) => (bytes / 1024).toFixed(1);

/** An API and workers that know of nobody else. */
async function hosts(workers, concurrency, prefix) {
  // By default a key may have 100 jobs waiting, and watch 100.
  const most = Math.max(100, OF_A, OF_B);
  const JOBS = JSON.stringify({ maxWaitingPerKey: most, maxStreamsPerKey: most });
  const env = { REDIS_URL: redis.url, LLM_URL: llm.url, PREFIX: prefix, CACHE: 'off', JOBS };
  const worker = () => startProcess({ ...env, ROLE: 'worker', CONCURRENCY: `${concurrency}` });
  const api = await startProcess({ ...env, ROLE: 'api' });
  const running = [];
  const start = async () =>
    running.push(...(await Promise.all(Array.from({ length: workers }, () => worker()))));
  const stop = () => Promise.all([api, ...running].map((one) => one.stop()));
  return { url: api.url, start, stop };
}

async function submit(url, key, video) {
  const response = await fetch(`${url}/v1/tools/summarize_content`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json', Prefer: 'respond-async' },
    body: JSON.stringify({ content_id: video }),
  });
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  return url + response.headers.get('location');
}

/** The job once its stream has ended. */
async function ended(location, key) {
  const headers = { 'X-API-Key': key };
  const events = await fetch(location, { headers: { ...headers, Accept: 'text/event-stream' } });
  await events.arrayBuffer();
  const at = performance.now();
  const job = await (await fetch(location, { headers })).json();
  if (job.status !== 'done') throw new Error(`${job.status} ${JSON.stringify(job.error)}`);
  return { job, at };
}

async function manyJobs() {
  const [workers, concurrency] = [4, 4];
  const { url, start, stop } = await hosts(workers, concurrency, 'many');
  const empty = await usedMemory();
  const began = performance.now();
  const jobs = [];
  for (const [key, count] of [
    [KEYS.a, OF_A],
    [KEYS.b, OF_B],
  ]) {
    const videos = Array.from({ length: count }, (_, i) => `words-500-${key}-${i}`);
    const locations = await Promise.all(videos.map((video) => submit(url, key, video)));
    jobs.push(...locations.map((location) => ({ key, location })));
  }
  const accepted = performance.now() - began;
  const queued = ((await usedMemory()) - empty) / jobs.length;
  const ends = Promise.all(
    jobs.map(async ({ key, location }) => ({ key, at: (await ended(location, key)).at })),
  );
  await start();
  const ready = performance.now();
  const all = await ends;
  const done = ((await usedMemory()) - empty) / jobs.length;
  const last = (key) => Math.max(...all.filter((one) => one.key === key).map(({ at }) => at));
  const first = Math.min(...all.map(({ at }) => at));
  const lastOfB = last(KEYS.b);
  const ofA = all.filter(({ key, at }) => key === KEYS.a && at <= lastOfB).length;
  const busy = llm.calls.reduce((sum, call) => sum + (call.closedAt - call.startedAt), 0);
  const span =
    Math.max(...all.map(({ at }) => at)) -
    Math.min(ready, first, ...llm.calls.map(({ startedAt }) => startedAt));
  console.log(`
${OF_A + OF_B} jobs, ${OF_A} of key a, then ${OF_B} of key b; ${workers} workers of ${concurrency}, started when all are queued
accepted in ${(accepted / 1000).toFixed(2)} s (${((jobs.length / accepted) * 1000).toFixed(0)} a second)
done ${((jobs.length / span) * 1000).toFixed(1)} a second; ${((100 * busy) / (span * workers * concurrency)).toFixed(0)} % of the room for calls was in use
when the last of the ${OF_B} of key b was done, ${ofA} of the ${OF_A} of key a were
Redis memory a job: ${kilobytes(queued)} kB queued, ${kilobytes(done)} kB done`);
  await stop();
}

await manyJobs();
client.disconnect();
await redis.stop();
await llm.close();
