import { withContext } from '../../../lib/core/context.js';
import type { Answer, AnswerPassage } from '../../../lib/search/answer-engine.js';
import { embeddedAnswers } from '../../../lib/embedded/answer/embedded-answers.js';
import { documents } from '../../../lib/search/providers/documents.provider.js';
import { serviceWith } from '../../search/search.fixtures.js';

const pages = (texts: readonly string[], title = ''): AnswerPassage[] =>
  texts.map((text, i) => ({ url: `https://site${i}.example/page`, title, text, score: 1 - i / 10 }));
const ask = (query: string, texts: readonly string[], title?: string): Promise<Answer> =>
  withContext(5000, {}, (context) => embeddedAnswers().answer(query, pages(texts, title), context));
const isContradicted = ({ warnings }: Answer): boolean => warnings.some((w) => w.code === 'sources_disagree');

const TUNNEL = 'How long is the Albula tunnel?';
const SHORT = 'The Albula tunnel is 13 km long.';
const LONG = 'Trains have run here for a century. The Albula tunnel is 18 km long.';

describe('sources that contradict each other', () => {
  it('are both quoted, with a warning and a probability below that of either alone', async () => {
    const alone = await ask(TUNNEL, [SHORT]);
    const both = await ask(TUNNEL, [SHORT, LONG]);
    expect(alone.warnings).toEqual([]);
    expect(alone.text).toBe(`${SHORT} [1]`);
    expect(both.answerableProbability).toBeLessThan(0.6 * alone.answerableProbability);
    expect(both.text).toBe(
      'I found no clear answer. The sources differ: The Albula tunnel is 13 km long. [1] The Albula tunnel is 18 km long. [2]',
    );
    expect(both.citations.map((c) => c.url)).toEqual([
      'https://site0.example/page',
      'https://site1.example/page',
    ]);
    expect(both.warnings).toEqual([
      {
        code: 'sources_disagree',
        message: 'Sources contradict each other: “13 km”, “18 km”.',
      },
    ]);
  });

  it('are answered with the value of the majority, and the other one', async () => {
    const answer = await ask(TUNNEL, [
      SHORT,
      LONG,
      'At 13,000 metres the Albula tunnel is long.',
      'The Albula tunnel is 13.0 km long.',
    ]);
    expect(answer.answerableProbability).toBeGreaterThan(0.5);
    expect(answer.text).toBe(
      'The Albula tunnel is 13 km long. [1] Another source says something else: The Albula tunnel is 18 km long. [2]',
    );
    expect(isContradicted(answer)).toBe(true);
  });

  it.each([
    [
      'years',
      'When was the bridge of Visegrad opened?',
      'The bridge of Visegrad was opened in 1571.',
      'The bridge of Visegrad was opened in 1577.',
    ],
    [
      'dates',
      'When did the ship Vega sink?',
      'The ship Vega sank on 4 May 1903.',
      'The ship Vega sank on 19 May 1903.',
    ],
    [
      'exact counts',
      'How many people died in the flood?',
      'In the flood 1,517 people died.',
      'In the flood 1,496 people died.',
    ],
    [
      'counts',
      'How many pupils does the school have?',
      'The school has 420 pupils.',
      'The school has 610 pupils.',
    ],
    [
      'bounds',
      'How deep can the seal dive?',
      'The seal can dive up to 300 metres deep.',
      'The seal can dive up to 500 metres deep.',
    ],
  ])('are noticed: %s', async (_, query, first, second) => {
    expect(isContradicted(await ask(query, [first, second]))).toBe(true);
  });

  it.each([
    ['a rounding', TUNNEL, SHORT, 'The Albula tunnel is about 12.9 kilometres long.'],
    ['another unit', TUNNEL, SHORT, 'The Albula tunnel is 13,000 metres long.'],
    ['miles', TUNNEL, SHORT, 'The Albula tunnel is 8.1 miles long.'],
    ['a bound', TUNNEL, SHORT, 'The Albula tunnel is more than 12 km long.'],
    ['another thing of its kind', TUNNEL, SHORT, 'The Albula road tunnel is 18 km long.'],
    [
      'another measure',
      TUNNEL,
      SHORT,
      'The Albula tunnel lies 1,820 metres above the sea and is 6 metres wide.',
    ],
    [
      'another time',
      'How many people live in Ardez?',
      'In 1950 there live 600 people in Ardez.',
      'In 2020 there live 430 people in Ardez.',
    ],
    ['a plan', TUNNEL, SHORT, 'The Albula tunnel was planned to be 18 km long.'],
    [
      'a day beside its year',
      'When was the mill of Ardez opened?',
      'The mill of Ardez was opened in 1882.',
      'The mill of Ardez was opened on 1 June 1882.',
    ],
    [
      'what stands around a price with both signs',
      'How much does the Zenbook laptop cost?',
      'The Zenbook laptop costs $1,299.99.',
      'The Zenbook laptop costs $1,299.99, or less in most shops.',
    ],
    [
      'a decade around a year',
      'When did the wall of Ardez fall?',
      'The wall of Ardez fell in 1989.',
      'The wall of Ardez fell in the 1980s.',
    ],
    [
      'years around a year',
      'When was the abbey of Ardez built?',
      'The abbey of Ardez was built between 1163 and 1345.',
      'The abbey of Ardez was built in 1250.',
    ],
    [
      'years in short',
      'When was the tower of Ardez built?',
      'The tower of Ardez was built 1887-89.',
      'The tower of Ardez was built in 1889.',
    ],
    [
      'days around a day',
      'When was the fair of Ardez held?',
      'The fair of Ardez was held from 5 to 9 May.',
      'The fair of Ardez was held on 7 May.',
    ],
    [
      'two units',
      'How long does the tour of Ardez take?',
      'The tour of Ardez takes 2 hours 30 minutes.',
      'The tour of Ardez takes 150 minutes.',
    ],
    [
      'something else of another unit',
      'How much does the bell of Ardez weigh?',
      'The bell of Ardez weighs 30 kilograms and 66 pounds of rope hang from it.',
      'The bell of Ardez weighs 30 kilograms.',
    ],
    [
      'years before our era around a year',
      'When was the tomb of Ardez built?',
      'The tomb of Ardez was built from 1500 to 1200 BC.',
      'The tomb of Ardez was built in 1400 BC.',
    ],
    [
      'a closing nought',
      'How long is the beam of Ardez?',
      'The beam of Ardez is 0.500 metres long.',
      'The beam of Ardez is 0.5 metres long.',
    ],
    [
      'a later version',
      'When was Python released?',
      'Python was released in 1991.',
      'Python 3 was released in 2008.',
    ],
    [
      'whom a price is for',
      'How much does the ticket cost?',
      'The ticket costs $10.',
      'The ticket costs $5 for children.',
    ],
    [
      'an exact number',
      'How many pupils does the school have?',
      'The school has about 400 pupils.',
      'The school has 416 pupils.',
    ],
  ])('are not those that differ by %s', async (_, query, first, second) => {
    const answer = await ask(query, [first, second]);
    expect(isContradicted(answer)).toBe(false);
    expect(answer.answerableProbability).toBeGreaterThan(0.5);
  });

  it('do not contradict themselves on one page', async () => {
    const twice = pages([SHORT, LONG]).map((page) => ({ ...page, url: 'https://one.example/page' }));
    const answer = await withContext(5000, {}, (context) => embeddedAnswers().answer(TUNNEL, twice, context));
    expect(isContradicted(answer)).toBe(false);
  });

  it('stay in the cache: the warning is of the sources, not of the moment', async () => {
    const kept = new Map<string, unknown>();
    const service = serviceWith(
      [documents(pages([SHORT, LONG], 'The Albula tunnel'))],
      {},
      {
        cache: {
          get: (key) => Promise.resolve(kept.get(key)),
          set: (key, value) => Promise.resolve(void kept.set(key, value)),
        },
      },
    );
    const request = { query: TUNNEL, llmAnswer: true };
    const first = await service.search(request);
    expect(first.warnings).toMatchObject([{ code: 'sources_disagree' }]);
    expect(await service.search(request)).toMatchObject({ cached: true, warnings: first.warnings });
  });
});
