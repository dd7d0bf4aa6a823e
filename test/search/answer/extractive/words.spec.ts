import fc from 'fast-check';
import { isOrphan, matcherOf, wordsOf, type Word } from '../../../../lib/search/answer/extractive/words.js';

const terms = (text: string, language: 'en' | 'de' | 'fr' | 'es' = 'en'): string[] =>
  wordsOf(text, language).map((w) => w.term);
const match = (asked: string, said: string, language: 'en' | 'de' = 'en'): number => {
  const vocabulary = new Map(wordsOf(said, language).map((w) => [w.lower, w] as [string, Word]));
  const matcher = matcherOf(wordsOf(asked, language)[0]!, vocabulary);
  return Math.max(...wordsOf(said, language).map(matcher));
};

describe('wordsOf', () => {
  it.each([
    ['twelve moons and 1,200 rings', ['12', 'moon', 'and', '1200', 'ring']],
    ['a 60W lamp', ['a', '60', 'w', 'lamp']],
    ['an e-mail over Wi-Fi', ['an', 'email', 'over', 'wifi']],
    ["Darwin's finches", ['darwin', 'finch']],
    ['version 1.6.0', ['version', '1.6.0']],
  ])('splits "%s"', (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  it('reads numbers as the language writes them', () => {
    expect(terms('1.250 kg', 'es')[0]).toBe('1250');
    expect(terms('1,250 kg')[0]).toBe('1250');
    expect(terms("l'eau", 'fr')).toEqual(['eau']);
  });

  it('gives each word its place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        for (const word of wordsOf(text, 'en')) {
          expect(text.slice(word.start, word.end).startsWith(word.text)).toBe(true);
          expect(word.term).not.toBe('');
        }
      }),
    );
  });
});

describe('matcherOf', () => {
  it('prefers the same word to a related one, and takes a misspelt word only if no page has it', () => {
    expect(match('opening', 'opened')).toBe(1);
    expect(match('explore', 'exploration')).toBeGreaterThan(0.5);
    for (const typo of ['adress', 'addresss', 'addrass', 'adderss'])
      expect(match(typo, 'address')).toBeGreaterThan(0.5);
    expect(match('dres', 'address')).toBe(0);
    expect(match('cat', 'car')).toBe(0);
    expect(match('house', 'mouse house')).toBe(1);
    expect(match('Laterne', 'Straßenlaterne', 'de')).toBeGreaterThan(0.5);
    expect(match('2019', '2018')).toBe(0);
  });
});

describe('isOrphan', () => {
  it.each([
    ['It is kept for 30 days.', 'en', true],
    ['The photo is kept for 30 days.', 'en', false],
    ['Das dauert drei Tage.', 'de', true],
    ['Das Fundbüro ist im Rathaus.', 'de', false],
    ['„Er gilt zehn Jahre“', 'de', true],
    ['Se imprimen en Oporto.', 'es', true],
    ['La tienda abre a las diez.', 'es', false],
    ['', 'fr', false],
  ] as const)(
    'tells whether "%s" begins with a word for something named before',
    (text, language, expected) => {
      expect(isOrphan(text, language)).toBe(expected);
    },
  );
});
