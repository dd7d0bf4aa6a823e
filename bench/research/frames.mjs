/**
 * FRAMES with a real model and a real search. The file has a question a line: `{ question, answer, supporting: [addresses] }`. Needs `LLM_BASE_URL`, `LLM_API_KEY`, `LLM_MODEL`,
 * and `SEARCH_PROVIDERS` with the keys of its providers; `--first=20` asks the first twenty only. Prints a line of JSON for each question, then the totals.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { NestFactory } from '@nestjs/core';
import { folded, linesOf, mean, share } from './host.mjs';

const { providersFromEnvironment, ResearchService, ToolsModule } = createRequire(import.meta.url)(
  '../../dist/index.js',
);

export async function frames(file) {
  const {
    LLM_BASE_URL: baseURL,
    LLM_API_KEY: apiKey,
    LLM_MODEL: model,
    SEARCH_PROVIDERS: names,
  } = process.env;
  if (!baseURL || !model || !names)
    throw new Error('frames needs LLM_BASE_URL, LLM_API_KEY, LLM_MODEL and SEARCH_PROVIDERS');
  const first = Number(
    /^--first=(\d+)$/.exec(process.argv.find((one) => one.startsWith('--first=')))?.[1] ?? Infinity,
  );
  const module = ToolsModule.forRoot({
    controllers: false,
    search: { providers: providersFromEnvironment(process.env) },
    research: true,
    model: createOpenAICompatible({ name: 'frames', baseURL, apiKey, includeUsage: true })(model),
  });
  const app = await NestFactory.createApplicationContext(
    { module: class {}, imports: [module] },
    { logger: false },
  );
  const service = app.get(ResearchService);
  const rows = [];
  for (const { question, answer, answers = [answer], supporting = [] } of linesOf(
    await readFile(file, 'utf8'),
  ).slice(0, first)) {
    const begun = performance.now();
    try {
      const { report, outcome, sources, citations, research, usage } = await service.research({
        question: question.slice(0, 1000),
      });
      const pageOf = (address) => decodeURIComponent(new URL(address).pathname).toLowerCase();
      const shown = new Set(sources.map(({ url }) => pageOf(url)));
      rows.push({
        question,
        outcome,
        isRight: answers.some((one) => ` ${folded(report)} `.includes(` ${folded(String(one))} `)),
        found: supporting.filter((address) => shown.has(pageOf(address))).length / (supporting.length || 1),
        citations: citations.length,
        research,
        usage,
        seconds: (performance.now() - begun) / 1000,
        report,
      });
    } catch (error) {
      rows.push({
        question,
        outcome: error.code ?? error.message,
        isRight: false,
        found: 0,
        seconds: (performance.now() - begun) / 1000,
      });
    }
    console.log(JSON.stringify(rows.at(-1)));
  }
  await app.close();
  console.table({
    questions: rows.length,
    'answer in the report': share(rows, ({ isRight }) => isRight),
    'supporting pages found': `${Math.round(100 * mean(rows.map(({ found }) => found)))} %`,
    'seconds, mean': mean(rows.map(({ seconds }) => seconds)).toFixed(1),
    'model calls, mean': mean(rows.flatMap(({ usage }) => usage?.modelCalls ?? [])).toFixed(1),
    'input tokens, mean': Math.round(mean(rows.flatMap(({ usage }) => usage?.inputTokens ?? []))),
  });
}
