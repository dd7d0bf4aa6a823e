/**
 * What one hostile caller does to ten honest ones who use the same host at the same time.
 *
 *     npm run bench -- neighbours [PATTERN] [--seconds 5] [--rounds 3] [--adapters Express,Fastify]
 *
 * Each scenario has a host in a process of its own; the callers and the upstreams (an engine of 150 ms, pages of 50 ms, a model of 250 ms and
 * 400 tokens a second) are in this one. Honest callers have a key each, and think 100 ms between two requests. In each round they are alone
 * for some seconds, and then beside the hostile one, who never pauses. Fails where an honest request fails, or where the p95 of the honest
 * ones is more than 1.5 times what it is without the hostile one and the `waitsMs` of the scenario.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/postgres/postgres-server.mjs';
import { startRedis } from '../test/redis/redis-server.mjs';
import { Client, startUpstreams } from './neighbours/outside.mjs';
import { SCENARIOS } from './neighbours/scenarios.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    adapters: { type: 'string', default: 'Express,Fastify' },
  },
});
const pattern = new RegExp(positionals[0] ?? '', 'i');
const HONEST = 10;
const THINK_MS = 100;
const MOST_SLOWER = 1.5;

const failed = [];
console.log(
  '| hostile caller | adapter | honest requests | failed alone / beside | p50 alone / beside, ms | p95 alone / beside, ms | ratio of p95 | hostile requests by status |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const [name, scenario] of Object.entries(SCENARIOS)) {
  if (!pattern.test(name)) continue;
  for (const adapter of values.adapters.split(',')) await run(name, scenario, adapter);
}
console.log(failed.length === 0 ? '\nAll held.' : `\nNot held: ${failed.join('; ')}`);
process.exit(failed.length === 0 ? 0 : 1);

async function run(name, scenario, adapter) {
  const upstreams = await startUpstreams();
  const redis = scenario.needsRedis ? await startRedis() : undefined;
  const postgres = scenario.needsPostgres ? await startPostgres() : undefined;
  const { web } = upstreams.addresses;
  const addresses = JSON.stringify({ ...upstreams.addresses, redis: redis?.url, postgres: postgres?.url });
  const host = fork(new URL('./neighbours/host.mjs', import.meta.url), [adapter, name, addresses]);
  const [{ url }] = await once(host, 'message');
  const honest = Array.from({ length: HONEST }, (_, i) => new Client(url, web, `honest-${i}`));
  const hostile = Array.from(
    { length: scenario.hostileAtOnce },
    () => new Client(url, web, 'hostile', scenario.hostileAddress),
  );
  const [alone, beside] = [[], []];
  const statuses = {};
  // Everything is loaded, compiled and measured once before it counts.
  await phase(scenario, honest, [], [], {}, 2_000);
  for (let round = 0; round < Number(values.rounds); round++) {
    await phase(scenario, honest, [], alone, {}, Number(values.seconds) * 1000);
    await phase(scenario, honest, hostile, beside, statuses, Number(values.seconds) * 1000);
  }
  for (const client of [...honest, ...hostile]) client.close();
  host.disconnect();
  await once(host, 'exit');
  await redis?.stop();
  await postgres?.stop();
  await upstreams.close();
  const failures = [alone, beside].map((all) => all.filter(({ status }) => status !== 200));
  const [p50, p95] = [0.5, 0.95].map((share) => [alone, beside].map((all) => percentile(all, share)));
  const ratio = p95[1] / p95[0];
  const { waitsMs = 0 } = scenario;
  if (failures[1].length > 0 || p95[1] > MOST_SLOWER * p95[0] + waitsMs) failed.push(`${name} on ${adapter}`);
  const pair = (values) => values.map((value) => Math.round(value)).join(' / ');
  console.log(
    `| ${name} | ${adapter} | ${alone.length} / ${beside.length} | ${failures.map(toldOf).join(' / ')} | ${pair(p50)} | ${pair(p95)} | ${ratio.toFixed(2)} | ${Object.entries(
      statuses,
    )
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ')} |`,
  );
}

/** All callers for so long; every request that was begun is waited for. */
async function phase(
  { honest: request, hostile: attack, thinkMs = THINK_MS },
  honest,
  hostile,
  results,
  statuses,
  ms,
) {
  const end = performance.now() + ms;
  const callers = honest.map(async (client) => {
    await sleep(Math.random() * thinkMs);
    while (performance.now() < end) {
      const start = performance.now();
      const { status } = await request(client).catch(() => ({ status: 0 }));
      results.push({ status, ms: performance.now() - start });
      await sleep(thinkMs * (0.5 + Math.random()));
    }
  });
  const attackers = hostile.map(async (client, i) => {
    for (let n = i; performance.now() < end; n += hostile.length) {
      const { status } = await attack(client, n).catch(() => ({ status: 0 }));
      statuses[status] = (statuses[status] ?? 0) + 1;
      // Refused at once, the callers would keep this process busy and not the host: 400 refusals a second at most.
      if (status >= 400) await sleep(50);
    }
  });
  await Promise.all([...callers, ...attackers]);
}

/** How many, and with which status. */
function toldOf(failures) {
  const statuses = [...new Set(failures.map(({ status }) => status))].join(', ');
  return failures.length === 0 ? '0' : `${failures.length} (${statuses})`;
}

function percentile(all, share) {
  const sorted = all.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
