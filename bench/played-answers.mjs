/**
 * Answers by a model, with replies that one language model wrote for captured prompts without knowledge of the checks (see bench/played).
 *
 *   npm run bench -- played-answers                 figures by the style of the reply
 *   npm run bench -- played-answers --read b13   question, reply and answer of the runs whose names begin so, whole
 *   npm run bench -- played-answers --first      time to the first words against the whole, with a model of 80 tokens a second
 *
 * The package must have been built. The model says the same where it is asked to repair its text: the worst case.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAnswerReply } from '../dist/search/answer/prompts.js';
import { readAnswer } from '../dist/search/answer/read-answer.js';
import { isLeadIn } from '../dist/grounding/check-statements.js';
import { fold, withFakeModel } from './replies/run.mjs';

const lines = (name) =>
  readFileSync(join(import.meta.dirname, 'played', name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const PASSAGES = lines('passages.jsonl');
const at = process.argv.indexOf('--read');
const wanted = at < 0 ? '' : process.argv[at + 1];
const runs = lines('answers.jsonl').filter(({ run }) => run.startsWith(wanted));
const rows = [];
const isTimed = process.argv.includes('--first');
await withFakeModel(async (ask, fake) => {
  if (isTimed) await reportFirst(ask, fake);
  else for (const run of runs) rows.push(await play(run, ask));
});
if (isTimed) process.exit();
if (wanted) rows.forEach(print);
else report(rows);

function passagesOf(run) {
  return run.passages.map((i, rank) => {
    const { published_at: publishedAt, ...passage } = PASSAGES[i];
    return { ...passage, score: 1 - rank / 20, ...(publishedAt ? { publishedAt } : {}) };
  });
}

/** Strong replies at the pace of the bench llm: 300 ms to the first token, then 80 tokens a second. */
async function reportFirst(ask, fake) {
  Object.assign(fake.settings, { ttftMs: 300, tokensPerSecond: 80 });
  const times = [];
  for (const run of runs.filter(({ style }) => style === 'strong')) {
    const start = performance.now();
    let first;
    await ask(run.question, passagesOf(run), run.reply, undefined, ({ text }) => {
      if (text) first ??= performance.now() - start;
    });
    times.push({ first, whole: performance.now() - start });
  }
  const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
  const of = (value) => median(times.map(value));
  const figures = [of(({ first }) => first), of(({ whole }) => whole)].map((ms) => `${Math.round(ms)} ms`);
  const shares = [
    of(({ first, whole }) => first / whole),
    of(({ first, whole }) => (first - 300) / (whole - 300)),
  ];
  console.log(`first words and whole, median of ${times.length}: ${figures.join(', ')}`);
  console.log(`share: ${shares[0].toFixed(2)}; without the 300 ms of the model: ${shares[1].toFixed(2)}`);
}

async function play(run, ask) {
  const passages = passagesOf(run);
  // Without an answer of the model the tool quotes the sources, which is another bench.
  const answer = await ask(run.question, passages, run.reply).catch(() => undefined);
  const { text = '', outcome, unsupported = [] } = answer ?? {};
  const shown = unmarked(text);
  const listed = (own) => unsupported.find((one) => unmarked(one.text) === own);
  const statements = readAnswer(readAnswerReply({ text: run.reply, truncated: false }).answer)
    .statements.filter(({ kind, text: own }) => kind !== 'head' && !isLeadIn(own))
    .map(({ text: own, code }) => ({ own, all: [own, ...code].join('\n') }))
    .filter(({ all }) => fold(all).split(' ').length > 1)
    .map(({ own, all }) => {
      const folded = unmarked(own || all);
      const finding = listed(folded)?.reason;
      return {
        text: all,
        kind: run.wrong.find(({ has }) => all.includes(has))?.kind,
        isShown: shown.includes(folded),
        isHard: finding !== undefined && finding !== 'few_words_in_common',
        finding,
      };
    });
  const isAnswered = outcome === 'answered';
  const isWrongOutcome = answer && run.isAnswer !== undefined && run.isAnswer !== isAnswered;
  return { run, answer, statements, isAnswered, isWrongOutcome };
}

/** Without source numbers and `[?]`. */
function unmarked(text) {
  return fold(text.replace(/\[(?:\d+|\?)\]/g, ' '));
}

function report(all) {
  const ratio = (part, of) => `${part.length} / ${of.length}`;
  const line = (style, list) => {
    const statements = list.flatMap((row) =>
      row.statements.map((statement) => ({ ...statement, isAnswered: row.isAnswered })),
    );
    const right = list
      .filter(({ run }) => run.isAnswer)
      .flatMap((row) => row.statements.filter(({ kind }) => !kind));
    // What the model was not shown may be right; the checks cannot know.
    const wrong = statements.filter(({ kind }) => kind && kind !== 'not shown');
    return {
      style,
      runs: list.length,
      'right shown': ratio(
        right.filter(({ isShown }) => isShown),
        right,
      ),
      'right marked [?]': right.filter(({ isHard }) => isHard).length,
      'right listed': right.filter(({ finding, isHard }) => finding && !isHard).length,
      'wrong unmarked': ratio(
        wrong.filter((one) => one.isShown && one.isAnswered && !one.finding),
        wrong,
      ),
      'wrong outcome': list.filter(({ isWrongOutcome }) => isWrongOutcome).length,
      repairs: list.filter(({ answer }) => answer?.usage.modelCalls > 1).length,
    };
  };
  const styles = [...new Set(all.map(({ run }) => run.style))];
  console.table([
    ...styles.map((style) =>
      line(
        style,
        all.filter(({ run }) => run.style === style),
      ),
    ),
    line('all', all),
  ]);
  const good = all.filter(({ run, answer }) => run.wrong.length === 0 && answer);
  const costly = good.filter(({ answer }) => answer.usage.modelCalls > 1);
  console.log(`Replies without a wrong statement that cost a repair: ${ratio(costly, good)}`);
  for (const { run, answer, statements, isWrongOutcome } of all) {
    if (isWrongOutcome) console.log(`${run.run}: ${answer.outcome}`);
    for (const { text, kind, isShown, isHard, finding } of statements) {
      if (run.isAnswer && !kind && (!isShown || isHard))
        console.log(`${run.run}: right, ${isShown ? 'marked' : 'not shown'}: ${text}`);
      if (kind && kind !== 'not shown' && isShown && !finding)
        console.log(`${run.run}: wrong (${kind}), not marked: ${text}`);
    }
  }
}

function print({ run, answer }) {
  console.log(`\n===== ${run.run}\n${run.question}\n--- reply\n${run.reply}\n--- ${answer?.outcome}`);
  if (!answer) return;
  console.log(`${answer.answerableProbability}, ${answer.usage.modelCalls} calls\n${answer.text}`);
  for (const { index, quote } of answer.citations) console.log(`  [${index}] ${quote}`);
  for (const { reason, text } of answer.unsupported ?? []) console.log(`  ? ${reason}: ${text}`);
  for (const { code, message } of answer.warnings) console.log(`  ! ${code}: ${message}`);
}
