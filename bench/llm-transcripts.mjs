import { readFileSync } from 'node:fs';

const MS_PER_WORD = 400; // 150 words a minute

/** English spoken transcripts of a JSON-lines file (`{language, spoken, transcript}` a line) one after the other, or generated text. */
export function transcript(words, file) {
  const lines = [];
  let count = 0;
  for (const line of file ? linesOf(file) : generatedLines()) {
    const own = line.split(/\s+/).filter(Boolean);
    if (count + own.length >= words) {
      lines.push(own.slice(0, words - count).join(' '));
      break;
    }
    lines.push(own.join(' '));
    count += own.length;
  }
  return lines.filter(Boolean);
}

function linesOf(file) {
  const texts = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter(({ language, spoken }) => language === 'en' && spoken)
    .flatMap(({ transcript }) => transcript.split('\n'));
  // Over again from the start where the file is shorter than what is asked for.
  return (function* () {
    for (;;) yield* texts;
  })();
}

const SUBJECTS = [
  'The gardener',
  'A young engineer',
  'The committee',
  'Our neighbour',
  'The museum',
  'Every student',
];
const VERBS = ['measured', 'described', 'repaired', 'questioned', 'compared', 'published'];
const OBJECTS = [
  'the old bridge',
  'a set of maps',
  'the water supply',
  'several recordings',
  'the yearly budget',
  'a list of plants',
];
const TAILS = [
  'before the winter came',
  'with great care',
  'for the second time',
  'because nobody else would',
  'in front of everyone',
  'without any help',
];

function* generatedLines() {
  for (let n = 0; ; n++) {
    const pick = (list, step) => list[Math.floor(n / step) % list.length];
    yield `${pick(SUBJECTS, 1)} number ${n + 11} ${pick(VERBS, 6)} ${pick(OBJECTS, 36)} ${pick(TAILS, 5)}.`;
  }
}

/** The lines as the content of a video, timed at 150 words a minute. */
export function contentOf(lines) {
  const segments = [];
  let at = 0;
  for (const text of lines) {
    const ms = text.split(/\s+/).length * MS_PER_WORD;
    segments.push({ startMs: at, endMs: at + ms, text });
    at += ms;
  }
  return {
    id: 'bench000000',
    url: 'https://www.youtube.com/watch?v=bench000000',
    title: 'Benchmark',
    durationMs: at,
    language: 'en',
    captions: 'manual',
    segments,
    chapters: [],
    provider: 'bench',
  };
}
