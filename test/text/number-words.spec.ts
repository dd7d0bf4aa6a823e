import fc from 'fast-check';
import { amountOf, numberWordAt, ordinalOf } from '../../lib/text/number-words.js';
import { readValues, statedValues } from '../../lib/text/read-values.js';
import { LANGUAGES, type Language } from '../../lib/text/languages.js';

const values = (text: string, language: Language): number[] =>
  statedValues(text, language).flatMap(({ readings }) => readings);
const strict = (text: string, language: Language): number | undefined =>
  numberWordAt(text.toLowerCase().split(/[ -]/), 0, language)?.value;

describe('a number in words, read strictly', () => {
  it.each<[Language, string, number]>([
    ['en', 'two hundred and five', 205],
    ['en', 'twenty-five million', 25_000_000],
    ['de', 'fünfundzwanzig', 25],
    ['de', 'zweieinhalb', 2.5],
    ['de', 'dreitausendvierhundert', 3400],
    ['fr', 'quatre-vingt-dix-sept', 97],
    ['fr', 'septante-deux', 72],
    ['es', 'veintidós', 22],
    ['es', 'treinta y cinco', 35],
    ['it', 'ventotto', 28],
    ['it', 'centocinquantamila', 150_000],
    ['pt', 'dezesseis', 16],
    ['pt', 'dezasseis', 16],
    ['pt', 'dezanove', 19],
    ['es', 'mil millones', 1e9],
    ['es', 'dos mil trescientos millones', 2.3e9],
    ['es', 'un millón dos mil', 1_002_000],
    ['pt', 'dois mil milhões', 2e9],
    ['fr', 'trois mille milliards', 3e12],
    ['it', 'duemila miliardi', 2e12],
    ['es', 'dos billones', 2e12],
    // Spelled out by the rules of CLDR.
    ['de', 'fünf Millionen zweihundertfünfundzwanzigtausendsiebenhundertsiebenundvierzig', 5_225_747],
    ['it', 'centottantatrémilaseicentocinque', 183_605],
    ['it', 'otto miliardi ottocentottantaquattro milioni', 8_884_000_000],
    ['it', 'un bilione cinquecentosettanta miliardi', 1.57e12],
    ['es', 'un billón treinta mil millones', 1.03e12],
    ['pt', 'um bilião e trinta mil milhões', 1.03e12],
  ])('%s: %s', (language, text, value) => expect(strict(text, language)).toBe(value));

  it.each<[Language, string]>([
    ['en', 'one'],
    ['en', 'often'],
    ['fr', 'neuf'],
    ['it', 'sei'],
    ['de', 'acht'],
  ])('%s: "%s" alone is not taken for a number', (language, text) =>
    expect(strict(text, language)).toBeUndefined(),
  );
});

describe('the numbers of a text', () => {
  it.each<[Language, string, ...number[]]>([
    ['en', 'half a million people', 500_000],
    ['en', 'three quarters of a million', 750_000],
    ['en', 'one and a half million', 1_500_000],
    ['de', 'eine halbe Million Euro', 500_000],
    ['de', 'anderthalb Millionen', 1_500_000],
    ['de', 'eineinhalb Millionen', 1_500_000],
    ['fr', 'un demi-million', 500_000],
    ['fr', 'un million et demi', 1_500_000],
    ['fr', 'un quart de milliard', 250_000_000],
    ['es', 'medio millón', 500_000],
    ['es', 'un millón y medio', 1_500_000],
    ['it', 'mezzo milione di euro', 500_000],
    ['it', 'un quarto di milione', 250_000],
    ['pt', 'meio milhão', 500_000],
  ])('%s: "%s" is a part of a million', (language, text, ...numbers) =>
    expect(readValues(text, language).flatMap(({ readings }) => readings)).toEqual(numbers),
  );

  it.each<[Language, string, ...number[]]>([
    ['es', '12 mil 500 millones de pesos', 12_500_000_000],
    ['es', '3 millones 200 mil', 3_200_000],
    ['es', '12 mil 500 pesos', 12_500],
    ['fr', '3 millions 200 mille', 3_200_000],
    ['pt', '3 milhões e 200 mil', 3_200_000],
    ['en', '1 million 200 thousand', 1_200_000],
  ])('%s: "%s" is one number', (language, text, ...numbers) =>
    expect(readValues(text, language).flatMap(({ readings }) => readings)).toEqual(numbers),
  );

  it.each<[Language, string, ...number[]]>([
    ['en', 'between one thousand and two million', 1000, 2_000_000],
    ['en', 'between one hundred and two hundred', 100, 200],
    ['en', 'from twenty to thirty thousand', 20_000, 30_000],
    ['en', 'one million and two million', 1_000_000, 2_000_000],
    ['en', 'five hundred and six hundred', 500, 600],
    ['fr', 'deux mille et trois mille', 2000, 3000],
    ['en', 'from 200 to 3 million', 200, 3_000_000],
    ['en', 'Countries: 2\n- 3 million users', 2, 3_000_000],
    ['de', 'zwischen tausend und zwei Millionen', 1000, 2_000_000],
    ['de', 'zwei bis drei Millionen', 2_000_000, 3_000_000],
    ['fr', 'de vingt à trente mille', 20_000, 30_000],
    ['es', 'entre mil y dos millones', 1000, 2_000_000],
    ['es', 'entre treinta y cinco y cuarenta', 35, 40],
    ['it', 'tra mille e due milioni', 1000, 2_000_000],
    ['pt', 'de vinte a trinta mil', 20_000, 30_000],
  ])('%s: "%s" are two', (language, text, ...numbers) =>
    expect(readValues(text, language).flatMap(({ readings }) => readings)).toEqual(numbers),
  );

  it.each<[Language, string]>([
    ['en', 'several million people'],
    ['en', 'hundreds of thousands of people'],
    ['de', 'einige Millionen'],
    ['fr', 'des millions de personnes'],
    ['es', 'varios millones'],
    ['it', 'milioni di persone'],
    ['pt', 'milhões de pessoas'],
  ])('%s: "%s" are none', (language, text) => expect(statedValues(text, language)).toEqual([]));
});

describe('numbers in words, every reading', () => {
  it.each<[Language, string, number]>([
    ['en', 'nineteen ninety nine', 1999],
    ['en', 'twenty twenty one', 2021],
    ['en', 'twelve fifty', 12.5],
    ['en', 'a dozen', 12],
    ['en', 'the twenty-first', 21],
    ['fr', 'le dix-neuvième', 19],
    ['de', 'die hälfte', 0.5],
    ['fr', 'une quinzaine', 15],
    ['es', 'la mitad', 0.5],
    ['it', 'un terzo', 1 / 3],
    ['pt', 'uma dúzia', 12],
    ['es', '12 mil millones', 12e9],
    ['pt', '2,5 mil milhões', 2.5e9],
    ['fr', '3 mille milliards', 3e12],
    ['en', '5 thousand 200', 5000],
  ])('%s: %s has %d', (language, text, value) => expect(values(text, language)).toContain(value));

  it('reads any words without failing, and never gives a value that is not a number', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 80 }), { maxLength: 30 }),
        fc.constantFrom(...LANGUAGES),
        (words, language) => {
          expect(values(words.join(' '), language).every(Number.isFinite)).toBe(true);
        },
      ),
    );
  });
});

it('knows fractions, dozens, doubles and ordinals', () => {
  expect(amountOf('half', 'en')).toBe(0.5);
  expect(amountOf('dreifach', 'de')).toBe(3);
  expect(amountOf('third', 'en')).toBe(1 / 3);
  expect(ordinalOf('third', 'en')).toBe(3);
  expect(ordinalOf('deuxième', 'fr')).toBe(2);
  expect(ordinalOf('dreiunddreißigsten', 'de')).toBe(33);
  expect(ordinalOf('ventesimo', 'it')).toBe(20);
  for (const word of ['worth', 'beste', 'battesimo'])
    for (const language of LANGUAGES) expect(ordinalOf(word, language)).toBeUndefined();
  expect(amountOf('house', 'en')).toBeUndefined();
});
