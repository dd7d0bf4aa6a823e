import { Inject, Injectable, Logger, type OnApplicationBootstrap, type Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { ContentSource } from '../content/content-source.js';
import { InvalidOptionError } from '../core/errors.js';
import { watchGroup, type Watcher } from '../core/health.js';
import {
  ANSWER_ENGINE,
  CONTENT_SOURCES,
  MODELS,
  RERANKER,
  RESOLVED_OPTIONS,
  SEARCH_PROVIDERS,
  SUMMARIZER,
  WATCHER,
} from '../core/injection-tokens.js';
import {
  CHECK,
  type ChecksItself,
  type ProviderOption,
  resolveProviderOption,
  resolveProviderOptions,
} from '../core/ports.js';
import { printable } from '../core/printable.js';
import { port } from '../core/schema.js';
import { embeddedAnswers } from '../embedded/answer/embedded-answers.js';
import { ExtractiveSummarizer } from '../embedded/summary/extractive.summarizer.js';
import { resolveVerify } from '../grounding/verifier.js';
import { connect } from '../model/connect.js';
import { Background, type Models } from '../model/model.providers.js';
import type { AnswerEngine } from '../search/answer-engine.js';
import { startNotices } from '../search/filters.js';
import { wikipedia } from '../search/providers/wikipedia.provider.js';
import { you } from '../search/providers/you.provider.js';
import { guardedReranker, type GuardedReranker, type Reranker } from '../search/reranker.js';
import type { SearchProvider } from '../search/search-provider.js';
import type { ResolvedSearchOptions } from '../search/search.options.js';
import type { ResolvedSummarizeOptions } from '../summarize/summarize.options.js';
import type { Summarizer } from '../summarize/summarizer.js';
import { ContentLoader } from './content-tool.js';
import { CallReporter } from './request-log.js';
import type { Enabled } from './tool-definition.js';
import { ToolCalls } from './tool-calls.js';
import { TOOLS } from './tools.js';

/** The part of the options that is needed here. */
interface Options {
  search: Enabled<ResolvedSearchOptions>;
  summarize: ResolvedSummarizeOptions;
  summarizer?: ProviderOption<Summarizer>;
}

const PROVIDER = port<SearchProvider>('SearchProvider', 'name', 'search');
const RERANKING = port<Reranker>('Reranker', 'name', 'rerank');
const SUMMARIZING = port<Summarizer>('Summarizer', 'engine', 'summarize');

/**
 * Says at start what every request would fail with: a package or program that is not installed, a table that is not there. Models are not
 * asked: a request costs money. The application does not wait for it.
 */
@Injectable()
class StartChecks implements OnApplicationBootstrap {
  constructor(
    @Inject(Background) private readonly background: Background,
    @Inject(SEARCH_PROVIDERS) private readonly providers: readonly SearchProvider[],
    @Inject(CONTENT_SOURCES) private readonly sources: readonly ContentSource[],
  ) {}

  onApplicationBootstrap(): void {
    const { signal } = this.background;
    for (const part of [...this.providers, ...this.sources])
      (part as Partial<ChecksItself>)[CHECK]?.(signal).catch((error: unknown) => {
        if (!signal.aborted) new Logger('ToolsModule').warn(printable((error as Error).message));
      });
  }
}

async function searchProviders(
  { search }: Options,
  moduleRef: ModuleRef,
  { environment }: Background,
): Promise<SearchProvider[]> {
  if (!search.enabled) return [];
  if (search.providers !== undefined && search.contact !== undefined) {
    const expected = 'absent with `search.providers`: pass it to wikipedia({ contact }) and you({ contact })';
    throw new InvalidOptionError('search.contact', expected, search.contact);
  }
  const logger = new Logger('ToolsModule');
  if (search.providers === undefined)
    logger.log(
      'search_web asks You.com without a key, then Wikipedia (option `search.providers` is not set). Queries leave this server. You.com may end this without notice; a key for any provider lasts.',
    );
  const providers = search.providers
    ? await resolveProviderOptions('search.providers', PROVIDER, search.providers, moduleRef)
    : [you({ contact: search.contact }), wikipedia({ contact: search.contact })];
  const names = providers.map(({ name }) => name);
  const unknown = Object.keys(search.prices ?? {}).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new InvalidOptionError('search.prices', `named by search providers: ${names.join(', ')}`, unknown);
  for (const provider of providers) connect(provider, environment);
  for (const notice of startNotices(providers, search)) logger.log(notice);
  return providers;
}

async function answerEngine(
  { search }: Options,
  moduleRef: ModuleRef,
  models?: Models,
): Promise<AnswerEngine> {
  const threshold = search.answerThreshold;
  const embedded = embeddedAnswers(threshold);
  const verify = search.verify ?? search.verifyAnswers;
  const verifier = await resolveVerify('search.verify', verify, models !== undefined, moduleRef);
  if (!models) return embedded;
  const { model, budget } = models;
  const { ModelAnswer } = await import('../search/answer/model-answer.js');
  return new ModelAnswer(model, embedded, { budget, threshold, verifier, language: search.language });
}

async function searchReranker(
  { search }: Options,
  moduleRef: ModuleRef,
  { environment }: Background,
  watcher: Watcher,
): Promise<GuardedReranker | undefined> {
  if (!search.enabled || search.reranker === undefined) return undefined;
  const reranker = await resolveProviderOption('search.reranker', RERANKING, search.reranker, moduleRef);
  connect(reranker, environment);
  // Without it results are in the order of the search.
  watcher.health.register('reranker', reranker.name, true);
  return guardedReranker(reranker, watchGroup('reranker', watcher));
}

/** The host's own summarizer, else one on the model, else the embedded one. */
async function summarizer(
  { summarizer: ofHost, summarize: { verify } }: Options,
  moduleRef: ModuleRef,
  models?: Models,
): Promise<Summarizer> {
  const hasModel = ofHost === undefined && models !== undefined;
  const verifier = await resolveVerify('summarize.verify', verify, hasModel, moduleRef);
  if (ofHost !== undefined) return resolveProviderOption('summarizer', SUMMARIZING, ofHost, moduleRef);
  if (models === undefined) return new ExtractiveSummarizer();
  const { ModelSummarizer } = await import('../summarize/model-summarizer.js');
  return new ModelSummarizer({ ...models, verifier });
}

/** The tools as injectable services, what they work with, and what runs them for callers from outside. */
export const TOOLS_PROVIDERS: Provider[] = [
  {
    provide: SEARCH_PROVIDERS,
    useFactory: searchProviders,
    inject: [RESOLVED_OPTIONS, ModuleRef, Background],
  },
  {
    provide: RERANKER,
    useFactory: searchReranker,
    inject: [RESOLVED_OPTIONS, ModuleRef, Background, WATCHER],
  },
  { provide: ANSWER_ENGINE, useFactory: answerEngine, inject: [RESOLVED_OPTIONS, ModuleRef, MODELS] },
  { provide: SUMMARIZER, useFactory: summarizer, inject: [RESOLVED_OPTIONS, ModuleRef, MODELS] },
  {
    provide: ContentLoader,
    useFactory: (sources: ContentSource[]) => new ContentLoader(sources),
    inject: [CONTENT_SOURCES],
  },
  ...TOOLS.map(({ service, provider }) => ({
    provide: service,
    useFactory: (...injected: unknown[]) => new service(...injected),
    ...provider,
  })),
  ToolCalls,
  CallReporter,
  StartChecks,
];
