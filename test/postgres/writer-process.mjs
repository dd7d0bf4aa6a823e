/**
 * Writes and removes the same 400 pages several times, in an order of its own, on the built package; leaves all of them written.
 * Usage: writer-process.mjs DATABASE_URL SEED
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { Pool } = require('pg');
const { postgresDocuments } = require('nestjs-tools/postgres');

const [url, seed] = process.argv.slice(2);
const pool = new Pool({ connectionString: url, max: 2 });
const provider = postgresDocuments({ pool });
await provider.migrate();
for (let round = 0; round < 8; round++) {
  const pages = Array.from({ length: 400 }, (_, i) => ({
    url: `https://shared.example/${i}`,
    title: `Page ${i}`,
    text: `Page ${i} in round ${round} of whoever came last, ${seed}.`,
  })).sort(() => Math.random() - 0.5);
  await Promise.all([provider.upsert(pages), provider.delete(pages.slice(0, 200).map((page) => page.url))]);
  await provider.upsert(pages);
}
// Whatever the other one has removed meanwhile is written by the last of both.
await provider.upsert(
  Array.from({ length: 400 }, (_, i) => ({ url: `https://shared.example/${i}`, text: `Page ${i}.` })),
);
await pool.end();
