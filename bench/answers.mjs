/**
 * How well the embedded answers know whether they are answers.
 *
 *   npm run bench:answers                  the own set: coefficients refitted without the topic that is scored
 *   npm run bench:answers -- <file.jsonl>  another file of the layout in bench/answers/README.md, with the coefficients
 *                                          that are shipped
 *   npm run bench:answers -- --model       answers of a language model that are right, wrong or invented by plan
 *
 * The package must have been built.
 */
import { loadQuestions } from './answers/question-set.mjs';
import { unseenTopics } from './answers/cross-validation.mjs';
import { accuracy, auroc, brier, calibrationError, calibrationFloor, mean } from './answers/metrics.mjs';
import { runPlans } from './answers/model-plans.mjs';
import { pickedRight, runQuestions } from './answers/run.mjs';

if (process.argv.includes('--model')) {
  await reportPlans();
  process.exit();
}
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

function report(results) {
  const parts = {
    normal: results.filter((r) => !r.row.hard),
    hard: results.filter((r) => r.row.hard),
    all: results,
  };
  for (const [part, of] of Object.entries(parts)) {
    if (of.length === 0 || (part === 'all' && parts.hard.length === 0)) continue;
    const pairs = of.map((r) => [r.probability, r.row.answerable ? 1 : 0]);
    const figures = [
      brier(pairs).toFixed(3),
      `${calibrationError(pairs).toFixed(3)} (${calibrationFloor(pairs).toFixed(3)})`,
      auroc(pairs).toFixed(3),
      `${(100 * accuracy(pairs)).toFixed(1)} %`,
    ];
    console.log(`  ${part.padEnd(26)} ${String(pairs.length).padStart(5)}    ${figures.join('  ')}`);
  }
}

async function reportPlans() {
  console.log(
    'plan                          asked  unsupported kept  supported kept  false quotations  mean probability',
  );
  console.log(
    '                                                                                   answerable / not',
  );
  for (const { plan, asked, bad, badKept, good, goodKept, falseQuotes, pairs } of await runPlans(
    loadQuestions(),
  )) {
    const means = [1, 0].map((label) =>
      mean(pairs.filter((p) => p[1] === label).map((p) => p[0])).toFixed(2),
    );
    const kept = [`${badKept} of ${bad}`.padStart(16), `${goodKept} of ${good}`.padStart(14)].join('  ');
    console.log(
      `${plan.padEnd(28)} ${String(asked).padStart(6)}  ${kept}  ${String(falseQuotes).padStart(16)}  ${means.join(' / ').padStart(16)}`,
    );
  }
}
