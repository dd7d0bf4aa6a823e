/**
 * What a model may say to a question, by plan: right in several forms, or wrong in one particular way. `sentence` is the one of the note
 * that answers (of an unanswerable question: the first), `others` the other ones, `foreign` another note. A plan gives the reply and
 * which of its sentences have to stay (`good`) and to go (`bad`), or nothing where it cannot be carried out on this sentence.
 */
import { claimOf } from '../../dist/search/answer/claim.js';
import { areParaphrases } from '../../dist/search/answer/paraphrases.js';
import { sharesRoot } from '../../dist/search/answer/evidence.js';

const INVENTED = 'Doctor Zaphodbeeble counted 4711 golden elephants in the harbour.';
const LINK = 'https://evil.example/offer';
const UNITS =
  'metres kilometres centimetres tonnes kilograms litres years days hours minutes seconds months weeks degrees percent people'.split(
    ' ',
  );
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const AUXILIARY = /\b(?:is|are|was|were|has|had|have|can|could|will|did|does)\b/;

export const PLANS = {
  right: ({ sentence }) => right(sentence, [sentence]),
  'right, adjunct in front': ({ sentence }) => {
    const found = /^(\p{Lu}[^,;:()]*?) (in \d{4})\.$/u.exec(sentence);
    return (
      found &&
      right(
        `${cap(found[2])}, ${/^(?:The|It|He|She|They|In|A|An|Its|His|Her)\b/.test(found[1]) ? uncap(found[1]) : found[1]}.`,
        [sentence],
      )
    );
  },
  'right, number written otherwise': ({ sentence }) => {
    const digits = /(?<![\d.,-])(\d{1,2})(?= \p{Ll})/u.exec(sentence);
    const word = new RegExp(`\\b(${SMALL.slice(2).join('|')})(?= \\p{Ll})`, 'u').exec(sentence);
    if (digits && SMALL[digits[1]]) return right(sentence.replace(digits[0], SMALL[digits[1]]), [sentence]);
    return word && right(sentence.replace(word[0], String(SMALL.indexOf(word[1]))), [sentence]);
  },
  'right, beside an invented one': ({ sentence }) => ({
    ...right(sentence, [sentence]),
    answer: `${sentence} [1] ${INVENTED} [1]`,
    bad: [INVENTED],
  }),
  'number altered': ({ sentence }) =>
    bad(
      /\d/.test(sentence)
        ? sentence.replace(/\d[\d.,]*/, (number) => `${parseInt(number, 10) + 7}`)
        : sentence.replace(/[.!?]*$/, ' in 4711.'),
      [sentence],
    ),
  'number altered, in words': ({ sentence }) => {
    const own = claimOf(sentence, 'en')
      .words.filter((w) => w.number)
      .map((w) => Number(w.term));
    const other = SMALL.findIndex((_, n) => n > 2 && !own.includes(n));
    const found = new RegExp(`(?<![\\d.,])\\d[\\d.,]*\\d|\\b(?:${SMALL.slice(2).join('|')})\\b`).exec(
      sentence,
    );
    return found && bad(sentence.replace(found[0], SMALL[other]), [sentence]);
  },
  'number of another sentence': ({ sentence, others }) => {
    const number = /(?<![\d.,])\d[\d,]*\d/;
    const own = number.exec(sentence)?.[0];
    const other = others.map((o) => number.exec(o)?.[0]).find((n) => n && !sentence.includes(n));
    return own && other && bad(sentence.replace(own, other), [sentence, ...others]);
  },
  'two numbers changed about': ({ sentence }) => {
    const [a, b] = sentence.match(/(?<![\d.,])\d[\d,]*\d/g) ?? [];
    const between = a && b ? sentence.slice(sentence.indexOf(a) + a.length, sentence.lastIndexOf(b)) : '';
    // "1531, 1607 and 1682" may be said in any order.
    if (!b || a === b || /^,? ?(?:and|or)? ?$/.test(between) || sentence.indexOf(b) < sentence.indexOf(a))
      return undefined;
    return bad(sentence.replace(a, '#').replace(b, a).replace('#', b), [sentence]);
  },
  'unit altered': ({ sentence }) => {
    const found =
      /(\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|hundred|thousand|million)) (\p{Ll}{3,})/u.exec(
        sentence,
      );
    const unit =
      found && UNITS.find((u) => !related(u, sentence) && !(u === 'metres' && /m[eè]tr|metr/.test(sentence)));
    if (
      !found ||
      /^(?:to|of|and|the|in|at|on|or|for|by|with|as|were|was|had|have|has|people|million|billion|thousand|hundred|per|from|until|when|but|she|they|are)$/.test(
        found[2],
      )
    )
      return undefined;
    return bad(sentence.replace(found[0], `${found[1]} ${unit}`), [sentence]);
  },
  'date altered': ({ sentence }) => {
    const month = MONTHS.find((m) => sentence.includes(`${m} `) || sentence.includes(`${m}.`));
    const year = /\b1[4-9]\d\d\b|\b20\d\d\b/.exec(sentence)?.[0];
    if (month) return bad(sentence.replace(month, MONTHS[(MONTHS.indexOf(month) + 5) % 12]), [sentence]);
    return year && bad(sentence.replace(year, String(Number(year) - 1)), [sentence]);
  },
  'party exchanged': ({ sentence, others, foreign }) => {
    const own = namesOf(sentence)[0];
    const other = [...others, foreign]
      .flatMap(namesOf)
      .find((n) => !sentence.includes(n) && !related(n, sentence));
    return own && other && bad(sentence.replace(own, other), [sentence, ...others]);
  },
  'parties changed about': ({ sentence }) => {
    const [a, b] = namesOf(sentence).filter((n, i, all) => all.indexOf(n) === i);
    const between = a && b ? sentence.slice(sentence.indexOf(a) + a.length, sentence.indexOf(b)) : '';
    if (!b || between.length < 4 || /^,? ?(?:(?:\p{Lu}\p{L}+,? ?)*(?:and|or) ?|\p{Lu})/u.test(between))
      return undefined;
    return bad(sentence.replace(a, '#').replace(b, a).replace('#', b), [sentence]);
  },
  'thing exchanged': ({ sentence, others }) => {
    const own = thingsOf(sentence).at(-1);
    const other = others.flatMap(thingsOf).find((w) => !related(w, sentence));
    const exchanged = own && other && replaceWord(sentence, own, other);
    return exchanged && exchanged !== sentence && bad(exchanged, [sentence, ...others]);
  },
  'two things changed about': ({ sentence }) => {
    const things = thingsOf(sentence);
    const [a, b] = [things[0], things.find((t) => t !== things[0] && !related(t, things[0]))];
    const between = a && b ? sentence.slice(sentence.indexOf(a) + a.length, sentence.indexOf(b)) : '';
    if (!b || /(?:,| and | or )/.test(between) || between.trim().split(' ').length < 2) return undefined;
    return bad(replaceWord(replaceWord(replaceWord(sentence, a, '#'), b, a), '#', b), [sentence]);
  },
  'name put in front': ({ sentence }) => bad(`Zaphodbeeble says that ${sentence}`, [sentence]),
  denied: ({ sentence }) => bad(`It is not so that ${sentence}`, [sentence]),
  'denied inside': ({ sentence }) =>
    AUXILIARY.test(sentence) &&
    bad(
      sentence.replace(AUXILIARY, (verb) => `${verb} not`),
      [sentence],
    ),
  'denial left out': ({ sentence }) => {
    const found = /\b(?:not|never|no|without|nobody|nothing|hardly) /.exec(sentence)?.[0];
    return found && bad(sentence.replace(found, ''), [sentence]);
  },
  'facts of two sentences joined': ({ sentence, others }) => {
    const first = AUXILIARY.exec(sentence);
    const second = others.find((o) => {
      const at = AUXILIARY.exec(o)?.index ?? 0;
      return (
        at > 4 &&
        !/\b(?:it|he|she|they|who|which|that)\b/.test(o.slice(0, at)) &&
        !/^(?:It|He|She|They|Its|His|Her|Their|This|These|The)\b/.test(o) &&
        !related(sentence.split(' ')[0], o.slice(0, at))
      );
    });
    if (!first || first.index < 5 || !second) return undefined;
    return bad(sentence.slice(0, first.index) + second.slice(AUXILIARY.exec(second).index), [
      sentence,
      second,
    ]);
  },
  'quotation invented': ({ sentence }) => bad(sentence, [INVENTED]),
  'quotation reversed': ({ sentence }) => bad(sentence, [sentence.split(' ').reverse().join(' ')]),
  'quotation with a word changed': ({ sentence, others }) => {
    const own = thingsOf(sentence)[0];
    const other = others.flatMap(thingsOf).find((w) => !related(w, sentence));
    return own && other && bad(sentence, [replaceWord(sentence, own, other)]);
  },
  'quotation of two sources stitched': ({ sentence, foreign }) =>
    bad(sentence, [`${half(sentence, 0)} ${half(foreign, 1)}`]),
  'quotation of another source': ({ sentence }) => bad(sentence, [sentence], 2),
  'another passage cited and quoted': ({ sentence, foreign }) => bad(sentence, [foreign], 2),
  'source invented': ({ sentence }) => bad(sentence, [sentence], 99),
  'without quotation': ({ sentence }) => bad(sentence, []),
  'link that no source has': ({ sentence }) => ({
    ...right(`${sentence.replace(/[.!?]*$/, '')} (${LINK}).`, [sentence]),
    good: [],
    bad: [LINK, 'evil.example'],
  }),
};

function right(sentence, quotes) {
  return {
    answer: `${sentence} [1]`,
    quotes: quotes.map((text) => ({ n: 1, text })),
    good: [sentence],
    bad: [],
  };
}

function bad(sentence, quotes, n = 1) {
  return {
    answer: `${sentence} [${n}]`,
    quotes: quotes.map((text) => ({ n, text })),
    good: [],
    bad: [sentence],
  };
}

/** Names inside of the sentence, one word each. */
function namesOf(sentence) {
  return [...sentence.matchAll(/(?<=[\p{Ll},] )\p{Lu}\p{Ll}{2,}/gu)].map((m) => m[0]);
}

/** Longer words in small letters that carry content. */
function thingsOf(sentence) {
  return claimOf(sentence, 'en')
    .words.filter((w) => !w.number && /^\p{Ll}{5,}$/u.test(w.text) && !/(?:ly|ing|ed)$/.test(w.text))
    .map((w) => w.text);
}

/** Whether a word of the text may stand for this one. */
function related(word, text) {
  const [own] = claimOf(word, 'en').words;
  return (
    !own ||
    claimOf(text, 'en').words.some(
      (w) => w.term === own.term || sharesRoot(w.lower, own.lower) || areParaphrases(w.term, own.term, 'en'),
    )
  );
}

function replaceWord(text, word, by) {
  return text.replace(new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'u'), by);
}

function half(sentence, which) {
  const words = sentence.split(' ');
  const middle = Math.ceil(words.length / 2);
  return (which === 0 ? words.slice(0, middle) : words.slice(middle)).join(' ');
}

const cap = (text) => text[0].toUpperCase() + text.slice(1);
const uncap = (text) => text[0].toLowerCase() + text.slice(1);
