import { Logger, type Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ANSWER_ENGINE, MODELS, RESOLVED_OPTIONS, SEARCH_PROVIDERS } from '../core/injection-tokens.js';
import { lazy } from '../core/async.js';
import { resolveProviderOptions } from '../core/ports.js';
import { parseOption, port } from '../core/schema.js';
import type { ModelClient } from '../model/client.js';
import type { Models } from '../model/model.providers.js';
import type { AnswerEngine } from './answer-engine.js';
import type { ModelAnswerOptions } from './answer/model-answer.js';
import type { QueryRewriter } from './rewrite/query-rewriter.js';
import { defaultProviders, startNotices } from './providers/default-providers.js';
import type { SearchProvider } from './search-provider.js';
import type { ResolvedSearchModuleOptions } from './search.options.js';

/** The part of the options that search needs. */
interface Options {
  search: ResolvedSearchModuleOptions;
}

const PROVIDER = port<SearchProvider>('SearchProvider', 'name', 'search');

async function searchProviders({ search }: Options, moduleRef: ModuleRef): Promise<SearchProvider[]> {
  if (!search.service.enabled) return [];
  const logger = new Logger('ToolsModule');
  if (search.providers === undefined)
    logger.log(
      'search_web asks You.com without a key, then Wikipedia (option `search.providers` is not set). Queries leave this server.',
    );
  const providers = search.providers
    ? await resolveProviderOptions(search.providers, moduleRef)
    : defaultProviders(search.contact);
  providers.forEach((provider, i) => parseOption(`search.providers[${i}]`, PROVIDER, provider));
  for (const notice of startNotices(providers, search.service)) logger.log(notice);
  return providers;
}

// Engines are loaded with the first answer that they write, not with the host.

/** The embedded engine. @param threshold below this probability an answer is not given as one, 0..1 */
export function embeddedAnswers(threshold: number): AnswerEngine {
  return lazyEngine('extractive', async () => {
    const { ExtractiveAnswer } = await import('./answer/extractive-answer.js');
    return new ExtractiveAnswer({ threshold });
  });
}

/** Answers that `model` writes, checked in code. */
export function modelAnswers(model: ModelClient, options: ModelAnswerOptions): AnswerEngine {
  return lazyEngine(model.id, async () => {
    const { ModelAnswer } = await import('./answer/model-answer.js');
    return new ModelAnswer(model, options);
  });
}

/** Rewords long conversational queries with `model`. */
export function modelRewriter(model: ModelClient): QueryRewriter {
  const load = lazy(async () => {
    const { ModelRewriter } = await import('./rewrite/model-rewriter.js');
    return new ModelRewriter(model);
  });
  return { rewrite: async (...query) => (await load()).rewrite(...query) };
}

function lazyEngine(engine: string, create: () => Promise<AnswerEngine>): AnswerEngine {
  const load = lazy(create);
  return { engine, answer: async (...question) => (await load()).answer(...question) };
}

function answerEngine({ search }: Options, models?: Models): AnswerEngine {
  const threshold = search.service.answerThreshold;
  return models
    ? modelAnswers(models.model, { budget: models.budget, threshold })
    : embeddedAnswers(threshold);
}

/** Where results come from, and what answers from them. */
export const SEARCH_ROOM_PROVIDERS: Provider[] = [
  { provide: SEARCH_PROVIDERS, useFactory: searchProviders, inject: [RESOLVED_OPTIONS, ModuleRef] },
  { provide: ANSWER_ENGINE, useFactory: answerEngine, inject: [RESOLVED_OPTIONS, MODELS] },
];
