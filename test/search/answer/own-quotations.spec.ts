import { evidenceOfPassages, groundReply } from '../../../lib/search/answer/grounded-reply.js';
import { composeAnswer } from '../../../lib/search/answer/compose-answer.js';
import type { Calculation } from '../../../lib/grounding/calculations.js';

interface Reply {
  question?: string;
  sources: string[];
  answer: string;
  quotes?: { n: number; quote: string }[];
  calculations?: Calculation[];
}

async function compose({ question = 'What is it?', sources, answer, quotes = [], calculations = [] }: Reply) {
  const passages = sources.map((text, i) => ({
    url: `https://source${i}.example/`,
    title: 'Notes',
    text,
    score: 1,
  }));
  const evidence = await evidenceOfPassages(passages, 'en');
  const material = { passages, question, language: 'en', today: new Date(0), evidence } as const;
  const reply = { answerable: true, answer, quotes, unstructured: false, end: undefined, calculations };
  const { text, citations } = composeAnswer(await groundReply(reply, material), evidence, passages);
  return { text, quotes: citations.map(({ quote }) => quote) };
}

const ROWS = [
  'Girls – first: Bramford; time: 6:14.80',
  'Boys – first: Orlin; time: 5:38.42',
  'Mixed – first: Tessel; time: 6:58.05',
];

describe('the quotations of a statement', () => {
  it('are of the source that it cites, whatever words another statement shares', async () => {
    const sources = [
      'Ordinary cards add a fee of 3 percent abroad.',
      'Rental desks insist on a credit card in the name of the driver.',
    ];
    const answer = 'A credit card adds 3 percent abroad. [1] You also need one to hire cars. [2]';
    const quotes = [
      { n: 1, quote: 'cards add a fee of 3 percent' },
      { n: 2, quote: 'insist on a credit card' },
    ];
    expect((await compose({ sources, answer, quotes })).text).toBe(answer);
  });

  it('go to the statement whose words no quotation holds yet', async () => {
    const rows = [
      'children 6 to 12 years – dose: half a tablet (5 mg)',
      'adults over 12 years – dose: one tablet (10 mg)',
    ];
    const { text } = await compose({
      sources: [rows.join('\n')],
      answer:
        'Children of 6 to 12 years take half a tablet (5 mg). [1] Twice that is 10 mg, as for adults. [1]',
      quotes: rows.map((quote) => ({ n: 1, quote })),
    });
    expect(text).toMatch(/5 mg\)\. \[1\] .+ adults\. \[2\]$/);
  });

  it('are completed where the model quotes the first of several amounts only', async () => {
    const { text, quotes } = await compose({
      sources: [ROWS.join('\n')],
      answer: 'Orlin won for the boys (5:38.42), Bramford for the girls (6:14.80). [1]',
      quotes: [{ n: 1, quote: ROWS[1]! }],
    });
    expect(text).toMatch(/\[1\]\[2\]$/);
    expect(quotes).toEqual([ROWS[1], ROWS[0]]);
  });

  it('hold no place that has only a number of the statement', async () => {
    const { quotes } = await compose({
      sources: ['Children take 5 mg twice a day.\nAdults take 10 mg once a day.'],
      answer: 'Children take 5 mg twice a day, so 10 mg in a day. [1]',
      quotes: [{ n: 1, quote: 'Children take 5 mg twice a day' }],
      calculations: [{ expression: '2 * 5 mg', result: '10 mg' }],
    });
    expect(quotes).toEqual(['Children take 5 mg twice a day']);
  });

  it.each<[string, Reply]>([
    [
      'a small count',
      {
        sources: ['The bridge has 4312 bolts.', 'The two engineers were brothers.'],
        answer: 'Each side has 2156 bolts. [1]',
        calculations: [{ expression: '4312 / 2', result: '2156' }],
      },
    ],
    [
      'a number of the question',
      {
        question: 'What do 30 people pay?',
        sources: ['A ticket costs €5.', 'The bus has seats for 30 people.'],
        answer: 'The 30 people pay €150. [1]',
        calculations: [{ expression: '30 * €5', result: '€150' }],
      },
    ],
  ])('do not come from a further source for %s', async (_, reply) => {
    expect((await compose(reply)).quotes).toEqual([reply.sources[0]]);
  });

  it('are not made up for what the sources do not say', async () => {
    const answer = 'The sources do not name the price of Waldquell lemonade.';
    const { text, quotes } = await compose({ sources: ['Waldquell sells a new lemonade.'], answer });
    expect(text).toBe(answer);
    expect(quotes).toEqual([]);
  });
});
