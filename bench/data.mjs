/**
 * Answers as data: replies over the everyday pages, with a known verdict for each value, against the checks of its source.
 *
 *   npm run bench -- data             figures by the quality of the reply
 *   npm run bench -- data --read   every value that the checks judged wrongly
 *
 * The package must have been built. The items are made from the questions of bench/everyday: 60 whose answer stands in its sentence, 30 that no page
 * answers, and 30 traps, whose page has another value of the same kind nearby. A reply gives for each item a value and a quotation in five ways, three
 * of them wrong. Further 46 fields with five replies each are written by hand (bench/data/written.mjs), and counted by themselves. No model is asked: what
 * a model would write is not measured, only what the checks let through.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkFields } from '../dist/data/check-fields.js';
import { readOutputSchema } from '../dist/data/output-schema.js';
import { Evidence } from '../dist/grounding/evidence.js';
import { WRITTEN } from './data/written.mjs';

const lines = (name) =>
  readFileSync(join(import.meta.dirname, 'everyday', name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const PAGES = lines('pages.jsonl');
const QUESTIONS = lines('questions.jsonl');
const NUMBER = /(?<![\d.,/:-])\d{1,4}(?:\.\d+)?(?![\d.,/:-]*\d)/g;
/**
 * A right value, its sentence copied; the sentence in other case and without marks; three wrong ones; and, in traps, what the collection says of
 * another thing, word for word: only a reader can see that it is wrong.
 */
const QUALITIES = ['copied', 'careless', 'other value', 'other sentence', 'invented', 'other thing'];

const found = QUESTIONS.filter(({ answerable, answers = [], sentence = '' }) => {
  const words = sentence.split(/\s+/).length;
  return answerable && words >= 3 && words <= 60 && sentence.includes(answers[0]) && !sentence.includes('\n');
});
const numeric = found.filter(({ answers }) => /^\d+(?:\.\d+)?$/.test(answers[0]));
const traps = [...numeric, ...found.filter(({ answers, decoys }) => decoys && /\d/.test(answers[0]))]
  .filter((item, i, all) => all.indexOf(item) === i)
  .slice(0, 30);
const plain = spread(
  found.filter((item) => !traps.includes(item)),
  60,
);
const unanswered = spread(
  QUESTIONS.filter(({ answerable }) => !answerable),
  30,
);
const items = [
  ...plain.map((item) => ({ item, kind: 'plain' })),
  ...traps.map((item) => ({ item, kind: 'trap' })),
  ...unanswered.map((item) => ({ item, kind: 'unanswered' })),
];

/** Evenly over a list. */
function spread(list, count) {
  return list.filter(
    (_, i) => Math.floor((i * count) / list.length) !== Math.floor(((i - 1) * count) / list.length),
  );
}

const rows = [];
for (const [i, { item, kind }] of items.entries()) {
  const own = PAGES.filter(({ url }) => item.pages?.includes(url));
  const others = PAGES.filter(
    ({ collection, url }) => collection === item.collection && !item.pages?.includes(url),
  );
  const pages = [...own, ...others];
  const texts = pages.map(({ text, title, language }) => ({ text, about: title, language }));
  const evidence = await Evidence.of(texts, item.language);
  const isNumber = kind !== 'unanswered' && /^\d+(?:\.\d+)?$/.test(item.answers[0]);
  const schema = readOutputSchema({
    type: 'object',
    properties: { value: { type: isNumber ? 'number' : 'string', description: item.question } },
    required: ['value'],
  });
  for (const quality of QUALITIES) {
    const written = replyOf(item, kind, quality, pages, i);
    if (!written) continue;
    const value = isNumber ? Number(written.value) : written.value;
    const { output, refused } = await checkFields({ value: { ...written, value } }, schema, evidence);
    rows.push({ id: item.id, kind, quality, ...written, isKept: 'value' in output, why: refused[0]?.reason });
  }
}

/** What a model may write; undefined where the item has no value of this quality. */
function replyOf(item, kind, quality, pages, i) {
  const isRight = quality === 'copied' || quality === 'careless';
  if (kind === 'unanswered') {
    if (quality === 'other thing') return undefined;
    // The value of another question of the collection, with the words of the page that fits least badly.
    const other = found.filter(({ collection, id }) => collection === item.collection && id !== item.id);
    const { answers, sentence } = other[i % other.length];
    const stranger = other[(i + 3) % other.length];
    if (isRight) return { value: null, source: 0, quote: '', isRight: true };
    if (quality === 'other value')
      return { value: otherOf(answers[0]), source: 1, quote: sentence, isRight: false };
    if (quality === 'other sentence') {
      if (stranger.sentence.toLowerCase().includes(answers[0].toLowerCase())) return undefined;
      return { value: answers[0], source: 1, quote: stranger.sentence, isRight: false };
    }
    return { value: answers[0], source: 1, quote: invented(item, answers[0]), isRight: false };
  }
  const { answers, sentence } = item;
  const [value] = answers;
  if (quality === 'other thing') {
    if (kind !== 'trap') return undefined;
    const isOther = (one) => one.collection === item.collection && !one.answers.includes(value);
    const other = numeric.find(isOther) ?? found.find((one) => isOther(one) && /\d/.test(one.answers[0]));
    return other && { value: other.answers[0], source: 2, quote: other.sentence, isRight };
  }
  if (quality === 'copied') return { value, source: 1, quote: sentence, isRight };
  if (quality === 'careless') return { value, source: 2, quote: careless(sentence), isRight };
  if (quality === 'other value')
    return { value: nearby(item, pages) ?? otherOf(value), source: 1, quote: sentence, isRight };
  if (quality === 'other sentence') {
    const other = sentenceWithout(pages, answers);
    return other && { value, source: 1, quote: other, isRight };
  }
  return {
    value: nearby(item, pages) ?? otherOf(value),
    source: 1,
    quote: invented(item, otherOf(value)),
    isRight,
  };
}

function careless(sentence) {
  return sentence
    .replace(/[*`_"“”]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[.!?]$/, '')
    .toLowerCase();
}

/** Another number of the same pages, which is not in the sentence. */
function nearby({ answers: [value], sentence }, pages) {
  if (!/\d/.test(value)) return undefined;
  const numbers = pages.slice(0, 2).flatMap(({ text }) => text.match(NUMBER) ?? []);
  const own = value.match(NUMBER)?.[0];
  const other = numbers.find((n) => n !== own && !sentence.includes(n));
  return own && other ? value.replace(own, other) : undefined;
}

/** The value with another number or other names. */
function otherOf(value) {
  const [own] = value.match(/\d+/) ?? [];
  if (own) return value.replace(own, String(Number(own) + 3));
  return 'Marlene Quist in Harrowgate';
}

/** A sentence that does not hold the answer. */
function sentenceWithout(pages, answers) {
  const sentences = pages[0].text.split(/(?<=[.!?])\s+|\n+/).filter((one) => one.split(' ').length >= 5);
  return sentences.find((one) => !answers.some((answer) => one.toLowerCase().includes(answer.toLowerCase())));
}

function invented({ question }, value) {
  return `According to the page, the answer to ${question.replace(/\?$/, '')} is ${value}.`;
}

const share = (list, test) =>
  `${list.filter(test).length}/${list.length} (${Math.round((100 * list.filter(test).length) / list.length)} %)`;
const isFalse = ({ isRight, isKept, value }) => value !== null && isRight !== isKept;
if (process.argv.includes('--read')) for (const row of rows.filter(isFalse)) console.log(JSON.stringify(row));
const answered = rows.filter(({ kind }) => kind !== 'unanswered');
console.log(
  `${items.length} items: ${plain.length} plain, ${traps.length} traps, ${unanswered.length} that no page answers`,
);
for (const quality of QUALITIES) {
  const own = answered.filter((row) => row.quality === quality);
  console.log(`${quality.padEnd(15)} kept ${share(own, ({ isKept }) => isKept)}`);
}
console.log(
  `right values kept        ${share(
    answered.filter(({ isRight }) => isRight),
    ({ isKept }) => isKept,
  )}`,
);
console.log(
  `wrong values removed     ${share(
    answered.filter(({ isRight }) => !isRight),
    ({ isKept }) => !isKept,
  )}`,
);
console.log(
  `of these in traps        ${share(
    answered.filter(({ isRight, kind }) => !isRight && kind === 'trap'),
    ({ isKept }) => !isKept,
  )}`,
);
const empty = rows.filter(({ kind, isRight }) => kind === 'unanswered' && !isRight);
console.log(`filled without an answer ${share(empty, ({ isKept }) => isKept)}`);

/** Each single value of a reply, as the checks get it. */
const leafOf = (value, quote, source) =>
  value === null ? { value, source: 0, quote: '' } : { value, source, quote };
const shaped = (value, quote, source) =>
  Array.isArray(value)
    ? value.map((one) => leafOf(one, quote, source))
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value).map(([name, one]) => [name, leafOf(one, quote[name], source)]),
        )
      : leafOf(value, quote, source);

const written = [];
for (const { kind, name, schema: field, pages, replies } of WRITTEN) {
  const own = pages.map((path) => PAGES.find(({ url }) => url.endsWith(`/${path}`)));
  const texts = own.map(({ text, title, language }) => ({ text, about: title, language }));
  const evidence = await Evidence.of(texts, own[0].language);
  const schema = readOutputSchema({ type: 'object', properties: { [name]: field } });
  for (const [quality, value, quote, source = 1] of replies) {
    const { fields, refused } = await checkFields({ [name]: shaped(value, quote, source) }, schema, evidence);
    const values = value !== null && typeof value === 'object' ? Object.values(value) : [value].flat();
    const isRight = ['copied', 'own words', 'careless'].includes(quality);
    const counts = { of: values.filter((one) => one !== null).length, kept: fields.length };
    written.push({
      kind,
      name,
      quality,
      isRight,
      value,
      quote,
      ...counts,
      why: refused[0]?.reason,
    });
  }
}
const sum = (list, key) => list.reduce((total, row) => total + row[key], 0);
const kept = (list) =>
  `${sum(list, 'kept')}/${sum(list, 'of')} (${Math.round((100 * sum(list, 'kept')) / sum(list, 'of'))} %)`;
if (process.argv.includes('--read'))
  for (const row of written.filter(({ isRight, of, kept: count }) => count !== (isRight ? of : 0)))
    console.log(JSON.stringify(row));
console.log(`\n${WRITTEN.length} fields written by hand: values kept`);
const isAsked = ({ kind }) => kind !== 'unanswered';
for (const quality of ['copied', 'own words', 'careless', 'mistaken', 'other thing', 'invented'])
  console.log(
    `${quality.padEnd(15)} ${kept(written.filter((row) => isAsked(row) && row.quality === quality))}`,
  );
console.log(`right           ${kept(written.filter((row) => row.isRight))}`);
console.log(`wrong           ${kept(written.filter((row) => isAsked(row) && !row.isRight))}`);
const unfounded = written.filter((row) => !isAsked(row));
console.log(
  `no page answers ${kept(unfounded)}, of these with words that hold the value ${kept(unfounded.filter(({ quality }) => quality === 'other thing'))}`,
);
