import fc from 'fast-check';
import { isOrphan, matchesOf, wordsOf } from '../../../lib/embedded/answer/words.js';

const terms = (text: string, language: 'en' | 'de' | 'fr' | 'es' = 'en'): string[] =>
  wordsOf(text, language).map((w) => w.term);
const matchesIn = (asked: string, said: string): string[] => {
  const known = matchesOf(wordsOf(asked, 'en')[0]!, new Set(terms(said)));
  return terms(said).filter((term) => known.has(term));
};

describe('wordsOf', () => {
  it.each([
    ['12 moons and 1,200 rings', ['12', 'moon', 'and', '1200', 'ring']],
    ['a 60W lamp', ['a', '60', 'w', 'lamp']],
    ['gears 2x11, 1x 12', ['gear', '2x11', '1', 'x', '12']],
    ['an e-mail over Wi-Fi', ['an', 'email', 'over', 'wifi']],
    ['what she wrote', ['what', 'she', 'write']],
    ['version 1.6.0', ['version', '1.6.0']],
  ])('splits "%s"', (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  it('reads numbers as the language writes them', () => {
    expect(terms('1.250 kg', 'es')[0]).toBe('1250');
    expect(terms('1,250 kg')[0]).toBe('1250');
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

describe('matchesOf', () => {
  it('takes the same word in its forms, and no other spelling', () => {
    expect(matchesIn('opening', 'opened')).toEqual(['open']);
    expect(matchesIn('explore', 'exploration')).toHaveLength(1);
    expect(matchesIn('house', 'mouse house')).toEqual(terms('house'));
    for (const [asked, said] of [
      ['adress', 'address'],
      ['adderss', 'address'],
      ['sleep', 'steep'],
      ['dres', 'address'],
      ['cat', 'car'],
      ['2019', '2018'],
      ['1234567', '1234568'],
    ])
      expect(matchesIn(asked!, said!)).toEqual([]);
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
