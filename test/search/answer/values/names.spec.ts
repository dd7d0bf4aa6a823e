import fc from 'fast-check';
import { LANGUAGES, type Language } from '../../../../lib/core/text/languages.js';
import { NameIndex, readNames } from '../../../../lib/search/answer/values/names.js';

const names = (text: string, language: Language = 'en') => readNames(text, language).map((n) => n.text);
const indexOf = (text: string) => {
  const index = new NameIndex();
  index.add(text);
  return index;
};

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

describe('a name is known', () => {
  it.each<[string, string]>([
    ['from Norway', 'Norwegian'],
    ['in Spanish schools', 'Spain'],
    ['the World Health Organization', 'WHO'],
    ['HM Revenue & Customs', 'HMRC'],
    ['two CDs', 'CD'],
    ['a European rule', 'EU'],
    ['Dvořák', 'Dvorak'],
    ['Bitvault Family', 'Bitvault'],
    ['Kaiserin Elisabeth', 'Kaiserin Sissi'],
  ])('by "%s": %s', (text, name) => expect(indexOf(text).has(name)).toBe(true));

  it.each<[string, string]>([
    ['IANA handed out blocks', 'ICANN'],
    ['Argentina won', 'Brazil'],
    ['version X4', 'X5'],
    ['Sun Microsystems', 'Nvidia'],
    ['ein Film von Andrzej Żuławski', 'Claude Sautet'],
  ])('not by "%s": %s', (text, name) => expect(indexOf(text).has(name)).toBe(false));
});

describe('a name in another spelling', () => {
  it.each<[string, string]>([
    ['over wifi', 'Wi-Fi'],
    ['over Wi-Fi', 'WiFi'],
    ['in the United States', 'U.S.'],
    ['in Germany', 'Germans'],
  ])('is known by "%s": %s', (text, name) => expect(indexOf(text).has(name)).toBe(true));
});
