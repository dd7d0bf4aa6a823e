/**
 * Key points of the embedded summarizer, against topics and questions whose place in meetings people marked.
 *
 *   npm run bench -- spans <meetings.jsonl>
 *
 * A line of the file: {id, turns: [{text}], topics: [{spans}], questions: [{spans}]}; a span is the first and the last turn, as in QMSum
 * (Zhong et al., 2021; github.com/Yale-LILY/QMSum). Words get times at 150 a minute.
 */
import { createRequire } from 'node:module';
import { seeded, readJsonl, sentencesOf, spaceWords } from './lib/texts.mjs';

const load = createRequire(import.meta.url);
const { ExtractiveSummarizer } = load('../dist/embedded/summary/extractive.summarizer.js');
const { withContext } = load('../dist/core/context.js');
const WORD_MS = 400;
const POINTS = { short: 3, medium: 5, long: 8 };

const file = process.argv[2];
if (!file) {
  console.error('usage: npm run bench -- spans <meetings.jsonl>');
  process.exit(2);
}
const mean = (values) => values.reduce((a, b) => a + b, 0) / (values.length || 1);
const percent = (values) => (100 * mean(values)).toFixed(1).padStart(5);
const meetings = readJsonl(file).map(timed);
await keyPoints();

/** A meeting with times: its sentences, and the spans of its topics and questions in ms. */
function timed({ id, turns, topics, questions }) {
  let at = 0;
  const segments = [];
  const times = turns.map(({ text }) => {
    const startMs = at;
    for (const sentence of sentencesOf(text)) {
      const endMs = at + spaceWords(sentence).length * WORD_MS;
      segments.push({ text: sentence, startMs: at, endMs });
      at = endMs;
    }
    return { startMs, endMs: at };
  });
  const turn = (k) => times[Math.min(k, times.length - 1)];
  const spansOf = (items) =>
    items
      .map(({ spans }) =>
        spans.map(([from, to]) => [turn(from).startMs, turn(to).endMs]).filter(([from, to]) => to > from),
      )
      .filter((spans) => spans.length > 0);
  return { id, segments, endMs: at, topics: spansOf(topics), questions: spansOf(questions) };
}

function summarize({ id, segments, endMs }, length) {
  const content = {
    id,
    url: '',
    provider: 'bench',
    language: 'en',
    captions: 'manual',
    endMs,
    segments,
    chapters: [],
  };
  const request = { method: 'auto', outputLanguage: 'en', length };
  return withContext(600_000, {}, (context) =>
    new ExtractiveSummarizer().summarize(content, request, context),
  );
}

/** Shares of points inside a span of a question, and of topics and questions with a point inside. */
async function keyPoints() {
  console.log('key points, %: in a span of a question; topics and questions with a point\n');
  const isInside = (spans, ms) => spans.some(([from, to]) => ms >= from && ms < to);
  const found = (items, points) => mean(items.map((spans) => Number(points.some((p) => isInside(spans, p)))));
  for (const [length, most] of Object.entries(POINTS)) {
    const rows = { ours: [], 'evenly spaced': [], random: [] };
    for (const meeting of meetings) {
      const { endMs, topics, questions, id } = meeting;
      const random = seeded(id);
      const ours = (await summarize(meeting, length)).keyPoints.map(({ startMs }) => startMs);
      const draws = Array.from({ length: 200 }, () => Array.from({ length: most }, () => random() * endMs));
      const even = Array.from({ length: most }, (_, k) => ((k + 0.5) * endMs) / most);
      const scored = (points) => [
        mean(points.map((p) => Number(isInside(questions.flat(), p)))),
        found(topics, points),
        found(questions, points),
      ];
      rows.ours.push(scored(ours));
      rows['evenly spaced'].push(scored(even));
      const all = draws.map(scored);
      rows.random.push([0, 1, 2].map((k) => mean(all.map((row) => row[k]))));
    }
    for (const [name, list] of Object.entries(rows))
      console.log(
        `${length.padEnd(7)} ${name.padEnd(14)}`,
        ...[0, 1, 2].map((k) => percent(list.map((row) => row[k]))),
      );
  }
}
