/**
 * How good and how fast the embedded summarizer is.
 *
 *   npm run bench -- extractive <texts.jsonl>            quality, beside Lead and, with BENCH_DIR=<folder>, npm packages
 *   npm run bench -- extractive --speed <texts.jsonl>    150,000 words ten times: seconds, memory, event loop
 *   … --words <n>                                        in as many words; default 150
 *   … --out <folder>                                     also writes the summaries, one JSON object a line
 *
 * A line of the file: {id, language, transcript, reference}. Every text is given to memoryTranscripts, as a host would, and summarized
 * as it is written and as automatic captions carry it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { interval } from './lib/bootstrap.mjs';
import { qualityOf } from './lib/quality.mjs';
import { rivals } from './lib/rivals.mjs';
import { contentRecallOf, rouge } from './lib/rouge.mjs';
import { measureSpeed } from './lib/speed.mjs';
import { captionsOf, cutTo, readJsonl, sentencesOf, spaceWords } from './lib/texts.mjs';

const load = createRequire(import.meta.url);
const { memoryTranscripts } = load('../dist/content/youtube/providers/memory.provider.js');
const { summarizeExtractive } = load('../dist/embedded/summary/index.js');
const MEASURES = ['r1', 'r2', 'rl', 'cr'];
const TIME_LIMIT_MS = 10_000;

const { values: options, positionals } = parseArgs({
  options: {
    speed: { type: 'boolean' },
    words: { type: 'string', default: '150' },
    out: { type: 'string' },
  },
  allowPositionals: true,
});
const WORDS = Number(options.words);
const outDir = options.out;
const [file] = positionals;
if (!file) {
  console.error('usage: npm run bench -- extractive [--speed] [--words <n>] [--out <folder>] <texts.jsonl>');
  process.exit(2);
}
const documents = readJsonl(file);
const languages = () => [...new Set(documents.map((d) => d.language))].sort();
const mean = (values) => values.reduce((a, b) => a + b, 0) / (values.length || 1);
if (options.speed) await measureSpeed(summarizeExtractive, documents);
else await compareQuality();

async function compareQuality() {
  const recall = contentRecallOf(documents);
  const ours = {
    name: 'ours',
    summarize: async (text, { language, segments }) => {
      const held = await asHostHolds(text, language, segments);
      return (await summarizeExtractive('', { language, maxWords: WORDS, segments: held })).summary;
    },
  };
  const contenders = [ours, ...(await rivals(process.env.BENCH_DIR))];
  for (const shape of ['clean', 'captions']) {
    const inputs = documents.map((d) => inputOf(d, shape));
    console.log(`\n## ${shape}, ${WORDS} words\n`);
    const results = [];
    for (const contender of contenders) results.push(await run(contender, inputs, recall, shape));
    printScores(results);
    printQuality(results);
    printBootstrap(results[0], results[1]);
  }
}

/** The transcript on the way that a host's takes: given to memoryTranscripts, and read back as segments. */
async function asHostHolds(text, language, segments) {
  const id = 'transcript_';
  const given = segments
    ? segments.map((s) => ({ startMs: s.start * 1000, endMs: (s.start + s.duration) * 1000, text: s.text }))
    : undefined;
  const provider = memoryTranscripts({ [id]: given ? { language, segments: given } : { language, text } });
  const video = await provider.fetchTranscript(id);
  return video.segments.map((s) => ({
    text: s.text,
    start: s.startMs / 1000,
    duration: (s.endMs - s.startMs) / 1000,
  }));
}

function inputOf(d, shape) {
  if (shape === 'clean') return { d, text: d.transcript, source: d.transcript, segments: undefined };
  const segments = captionsOf(d);
  return {
    d,
    segments,
    text: segments.map((s) => s.text).join(' '),
    source: segments.map((s) => s.text).join('\n'),
  };
}

async function run({ name, summarize }, inputs, recall, shape) {
  const rows = [];
  let ms = 0;
  let words = 0;
  let failed = 0;
  const idle = process.memoryUsage().rss;
  let peak = idle;
  for (const { d, text, source, segments } of inputs) {
    const n = spaceWords(text).length;
    const sentences = Math.max(1, Math.round((WORDS * sentencesOf(text).length) / n));
    const began = performance.now();
    let summary = '';
    try {
      const made = summarize(text, { language: d.language, segments, words: WORDS, sentences });
      summary = cutTo(String((await within(made)) ?? ''), WORDS);
    } catch {
      failed++;
    }
    ms += performance.now() - began;
    words += n;
    peak = Math.max(peak, process.memoryUsage().rss);
    rows.push({
      id: d.id,
      language: d.language,
      summary,
      ...rouge(summary, d.reference, d.language),
      cr: recall(summary, d),
      quality: qualityOf(summary, source),
    });
  }
  if (outDir) {
    mkdirSync(outDir, { recursive: true });
    const lines = rows.map(({ id, summary }) => JSON.stringify({ id, summary }));
    writeFileSync(join(outDir, `${name.replace(/\W+/g, '-')}.${shape}.jsonl`), `${lines.join('\n')}\n`);
  }
  return { name, rows, failed, wordsPerSecond: (1000 * words) / ms, memory: (peak - idle) / 2 ** 20 };
}

function within(work) {
  let timer;
  const limit = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error('time limit')), TIME_LIMIT_MS);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

function printScores(results) {
  const names = languages();
  console.log(`ROUGE-1 / ROUGE-2 / ROUGE-Lsum (content recall), F1 x 100\n`);
  console.log(`| method | ${names.join(' | ')} | failed | words/s | peak MB above idle |`);
  console.log(`|---|${names.map(() => '---|').join('')}---|---|---|`);
  for (const { name, rows, failed, wordsPerSecond, memory } of results) {
    const cells = names.map((language) => {
      const own = rows.filter((row) => row.language === language);
      const [r1, r2, rl, cr] = MEASURES.map((m) => (100 * mean(own.map((row) => row[m]))).toFixed(1));
      return `${r1}/${r2}/${rl} (${cr})`;
    });
    const speed = Math.round(wordsPerSecond).toLocaleString('en-US');
    console.log(`| ${name} | ${cells.join(' | ')} | ${failed} | ${speed} | ${memory.toFixed(0)} |`);
  }
}

function printQuality([{ rows }]) {
  console.log(
    '\n| ours | n | filler % | repeat % | verbatim % | first/middle/last third % | sentence ends % |',
  );
  console.log('|---|---|---|---|---|---|---|');
  for (const language of languages()) {
    const own = rows.filter((row) => row.language === language).map((row) => row.quality);
    const of = (key) => mean(own.map((q) => q[key])).toFixed(1);
    const thirds = `${of('first')}/${of('middle')}/${of('last')}`;
    console.log(
      `| ${language} | ${own.length} | ${of('filler')} | ${of('repeat')} | ${of('verbatim')} | ${thirds} | ${of('ends')} |`,
    );
  }
}

function printBootstrap(ours, lead) {
  console.log('\nOurs minus Lead, paired bootstrap, 95 %\n');
  console.log(
    '| language | n | ROUGE-1 | ROUGE-2 | ROUGE-Lsum | content recall |\n|---|---|---|---|---|---|',
  );
  for (const language of [...languages(), 'all']) {
    const keep = ours.rows
      .map((_, i) => i)
      .filter((i) => language === 'all' || ours.rows[i].language === language);
    const cells = MEASURES.map((m) => {
      const {
        mean: by,
        low,
        high,
      } = interval(
        keep.map((i) => 100 * (ours.rows[i][m] - lead.rows[i][m])),
        language + m,
      );
      const verdict = low > 0 ? ' better' : high < 0 ? ' worse' : '';
      return `${by.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]${verdict}`;
    });
    console.log(`| ${language} | ${keep.length} | ${cells.join(' | ')} |`);
  }
}
