/**
 * Replies made by rule from the notes of bench/answers/set: right in several forms, or wrong in one way that code decides. A plan gives the
 * reply, and which of its sentences must be answers (`good`) or must not (`bad`).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sentencesOf } from '../../dist/text/sentences.js';
import { followsFrom, termsOf } from '../../dist/grounding/calculations.js';
import { equationsIn, operandOf } from '../../dist/text/arithmetic.js';
import { isSameValue } from '../../dist/text/compare-values.js';
import { readValues, statedValues } from '../../dist/text/read-values.js';
import { loadQuestions } from '../answers/question-set.mjs';
import { withFakeModel } from './run.mjs';

const INVENTED = 'In May 1923 Doctor Zaphod Beeble counted 4711 golden elephants there.';
const LINK = 'https://evil.example/offer';
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const UNITS = 'kilometres tonnes litres hours degrees percent'.split(' ');

const PLANS = {
  right: ({ sentence }) => good(sentence, [sentence]),
  'right, quotation cut short': ({ sentence }) => good(sentence, [sentence.split(' ').slice(0, 6).join(' ')]),
  'right, beside an invented one': ({ sentence }) => ({
    ...good(sentence, [sentence]),
    answer: `${sentence} [1] ${INVENTED} [1]`,
    bad: [INVENTED],
  }),
  'right, quotation of another source': ({ sentence }) => ({
    ...good(sentence, [sentence]),
    quotes: [{ n: 2, quote: sentence }],
  }),
  'right, source number that is not there': ({ sentence }) => ({
    ...good(sentence, [sentence]),
    answer: `${sentence} [99]`,
    quotes: [{ n: 99, quote: sentence }],
  }),
  'right, without quotation': ({ sentence }) => good(sentence, []),
  'number altered': ({ sentence }) =>
    /\d/.test(sentence) &&
    bad(
      sentence.replace(/\d[\d.,]*/, (n) => `${parseInt(n, 10) + 37}`),
      [sentence],
    ),
  'number added': ({ sentence }) => bad(sentence.replace(/[.!?]*$/, ' in 4711.'), [sentence]),
  'unit altered': ({ sentence }) => {
    const value = readValues(sentence, 'en').find(
      (v) => v.unit && !v.isSpelled && /^[\d.,]+ \p{L}+$/u.test(v.text),
    );
    const unit =
      value &&
      UNITS.find((u) => !readValues(`1 ${u}`, 'en')[0].unit.dimension.startsWith(value.unit.dimension));
    return value && bad(sentence.replace(value.text, `${value.text.split(' ')[0]} ${unit}`), [sentence]);
  },
  'date altered': ({ sentence }) => {
    const month = MONTHS.find((m) => sentence.includes(`${m} `) || sentence.includes(`${m}.`));
    const year = /\b1[4-9]\d\d\b|\b20\d\d\b/.exec(sentence)?.[0];
    if (month) return bad(sentence.replace(month, MONTHS[(MONTHS.indexOf(month) + 5) % 12]), [sentence]);
    return year && bad(sentence.replace(year, String(Number(year) - 7)), [sentence]);
  },
  'name put in': ({ sentence }) =>
    bad(`As Doctor Zaphodbeeble says, ${sentence[0].toLowerCase()}${sentence.slice(1)}`, [sentence]),
  'number altered in sentence and quotation': ({ sentence }) => {
    const altered = sentence.replace(/(?<![\d.,])\d[\d.,]*\d/, (n) => `${parseInt(n, 10) + 37}`);
    return altered !== sentence && bad(altered, [altered]);
  },
  'link that no source has': ({ sentence }) => ({
    ...good(sentence, [sentence]),
    answer: `${sentence.replace(/[.!?]*$/, '')} (${LINK}). [1]`,
    good: [],
    bad: [LINK, 'evil.example'],
  }),
};

/** Prints what reaches the caller. @returns false when something that code can decide got through */
export async function reportPlanned() {
  const rows = loadQuestions().filter((row) => row.answerable);
  console.log(
    'planned replies'.padEnd(44),
    'asked'.padStart(6),
    'wrong given as answer'.padStart(22),
    'right lost'.padStart(18),
  );
  let passed = true;
  await withFakeModel(async (ask) => {
    const run = async (name, cases, isDecided) => {
      const counts = { asked: 0, bad: 0, badKept: [], good: 0, goodLost: [] };
      for (const { row, said } of cases) {
        const passages = [row.note, foreignNote(row, rows)].map((note, i) => ({ ...note, score: 1 - i / 2 }));
        const answer = await ask(row.question, passages, { answerable: true, ...said });
        const isShown = (s) =>
          answer.outcome === 'answered' &&
          answer.text.includes(s) &&
          !answer.unsupported?.some(({ text }) => text.includes(s) || s.includes(text));
        counts.asked++;
        counts.bad += said.bad.length;
        counts.good += said.good.length;
        counts.badKept.push(...said.bad.filter(isShown));
        counts.goodLost.push(...said.good.filter((s) => !isShown(s)));
      }
      console.log(
        name.padEnd(44),
        String(counts.asked).padStart(6),
        `${counts.badKept.length} of ${counts.bad}`.padStart(22),
        `${counts.goodLost.length} of ${counts.good}`.padStart(18),
      );
      for (const sentence of [...(isDecided ? counts.badKept : []), ...counts.goodLost].slice(0, 3))
        console.log(`    ${sentence}`);
      if (isDecided && counts.badKept.length > 0) passed = false;
    };
    for (const [name, plan] of Object.entries(PLANS)) {
      const cases = rows.flatMap((row) => {
        const said = plan({ sentence: sentenceOf(row) });
        return said && !said.bad.some((sentence) => mayBeSaid(sentence, row)) ? [{ row, said }] : [];
      });
      await run(name, cases, true);
    }
    await run('reworded by hand', rewordings(rows), false);
  });
  return passed;
}

/** A false value that stands elsewhere in the note, or follows from its values, is not one that code decides. */
function mayBeSaid(sentence, { note }) {
  const values = readValues(sentence, 'en');
  if (values.length === 0) return false;
  // The current year needs no source.
  const stated = statedValues(`${note.title}. ${note.text} ${new Date().getUTCFullYear()}`, 'en');
  const terms = termsOf(equationsIn(note.text, 'en'));
  return values.every(
    (v) => stated.some((s) => isSameValue(v, s)) || followsFrom(operandOf([v]), terms) !== undefined,
  );
}

function sentenceOf({ note, answer }) {
  const sentences = sentencesOf(note.text);
  return (answer && sentences.find((s) => s.includes(answer))) || sentences[0];
}

function good(sentence, quotes) {
  return {
    answer: `${sentence} [1]`,
    quotes: quotes.map((quote) => ({ n: 1, quote })),
    good: [sentence],
    bad: [],
  };
}

function bad(sentence, quotes) {
  return { ...good(sentence, quotes), good: [], bad: [sentence] };
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
  for (const line of readFileSync(join(import.meta.dirname, 'rewordings.txt'), 'utf8').split('\n')) {
    const text = line.slice(2);
    if (line[0] === '#') row = rows.find((r) => r.note.title === text);
    else if (line[0] === '>') quote = text;
    else if (line[0] === '+' || line[0] === '-') {
      found.push({ row, said: line[0] === '+' ? good(text, [quote]) : bad(text, [quote]) });
    }
  }
  return found.filter((f) => f.row);
}
