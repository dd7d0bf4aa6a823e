import { Evidence } from '../../lib/grounding/evidence.js';
import { findMoment, type MomentOptions } from '../../lib/grounding/moments.js';

const TALK = [
  'so today we look at how the harbour in Lisbon was rebuilt',
  'the city spent twenty five million on the first pier alone',
  'and engineer Anabel Quiroga said it would take 1,200 days',
  'kuber netes has nothing to do with it of course',
  'ships came back in spring and the fishermen were glad about it',
];
const build = (lines: string[] = TALK) =>
  Evidence.ofTranscript(
    lines.map((text, i) => ({ text, startMs: i * 10_000, endMs: i * 10_000 + 9000 })),
    '',
    'en',
  );
const secondOf = async (
  text: string,
  more: { quotation?: string; second?: number } = {},
  options: MomentOptions = { language: 'en' },
  lines?: string[],
) => {
  const moment = findMoment({ text, ...more }, await build(lines), options);
  return moment && Math.floor(moment.startMs / 1000);
};

describe('the moment of a statement', () => {
  it('is that of its quotation, whatever second was named', async () => {
    const quotation = 'twenty five million on the first pier';
    expect(await secondOf('The pier was expensive.', { quotation, second: 99_999 })).toBe(10);
  });

  it.each([
    ['one word off', 'the city spent about twenty five million on the first pier'],
    ['other punctuation and case', 'The city spent: TWENTY FIVE million!'],
  ])('forgives a quotation with %s', async (_what, quotation) => {
    expect(await secondOf('The pier was expensive.', { quotation })).toBe(10);
  });

  it('is that of the quotation nearest to the second, where it is said twice', async () => {
    const lines = [...TALK, 'nothing here', ...TALK];
    const quotation = 'spent twenty five million on the first pier';
    const at = (second?: number) =>
      secondOf(
        'It was expensive.',
        { quotation, ...(second === undefined ? {} : { second }) },
        { language: 'en' },
        lines,
      );
    expect([await at(), await at(70)]).toEqual([10, 70]);
  });

  it('is that of its words where they stand together, first near the second that was named', async () => {
    const lines = Array.from(
      { length: 200 },
      (_, i) => `words of no matter number ${i} said by nobody in particular`,
    );
    lines[150] = TALK[4]!;
    const text = 'Fishermen rejoiced about ships in winter.';
    const at = (second: number) => secondOf(text, { second }, { language: 'en' }, lines);
    expect([await at(1500), await at(100)]).toEqual([1500, undefined]);
    expect(await secondOf('The fishermen were glad when ships came back in spring.')).toBe(40);
  });

  it('is none where nobody said it, or not in the part that the model saw', async () => {
    const quotation = 'the mayor resigned in anger over the affair';
    expect(await secondOf('The mayor resigned over it.', { quotation })).toBeUndefined();
    const evidence = await build();
    const options = { language: 'en', within: evidence.between(30_000, 50_000) } as const;
    const pier = {
      text: 'The pier was expensive.',
      quotation: 'spent twenty five million on the first pier',
    };
    expect(findMoment(pier, evidence, options)).toBeUndefined();
  });

  it('begins with the sentence', async () => {
    const lines = [
      'It was a long winter. The ships were away, but',
      'they came back in spring with the herring.',
    ];
    const moment = findMoment(
      { text: 'They were back.', quotation: 'came back in spring' },
      await build(lines),
      {
        language: 'en',
      },
    );
    expect(moment!.startMs / 1000).toBeCloseTo(4.3, 0);
  });

  it('in another language is that of the quotation, else a mark that was shown', async () => {
    const at = (more: { quotation?: string; second?: number }) =>
      secondOf('Der Pier hat 25 Millionen gekostet.', more, {
        language: 'de',
        isMark: (second) => second === 10,
      });
    expect(await at({ quotation: 'spent twenty five million on the first pier', second: 999 })).toBe(10);
    expect(await at({ quotation: 'die Stadt hat fünfundzwanzig Millionen ausgegeben', second: 10 })).toBe(10);
    expect(await at({ second: 10 })).toBe(10);
    expect(await at({ second: 11 })).toBeUndefined();
  });
});
