import fc from 'fast-check';
import type { Language } from '../../../lib/text/languages.js';
import { Analyzer } from '../../../lib/search/ranking/analyzer.js';
import { queryTerms } from '../../../lib/search/ranking/query-terms.js';

/** The forms of each word of a query over a text. */
function formsOf(query: string, text: string, languages: (Language | undefined)[] = ['en']) {
  const analyzers = new Map(languages.map((l) => [l, new Analyzer(l)] as const));
  const vocabulary = new Set<string>();
  for (const analyzer of analyzers.values()) analyzer.eachTerm(text, (term) => vocabulary.add(term));
  return queryTerms(query, analyzers, vocabulary).map(({ word, forms }) => [word, ...forms.keys()]);
}

describe('queryTerms', () => {
  it('leaves out function words and takes each word once', () => {
    expect(formsOf('What is the colour of the sky? Colours!', 'sky colour')).toEqual([
      ['colour', 'colour'],
      ['sky', 'sky'],
    ]);
  });

  it.each([
    ['a letter too many', 'restaurrant'],
    ['a letter missing', 'restarant'],
    ['a wrong letter in a long word', 'restautant'],
    ['two letters swapped', 'retsaurant'],
  ])('finds a known word behind %s', (_, typed) => {
    const terms = queryTerms(typed, new Map([['en', new Analyzer('en')]]), new Set(['restaur']));
    expect([...terms[0]!.forms]).toEqual([['restaur', 1]]);
  });

  it.each([
    ['sleep', 'steep'],
    ['house', 'horse'],
    ['coral', 'coal'],
    ['bread', 'tread'],
    ['painted', 'planted'],
    ['permissions', 'admissions'],
  ])('takes %s for no misspelt %s', (typed, known) => {
    expect(formsOf(typed, known)).toEqual([[typed]]);
  });

  it.each([
    ['errror', 'error'],
    ['arest', 'arrest'],
    ['crads', 'cards'],
    ['wafle', 'waffle'],
    ['seperating', 'separating'],
  ])('takes %s for a misspelt %s', (typed, known) => {
    expect(formsOf(typed, known)).toEqual([[typed, ...formsOf(known, known)[0]!.slice(1)]]);
  });

  it('corrects no word that the texts have', () => {
    expect(formsOf('brake', 'brake break brakes')).toEqual([['brake', 'brake']]);
  });

  it.each(['K5X77', 'CVE-2024-1234', '20.19', 'cat', 'E230'])('leaves %s as it is', (code) => {
    const text = 'K5X78 CVE-2024-1235 20.18 cot E231';
    const found = formsOf(code, text).flatMap(([, ...forms]) => forms);
    // Parts that both have, such as the year, are no correction.
    expect(found.filter((form) => !['cve', '2024', '20'].includes(form))).toEqual([]);
  });

  it.each([
    ['wifi', 'the Wi-Fi password', 'wifi'],
    ['wi-fi', 'the wifi password', 'wifi'],
    ['e-mail', 'an email', 'email'],
    ['emails', 'an e-mail', 'email'],
    ['power bank', 'a powerbank', 'powerbank'],
    ['1642', 'depth 1,642 m', '1642'],
    ['1,642', 'depth 1642 m', '1642'],
    ['4.50', 'price 4,50', '4.50'],
    ['oeuf', 'un œuf', 'oeuf'],
    ['Strasse', 'die Straße', 'strasse'],
    ['wrote', 'a book written by', 'write'],
  ])('brings %s and "%s" together', (query, text, form) => {
    expect(formsOf(query, text, [undefined, 'en']).flat()).toContain(form);
  });

  it('looks for the parts of a word that no text has', () => {
    expect(formsOf('Papiertonne', 'Papier wird abgeholt', ['de'])).toEqual([['papiertonne', 'papi']]);
  });

  it('drops the function words of a query in a language that no text is in', () => {
    expect(
      formsOf('Was kostet der Parkplatz P3 im Monat?', 'P3 costs', ['en']).map(([word]) => word),
    ).toEqual(['kostet', 'parkplatz', 'p3', 'monat']);
  });

  it('gives only forms that are known, for any query', () => {
    const text = fc.string({ unit: 'binary', maxLength: 400 });
    fc.assert(
      fc.property(text, fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { maxLength: 20 }), (query, words) => {
        const vocabulary = new Set(words);
        for (const { forms } of queryTerms(query, new Map([['en', new Analyzer('en')]]), vocabulary))
          for (const [form, weight] of forms) {
            expect(vocabulary.has(form)).toBe(true);
            expect(weight > 0 && weight <= 1).toBe(true);
          }
      }),
    );
  });
});
