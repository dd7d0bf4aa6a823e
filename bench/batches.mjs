/**
 * `npm run bench -- batches`: 200 items over four workers against a model that needs a second for each; and the memory of the API process while a
 * batch of 100 transcripts of 150,000 words is made and fetched. Needs `redis-server`.
 */
import { execFileSync } from 'node:child_process';
import { startFakeLlm } from '../test/support/fake-llm/fake-llm.mjs';
import { startRedis } from '../test/redis/redis-server.mjs';
import { startProcess } from '../test/redis/start-process.mjs';

const WORKERS = 4;
const SLOTS = 2;
const TTFT_MS = 1000;

const [redis, llm] = await Promise.all([startRedis(), startFakeLlm()]);
llm.settings.ttftMs = TTFT_MS;
const env = {
  REDIS_URL: redis.url,
  LLM_URL: llm.url,
  CONCURRENCY: String(SLOTS),
  JOBS: '{"maxWaitingPerKey":1000}',
};
const api = await startProcess({ ...env, ROLE: 'api' });
const workers = await Promise.all(
  Array.from({ length: WORKERS }, () => startProcess({ ...env, ROLE: 'worker' })),
);

const send = async (path, body) => {
  const response = await fetch(api.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'X-API-Key': 'key-a', 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
};
const run = async (tool, inputs) => {
  const { id } = await send('/v1/tools/batches', { tool, inputs });
  for (;;) {
    const batch = await send(`/v1/tools/batches/${id}?cursor=100`);
    if (batch.state === 'done') return batch;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
};
const videos = (words, from) =>
  Array.from({ length: 100 }, (_, i) => ({ content_id: `words-${words}-${from + i}` }));

// Each worker loads its code with its first job.
await run('summarize_content', videos(300, 1000));
const since = performance.now();
const [one, two] = await Promise.all([0, 100].map((from) => run('summarize_content', videos(300, from))));
const seconds = (performance.now() - since) / 1000;
const ideal = (200 * TTFT_MS) / 1000 / (WORKERS * SLOTS);
console.log(
  `200 items: ${one.counts.done + two.counts.done} done, ${seconds.toFixed(1)} s, ideal ${ideal.toFixed(1)} s, ratio ${(seconds / ideal).toFixed(2)}`,
);

const megabytes = () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(api.pid)])) / 1024;
const idle = megabytes();
let most = idle;
const timer = setInterval(() => (most = Math.max(most, megabytes())), 100);
const { id, counts } = await run(
  'get_transcript',
  videos(150_000, 0).map((input) => ({ ...input, max_tokens: 100_000 })),
);
let characters = 0;
for (let cursor = '0'; cursor !== undefined;) {
  const page = await send(`/v1/tools/batches/${id}?cursor=${cursor}`);
  characters += JSON.stringify(page).length;
  cursor = page.next_cursor;
}
clearInterval(timer);
console.log(
  `100 × 150,000 words: ${counts.done} done, ${(characters / 1e6).toFixed(0)} MB fetched; API process idle ${idle.toFixed(0)} MB, at most ${(most - idle).toFixed(0)} MB more`,
);

await Promise.all([api, ...workers].map((one) => one.stop()));
await llm.close();
await redis.stop();
