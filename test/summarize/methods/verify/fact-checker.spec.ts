import type { Language } from '../../../../lib/text/languages.js';
import { TranscriptIndex } from '../../../../lib/summarize/methods/verify/transcript-index.js';
import {
  distinct,
  FactChecker,
  type Flaw,
  type Point,
} from '../../../../lib/summarize/methods/verify/fact-checker.js';
import { expectLinear } from '../../../support/cpu-time.js';

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
const pointOf = (checked: Point | Flaw): Point | undefined =>
  typeof checked === 'string' ? undefined : checked;
const verify = async (
  claim: string,
  more: { quote?: string; second?: number } = {},
  index?: TranscriptIndex,
) => {
  const own = index ?? (await build());
  return pointOf(new FactChecker(own, new Set(['documentary'])).checkPoint({ claim, ...more }));
};

describe('checkPoint', () => {
  it('takes the time from the quotation, whatever second was named', async () => {
    const point = await verify('The pier was expensive.', {
      quote: 'twenty five million on the first pier',
      second: 99_999,
    });
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
    expect(new FactChecker(index, new Set()).checkPoint(point, range)).toBe('words');
  });

  it('comes after the points that repeat a claim are left out', () => {
    const point = { text: 'The pier was expensive.' };
    expect(distinct([point, { text: 'the pier was expensive' }, { text: '…' }])).toEqual([point]);
  });

  it('leads to the beginning of the sentence, or of its cue where nothing is punctuated', async () => {
    const quote = 'came back in spring';
    const sentences = [
      'It was a long winter. The ships were away, but',
      'they came back in spring with the herring.',
    ];
    expect((await verify('They were back.', { quote }, await build(sentences)))!.startMs).toBe(4500);
    expect((await verify('They were back.', { quote }))!.startMs).toBe(40_000);
  });

  it('says why a claim was left out', async () => {
    const index = await build();
    const checker = new FactChecker(index, new Set());
    const flaws = [
      { claim: 'The pier cost 95 million.', quote: 'spent twenty five million on the first pier' },
      { claim: 'In the end Roberto paid.', quote: 'spent twenty five million on the first pier' },
      { claim: 'The mayor resigned.', quote: 'the mayor resigned in anger' },
    ].map((point) => checker.checkPoint(point));
    expect(flaws).toEqual(['number', 'name', 'words']);
  });

  it('takes a paraphrase near the second that was named, and not elsewhere', async () => {
    const lines = Array.from(
      { length: 200 },
      (_, i) => `words of no matter number ${i} said by nobody in particular`,
    );
    lines[150] = 'ships came back in spring and the fishermen were glad about it';
    const index = await build(lines);
    const claim = 'Fishermen rejoiced about ships in springtime.';
    expect(await verify(claim, { second: 1500 }, index)).toMatchObject({ startMs: 1_500_000 });
    expect(await verify(claim, { second: 100 }, index)).toBeUndefined();
  });

  describe('in another language than the transcript', () => {
    const german = async (quote: string | undefined, second?: number) => {
      const point = {
        claim: 'Der Pier hat 25 Millionen gekostet.',
        quote,
        second,
      };
      const checker = new FactChecker(await build(), new Set());
      return pointOf(checker.checkPoint(point, undefined, 'de', (mark) => mark === 10));
    };

    it('stands on a quotation of the transcript, wherever the second is', async () => {
      expect(await german('spent twenty five million on the first pier', 999)).toMatchObject({
        startMs: 10_000,
      });
    });

    it('stands on a mark that was sent where the quotation was translated or left out', async () => {
      expect(await german('die Stadt hat fünfundzwanzig Millionen ausgegeben', 10)).toMatchObject({
        startMs: 10_000,
      });
      expect(await german(undefined, 10)).toMatchObject({ startMs: 10_000 });
    });

    it('falls with a second that was not sent', async () => {
      expect(await german(undefined, 11)).toBeUndefined();
    });
  });

  it('takes time in proportion to the length of the speech', () =>
    expectLinear(9000, async (length) => {
      const index = await build(
        Array.from(
          { length },
          (_, i) => `and the number ${i} of the things that we said about the house of the ${i % 50} people`,
        ),
      );
      for (let i = 0; i < 20; i++)
        await verify(
          'The house of the people is a thing.',
          { quote: 'the things that we said about the house of the people' },
          index,
        );
    }));
});
