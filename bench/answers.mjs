/**
 * How well the embedded answers know whether they are answers.
 *
 *   npm run bench:answers                  the own set: coefficients refitted without the topic that is scored
 *   npm run bench:answers -- <file.jsonl>  another file of the layout in bench/answers/README.md, with the coefficients
 *                                          that are shipped
 *
 * The package must have been built.
 */
import { runContradictions } from './answers/contradictions.mjs';
import { loadPolarity } from './answers/polarity.mjs';
import { loadQuestions } from './answers/question-set.mjs';
import { unseenTopics } from './answers/cross-validation.mjs';
import { accuracy, auroc, brier, calibrationError, calibrationFloor, mean } from './answers/metrics.mjs';
import { pickedRight, runQuestions } from './answers/run.mjs';

const file = process.argv[2];
const rows = loadQuestions(file);
const topics = new Set(rows.map((r) => r.topic));
console.log(
  `${rows.length} questions in ${topics.size} topics, ${rows.filter((r) => r.answerable).length} answerable\n`,
);
console.log('                                n    Brier  ECE (floor)    AUROC  right side');
const scopes = file ? ['row', 'file'] : ['row', 'file', 'note'];
for (const scope of scopes) {
  const results = await runQuestions(rows, scope);
  const name = {
    row: 'over the documents of the row',
    file: 'over all documents of the file',
    note: 'over one note',
  }[scope];
  if (!file) {
    const unseen = await unseenTopics(rows, results);
    console.log(`${name}, topics not seen by the fit`);
    report(results.map((r, i) => ({ ...r, probability: unseen[i] })));
  }
  console.log(`${name}, coefficients as shipped${file ? '' : ' (fitted on this very set)'}`);
  report(results);
  const answered = results.filter((r) => r.row.answerable && r.row.answer);
  if (answered.length > 0) {
    const right = answered.map((r) => (pickedRight(r) ? 1 : 0));
    console.log(
      `  right sentence first        ${String(right.length).padStart(5)}    ${(100 * mean(right)).toFixed(1)} %\n`,
    );
  }
}

if (!file) {
  await reportPolarity();
  await reportContradictions(rows);
}

/** False premises by opposite verbs, the verbs that the opposites were tried on apart from the others. */
async function reportPolarity() {
  const results = await runQuestions(loadPolarity(), 'note');
  console.log('opposite verbs, coefficients as shipped');
  for (const part of ['tuned', 'measured']) {
    const of = results.filter((r) => r.row.part === part);
    line(
      `verbs ${part}`,
      of.map((r) => [r.probability, r.row.answerable ? 1 : 0]),
    );
    const premises = of.filter((r) => !r.row.answerable);
    const refused = premises.filter((r) => r.probability < 0.5).length;
    console.log(`    false premises below one half    ${refused} of ${premises.length}`);
  }
}

async function reportContradictions(questions) {
  console.log(
    '\ntwo pages, coefficients as shipped        pairs   told       below 1/2   probability alone, then with both',
  );
  for (const { kind, rule, pairs, told, below, before, after } of await runContradictions(questions)) {
    const figures = [
      String(pairs).padStart(5),
      `${told} (${((100 * told) / pairs).toFixed(0)} %)`.padStart(10),
      String(below).padStart(8),
      `${(before / pairs).toFixed(2)}  ${(after / pairs).toFixed(2)}`.padStart(16),
    ];
    console.log(`  ${`${kind}: ${rule}`.padEnd(40)} ${figures.join('  ')}`);
  }
}

function report(results) {
  const parts = {
    normal: results.filter((r) => !r.row.hard),
    hard: results.filter((r) => r.row.hard),
    all: results,
  };
  for (const [part, of] of Object.entries(parts)) {
    if (of.length === 0 || (part === 'all' && parts.hard.length === 0)) continue;
    line(
      part,
      of.map((r) => [r.probability, r.row.answerable ? 1 : 0]),
    );
  }
}

function line(name, pairs) {
  const figures = [
    brier(pairs).toFixed(3),
    `${calibrationError(pairs).toFixed(3)} (${calibrationFloor(pairs).toFixed(3)})`,
    auroc(pairs).toFixed(3),
    `${(100 * accuracy(pairs)).toFixed(1)} %`,
  ];
  console.log(`  ${name.padEnd(26)} ${String(pairs.length).padStart(5)}    ${figures.join('  ')}`);
}
