import { checkStatements, groundingOf, type Check } from '../../lib/grounding/check-statements.js';
import { isHard } from '../../lib/grounding/unsupported.js';
import { Evidence } from '../../lib/grounding/evidence.js';
import { findQuotation } from '../../lib/grounding/quotations.js';
import type { Language } from '../../lib/text/languages.js';

const FARES =
  'A single ticket Harborough – Ashby Cross costs £6.40, Harborough – Milldale £11.20. Return tickets cost 1.8 times the single fare. Children from 5 to 15 years pay half.';
const PRICES =
  'Nimbus R5 – Price: €349\nMain brush – Price: €19\nClimbing wheels – Price: €24\nShipping is free.';
const TRAINS =
  '715 – Harborough: 22:42; Ashby Cross: 23:15. There is a connection to Port Ellery 8 minutes after each train.';

interface Case {
  sources: string[];
  statements: { text: string; cited?: number[]; quotes?: string[] }[];
  question?: string;
  language?: Language;
}

async function check({ sources, statements, question = '', language = 'en' }: Case): Promise<Check[]> {
  const texts = sources.map((text) => ({ text, language }));
  const evidence = await Evidence.of(texts, language);
  const given = statements.map(({ quotes = [], ...statement }) => ({
    ...statement,
    quoted: quotes.map((quote) => findQuotation(quote, evidence)!.place),
  }));
  return checkStatements(given, evidence, { language, given: question });
}

const wrong = (checks: readonly Check[]) =>
  checks.map(({ findings }) => findings.filter(isHard).map(({ reason, about }) => `${reason}: ${about}`));
const one = async (source: string, text: string, more: Partial<Case> = {}) =>
  wrong(await check({ sources: [source], statements: [{ text, cited: [0] }], ...more }))[0];

describe('a value stands', () => {
  it.each([
    ['Step 5: Take the brush for €19.'],
    ['2. The main brush costs €19.'],
    ['They cost €392 together (€349 + €24 + €19).'],
  ])('%s', async (text) => expect(await one(PRICES, text)).toEqual([]));

  it.each([['The child weighed 9 pounds 10 ounces.', 'It was a 9-pound child.']])(
    'in another spelling: %s %s',
    async (source, text) => expect(await one(source, text)).toEqual([]),
  );

  it('as a sum of the parts that the next sentence names', async () => {
    const checks = await check({
      sources: [PRICES],
      statements: [
        { text: 'Together they cost €411.', cited: [0] },
        {
          text: 'That is €349 for the robot, 2 × €19 = €38 for the brushes and €24 for the wheels.',
          cited: [0],
        },
      ],
      question: 'What do a Nimbus R5, two brushes and the wheels cost?',
    });
    expect(wrong(checks)).toEqual([[], []]);
  });

  it('as a sum of amounts that the next sentence names next to a unit price', async () => {
    const checks = await check({
      sources: [PRICES],
      statements: [
        { text: 'Together they cost €430.', cited: [0] },
        { text: 'That is €349, 3 × €19 = €57 for three brushes and €24.', cited: [0] },
      ],
      question: 'What do a Nimbus R5, three brushes and the wheels cost?',
    });
    expect(wrong(checks)).toEqual([[], []]);
  });

  it('as a result that was calculated before', async () => {
    const checks = await check({
      sources: [FARES],
      statements: [
        { text: 'They pay £50.40.' },
        {
          text: 'A return ticket costs 1.8 × £11.20 = £20.16, so two adults pay £40.32.',
          quotes: ['Return tickets cost 1.8 times the single fare'],
        },
        { text: 'The child pays half, £10.08.', quotes: ['Children from 5 to 15 years pay half'] },
      ],
      question: 'What do two adults and a child of 7 pay for a return trip from Harborough to Milldale?',
    });
    expect(wrong(checks)).toEqual([[], [], []]);
  });

  it('as a time and a duration', async () => {
    const text =
      'The last connection leaves Ashby Cross at 23:23, eight minutes after train 715 arrives at 23:15.';
    expect(await one(TRAINS, text)).toEqual([]);
    const night = 'The fire broke out at 21:40 and was under control at 3:15.';
    expect(await one(night, 'It took 5 hours and 35 minutes.')).toEqual([]);
    const museum = 'Le musée ferme à 21 h. La dernière entrée se fait 45 minutes avant la fermeture.';
    const entry = 'Le musée ferme à 21 h, la dernière entrée est à 20 h 15, soit 45 minutes avant.';
    expect(await one(museum, entry, { language: 'fr' })).toEqual([]);
  });
});

it.each([
  ['npm install -g @quill/cli@4', 1],
  ['// before', 0],
  ['module.exports = class {}', 0],
  ['quill export --format epub --output book.epub', 1],
])('a line of code stands where all of its pieces do: %s', async (code, findings) => {
  const source =
    'Rewrite plug-ins: module.exports = class becomes a function. Run quill export --format epub. npm install -g @quill/cli@3';
  const evidence = await Evidence.of([{ text: source }], 'en');
  const [checked] = await checkStatements([{ text: '', code: [code] }], evidence, { language: 'en' });
  expect(checked!.findings).toHaveLength(findings);
});

it.each([
  ['-d \'{"weight_grams": 2500, "name": "Ada"}\'', 0],
  ['-d \'{"weight_kg": 2500}\'', 1],
])('a line of code may have values of the asker: %s', async (code, findings) => {
  const source = '-d \'{"weight_grams": 1200, "name": "Jane Doe"}\' sends it.';
  const evidence = await Evidence.of([{ text: source }], 'en');
  const [checked] = await checkStatements([{ text: '', code: [code] }], evidence, { language: 'en' });
  expect(checked!.findings).toHaveLength(findings);
});

describe('a value is missing', () => {
  it.each([
    [
      'a multiple of one value by a count that nobody states',
      FARES,
      'First class costs £33.60, three times £11.20.',
    ],
    ['a value and its quotation added up', FARES, 'A ticket to Milldale costs £22.40, twice £11.20.'],
    [
      'a difference that is only about right',
      'The main span is 312 metres long. Each tower is 74 metres high.',
      'It is about 260 metres shorter.',
    ],
    ['another time', TRAINS, 'The last connection leaves Ashby Cross at 23:27.'],
    ['a decimal', 'Earthquakes reached magnitude 3.8 there.', 'Earthquakes reached magnitude 4.8.'],
  ])('%s', async (_, source, text) => expect(await one(source, text)).toHaveLength(1));

  it('in speech, too, but for bare small counts', async () => {
    const evidence = await Evidence.ofTranscript(
      [
        {
          text: 'so it is magnitude three point eight and we know eleven years of it',
          startMs: 0,
          endMs: 9000,
        },
      ],
      '',
      'en',
    );
    const statements = [
      'It was magnitude 4.8.',
      'It took twelve years.',
      'There are 4 reasons.',
      'It is 8 % of all.',
    ];
    const checks = await checkStatements(
      statements.map((text) => ({ text })),
      evidence,
      { language: 'en' },
    );
    expect(wrong(checks)).toEqual([['value: 4.8'], ['value: twelve years'], [], ['value: 8 %']]);
  });
});

describe('words', () => {
  it('few of which the sources have are a soft finding, a lead-in and a true quotation beside none', async () => {
    const said = 'Most baskets are too small for a family of four. Prices run from £45 to £250.';
    const checks = await check({
      sources: [said],
      statements: [
        {
          text: 'Robots will replace every cook before long, experts in the industry believe.',
          quotes: [said],
        },
        { text: 'To choose an appliance wisely, consider the following essential points:' },
        { text: 'Baskets are mostly too small for families of four.' },
      ],
    });
    expect(checks.map(({ findings }) => findings.map(({ reason }) => reason))).toEqual([
      ['few_words_in_common'],
      [],
      [],
    ]);
    expect(groundingOf(checks)).toBe(0.5);
  });

  it('are not compared across languages, and there is no share then', async () => {
    const checks = await check({
      sources: ['Die Körbe sind für eine Familie meist zu klein.'],
      statements: [{ text: 'Baskets are mostly too small for families.' }],
      language: 'de',
    });
    expect(checks[0]!.overlap).toBeDefined();
    const evidence = await Evidence.of([{ text: 'Die Körbe sind meist zu klein.', language: 'de' }], 'de');
    const [foreign] = await checkStatements([{ text: 'Baskets are too small.' }], evidence, {
      language: 'en',
    });
    expect(foreign).toMatchObject({ findings: [], facts: 0 });
    expect(groundingOf([foreign!])).toBeUndefined();
  });
});

describe('words in quotation marks', () => {
  const said = 'The mayor said that the pier would be rebuilt by spring.';
  it.each([
    ['He promised that "the pier would be rebuilt by spring".', []],
    [
      'He said: “I will never build a pier again in this town.”',
      ['quotation: I will never build a pier again in this town.'],
    ],
    ['The terms "pier" and "harbour" are used for one thing, and "spring" is a season.', []],
  ])('%s', async (text, findings) => expect(await one(said, text)).toEqual(findings));
});

describe('the sources of a statement', () => {
  const sources = [
    'The tower was opened in 1964 by the queen.',
    FARES,
    'The tower cost 2.1 million crowns to build.',
  ];
  const of = async (text: string, cited: number[]) => {
    const [found] = await check({ sources, statements: [{ text, cited }] });
    return { sources: found!.sources, findings: wrong([found!])[0] };
  };

  it('are corrected where another one has what they lack', async () => {
    expect(await of('The tower cost 2.1 million crowns.', [0])).toEqual({ sources: [2], findings: [] });
  });

  it('are found for a statement without any', async () => {
    expect(await of('The tower cost 2.1 million crowns.', [])).toEqual({ sources: [2], findings: [] });
  });

  it('stay where another one has the number and speaks of something else', async () => {
    expect(await of('The tower charges £6.40 now for visitors.', [0])).toEqual({
      sources: [0],
      findings: ['value: £6.40'],
    });
  });
});

it.each([
  ['The sources do not say which architect drew its lanterns.', false],
  [
    'According to the sources, municipal architects drew its ornamental lanterns, not ordinary engineers.',
    true,
  ],
])('compares the words of all but what the sources do not say: %s', async (text, isCompared) => {
  const [found] = await check({ sources: [FARES], statements: [{ text, cited: [0] }] });
  expect(found!.findings.some(({ reason }) => reason === 'few_words_in_common')).toBe(isCompared);
});
