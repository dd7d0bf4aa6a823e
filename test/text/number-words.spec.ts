import fc from 'fast-check';
import { amountOf, numberWordAt, ordinalOf } from '../../lib/text/number-words.js';
import { statedValues } from '../../lib/text/read-values.js';
import { LANGUAGES, type Language } from '../../lib/text/languages.js';

const values = (text: string, language: Language): number[] =>
  statedValues(text, language).flatMap(({ readings }) => readings);
const strict = (text: string, language: Language): number | undefined =>
  numberWordAt(text.split(/[ -]/), 0, language)?.value;

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
