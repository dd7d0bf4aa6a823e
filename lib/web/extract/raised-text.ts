import { LANGUAGES } from '../../text/languages.js';
import { multiplierOf } from '../../text/number-words.js';

const LOWERED: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('0123456789+-=()', (sign, i) => [sign, '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎'[i]!]),
);

const MARKS: Readonly<Record<string, string>> = { TM: '™', SM: '℠' };
const PRICE = /\p{Sc}\s?\d[\d.,]*$/u;
const TEN = /(?<![\d.,])10$/;

/**
 * Raised text: a mark of a note as `[1]`, an ordinal as it is (`5th`), cents behind a comma or point (`$19.99`), anything else as a power
 * (`10^10`, `x^(n+1)`). An amount of money has no power.
 *
 * @param before the {@link BEFORE} characters before it
 * @param isLink it is a link, as marks of notes are
 */
export function raised(text: string, before: string, isLink: boolean): string {
  const words = text.trim();
  if (words === '' || /^[[(^]|^[^\p{L}\p{N}\p{Sm}-]+$/u.test(words)) return text;
  if (PRICE.test(before) && !isLink) {
    if (/^[.,]\d\d$/.test(words)) return text;
    if (areCents(words, before)) return cents(words, before);
    if (/^\d\d?$/.test(words) && !TEN.test(before)) return `[${words}]`;
  }
  if (MARKS[words]) return MARKS[words];
  // Numbers of several notes.
  if (/^\d+(?:[,–-]\s?\d+)+$/.test(words) && /\p{L}{2}$/u.test(before)) return `[${words}]`;
  if (isLink || !/[\p{L}\p{N})\]]$/u.test(before)) return isNote(words) ? `[${words}]` : text;
  // `5th`, `1er`, `1o`, `XIXe`.
  if (/\d$/.test(before) && /^(?:\p{L}{2,4}\.?|[aeoªº])$/u.test(words)) return text;
  if (/[IVXLCDM]{2}$/.test(before) && /^[eè]\p{Ll}{0,2}$/u.test(words)) return text;
  return `^${grouped(words)}`;
}

/** Characters that are looked at before raised and lowered text; set by hand. */
export const BEFORE = 12;

/** Two digits behind an amount that has none. Behind ten, they are the exponent of a power up to 39. */
const areCents = (words: string, before: string): boolean =>
  /^\d\d$/.test(words) &&
  !/[.,]\d\d?$/.test(before) &&
  !(TEN.test(before) && /^(?:0[1-9]|[1-3])/.test(words));

/** The rest of a price, behind the sign that does not stand in it yet. */
function cents(words: string, before: string): string {
  const sign = /\.\d{3}$/.test(before) ? ',' : '.';
  return /[.,]$/.test(before) ? words : sign + words;
}

/** What the text that follows says about raised numbers: `19⁹⁹ €` is a price, `$30¹² million` has a note, `the ¹⁴C in it` an isotope. */
export function followed(text: string, before: string, next: string): string | undefined {
  if (PRICE.test(before)) return isScale(next) ? `[${text}]` : undefined;
  if (areCents(text, before) && /\d[.,]?$/.test(before) && /^\s?\p{Sc}/u.test(next))
    return cents(text, before);
  const isMass = /^\d+$/.test(text) && /\S\s*[\s(]$/.test(before) && /^\p{Lu}(?!\p{Ll}{2})/u.test(next);
  return isMass ? Array.from(text, (sign) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(sign)]).join('') : undefined;
}

/** Whether an amount goes on with a word such as `million`. */
function isScale(next: string): boolean {
  const word = /^\s(\p{L}+)/u.exec(next)?.[1]?.toLowerCase() ?? '';
  return LANGUAGES.some((language) => multiplierOf(word, language) !== undefined);
}

/** Lowered text: figures as such signs (`H₂O`), anything else as an index (`x_i`). */
export function lowered(text: string, before: string): string {
  const words = text.trim().replaceAll('−', '-');
  if (words === '' || /\s$/.test(before)) return text;
  const signs = Array.from(words, (sign) => LOWERED[sign]);
  return signs.includes(undefined) ? `_${grouped(words)}` : signs.join('');
}

const isNote = (words: string): boolean => /^[\p{L}\p{N}*†‡§, ]{1,12}$/u.test(words);

const grouped = (words: string): string => (/^[-+−]?[\p{L}\p{N}.,]+$/u.test(words) ? words : `(${words})`);
