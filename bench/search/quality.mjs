/** Whether the right page comes first: everyday questions, the own notes, a test collection; beside BM25 with stems and MiniSearch. */
import { everydaySites, ownNotes, testCollection } from './sets.mjs';
import { miniSearch, ours, plainBm25 } from './systems.mjs';

const SYSTEMS = [miniSearch, plainBm25, ours];
const ASKED_FOR = 10;
/** English everyday pages that the notes are hidden among; with Cranfield's abstracts 1,663 documents in all. */
const PAGES_AMONG = 167;

/**
 * Prints one table: a row for each set and slice, for each system the share of questions whose first page is right and the share with a
 * right page among the first five, in %. The last rows have nDCG@10 (gain 2^g − 1) and Recall@5 (share of the relevant documents, of
 * which at most five count) instead, and the number of pages shown.
 *
 * @param folder a test collection in the BEIR layout; without it its rows are missing
 * @param systems that are compared
 */
export async function measureQuality(folder, systems = SYSTEMS) {
  const collection = folder ? testCollection(folder) : undefined;
  const tables = [];
  for (const system of systems) tables.push(await rowsOf(system, collection));
  const cells = (texts) => texts.map((text) => text.padStart(22)).join('');
  console.log(`${'right page first / in the first five, %'.padEnd(52)}${cells(systems.map((s) => s.name))}`);
  tables[0].forEach(({ name, count, isShare }, i) => {
    const figures = tables.map((rows) =>
      rows[i].values
        .map((v) => (isShare ? (100 * v).toFixed(1) : v.toFixed(isShare === false ? 3 : 1)))
        .join(' / '),
    );
    console.log(`${name.padEnd(46)}${String(count).padStart(6)}${cells(figures)}`);
  });
}

async function rowsOf(system, collection) {
  const sites = everydaySites();
  const notes = ownNotes();
  const asked = [];
  for (const site of sites) {
    const search = await system.build(site.documents);
    for (const question of site.questions)
      asked.push({
        ...question,
        isForeign: question.language !== site.language,
        found: await search(question.question, ASKED_FOR),
      });
  }
  const answerable = asked.filter((question) => question.answerable);
  const own = answerable.filter(({ isForeign, kind }) => !isForeign && kind !== 'paraphrase');
  const kinds = [...new Set(answerable.map(({ kind }) => kind))].sort();
  const languages = [...new Set(own.map(({ language }) => language))];
  const rows = [
    ranked('everyday, own language, no paraphrases', own),
    ...languages.map((language) =>
      ranked(
        `  ${language}`,
        own.filter((question) => question.language === language),
      ),
    ),
    ranked('everyday, all', answerable),
    ...kinds.map((kind) =>
      ranked(
        `  ${kind}`,
        answerable.filter((question) => question.kind === kind),
      ),
    ),
    ranked(
      '  asked in another language',
      answerable.filter((question) => question.isForeign),
    ),
  ];
  const pages = sites.flatMap((site) => site.documents);
  const among = async (name, documents, questions) => {
    const search = await system.build(documents);
    const found = [];
    for (const question of questions)
      found.push({ ...question, found: await search(question.question, ASKED_FOR) });
    rows.push(ranked(`${name}, ${documents.length.toLocaleString('en')} documents`, found));
  };
  await among('everyday, all sites together', pages, answerable);
  await among('own notes', notes.documents, notes.questions);
  if (collection) {
    const english = sites.filter((site) => site.language === 'en').flatMap((site) => site.documents);
    const all = [...notes.documents, ...collection.documents, ...english.slice(0, PAGES_AMONG)];
    await among('own notes among others', all, notes.questions);
    rows.push(await graded(system, collection));
  }
  rows.push(shown('pages shown of 10, answerable', answerable));
  rows.push(
    shown(
      '  on something else',
      asked.filter(({ kind }) => kind === 'unanswerable_far'),
    ),
  );
  return rows;
}

function ranked(name, questions) {
  const share = (count) =>
    questions.filter(({ pages, found }) => found.slice(0, count).some((url) => pages.includes(url))).length /
    questions.length;
  return { name, count: questions.length, values: [share(1), share(5)], isShare: true };
}

async function graded(system, { documents, questions }) {
  const search = await system.build(documents);
  let gain = 0;
  let recall = 0;
  for (const { question, grades } of questions) {
    const found = await search(question, ASKED_FOR);
    gain += ndcg(found, grades);
    recall += recallAt(5, found, grades);
  }
  const count = questions.length;
  return {
    name: 'test collection, nDCG@10 / Recall@5',
    count,
    values: [gain / count, recall / count],
    isShare: false,
  };
}

function shown(name, questions) {
  const mean = questions.reduce((sum, { found }) => sum + found.length, 0) / questions.length;
  return { name, count: questions.length, values: [mean] };
}

/** Normalized discounted cumulative gain of the first ten, 0..1. */
export function ndcg(found, grades) {
  const gain = (grade, rank) => (2 ** grade - 1) / Math.log2(rank + 2);
  const reached = found.slice(0, 10).reduce((sum, url, i) => sum + gain(grades.get(url) ?? 0, i), 0);
  const ideal = [...grades.values()]
    .sort((a, b) => b - a)
    .slice(0, 10)
    .reduce((sum, grade, i) => sum + gain(grade, i), 0);
  return reached / ideal;
}

function recallAt(k, found, grades) {
  const relevant = [...grades].filter(([, grade]) => grade > 0).map(([url]) => url);
  return relevant.filter((url) => found.slice(0, k).includes(url)).length / Math.min(k, relevant.length);
}
