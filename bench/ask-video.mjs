/**
 * Questions to videos without a model: own questions over the demo talks, and, with a file, questions of QMSum with the spans that people
 * marked (github.com/Yale-LILY/QMSum, as JSON lines of `{turns: [{speaker, text}], questions: [{question, spans: [[from, to]]}]}`), next to
 * BM25 over the same passages.
 *
 *   npm run bench -- ask-video [qmsum.jsonl [half]]     ALL=1 prints every answer
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { QUESTIONS } from './ask-video/questions.mjs';

const require = createRequire(import.meta.url);
const { NestFactory } = require('@nestjs/core');
const { AskVideoService, memoryTranscripts, ToolsModule } = require('../dist-app/lib/index.js');
const { divide, textOf } = require('../dist-app/lib/content/transcript-formats.js');
const { DEMO_TALKS } = require('../dist-app/sample-app/content/talks/index.js');
const { stem, words } = require('../dist-app/lib/text/tokens.js');

/** Speed of speech, ms a word. */
const MS = 400;
const [file, half] = process.argv.slice(2);
const meetings = file
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter((meeting) => !half || meeting.half === half)
      .map((meeting, i) => ({ ...meeting, video: `meeting${String(i).padStart(4, '0')}`, ...timed(meeting) }))
  : [];
const talks = { ...DEMO_TALKS, ...Object.fromEntries(meetings.map((m) => [m.video, m.talk])) };
const app = await NestFactory.createApplicationContext(
  ToolsModule.forRoot({
    youtube: { transcripts: [memoryTranscripts(talks)] },
    search: { providers: [] },
    askVideo: true,
  }),
  { logger: false },
);
const service = app.get(AskVideoService);
ownQuestions(await Promise.all(QUESTIONS.map(answered)));
if (meetings.length > 0) await qmsum();
await app.close();

async function answered({ video, question, ...expected }) {
  return { video, question, ...expected, result: await service.ask({ contentId: video, question }) };
}

/** `says`: words that the quotations of a right answer have. Without it the talk does not answer the question. */
function ownQuestions(rows) {
  const isAnswered = ({ result }) => result.outcome === 'answered';
  const isRight = ({ says, result }) =>
    says !== undefined && says.test(result.citations.map(({ quote }) => quote).join(' '));
  const known = rows.filter(({ says }) => says);
  const unknown = rows.filter(({ says }) => !says);
  if (process.env.ALL)
    for (const row of rows)
      console.log(
        `${isRight(row) ? '+' : '-'} ${row.video} ${row.question} → ${row.result.outcome} ${row.result.answerableProbability}\n    ${row.result.answer}`,
      );
  const shown = known.filter(isAnswered);
  console.log(`own questions over the demo talks, without a model
  answered by the talk: ${known.length}; the right words shown: ${known.filter(isRight).length}; as an answer: ${shown.filter(isRight).length}; a wrong answer: ${shown.filter((row) => !isRight(row)).length}
  not answered by the talk: ${unknown.length}; said so: ${unknown.filter((row) => !isAnswered(row)).length}`);
}

/** The turns of a meeting as segments, a sentence each. */
function timed({ turns }) {
  const segments = [];
  const starts = [];
  let at = 0;
  for (const { text } of turns) {
    starts.push(at);
    for (const [i, sentence] of (text.match(/[^.!?]+[.!?]*\s*/g) ?? []).entries()) {
      const end = at + Math.max(1, sentence.trim().split(/\s+/).length) * MS;
      if (sentence.trim())
        segments.push({
          startMs: at,
          endMs: end,
          text: sentence.trim(),
          ...(i === 0 ? { startsLine: true } : {}),
        });
      at = end;
    }
  }
  starts.push(at);
  return { talk: { title: 'Meeting', language: 'en', segments, chapters: [] }, starts };
}

async function qmsum() {
  const counts = { questions: 0, ours: 0, first: 0, answered: 0, rightAnswered: 0 };
  for (const { video, talk, starts, questions } of meetings) {
    const ranges = divide(talk.segments, [], { least: 100, most: 180 });
    const rank = bm25(ranges.map((range) => textOf(talk.segments, range)));
    for (const { question, spans } of questions) {
      if (question.length > 400) continue;
      const isInside = (ms) =>
        spans.some(([from, to]) => ms >= starts[from] && ms < starts[Math.min(to + 1, starts.length - 1)]);
      const { citations, outcome } = await service.ask({ contentId: video, question });
      const isHit = citations.some(({ startSeconds }) => isInside(startSeconds * 1000));
      const best = talk.segments[ranges[rank(question)].from];
      counts.questions++;
      counts.ours += isHit;
      counts.first += isInside(best.startMs);
      counts.answered += outcome === 'answered';
      counts.rightAnswered += outcome === 'answered' && isHit;
    }
  }
  const share = (n, of = counts.questions) => `${((100 * n) / of).toFixed(1)} %`;
  console.log(`QMSum, ${meetings.length} meetings, ${counts.questions} questions
  a citation inside a marked span: ours ${share(counts.ours)}, best passage by BM25 ${share(counts.first)}
  outcome answered: ${share(counts.answered)}, of these inside ${share(counts.rightAnswered, counts.answered)}`);
}

/** Plain BM25 (k1 1.2, b 0.75) on stems. */
function bm25(texts) {
  const terms = (text) => words(text.toLowerCase()).map((word) => stem(word, 'en'));
  const bags = texts.map(terms);
  const mean = bags.reduce((sum, bag) => sum + bag.length, 0) / bags.length;
  const df = new Map();
  for (const bag of bags) for (const term of new Set(bag)) df.set(term, (df.get(term) ?? 0) + 1);
  return (query) => {
    const scores = bags.map((bag) => {
      let score = 0;
      for (const term of new Set(terms(query))) {
        const tf = bag.filter((one) => one === term).length;
        const idf = Math.log(1 + (bags.length - (df.get(term) ?? 0) + 0.5) / ((df.get(term) ?? 0) + 0.5));
        score += (idf * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * bag.length) / mean));
      }
      return score;
    });
    return scores.indexOf(Math.max(...scores));
  };
}
