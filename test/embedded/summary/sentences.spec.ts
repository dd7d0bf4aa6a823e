import { LANGUAGES } from '../../../lib/text/languages.js';
import { findSentences } from '../../../lib/embedded/summary/sentences.js';
import { tokenize, type TimedText } from '../../../lib/embedded/summary/token-table.js';
import { asCaptions } from './content-of.js';
import { TALKS } from './talks.js';

const pause = (): undefined => undefined;
const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);
const timed = (texts: readonly string[], gapMs = 0): TimedText[] =>
  texts.map((text, k) => ({ text, startMs: k * (3000 + gapMs), endMs: k * (3000 + gapMs) + 3000 }));

/** The first words of the sentences that are found, as numbers of words. */
async function startsOf(lines: readonly TimedText[], language: string, verse = false): Promise<number[]> {
  const { bounds } = await findSentences(await tokenize(lines, language, pause), pause, verse);
  return bounds.slice(0, -1);
}

describe('sentences of captions without punctuation', () => {
  it('are found by the words around their borders: most that are found are right', async () => {
    let [found, right, all] = [0, 0, 0];
    for (const language of LANGUAGES) {
      const borders = new Set<number>();
      let count = 0;
      for (const line of TALKS[language].split('\n'))
        for (const sentence of line.split(/(?<=[.!?])\s+/)) {
          borders.add(count);
          count += words(asCaptions(sentence).join(' ')).length;
        }
      const starts = await startsOf(timed(asCaptions(TALKS[language])), language);
      found += starts.length;
      right += starts.filter((start) => borders.has(start)).length;
      all += borders.size;
    }
    expect(right / found).toBeGreaterThan(0.5);
    expect(right / all).toBeGreaterThan(0.4);
  });

  it('are cut at their likeliest borders where no border is likely for 70 words', async () => {
    const said = Array.from(
      { length: 30 },
      () => 'the oven of the bakery costs more than the door of the shop',
    );
    const starts = await startsOf(timed(said), 'en');
    const lengths = starts.map((start, k) => (starts[k + 1] ?? 30 * 13) - start);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(70);
    // Each begins with a "the" that follows a noun.
    expect(starts.every((start) => start % 13 === 0)).toBe(true);
  });

  it('end at a long silence', async () => {
    const lines = ['the oven of the bakery', 'loses heat every day'];
    expect(await startsOf(timed(lines), 'en')).toEqual([0]);
    expect(await startsOf(timed(lines, 2000), 'en')).toEqual([0, 5]);
  });
});

describe('lines', () => {
  const lines = [
    'The oven of the bakery',
    'Costs of the oven',
    'and of the door.',
    'It is hot.',
    'Bread rises.',
  ];

  it('end a sentence unless the next line goes on with it', async () => {
    expect(await startsOf(timed(lines), 'en')).toEqual([0, 5, 13, 16]);
  });

  it.each([
    ['small letters', (text: string) => text],
    ['capitals only', (text: string) => text.toUpperCase()],
  ])('end no sentence in captions of which most end with a sentence, in %s', async (_name, written) => {
    const cues = [
      'The road is closed until the end of the',
      'March sale.',
      'It carries forty thousand',
      'lorries.',
      'The council asks for a report on the',
      'bridge over the river.',
      'The report is late.',
      'It costs a hundred thousand euros.',
    ];
    expect(await startsOf(timed(cues.map(written)), 'en')).toEqual([0, 11, 16, 28, 32]);
  });

  it('each stand for themselves in a song', async () => {
    expect(await startsOf(timed(lines), 'en', true)).toEqual([0, 5, 9, 13, 16]);
  });
});
