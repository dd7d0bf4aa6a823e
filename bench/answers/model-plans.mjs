/**
 * Answers of a language model whose quotations and verdicts are right, wrong or invented by plan: a fake server says them over real
 * HTTP, the package checks them, and what reaches the caller is compared with the plan.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { withContext } from '../../dist/core/tool-context.js';
import { ModelClient } from '../../dist/model/index.js';
import { ModelAnswer } from '../../dist/search/answer/model-answer.js';
import { sentencesOf } from '../../dist/search/ranking/sentences.js';
import { startFakeLlm } from '../../test/support/fake-llm/fake-llm.mjs';

const INVENTED = 'Doctor Zaphodbeeble counted 4711 golden elephants in the harbour.';

/**
 * What is said to one question. `sentence` is the one that answers (of an unanswerable question: the first of the note), `other` another
 * one of the note. `good` and `bad` are the sentences that have to stay and to go.
 */
const PLANS = {
  right: ({ sentence, quote, answerable }) => ({
    answerable,
    answer: `${sentence} [1]`,
    quotes: [{ n: 1, text: quote }],
    good: [sentence],
    bad: [],
  }),
  'right, wrong verdict': ({ sentence, quote, answerable }) => ({
    answerable: !answerable,
    answer: `${sentence} [1]`,
    quotes: [{ n: 1, text: quote }],
    good: [sentence],
    bad: [],
  }),
  'invented sentence beside': ({ sentence, quote, answerable }) => ({
    answerable,
    answer: `${sentence} [1] ${INVENTED} [1]`,
    quotes: [{ n: 1, text: quote }],
    good: [sentence],
    bad: [INVENTED],
  }),
  'number altered': ({ sentence, quote }) => bad(altered(sentence), [{ n: 1, text: quote }]),
  'name put in front': ({ sentence, quote }) =>
    bad(`Zaphodbeeble says that ${sentence}`, [{ n: 1, text: quote }]),
  denied: ({ sentence, quote }) => bad(`It is not so that ${sentence}`, [{ n: 1, text: quote }]),
  'quotation invented': ({ sentence }) => bad(sentence, [{ n: 1, text: INVENTED }]),
  'quotation reversed': ({ sentence, quote }) =>
    bad(sentence, [{ n: 1, text: quote.split(' ').reverse().join(' ') }]),
  'quotation of another source': ({ sentence, quote }) => bad(sentence, [{ n: 2, text: quote }]),
  'source invented': ({ sentence, quote }) => bad(sentence, [{ n: 99, text: quote }], 99),
  'without quotation': ({ sentence }) => bad(sentence, []),
};

function bad(sentence, quotes, n = 1) {
  return { answerable: true, answer: `${sentence} [${n}]`, quotes, good: [], bad: [sentence] };
}

function altered(sentence) {
  return /\d/.test(sentence)
    ? sentence.replace(/\d[\d.,]*/, (number) => `${parseInt(number, 10) + 7}`)
    : sentence.replace(/[.!?]*$/, ' in 4711.');
}

/**
 * @param rows of the question set, each with its note
 * @returns for each plan counts and `[probability, 0 or 1]` pairs
 */
export async function runPlans(rows) {
  const fake = await startFakeLlm();
  try {
    const provider = createOpenAICompatible({
      name: 'fake',
      baseURL: fake.url,
      apiKey: 'key',
      includeUsage: true,
    });
    const engine = new ModelAnswer(new ModelClient(provider('fake-model')));
    const notes = [...new Map(rows.map((r) => [r.note.url, r.note])).values()];
    const results = [];
    for (const [plan, make] of Object.entries(PLANS)) {
      const counts = { plan, asked: 0, bad: 0, badKept: 0, good: 0, goodKept: 0, falseQuotes: 0, pairs: [] };
      for (const row of rows) {
        const said = make(material(row));
        fake.settings.answer = () => JSON.stringify(said);
        const second = notes[(notes.indexOf(row.note) + 7) % notes.length];
        const passages = [row.note, second].map((d, i) => ({ ...d, score: 1 - i / 2 }));
        const answer = await withContext(30_000, {}, (context) =>
          engine.answer(row.question, passages, context),
        );
        // What the not-answered wording quotes as closest is the source's own and cited as such.
        const answered = answer.answerableProbability >= 0.5;
        counts.asked++;
        counts.bad += said.bad.length;
        counts.good += said.good.length;
        counts.badKept += said.bad.filter((s) => kept(s, answer.text, answered, passages)).length;
        counts.goodKept += said.good.filter((s) => answer.text.includes(s)).length;
        counts.falseQuotes += answer.citations.filter(
          (c) => !passages.some((p) => p.url === c.url && p.text.includes(c.quote)),
        ).length;
        counts.pairs.push([answer.answerableProbability, row.answerable ? 1 : 0]);
      }
      results.push(counts);
    }
    return results;
  } finally {
    await fake.close();
  }
}

/** A sentence that is the source's own may be quoted below the threshold; any other must not be there at all. */
function kept(sentence, text, answered, passages) {
  return text.includes(sentence) && (answered || !passages.some((p) => p.text.includes(sentence)));
}

function material(row) {
  const sentences = sentencesOf(row.note.text);
  const sentence = (row.answer && sentences.find((s) => s.includes(row.answer))) || sentences[0];
  return { sentence, quote: sentence, answerable: row.answerable };
}
