import { InvalidOptionError } from '../../../lib/core/errors.js';
import { withContext } from '../../../lib/core/context.js';
import type { AnswerPassage } from '../../../lib/search/answer-engine.js';
import { ExtractiveAnswer } from '../../../lib/search/answer/extractive-answer.js';

const SHIPS: AnswerPassage[] = [
  {
    url: 'https://ships.example/bismarck',
    title: 'Bismarck',
    score: 0.9,
    text: 'The British fleet hunted the battleship Bismarck for days. The Bismarck sank HMS Hood on 24 May 1941. Three days later the Bismarck was sunk by HMS King George V and HMS Rodney.',
  },
];

function ask(query: string, passages = SHIPS, engine = new ExtractiveAnswer()) {
  return withContext(1000, {}, (context) => engine.answer(query, passages, context));
}

describe('ExtractiveAnswer', () => {
  it.each([
    ['Who sank the Bismarck?', 'sunk by HMS King George V'],
    ['Which ship sank HMS Hood?', 'The Bismarck sank HMS Hood'],
    ['When was HMS Hood sunk?', '24 May 1941'],
  ])('finds who did what to whom: %s', async (query, words) => {
    const { text, answerableProbability } = await ask(query);
    expect(text).toContain(words);
    expect(answerableProbability).toBeGreaterThan(0.5);
  });

  it.each([
    'Who sank HMS Rodney?',
    'When did HMS Hood sink the Bismarck?',
    'What was the length of the Bismarck?',
    'Who sank the Tirpitz?',
    'Which ship did the Bismarck sink in 1938?',
  ])('does not believe swapped roles, other names, other years and missing attributes: %s', async (query) => {
    const { answerableProbability } = await ask(query);
    expect(answerableProbability).toBeLessThan(0.5);
  });

  it('quotes word for word and marks each sentence with its source', async () => {
    const { text, citations } = await ask('Who sank the Bismarck?');
    citations.forEach(({ index, quote, url }, i) => {
      expect(index).toBe(i + 1);
      expect(text).toContain(`${quote} [${index}]`);
      expect(SHIPS.find((p) => p.url === url)!.text).toContain(quote);
    });
    expect(citations.length).toBeGreaterThan(0);
  });

  it('takes marks of the page itself out of what it says, not out of the quotation', async () => {
    const { text, citations } = await ask('How tall is the tower of Ardez?', [
      {
        url: 'https://t.example',
        title: 'Tower',
        score: 1,
        text: 'The tower of Ardez is 30 m tall.[3] It is old.',
      },
    ]);
    expect(text).toBe('The tower of Ardez is 30 m tall. [1]');
    expect(citations[0]!.quote).toContain('[3]');
  });

  it('leaves brackets that are no notes, in parentheses where they would pass for a citation', async () => {
    const text = 'Use list[0] and list[1] to get the first element of a list and a[i] for others.';
    const page = { url: 'https://t.example', title: 'Lists', score: 1, text };
    const answer = await ask('How do I get the first element of a list?', [page]);
    expect(answer.text).toContain(
      'Use list(0) and list(1) to get the first element of a list and a[i] for others. [1]',
    );
  });

  it('has nothing to say without passages', async () => {
    expect(await ask('Who sank the Bismarck?', [])).toMatchObject({
      text: 'I found nothing about this in the sources.',
      outcome: 'not_found',
      answerableProbability: 0.02,
      citations: [],
    });
  });

  it('abstains below the threshold that a host sets', async () => {
    const engine = new ExtractiveAnswer({ threshold: 0.99 });
    const { text, outcome } = await ask('Who sank the Bismarck?', SHIPS, engine);
    expect(text).toMatch(/^I found no clear answer\. Closest match in the sources: /);
    expect(outcome).toBe('related');
    expect(() => new ExtractiveAnswer({ threshold: 2 })).toThrow(InvalidOptionError);
  });

  it('reads a transcript without any full stop', async () => {
    const talk = `so today we talk about the capital of brazil which is brasilia and it was built in 1960 ${'and then we went on about the food '.repeat(30)}`;
    const { text } = await ask('When was Brasilia built?', [
      { url: 'https://t.example', title: 'talk', score: 1, text: talk.trim() },
    ]);
    expect(text).toContain('built in 1960');
  });
});
