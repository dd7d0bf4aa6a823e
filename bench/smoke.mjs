/**
 * Does every bench still run? Starts each with tiny inputs and stops it when it has printed its first figures; the figures
 * themselves are not judged, but for the overhead. Fails for a bench that fails before, takes longer than two minutes, or is not listed here. Needs `redis-server` and PostgreSQL.
 *
 *     npm run bench -- smoke [part of a name]
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const BENCH = fileURLToPath(new URL('.', import.meta.url));
const PATIENCE_MS = 120_000;
const folder = await mkdtemp(join(tmpdir(), 'nestjs-tools-smoke-'));

const SENTENCES = [
  'Coral reefs are built by tiny animals called polyps.',
  'Each polyp takes calcium out of the sea water, and it lays down limestone beneath itself.',
  'When the water stays too warm for weeks, the polyp expels its algae and turns white.',
  'A bleached coral is still alive, and it can recover when the water cools in time.',
];
const text = Array(20).fill(SENTENCES.join(' ')).join(' ');
const items = (await readFile(join(BENCH, 'replies/items.jsonl'), 'utf8')).split('\n').slice(0, 2);
const fileOf = async (name, rows) => {
  const file = join(folder, name);
  await writeFile(file, rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n'));
  return file;
};
const texts = await fileOf('texts.jsonl', [
  { id: 'a', language: 'en', transcript: text, reference: SENTENCES[0] },
]);
const replies = await fileOf('replies.jsonl', items);
const meetings = await fileOf('meetings.jsonl', [
  {
    id: 'a',
    turns: Array.from({ length: 80 }, (_, i) => ({ text: SENTENCES[i % 4] })),
    topics: [{ spans: [[0, 39]] }, { spans: [[40, 79]] }],
    questions: [{ spans: [[10, 20]] }],
  },
]);
const pages = Array.from({ length: 12 }, (_, i) => ({
  id: `page-${i}`,
  url: `https://site-${i}.example/`,
  kind: 'article',
  text: text.slice(0, 1000 + 100 * i),
}));
await mkdir(join(folder, 'wcxb/html'), { recursive: true });
await fileOf('wcxb/labels.jsonl', pages);
for (const { id, text: main } of pages) {
  const html = `<nav class="menu"><a href="/">Home</a></nav><article><p>${main}</p></article><footer>All rights reserved</footer>`;
  await writeFile(join(folder, `wcxb/html/${id}.html.gz`), gzipSync(html));
}

/** A row of a table with a figure in it. */
const ROW = /^[|│].*\d.*[|│]$/m;
/** Arguments, and what is printed when it has run far enough. */
const RUNS = {
  'answers.mjs': [['--every', '20'], /\d %/],
  'ask-video.mjs': [[], /\d/],
  'batches.mjs': [[], /200 items: 200 done/],
  // It asks services outside.
  'canary.mjs': [['--help'], /--only/],
  'data.mjs': [[], /kept \d+\/\d/],
  'extract.mjs': [[], ROW],
  'extractive.mjs': [[texts], ROW],
  'fit-reader.mjs': [[folder, '--folds'], ROW],
  'llm.mjs': [['--sizes', '1'], ROW],
  'neighbours.mjs': [
    ['refusals', '--seconds', '1', '--rounds', '1', '--adapters', 'Express'],
    /^\| refusals/m,
  ],
  // Overhead grew threefold once, and nobody saw it.
  'overhead.mjs': [['--check'], /is within its bounds/],
  'played-answers.mjs': [['--read', 'b13'], /\w/],
  'played.mjs': [['--read', 'a13'], /\w/],
  'postgres.mjs': [['--scale', '100', '--postgres-only'], /\d/],
  'redis.mjs': [[], /\d/],
  'replies.mjs': [[replies], /\d/],
  'research.mjs': [['failures'], ROW],
  'scale.mjs': [
    ['--workers', '1', '--concurrency', '1', '--words', '3000', '--jobs', '3,2'],
    /Redis memory a job: \d/,
  ],
  'search.mjs': [[], /\d\.\d \//],
  'sentences.mjs': [[], ROW],
  'soak.mjs': [['--seconds', '3', '--concurrency', '5'], /open handles/],
  'spans.mjs': [[meetings], /^long\s+random/m],
};
/** Parts of others. */
const PARTS = ['llm-transcripts.mjs', 'run.mjs', 'smoke.mjs'];

function run(file, [args, enough]) {
  const started = performance.now();
  const child = spawn(process.execPath, [join(BENCH, file), ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let isEnough = false;
  const stop = () => {
    try {
      process.kill(-child.pid, 'SIGTERM');
    } catch {
      // It has ended.
    }
  };
  const late = setTimeout(stop, PATIENCE_MS);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
      if (isEnough || !enough.test(printed)) return;
      isEnough = true;
      stop();
    });
  return new Promise((resolve) =>
    child.once('close', () => {
      clearTimeout(late);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${isEnough ? 'ok    ' : 'FAILED'} ${file.padEnd(20)} ${seconds.padStart(6)} s`);
      resolve(isEnough ? undefined : `${file}\n${printed.split('\n').slice(-15).join('\n')}`);
    }),
  );
}

try {
  const wanted = process.argv[2] ?? '';
  const files = (await readdir(BENCH)).filter((name) => name.endsWith('.mjs') && !PARTS.includes(name));
  const failures = files.filter((file) => !RUNS[file]).map((file) => `${file} has no run in bench/smoke.mjs`);
  for (const [file, how] of Object.entries(RUNS))
    if (file.includes(wanted)) failures.push((await run(file, how)) ?? []);
  const failed = failures.flat();
  for (const failure of failed) console.error(`\n== ${failure}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}
