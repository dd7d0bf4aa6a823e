import type { Content } from '../../../lib/content/content-source.js';

const SUBJECTS = ['gardener', 'engineer', 'committee', 'neighbour', 'museum', 'student', 'captain', 'baker'];
const VERBS = ['measured', 'described', 'repaired', 'questioned', 'compared', 'published', 'painted'];
const OBJECTS = [
  'bridge',
  'maps',
  'water supply',
  'recordings',
  'budget',
  'plants',
  'harbour',
  'ovens',
  'library',
];
const TAILS = ['before winter', 'with great care', 'a second time', 'in the open', 'without help'];

/** One sentence of a made-up talk; each has its own number, so that it can be told where it stands. */
export function sentenceOf(n: number): string {
  const pick = (list: readonly string[], step: number): string => list[Math.floor(n / step) % list.length]!;
  return `The ${pick(SUBJECTS, 1)} number ${n + 11} ${pick(VERBS, 2)} the ${pick(OBJECTS, 3)} ${pick(TAILS, 5)}.`;
}

/** A talk of so many sentences, four seconds each, ten words each. */
export function talk(sentences: number, more: Partial<Content> = {}): Content {
  return {
    id: 'talk0000000',
    url: 'https://www.youtube.com/watch?v=talk0000000',
    title: 'A talk about many people',
    channel: 'The channel',
    durationMs: sentences * 4000,
    language: 'en',
    captions: 'manual',
    segments: Array.from({ length: sentences }, (_, n) => ({
      startMs: n * 4000,
      endMs: n * 4000 + 3900,
      text: sentenceOf(n),
    })),
    chapters: [],
    provider: 'test',
    ...more,
  };
}
