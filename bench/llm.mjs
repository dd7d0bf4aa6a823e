/**
 * Calls, time and tokens of summaries by a language model, against a fake OpenAI-compatible server over real HTTP: 300 ms to the
 * first token, 80 tokens/s, at most 8 at a time (429 + Retry-After 1 beyond), window 128,000 tokens, answers of about 150 words.
 *
 *     npm run bench -- llm [transcripts.jsonl] [--only NAME] [--sizes 10,50,150] [--mode prose]
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Logger } from '@nestjs/common';
import { withContext } from '../dist/core/context.js';
import { ModelClient } from '../dist/model/client.js';
import { ModelSummarizer } from '../dist/summarize/model-summarizer.js';
import { startFakeLlm } from '../test/support/fake-llm/fake-llm.mjs';
import { contentOf, transcript } from './llm-transcripts.mjs';

Logger.overrideLogger(false);
const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args.splice(args.indexOf(name), 2)[1] : undefined);
const only = option('--only');
const mode = option('--mode') ?? 'right';
const sizes = (option('--sizes') ?? '10,50,150').split(',').map(Number);
const [file] = args;

const PACE = {
  ttftMs: 300,
  tokensPerSecond: 80,
  maxParallel: 8,
  contextTokens: 128_000,
  words: 150,
  retryAfter: '1',
  mode,
};
/** A call of the plain tree: 300 ms and 200 tokens (150 words) at 80 a second. */
const CALL_SECONDS = 0.3 + 200 / 80;

/** The plain tree: parts of 16,000 characters, 8 in parallel, 12 answers to a merge. */
function treeIdeal(characters) {
  let nodes = Math.ceil(characters / 16_000);
  let rounds = Math.ceil(nodes / 8);
  let calls = nodes;
  while (nodes > 1) {
    nodes = Math.ceil(nodes / 12);
    calls += nodes;
    rounds += Math.ceil(nodes / 8);
  }
  return { seconds: rounds * CALL_SECONDS, calls };
}

const fake = await startFakeLlm(PACE);
const inputs = new Map();
for (const size of sizes) {
  const lines = transcript(size * 1000, file);
  const text = lines.join('\n');
  inputs.set(size, {
    lines,
    text,
    content: contentOf(lines),
    tokens: Math.ceil(text.length / 4),
    ideal: treeIdeal(text.length),
  });
}

function ours(options = {}) {
  const provider = createOpenAICompatible({
    name: 'fake',
    baseURL: fake.url,
    apiKey: 'key',
    includeUsage: true,
  });
  const model = new ModelClient(provider('fake-model'), options);
  const summarizer = new ModelSummarizer({ model });
  return (input, method, signal) =>
    withContext(180_000, { signal }, (context) =>
      summarizer.summarize(input.content, { method, outputLanguage: 'en', length: 'medium' }, context),
    );
}

const COLUMNS = [
  'case',
  'words',
  'who',
  'result',
  'calls (ok)',
  'prompt/transcript',
  'wall s',
  '/ tree ideal',
  'max parallel',
  'faults',
  'coverage',
  'tenths',
  'peak MB',
];
console.log(`| ${COLUMNS.join(' | ')} |\n|${'---|'.repeat(COLUMNS.length)}`);

async function measure(name, size, who, settings, work) {
  if (only && !name.includes(only)) return undefined;
  const input = inputs.get(size);
  if (!input) return undefined;
  Object.assign(fake.settings, PACE, { fault: undefined, countsOutput: false }, settings);
  fake.reset();
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50);
  const start = performance.now();
  let result;
  try {
    result = await work(input);
  } catch (error) {
    result = { error: `${error.name}: ${error.message}`.slice(0, 90) };
  }
  const seconds = (performance.now() - start) / 1000;
  clearInterval(watch);
  const good = fake.calls.filter((call) => call.status === 200 && !call.fault);
  const faults = new Map();
  for (const { fault } of fake.calls) if (fault) faults.set(fault, (faults.get(fault) ?? 0) + 1);
  const prompt = good.reduce((sum, call) => sum + call.promptTokens, 0);
  const row = [
    name,
    `${size}k`,
    who,
    result.error ?? 'ok',
    `${fake.calls.length} (${good.length})`,
    (prompt / input.tokens).toFixed(2),
    seconds.toFixed(1),
    (seconds / input.ideal.seconds).toFixed(2),
    fake.maxRunning,
    [...faults].map(([fault, n]) => `${fault} ${n}`).join(', ') || '-',
    result.coverage ?? '-',
    result.keyPoints ? tenths(result, input) : '-',
    (peak / 1e6).toFixed(0),
  ];
  console.log(`| ${row.join(' | ')} |`);
  return { seconds, result };
}

/** Tenths of the video that the key points or the sentences of the summary come from. */
function tenths({ keyPoints, text }, { content, lines }) {
  const seen = new Set(keyPoints.map(({ startMs }) => Math.floor((10 * startMs) / content.durationMs)));
  for (const sentence of text.split(/(?<=\.)\s+/)) {
    const words = sentence.split(' ').slice(0, 6).join(' ').replace(/[.,]$/, '');
    const line = lines.findIndex((candidate) => candidate.includes(words));
    if (line >= 0) seen.add(Math.floor((10 * content.segments[line].startMs) / content.durationMs));
  }
  return seen.size;
}

/** One call in ten is refused and one in twenty fails, from the third on, so that short runs meet both. */
const tenPercent = (index) =>
  index % 10 === 2 ? 'rate_limited' : index % 20 === 6 ? 'server_error' : undefined;

for (const size of sizes) {
  await measure('clean', size, 'ours recursive', {}, (input) => ours()(input, 'recursive'));
  await measure('clean', size, 'ours auto', {}, (input) => ours()(input, 'auto'));
}
for (const size of [50, 150]) {
  await measure('faults 10 % 429, 5 % 500', size, 'ours recursive', { fault: tenPercent }, (input) =>
    ours()(input, 'recursive'),
  );
}
const hangs = { fault: (index) => (index === 1 ? 'hang' : undefined) };
await measure('hang', 10, 'ours recursive', hangs, (input) => ours()(input, 'recursive'));
await measure('hang', 50, 'ours recursive', hangs, (input) => ours()(input, 'recursive'));
await measure('hang', 10, 'ours auto', { fault: (index) => (index === 0 ? 'hang' : undefined) }, (input) =>
  ours()(input, 'auto'),
);
await measure('storm: 2 at a time', 50, 'ours recursive', { maxParallel: 2 }, (input) =>
  ours()(input, 'recursive'),
);
await measure(
  'storm: 2, no Retry-After',
  50,
  'ours recursive',
  { maxParallel: 2, retryAfter: null },
  (input) => ours()(input, 'recursive'),
);
const small = { contextTokens: 8192, countsOutput: true };
await measure('window 8,192 told', 10, 'ours recursive', small, (input) =>
  ours({ contextTokens: 8192 })(input, 'recursive'),
);
await measure('window 8,192 learnt', 10, 'ours auto', small, (input) => ours()(input, 'auto'));
await measure('window 8,192 told', 150, 'ours auto', small, (input) =>
  ours({ contextTokens: 8192 })(input, 'auto'),
);

await measure('abort after 1 s', 50, 'ours recursive', {}, async (input) => {
  const controller = new AbortController();
  const running = ours()(input, 'recursive', controller.signal).catch((error) => error);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const started = fake.calls.length;
  const at = performance.now();
  controller.abort(new Error('the caller left'));
  await running;
  const settled = performance.now() - at;
  await new Promise((resolve) => setTimeout(resolve, 200));
  const closed = Math.max(...fake.calls.map((call) => (call.closedAt ?? Infinity) - at));
  return {
    error: `rejected after ${settled.toFixed(0)} ms, last socket closed after ${closed.toFixed(0)} ms, ${fake.calls.length - started} further calls`,
  };
});

await fake.close();
process.exit(0);
