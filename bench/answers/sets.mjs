/** The question sets, each as rows `{ id, set, group, kind, language, documents, question, answerable, answers, urls }`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
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

/** The folder of {@link xquadRows}, from `--xquad FOLDER`; undefined without it. */
export function xquadFolder() {
  const { xquad } = parseArgs({ options: { xquad: { type: 'string' } }, strict: false }).values;
  if (xquad !== true) return xquad;
  console.error('--xquad needs the folder of the questions');
  process.exit(2);
}

/**
 * Questions of XQuAD and SQuAD-it over encyclopaedia paragraphs, each asked three times: with all paragraphs, without the article that answers
 * it, and without the paragraph. The data (CC BY-SA 4.0) is no part of this repository; see README.md.
 * @param folder has `xquad.<language>.pages.jsonl` and `xquad.<language>.questions.jsonl`
 */
export function xquadRows(folder) {
  return ['en', 'de', 'es', 'it'].flatMap((language) => {
    const pages = lines(join(folder, `xquad.${language}.pages.jsonl`));
    const known = new Map();
    const without = (key, isLeftOut) => {
      if (!known.has(key))
        known.set(
          key,
          pages.filter((page) => !isLeftOut(page)),
        );
      return known.get(key);
    };
    return lines(join(folder, `xquad.${language}.questions.jsonl`)).flatMap((q) => {
      const row = {
        id: q.id,
        set: `xquad-${language}`,
        group: q.group,
        kind: 'xquad',
        language,
        question: q.question.slice(0, 400),
        answers: q.answers,
        urls: [q.url],
      };
      return [
        { ...row, answerable: true, documents: without('', () => false) },
        {
          ...row,
          answerable: false,
          leftOut: 'article',
          documents: without(q.group, (p) => p.group === q.group),
        },
        {
          ...row,
          answerable: false,
          leftOut: 'paragraph',
          documents: without(q.url, (p) => p.url === q.url),
        },
      ];
    });
  });
}

/** The collection that a row belongs to. Its languages and conditions share questions, so that they are left out of a fit together. */
export function collectionOf({ set }) {
  return set.split('-')[0];
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
