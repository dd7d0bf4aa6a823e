/**
 * Pairs of pages by rule: one is a note of the own set, the other one says of the asked fact something else, the same, or nothing.
 *
 * - `another value`: the answering sentence with its number, date or name altered, which has to be noticed;
 * - `the same value`: the answering sentence once more, its number written otherwise, in another unit, or rounded;
 * - `other facts`: the other sentences of the note, with their own numbers and names.
 *
 * Only questions count that the note alone is said to answer.
 */
import { documents } from '../../dist/search/providers/documents.provider.js';
import { resolveSearchOptions } from '../../dist/search/search.options.js';
import { SearchService } from '../../dist/tools/search-web.js';
import { ExtractiveAnswer } from '../../dist/search/answer/extractive-answer.js';
import { sentencesOf } from '../../dist/core/text/sentences.js';

const NUMBER_WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const WORD = new RegExp(`\\b(${NUMBER_WORDS.slice(2).join('|')})\\b`);
const DIGITS = /(?<![\d.,])\d[\d,]*(?:\.\d+)?/;
const YEAR = /\b1[0-9]\d\d\b|\b20\d\d\b/;
const METRES = /(?<![\d.,])(\d[\d,]*(?:\.\d+)?) (kilometres|metres|centimetres)\b/;
const SMALLER = {
  kilometres: [1000, 'metres'],
  metres: [100, 'centimetres'],
  centimetres: [10, 'millimetres'],
};
const NAME = /\p{Lu}[\p{L}'’-]+(?: (?:\p{Lu}[\p{L}'’-]+|of|de|van|von)(?= \p{Lu})| \p{Lu}[\p{L}'’-]+)*/gu;
const OTHERS = { who: 'Konrad Vasari', where: 'Fuldatal', which: 'Arkonia' };
const FILLER = 'This page was put together for a school library. Its pictures were drawn by pupils.';

/** `{ kind, rule, row, pages }` */
export function contradictingPairs(rows) {
  const pairs = [];
  for (const row of rows) {
    if (!row.answerable || !row.answer) continue;
    const sentences = sentencesOf(row.note.text);
    const sentence = sentences.find((s) => s.includes(row.answer));
    if (!sentence) continue;
    const page = (text, n = 1) => ({
      url: `https://other${n}.example/page`,
      title: row.note.title,
      text: `${FILLER} ${text}`,
    });
    const add = (kind, rule, text) => text && pairs.push({ kind, rule, row, pages: [row.note, page(text)] });
    const altered = alteredValue(sentence, row);
    add('another value', altered?.rule, altered?.text);
    add('the same value', 'repeated', sentence);
    for (const [rule, text] of rewritten(sentence, row.answer)) add('the same value', rule, text);
    add('other facts', 'rest of the note', sentences.filter((s) => s !== sentence).join(' '));
  }
  return pairs;
}

/** For each rule how many pairs there are, in how many a contradiction is told, and the mean probability before and after. */
export async function runContradictions(rows) {
  const alone = new Map();
  const counts = new Map();
  for (const { kind, rule, row, pages } of contradictingPairs(rows)) {
    if (!alone.has(row.id)) alone.set(row.id, await ask(row.question, [row.note]));
    const before = alone.get(row.id);
    if (before.probability < 0.5) continue;
    const after = await ask(row.question, pages);
    const key = `${kind}: ${rule}`;
    const count = counts.get(key) ?? {
      kind,
      rule,
      pairs: 0,
      told: 0,
      before: 0,
      after: 0,
      below: 0,
      examples: [],
    };
    counts.set(key, count);
    count.pairs++;
    count.told += after.told ? 1 : 0;
    count.below += after.probability < 0.5 ? 1 : 0;
    count.before += before.probability;
    count.after += after.probability;
    if (after.told !== (kind === 'another value'))
      count.examples.push({ question: row.question, text: after.text });
  }
  return [...counts.values()];
}

async function ask(query, pages) {
  const service = new SearchService({
    providers: [documents(pages)],
    answers: new ExtractiveAnswer(),
    options: resolveSearchOptions({ answerDeadlineMs: 60_000 }),
  });
  const { llm, warnings } = await service.search({ query, llmAnswer: true });
  return {
    probability: llm.answerableProbability,
    told: warnings.some((w) => w.code === 'sources_disagree'),
    text: llm.answer,
  };
}

function alteredValue(sentence, { answer, question }) {
  const swap = (rule, old, by) => ({ rule, text: sentence.replace(answer, answer.replace(old, by)) });
  const year = YEAR.exec(answer)?.[0];
  if (year && /\b(?:when|year|date)\b/i.test(question)) return swap('year', year, String(Number(year) + 9));
  if (/\b(?:how|what (?:speed|depth|age|share|percentage|temperature))\b/i.test(question)) {
    const digits = DIGITS.exec(answer)?.[0];
    if (digits)
      return swap('number', digits, String(Math.round(Number(digits.replaceAll(',', '')) * 1.5 + 1)));
    const word = WORD.exec(answer)?.[0];
    if (word) return swap('number', word, NUMBER_WORDS[(NUMBER_WORDS.indexOf(word) + 7) % 20]);
  }
  const asks = /^(?:in )?(who|where|which)\b/i.exec(question)?.[1]?.toLowerCase();
  const name = asks && [...answer.matchAll(NAME)].map((m) => m[0]).find((n) => !question.includes(n));
  return name && /^\p{Lu}/u.test(name) && !/^(?:The|It|He|She|In|On)\b/.test(name)
    ? swap(`name (${asks})`, name, OTHERS[asks])
    : undefined;
}

/** The sentence with the number of the answer written otherwise, by rule. */
function rewritten(sentence, answer) {
  const found = [];
  const put = (rule, old, by) => found.push([rule, sentence.replace(answer, answer.replace(old, by))]);
  const measure = METRES.exec(answer);
  if (measure) {
    const [factor, unit] = SMALLER[measure[2]];
    put('in a smaller unit', measure[0], `${Number(measure[1].replaceAll(',', '')) * factor} ${unit}`);
  }
  const digits = !YEAR.test(answer) && DIGITS.exec(answer)?.[0];
  if (digits) {
    put('said to be inexact', digits, `about ${digits}`);
    const value = Number(digits.replaceAll(',', ''));
    if (value >= 1000) put('rounded', digits, `about ${Number(value.toPrecision(2))}`);
    else if (NUMBER_WORDS[value] && value > 1) put('in words', digits, NUMBER_WORDS[value]);
  } else {
    const word = WORD.exec(answer)?.[0];
    if (word) put('in digits', word, String(NUMBER_WORDS.indexOf(word)));
  }
  return found;
}
