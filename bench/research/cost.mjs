/**
 * What one question costs: four needs in two rounds, against a model that takes 1 s, a search and pages that take 0.5 s. With a checkout of dzhng/deep-research
 * it is asked the same question in the same run; without one, its figures of an earlier run (f02c70f, defaults) are shown.
 */
import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { NestFactory } from '@nestjs/core';
import { CHAIN_S as DZHNG_CHAIN_S, runDzhng } from './dzhng.mjs';

const { ResearchService, searxng, ToolsModule } = createRequire(import.meta.url)('../../dist/index.js');
const QUESTION = 'How did the end of fishing on the Tarn basin change its towns, and which dam caused it?';
/** Plan, then for two rounds searches, pages and a reading, then the report, s. */
const CHAIN_S = 6;
const RECORDED = {
  3000: {
    run: 'dzhng, pages of 3,000, recorded',
    calls: 19,
    'input tokens': 216_123,
    'largest call': 17_631,
    searches: 12,
    pages: 60,
    'wall / chain': 1.7,
  },
  10000: {
    run: 'dzhng, pages of 10,000, recorded',
    calls: 19,
    'input tokens': 669_885,
    'largest call': 55_992,
    searches: 12,
    pages: 60,
    'wall / chain': 1.9,
  },
};

/** Counts tokens as o200k_base does where its table is at hand, else four characters each. */
async function counter() {
  try {
    const [{ Tiktoken }, { default: table }] = await Promise.all([
      import('js-tiktoken/lite'),
      import('js-tiktoken/ranks/o200k_base'),
    ]);
    const encoding = new Tiktoken(table);
    return { name: 'o200k_base', count: (text) => encoding.encode(text).length };
  } catch {
    return { name: 'four characters a token', count: (text) => Math.ceil(text.length / 4) };
  }
}

async function measure(tokens, tokenizer, folder) {
  const child = fork(new URL('./cost-server.mjs', import.meta.url), [String(tokens)]);
  const next = () => new Promise((resolve) => child.once('message', resolve));
  const { port, model } = await next();
  const rows = [];
  /** What the server has seen since the last report. */
  const seen = async (run, wall, chain) => {
    child.send('report');
    const { counts, calls } = await next();
    const sizes = calls.map((call) => tokenizer.count(call.text));
    const row = {
      run: `${run}, pages of ${tokens.toLocaleString('en')}`,
      calls: calls.length,
      'input tokens': sizes.reduce((sum, size) => sum + size, 0),
      'largest call': Math.max(...sizes),
      searches: counts.searches,
      pages: counts.pages,
      'wall, s': wall.toFixed(1),
      'wall / chain': (wall / chain).toFixed(2),
    };
    return { row, calls };
  };
  if (folder) {
    const wall = await runDzhng(folder, QUESTION, { port, model });
    rows.push((await seen('dzhng', wall, DZHNG_CHAIN_S)).row);
  } else rows.push(RECORDED[tokens]);
  const provider = createOpenAICompatible({
    name: 'fake',
    baseURL: model,
    apiKey: 'key',
    includeUsage: true,
  });
  const module = ToolsModule.forRoot({
    search: {
      providers: [searxng({ url: `http://127.0.0.1:${port}` })],
      pages: { allowHosts: [`127.0.0.1:${port}`] },
    },
    research: true,
    controllers: false,
    model: provider('fake-model'),
    cache: false,
  });
  const app = await NestFactory.createApplicationContext(
    { module: class {}, imports: [module] },
    { logger: false },
  );
  const service = app.get(ResearchService);
  // The first run loads code.
  for (let run = 0; run < 3; run++) {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const before = process.cpuUsage();
    const begun = performance.now();
    let first;
    let text;
    delay.enable();
    const result = await service.research(
      { question: QUESTION },
      {
        onProgress: ({ stage, text: piece }) => {
          if (stage === 'plan') first ??= performance.now() - begun;
          if (piece) text ??= performance.now() - begun;
        },
      },
    );
    if (process.env.RESEARCH_DEBUG) console.log(JSON.stringify(result, null, 1));
    delay.disable();
    const wall = (performance.now() - begun) / 1000;
    const { user, system } = process.cpuUsage(before);
    const { row, calls } = await seen('ours', wall, CHAIN_S);
    rows.push({
      ...row,
      'plan, s': (first / 1000).toFixed(1),
      'first words, s': (text / 1000).toFixed(1),
      'own CPU, ms': Math.round((user + system) / 1000),
      'longest turn, ms': Math.round(delay.max / 1e6),
      found: `${result.sections.filter(({ state }) => state === 'found').length} of 4`,
      stages: calls.map(({ stage }) => stage).join(' '),
    });
  }
  child.send('end');
  await app.close();
  return rows;
}

export async function cost(folder) {
  const tokenizer = await counter();
  console.log(`tokens: ${tokenizer.name}; three runs each, the first one loads code`);
  for (const tokens of [3000, 10_000]) console.table(await measure(tokens, tokenizer, folder));
}
