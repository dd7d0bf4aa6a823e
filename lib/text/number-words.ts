import type { Language } from './languages.js';
import { LANGUAGE_WORDS, wordList, wordPlaces, wordValues } from './word-lists.js';

/** Words that may stand between the parts of one number. */
const JOINTS = new Set(['and', 'und', 'et', 'y', 'e']);
const MULTIPLIERS = new Set([100, 1000, 1e6, 1e9, 1e12]);
/** A longer word is no number word. */
const MOST_LETTERS = 60;
const LONGEST_PART = 16;

interface Words {
  numbers: ReadonlyMap<string, number>;
  amounts: ReadonlyMap<string, number>;
  ordinals: ReadonlyMap<string, number>;
}

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
    };
    tables.set(language, words);
  }
  return words;
}

/**
 * The number that stands at `words[at]`: `two hundred and five` is 205 and not 2.
 *
 * @param words in lower case, in order
 * @param takesAmbiguous also a word that alone is as often something else (`one`, French `neuf`, Italian `sei`)
 * @returns undefined for other words
 */
export function numberAt(
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
    const more = valuesOf(word, numbers);
    // "Quatre vingt dix", without the hyphens.
    if (values.at(-1) === 4 && /^vingts?$/.test(word)) {
      values[values.length - 1] = 80;
      end++;
      continue;
    }
    // "Fifty-fifty" is no sum.
    if (more && word.includes('-') && more.some((value, i) => i > 0 && !continues(more[i - 1]!, value)))
      break;
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
  const { ordinals } = wordsOf(language);
  const known = ordinals.get(word);
  const ending = ORDINAL_ENDINGS[language];
  if (known !== undefined || !ending || word.length > MOST_LETTERS) return known;
  // "twenty-first"
  const hyphen = word.lastIndexOf('-');
  const last = hyphen > 0 && language === 'en' ? ordinals.get(word.slice(hyphen + 1)) : undefined;
  const tens = last === undefined ? undefined : numberAt([word.slice(0, hyphen)], 0, language)?.value;
  if (tens !== undefined) return tens % 10 === 0 && last! < 10 ? tens + last! : undefined;
  const [pattern, letters] = ending;
  const match = pattern.exec(word);
  if (!match) return undefined;
  const stem = word.slice(0, match.index);
  for (const letter of letters) {
    const value = numberAt([stem + letter], 0, language)?.value;
    if (value !== undefined && value > 10) return value;
  }
  return undefined;
}

/** How ordinals above those of the table end, and the letters that their cardinal ends with in place of that. */
const ORDINAL_ENDINGS: Partial<Record<Language, readonly [ending: RegExp, letters: readonly string[]]>> = {
  en: [/(?:ieth|th)$/, ['', 'y']],
  de: [/s?te[nrsm]?$/, ['']],
  fr: [/[uv]?i[èe]mes?$/, ['', 'e', 'f']],
  it: [/esim[oaie]$/, ['', 'i', 'a', 'o', 'e']],
};

/** Whether a part of a spoken number may follow another: `twenty` `five`, `two` `hundred`, `soixante` `dix`, not `two` `three`. */
function continues(last: number, next: number): boolean {
  if (MULTIPLIERS.has(next)) return true;
  // "Dix neuf", without the hyphen.
  if (last < 20) return last === 10 && next >= 7 && next < 10;
  let step = 10;
  while (last % (step * 10) === 0) step *= 10;
  return next < (last === 60 || last === 80 ? 20 : step);
}

/** The values in one word: itself, its parts at hyphens, or the parts of a joined form, longest first. */
function valuesOf(word: string, table: ReadonlyMap<string, number>): number[] | undefined {
  if (word.length > MOST_LETTERS) return undefined;
  const whole = table.get(word);
  if (whole !== undefined) return [whole];
  const values: number[] = [];
  for (let at = 0; at < word.length;) {
    let length = Math.min(LONGEST_PART, word.length - at);
    let value: number | undefined;
    for (; length > 1; length--) {
      value = table.get(word.slice(at, at + length));
      if (value !== undefined) break;
    }
    if (value === undefined) {
      const joint = /^(?:und|-|e(?=\p{L}{2}))/u.exec(word.slice(at, at + 6))?.[0];
      if (!joint || values.length === 0) return undefined;
      at += joint.length;
      continue;
    }
    values.push(value);
    at += length;
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
      total += (group || 1) * value;
      group = 0;
    } else group += value;
  }
  return total + group;
}
