import { Logger, type Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ANSWER_ENGINE, MODELS, RESOLVED_OPTIONS, SEARCH_PROVIDERS } from '../core/injection-tokens.js';
import { resolveProviderOptions } from '../core/ports.js';
import { parseOption, port } from '../core/schema.js';
import type { Models } from '../model/model.providers.js';
import type { AnswerEngine } from './answer-engine.js';
import { embeddedAnswers, modelAnswers } from './answer/late-engines.js';
import { wikipedia } from './providers/wikipedia.provider.js';
import { you } from './providers/you.provider.js';
import type { SearchProvider } from './search-provider.js';
import type { ResolvedSearchModuleOptions } from './search.options.js';

/** The part of the options that search needs. */
interface Options {
  search: ResolvedSearchModuleOptions;
}

const PROVIDER = port<SearchProvider>('SearchProvider', 'name', 'search');

async function searchProviders({ search }: Options, moduleRef: ModuleRef): Promise<SearchProvider[]> {
  if (!search.service.enabled) return [];
  if (search.providers === undefined) {
    new Logger('ToolsModule').log(
      'search_web asks You.com without a key, then Wikipedia (option `search.providers` is not set); queries leave this server.',
    );
    return [you(), wikipedia()];
  }
  const given = await resolveProviderOptions(search.providers, moduleRef);
  return given.map((provider, i) => parseOption(`search.providers[${i}]`, PROVIDER, provider));
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
