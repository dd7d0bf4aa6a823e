import type { Language } from './languages.js';

/** Words around spoken numbers that change what they mean, in lower case. */
export interface NumberPhrases {
  /** Between a number and its decimals: "three point one". */
  decimalSign: ReadonlySet<string>;
  /** Between a part and its whole: "one in four", "nine out of ten". The last word of the phrase. */
  shareOf: ReadonlySet<string>;
  /** After a share of a hundred. */
  percent: ReadonlySet<string>;
  /** Names of decades, e.g. `nineties`. */
  decades?: ReadonlyMap<string, number>;
  /** Words before a number that make it a decade, where decades have no names of their own: `les années vingt`. */
  decadesAfter?: ReadonlySet<string>;
  /** Times of day, e.g. `half past eight`: a pattern over words joined by blanks, with the hour as `#`, and minutes from the full hour. */
  clock: readonly (readonly [pattern: string, minutes: number])[];
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const decades = (names: string): ReadonlyMap<string, number> =>
  new Map(names.split(' ').map((name, i) => [name, 20 + 10 * i]));

/** By language; the six of the tools. */
export const NUMBER_PHRASES: Readonly<Record<Language, NumberPhrases>> = {
  en: {
    decimalSign: set('point dot'),
    shareOf: set('in of'),
    percent: set('percent percents cent percentage'),
    decades: decades('twenties thirties forties fifties sixties seventies eighties nineties'),
    clock: [
      ['half past #', 30],
      ['quarter past #', 15],
      ['quarter after #', 15],
      ['quarter to #', -15],
      ['quarter of #', -15],
      ['# o clock', 0],
      ["# o'clock", 0],
    ],
  },
  de: {
    decimalSign: set('komma punkt'),
    shareOf: set('von unter'),
    percent: set('prozent'),
    decades: decades('zwanziger dreißiger vierziger fünfziger sechziger siebziger achtziger neunziger'),
    clock: [
      ['halb #', -30],
      ['viertel nach #', 15],
      ['viertel vor #', -15],
      ['dreiviertel #', -15],
      ['drei viertel #', -15],
      ['viertel #', -45],
      ['# uhr', 0],
    ],
  },
  fr: {
    decimalSign: set('virgule point'),
    shareOf: set('sur'),
    percent: set('cent pourcent'),
    decadesAfter: set('années'),
    clock: [
      ['# heures et demie', 30],
      ['# heure et demie', 30],
      ['# heures et quart', 15],
      ['# heure et quart', 15],
      ['# heures moins le quart', -15],
      ['# heures', 0],
      ['# heure', 0],
    ],
  },
  es: {
    decimalSign: set('coma punto'),
    shareOf: set('de cada'),
    percent: set('ciento cien'),
    decadesAfter: set('años'),
    clock: [
      ['# y media', 30],
      ['# y cuarto', 15],
      ['# menos cuarto', -15],
      ['las #', 0],
      ['la #', 0],
    ],
  },
  it: {
    decimalSign: set('virgola punto'),
    shareOf: set('su'),
    percent: set('cento percento'),
    decadesAfter: set('anni'),
    clock: [
      ['# e mezza', 30],
      ['# e mezzo', 30],
      ['# e un quarto', 15],
      ['# meno un quarto', -15],
      ['le #', 0],
      ['alle #', 0],
    ],
  },
  pt: {
    decimalSign: set('vírgula ponto'),
    shareOf: set('em cada de'),
    percent: set('cento'),
    decadesAfter: set('anos'),
    clock: [
      ['# e meia', 30],
      ['# e um quarto', 15],
      ['quarto para as #', -15],
      ['menos um quarto #', -15],
      ['# horas', 0],
      ['# hora', 0],
    ],
  },
};

/** What may stand between the whole and the cents of a price: `zwölf Euro fünfzig`, `doce con cincuenta`. */
export const PRICE_WORDS: ReadonlySet<string> = set(
  'euro euros dollar dollars dólar dólares dollaro dollari pound pounds pfund franken franc francs peso pesos real reais libra libras con e',
);

/** What a letter or two after a number multiply it by, in any language: `1.5k`, `3 Mio`, `2bn`. */
export const NUMBER_SUFFIXES: ReadonlyMap<string, number> = new Map([
  ['k', 1000],
  ['tsd', 1000],
  ['m', 1e6],
  ['mn', 1e6],
  ['mio', 1e6],
  ['b', 1e9],
  ['bn', 1e9],
  ['md', 1e9],
  ['mrd', 1e9],
  ['mds', 1e9],
  ['mld', 1e9],
  ['t', 1e12],
  ['tn', 1e12],
]);
