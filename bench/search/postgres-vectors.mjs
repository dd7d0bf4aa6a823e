/** Cost of embedding many pages in PostgreSQL with pgvector: synthetic text, and an encoder that hashes words. */
import { postgresDocuments } from '../../dist/postgres/index.js';
import { seeded, synthetic } from './scale.mjs';

const DIMENSIONS = 384;
/** Pages that are made and written at a time. */
const CHUNK = 10_000;

/**
 * Prints the time of `embed()` for all pages, in tenths, and again when nothing has changed; the plan of the statement that reads pages; and
 * how much memory the process takes.
 *
 * @param pool of an empty database on a server with pgvector
 */
export async function measurePostgresVectors(pool, count) {
  await pool.query('CREATE EXTENSION vector');
  const words = postgresDocuments({ pool, timeoutMs: 60_000 });
  await words.migrate();
  const random = seeded(7);
  for (let from = 0; from < count; from += CHUNK) {
    const pages = synthetic(Math.min(CHUNK, count - from), random);
    await words.upsert(pages.map((page, i) => ({ ...page, url: `https://scale.example/${from + i}` })));
  }
  await pool.query('VACUUM ANALYZE documents');
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1000).toFixed(0);
  let embedded = 0;
  let most = 0;
  let read;
  const model = {
    specificationVersion: 'v3',
    provider: 'fake',
    modelId: 'hashes',
    maxEmbeddingsPerCall: 2048,
    supportsParallelCalls: true,
    async doEmbed({ values }) {
      embedded += values.length;
      most = Math.max(most, process.memoryUsage.rss());
      if (Math.floor(embedded / (count / 10)) > Math.floor((embedded - values.length) / (count / 10)))
        console.log(`${embedded} passages after ${seconds()} s, RSS ${mb(process.memoryUsage.rss())}`);
      return { embeddings: values.map(hashed), warnings: [] };
    },
  };
  const spied = {
    connect: async () => {
      const client = await pool.connect();
      return new Proxy(client, {
        get(target, name) {
          const member = target[name];
          if (name !== 'query') return typeof member === 'function' ? member.bind(target) : member;
          return (text, values) => {
            if (text.includes('sha256') && values[1] !== '') read ??= [text, values];
            return target.query(text, values);
          };
        },
      });
    },
  };
  const pages = postgresDocuments({ pool: spied, embeddings: model, dimensions: DIMENSIONS });
  await pages.migrate();
  const before = process.memoryUsage.rss();
  await pages.embed();
  console.log(
    `${count} pages, ${embedded} passages of ${DIMENSIONS} dimensions in ${seconds()} s; RSS before ${mb(before)}, at most ${mb(most)}`,
  );
  const begun = performance.now();
  await pages.embed();
  console.log(`embed() with nothing to do: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  const { rows } = await pool.query(`EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${read[0]}`, read[1]);
  console.log(rows.map((row) => row['QUERY PLAN']).join('\n'));
}

const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

/** Each word adds to four places of the vector. */
function hashed(text) {
  const vector = new Array(DIMENSIONS).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let hash = 0;
    for (const letter of word) hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
    for (let i = 0; i < 4; i++) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
      vector[hash % DIMENSIONS] += hash & 1 ? 1 : -1;
    }
  }
  return vector;
}
