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
const MULTIPLIERS = new Set([100, 1000, 1e6, 1e9, 1e12]);
/** A longer word is no number word; a plain bound. */
const MOST_LETTERS = 60;
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
 * The number that stands at `words[at]`: `two hundred and five` is 205 and not 2.
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
  const { numbers } = wordsOf(language);
  const values: number[] = [];
  let end = at;
  while (end < words.length) {
    const joint = end > at && JOINTS.has(words[end]!);
    const word = words[joint ? end + 1 : end] ?? '';
    if (values.at(-1) === 4 && /^vingts?$/.test(word)) {
      values[values.length - 1] = 80;
      end++;
      continue;
    }
    const more = valuesOf(word, numbers);
    // "Ten twenty" and "two and three" are two numbers each: what is added must be smaller, or multiply.
    if (!more || (values.length > 0 && !continues(values.at(-1)!, more[0]!))) break;
    values.push(...more);
    end += joint ? 2 : 1;
  }
  if (values.length === 0) return undefined;
  const isAmbiguous = values[0] === 1 || wordList(language, 'ambiguousNumbers').has(words[at]!);
  if (values.length === 1 && isAmbiguous && !takesAmbiguous) return undefined;
  return { value: combine(values), length: end - at };
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
  const cardinals = CARDINAL_ENDINGS.map((ending) => valuesOf(stem + ending, numbers));
  const value = combine(cardinals.find((one) => one !== undefined) ?? []);
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

/** Whether a part of a spoken number may follow another: `twenty` `five`, `two` `hundred`, `soixante` `dix`, not `two` `three`. */
function continues(last: number, next: number): boolean {
  if (MULTIPLIERS.has(next)) return true;
  // "Dix neuf", without the hyphen.
  if (last < 20) return last === 10 && next >= 7 && next < 10;
  let step = 10;
  while (last % (step * 10) === 0) step *= 10;
  return next < (last === 60 || last === 80 ? 20 : step);
}

/** The values in one word: itself, or the parts of a joined form, longest first. */
function valuesOf(word: string, table: ReadonlyMap<string, number>): number[] | undefined {
  if (word.length > MOST_LETTERS) return undefined;
  const whole = table.get(word);
  if (whole !== undefined) return [whole];
  const values: number[] = [];
  for (let at = 0; at < word.length;) {
    let length = Math.min(LONGEST_PART, word.length - at);
    while (length > 1 && !table.has(word.slice(at, at + length))) length--;
    const value = length > 1 ? table.get(word.slice(at, at + length)) : undefined;
    const joint = values.length > 0 ? /^(?:und|e(?=\p{L}{2}))/u.exec(word.slice(at, at + 6))?.[0] : undefined;
    if (value === undefined && !joint) return undefined;
    if (value !== undefined) values.push(value);
    at += value === undefined ? joint!.length : length;
  }
  return values.length > 0 ? values : undefined;
}

/** The number that the values make together. */
function combine(values: readonly number[]): number {
  let total = 0;
  let group = 0;
  for (const value of values) {
    if (value === 100) group = (group || 1) * 100;
    else if (MULTIPLIERS.has(value)) {
      // "Mil millones", "trois mille milliards": what is greater than all before it multiplies all.
      total = value > total ? (total + group || 1) * value : total + (group || 1) * value;
      group = 0;
    } else group += value;
  }
  return total + group;
}
