/**
 * Ranking quality and cost of the embedded index.
 *
 *   npm run bench:search -- <folder>     nDCG@10 (gain 2^g − 1) and Recall@5 (share of the relevant
 *                                        documents, of which at most 5 count) over a test collection in the BEIR layout
 *                                        (corpus.jsonl, queries.jsonl, qrels.tsv), beside MiniSearch and plain BM25
 *   npm run bench:search -- --scale [n]  time, memory and latency over n (100,000) synthetic documents
 *
 * The package must have been built. MiniSearch is taken when it is installed (a devDependency of this repository).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainBm25, miniSearch, ours } from './search/systems.mjs';
import { measureRewriting } from './search/rewriting.mjs';
import { measureScale } from './search/scale.mjs';

const [argument, count] = process.argv.slice(2);
if (!argument) {
  console.error('usage: npm run bench:search -- <BEIR folder> | --scale [documents]');
  process.exit(2);
}
if (argument === '--scale') await measureScale(Number(count ?? 100_000));
else await measureQuality(argument);

async function measureQuality(folder) {
  const lines = (name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean);
  const corpus = lines('corpus.jsonl').map((l) => JSON.parse(l));
  const queries = lines('queries.jsonl').map((l) => JSON.parse(l));
  const judgements = new Map();
  for (const line of lines('qrels.tsv').slice(1)) {
    const [query, document, grade] = line.split('\t');
    if (!judgements.has(query)) judgements.set(query, new Map());
    judgements.get(query).set(document, Number(grade));
  }
  const judged = queries.filter((q) => [...(judgements.get(q._id)?.values() ?? [])].some((g) => g > 0));
  console.log(`${corpus.length} documents, ${judged.length} judged queries\n`);
  console.log('system                        nDCG@10  Recall@5  build ms  query ms');
  for (const system of [miniSearch, plainBm25, ours]) {
    const started = performance.now();
    const search = await system.build(corpus);
    if (!search) {
      console.log(`${system.name.padEnd(28)}  not installed`);
      continue;
    }
    const built = performance.now() - started;
    let gain = 0;
    let recall = 0;
    const searched = performance.now();
    for (const query of judged) {
      const grades = judgements.get(query._id);
      const found = await search(query.text, 10);
      gain += ndcg(found, grades);
      recall += recallAt(5, found, grades);
    }
    const each = (performance.now() - searched) / judged.length;
    console.log(
      `${system.name.padEnd(28)}  ${(gain / judged.length).toFixed(4)}   ${(recall / judged.length).toFixed(4)}  ` +
        `${built.toFixed(0).padStart(8)}  ${each.toFixed(2).padStart(8)}`,
    );
  }
  console.log('\nconversational queries                    nDCG@10  Recall@5  queries');
  await measureRewriting(corpus, judged, async (asked, search) => {
    let gain = 0;
    let recall = 0;
    for (const query of asked) {
      const found = await search(query, 10);
      gain += ndcg(found, judgements.get(query._id));
      recall += recallAt(5, found, judgements.get(query._id));
    }
    return [gain, recall].map((sum) => (sum / asked.length).toFixed(4)).join('   ') + `   ${asked.length}`;
  });
}

function ndcg(found, grades) {
  const gain = (grade, rank) => (2 ** grade - 1) / Math.log2(rank + 2);
  const reached = found.slice(0, 10).reduce((sum, id, i) => sum + gain(grades.get(id) ?? 0, i), 0);
  const ideal = [...grades.values()]
    .sort((a, b) => b - a)
    .slice(0, 10)
    .reduce((sum, g, i) => sum + gain(g, i), 0);
  return reached / ideal;
}

function recallAt(k, found, grades) {
  const relevant = [...grades].filter(([, g]) => g > 0).map(([id]) => id);
  return relevant.filter((id) => found.slice(0, k).includes(id)).length / Math.min(k, relevant.length);
}
