/**
 * `postgresDocuments()` on a PostgreSQL that this command starts, next to `documents()` in the same run.
 *
 *   npm run bench -- postgres                     right page first: everyday questions and the own notes
 *   npm run bench -- postgres <folder>         also a test collection in the BEIR layout
 *   npm run bench -- postgres --scale [n]      time, size and latency over n (100,000) synthetic documents
 *   npm run bench -- postgres --scale n --postgres-only
 *   npm run bench -- postgres --vectors [n]    time and memory of embed() over n (100,000) pages; needs pgvector (POSTGRES_BIN)
 */
import { createRequire } from 'node:module';
import { postgresDocuments } from '../dist/postgres/index.js';
import { startPostgres } from '../test/postgres/postgres-server.mjs';
import { measureQuality } from './search/quality.mjs';
import { measurePostgresScale } from './search/postgres-scale.mjs';
import { measurePostgresVectors } from './search/postgres-vectors.mjs';
import { askedThroughService, ours, plainBm25 } from './search/systems.mjs';

const { Pool } = createRequire(import.meta.url)('pg');

const server = await startPostgres();
const pool = new Pool({ connectionString: server.url });
try {
  const [argument, count] = process.argv.slice(2);
  if (argument === '--scale')
    await measurePostgresScale(pool, Number(count ?? 100_000), !process.argv.includes('--postgres-only'));
  else if (argument === '--vectors') await measurePostgresVectors(pool, Number(count ?? 100_000));
  else await measureQuality(argument, [plainBm25, ours, inPostgres(pool)]);
} finally {
  await pool.end();
  await server.stop();
}

/** A table for each collection. */
function inPostgres(pool) {
  let tables = 0;
  return {
    name: 'postgresDocuments()',
    async build(corpus) {
      const provider = postgresDocuments({ pool, table: `pages_${tables++}`, timeoutMs: 60_000 });
      await provider.migrate();
      await provider.upsert(corpus);
      return askedThroughService(provider);
    },
  };
}
