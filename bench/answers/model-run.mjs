/** Says plans over real HTTP, from a fake server, to the package's own model answers, and counts what reaches the caller. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { withContext } from '../../dist/core/tool-context.js';
import { claimOf } from '../../dist/search/answer/claim.js';
import { ModelClient } from '../../dist/model/client.js';
import { ModelAnswer } from '../../dist/search/answer/model-answer.js';
import { sentencesOf } from '../../dist/search/ranking/sentences.js';
import { startFakeLlm } from '../../test/support/fake-llm/fake-llm.mjs';
import { PLANS } from './model-plans.mjs';

const REWORDINGS = join(import.meta.dirname, 'rewordings.txt');

/** Calls `work` with `ask(row, said)`, which gives the answer to what the fake model says and the passages that it was asked over. */
export async function withFakeModel(rows, work) {
  const fake = await startFakeLlm();
  try {
    const provider = createOpenAICompatible({
      name: 'fake',
      baseURL: fake.url,
      apiKey: 'key',
      includeUsage: true,
    });
    const engine = new ModelAnswer(new ModelClient(provider('fake-model')));
    const ask = async (row, said) => {
      fake.settings.answer = () => JSON.stringify(said);
      const passages = passagesOf(row, rows);
      const answer = await withContext(30_000, {}, (context) =>
        engine.answer(row.question, passages, context),
      );
      return { answer, passages };
    };
    return await work(ask);
  } finally {
    await fake.close();
  }
}

/** For each plan how many bad and good sentences there were and stayed, and quotations that are in no source. */
export async function runPlans(rows) {
  return withFakeModel(rows, async (ask) => {
    const results = [];
    for (const [plan, make] of Object.entries(PLANS)) {
      const counts = newCounts(plan);
      for (const row of rows) {
        const said = make(materialOf(row, rows));
        if (said) count(counts, said, await ask(row, { answerable: true, ...said }));
      }
      results.push(counts);
    }
    const [good, wrong] = [newCounts('reworded by hand, right'), newCounts('reworded by hand, wrong')];
    for (const { row, said } of rewordings(rows)) {
      count(said.good.length > 0 ? good : wrong, said, await ask(row, { answerable: true, ...said }));
    }
    return [...results, good, wrong];
  });
}

/** What a plan is made of. */
export function materialOf(row, rows) {
  const sentences = sentencesOf(row.note.text);
  const sentence = (row.answer && sentences.find((s) => s.includes(row.answer))) || sentences[0];
  const others = sentences.filter((s) => s !== sentence);
  const near = nearest(row.question, sentences);
  return { sentence, near, others, foreign: sentencesOf(foreignNote(row, rows).text)[0] };
}

/** The note that the question is about, and another one. */
export function passagesOf(row, rows) {
  return [row.note, foreignNote(row, rows)].map((d, i) => ({ ...d, score: 1 - i / 2 }));
}

/** The sentence with the most words of the question: what a model falls for. */
function nearest(question, sentences) {
  const asked = new Set(claimOf(question, 'en').words.map((w) => w.term));
  const shared = (s) => claimOf(s, 'en').words.filter((w) => asked.has(w.term)).length;
  return sentences.reduce((best, s) => (shared(s) > shared(best) ? s : best));
}

let notes;

function foreignNote(row, rows) {
  notes ??= [...new Map(rows.map((r) => [r.note.url, r.note])).values()];
  return notes[(notes.indexOf(row.note) + 7) % notes.length];
}

/** `# title`, `> quotation`, and under it sentences that follow from it (`+`) or do not (`-`). */
function rewordings(rows) {
  const found = [];
  let row;
  let quote;
  for (const line of readFileSync(REWORDINGS, 'utf8').split('\n')) {
    const text = line.slice(2);
    if (line[0] === '#') row = rows.find((r) => r.note.title === text);
    else if (line[0] === '>') quote = text;
    else if (line[0] === '+' || line[0] === '-') {
      const isRight = line[0] === '+';
      const said = {
        answer: `${text} [1]`,
        quotes: [{ n: 1, text: quote }],
        good: isRight ? [text] : [],
        bad: isRight ? [] : [text],
      };
      found.push({ row, said });
    }
  }
  return found;
}

function newCounts(plan) {
  return { plan, asked: 0, bad: 0, badKept: 0, good: 0, goodKept: 0, falseQuotes: 0, kept: [] };
}

function count(counts, said, { answer, passages }) {
  counts.asked++;
  counts.bad += said.bad.length;
  counts.good += said.good.length;
  // What the not-answered wording quotes as closest is the source's own and cited as such.
  const survivors = said.bad.filter(
    (s) =>
      answer.text.includes(s) &&
      (answer.answerableProbability >= 0.5 || !passages.some((p) => p.text.includes(s))),
  );
  counts.badKept += survivors.length;
  counts.kept.push(...survivors.map((s) => [s, said.quotes[0]?.text]));
  counts.goodKept += said.good.filter((s) => answer.text.includes(s)).length;
  counts.falseQuotes += answer.citations.filter(
    (c) => !passages.some((p) => p.url === c.url && p.text.includes(c.quote)),
  ).length;
}
