import type { Language } from '../../core/text/index.js';
import { isYear, PLACE_PREPOSITIONS, TIME_WORDS } from './answer-type.js';
import { CLAIM_WORDS } from './claim-words.js';
import { voiceOf, type Claim, type ClaimWord } from './claim.js';
import { areParaphrases } from './paraphrases.js';
import type { Question } from './question.js';
import { quantityOf } from './units.js';
import { rolesOf } from './word-order.js';

/** A number with what it counts or measures. */
export interface StatedNumber {
  kind: 'number';
  /** Dimension and base unit (`length`), or what is counted, as stems. */
  of: string | readonly string[];
  /** In the base unit; both ends of a range. */
  low: number;
  high: number;
  /** Where it only bounds: "more than", "up to". */
  bound?: 'least' | 'most';
  /** How far another number may be off and still be the same one, rounded or converted; in the base unit. */
  tolerance: number;
}

/** A day, month, year, decade or century, as far as it is given. */
export interface StatedDate {
  kind: 'date';
  /** First and last year, negative before our era. */
  years?: readonly [number, number];
  /** 0..11. */
  month?: number;
  day?: number;
}

/** Parties or places that are named together. */
export interface StatedNames {
  kind: 'names';
  /** Words of the names in small letters. */
  words: ReadonlySet<string>;
  /** Countries and other places cannot be compared: one lies in the other. Undefined of anything but a place. */
  places?: 'countries' | 'others';
}

/** What a sentence gives for an answer, as far as it can be compared with what another one gives. */
export type Stated = (StatedNumber | StatedDate | StatedNames) & {
  /** As it is written. */
  text: string;
  /** Index of its first word in the claim. */
  at: number;
};

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first'.split(
    ' ',
  );
const CENTURY = new RegExp(`\\b(?:(\\d{1,2})(?:st|nd|rd|th)|(${ORDINALS.join('|')}))[ -]century\\b`, 'gi');
/** Say of a number or year that it is not exact. */
const ABOUT =
  /(?:\b(?:about|around|some|roughly|approximately|nearly|almost|circa|close to|just over|just under|an estimated|cerca de|aproximadamente|unos|unas|alrededor de|quasi|quase|casi|etwa|rund|ungefähr|fast|environ|près de|presque|vers)|\bca?\.|~|≈)\s*$/i;
const AT_LEAST =
  /\b(?:over|more than|at least|above|exceeding|no less than|no fewer than|mais de|más de|più di|oltre|mehr als|über|mindestens|plus de|au moins)\s*$/i;
const AT_MOST =
  /\b(?:under|less than|fewer than|up to|at most|below|no more than|as (?:much|many|high|far|long|deep) as|menos de|até|hasta|meno di|fino a|weniger als|bis zu|höchstens|moins de|jusqu'à)\s*$/i;
/** "Five metres longer than …" is no length. */
const COMPARED = /^\s*(?:\p{L}+er|more|less|fewer)\s+than\b|^\s*(?:times|mal|veces|vezes|volte|fois)\b/iu;
/** Years behind these words bound what happened, and are not when it did. */
const BOUNDS = new Set(
  'before after until till by since vor nach bis seit avant après depuis antes después desde prima dopo'.split(
    ' ',
  ),
);
/** What a year is followed by that it does not count: "in 1912 added". */
const FOLLOWS_YEAR = /(?:ed|ing|ly)$/;
const RANGE = /^\s*(?:-|–|—|to|or|a|à|bis|oder|o|ou)\s*$/;
/** An inexact year may be so many years off. */
const ABOUT_YEARS = 10;
/** Further than this from the words of the question a value belongs to something else. */
const FARTHEST = 12;
const ACROSS_BORDER = 4;

/** The value in a sentence that stands nearest to the words of the question and is of the kind that it asks for; undefined where none can be told. */
export function statedIn(question: Question, claim: Claim): Stated | undefined {
  const found = nearest(question, claim, candidatesIn(question, claim));
  return found && { ...found, text: found.text.replace(/\s+/g, ' ') };
}

/** All values of the asked kind, in order. */
export function candidatesIn(question: Question, claim: Claim): Stated[] {
  const { language } = question;
  const asked = new Set(question.tokens.map((t) => t.term));
  switch (question.type) {
    case 'year':
    case 'time':
      return datesIn(claim, language, asked);
    case 'count':
    case 'measure':
      return numbersIn(claim, asked).filter((n) => isAskedFor(question, n));
    case 'topic':
      return numbersIn(claim, asked).filter((n) => typeof n.of === 'string');
    case 'person':
      return namesIn(question, claim, asked);
    case 'thing':
      return question.head ? namesIn(question, claim, asked) : [];
    case 'place':
      return placesIn(claim, asked);
    default:
      return [];
  }
}

/** Whether two values can be true of one fact; undefined where they cannot be compared. */
export function areCompatible(a: Stated, b: Stated, language: Language): boolean | undefined {
  if (a.kind === 'number' && b.kind === 'number') {
    if (!isSameKind(a.of, b.of, language)) return undefined;
    return overlap(a, b);
  }
  if (a.kind === 'date' && b.kind === 'date') {
    if (a.years && b.years && (a.years[0] > b.years[1] || b.years[0] > a.years[1])) return false;
    if (a.month !== undefined && b.month !== undefined && a.month !== b.month) return false;
    if (a.day !== undefined && b.day !== undefined && a.day !== b.day) return false;
    return true;
  }
  if (a.kind === 'names' && b.kind === 'names') {
    if ([...a.words].some((word) => b.words.has(word))) return true;
    return a.places === b.places ? false : undefined;
  }
  return undefined;
}

function overlap(a: StatedNumber, b: StatedNumber): boolean {
  const tolerance = Math.max(a.tolerance, b.tolerance);
  // Two of the same bounds are compared as they are; beside another number it reaches to zero, or twice as far.
  const reach = (n: StatedNumber): [number, number] =>
    a.bound === b.bound || !n.bound
      ? [n.low, n.high]
      : n.bound === 'most'
        ? [0, n.high]
        : [n.low, 2 * n.high];
  const [fromA, toA] = reach(a);
  const [fromB, toB] = reach(b);
  return fromA <= toB + tolerance && fromB <= toA + tolerance;
}

function isSameKind(a: StatedNumber['of'], b: StatedNumber['of'], language: Language): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  if (a.length === 0 || b.length === 0) return true;
  return a.some((x) => b.some((y) => x === y || areParaphrases(x, y, language)));
}

/** The nearest to words of the question that are no names: those say which fact of a party is asked for. */
function nearest(question: Question, { words }: Claim, candidates: readonly Stated[]): Stated | undefined {
  const isAsked = (pick: (term: (typeof question.terms)[number]) => boolean): number[] =>
    words.flatMap((w, at) =>
      question.terms.some(
        (t) => pick(t) && (t.term === w.term || areParaphrases(t.term, w.term, question.language)),
      )
        ? [at]
        : [],
    );
  const relation = isAsked((t) => !t.name && !t.number);
  const anchors = relation.length > 0 ? relation : isAsked(() => true);
  const distance = (at: number): number =>
    Math.min(
      FARTHEST,
      ...anchors.map((anchor) => {
        const between = words.slice(Math.min(anchor, at) + 1, Math.max(anchor, at) + 1);
        return Math.abs(anchor - at) + (between.some((w) => w.border) ? ACROSS_BORDER : 0);
      }),
    );
  let best: Stated | undefined;
  for (const candidate of candidates)
    if (!best || distance(candidate.at) < distance(best.at)) best = candidate;
  return best;
}

function isAskedFor({ dimension, type, head, language }: Question, { of }: StatedNumber): boolean {
  if (type === 'count')
    // "… and the other two": what is counted was named before.
    return typeof of !== 'string'
      ? !head || of.length === 0 || of.some((o) => o === head || areParaphrases(o, head, language))
      : false;
  if (!dimension || dimension === 'any') return true;
  if (dimension === 'extent') return of === 'length' || of === 'time';
  if (dimension === 'money') return typeof of === 'string' && of.startsWith('money');
  return of === dimension;
}

function numbersIn(claim: Claim, asked: ReadonlySet<string>): (Stated & StatedNumber)[] {
  const { text, words } = claim;
  const found: (Stated & StatedNumber)[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!word.number || asked.has(word.term) || isCalendarYear(words, at)) continue;
    const second = words[at + 1];
    const isRange = !!second?.number && RANGE.test(text.slice(word.end, second.at));
    const last = isRange ? at + 1 : at;
    const { of, factor, end } = quantityOf(words, last);
    if (COMPARED.test(text.slice(end))) continue;
    const before = text.slice(Math.max(0, word.at - 20), word.at);
    const values = [Number(word.term), isRange ? Number(second.term) : Number(word.term)].map(
      (v) => v * factor,
    );
    const [low, high] = [Math.min(...values), Math.max(...values)];
    found.push({
      kind: 'number',
      of,
      low,
      high,
      ...(AT_LEAST.test(before) ? { bound: 'least' } : AT_MOST.test(before) ? { bound: 'most' } : {}),
      tolerance: toleranceOf(word.term, factor, ABOUT.test(before), typeof of === 'string'),
      text: text.slice(word.at, end),
      at,
    });
    at = last;
  }
  return found;
}

/**
 * Half of the last digit that is no closing zero, which is how far a rounded number is off, from two such digits on; a fiftieth of a measure
 * for conversions; of an inexact number a tenth, or half of its last digit.
 */
function toleranceOf(digits: string, factor: number, isInexact: boolean, isMeasure: boolean): number {
  const value = Number(digits);
  const [whole = '', fraction] = digits.split('.');
  const significant = fraction ?? whole.replace(/0+$/, '');
  const places = fraction ? -fraction.length : whole.length - significant.length;
  const rounding = 10 ** places / 2;
  const isRounded = fraction !== undefined || significant.length > 1;
  const fits = isMeasure || value >= 100;
  const exact = fits ? Math.max(isRounded ? rounding : 0, value / 50) : 0;
  return factor * (isInexact ? Math.max(exact, value / 10, rounding) : exact);
}

/** A year and no number of anything. */
function isCalendarYear(words: readonly ClaimWord[], at: number): boolean {
  const word = words[at]!;
  if (!isYear(word)) return false;
  const next = words[at + 1];
  if (/^(?:BC|BCE|AD|CE)$/.test(next?.text ?? '') || words[at - 1]?.text === 'AD') return true;
  if (!/^\d{4}s?$/.test(word.text)) return false;
  return !next?.adjacent || next.name || next.number || FOLLOWS_YEAR.test(next.lower);
}

function datesIn(
  { text, words }: Claim,
  language: Language,
  asked: ReadonlySet<string>,
): (Stated & StatedDate)[] {
  const found: (Stated & StatedDate)[] = [];
  words.forEach((word, at) => {
    const month = language === 'en' ? MONTHS.indexOf(word.lower) : -1;
    if (month >= 0 && !asked.has(word.term)) {
      const sides = [words[at - 1], words[at + 1]];
      const day = sides.find((w) => w?.number && Number(w.term) <= 31);
      const years = words.slice(at + 1, at + 3).find((w) => isYear(w));
      if (!day && !years) return;
      const last = [day, years, word].reduce((a, b) => (b && b.end > a!.end ? b : a), word)!;
      const first = day && day.at < word.at ? day : word;
      found.push({
        kind: 'date',
        ...(years ? { years: [Number(years.term), Number(years.term)] as const } : {}),
        month,
        ...(day ? { day: Number(day.term) } : {}),
        text: text.slice(first.at, last.end),
        at,
      });
      return;
    }
    if (!isCalendarYear(words, at) || asked.has(word.term)) return;
    if (found.some((f) => f.at < at && at - f.at <= 2 && f.text.includes(word.text))) return;
    if (word.lead.some((l) => BOUNDS.has(l))) return;
    const era = /^BCE?$/.test(words[at + 1]?.text ?? '') ? -1 : 1;
    const year = era * Number(word.term);
    const span = /s$/.test(word.text) ? 9 : 0;
    const slack = ABOUT.test(text.slice(Math.max(0, word.at - 20), word.at)) ? ABOUT_YEARS : 0;
    found.push({
      kind: 'date',
      years: [year - slack, year + span + slack],
      text: text.slice(word.at, era < 0 ? words[at + 1]!.end : word.end),
      at,
    });
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

interface NameRun {
  first: number;
  last: number;
}

/** Runs of names that are not in the question, nor months and days. */
function nameRuns(words: readonly ClaimWord[], asked: ReadonlySet<string>): NameRun[] {
  const isName = (w: ClaimWord | undefined): boolean =>
    !!w && !w.number && /^\p{Lu}/u.test(w.text) && !TIME_WORDS.has(w.lower);
  const runs: NameRun[] = [];
  for (let at = 0; at < words.length; at++) {
    if (!isName(words[at])) continue;
    const first = at;
    while (words[at + 1]?.adjacent && isName(words[at + 1])) at++;
    if (words.slice(first, at + 1).some((w) => asked.has(w.term))) continue;
    // A capital at the start of a sentence is a name only beside another one.
    if (first === 0 && at === 0 && !words[0]!.name) continue;
    runs.push({ first, last: at });
  }
  return runs;
}

/** Every name or place that is not in the question, whatever part it plays. */
export function namedIn(question: Question, { text, words }: Claim): Stated[] {
  const asked = new Set(question.tokens.map((t) => t.term));
  return nameRuns(words, asked).map((run) => namesOf(text, words, [run]));
}

/** Who did it, or to whom it was done: the names on the asked side of the asked verb. */
function namesIn(question: Question, { text, words }: Claim, asked: ReadonlySet<string>): Stated[] {
  const { language } = question;
  const roles = language === 'en' ? rolesOf(question.tokens) : undefined;
  if (!roles) return [];
  const { verb } = roles;
  const verbAt = words.findIndex(
    (w) => w.term === verb.term || (!w.name && areParaphrases(w.term, verb.term, language)),
  );
  if (verbAt < 0) return [];
  const voice = voiceOf(words, verbAt, language);
  const { by } = CLAIM_WORDS[language];
  const wantsActor = !roles.subject;
  const runs = nameRuns(words, asked);
  const isActor = ({ first, last }: NameRun): boolean =>
    voice === 'passive'
      ? first > verbAt && words[first]!.lead.some((l) => by.has(l))
      : last < verbAt &&
        !words.slice(first + 1, verbAt + 1).some((w) => w.border) &&
        !isAdjunct(words[first]!, language);
  const isUndergoer = ({ first, last }: NameRun): boolean =>
    voice === 'passive' ? last < verbAt : first === verbAt + 1;
  const start = runs.findIndex(wantsActor ? isActor : isUndergoer);
  if (start < 0) return [];
  // "Neil Armstrong and Buzz Aldrin": members of a list are named together.
  const members = [runs[start]!];
  const goesOn = (a: NameRun, b: NameRun): boolean =>
    b.first === a.last + 1 && words[b.first]!.lead.every((l) => l === 'and' || by.has(l));
  for (let i = start; i > 0 && goesOn(runs[i - 1]!, runs[i]!); i--) members.unshift(runs[i - 1]!);
  for (let i = start; i + 1 < runs.length && goesOn(runs[i]!, runs[i + 1]!); i++) members.push(runs[i + 1]!);
  return [namesOf(text, words, members)];
}

function isAdjunct({ lead }: ClaimWord, language: Language): boolean {
  return lead.some((l) => CLAIM_WORDS[language].prepositions.has(l));
}

function namesOf(text: string, words: readonly ClaimWord[], runs: readonly NameRun[]): Stated & StatedNames {
  const named = runs.flatMap(({ first, last }) => words.slice(first, last + 1).map((w) => w.lower));
  return {
    kind: 'names',
    words: new Set(named),
    text: text.slice(words[runs[0]!.first]!.at, words[runs.at(-1)!.last]!.end),
    at: runs[0]!.first,
  };
}

const COUNTRY_NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
let countries: ReadonlySet<string> | undefined;

function countryNames(): ReadonlySet<string> {
  if (!countries) {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const names = letters.flatMap((a) => letters.map((b) => COUNTRY_NAMES.of(a + b)?.toLowerCase() ?? ''));
    countries = new Set([...names, 'england', 'scotland', 'wales', 'britain', 'great britain', 'america']);
  }
  return countries;
}

/** Places that a preposition leads to; what follows behind a comma lies around it. */
function placesIn({ text, words }: Claim, asked: ReadonlySet<string>): Stated[] {
  const runs = nameRuns(words, asked);
  const found: Stated[] = [];
  runs.forEach((run, i) => {
    if (!words[run.first]!.lead.some((l) => PLACE_PREPOSITIONS.has(l))) return;
    const next = runs[i + 1];
    const around = next && next.first === run.last + 1 && words[next.first]!.lead.length === 0 ? [next] : [];
    const named = namesOf(text, words, [run, ...around]);
    const own = words
      .slice(run.first, run.last + 1)
      .map((w) => w.lower)
      .join(' ');
    found.push({ ...named, places: countryNames().has(own) ? 'countries' : 'others' });
  });
  return found;
}
