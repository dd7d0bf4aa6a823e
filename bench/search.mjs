/**
 * Ranking quality and cost of the embedded index.
 *
 *   npm run bench -- search                  everyday questions and the own notes, beside BM25 with stems and MiniSearch
 *   npm run bench -- search <folder>      also a test collection in the BEIR layout (corpus.jsonl, queries.jsonl, qrels.tsv), the notes among
 *                                         its documents, and its queries with small talk around them
 *   npm run bench -- search --passages [folder]    whether passages of a long page hold the answer; folder: XQuAD, see answers/README.md
 *   npm run bench -- search --vectors [folder]    what vectors add to words, by kind of question
 *   npm run bench -- search --vector-scale [n] [dimensions]    time and memory of n (100,000) documents with vectors (512)
 *   npm run bench -- search --scale [n]   time, memory and latency over n (100,000) synthetic documents; then over 20,000 beside MiniSearch,
 *                                         Orama, lunr and FlexSearch, which are installed into a temporary folder
 */
import { measurePassages } from './search/passages.mjs';
import { measurePeers } from './search/peers.mjs';
import { measureQuality } from './search/quality.mjs';
import { measureScale } from './search/scale.mjs';
import { measureVectors, measureVectorScale } from './search/vectors.mjs';

const [argument, count, size] = process.argv.slice(2);
if (argument === '--scale') {
  await measureScale(Number(count ?? 100_000));
  measurePeers(Math.min(Number(count ?? 100_000), 20_000));
} else if (argument === '--passages') await measurePassages(count);
else if (argument === '--vectors') await measureVectors(count);
else if (argument === '--vector-scale')
  await measureVectorScale(Number(count ?? 100_000), Number(size ?? 512));
else await measureQuality(argument);
