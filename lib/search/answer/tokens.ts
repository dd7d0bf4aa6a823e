import { functionWords, type Language } from '../../core/text/index.js';
import { termOf } from '../ranking/analyzer.js';
import { blankNoteMarks } from '../ranking/note-marks.js';

/** A word or number of a question or sentence. */
export interface Token {
  /** As written. */
  text: string;
  lower: string;
  /** Stem without diacritics; for a number its digits (`twelve` and `1,200` become `12` and `1200`), which may be no number (`5½`). */
  term: string;
  /** Carries no content of its own: articles, pronouns, auxiliaries, question words. */
  functional: boolean;
  /** A name by its capital letter; not told for a word that only stands at the start of a sentence. */
  name: boolean;
  number: boolean;
  /** Where it stands in the text. */
  at: number;
}

const TOKEN = /\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{M}\p{N}]+/gu;

const NUMBER_WORDS: Record<Language, string> = {
  en: 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  pt: 'zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezasseis dezassete dezoito dezanove vinte',
  es: 'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte',
  it: 'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti',
  de: 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
  fr: 'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt',
};
const TENS = 'thirty forty fifty sixty seventy eighty ninety'.split(' ');

const numberWords = new Map<Language, Map<string, string>>();

/** Splits into words and numbers; the numbers of notes are none. `first` tells whether the text starts a sentence, where a capital says nothing. */
export function tokensOf(text: string, language: Language): Token[] {
  const functional = functionWords(language);
  const numbers = numbersOf(language);
  const tokens: Token[] = [];
  const matches = [...blankNoteMarks(text).matchAll(TOKEN)];
  const raw = matches.map((match) => match[0]);
  raw.forEach((word, i) => {
    const lower = word.toLowerCase();
    // What an apostrophe leaves behind ("Darwin's", "l'eau") is no word; the letter of "vitamin D" is.
    if (lower.length === 1 && (functional.has(lower) || lower === 's') && !(i > 0 && word !== lower)) return;
    const digits = /^\p{N}/u.test(word) ? normalNumber(lower, language) : numbers.get(lower);
    const number = digits !== undefined;
    const isFunctional = !number && functional.has(lower) && !(lower.length === 1 && i > 0 && word !== lower);
    const capital = /^\p{Lu}/u.test(word);
    tokens.push({
      text: word,
      lower,
      term: digits ?? (termOf(lower, language) || lower),
      functional: isFunctional,
      name: capital && !isFunctional && !number && (i > 0 || isAcronym(word) || nextIsName(raw[i + 1])),
      number,
      at: matches[i]!.index,
    });
  });
  return tokens;
}

/**
 * `1,200` is 1200, `3.5` and `3,5` are 3.5, `1,299.99` and `1.299,99` are 1299.99, `12th` is 12. A single point before three digits groups them
 * but in English, where `42.195` is a decimal number.
 */
function normalNumber(lower: string, language: Language): string {
  const digits = lower.replace(/\p{L}+$/u, '');
  const both = /^(\d{1,3}(?:([.,])\d{3})(?:\2\d{3})*)(?!\2)[.,](\d+)$/.exec(digits);
  if (both) return `${both[1]!.replace(/[.,]/g, '')}.${both[3]!}`;
  const grouped = (language === 'en' ? GROUPED_IN_ENGLISH : GROUPED).test(digits);
  return grouped ? digits.replace(/[.,]/g, '') : digits.replace(',', '.');
}

const GROUPED = /^[1-9]\d{0,2}(?:[.,]\d{3})+$/;
const GROUPED_IN_ENGLISH = /^[1-9]\d{0,2}(?:(?:,\d{3})+|(?:\.\d{3}){2,})$/;

function isAcronym(word: string): boolean {
  return word.length > 1 && word === word.toUpperCase();
}

function nextIsName(next: string | undefined): boolean {
  return next !== undefined && /^\p{Lu}/u.test(next);
}

function numbersOf(language: Language): Map<string, string> {
  let map = numberWords.get(language);
  if (!map) {
    map = new Map(NUMBER_WORDS[language].split(' ').map((word, n) => [word, String(n)]));
    if (language === 'en') TENS.forEach((word, i) => map!.set(word, String(30 + 10 * i)));
    else for (const word of ['um', 'uno', 'un']) map.delete(word);
    // "One" is a pronoun as often as a number.
    if (language === 'en') map.delete('one');
    numberWords.set(language, map);
  }
  return map;
}
