import { Inject, Injectable, Logger, Optional, type OnModuleDestroy, type Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { InvalidOptionError } from '../core/errors.js';
import type { Watcher } from '../core/health.js';
import {
  ANSWER_ENGINE,
  MODELS,
  RERANKER,
  RESOLVED_OPTIONS,
  SEARCH_PROVIDERS,
  SHARED_STATE,
  TOOLS_OPTIONS,
  WATCHER,
} from '../core/injection-tokens.js';
import { resolveProviderOption, resolveProviderOptions } from '../core/ports.js';
import { parseOption, port } from '../core/schema.js';
import type { SharedState } from '../core/shared-state.js';
import { connect } from '../model/connect.js';
import type { Models } from '../model/model.providers.js';
import type { Budget } from '../model/options.js';
import type { ModelEnvironment } from '../model/upstream.js';
import { embeddedAnswers } from '../embedded/answer/embedded-answers.js';
import { resolveVerify } from '../grounding/verifier.js';
import type { AnswerEngine } from '../search/answer-engine.js';
import { modelAnswers } from '../search/answer/model-answer-engine.js';
import { startNotices } from '../search/filters.js';
import { wikipedia } from '../search/providers/wikipedia.provider.js';
import { you } from '../search/providers/you.provider.js';
import type { Reranker } from '../search/reranker.js';
import type { SearchProvider } from '../search/search-provider.js';
import type { ResolvedSearchModuleOptions } from '../search/search.options.js';

/** The part of the options that search needs. */
interface Options {
  search: ResolvedSearchModuleOptions;
}

const PROVIDER = port<SearchProvider>('SearchProvider', 'name', 'search');

/** Ends what search does in the background when the application is closed. */
@Injectable()
class SearchBackground implements OnModuleDestroy {
  private readonly controller = new AbortController();
  readonly environment: ModelEnvironment;

  constructor(
    @Inject(WATCHER) { telemetry, health }: Watcher,
    @Inject(TOOLS_OPTIONS) { budget }: { budget?: Budget },
    @Optional() @Inject(SHARED_STATE) shared?: SharedState,
  ) {
    const { signal } = this.controller;
    this.environment = { telemetry, health, budget, gate: shared?.calls, signal };
  }

  onModuleDestroy(): void {
    this.controller.abort(new Error('The application is being closed.'));
  }
}

async function searchProviders(
  { search }: Options,
  moduleRef: ModuleRef,
  { environment }: SearchBackground,
): Promise<SearchProvider[]> {
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
  const names = providers.map(({ name }) => name);
  const unknown = Object.keys(search.service.prices ?? {}).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new InvalidOptionError('search.prices', `named by search providers: ${names.join(', ')}`, unknown);
  for (const provider of providers) connect(provider, environment);
  for (const notice of startNotices(providers, search.service)) logger.log(notice);
  return providers;
}

async function answerEngine(
  { search }: Options,
  moduleRef: ModuleRef,
  models?: Models,
): Promise<AnswerEngine> {
  const threshold = search.service.answerThreshold;
  const embedded = embeddedAnswers(threshold);
  const verifier = await resolveVerify('search.verify', search.verify, models !== undefined, moduleRef);
  if (!models) return embedded;
  return modelAnswers(models.model, embedded, {
    budget: models.budget,
    threshold,
    ...(verifier ? { verifier } : {}),
  });
}

const RERANKER_PORT = port<Reranker>('Reranker', 'name', 'rerank');

async function searchReranker(
  { search }: Options,
  moduleRef: ModuleRef,
  { environment }: SearchBackground,
): Promise<Reranker | undefined> {
  if (!search.service.enabled || search.reranker === undefined) return undefined;
  const given = await resolveProviderOption(search.reranker, moduleRef);
  const reranker = parseOption('search.reranker', RERANKER_PORT, given);
  connect(reranker, environment);
  return reranker;
}

/** Where results come from, and what answers from them. */
export const SEARCH_PROVIDER_FACTORIES: Provider[] = [
  SearchBackground,
  {
    provide: SEARCH_PROVIDERS,
    useFactory: searchProviders,
    inject: [RESOLVED_OPTIONS, ModuleRef, SearchBackground],
  },
  {
    provide: RERANKER,
    useFactory: searchReranker,
    inject: [RESOLVED_OPTIONS, ModuleRef, SearchBackground],
  },
  { provide: ANSWER_ENGINE, useFactory: answerEngine, inject: [RESOLVED_OPTIONS, ModuleRef, MODELS] },
];
