import { NameIndex } from '../../../../lib/search/answer/model/name-index.js';

describe('a name is known', () => {
  it.each<[string, string]>([
    ['from Norway', 'Norwegian'],
    ['the World Health Organization', 'WHO'],
    ['HM Revenue & Customs', 'HMRC'],
    ['two CDs', 'CD'],
    ['a European rule', 'EU'],
    ['Dvořák', 'Dvorak'],
    ['Bitvault Family', 'Bitvault'],
    ['Kaiserin Elisabeth', 'Kaiserin Sissi'],
  ])('by "%s": %s', (text, name) => expect(new NameIndex(text).has(name)).toBe(true));

  it.each<[string, string]>([
    ['IANA handed out blocks', 'ICANN'],
    ['Argentina won', 'Brazil'],
    ['version X4', 'X5'],
    ['Sun Microsystems', 'Nvidia'],
    ['ein Film von Andrzej Żuławski', 'Claude Sautet'],
  ])('not by "%s": %s', (text, name) => expect(new NameIndex(text).has(name)).toBe(false));
});

describe('a name in another spelling', () => {
  it.each<[string, string]>([
    ['over wifi', 'Wi-Fi'],
    ['over Wi-Fi', 'WiFi'],
    ['in the United States', 'U.S.'],
    ['in Germany', 'Germans'],
  ])('is known by "%s": %s', (text, name) => expect(new NameIndex(text).has(name)).toBe(true));
});
