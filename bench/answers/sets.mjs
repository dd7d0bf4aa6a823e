/** The question sets, each as rows `{ id, set, group, kind, language, documents, question, answerable, answers, urls }`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadQuestions } from './question-set.mjs';

const EVERYDAY = join(import.meta.dirname, '../everyday');

/**
 * Questions that people type, over small sites. `tuning` rows are for fitting only; their answers are not counted.
 * @param folder has `pages.jsonl`, `questions.jsonl` and perhaps `reserve.jsonl`
 */
export function everydayRows(folder = EVERYDAY) {
  const sites = new Map();
  for (const { collection, url, title, text, published_at } of lines(join(folder, 'pages.jsonl'))) {
    const page = { url, title, text, ...(published_at ? { publishedAt: published_at } : {}) };
    sites.set(collection, [...(sites.get(collection) ?? []), page]);
  }
  const rowOf = (question, tuning) => ({
    id: question.id,
    set: 'everyday',
    group: question.collection,
    kind: question.kind,
    language: question.language,
    documents: sites.get(question.collection),
    question: question.question,
    answerable: question.answerable,
    answers: question.answers,
    urls: question.pages,
    tuning,
  });
  const reserve = join(folder, 'reserve.jsonl');
  return [
    ...lines(join(folder, 'questions.jsonl')).map((q) => rowOf(q, false)),
    ...(existsSync(reserve) ? lines(reserve).map((q) => rowOf(q, true)) : []),
  ];
}

/** Factoid questions over the own notes; half of them have no answer, a third are made to mislead (`hard`). */
export function noteRows(file) {
  return loadQuestions(file).map((row) => ({
    id: row.id,
    set: 'notes',
    group: row.topic,
    kind: row.hard ? 'hard' : 'normal',
    documents: row.documents,
    question: row.question,
    answerable: row.answerable,
    answers: row.answer ? [row.answer] : [],
    urls: row.note ? [row.note.url] : row.documents.map((d) => d.url),
  }));
}

/** Whether a text has one of the answers: case, emphasis and quotation marks aside, numbers only whole. */
export function holdsAnswer(text, answers) {
  const said = fold(text);
  return answers.some((answer) => {
    const wanted = fold(answer);
    const before = /^\d/.test(wanted) ? '(?<![\\d])(?<!\\d[.,])' : '';
    const behind = /\d$/.test(wanted) ? '(?!\\d|[.,]\\d)' : '';
    return new RegExp(`${before}${wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}${behind}`).test(said);
  });
}

function fold(text) {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[*`]/g, '')
    .replace(/[\s’'"“”]+/g, ' ')
    .trim();
}

function lines(file) {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
