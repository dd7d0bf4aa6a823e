import type { Language } from '../../../core/text/index.js';
import { isYear } from '../answer-type.js';
import type { Claim, ClaimWord } from '../claim.js';
import { isInexact, RANGE } from './bounds.js';
import { isCalendarYear } from './calendar-year.js';
import type { Stated, StatedDate } from './stated.js';

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first'.split(
    ' ',
  );
const CENTURY = new RegExp(`\\b(?:(\\d{1,2})(?:st|nd|rd|th)|(${ORDINALS.join('|')}))[ -]century\\b`, 'gi');
/** Years behind these words bound what happened, and are not when it did. */
const BOUNDS = new Set(
  'before after until till by since vor nach bis seit avant après depuis antes después desde prima dopo'.split(
    ' ',
  ),
);
/** Opens a range whose ends {@link AND} joins. */
const BETWEEN = /(?<!\p{L})(?:between|entre|tra|fra|zwischen)\s*$/iu;
const AND = /^\s*(?:and|e|y|et|und)\s*$/;
/** An inexact year may be so many years off. */
const ABOUT_YEARS = 10;

/** All dates of a sentence that the question has not itself. */
export function datesIn(
  { text, words }: Claim,
  language: Language,
  asked: ReadonlySet<string>,
): (Stated & StatedDate)[] {
  const found: (Stated & StatedDate)[] = [];
  words.forEach((word, at) => {
    const month = language === 'en' ? MONTHS.indexOf(word.lower) : -1;
    if (month >= 0 && !asked.has(word.term)) {
      const date = dayAt(text, words, at, month);
      if (date) found.push(date);
      return;
    }
    if (!isCalendarYear(words, at) || asked.has(word.term)) return;
    if (found.some((f) => f.at < at && at - f.at <= 2 && f.text.includes(word.text))) return;
    if (word.lead.some((l) => BOUNDS.has(l))) return;
    found.push(yearsAt(text, words, at, language));
  });
  for (const match of language === 'en' ? text.matchAll(CENTURY) : []) {
    const nth = match[1] ? Number(match[1]) : ORDINALS.indexOf(match[2]!.toLowerCase()) + 1;
    const era = /^\s*BCE?\b/.test(text.slice(match.index + match[0].length)) ? -1 : 1;
    const years =
      era > 0 ? ([100 * (nth - 1), 100 * nth] as const) : ([-100 * nth, -100 * (nth - 1)] as const);
    const at = words.findIndex((w) => w.end > match.index);
    found.push({ kind: 'date', years, text: match[0], at });
  }
  return found;
}

/** The day that a month is named with; undefined where it is one end of a range, or has neither day nor year. */
function dayAt(
  text: string,
  words: readonly ClaimWord[],
  at: number,
  month: number,
): (Stated & StatedDate) | undefined {
  const word = words[at]!;
  const day = [words[at - 1], words[at + 1]].find((w) => w?.number && Number(w.term) <= 31);
  const year = words.slice(at + 1, at + 3).find((w) => isYear(w));
  if (!day && !year) return undefined;
  const last = [day, year, word].reduce((a, b) => (b && b.end > a!.end ? b : a), word)!;
  const first = day && day.at < word.at ? day : word;
  // "From 5 to 9 May", "28 April to 3 May".
  const before = words[words.indexOf(first) - 1];
  const behind = words[words.indexOf(last) + 1];
  const isSpan =
    (!!before && isEnd(before) && RANGE.test(text.slice(before.end, first.at))) ||
    (!!behind &&
      isEnd(behind) &&
      !isCounting(words, words.indexOf(behind)) &&
      RANGE.test(text.slice(last.end, behind.at)));
  if (isSpan && !year) return undefined;
  return {
    kind: 'date',
    ...(year ? { years: [Number(year.term), Number(year.term)] as const } : {}),
    ...(isSpan ? {} : { month }),
    ...(day && !isSpan ? { day: Number(day.term) } : {}),
    text: text.slice(first.at, last.end),
    at,
  };
}

/** A month, or what may be its day. */
function isEnd({ number, term, lower }: ClaimWord): boolean {
  return number ? Number(term) >= 1 && Number(term) <= 31 : MONTHS.includes(lower);
}

/** "15 April – 30 people came". */
function isCounting(words: readonly ClaimWord[], at: number): boolean {
  const next = words[at + 1];
  return words[at]!.number && !!next?.adjacent && !MONTHS.includes(next.lower);
}

/** A year, a decade, a century by its first year ("the 1200s"), or the years from this one to another. */
function yearsAt(
  text: string,
  words: readonly ClaimWord[],
  at: number,
  language: Language,
): Stated & StatedDate {
  const word = words[at]!;
  const until = lastYear(text, words, at, language);
  if (until) {
    return { kind: 'date', years: until.years, text: text.slice(word.at, until.end), at };
  }
  const era = /^BCE?$/.test(words[at + 1]?.text ?? '') ? -1 : 1;
  const year = era * Number(word.term);
  const plural = /^['’]?s(?!\p{L})/u.exec(text.slice(word.end, word.end + 3))?.[0] ?? '';
  const span = plural && year % 10 === 0 ? (year % 100 === 0 ? 99 : 9) : 0;
  const slack = isInexact(text, word.at) ? ABOUT_YEARS : 0;
  return {
    kind: 'date',
    years: [year - slack, year + span + slack],
    text: text.slice(word.at, era < 0 ? words[at + 1]!.end : word.end + plural.length),
    at,
  };
}

/** The other end of "1163 to 1345", "between 1909 and 1912", "1887–89" or "1500 to 1200 BC". */
function lastYear(
  text: string,
  words: readonly ClaimWord[],
  at: number,
  language: Language,
): { years: readonly [number, number]; end: number } | undefined {
  const [first, second, third] = [words[at]!, words[at + 1], words[at + 2]];
  if (!second?.number) return undefined;
  const between = text.slice(first.end, second.at);
  const isBetween = BETWEEN.test(text.slice(Math.max(0, first.at - 12), first.at)) && AND.test(between);
  // "In 1912 a 2000 year old crypt …"
  const isArticle = language === 'en' && between.trim() === 'a';
  if (!isBetween && (isArticle || !RANGE.test(between))) return undefined;
  const own = Number(first.term);
  if (/^\d\d$/.test(second.text) && /[-–]/.test(between)) {
    const sameCentury = own - (own % 100) + Number(second.text);
    return { years: [own, sameCentury < own ? sameCentury + 100 : sameCentury], end: second.end };
  }
  // A number of something is no year: "in 1912 – 2000 people came".
  if (!isCalendarYear(words, at + 1)) return undefined;
  const other = Number(second.term);
  if (/^BCE?$/.test(third?.text ?? ''))
    return other < own ? { years: [-own, -other], end: third!.end } : undefined;
  return other > own ? { years: [own, other], end: second.end } : undefined;
}
