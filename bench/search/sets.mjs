/** The sets of {@link file://./quality.mjs}: documents `{ url, title, text, publishedAt? }` and questions about them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadQuestions } from '../answers/question-set.mjs';

const EVERYDAY = join(import.meta.dirname, '../everyday');

/**
 * The sites of `bench/everyday` with their questions.
 * @returns for each site `{ name, language, documents, questions }`; a question has the URLs of the pages that answer it
 */
export function everydaySites() {
  const sites = new Map();
  for (const { collection, url, title, text, language, published_at } of lines(
    join(EVERYDAY, 'pages.jsonl'),
  )) {
    const site = sites.get(collection) ?? { name: collection, language, documents: [], questions: [] };
    site.documents.push({ url, title, text, ...(published_at ? { publishedAt: published_at } : {}) });
    sites.set(collection, site);
  }
  for (const question of lines(join(EVERYDAY, 'questions.jsonl')))
    sites.get(question.collection).questions.push(question);
  return [...sites.values()];
}

/** The notes of `bench/answers/set` with their answerable questions, each about one note. */
export function ownNotes() {
  const rows = loadQuestions();
  return {
    documents: [...new Set(rows.flatMap((row) => row.documents))],
    questions: rows
      .filter((row) => row.answerable)
      .map(({ question, note }) => ({ question, pages: [note.url] })),
  };
}

/**
 * A test collection in the BEIR layout: `corpus.jsonl`, `queries.jsonl`, `qrels.tsv`.
 * @returns queries that have a relevant document, each with the grades (0, 1, 2, …) of the documents by URL
 */
export function testCollection(folder) {
  const urlOf = (id) => `https://corpus.example/${encodeURIComponent(id)}`;
  const grades = new Map();
  for (const line of readFileSync(join(folder, 'qrels.tsv'), 'utf8').trim().split('\n').slice(1)) {
    const [query, document, grade] = line.split('\t');
    if (!grades.has(query)) grades.set(query, new Map());
    grades.get(query).set(urlOf(document), Number(grade));
  }
  return {
    documents: lines(join(folder, 'corpus.jsonl')).map(({ _id, title, text }) => ({
      url: urlOf(_id),
      title,
      text,
    })),
    questions: lines(join(folder, 'queries.jsonl'))
      .filter(({ _id }) => [...(grades.get(_id)?.values() ?? [])].some((grade) => grade > 0))
      .map(({ _id, text }) => ({ question: text, grades: grades.get(_id) })),
  };
}

function lines(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
