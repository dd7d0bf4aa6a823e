/**
 * What the embedded answers are worth: everyday questions over small sites (`bench/everyday`) and factoid questions over the own notes, with
 * coefficients that were fitted without the site or topic that is scored.
 *
 *   npm run bench:answers
 *   npm run bench:answers -- --answers   also prints each everyday question with its answer
 *
 * The package must have been built.
 */
import { crossValidated } from './answers/cross-validation.mjs';
import { auroc, calibrationError, calibrationFloor, mean } from './answers/metrics.mjs';
import { readRows } from './answers/read.mjs';
import { everydayRows, holdsAnswer, noteRows } from './answers/sets.mjs';

const items = await readRows([...everydayRows(), ...noteRows()]);
const results = crossValidated(items).map((result, i) => ({ ...result, baseline: firstSentence(items[i]) }));
const everyday = results.filter(({ row }) => row.set === 'everyday' && !row.tuning);
const notes = results.filter(({ row }) => row.set === 'notes');

console.log('Coefficients fitted without the site or topic that is scored.');
console.log(
  'right, wrong: shown as an answer (probability 0.5 and more). related: not shown as an answer, but the text has it.',
);
console.log(
  'first sentence: the first sentence of the best passage has the answer, the simplest thing that could work.\n',
);
console.log(
  `${'answerable questions'.padEnd(30)}${'n'.padStart(5)}  right         wrong         related       neither       first sentence  words`,
);
const answerable = everyday.filter((r) => r.answerable);
line('everyday', answerable);
for (const [kind, of] of grouped(answerable, ({ row }) => row.kind)) line(`  ${kind}`, of);
for (const [language, of] of grouped(answerable, ({ row }) => row.language))
  line(`  question in ${language}`, of);
for (const [site, of] of grouped(answerable, ({ row }) => row.group)) line(`  site ${site}`, of);
for (const [kind, of] of grouped(
  notes.filter((r) => r.answerable),
  ({ row }) => row.kind,
))
  line(`notes, ${kind}`, of);

console.log(`\n${'questions without an answer'.padEnd(30)}${'n'.padStart(5)}  not shown as an answer`);
for (const [kind, of] of grouped(
  [...everyday, ...notes].filter((r) => !r.answerable),
  ({ row }) => `${row.set} ${row.kind}`,
))
  console.log(`${kind.padEnd(30)}${String(of.length).padStart(5)}  ${share(of, (r) => r.probability < 0.5)}`);

console.log(
  `\n${'probability'.padEnd(30)}${'n'.padStart(5)}  of "the sources answer"            of "the text is right"`,
);
calibration('everyday', everyday);
for (const [kind, of] of grouped(notes, ({ row }) => row.kind)) calibration(`notes, ${kind}`, of);

if (process.argv.includes('--answers')) {
  for (const { row, answer, probability, isRight } of everyday)
    console.log(
      `\n[${row.id}, ${row.kind}] ${row.question}\n  ${probability.toFixed(2)} ${answer.outcome}${isRight ? '' : row.answerable ? `, expected ${row.answers.join(' | ')}` : ', has no answer'}\n  ${answer.text.replaceAll('\n', '\n  ')}`,
    );
}

function firstSentence({ row, all }) {
  const first = all.passages[0]?.units.find((u) => u.kind !== 'heading');
  return row.answerable && first !== undefined && holdsAnswer(first.text, row.answers);
}

function line(name, of) {
  const isShown = (r) => r.probability >= 0.5;
  const columns = [
    share(of, (r) => isShown(r) && r.isRight),
    share(of, (r) => isShown(r) && !r.isRight),
    share(of, (r) => !isShown(r) && r.isRight),
    share(of, (r) => !isShown(r) && !r.isRight),
    share(of, (r) => r.baseline),
  ];
  const words = mean(of.map((r) => r.answer.text.split(/\s+/).length)).toFixed(0);
  console.log(
    `${name.padEnd(30)}${String(of.length).padStart(5)}  ${columns.map((c) => c.padEnd(14)).join('')}  ${words}`,
  );
}

function calibration(name, of) {
  const column = (isTrue) => {
    const pairs = of.map((r) => [r.probability, isTrue(r) ? 1 : 0]);
    const error = `ECE ${calibrationError(pairs).toFixed(3)} (floor ${calibrationFloor(pairs).toFixed(3)})`;
    return `${error}  AUROC ${auroc(pairs).toFixed(3)}`;
  };
  console.log(
    `${name.padEnd(30)}${String(of.length).padStart(5)}  ${column((r) => r.answerable)}    ${column((r) => r.isRight)}`,
  );
}

function share(of, isTrue) {
  const n = of.filter(isTrue).length;
  return `${n} (${((100 * n) / of.length).toFixed(0)} %)`;
}

function grouped(of, keyOf) {
  const groups = new Map();
  for (const result of of) groups.set(keyOf(result), [...(groups.get(keyOf(result)) ?? []), result]);
  return groups;
}
