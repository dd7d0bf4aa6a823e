/**
 * Answers by a model, with replies that were written without knowledge of the checks.
 *
 *   npm run bench -- replies                  the replies in bench/replies/items.jsonl
 *   npm run bench -- replies <file.jsonl>  another file of that form
 *   npm run bench -- replies --planned     replies made by rule: a regression test, exit code 1 when one gets through
 *
 * "Found": marked in the text, listed as unsupported, left out, or not given as an answer. The package must have been built.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auroc, calibrationError } from './answers/metrics.mjs';
import { seeded } from './soak/random.mjs';
import { reportPlanned } from './replies/planned.mjs';
import { fold, passagesOf, replyOf, withFakeModel } from './replies/run.mjs';

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
const replies = items.flatMap((item) => ['good', 'weak'].map((kind) => ({ item, kind })));

/** The citations behind a sentence of the text, and whether their source is one that the label names. */
function citedBy({ text: own, sources }, { item, answer: { text, citations } }) {
  const at = text.indexOf(own.replace(/[.!?]$/, ''));
  const marks = at < 0 ? undefined : /^[.!?]? ((?:\[\d+\])+)/.exec(text.slice(at + own.length - 1));
  return (marks?.[1].match(/\d+/g) ?? []).map((n) => {
    const { url } = citations.find(({ index }) => index === Number(n));
    return { isRight: item.sources.some((s) => s.url === url && sources.includes(s.n)) };
  });
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
      const sentences = item[kind].sentences.map((s) => ({
        ...s,
        ...fateOf(s, answer),
        cited: citedBy(s, { item, answer }),
      }));
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
  console.log(`  citations that are not verbatim in their source: ${wrongQuotes} of ${citations}`);
  const cited = sentencesOf(good).flatMap((s) => s.cited);
  console.log(
    `  marks behind good sentences that cite another source: ${cited.filter((c) => !c.isRight).length} of ${cited.length}\n`,
  );
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
  report('the checks', pairsOf(plain));
  const most = Math.max(...pairsOf(plain).map(([probability]) => probability));
  const unmarked = pairsOf(plain).filter(([probability]) => probability === most);
  const right = unmarked.filter(([, isRight]) => isRight).length;
  report(`  without a finding: ${most}, right ${(right / unmarked.length).toFixed(2)}`, unmarked);
  report('with the second look', pairsOf(verified));
}

function labelOf({ item, kind, sentences }) {
  const isRight = sentences.some((s) => s.shown) && sentences.every((s) => s.right || !s.shown || s.listed);
  return item.answerable && item[kind].answerable && isRight ? 1 : 0;
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
