// What the module costs a host: a cached call of `summarize_content` and of `read_page`, and a call that is refused (a wrong key, 401), against
// a bare Nest controller that echoes a validated DTO; and added start-up time. Other work on the machine shows in requests a second; processor
// time of the host's process a request hardly knows of it.
//
//     npm run bench -- overhead [seconds per measurement, default 4 [rounds, default 5]] [--against <dist of another build>] [--calls] [--check]
//
// `--against` measures another build in the same rounds. `--calls` leaves start-up out. `--check` fails where calls take
// more than `MOST` times the processor time of bare ones.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';

const { values, positionals } = parseArgs({
  options: { against: { type: 'string' }, calls: { type: 'boolean' }, check: { type: 'boolean' } },
  allowPositionals: true,
});
const SECONDS = Number(positionals[0] ?? (values.check ? 0.5 : 4));
const ROUNDS = Number(positionals[1] ?? 5);
/** The most processor time of a call, as a multiple of that of a bare one. Above what is measured by more than runs differ. */
const MOST = {
  express: { '10,000 callers': 2.1, refused: 1.4 },
  fastify: { '10,000 callers': 3.4, refused: 1.5 },
};
const CALLERS = 10_000;
const CONNECTIONS = 20;
const STARTS = 9;
const BODY = JSON.stringify({
  source_type: 'youtube',
  content_id: 'benchTalk01',
  output_language: 'en',
  method: 'auto',
});
const HOST = fileURLToPath(new URL('./overhead/host.mjs', import.meta.url));

async function start(adapter, variant, keys, swagger = '') {
  const args = [adapter, variant === 'bare' ? 'bare' : 'tools', keys, swagger].map(String);
  const dist =
    variant === 'other' ? resolve(values.against) : fileURLToPath(new URL('../dist', import.meta.url));
  const began = performance.now();
  const child = fork(HOST, args, { env: { ...process.env, DIST: dist } });
  const died = (code, signal) => {
    console.error(`the host ${args.join(' ')} ended in the middle: ${signal ?? code}`);
    process.exit(1);
  };
  child.once('exit', died);
  const [{ url, page, cpuUs, mb }] = await once(child, 'message');
  return { child, died, url, page, ms: performance.now() - began, cpuMs: cpuUs / 1000, mb };
}

async function cpuUsed({ child }, message = {}) {
  child.send(message);
  const [{ cpuUs }] = await once(child, 'message');
  return cpuUs;
}

async function stop({ child, died }) {
  child.off('exit', died);
  child.kill();
  await once(child, 'exit');
}

const request = (key, tool, page) => ({
  method: 'POST',
  path: `/v1/tools/${tool}`,
  headers: { 'content-type': 'application/json', 'x-api-key': `key-${key}` },
  body: tool === 'read_page' ? JSON.stringify({ url: page }) : BODY,
});

/**
 * Load from CONNECTIONS connections, whose requests carry as many different keys as there are callers. No callers: a key that is wrong, and
 * every call is refused.
 */
async function load(host, callers, seconds, tool = 'summarize_content') {
  const each = Math.max(1, callers / CONNECTIONS);
  let connection = 0;
  const before = await cpuUsed(host);
  const result = await autocannon({
    url: host.url,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient: (client) => {
      const first = callers === 0 ? 'wrong' : callers === 1 ? 0 : connection++ * each;
      client.setRequests(Array.from({ length: each }, (_, index) => request(first + index, tool, host.page)));
    },
  });
  if ((callers > 0 ? result.non2xx : result['2xx']) > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} of ${result.requests.total} refused, ${result.errors} errors`);
  return {
    perSecond: result.requests.average,
    cpuUs: ((await cpuUsed(host)) - before) / result.requests.total,
    bytes: Math.round(result.throughput.total / result.requests.total),
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

async function answerOf({ url }) {
  const { path, ...init } = request(0, 'summarize_content');
  return (await fetch(url + path, init)).json();
}

/** What a variant is called where the other build runs it. */
const OTHER = { '10,000 callers': '… of the other build', refused: '… refused, of the other build' };

const median = (all) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)];

/** Other work on the machine only adds to it. */
const leastCpu = (runs) => Math.min(...runs.map(({ cpuUs }) => cpuUs));

async function throughput(adapter) {
  const bare = await start(adapter, 'bare', 0);
  const tools = await start(adapter, 'tools', CALLERS);
  const other = values.against && (await start(adapter, 'other', CALLERS));
  const variants = {
    bare: () => load(bare, 1, SECONDS),
    ...(!values.check && {
      'bare, same answer': () => load(bare, 1, SECONDS, 'same_answer'),
      'one caller': () => load(tools, 1, SECONDS),
    }),
    '10,000 callers': () => load(tools, CALLERS, SECONDS),
    ...(!values.check && { read_page: () => load(tools, CALLERS, SECONDS, 'read_page') }),
    refused: () => load(tools, 0, SECONDS),
    ...(other && {
      [OTHER['10,000 callers']]: () => load(other, CALLERS, SECONDS),
      [OTHER.refused]: () => load(other, 0, SECONDS),
    }),
  };
  const seen = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
  try {
    await cpuUsed(bare, { answer: await answerOf(tools) });
    for (const tool of ['summarize_content', 'same_answer']) await load(bare, 1, 2, tool);
    for (const host of [tools, other]) if (host) await load(host, CALLERS, 2);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, run] of Object.entries(variants)) seen[name].push(await run());
    }
  } finally {
    await Promise.all([bare, tools, other].map((host) => host && stop(host)));
  }
  const added = ({ cpuUs }, round) => cpuUs - seen.bare[round].cpuUs;
  return Object.entries(seen).map(([variant, runs]) => {
    const others = seen[OTHER[variant]];
    const ofBare = (rate) => runs.map((run, round) => rate(run) / rate(seen.bare[round]));
    const speed = ofBare(({ perSecond }) => perSecond);
    return {
      adapter,
      variant,
      'bytes out': runs[0].bytes,
      'requests/s': Math.round(median(runs.map(({ perSecond }) => perSecond))),
      'p50 ms': median(runs.map(({ p50 }) => p50)),
      'p99 ms': median(runs.map(({ p99 }) => p99)),
      'of bare': median(speed).toFixed(2),
      'worst, best': [Math.min(...speed), Math.max(...speed)].map((ratio) => ratio.toFixed(2)).join(' '),
      'CPU µs/request': Math.round(median(runs.map(({ cpuUs }) => cpuUs))),
      'added CPU ms': (median(runs.map(added)) / 1000).toFixed(3),
      'times bare by CPU': (leastCpu(runs) / leastCpu(seen.bare)).toFixed(2),
      ...(others && {
        'added, of the other build': median(
          runs.map((run, round) => added(run, round) / added(others[round], round)),
        ).toFixed(2),
      }),
    };
  });
}

async function startUp(adapter, swagger) {
  const seen = { bare: [], tools: [], ...(values.against && { other: [] }) };
  for (let index = 0; index < STARTS; index++) {
    for (const variant of Object.keys(seen)) {
      const host = await start(adapter, variant, 1, swagger);
      seen[variant].push(host);
      await stop(host);
    }
  }
  const added = (figure, of = seen.tools) =>
    Math.round(median(of.map(figure)) - median(seen.bare.map(figure)));
  return {
    adapter,
    'host has an OpenAPI document': swagger !== undefined,
    'bare ms': Math.round(median(seen.bare.map(({ ms }) => ms))),
    'added ms': added(({ ms }) => ms),
    'added CPU ms': added(({ cpuMs }) => cpuMs),
    'bare MB': Math.round(median(seen.bare.map(({ mb }) => mb))),
    'added MB': added(({ mb }) => mb),
    ...(seen.other && {
      'added CPU ms by the other build': added(({ cpuMs }) => cpuMs, seen.other),
      'added MB by the other build': added(({ mb }) => mb, seen.other),
    }),
  };
}

console.log(
  `Node ${process.version}, ${cpus().length} cores; ${ROUNDS} interleaved rounds of ${SECONDS} s, ${CONNECTIONS} connections`,
);
const beyond = [];
for (const adapter of ['express', 'fastify']) {
  const rows = await throughput(adapter);
  console.table(rows);
  for (const { variant, 'times bare by CPU': times } of rows)
    if (times > MOST[adapter][variant]) beyond.push(`${adapter}, ${variant}: ${times} times a bare call`);
}
if (values.check) {
  console.log(
    beyond.length > 0 ? `Beyond its bound: ${beyond.join('; ')}` : 'Overhead is within its bounds.',
  );
  process.exit(beyond.length > 0 ? 1 : 0);
}
if (values.calls) process.exit();
console.log(`Start-up, from the start of the process to the open port: median of ${STARTS}, interleaved`);
const starts = [];
for (const adapter of ['express', 'fastify']) {
  starts.push(await startUp(adapter, 'swagger'), await startUp(adapter));
}
console.table(starts);
