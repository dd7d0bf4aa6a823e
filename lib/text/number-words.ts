import type { Language } from './languages.js';
import { LANGUAGE_WORDS, wordList } from './word-lists.js';

/** A month or a day of the week, as a word names it. */
interface CalendarWord {
  kind: 'month' | 'weekday';
  /** From 1; Monday is 1. */
  value: number;
  /** False for a word that is as often something else (`may`, `mar`, `out`): a date only next to a day or a year. */
  sure: boolean;
}

interface Words {
  numbers: ReadonlyMap<string, number>;
  amounts: ReadonlyMap<string, number>;
  ordinals: ReadonlyMap<string, number>;
  calendar: ReadonlyMap<string, Omit<CalendarWord, 'sure'>>;
}

/** Words that may stand between the parts of one number. */
const JOINTS = new Set(['and', 'und', 'et', 'y', 'e']);
/** Behind these a joint parts two numbers, unless another one follows: "entre treinta y cinco y cuarenta". */
const BETWEEN = new Set(['between', 'zwischen', 'entre', 'tra', 'fra']);
/** "A", "one" in the six languages. */
export const ONE = new Set('one ein eine einen einem einer un une una uno um uma'.split(' '));
/** Between a share and what it is of: "half of a million", "un cuarto de millón". */
const OF = new Set(['of', 'de', 'di', 'a', ...ONE]);
const MULTIPLIERS = new Set([100, 1000, 1e6, 1e9, 1e12]);
/** A longer word is no number word; the longest below a million has 66 letters in German. A plain bound. */
const MOST_LETTERS = 70;
const LONGEST_PART = 16; // letters; the longest in the word lists has 13; a plain bound
/** How ordinals above those of the table end, and what their cardinal may end with in place of that. */
const ORDINAL_ENDING = /(?:ieth|th|s?te[nrsm]?|[uv]?i[èe]mes?|esim[oaie])$/;
const CARDINAL_ENDINGS = ['', 'y', 'e', 'f', 'i', 'a', 'o'];
/** Shorter names of months and days are abbreviations, which are other words as often: "mar", "set", "out", "may". Set by hand. */
const SURE_LETTERS = 4;
const UNSURE = new Set(['march', 'mars', 'sábado', 'domingo', 'sept', 'sett', 'juil', 'févr', 'janv']);

const tables = new Map<Language, Words>();

function wordsOf(language: Language): Words {
  let words = tables.get(language);
  if (!words) {
    const lists = LANGUAGE_WORDS[language];
    words = {
      numbers: new Map([
        ...wordPlaces(lists.numbersToTwenty, 0),
        ...wordPlaces(lists.tensFromThirty, 30, 10),
        ...wordValues(lists.otherNumbers),
      ]),
      amounts: wordValues(lists.amounts),
      ordinals: wordPlaces(lists.ordinals, 1),
      calendar: calendarOf(language),
    };
    tables.set(language, words);
  }
  return words;
}

/** Where months have further names: "Sept", "Jänner", "setiembre". */
const REGIONAL: Partial<Record<Language, string>> = { en: 'en-GB', de: 'de-AT', es: 'es-PE' };

/** The months with their abbreviations, and the days of the week without, which are other words as often: as CLDR has them. */
function calendarOf(language: Language): Map<string, Omit<CalendarWord, 'sure'>> {
  const names = new Map<string, Omit<CalendarWord, 'sure'>>();
  const add = (kind: CalendarWord['kind'], locale: string, style: 'long' | 'short'): void => {
    const options = kind === 'month' ? { month: style } : { weekday: style };
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    // 1 January 2018 was a Monday.
    for (let value = 1; value <= (kind === 'month' ? 12 : 7); value++) {
      const date = kind === 'month' ? Date.UTC(2018, value - 1) : Date.UTC(2018, 0, value);
      names.set(format.format(date).toLowerCase().replace('.', ''), { kind, value });
    }
  };
  for (const locale of [language, REGIONAL[language] ?? language]) {
    add('month', locale, 'long');
    add('month', locale, 'short');
  }
  add('weekday', language, 'long');
  return names;
}

/** The words of a list whose entries have the form `word/other=value`; a value may be a fraction. */
function wordValues(list: string): Map<string, number> {
  const values = new Map<string, number>();
  for (const entry of list.split(' ')) {
    const [forms = '', value = ''] = entry.split('=');
    const [over = '', under = '1'] = value.split('/');
    for (const form of forms.split('/')) values.set(form, Number(over) / Number(under));
  }
  return values;
}

/** The words of an ordered list, whose forms are joined by `/`, with their places from `first` on. */
function wordPlaces(list: string, first: number, step = 1): Map<string, number> {
  const places = new Map<string, number>();
  list.split(' ').forEach((forms, i) => {
    for (const form of forms.split('/')) places.set(form, first + step * i);
  });
  return places;
}

/**
 * The number that stands at `words[at]`: `two hundred and five` is 205 and not 2, `half a million` 500,000. A multiplier without a count is
 * none: `several million`, `hundreds of thousands`.
 *
 * @param words in lower case, in order, torn at hyphens
 * @param takesAmbiguous also a word that alone is as often something else (`one`, French `neuf`, Italian `sei`)
 * @returns undefined for other words
 */
export function numberWordAt(
  words: readonly string[],
  at: number,
  language: Language,
  takesAmbiguous = false,
): { value: number; length: number } | undefined {
  let { parts, end } = partsAt(words, at, language, true);
  const isEnd = BETWEEN.has(words[at - 1] ?? '') && !JOINTS.has(words[end] ?? '');
  // "One million and two million".
  if (isEnd || multiplierOf(words[end] ?? '', language))
    ({ parts, end } = partsAt(words, at, language, false));
  const isMore = parts.length > 0 && JOINTS.has(words[end] ?? '') && isOneAt(words, end + 1, language);
  const of = shareAt(words, isMore ? end + 2 : end, language);
  if (of) {
    const count = combine(parts)!;
    // "One and a quarter million", "three quarters of a million".
    const value = isMore ? count + of.share : (count || 1) * of.share;
    return { value: value * of.times, length: of.end - at };
  }
  const [first] = parts;
  if (first === undefined) return undefined;
  const isCounted =
    !MULTIPLIERS.has(first) || (language !== 'en' && first < 1e6) || isOneAt(words, at - 1, language);
  const isAmbiguous = first === 1 || wordList(language, 'ambiguousNumbers').has(words[at]!);
  if (!isCounted || (parts.length === 1 && isAmbiguous && !takesAmbiguous)) return undefined;
  return { value: combine(parts)!, length: end - at };
}

const isOneAt = (words: readonly string[], at: number, language: Language): boolean =>
  ONE.has(words[at] ?? '') || (language === 'en' && words[at] === 'a');

/** The parts of the number that begins at a word, as far as they follow each other. */
function partsAt(
  words: readonly string[],
  at: number,
  language: Language,
  takesJoints: boolean,
): { parts: number[]; end: number } {
  const { numbers } = wordsOf(language);
  let [parts, end]: [number[], number] = [[], at];
  while (end < words.length) {
    const joint = takesJoints && end > at && JOINTS.has(words[end]!);
    const word = words[joint ? end + 1 : end] ?? '';
    const isScore = parts.at(-1) === 4 && /^vingts?$/.test(word);
    const more = isScore ? [...parts.slice(0, -1), 80] : [...parts, ...(partsOf(word, numbers) ?? [NaN])];
    if (combine(more) === undefined) break;
    parts = more;
    end += joint ? 2 : 1;
  }
  return { parts, end };
}

/** "Half a million", "un quart de milliard", "medio millón". A word for a place needs "of": "the third million". */
function shareAt(
  words: readonly string[],
  at: number,
  language: Language,
): { share: number; times: number; end: number } | undefined {
  const share = amountOf(words[at] ?? '', language) ?? 1;
  let end = at + 1;
  while (end < at + 3 && OF.has(words[end] ?? '')) end++;
  const times = multiplierOf(words[end] ?? '', language);
  const isPlace = end === at + 1 && ordinalOf(words[at] ?? '', language) !== undefined;
  return times && share < 1 && !isPlace ? { share, times, end: end + 1 } : undefined;
}

/**
 * The factor by which a word multiplies the number before it: 1,000,000 for `million`.
 *
 * @param word in lower case
 * @returns undefined for other words
 */
export function multiplierOf(word: string, language: Language): number | undefined {
  const value = wordsOf(language).numbers.get(word);
  return value !== undefined && MULTIPLIERS.has(value) ? value : undefined;
}

/**
 * What a word says about an amount without being a number word: `half` 0.5, `third` 1/3, `dozen` 12, `twice` 2.
 *
 * @param word in lower case
 * @returns undefined for other words
 */
export function amountOf(word: string, language: Language): number | undefined {
  return wordsOf(language).amounts.get(word);
}

/**
 * The place that an ordinal names: `third` is 3, `fünfzehnten` 15. Above tenth not in Spanish and Portuguese, which count on with cardinals.
 *
 * @param word in lower case
 * @returns undefined for other words
 */
export function ordinalOf(word: string, language: Language): number | undefined {
  const { ordinals, numbers } = wordsOf(language);
  const stem = word.replace(ORDINAL_ENDING, '');
  if (ordinals.has(word) || stem === word) return ordinals.get(word);
  const cardinals = CARDINAL_ENDINGS.map((ending) => partsOf(stem + ending, numbers));
  const value = combine(cardinals.find((one) => one !== undefined) ?? []) ?? 0;
  return value > 10 ? value : undefined;
}

/**
 * The month or day of the week that a word names.
 *
 * @param word in lower case, without a full stop
 * @returns undefined for other words
 */
export function calendarWord(word: string, language: Language): CalendarWord | undefined {
  const { calendar } = wordsOf(language);
  const plural = calendar.get(word.replace(/s$/, ''));
  const found = calendar.get(word) ?? (plural?.kind === 'weekday' ? plural : undefined);
  return found && { ...found, sure: word.length >= SURE_LETTERS && !UNSURE.has(word) };
}

/** Whether a part of a number may be added to another: `twenty` `five`, `soixante` `dix`, `drei` `einhalb`, not `two` `three`. */
function adds(last: number, next: number): boolean {
  if (next < 1) return next > 0 && Number.isInteger(last);
  // "Dix neuf", without the hyphen.
  if (last < 20) return last === 10 && next >= 7 && next < 10;
  let step = 1;
  while (last % (step * 10) === 0) step *= 10;
  return next < (last === 60 || last === 80 ? 20 : step);
}

/** The parts of one word: itself, or those of a joined form. What is added up is one part: `dreiundzwanzigtausend` is 23 and 1000. */
function partsOf(word: string, table: ReadonlyMap<string, number>): number[] | undefined {
  if (word.length > MOST_LETTERS) return undefined;
  /** For each place of the word the parts from there to its end. */
  const from: (number[] | undefined)[] = [];
  from[word.length] = [];
  for (let at = word.length - 1; at >= 0; at--) {
    const joint = at > 0 ? /^(?:und|e)(?=\p{L}{2})/u.exec(word.slice(at, at + 5))?.[0] : undefined;
    if (joint) from[at] = from[at + joint.length];
    for (let end = at + 2; end <= Math.min(word.length, at + LONGEST_PART); end++) {
      const [value, rest] = [table.get(word.slice(at, end)), from[end]];
      if (value === undefined || !rest) continue;
      const [next = 0, ...others] = rest;
      const isSum = !MULTIPLIERS.has(value) && next > 0 && !MULTIPLIERS.has(next);
      if (!isSum) from[at] = [value, ...rest];
      else if (adds(value, next) || adds(next, value)) from[at] = [value + next, ...others];
    }
  }
  return from[0];
}

/** The number that the parts make together; undefined where one does not follow: "two" "three", "one hundred" "two hundred". */
function combine(parts: readonly number[]): number | undefined {
  const groups: number[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (!MULTIPLIERS.has(part)) {
      if (Number.isNaN(part) || (last !== undefined && !adds(last, part))) return undefined;
      groups.push(part);
      continue;
    }
    // "Mil millones", "trois mille milliards": what is smaller before it is its count.
    let count = 0;
    while (groups.length > 0 && groups.at(-1)! < part) count += groups.pop()!;
    const above = groups.at(-1) ?? 0;
    if (above % (part === 100 ? 1000 : part * 1000) !== 0) return undefined;
    groups.push((count || 1) * part);
  }
  return groups.reduce((sum, group) => sum + group, 0);
}
