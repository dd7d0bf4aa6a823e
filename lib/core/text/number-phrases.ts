import { LANGUAGES, type Language } from './languages.js';
import { LANGUAGE_WORDS, wordList, wordPlaces } from './word-lists.js';

/** Words around spoken numbers that change what they mean, in lower case. */
interface NumberPhrases {
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

const ALL = LANGUAGES.map((language): [Language, NumberPhrases] => {
  const { decades, clockPhrases } = LANGUAGE_WORDS[language];
  return [
    language,
    {
      decimalSign: wordList(language, 'decimalSigns'),
      shareOf: wordList(language, 'shareWords'),
      percent: wordList(language, 'percentWords'),
      decadesAfter: wordList(language, 'decadesAfter'),
      ...(decades ? { decades: wordPlaces(decades, 20, 10) } : {}),
      clock: clockPhrases.split(', ').map((phrase) => {
        const [pattern = '', minutes] = phrase.split('=');
        return [pattern, Number(minutes)] as const;
      }),
    },
  ];
});

/** By language; the six of the tools. */
export const NUMBER_PHRASES = Object.fromEntries(ALL) as Readonly<Record<Language, NumberPhrases>>;

/** Words between the whole and the cents of a price: `zwölf Euro fünfzig`, `doce con cincuenta`. */
export const PRICE_WORDS: ReadonlySet<string> = new Set(
  'euro euros dollar dollars dólar dólares dollaro dollari pound pounds pfund franken franc francs peso pesos real reais libra libras con e'.split(
    ' ',
  ),
);

/** Factors of one or two letters after a number, in any language: `1.5k`, `3 Mio`, `2bn`. */
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
