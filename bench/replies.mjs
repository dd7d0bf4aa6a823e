/**
 * Answers by a model, with replies that were written without knowledge of the checks.
 *
 *   npm run bench:replies                  the replies in bench/replies/items.jsonl
 *   npm run bench:replies -- <file.jsonl>  another file of that form
 *   npm run bench:replies -- --fit         the coefficients of lib/search/answer/model-answer.ts, fitted anew
 *   npm run bench:replies -- --planned     replies made by rule: a regression test, exit code 1 when one gets through
 *
 * "Found": marked in the text, listed as unsupported, left out, or not given as an answer. The package must have been built.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COEFFICIENTS } from '../dist/search/answer/model-answer.js';
import { auroc, calibrationError, mean } from './answers/metrics.mjs';
import { seeded } from './soak/random.mjs';
import { reportPlanned } from './replies/planned.mjs';
import { checkReply, fold, passagesOf, replyOf, withFakeModel } from './replies/run.mjs';

const FOLDS = 5;
const SPLITS = 20;
/** The verifier of the second look, played: how often it lets a wrong sentence pass, and how often it refuses a right one. */
const VERIFIER = { passesWrong: 0.15, refusesRight: 0.03 };
/** The coefficients that are fitted. */
const FITTED = ['intercept'];

if (process.argv.includes('--planned')) {
  process.exit((await reportPlanned()) ? 0 : 1);
}
const file = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
const items = readFileSync(file ?? join(import.meta.dirname, 'replies/items.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const replies = [];
for (const item of items)
  for (const kind of ['good', 'weak']) replies.push({ item, kind, ...(await checkReply(item, kind)) });
if (process.argv.includes('--fit')) {
  const weights = fit(replies);
  console.log(FITTED.map((name) => `${name} ${weights[name].toFixed(2)}`).join(', '));
  process.exit(0);
}

const { plain, verified, repairs, overhead } = await withFakeModel(async (ask, fake) => {
  const run = async (verifierOf) => {
    const rows = [];
    for (const reply of replies) {
      const { item, kind } = reply;
      const before = fake.calls.length;
      const answer = await ask(
        item.question,
        passagesOf(item),
        replyOf(item, kind),
        verifierOf?.(item, kind),
      );
      const sentences = item[kind].sentences.map((s) => ({ ...s, ...fateOf(s, answer) }));
      const falseQuotes = answer.citations.filter(
        (c) => !item.sources.some((s) => s.url === c.url && s.text.includes(c.quote)),
      ).length;
      rows.push({ ...reply, answer, sentences, falseQuotes, calls: fake.calls.length - before });
    }
    return rows;
  };
  const rows = await run();
  const { system, prompt } = fake.calls[0];
  const material = items[0].sources.reduce(
    (sum, s) => sum + s.title.length + s.text.length,
    items[0].question.length,
  );
  return {
    plain: rows,
    repairs: rows.filter((r) => r.kind === 'good' && r.calls > 1),
    verified: await run(playedVerifier),
    overhead: Math.round((system.length + prompt.length - material) / 4),
  };
});

console.log(
  `${items.length} questions; prompt overhead about ${overhead} tokens with ${items[0].sources.length} sources; good replies that cost a repair: ${repairs.length}\n`,
);
reportTargets('Checks in code', plain);
reportTargets(
  `With a second look that passes ${VERIFIER.passesWrong} of the wrong and refuses ${VERIFIER.refusesRight} of the right sentences (played)`,
  verified,
);
reportFaults();
reportLanguages();
reportProbability();

/** What became of a sentence: shown, and found by the checks. */
function fateOf(sentence, { text, outcome, unsupported = [] }) {
  const own = fold(sentence.text);
  const shown = fold(text).includes(own);
  const listed = unsupported.find((one) => own.includes(fold(one.text)) || fold(one.text).includes(own));
  const isHard = listed !== undefined && listed.reason !== 'few_words_in_common';
  return {
    shown,
    listed: listed !== undefined,
    isHard,
    found: !shown || listed !== undefined || outcome !== 'answered',
  };
}

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
  const weak = sentencesOf(rows.filter((r) => r.kind === 'weak'));
  const wrong = weak.filter((s) => !s.right);
  const isAnswered = (r) => r.answer.outcome === 'answered';
  console.log(name);
  line('good replies: right sentences shown', sentencesOf(answerable), (s) => s.shown);
  line('  of them marked [?]', sentencesOf(answerable), (s) => s.isHard);
  line('  of them only listed', sentencesOf(answerable), (s) => s.listed && !s.isHard);
  line('  answerable questions answered', answerable, isAnswered);
  line('  unanswerable questions not answered', unanswerable, (r) => !isAnswered(r));
  line('weak replies: wrong sentences found', wrong, (s) => s.found);
  line(
    '  of them number, unit, year',
    wrong.filter((s) => /^(?:number|unit|year)$/.test(s.fault)),
    (s) => s.found,
  );
  line(
    '  right sentences shown',
    weak.filter((s) => s.right),
    (s) => s.shown,
  );
  const citations = rows.reduce((sum, r) => sum + r.answer.citations.length, 0);
  const wrongQuotes = rows.reduce((sum, r) => sum + r.falseQuotes, 0);
  console.log(`  citations that are not verbatim in their source: ${wrongQuotes} of ${citations}\n`);
}

function reportFaults() {
  const weak = (rows) => sentencesOf(rows.filter((r) => r.kind === 'weak'));
  const [first, second] = [weak(plain), weak(verified)];
  row('Wrong sentences of weak replies, by fault', ['found', 'with a second look']);
  for (const fault of [...new Set(first.filter((s) => !s.right).map((s) => s.fault))].sort()) {
    const of = (all) => all.filter((s) => s.fault === fault);
    row(`  ${fault}`, [share(of(first), (s) => s.found), share(of(second), (s) => s.found)]);
  }
  row('\nSentences with a quotation that is not as the source has it', ['wrong: found', 'right: shown']);
  for (const fault of ['altered', 'invented', 'wrong_source', 'missing']) {
    const of = (right) => first.filter((s) => s.quote_fault === fault && s.right === right);
    row(`  ${fault}`, [share(of(false), (s) => s.found), share(of(true), (s) => s.shown)]);
  }
  console.log();
}

function reportLanguages() {
  row('By language', ['right of good shown', 'answered', 'wrong found']);
  for (const language of [...new Set(items.map((i) => i.language))]) {
    const of = plain.filter((r) => r.item.language === language);
    const good = of.filter((r) => r.kind === 'good' && r.item.answerable);
    const wrong = sentencesOf(of.filter((r) => r.kind === 'weak')).filter((s) => !s.right);
    row(`  ${language}`, [
      share(sentencesOf(good), (s) => s.shown),
      share(good, (r) => r.answer.outcome === 'answered'),
      share(wrong, (s) => s.found),
    ]);
  }
  console.log();
}

function reportProbability() {
  row('Probability of "answered, and every shown sentence right or listed"', ['n', 'ECE', 'AUROC']);
  const report = (name, pairs) =>
    row(`  ${name}`, [pairs.length, calibrationError(pairs).toFixed(3), auroc(pairs).toFixed(3)]);
  const pairsOf = (rows) => rows.map((r) => [r.answer.answerableProbability, labelOf(r)]);
  report('as shipped (fitted on this very set)', pairsOf(plain));
  // The mean of several splits: one alone is off by the luck of its draw.
  const figures = Array.from({ length: SPLITS }, (_, split) => {
    const random = seeded(split + 1);
    const folds = new Map(items.map((item) => [item, Math.floor(random() * FOLDS)]));
    const fits = Array.from({ length: FOLDS }, (_, i) => fit(replies.filter((r) => folds.get(r.item) !== i)));
    const pairs = plain.map((r) => {
      const { outcome, answerableProbability } = r.answer;
      const unseen = estimate(fits[folds.get(r.item)], r.signs);
      return [outcome === 'answered' ? unseen : answerableProbability, labelOf(r)];
    });
    return [calibrationError(pairs), auroc(pairs)];
  });
  const means = [0, 1].map((i) => mean(figures.map((f) => f[i])).toFixed(3));
  row(`  cross-validated by item: mean of ${SPLITS} splits into ${FOLDS}`, [plain.length, ...means]);
  report('with the second look, as shipped', pairsOf(verified));
}

function labelOf({ item, kind, sentences }) {
  const isRight = sentences.some((s) => s.shown) && sentences.every((s) => s.right || !s.shown || s.listed);
  return item.answerable && item[kind].answerable && isRight ? 1 : 0;
}

/** The coefficients of {@link FITTED}, by Newton's method over the replies that answer and show no sign; the others as shipped. */
function fit(of) {
  const examples = of
    .filter(
      ({ item, kind, signs }) => item[kind].answerable && !signs.invented && !signs.altered && !signs.hard,
    )
    .map(({ item, kind, signs, statements }) => {
      const isHard = (s) =>
        statements.some(
          ({ written, findings }) =>
            findings.some(({ reason }) => reason !== 'few_words_in_common') && s.text.includes(written.text),
        );
      const label = item.answerable && item[kind].sentences.every((s) => s.right || isHard(s)) ? 1 : 0;
      return { signs: { intercept: 1, ...signs }, label };
    });
  const weights = { ...COEFFICIENTS };
  for (let step = 0; step < 200; step++) {
    for (const name of FITTED) {
      let [slope, curve] = name === 'intercept' ? [0, 1e-6] : [-0.2 * weights[name], 0.2];
      for (const { signs, label } of examples) {
        const p = estimate(weights, signs);
        slope += (label - p) * signs[name];
        curve += p * (1 - p) * signs[name] ** 2;
      }
      weights[name] += slope / curve;
    }
  }
  return weights;
}

function estimate(weights, signs) {
  const all = { intercept: 1, ...signs };
  const logit = Object.keys(weights).reduce((sum, name) => sum + weights[name] * all[name], 0);
  return 1 / (1 + Math.exp(-logit));
}

/** The labelled sentences of replies with what became of them. */
function sentencesOf(rows) {
  return rows.flatMap((one) => one.sentences);
}

function line(name, of, test) {
  row(`  ${name}`, [share(of, test)]);
}

function row(name, cells) {
  console.log(name.padEnd(74), ...cells.map((cell) => String(cell).padStart(20)));
}

function share(of, test) {
  const n = of.filter(test).length;
  return `${n}/${of.length} (${of.length ? Math.round((100 * n) / of.length) : 0} %)`;
}
