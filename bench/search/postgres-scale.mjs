/** Cost of many documents in memory and in PostgreSQL: synthetic text whose words follow Zipf's law, in loose topics. */
import { documents } from '../../dist/search/providers/documents.provider.js';
import { postgresDocuments } from '../../dist/postgres/index.js';
import { queriesOf, seeded, synthetic } from './scale.mjs';

/** Documents that are made and written at a time. */
const CHUNK = 50_000;

/**
 * Prints for each place: time to load, size, and latency of 300 queries of 3 to 8 words.
 *
 * @param pool of an empty database
 * @param inMemory whether `documents()` is measured as well
 */
export async function measurePostgresScale(pool, count, inMemory) {
  const random = seeded(7);
  const provider = postgresDocuments({ pool, timeoutMs: 60_000 });
  await provider.migrate();
  const all = [];
  let queries;
  let seconds = 0;
  for (let from = 0; from < count; from += CHUNK) {
    const texts = synthetic(Math.min(CHUNK, count - from), random).map((page, i) => ({
      ...page,
      url: `https://scale.example/${from + i}`,
    }));
    queries ??= queriesOf(texts, random);
    if (inMemory) for (const text of texts) all.push(text);
    const started = performance.now();
    await provider.upsert(texts);
    seconds += (performance.now() - started) / 1000;
  }
  const started = performance.now();
  // The server does this by itself within a minute or so.
  await pool.query('VACUUM ANALYZE documents');
  const analyzed = (performance.now() - started) / 1000;
  const { rows } = await pool.query(
    `SELECT pg_table_size('documents') AS pages, pg_indexes_size('documents') AS indexes`,
  );
  console.log(`${count} documents of about 100 words`);
  const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
  console.log(
    `in PostgreSQL  loaded in ${seconds.toFixed(1)} s (and VACUUM ANALYZE ${analyzed.toFixed(1)} s); table ${mb(rows[0].pages)}, indexes ${mb(rows[0].indexes)}; ${await latency(provider, queries)}`,
  );
  if (!inMemory) return;
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const memory = documents(all);
  const began = performance.now();
  await memory.ready();
  const built = (performance.now() - began) / 1000;
  console.log(
    `in memory      built in ${built.toFixed(1)} s; RSS + ${mb(process.memoryUsage.rss() - before)}; ${await latency(memory, queries)}`,
  );
}

async function latency(provider, queries) {
  const context = {
    signal: new AbortController().signal,
    remainingMs: () => 1e6,
    progress() {},
    noCache: true,
  };
  const times = [];
  for (const text of queries) {
    const begin = performance.now();
    await provider.search({ text, count: 10 }, context);
    times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(1);
  return `a query p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, worst ${at(1)} ms`;
}
