import type { Language } from '../../../lib/core/text/index.js';
import { namesIn, verifyPoints } from '../../../lib/summarize/methods/verify/verify-points.js';
import { digitsIn, TranscriptIndex } from '../../../lib/summarize/methods/verify/transcript-index.js';
import { spokenNumbers } from '../../../lib/core/text/number-words.js';

const TALK = [
  'so today we look at how the harbour in Lisbon was rebuilt',
  'the city spent twenty five million on the first pier alone',
  'and engineer Anabel Quiroga said it would take 1,200 days',
  'kuber netes has nothing to do with it of course',
  'ships came back in spring and the fishermen were glad about it',
];
const build = (lines: string[] = TALK, language: Language | undefined = 'en') =>
  TranscriptIndex.build(
    lines.map((text, i) => ({ startMs: i * 10_000, endMs: i * 10_000 + 9000, text })),
    language,
  );
const verify = async (
  claim: string,
  more: { quote?: string; second?: number } = {},
  index?: TranscriptIndex,
) => {
  const own = index ?? (await build());
  return verifyPoints([{ claim, ...more }], own, own.whole, new Set(['documentary'])).points[0];
};

describe('verifyPoints', () => {
  it('takes the time from the quotation, whatever second was named', async () => {
    const point = await verify('The pier was expensive.', {
      quote: 'twenty five million on the first pier',
      second: 99_999,
    });
    expect(point).toMatchObject({ quote: expect.stringContaining('twenty five million') as string });
    expect(point!.startMs).toBeGreaterThanOrEqual(10_000);
    expect(point!.startMs).toBeLessThan(19_000);
  });

  it.each([
    ['one word off', 'the city spent about twenty five million on the first pier'],
    ['other punctuation and case', 'The city spent: TWENTY FIVE million!'],
  ])('forgives a quotation with %s', async (_what, quote) => {
    expect(await verify('The pier was expensive.', { quote })).toBeDefined();
  });

  it('drops a claim whose quotation nobody said', async () => {
    expect(
      await verify('The mayor resigned over it.', { quote: 'the mayor resigned in anger over the affair' }),
    ).toBeUndefined();
  });

  it('believes a claim without quotation when its words stand together', async () => {
    expect(await verify('The fishermen were glad when ships came back in spring.')).toMatchObject({
      startMs: expect.any(Number) as number,
    });
  });

  it.each([
    [
      'in digits though spoken',
      'The first pier cost 25 million.',
      'spent twenty five million on the first pier',
    ],
    ['with another separator', 'It would take 1200 days.', 'it would take 1,200 days'],
    [
      'counted by the writer',
      'There are 3 reasons for the pier.',
      'spent twenty five million on the first pier',
    ],
  ])('finds numbers %s', async (_what, claim, quote) => {
    expect(await verify(claim, { quote })).toBeDefined();
  });

  it('drops a claim with a number that was not said, even with a true quotation', async () => {
    expect(
      await verify('The first pier cost 95 million.', {
        quote: 'spent twenty five million on the first pier',
      }),
    ).toBeUndefined();
  });

  it('drops a claim with a name that was not said', async () => {
    expect(
      await verify('In the end Roberto paid the pier.', {
        quote: 'spent twenty five million on the first pier',
      }),
    ).toBeUndefined();
  });

  it.each([
    'The engineer Anabel Quiroga was sure.',
    'The engineer Annabel Quiroga was sure.',
    'Nothing to do with Kubernetes, of course.',
    'A Documentary about Lisbon.',
  ])('knows the names in “%s”', async (claim) => {
    expect(await verify(claim, { quote: 'so today we look at how the harbour' })).toBeDefined();
  });

  it('looks only at the range it is given', async () => {
    const index = await build();
    const range = index.rangeOfPieces(3, 5);
    const point = { claim: 'The pier was expensive.', quote: 'spent twenty five million on the first pier' };
    expect(verifyPoints([point], index, range, new Set()).points).toEqual([]);
  });

  it('gives the same claim once', async () => {
    const index = await build();
    const point = { claim: 'The pier was expensive.', quote: 'spent twenty five million on the first pier' };
    expect(
      verifyPoints([point, { ...point, claim: 'the pier was expensive' }], index, index.whole, new Set())
        .points,
    ).toHaveLength(1);
  });

  it('stays quick over ten hours of speech', async () => {
    const lines = Array.from(
      { length: 9000 },
      (_, i) => `and the number ${i} of the things that we said about the house of the ${i % 50} people`,
    );
    const index = await build(lines);
    const start = performance.now();
    for (let i = 0; i < 20; i++)
      await verify(
        'The house of the people is a thing.',
        { quote: 'the things that we said about the house of the people' },
        index,
      );
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe('spokenNumbers', () => {
  it.each<[Language, string, number]>([
    ['en', 'two thousand and five', 2005],
    ['en', 'one hundred twenty-three', 123],
    ['de', 'fünfundzwanzig', 25],
    ['de', 'dreihundert', 300],
    ['de', 'zweitausendfünfhundert', 2500],
    ['fr', 'quatre-vingt-dix', 90],
    ['fr', 'deux mille vingt', 2020],
    ['es', 'treinta y cinco', 35],
    ['es', 'dos mil', 2000],
    ['it', 'ventuno', 21],
    ['it', 'duemila', 2000],
    ['pt', 'vinte e cinco', 25],
    ['pt', 'cento e vinte', 120],
  ])('reads %s “%s” as %i', (language, text, value) => {
    expect(spokenNumbers(text.split(' '), language).map((one) => one.value)).toContain(value);
  });

  it('finds none in other words', () => {
    expect(spokenNumbers(['nothing', 'often', 'tenant'], 'en')).toEqual([]);
  });
});

describe('digitsIn', () => {
  it('drops separators of thousands and ends of sentences', () => {
    expect(digitsIn('In 2024, 1.500.000 and 1,200 but 3,5 and 2.75.')).toEqual([
      '2024',
      '1500000',
      '1200',
      '3.5',
      '2.75',
    ]);
  });
});

describe('namesIn', () => {
  it('takes capitals inside a sentence, and in German only words with a capital or digit inside', () => {
    expect(namesIn('Yesterday Maria met the NASA. Then “Bob” left.', 'en')).toEqual(['Maria', 'NASA', 'Bob']);
    expect(namesIn('Gestern traf die Nachbarin einen Astronauten der NASA.', 'de')).toEqual(['NASA']);
  });
});
