import * as fc from 'fast-check';
import { detectLanguage, LOOKED_AT } from '../../../lib/core/text/detect-language.js';
import { eachWord } from '../../../lib/core/text/each-word.js';
import { noWords, WordReader } from '../../../lib/search/ranking/word-reader.js';

const WORDS = [
  'Wing',
  'wing',
  'l’été',
  'ÜBER',
  'straße',
  'œuvre',
  'the',
  'and',
  'der',
  'est-ce',
  'que',
  'para',
  'ΟΔΟΣ',
  'Москва',
  'İstanbul',
  'e\u0301te\u0301',
  '\u{10400}a',
  '漢字かな',
  'internationalisation',
  'fifteen-letters',
  'abcdefghijklmno',
  'abcdefghijklmnop',
  'a1b2',
  'x'.repeat(40),
  'x'.repeat(41),
];
const text = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(' ', ' ', ' ', '. ', ', ', '\n', ' – ')), {
    maxLength: 60,
  })
  .map((pieces) => pieces.flat().join(''));

function wordsOf(reader: WordReader, text: string): string[] {
  const read = noWords();
  reader.read(text, read);
  return [...read.ids.subarray(0, read.count)].map((id) => reader.wordOf(id));
}

function expectedWords(text: string): string[] {
  const words: string[] = [];
  eachWord(text.toLowerCase(), (word) => words.push(word));
  return words;
}

describe('WordReader', () => {
  it('finds the words that `eachWord` finds in lower case', () => {
    const reader = new WordReader();
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          fc.string({ unit: 'grapheme' }).filter((s) => !/[\u03a3\u0130]/.test(s)),
        ),
        (t) => {
          expect(wordsOf(reader, t)).toEqual(expectedWords(t));
        },
      ),
    );
  });

  it('gives a word one identifier, however it is written, and different words different ones', () => {
    const reader = new WordReader();
    const ids = new Map<string, number>();
    const word = fc.stringMatching(/^[A-Za-zÀ-ÿ0-9]{1,18}$/).filter((w) => !/[×÷]/.test(w));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 200 }), (words) => {
        const read = noWords();
        reader.read(words.join(' '), read);
        expect(read.count).toBe(words.length);
        words.forEach((w, i) => {
          const lower = w.toLowerCase();
          const id = read.ids[i]!;
          expect(id).toBe(ids.get(lower) ?? id);
          ids.set(lower, id);
        });
        expect(new Set(ids.values()).size).toBe(ids.size);
      }),
    );
    expect(ids.size).toBeGreaterThan(300);
  });

  it('says where words stand, and how many characters stand between them', () => {
    const read = noWords();
    const given = 'One, two-three: 漢字 (four)!';
    new WordReader().read(given, read);
    const found = [...read.starts.subarray(0, read.count)].map((start, i) =>
      given.slice(start, read.ends[i]),
    );
    expect(found).toEqual(['One', 'two', 'three', '漢字', 'four']);
    expect(read.breaks).toBe([...given].filter((c) => /[^\p{L}]/u.test(c)).length);
    expect(read.length).toBe(given.length);
  });

  it('takes texts of any length', () => {
    const read = noWords();
    const reader = new WordReader();
    reader.read('one two '.repeat(5000), read);
    expect(read.count).toBe(10_000);
    expect(new Set(read.ids.subarray(0, read.count)).size).toBe(2);
    reader.read('', read);
    expect(read).toMatchObject({ count: 0, breaks: 0, length: 0 });
  });

  it('tells the language that `detectLanguage` tells, of a text and of a title with it', () => {
    const reader = new WordReader();
    const title = noWords();
    const body = noWords();
    const sentence = fc.constantFrom(
      'The wing of the plane is not what it was. ',
      'Der Flügel ist nicht das, was er war. ',
      'La corriente del aire es más rápida que debajo. ',
      'O escoamento não é laminar até à transição. ',
      'La portance n’est pas nulle dans ce cas. ',
      'Zeppelin Boeing Airbus Cessna Fokker. ',
    );
    const texts = fc.array(sentence, { minLength: 1, maxLength: 25 }).map((s) => s.join('').trim());
    fc.assert(
      fc.property(texts, texts, (t, b) => {
        reader.read(t, title);
        reader.read(b, body);
        expect(reader.languageOf([body], LOOKED_AT)).toBe(detectLanguage(b));
        expect(reader.languageOf([title, body], LOOKED_AT)).toBe(detectLanguage(`${t} ${b}`));
      }),
      { numRuns: 300 },
    );
  });
});
