// Good and bad requests of 50 clients at once against the sample app's module in a process of its own, while its upstreams misbehave.
//   npm run bench -- soak [--seconds 60] [--concurrency 50] [--think 200] [--seed 1]
// `--think` is the mean pause of a client between two requests, ms; 0 loads the server with all that it takes, where the time that a
// request takes says how many wait before it and no more.
// Ends with a table of the promises and a non-zero code when one is broken.
import { fork } from 'node:child_process';
import http from 'node:http';
import { parseArgs } from 'node:util';
import { seeded } from './soak/random.mjs';
import { nextRequest } from './soak/requests.mjs';
import { startUpstream } from './soak/upstream.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    concurrency: { type: 'string', default: '50' },
    think: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
});
const [seconds, concurrency, think, seed] = [
  values.seconds,
  values.concurrency,
  values.think,
  values.seed,
].map(Number);
/** Share of the time after which caches are full and code is compiled; the heap is measured from here. */
const WARM_UP = 0.25;
const KEY = 'nt_soak';
const MEBIBYTE = 1024 * 1024;

const upstream = await startUpstream(seeded(seed + 1));
const server = fork(new URL('./soak/server.mjs', import.meta.url), {
  execArgv: ['--expose-gc'],
  env: { ...process.env, UPSTREAM: upstream.url, KEY },
});
const ended = new Promise((_, reject) => {
  server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
});
ended.catch(() => undefined);
const said = (message) => {
  if (message) server.send(message);
  return Promise.race([new Promise((resolve) => server.once('message', resolve)), ended]);
};
const { port } = await said();
const agent = new http.Agent({ keepAlive: true, maxSockets: concurrency });
const random = seeded(seed);

/** Sends one request and gives what came back; undefined where the client left. */
function send({ path, body, raw, headers = {}, leaveAfterMs }) {
  return new Promise((resolve, reject) => {
    const request = http.request({
      agent,
      port,
      path,
      method: 'POST',
      headers: { 'X-API-Key': KEY, 'Content-Type': 'application/json', ...headers },
    });
    const leave = leaveAfterMs !== undefined && setTimeout(() => request.destroy(), leaveAfterMs);
    const late = setTimeout(() => request.destroy(new Error('no answer within 20 s')), 20_000);
    request.on('error', (error) => (leave ? resolve(undefined) : reject(error)));
    request.on('response', (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', () => undefined);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type']?.startsWith('application/json');
        resolve({
          status: response.statusCode,
          headers: response.headers,
          text,
          json: isJson ? JSON.parse(text) : undefined,
        });
      });
      response.on('close', () => leave && resolve(undefined));
    });
    request.on('close', () => {
      clearTimeout(late);
      clearTimeout(leave);
    });
    request.end(raw ?? JSON.stringify(body));
  });
}

const counts = {};
const wrong = [];
const cachedMs = [];
let warm = false;

const pause = () => new Promise((resolve) => setTimeout(resolve, random() * 2 * think));

async function client(until) {
  if (think > 0) await pause();
  while (performance.now() < until) {
    const request = nextRequest(random);
    const since = performance.now();
    let fault;
    let outcome = 'left';
    try {
      const response = await send(request);
      if (response) {
        outcome = response.status;
        fault = request.check?.(response);
      }
    } catch (error) {
      // A kept connection that the server closes just then is the risk of every client; the soak's server closes none under load.
      fault = `lost: ${error.message}`;
    }
    if (request.kind === 'cached' && warm) cachedMs.push(performance.now() - since);
    const key = `${request.kind} ${outcome}`;
    counts[key] = (counts[key] ?? 0) + 1;
    if (fault) wrong.push(`${request.kind}: ${fault}`);
    if (think > 0) await pause();
  }
}

const load = (ms) => Promise.all(Array.from({ length: concurrency }, () => client(performance.now() + ms)));
const handles = ({ resources }) => Object.values(resources).reduce((sum, n) => sum + n, 0);

const start = await said('measure');
await load(seconds * 1000 * WARM_UP);
const before = await said('measure');
warm = true;
await load(seconds * 1000 * (1 - WARM_UP));
agent.destroy();
let after = await said('measure');
const { loop } = after;
// Connections that the server keeps to its upstream, and those that clients have just left, take a moment to close.
for (let i = 0; i < 20 && handles(after) > handles(start); i++) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  after = await said('measure');
}
server.send('stop');
upstream.stop();

cachedMs.sort((a, b) => a - b);
const quantile = (q) => cachedMs[Math.min(cachedMs.length - 1, Math.floor(cachedMs.length * q))] ?? NaN;
const grown = (after.heapUsed - before.heapUsed) / MEBIBYTE;
const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
const promises = [
  ['unhandled rejections and exceptions', after.faults.length, after.faults.length === 0, '0'],
  ['lost, crossed or undocumented answers', wrong.length, wrong.length === 0, '0'],
  ['heap growth after collection, MiB', grown.toFixed(1), grown <= 10, '≤ 10'],
  ['p99 of cached calls, ms', quantile(0.99).toFixed(1), quantile(0.99) <= 50, '≤ 50'],
  ['open handles above the start', handles(after) - handles(start), handles(after) <= handles(start), '≤ 0'],
];
console.log(
  `${total} requests in ${seconds} s, ${concurrency} clients, ${think} ms between requests, seed ${seed}; Node ${process.version}`,
);
console.table(counts);
console.log(
  `cached calls: ${cachedMs.length}, p50 ${quantile(0.5).toFixed(1)} ms, p99 ${quantile(0.99).toFixed(1)} ms`,
);
console.log(
  `event loop of the server held up: p99 ${loop.p99.toFixed(1)} ms, longest ${loop.max.toFixed(1)} ms`,
);
for (const [name, value, kept, bound] of promises)
  console.log(`${kept ? 'kept  ' : 'BROKEN'}  ${name}: ${value} (${bound})`);
if (handles(after) > handles(start)) console.log('handles', start.resources, after.resources);
for (const fault of [...after.faults, ...new Set(wrong)].slice(0, 20)) console.log(fault);
if (promises.some(([, , kept]) => !kept)) process.exitCode = 1;
