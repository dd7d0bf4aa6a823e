import { Logger, type Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { InvalidOptionError } from '../core/errors.js';
import { ANSWER_ENGINE, MODELS, RESOLVED_OPTIONS, SEARCH_PROVIDERS } from '../core/injection-tokens.js';
import { resolveProviderOption, resolveProviderOptions } from '../core/ports.js';
import { parseOption, port } from '../core/schema.js';
import type { Models } from '../model/model.providers.js';
import type { AnswerEngine, AnswerVerifier } from './answer-engine.js';
import { embeddedAnswers, modelAnswers } from './answer/engines.js';
import { startNotices } from './narrowing.js';
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
  const logger = new Logger('ToolsModule');
  if (search.providers === undefined)
    logger.log(
      'search_web asks You.com without a key, then Wikipedia (option `search.providers` is not set). Queries leave this server.',
    );
  const providers = search.providers
    ? await resolveProviderOptions(search.providers, moduleRef)
    : [you({ contact: search.contact }), wikipedia({ contact: search.contact })];
  providers.forEach((provider, i) => parseOption(`search.providers[${i}]`, PROVIDER, provider));
  for (const notice of startNotices(providers, search.service)) logger.log(notice);
  return providers;
}

const VERIFIER = port<AnswerVerifier>('AnswerVerifier', 'name', 'verify');

async function answerEngine(
  { search }: Options,
  moduleRef: ModuleRef,
  models?: Models,
): Promise<AnswerEngine> {
  const threshold = search.service.answerThreshold;
  const { verifyAnswers } = search;
  if (!models) {
    if (verifyAnswers === undefined) return embeddedAnswers(threshold);
    throw new InvalidOptionError('search.verifyAnswers', 'absent without the option `model`', verifyAnswers);
  }
  const own = verifyAnswers === undefined || verifyAnswers === 'model' ? undefined : verifyAnswers;
  const verifier = own
    ? parseOption('search.verifyAnswers', VERIFIER, await resolveProviderOption(own, moduleRef))
    : (verifyAnswers as 'model' | undefined);
  return modelAnswers(models.model, { budget: models.budget, threshold, ...(verifier ? { verifier } : {}) });
}

/** Where results come from, and what answers from them. */
export const SEARCH_ROOM_PROVIDERS: Provider[] = [
  { provide: SEARCH_PROVIDERS, useFactory: searchProviders, inject: [RESOLVED_OPTIONS, ModuleRef] },
  { provide: ANSWER_ENGINE, useFactory: answerEngine, inject: [RESOLVED_OPTIONS, ModuleRef, MODELS] },
];
