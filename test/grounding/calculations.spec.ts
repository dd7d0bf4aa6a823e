import type { Calculation } from '../../lib/grounding/calculations.js';
import { checkStatements, type Check } from '../../lib/grounding/check-statements.js';
import { Evidence } from '../../lib/grounding/evidence.js';
import { findQuotation } from '../../lib/grounding/quotations.js';
import { isHard, isRefuting } from '../../lib/grounding/unsupported.js';

const FARES =
  'An adult return is £26. A child return is £13. A car of up to 5 m is £70, without passengers. A dog is £8.';
const ASKED = 'What do two adults, one child and a car pay?';

interface Case {
  source?: string;
  question?: string;
  quote?: string;
  calculations?: Calculation[];
}

async function check(
  texts: string[],
  { source = FARES, question = ASKED, quote, calculations = [] }: Case = {},
): Promise<{ checks: Check[]; evidence: Evidence }> {
  const evidence = await Evidence.of([{ text: source, language: 'en' }], 'en');
  const quoted = quote ? [findQuotation(quote, evidence)!.place] : [];
  const statements = texts.map((text) => ({ text, cited: [0], quoted }));
  return {
    evidence,
    checks: await checkStatements(statements, evidence, { language: 'en', given: question, calculations }),
  };
}

const marks = async (texts: string | string[], more?: Case): Promise<string[]> =>
  (await check([texts].flat(), more)).checks.flatMap(({ findings }) =>
    findings.filter(isHard).map(({ about = '' }) => about),
  );
const TOTAL: Calculation = { expression: '2 * 26 + 13 + 70', result: '£135' };

describe('a number that was worked out stands', () => {
  it.each<[string, string | string[], Case?]>([
    ['with its calculation', 'They pay £135.', { calculations: [TOTAL] }],
    ['with its calculation in another form', 'They pay 135 pounds.', { calculations: [TOTAL] }],
    ['with an expression in the text', 'They pay 2 × £26 + £13 + £70 = £135.'],
    [
      'with a list of its parts',
      'They pay £135: 2 × £26 for the adults, £13 for the child and £70 for the car.',
    ],
    [
      'with its parts in the sentence before',
      ['Adults pay 2 × £26 = £52, the child £13, the car £70.', 'That is £135.'],
    ],
    [
      'with dates',
      'It opened on 5 September 1977, 16 days after 20 August 1977.',
      { source: 'It was built on 20 August 1977 and opened on 5 September 1977.' },
    ],
    [
      'in working days',
      'Three weeks, that is 15 working days, are fine.',
      { source: 'Three weeks are fine.' },
    ],
    [
      'with millions as they are written',
      'That is 14.8 million euros more.',
      {
        source: 'Profit was 96.3 million euros after 81.5 million euros.',
        calculations: [{ expression: '96.3 - 81.5', result: '14.8 million euros' }],
      },
    ],
    [
      'as a growth',
      'Revenue grew by 20 %.',
      {
        source: 'Revenue rose to €1,284 million from €1,070 million.',
        calculations: [{ expression: '1284 / 1070 - 1', result: '20 %' }],
      },
    ],
    [
      'with a percentage as a factor',
      'In the season it costs €27.60.',
      {
        source: 'A place costs €46. In the season 60 % of that is paid.',
        calculations: [{ expression: '46 * 0.60', result: '€27.60' }],
      },
    ],
    [
      'with a discount as a factor',
      'New guests pay €39.10.',
      {
        source: 'A place costs €46. New guests get 15 % off.',
        calculations: [{ expression: '46 * 0.85', result: '€39.10' }],
      },
    ],
    [
      'with kilos as grams',
      'That fills 65 jars.',
      {
        source: 'A hive gives 22 kilos. A jar holds 340 grams.',
        calculations: [{ expression: '22000 / 340', result: '65 jars' }],
      },
    ],
    [
      'as a part of a calculation',
      'Ten visits cost €52.70 and not €62.00.',
      {
        source: 'One visit costs €6.20, ten visits €52.70.',
        calculations: [{ expression: '10 * 6.20 - 52.70', result: '€9.30' }],
      },
    ],
    [
      'as hours and minutes',
      'In all it takes 1 h 25.',
      {
        source: 'Rest 30 minutes, then mix for 15 minutes and bake for 40 minutes.',
        calculations: [{ expression: '30 + 15 + 40', result: '85 minutes' }],
      },
    ],
    [
      'though its calculation cannot be read',
      'The train takes 10 hours and 29 minutes, from 21:48 to 8:17.',
      {
        source: 'The train leaves at 21:48 and arrives at 8:17.',
        calculations: [{ expression: '21:48 to 8:17', result: '10 h 29 min' }],
      },
    ],
    ['in weeks', 'You get it back within two weeks.', { source: 'You get it back within 10 working days.' }],
    ['in degrees of another scale', 'It is 79 °F (26 °C) then.', { source: 'The high is 79 degrees.' }],
    ['in percent', 'Rain is likely, 58%.', { source: 'There is a 58 percentage chance of rain.' }],
    [
      'in a unit that is not written',
      'Set `weight_grams` to 2500.',
      { source: 'Weights are in grams.', question: 'How do I send 2.5 kg?' },
    ],
    ['with a constant', 'It costs 12 × €14.99 = €179.88 a year.', { source: 'It costs €14.99 a month.' }],
    [
      'as what two numbers of its passage differ by',
      'It rose by 2,800 pounds.',
      { source: 'It went from 1,100 pounds a month to 3,900.', quote: 'from 1,100 pounds a month to 3,900' },
    ],
    [
      'as how many times one is of the other',
      'It was 450 times slower.',
      {
        source: 'It went from 2 milliseconds to 900 milliseconds.',
        quote: 'from 2 milliseconds to 900 milliseconds',
      },
    ],
    [
      'as the share that two counts make',
      'About 80 % burned.',
      { source: '87 of the 109 parish churches burned.', quote: '87 of the 109 parish churches' },
    ],
  ])('%s', async (...[, texts, more]) => expect(await marks(texts, more)).toEqual([]));
});

describe('a number is marked', () => {
  it.each<[string, string | string[], Case?]>([
    ['without a calculation', 'They pay £135.'],
    ['with a wrong expression in the text', 'They pay 2 × £26 + £13 + £70 = £145.'],
    [
      'with a calculation that gives another result',
      'They pay £145.',
      { calculations: [{ ...TOTAL, result: '£145' }] },
    ],
    [
      'with a calculation of numbers that stand nowhere',
      'They pay £151.',
      { calculations: [{ expression: '2 * 34 + 13 + 70', result: '£151' }] },
    ],
    [
      'with a factor that is no percentage of the source',
      'With tax it is €55.66.',
      {
        source: 'A place costs €46, and the tax is 19 %.',
        calculations: [{ expression: '46 * 1.21', result: '€55.66' }],
      },
    ],
    [
      'as another growth',
      'Revenue grew by 30 %.',
      {
        source: 'Revenue rose to €1,284 million from €1,070 million.',
        calculations: [{ expression: '1284 / 1070 - 1', result: '30 %' }],
      },
    ],
    ['with a count that nobody named', 'First class is £78, three times £26.'],
    [
      'as a product of numbers that it does not name',
      'It brings in 480 pounds.',
      { source: 'We began with 30 people who pay 16 pounds each. Now we are 260.' },
    ],
    [
      'as a quotient of numbers without its unit',
      'Flour rose by 8 pounds.',
      { source: 'We bake 1,100 loaves for 140 people.', quote: 'We bake 1,100 loaves for 140 people' },
    ],
    [
      'beyond its own rounding',
      'It rose by about 3,000 pounds.',
      { source: 'It went from 1,100 pounds a month to 3,900.', quote: 'from 1,100 pounds a month to 3,900' },
    ],
    [
      'as a year next to one that is stated',
      'It opened in 1978.',
      { source: 'It opened in 1977. There is 1 lift.' },
    ],
  ])('%s', async (...[, texts, more]) => expect(await marks(texts, more)).toHaveLength(1));

  it.each([
    ['no answer among words of its own, for it may have been worked out', 'The family needs £725.', 0],
    ['the answer among words of a source, whose number it alters', 'An adult return is £28.', 1],
    ['the answer as a year', 'The ferry company began in 1977.', 1],
    ['the answer as a time of day', 'The ticket office opens at 8:15.', 1],
  ])('and costs %s', async (_what, text, refuting) => {
    const { checks } = await check([text]);
    const findings = checks.flatMap((one) => one.findings).filter(isHard);
    expect(findings).toHaveLength(1);
    expect(findings.filter(isRefuting)).toHaveLength(refuting);
  });
});

it.each([[[TOTAL]], [[{ ...TOTAL, expression: '3 * 26 + 57' }]]])(
  'compares no words of a short sentence with a result: %j',
  async (calculations) => {
    const { checks } = await check(['Altogether that makes £135.'], { calculations });
    expect(checks[0]!.findings.map(({ reason }) => reason)).not.toContain('few_words_in_common');
  },
);

it('names the place of each number that was calculated with', async () => {
  const { checks, evidence } = await check(['They pay £135.'], { calculations: [TOTAL] });
  const quotes = checks[0]!.numbers.map((place) => evidence.textAt(evidence.sentencesAt(place)));
  expect(quotes).toEqual([
    'An adult return is £26.',
    'A child return is £13.',
    expect.stringContaining('£70'),
  ]);
});
