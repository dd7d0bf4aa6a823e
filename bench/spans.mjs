/**
 * Sections and key points of the embedded summarizer, against topics and questions whose place in meetings people marked.
 *
 *   npm run bench -- spans <meetings.jsonl>
 *
 * A line of the file: {id, turns: [{text}], topics: [{spans}], questions: [{spans}]}; a span is the first and the last turn, as in QMSum
 * (Zhong et al., 2021; github.com/Yale-LILY/QMSum). Words get times at 150 a minute. Borders are compared in steps of ten seconds.
 */
import { createRequire } from 'node:module';
import { seeded, readJsonl, sentencesOf, spaceWords } from './lib/texts.mjs';

const load = createRequire(import.meta.url);
const { ExtractiveSummarizer } = load('../dist/embedded/summary/extractive.summarizer.js');
const { withContext } = load('../dist/core/context.js');
const WORD_MS = 400;
const STEP_MS = 10_000;
/** Steps by which a border may be off. */
const NEAR = 3;
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
await sections();

/** A meeting with times: its sentences, the spans of its topics and questions in ms, and the borders of its topics in steps. */
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
  const topicSpans = spansOf(topics);
  const steps = Math.ceil(at / STEP_MS);
  const begins = topicSpans.flat().map(([from]) => Math.round(from / STEP_MS));
  const borders = [...new Set(begins)].filter((b) => b > 1 && b < steps - 1).sort((a, b) => a - b);
  return { id, segments, endMs: at, steps, topics: topicSpans, questions: spansOf(questions), borders };
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

/** Pk, WindowDiff and F1 of the borders of sections, next to simple ways to cut as many. */
async function sections() {
  console.log('\nsections: number, Pk, WindowDiff, F1 of borders within 30 s\n');
  const rows = {
    ours: [],
    'TextTiling, as many': [],
    'equal lengths, as many': [],
    'random, as many': [],
    none: [],
  };
  for (const meeting of meetings) {
    const { steps, borders, id } = meeting;
    const begins = (await summarize(meeting, 'medium')).sections.map(({ startMs }) =>
      Math.round(startMs / STEP_MS),
    );
    const ours = begins.slice(1).filter((b) => b > 0 && b < steps);
    const random = seeded(id);
    const draws = Array.from({ length: 50 }, () => ours.map(() => 1 + Math.floor(random() * (steps - 1))));
    const scored = (cuts) => [cuts.length, ...windows(borders, cuts, steps), f1(borders, cuts)];
    rows.ours.push(scored(ours));
    rows['TextTiling, as many'].push(scored(textTiling(meeting, ours.length)));
    rows['equal lengths, as many'].push(
      scored(ours.map((_, k) => Math.round(((k + 1) * steps) / (ours.length + 1)))),
    );
    const all = draws.map((cuts) => scored(cuts.sort((a, b) => a - b)));
    rows['random, as many'].push([0, 1, 2, 3].map((k) => mean(all.map((row) => row[k]))));
    rows.none.push(scored([]));
  }
  console.log(`${'people'.padEnd(24)} ${mean(meetings.map((m) => m.borders.length)).toFixed(1)}`);
  for (const [name, list] of Object.entries(rows))
    console.log(
      `${name.padEnd(24)} ${mean(list.map(([n]) => n)).toFixed(1)}`,
      ...[1, 2, 3].map((k) => percent(list.map((row) => row[k]))),
    );
}

/** Pk (Beeferman et al., 1999) and WindowDiff (Pevzner and Hearst, 2002). */
function windows(reference, cuts, steps) {
  const labels = (borders) => {
    const set = new Set(borders);
    let label = 0;
    return Array.from({ length: steps }, (_, k) => (set.has(k) ? ++label : label));
  };
  const [r, h] = [labels(reference), labels(cuts)];
  const size = Math.max(2, Math.round(steps / (reference.length + 1) / 2));
  let [pk, diff] = [0, 0];
  for (let k = 0; k + size < steps; k++) {
    const [a, b] = [r[k + size] - r[k], h[k + size] - h[k]];
    if ((a === 0) !== (b === 0)) pk++;
    if (a !== b) diff++;
  }
  const count = Math.max(1, steps - size);
  return [pk / count, diff / count];
}

function f1(reference, cuts) {
  const free = new Set(reference);
  let hits = 0;
  for (const cut of cuts) {
    const near = [...free]
      .filter((b) => Math.abs(b - cut) <= NEAR)
      .sort((a, b) => Math.abs(a - cut) - Math.abs(b - cut));
    if (near.length > 0 && free.delete(near[0])) hits++;
  }
  return hits > 0 ? (2 * hits) / (reference.length + cuts.length) : 0;
}

/** TextTiling (Hearst, 1997): blocks of ten times twenty words, cosine, the deepest valleys at least a minute apart. */
function textTiling({ segments, steps }, count) {
  const words = segments.flatMap(({ text, startMs }) =>
    (text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map((word) => ({ word, startMs })),
  );
  const groups = [];
  for (let k = 0; k + 20 <= words.length; k += 20) groups.push(words.slice(k, k + 20));
  const bag = (from, to) => {
    const counts = new Map();
    for (const { word } of groups.slice(Math.max(0, from), to).flat())
      counts.set(word, (counts.get(word) ?? 0) + 1);
    return counts;
  };
  const norm = (a) => Math.sqrt([...a.values()].reduce((sum, n) => sum + n * n, 0)) || 1;
  const cosine = (a, b) =>
    [...a].reduce((sum, [word, n]) => sum + n * (b.get(word) ?? 0), 0) / norm(a) / norm(b);
  const raw = groups.map((_, k) => cosine(bag(k - 10, k), bag(k, k + 10)));
  const smooth = raw.map((_, k) => mean(raw.slice(Math.max(0, k - 1), k + 2)));
  const depths = smooth.map((value, k) => {
    let [left, right] = [k, k];
    while (left > 0 && smooth[left - 1] >= smooth[left]) left--;
    while (right + 1 < smooth.length && smooth[right + 1] >= smooth[right]) right++;
    return {
      depth: smooth[left] + smooth[right] - 2 * value,
      at: Math.round(groups[k][0].startMs / STEP_MS),
    };
  });
  const cuts = [];
  for (const { at } of depths.sort((a, b) => b.depth - a.depth))
    if (cuts.length < count && at > 0 && at < steps && cuts.every((c) => Math.abs(c - at) >= 6))
      cuts.push(at);
  return cuts.sort((a, b) => a - b);
}
