/**
 * Answers by a model, with replies that were written without knowledge of the checks.
 *
 *   npm run bench:replies                  the replies in bench/replies/items.jsonl
 *   npm run bench:replies -- <file.jsonl>  another file of that form
 *   npm run bench:replies -- --fit         the coefficients of lib/search/answer/model/probability.ts, fitted anew
 *   npm run bench:replies -- --planned     replies made by rule: a regression test, exit code 1 when one gets through
 *
 * The package must have been built.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COEFFICIENTS } from '../dist/search/answer/model/model-answer.js';
import { readValues } from '../dist/text/read-values.js';
import { isSameValue } from '../dist/text/compare-values.js';
import { auroc, calibrationError, mean, seeded } from './answers/metrics.mjs';
import { reportPlanned } from './replies/planned.mjs';
import { checkReply, fold, passagesOf, replyOf, withFakeModel } from './replies/run.mjs';

const FOLDS = 5;
const SPLITS = 20;
/** The verifier of the second look, played: how often it lets a wrong sentence pass, and how often it refuses a right one. */
const VERIFIER = { passesWrong: 0.15, refusesRight: 0.03 };

if (process.argv.includes('--planned')) {
  process.exit((await reportPlanned()) ? 0 : 1);
}
const file = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
const items = readFileSync(file ?? join(import.meta.dirname, 'replies/items.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const replies = items.flatMap((item) =>
  ['good', 'weak'].map((kind) => ({ item, kind, ...checkReply(item, kind) })),
);
if (process.argv.includes('--fit')) {
  console.log(
    'intercept %s, discredited %s (doubts stays %s, set by hand)',
    ...fit(replies).map((w) => w.toFixed(2)),
    COEFFICIENTS.doubts,
  );
  process.exit(0);
}

const { plain, verified, overhead } = await withFakeModel(async (ask, fake) => {
  const run = async (verifierOf) => {
    const rows = [];
    for (const reply of replies) {
      const { item, kind } = reply;
      const answer = await ask(
        item.question,
        passagesOf(item),
        replyOf(item, kind),
        verifierOf?.(item, kind),
      );
      const text = fold(answer.text);
      const sentences = item[kind].sentences.map((s) => ({ ...s, shown: text.includes(fold(s.text)) }));
      const falseQuotes = answer.citations.filter(
        (c) => !item.sources.some((s) => s.url === c.url && s.text.includes(c.quote)),
      ).length;
      rows.push({ ...reply, answer, sentences, falseQuotes });
    }
    return rows;
  };
  const rows = await run();
  const { system, prompt } = fake.calls[0];
  const material = items[0].sources.reduce(
    (sum, s) => sum + s.title.length + s.text.length,
    items[0].question.length,
  );
  const tokens = Math.round((system.length + prompt.length - material) / 4);
  return {
    plain: rows,
    verified: await run(playedVerifier),
    overhead: tokens,
  };
});

console.log(
  `${items.length} questions; prompt overhead about ${overhead} tokens with ${items[0].sources.length} sources\n`,
);
reportTargets('Checks in code', plain);
reportTargets(
  `With a second look that passes ${VERIFIER.passesWrong} of the wrong and refuses ${VERIFIER.refusesRight} of the right sentences (played)`,
  verified,
);
reportFaults(plain, verified);
reportLanguages(plain);
reportCurve(plain);
reportProbability(plain, verified);

/** Says what the labels say, but for its errors, which depend on the sentence alone: figures of two versions can be compared. */
function playedVerifier(item, kind) {
  return {
    name: 'played',
    verify: async (_question, claims) =>
      claims.map(({ text }) => {
        const label = item[kind].sentences.find((s) => fold(s.text).includes(fold(text)));
        const chance = seeded([...text].reduce((sum, c) => (31 * sum + c.charCodeAt(0)) % 2 ** 31, 7))();
        const isPassed = label?.right ? chance >= VERIFIER.refusesRight : chance < VERIFIER.passesWrong;
        return isPassed ? 'supported' : 'not_said';
      }),
  };
}

function reportTargets(name, rows) {
  const good = rows.filter((r) => r.kind === 'good');
  const answerable = good.filter((r) => r.item.answerable);
  const unanswerable = good.filter((r) => !r.item.answerable);
  const weak = rows.filter((r) => r.kind === 'weak');
  const wrong = sentencesOf(weak).filter((s) => !s.right);
  const right = sentencesOf(weak).filter((s) => s.right);
  const isAnswered = (r) => r.answer.outcome === 'answered';
  console.log(name);
  line('good replies: right sentences shown', sentencesOf(answerable), (s) => s.shown);
  line('  answerable questions answered', answerable, isAnswered);
  line('  unanswerable questions not answered', unanswerable, (r) => !isAnswered(r));
  line('weak replies: wrong sentences not given as an answer', wrong, (s) => !isLive(s));
  line(
    '  of them number, unit, year',
    wrong.filter((s) => /^(?:number|unit|year)$/.test(s.fault)),
    (s) => !isLive(s),
  );
  line('  right sentences shown', right, (s) => s.shown);
  const citations = rows.reduce((sum, r) => sum + r.answer.citations.length, 0);
  console.log(
    `  citations that are not verbatim in their source: ${rows.reduce((sum, r) => sum + r.falseQuotes, 0)} of ${citations}\n`,
  );
}

function reportFaults(rows, looked) {
  const weak = (of) => sentencesOf(of.filter((r) => r.kind === 'weak'));
  const [first, second] = [weak(rows), weak(looked)];
  console.log(
    'Wrong sentences of weak replies, by fault'.padEnd(52),
    'removed'.padStart(18),
    'not an answer'.padStart(20),
    'second look'.padStart(20),
  );
  for (const fault of [...new Set(first.filter((s) => !s.right).map((s) => s.fault))].sort()) {
    const of = first.filter((s) => s.fault === fault);
    const cells = [
      share(of, (s) => !s.shown),
      share(of, (s) => !isLive(s)),
      share(
        second.filter((s) => s.fault === fault),
        (s) => !isLive(s),
      ),
    ];
    console.log(`  ${fault.padEnd(50)}`, ...cells.map((cell, i) => cell.padStart(i === 0 ? 18 : 20)));
  }
  console.log(
    '\nQuotations that are not as the source has them'.padEnd(53),
    'found'.padStart(18),
    'wrong: not an answer'.padStart(20),
    'right: shown'.padStart(20),
  );
  for (const fault of ['altered', 'invented', 'wrong_source', 'missing']) {
    const of = first.filter((s) => s.quote_fault === fault);
    const isFound = (s) =>
      s.checked.every((c) => c.located.every((q) => q.status !== 'verbatim') || c.located.length === 0) ||
      s.checked.some((c) => c.located.some((q) => q.status !== 'verbatim'));
    const cells = [
      share(of, isFound),
      share(
        of.filter((s) => !s.right),
        (s) => !isLive(s),
      ),
      share(
        of.filter((s) => s.right),
        (s) => s.shown,
      ),
    ];
    console.log(`  ${fault.padEnd(50)}`, ...cells.map((cell, i) => cell.padStart(i === 0 ? 18 : 20)));
  }
  console.log();
}

function reportLanguages(rows) {
  console.log(
    'By language'.padEnd(20),
    ...['right of good shown', 'answered', 'wrong not an answer', 'right of weak shown'].map((h) =>
      h.padStart(22),
    ),
  );
  for (const language of [...new Set(items.map((i) => i.language))]) {
    const of = rows.filter((r) => r.item.language === language);
    const good = of.filter((r) => r.kind === 'good' && r.item.answerable);
    const weak = sentencesOf(of.filter((r) => r.kind === 'weak'));
    const cells = [
      share(sentencesOf(good), (s) => s.shown),
      share(good, (r) => r.answer.outcome === 'answered'),
      share(
        weak.filter((s) => !s.right),
        (s) => !isLive(s),
      ),
      share(
        weak.filter((s) => s.right),
        (s) => s.shown,
      ),
    ];
    console.log(`  ${language.padEnd(18)}`, ...cells.map((cell) => cell.padStart(22)));
  }
  console.log();
}

/** Share of the wrong that is removed against share of the right that is shown, from showing everything to all checks. */
function reportCurve(rows) {
  const all = sentencesOf(rows);
  const good = all.filter((s) => s.row.kind === 'good' && s.row.item.answerable);
  const right = all.filter((s) => s.row.kind === 'weak' && s.right);
  const wrong = all.filter((s) => s.row.kind === 'weak' && !s.right);
  console.log(
    'Curve'.padEnd(52),
    'right of good shown'.padStart(20),
    'right of weak'.padStart(16),
    'wrong removed'.padStart(18),
  );
  const point = (name, isRemoved) => {
    const cells = [
      share(good, (s) => !isRemoved(s)),
      share(right, (s) => !isRemoved(s)),
      share(wrong, isRemoved),
    ];
    console.log(
      `  ${name.padEnd(50)} ${cells[0].padStart(20)} ${cells[1].padStart(16)} ${cells[2].padStart(18)}`,
    );
  };
  point('baseline: everything is shown', () => false);
  point('baseline: quotation verbatim', (s) => !isQuoted(s));
  point('baseline: and numbers in the quotation', (s) => !isQuoted(s) || !numbersQuoted(s));
  const enabled = new Set();
  for (const fault of ['instruction', 'no_quotation', 'altered_quotation', 'value', 'name']) {
    enabled.add(fault);
    point(`${enabled.size === 1 ? '' : '+ '}${fault}`, (s) => s.checked.some((c) => enabled.has(c.fault)));
  }
  for (const threshold of [0.5, 0.6]) {
    const isGiven = ({ row, shown }) =>
      shown && row.answer.outcome === 'answered' && row.answer.answerableProbability >= threshold;
    point(`+ only what is given as an answer, p >= ${threshold}`, (s) => !isGiven(s));
  }
  console.log();
}

function reportProbability(rows, looked) {
  console.log(
    'Probability of "answered, and every shown sentence right"'.padEnd(60),
    'n'.padStart(5),
    'ECE'.padStart(8),
    'AUROC'.padStart(8),
  );
  const label = (r) =>
    r.item.answerable &&
    r.item[r.kind].answerable &&
    r.sentences.some((s) => s.shown) &&
    r.sentences.every((s) => s.right || !s.shown)
      ? 1
      : 0;
  const report = (name, pairs) =>
    console.log(
      `  ${name.padEnd(58)} ${String(pairs.length).padStart(5)} ${calibrationError(pairs).toFixed(3).padStart(8)} ${auroc(pairs).toFixed(3).padStart(8)}`,
    );
  report(
    'as shipped (fitted on this very set)',
    rows.map((r) => [r.answer.answerableProbability, label(r)]),
  );
  // The mean of several splits: one alone is off by the luck of its draw.
  const figures = Array.from({ length: SPLITS }, (_, split) => {
    const random = seeded(split + 1);
    const folds = new Map(items.map((item) => [item, Math.floor(random() * FOLDS)]));
    const fits = Array.from({ length: FOLDS }, (_, i) => fit(replies.filter((r) => folds.get(r.item) !== i)));
    const pairs = rows.map((r) => {
      const { outcome, answerableProbability } = r.answer;
      const unseen = estimate(fits[folds.get(r.item)], r.signs);
      return [outcome === 'answered' ? unseen : answerableProbability, label(r)];
    });
    return [calibrationError(pairs), auroc(pairs)];
  });
  const name = `cross-validated by item: mean of ${SPLITS} splits into ${FOLDS}`;
  const means = [0, 1].map((i) =>
    mean(figures.map((f) => f[i]))
      .toFixed(3)
      .padStart(8),
  );
  console.log(`  ${name.padEnd(58)} ${String(rows.length).padStart(5)} ${means.join(' ')}`);
  report(
    'with the second look, as shipped',
    looked.map((r) => [r.answer.answerableProbability, label(r)]),
  );
}

/** Intercept and weight of `discredited`, by Newton's method over replies whose first sentence stands and that leave no doubts. */
function fit(of) {
  const examples = of
    .filter(
      (r) => r.item[r.kind].answerable && r.sentences[0] && !r.sentences[0].fault && r.signs.doubts === 0,
    )
    .map((r) => {
      const standing = r.item[r.kind].sentences.filter((s) =>
        r.sentences.some((c) => !c.fault && fold(s.text).includes(fold(c.text))),
      );
      return { signs: r.signs, label: r.item.answerable && standing.every((s) => s.right) ? 1 : 0 };
    });
  let weights = [0, 0];
  for (let step = 0; step < 50; step++) {
    const gradient = [0, -0.2 * weights[1]];
    const hessian = [1e-6, 0, 0.2];
    for (const { signs, label } of examples) {
      const p = estimate(weights, signs);
      const x = signs.discredited;
      gradient[0] += label - p;
      gradient[1] += (label - p) * x;
      hessian[0] += p * (1 - p);
      hessian[1] += p * (1 - p) * x;
      hessian[2] += p * (1 - p) * x * x;
    }
    const determinant = hessian[0] * hessian[2] - hessian[1] ** 2;
    weights = [
      weights[0] + (hessian[2] * gradient[0] - hessian[1] * gradient[1]) / determinant,
      weights[1] + (hessian[0] * gradient[1] - hessian[1] * gradient[0]) / determinant,
    ];
  }
  return weights;
}

function estimate([intercept, discredited], signs) {
  return (
    1 / (1 + Math.exp(-(intercept + discredited * signs.discredited + COEFFICIENTS.doubts * signs.doubts)))
  );
}

/** The labelled sentences of replies, each with its reply and what the checks made of it. */
function sentencesOf(rows) {
  return rows.flatMap((row) =>
    (row.sentences[0]?.right === undefined ? row.item[row.kind].sentences : row.sentences).map((s) => ({
      ...s,
      row,
      checked: checkReply(row.item, row.kind).sentences.filter((c) => fold(s.text).includes(fold(c.text))),
    })),
  );
}

function isLive(s) {
  return s.shown && s.row.answer.outcome === 'answered';
}

function isQuoted({ quotes, row }) {
  const text = (n) => fold(row.item.sources.find((s) => s.n === n)?.text ?? '');
  return quotes.length > 0 && quotes.every((q) => text(q.n).includes(fold(q.text)));
}

function numbersQuoted({ text, quotes, row }) {
  const quoted = quotes.flatMap((q) => readValues(q.text, row.item.language));
  return readValues(text, row.item.language).every((v) => quoted.some((q) => isSameValue(v, q)));
}

function line(name, of, test) {
  console.log(`  ${name.padEnd(54)} ${share(of, test)}`);
}

function share(of, test) {
  const n = of.filter(test).length;
  return `${n}/${of.length} (${of.length ? Math.round((100 * n) / of.length) : 0} %)`;
}
