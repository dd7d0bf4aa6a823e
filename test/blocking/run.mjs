/**
 * The longest time for which each hostile input, and each input as large as it may be, holds the event loop of the host.
 *
 *     npm run check -- blocking [PATTERN] [--limit 100] [--runs 3]
 *
 * Each input has a process of its own: a host on Express, warmed up by an ordinary request of the same kind; the client, the web, YouTube
 * and the model's server are in another thread. The figure is the processor time of the host's main thread in the longest turn of its
 * event loop (see `stretch.mjs`), the best of the runs where the first is above the limit. `wall` is the same by the clock, for information.
 * Fails where a figure is above the limit, or the host answers with something that it should not.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: 'string', default: '100' },
    runs: { type: 'string', default: '3' },
    group: { type: 'string' },
    name: { type: 'string' },
  },
});
const limit = Number(values.limit);

if (values.name) await measure(values.group, values.name);
else await runAll(new RegExp(positionals[0] ?? '', 'i'));

/** In the process of one case. */
async function measure(group, name) {
  const { CASES } = await import('./cases.mjs');
  const { startHost, startOutside } = await import('./host.mjs');
  const { longestStretch } = await import('./stretch.mjs');
  const { options, warm, ask } = CASES[group][name]();
  const outside = await startOutside();
  const host = await startHost(options(outside));
  await warm?.(outside, host.url);
  // What the preparation has left to collect is not the host's.
  globalThis.gc?.();
  const rss = process.memoryUsage.rss();
  let most = rss;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  const start = performance.now();
  const { cpuMs, wallMs, result } = await longestStretch(() => ask(outside, host.url));
  clearInterval(watch);
  const { status, text, error } = result;
  process.send({
    cpuMs,
    wallMs,
    tookMs: performance.now() - start,
    grownMb: (most - rss) / 1e6,
    status,
    text: error ?? text?.slice(0, 300),
  });
  process.exit(0);
}

async function runAll(pattern) {
  const { CASES } = await import('./cases.mjs');
  const failed = [];
  console.log(
    '| input | longest block, ms of processor time | wall, ms | answered after, ms | status | memory, MB |',
  );
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const [group, cases] of Object.entries(CASES)) {
    for (const name of Object.keys(cases)) {
      if (!pattern.test(`${group}: ${name}`)) continue;
      let best;
      for (let run = 0; run < Number(values.runs); run++) {
        const result = await inProcess(group, name);
        if (!best || result.cpuMs < best.cpuMs) best = result;
        if (best.cpuMs <= limit) break;
      }
      const bad = best.status === 500 || best.status === undefined;
      const over = !(best.cpuMs <= limit) || bad;
      if (over) failed.push(`${group}: ${name}`);
      const cells = [best.cpuMs, best.wallMs, best.tookMs].map((ms) => Math.round(ms));
      console.log(
        `| ${group}: ${name} | ${over ? '**' : ''}${cells[0]}${over ? '**' : ''} | ${cells[1]} | ${cells[2]} | ${best.status ?? 'none'} | ${Math.round(best.grownMb)} |`,
      );
      if (bad) console.log(`  ${best.text}`);
    }
  }
  console.log(
    failed.length === 0 ? `\nNone above ${limit} ms.` : `\nAbove ${limit} ms or wrong:\n${failed.join('\n')}`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
}

async function inProcess(group, name) {
  const child = spawn(
    process.execPath,
    ['--expose-gc', import.meta.filename, '--group', group, '--name', name],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  const timer = setTimeout(() => child.kill('SIGKILL'), 180_000);
  let result = { cpuMs: Infinity, wallMs: Infinity, tookMs: Infinity, grownMb: 0, text: 'no result' };
  child.on('message', (message) => (result = message));
  await once(child, 'exit');
  clearTimeout(timer);
  return result;
}
