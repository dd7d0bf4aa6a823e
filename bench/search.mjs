/**
 * Ranking quality and cost of the embedded index.
 *
 *   npm run bench:search                  everyday questions and the own notes, beside BM25 with stems and MiniSearch
 *   npm run bench:search -- <folder>      also a test collection in the BEIR layout (corpus.jsonl, queries.jsonl, qrels.tsv), the notes among
 *                                         its documents, and its queries with small talk around them
 *   npm run bench:search -- --scale [n]   time, memory and latency over n (100,000) synthetic documents
 */
import { measureQuality } from './search/quality.mjs';
import { measureRewriting } from './search/rewriting.mjs';
import { measureScale } from './search/scale.mjs';

const [argument, count] = process.argv.slice(2);
if (argument === '--scale') await measureScale(Number(count ?? 100_000));
else {
  await measureQuality(argument);
  if (argument) await measureRewriting(argument);
}
