import { TranscriptIndex } from '../../../../lib/summarize/methods/verify/transcript-index.js';
import type { Language } from '../../../../lib/text/languages.js';

/** A transcript with a piece every ten seconds. */
const indexOf = (texts: readonly string[], language: Language | undefined = 'en') =>
  TranscriptIndex.build(
    texts.map((text, i) => ({ text, startMs: i * 10_000, endMs: (i + 1) * 10_000 })),
    language,
  );

const TALK = [
  'We measured the old bridge. It is forty metres long',
  'and the river below it freezes in winter.',
  'Later, in May, we measured the new bridge: 85 metres.',
  "The council's report says that the river floods every spring.",
];

describe('a transcript with the place of each word', () => {
  it('finds a quotation where most of its words stand in order, one left out or added aside', async () => {
    const index = await indexOf(TALK);
    for (const quote of [
      'the river below it freezes in winter',
      'The river, below it, freezes in WINTER!',
      'the river below freezes in winter',
    ])
      expect(index.findQuote(quote, index.whole)).toMatchObject({ startMs: 11_250 });
    expect(index.findQuote('the winter below the new river', index.whole)).toBeUndefined();
    expect(index.findQuote('', index.whole)).toBeUndefined();
  });

  it('finds a quotation that stands twice near the time that is named, and never outside the range', async () => {
    const index = await indexOf(TALK);
    const at = (nearMs: number) => index.findQuote('we measured the', index.whole, nearMs)?.startMs;
    expect(at(0)).toBe(0);
    expect(at(25_000)).toBeGreaterThan(20_000);
    expect(index.findQuote('we measured the', index.rangeOfPieces(3, 4))).toBeUndefined();
  });

  it('locates a paraphrase where its words stand closest together', async () => {
    const index = await indexOf(TALK);
    const found = index.locate('Flooding of the river in spring, the report of the council', index.whole);
    expect(found).toMatchObject({ share: 1 });
    expect(found!.startMs).toBeGreaterThanOrEqual(30_000);
    expect(index.locate('and of the', index.whole)).toBeUndefined();
  });

  it('opens a link where the sentence begins; without punctuation, where the piece begins', async () => {
    const index = await indexOf(TALK);
    const metres = index.findQuote('forty metres long', index.whole)!;
    expect(index.sentenceTimeOf(metres.at)).toBe(5000);
    const plain = await indexOf(['so we went on and on', 'until the gate was shut']);
    const gate = plain.findQuote('gate was shut', plain.whole)!;
    expect(plain.sentenceTimeOf(gate.at)).toBe(10_000);
  });

  it('knows words in other forms and as parts of joined ones', async () => {
    const index = await indexOf(TALK);
    for (const word of ['bridges', 'council', 'Report']) expect(index.hasWord(word, index.whole)).toBe(true);
    expect(index.hasWord('council', index.rangeOfTimes(0, 30_000))).toBe(false);
    expect(index.shareSaid('The council measured the castle', new Set())).toBeCloseTo(2 / 3);
    expect(index.shareSaid('The castle', new Set())).toBeUndefined();
  });

  it('has the values of a range, also of one that begins in one piece and ends in the next', async () => {
    const index = await indexOf([...TALK, 'It cost two hundred', 'and fifty euros.']);
    const numbers = (from: number, to: number) =>
      index.valuesIn(index.rangeOfPieces(from, to)).flatMap(({ readings }) => readings);
    expect(numbers(0, 1)).toContain(40);
    expect(numbers(2, 3)).toContain(85);
    expect(numbers(0, 2)).not.toContain(85);
    expect(numbers(4, 6)).toContain(250);
    expect([index.states(250), index.states(251)]).toEqual([true, false]);
  });

  it('reads the numbers of a transcript of any length', async () => {
    const filler = Array.from({ length: 3000 }, (_, i) => `and then w${i} came by`);
    const index = await indexOf([...filler, 'it was nineteen ninety nine', ...filler]);
    expect(index.states(1999)).toBe(true);
  });

  it('of a language that is not known compares words as they are written', async () => {
    const index = await indexOf(['de rivier overstroomt elk voorjaar'], undefined);
    expect(index.hasWord('rivier', index.whole)).toBe(true);
    expect(index.hasWord('rivieren', index.whole)).toBe(false);
  });
});
