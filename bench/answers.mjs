/**
 * What the embedded answers are worth: everyday questions over small sites, factoid questions over the own notes, and XQuAD, by coefficients
 * that were fitted without the collection that is scored, and without only the site, topic or article.
 *
 *   npm run bench -- answers --xquad FOLDER              see answers/README.md
 *   npm run bench -- answers --xquad FOLDER --answers    also prints each everyday question with its answer
 *   npm run bench -- answers --every 20                  only each twentieth question, to see that the bench runs
 *
 * The package must have been built.
 */
import { withoutCollection, withoutGroup } from './answers/cross-validation.mjs';
import { auroc, calibrationError, mean } from './answers/metrics.mjs';
import { readRows } from './answers/read.mjs';
import { everydayRows, holdsAnswer, noteRows, xquadFolder, xquadRows } from './answers/sets.mjs';

const folder = xquadFolder();
const at = process.argv.indexOf('--every');
const every = at < 0 ? 1 : Number(process.argv[at + 1]);
const rows = [...everydayRows(), ...noteRows(), ...(folder ? xquadRows(folder) : [])];
const items = await readRows(rows.filter((_, i) => i % every === 0));
const isShown = (r) => r.probability >= 0.5;

for (const [title, judge] of [
  ['Fitted without the collection', withoutCollection],
  ['Fitted without the site, topic or article', withoutGroup],
]) {
  const results = judge(items).filter(({ row }) => !row.tuning);
  console.log(`\n${title}\n`);
  const sets = grouped(results, ({ row }) => (row.set === 'notes' ? `notes, ${row.kind}` : row.set));
  table([
    ['', 'n', 'right', 'wrong', 'related', 'of shown right', 'baseline', 'words', 'ECE', 'AUROC'],
    ...[...sets].map(([name, of]) => line(name, of)),
  ]);
  console.log('');
  table([
    ['questions without an answer', 'n', 'not shown as an answer'],
    ...[
      ...grouped(
        results.filter(({ row }) => !row.answerable),
        kindOf,
      ),
    ].map(([name, of]) => [name, of.length, share(of, (r) => !(isShown(r) && r.isFalse))]),
  ]);
  if (process.argv.includes('--answers') && judge === withoutGroup)
    results.filter(({ row }) => row.set === 'everyday').forEach(print);
}

/** Answerable questions, but for the share of right ones, which counts every answer that is shown. */
function line(name, results) {
  const of = results.filter(({ row }) => row.answerable);
  const shown = results.filter((r) => isShown(r) && r.row.leftOut === undefined);
  const pairs = results
    .filter(({ row }) => row.leftOut !== 'paragraph')
    .map((r) => [r.probability, r.isRight ? 1 : 0]);
  return [
    name,
    of.length,
    share(of, (r) => isShown(r) && r.isRight),
    share(of, (r) => isShown(r) && !r.isRight),
    share(of, (r) => !isShown(r) && r.isRight),
    share(shown, (r) => r.isRight),
    share(of, baseline),
    mean(of.filter(isShown).map((r) => r.answer.text.split(/\s+/).length)).toFixed(0),
    calibrationError(pairs).toFixed(3),
    auroc(pairs).toFixed(3),
  ];
}

/** The simplest thing that could work: the sentence of the first passage that has most words of the question. */
function baseline({ row, all }) {
  const [first] = all.passages;
  if (!first) return false;
  const counts = first.own.map((met) => met.filter((m) => m > 0).length);
  return holdsAnswer(first.units[counts.indexOf(Math.max(...counts))].text, row.answers);
}

function kindOf({ row }) {
  return `${row.set} ${row.leftOut ? `without the ${row.leftOut}` : row.kind}`;
}

function print({ row, answer, probability, isRight }) {
  const expected = row.answerable ? `, expected ${row.answers.join(' | ')}` : ', has no answer';
  console.log(
    `\n[${row.id}, ${row.kind}] ${row.question}\n  ${probability.toFixed(2)} ${answer.outcome}${isRight ? '' : expected}\n  ${answer.text.replaceAll('\n', '\n  ')}`,
  );
}

function share(of, isTrue) {
  return `${((100 * of.filter(isTrue).length) / of.length).toFixed(1)} %`;
}

function grouped(of, keyOf) {
  const groups = new Map();
  for (const result of of) groups.set(keyOf(result), [...(groups.get(keyOf(result)) ?? []), result]);
  return groups;
}

function table(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => String(row[i]).length)));
  for (const row of rows) console.log(row.map((cell, i) => String(cell).padEnd(widths[i])).join('  '));
}
