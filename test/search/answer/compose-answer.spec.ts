import { evidenceOfPassages, groundReply } from '../../../lib/search/answer/grounded-reply.js';
import { answerStream, composeAnswer } from '../../../lib/search/answer/compose-answer.js';
import { addressesOf } from '../../../lib/text/sanitize-output.js';

const PASSAGES = [
  {
    url: 'https://shop.example/prices',
    title: 'Prices',
    text: 'Nimbus R5 – Price: €349\nMain brush – Price: €19\nMop cloths – Price: €17. Shipping is free above €50. Wrapping costs €7.\nRun quill config convert, then quill doctor.',
    score: 1,
  },
  {
    url: 'https://shop.example/returns',
    title: 'Returns',
    text: 'You can return a robot within 30 days. Return shipping costs €12.90.',
    score: 0.9,
  },
];
const ASKED = {
  passages: PASSAGES,
  question: 'What does it cost?',
  language: 'en',
  today: new Date(0),
} as const;

async function compose(answer: string, quotes: { n?: number; quote: string }[] = []) {
  const evidence = await evidenceOfPassages(PASSAGES, 'en');
  const grounded = await groundReply(
    {
      answerable: true,
      answer,
      quotes,
      unstructured: false,
      end: undefined,
      calculations: [],
    },
    { ...ASKED, evidence },
  );
  return composeAnswer(grounded, evidence, PASSAGES);
}

describe('a composed answer', () => {
  it.each([
    'They cost:\n\n| Part | Price |\n|---|--:|\n| Main brush | €19 [1] |\n| Mop cloths | €17 [2] |\n\nShipping is free above €50. [3]',
    '**Run** these commands:\n```sh\nquill config convert\nquill doctor\n```\nThen shipping is free above €50. [1]',
    '1. The main brush costs €19. [1]\n2. The mop cloths cost €17. [2]\n   - Shipping is free above €50. [3]',
  ])('keeps the form of %j', async (answer) => {
    const written = answer.replaceAll('[2]', '[1]').replaceAll('[3]', '[1]');
    expect((await compose(written)).text).toBe(answer);
  });

  it('marks a command of several lines behind it, never inside', async () => {
    const command = 'quill config \\\n  --price 19 \\\n  convert';
    const { text } = await compose(`Run it:\n\n${command}\n\nShipping is free above €50. [1]`);
    expect(text).toBe(`Run it:\n\n${command}\n[?]\n\nShipping is free above €50. [1]`);
  });

  it('gives each statement the words that it shares, whatever the order of the quotations', async () => {
    const { text, citations } = await compose(
      'The main brush costs €19. [1] Shipping is free above €50. [1] You have 30 days to return it. [2]',
      [
        { n: 2, quote: 'return a robot within 30 days' },
        { n: 1, quote: 'Shipping is free above €50' },
        { n: 1, quote: 'Main brush – Price: €19' },
      ],
    );
    expect(text).toBe(
      'The main brush costs €19. [1] Shipping is free above €50. [2] You have 30 days to return it. [3]',
    );
    expect(citations.map(({ quote }) => quote)).toEqual([
      'Main brush – Price: €19',
      'Shipping is free above €50',
      'return a robot within 30 days',
    ]);
  });

  it('gives a quotation to the statement that states its number', async () => {
    const { citations } = await compose('One of them costs €19. [1] The other one costs €17. [1]', [
      { n: 1, quote: 'Mop cloths – Price: €17' },
      { n: 1, quote: 'Main brush – Price: €19' },
    ]);
    expect(citations.map(({ quote }) => quote)).toEqual([
      'Main brush – Price: €19',
      'Mop cloths – Price: €17',
    ]);
  });

  it('cites a sentence beside its [?] where its words stand in the source', async () => {
    const { text, citations } = await compose(
      'Return shipping for three such robots costs €38.80 for everybody in the family. [2]',
    );
    expect(text).toMatch(/family\. \[1\]\[\?\]$/);
    expect(citations.map(({ quote }) => quote)).toEqual(['Return shipping costs €12.90.']);
  });

  it('takes no sentence that shares a small number only', async () => {
    const { citations } = await compose('The main brush costs €19. [1] That is €7 below the limit. [1]', [
      { n: 1, quote: 'Main brush – Price: €19' },
    ]);
    expect(citations.map(({ quote }) => quote)).toEqual(['Main brush – Price: €19']);
  });

  it('cites all quotations of a statement; those from one sentence are one', async () => {
    const { text, citations } = await compose(
      'Together they cost €36 (€19 + €17). [1] You have 30 days. [2]',
      [
        { n: 1, quote: 'Main brush – Price: €19' },
        { n: 1, quote: 'Mop cloths – Price: €17' },
        { n: 2, quote: 'You can return' },
        { n: 2, quote: 'within 30 days' },
      ],
    );
    expect(text).toBe('Together they cost €36 (€19 + €17). [1][2] You have 30 days. [3]');
    expect(citations.map(({ quote }) => quote)).toEqual([
      'Main brush – Price: €19',
      'Mop cloths – Price: €17',
      'You can return a robot within 30 days',
    ]);
  });

  it('gives a quotation to the statement that shares its words, if it cites no source too', async () => {
    const { text, citations } = await compose(
      '- The main brush costs €19.\n- Shipping is free above €50. [1]',
      [{ n: 1, quote: 'Main brush – Price: €19' }],
    );
    expect(text).toBe('- The main brush costs €19. [1]\n- Shipping is free above €50. [2]');
    expect(citations.map(({ quote }) => quote)).toEqual([
      'Main brush – Price: €19',
      'Shipping is free above €50.',
    ]);
  });

  it('corrects a wrong source number, and adds one where the model gave none', async () => {
    const { text, citations } = await compose(
      'Return shipping costs €12.90. [1]\n\nThe main brush costs €19.',
    );
    expect(text).toBe('Return shipping costs €12.90. [1]\n\nThe main brush costs €19. [2]');
    expect(citations.map(({ url }) => url)).toEqual([PASSAGES[1]!.url, PASSAGES[0]!.url]);
  });

  it('gives a number to each sentence that rests on other words than the next', async () => {
    const { text, citations } = await compose(
      'The main brush costs €19. You have 30 days to return a robot. [1, 2]',
    );
    expect(text).toBe('The main brush costs €19. [1] You have 30 days to return a robot. [2]');
    expect(citations.map(({ quote }) => quote)).toEqual([
      'Main brush – Price: €19',
      'You can return a robot within 30 days.',
    ]);
  });

  it('puts no number within a date', async () => {
    const answer = 'You can return a robot bis zum 30. Januar, return shipping costs €12.90.';
    expect((await compose(`${answer} [2]`)).text).toBe(`${answer} [1]`);
  });

  it('leaves a lead-in and a first "Yes." without a number', async () => {
    const answer = 'Yes. Shipping is free above €50. [1] The rest:\n- The main brush costs €19. [1]';
    expect((await compose(answer)).text).toBe(answer.replace('€19. [1]', '€19. [2]'));
  });
});

it('an answer is streamed word by word with the numbers that it has in the end', async () => {
  const answer =
    'The main brush costs €19 [1], shipping is free above €50. [1]\n- You have 30 days to return it. [2]\n- Return shipping costs €12.90. [2]';
  const reply = JSON.stringify({ answerable: true, answer, quotes: [] });
  const evidence = await evidenceOfPassages(PASSAGES, 'en');
  const shown: string[] = [];
  const known = addressesOf(PASSAGES.map(({ text }) => text));
  const material = { ...ASKED, evidence };
  const stream = answerStream(material, known, { progress: ({ text = '' }) => void shown.push(text) });
  stream.begin();
  for (const piece of reply.match(/[^]{1,7}/g)!) stream.push(piece);
  const { text } = await compose(answer);
  expect(shown.length).toBeGreaterThan(10);
  expect(text.startsWith(shown.join(''))).toBe(true);
  expect(shown.join('')).toContain('[2]');
});
