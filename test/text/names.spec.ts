import fc from 'fast-check';
import { LANGUAGES, type Language } from '../../lib/text/languages.js';
import { readNames } from '../../lib/text/names.js';

const names = (text: string, language: Language = 'en') => readNames(text, language).map((n) => n.text);

describe('names of a sentence', () => {
  it.each<[string, Language, string[]]>([
    ['It was developed by James Gosling at Sun.', 'en', ['James', 'Gosling', 'Sun']],
    ['IPv6 and NASA’s iPhone on Tuesday in March', 'en', ['IPv6', 'NASA', 'iPhone']],
    ['Yes, I think so. The river rose.', 'en', []],
    ["C'est l'astronaute Yang qui a vu l'Europe.", 'fr', ['Yang', 'Europe']],
    ['Der Hund von Romy Schneider mag Wasser.', 'de', ['Romy Schneider']],
    ['Die Dichte von Eis', 'de', []],
  ])('%s', (text, language, expected) => expect(names(text, language)).toEqual(expected));

  it('stand where they say', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.constantFrom(...LANGUAGES), (text, language) => {
        for (const { text: name, start, end } of readNames(text, language))
          expect(text.slice(start, end)).toBe(name);
      }),
    );
  });
});
