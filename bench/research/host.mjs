/** A host with `research` and a fake model, for all parts of the bench. */
import { createRequire } from 'node:module';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { NestFactory } from '@nestjs/core';
import { startFakeLlm } from '../../test/support/fake-llm/fake-llm.mjs';
import { stageOf } from '../../test/support/fake-llm/played-research.mjs';

const { documents, ResearchService, ToolsModule } = createRequire(import.meta.url)('../../dist/index.js');

/**
 * @param options `providers` or `pages` (documents), `model` (settings of the fake), and further options of the module
 * @returns `ask(question, play, request?)`: `play(stage, prompt)` gives the model's replies
 */
export async function researchHost({ pages, providers, model = {}, search = {}, ...options }) {
  const fake = await startFakeLlm(model);
  const provider = createOpenAICompatible({
    name: 'fake',
    baseURL: fake.url,
    apiKey: 'key',
    includeUsage: true,
  });
  const module = ToolsModule.forRoot({
    apiKeys: ['key'],
    search: { providers: providers ?? [documents(pages)], ...search },
    research: true,
    model: provider('fake-model'),
    cache: false,
    ...options,
  });
  const app = await NestFactory.createApplicationContext(
    { module: class {}, imports: [module] },
    { logger: false },
  );
  const service = app.get(ResearchService);
  const ask = async (question, play, request = {}, call = {}) => {
    fake.reset();
    fake.settings.answer = (prompt, _settings, { system }) => {
      const reply = play(stageOf(system), prompt);
      return typeof reply === 'string' ? reply : JSON.stringify(reply);
    };
    const events = [];
    const onProgress = (event) => events.push({ at: performance.now(), ...event });
    const result = await service.research({ question, ...request }, { onProgress, ...call });
    return { result, events, calls: fake.calls.map((one) => ({ ...one, stage: stageOf(one.system) })) };
  };
  return {
    ask,
    fake,
    service,
    close: async () => {
      await app.close();
      await fake.close();
    },
  };
}

/** Letters and digits in lower case, one blank between words. */
export const folded = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

export const linesOf = (text) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
export const mean = (numbers) => numbers.reduce((sum, n) => sum + n, 0) / (numbers.length || 1);
export const share = (list, test) => `${Math.round((100 * list.filter(test).length) / (list.length || 1))} %`;
