import {
  Logger,
  Module,
  type DynamicModule,
  type FactoryProvider,
  type InjectionToken,
  type Provider,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ApiKeyGuard } from './auth/api-key.guard.js';
import { MemoryApiKeyStore, type ApiKeyStore } from './auth/api-key-store.js';
import { FairGate } from './auth/limits/fair-gate.js';
import { RateLimitGuard } from './auth/limits/rate-limit.guard.js';
import { RequestLimits } from './auth/limits/request-limits.js';
import type { ContentSource } from './content/content-source.js';
import { innertubeTranscripts } from './content/youtube/providers/innertube.provider.js';
import { YouTubeSource } from './content/youtube/youtube.source.js';
import { requirePort } from './core/check-options.js';
import {
  ToolsHealthIndicator,
  UpstreamHealth,
  watched,
  type JobsHealthSource,
  type Watcher,
} from './core/health.js';
import { resolveProviderOptions, resolveProviderOption } from './core/ports.js';
import { type SharedState, SharingLifecycle } from './core/shared-state.js';
import { type Telemetry, loadTelemetry } from './core/telemetry.js';
import {
  ANSWER_ENGINE,
  API_KEY_STORE,
  CONTENT_SOURCES,
  HOOKS,
  HTTP_OPTIONS,
  JOBS_HEALTH,
  RESOLVED_OPTIONS,
  SEARCH_PROVIDERS,
  SHARED_STATE,
  SUMMARIZER,
  TELEMETRY,
  TOOLS_OPTIONS,
} from './core/injection-tokens.js';
import type { HttpOptions } from './http/http-options.js';
import { InFlight } from './http/in-flight.js';
import { RequestObserver } from './http/request-observer.js';
import { SearchWebWork } from './http/search-web.work.js';
import { SummarizeContentWork } from './http/summarize-content.work.js';
import { ToolEndpoint } from './http/tool-endpoint.js';
import { ToolsExceptionFilter } from './http/tools-exception.filter.js';
import { InvalidOptionError } from './core/errors/index.js';
import type { AnswerEngine } from './search/answer-engine.js';
import { embeddedAnswers, modelAnswers, modelRewriter } from './search/answer/late-engines.js';
import { defaultProviders, startNotices } from './search/providers/default-providers.js';
import type { SearchProvider } from './search/search-provider.js';
import { SearchService } from './search/search.service.js';
import { ExtractiveSummarizer } from './summarize/extractive/extractive.summarizer.js';
import type { Summarizer } from './summarize/summarizer.js';
import { SummarizerService } from './summarize/summarizer.service.js';
import {
  checkAsyncOptions,
  ConfigurableToolsModule,
  type ToolsModuleAsyncOptions,
  type ToolsModuleSyncOptions,
} from './tools.module-definition.js';
import type { ResolvedModels } from './tools.models.js';
import { resolveOptions, type ResolvedToolsOptions, type ToolsModuleOptions } from './tools.options.js';
import { watchedPages } from './web/watched-pages.js';

/** A provider that is made from the resolved options and whatever else it names. */
function fromOptions<T>(
  provide: InjectionToken,
  useFactory: (options: ResolvedToolsOptions, moduleRef: ModuleRef, watcher: Watcher) => T | Promise<T>,
): FactoryProvider {
  return { provide, useFactory, inject: [RESOLVED_OPTIONS, ModuleRef, WATCHER] };
}

/** What each provider is watched with. */
const WATCHER = Symbol('watcher');
/** {@link ResolvedModels}, or undefined. */
const MODELS = Symbol('models');

async function apiKeyStore({ apiKeys }: ResolvedToolsOptions, moduleRef: ModuleRef): Promise<ApiKeyStore> {
  if (!Array.isArray(apiKeys)) {
    const store = await resolveProviderOption(
      apiKeys as Exclude<typeof apiKeys, readonly unknown[]>,
      moduleRef,
    );
    return requirePort('apiKeys', 'ApiKeyStore', store, ['verify']);
  }
  const store = new MemoryApiKeyStore(apiKeys);
  if (store.size === 0)
    new Logger('ToolsModule').warn('No API key is configured (option `apiKeys`): every request is refused.');
  return store;
}

async function sharedState(
  { shared }: ToolsModuleOptions,
  moduleRef: ModuleRef,
): Promise<SharedState | undefined> {
  if (shared === undefined) return undefined;
  const given = await resolveProviderOption(shared, moduleRef);
  const members = ['cache', 'limits', 'leases', 'calls', 'health', 'close'];
  return requirePort('shared', 'SharedState', given, members);
}

async function models(
  options: ToolsModuleOptions,
  watcher: Watcher,
  shared?: SharedState,
): Promise<ResolvedModels | undefined> {
  if (options.model === undefined) return undefined;
  const { resolveModels } = await import('./tools.models.js');
  return resolveModels(options.model, options, watcher, shared);
}

async function summarizer(
  { summarizer: own }: ResolvedToolsOptions,
  moduleRef: ModuleRef,
  models?: ResolvedModels,
): Promise<Summarizer> {
  if (own !== undefined) {
    return requirePort('summarizer', 'Summarizer', await resolveProviderOption(own, moduleRef), [
      'engine',
      'summarize',
    ]);
  }
  if (models === undefined) return new ExtractiveSummarizer();
  const { ModelSummarizer } = await import('./summarize/model-summarizer.js');
  const { ExtractiveEvidence } = await import('./summarize/extractive/extractive-evidence.js');
  return new ModelSummarizer({ ...models, evidence: new ExtractiveEvidence() });
}

async function contentSources(
  options: ResolvedToolsOptions,
  moduleRef: ModuleRef,
  watcher: Watcher,
): Promise<ContentSource[]> {
  const own = await resolveProviderOptions(options.contentSources, moduleRef);
  own.forEach((source, index) =>
    requirePort(`contentSources[${index}]`, 'ContentSource', source, [
      'sourceType',
      'identify',
      'load',
      'urlAt',
    ]),
  );
  const transcripts = await resolveProviderOptions(
    options.youtube.transcripts ?? [innertubeTranscripts()],
    moduleRef,
  );
  transcripts.forEach((provider, index) =>
    requirePort(`youtube.transcripts[${index}]`, 'TranscriptProvider', provider, ['name', 'fetchTranscript']),
  );
  const watchedTranscripts = transcripts.map((provider) =>
    watched(provider, 'fetchTranscript', 'summarize_content', watcher),
  );
  return [
    ...own,
    new YouTubeSource({
      ...options.youtube,
      transcripts: watchedTranscripts,
      cache: options.cache ?? false,
      sharing: options.shared,
    }),
  ];
}

async function answerEngine(
  { search }: ResolvedToolsOptions,
  moduleRef: ModuleRef,
  models?: ResolvedModels,
): Promise<AnswerEngine> {
  const threshold = search.service.answerThreshold;
  const { verifyAnswers } = search;
  if (!models) {
    if (verifyAnswers === undefined) return embeddedAnswers(threshold);
    throw new InvalidOptionError('search.verifyAnswers', 'absent without the option `model`', verifyAnswers);
  }
  const verifier =
    verifyAnswers === undefined || verifyAnswers === 'model'
      ? verifyAnswers
      : requirePort(
          'search.verifyAnswers',
          'AnswerVerifier',
          await resolveProviderOption(verifyAnswers, moduleRef),
          ['name', 'verify'],
        );
  return modelAnswers(models.model, { budget: models.budget, threshold, ...(verifier ? { verifier } : {}) });
}

async function searchProviders(
  { search }: ResolvedToolsOptions,
  moduleRef: ModuleRef,
): Promise<SearchProvider[]> {
  if (!search.service.enabled) return [];
  const logger = new Logger('ToolsModule');
  let providers: SearchProvider[];
  if (search.providers === undefined) {
    logger.log(
      'search_web asks You.com without a key, then Wikipedia (option `search.providers` is not set). Queries leave this server.',
    );
    providers = defaultProviders(search.contact);
  } else {
    providers = await resolveProviderOptions(search.providers, moduleRef);
    providers.forEach((provider, index) =>
      requirePort(`search.providers[${index}]`, 'SearchProvider', provider, ['name', 'search']),
    );
  }
  for (const notice of startNotices(providers, search.service)) logger.log(notice);
  return providers;
}

const PROVIDERS: Provider[] = [
  { provide: SHARED_STATE, useFactory: sharedState, inject: [TOOLS_OPTIONS, ModuleRef] },
  {
    provide: RESOLVED_OPTIONS,
    useFactory: (options: ToolsModuleOptions, shared?: SharedState) => resolveOptions(options, shared),
    inject: [TOOLS_OPTIONS, SHARED_STATE],
  },
  // Behind the resolved options, which have been checked.
  { provide: MODELS, useFactory: models, inject: [TOOLS_OPTIONS, WATCHER, SHARED_STATE, RESOLVED_OPTIONS] },
  SharingLifecycle,
  fromOptions(API_KEY_STORE, apiKeyStore),
  { provide: TELEMETRY, useFactory: loadTelemetry },
  UpstreamHealth,
  {
    provide: WATCHER,
    useFactory: (health: UpstreamHealth, telemetry: Telemetry): Watcher => ({ health, telemetry }),
    inject: [UpstreamHealth, TELEMETRY],
  },
  {
    provide: ToolsHealthIndicator,
    useFactory: (health: UpstreamHealth, shared?: SharedState, jobs?: JobsHealthSource) =>
      new ToolsHealthIndicator(health, shared, jobs),
    inject: [UpstreamHealth, SHARED_STATE, { token: JOBS_HEALTH, optional: true }],
  },
  fromOptions(RequestLimits, ({ limits }) => new RequestLimits(limits)),
  fromOptions(FairGate, ({ limits: { concurrency } }) => concurrency && new FairGate(concurrency)),
  fromOptions(HOOKS, ({ hooks }) => hooks),
  fromOptions(HTTP_OPTIONS, ({ search, shutdown, logRequests }): HttpOptions => ({
    maxTopN: search.maxTopN,
    graceMs: shutdown.graceMs,
    logRequests,
  })),
  fromOptions(CONTENT_SOURCES, contentSources),
  { provide: SUMMARIZER, useFactory: summarizer, inject: [RESOLVED_OPTIONS, ModuleRef, MODELS] },
  fromOptions(SEARCH_PROVIDERS, searchProviders),
  {
    provide: ANSWER_ENGINE,
    useFactory: answerEngine,
    inject: [RESOLVED_OPTIONS, ModuleRef, MODELS],
  },
  {
    provide: SummarizerService,
    useFactory: (
      sources: ContentSource[],
      summarizer: Summarizer,
      { summarize, cache, shared }: ResolvedToolsOptions,
    ) => new SummarizerService(sources, summarizer, summarize, cache, shared),
    inject: [CONTENT_SOURCES, SUMMARIZER, RESOLVED_OPTIONS],
  },
  {
    provide: SearchService,
    useFactory: (
      providers: SearchProvider[],
      answers: AnswerEngine,
      { search, cache, shared }: ResolvedToolsOptions,
      watcher: Watcher,
      models?: ResolvedModels,
    ) =>
      new SearchService({
        providers: providers.map((provider) => watched(provider, 'search', 'search_web', watcher)),
        answers,
        fallbackAnswers: embeddedAnswers(search.service.answerThreshold),
        // A budget is for one call that answers; a second one beside it could not be held to it.
        ...(models && Object.keys(models.budget).length === 0
          ? { rewriter: modelRewriter(models.model) }
          : {}),
        options: search.service,
        pages: search.pages && watchedPages(search.pages, watcher.health),
        store: cache,
        sharing: shared,
      }),
    inject: [SEARCH_PROVIDERS, ANSWER_ENGINE, RESOLVED_OPTIONS, WATCHER, MODELS],
  },
  InFlight,
  RequestObserver,
  SummarizeContentWork,
  SearchWebWork,
  ToolEndpoint,
  ToolsExceptionFilter,
  ApiKeyGuard,
  RateLimitGuard,
];

/**
 * The two tools as a module: controllers, guard, and the services behind them.
 *
 * @example
 * ToolsModule.forRoot({ apiKeys: [process.env.TOOLS_API_KEY] })
 * @publicApi
 */
@Module({
  providers: PROVIDERS,
  exports: [
    SummarizerService,
    SearchService,
    ApiKeyGuard,
    ToolsExceptionFilter,
    ToolsHealthIndicator,
    API_KEY_STORE,
    SHARED_STATE,
  ],
})
export class ToolsModule extends ConfigurableToolsModule {
  /**
   * Registers the tools with options that are known now.
   * @throws InvalidOptionError at start, saying what was expected and what came
   */
  static override forRoot(options: ToolsModuleSyncOptions = {}): DynamicModule {
    return super.forRoot(options);
  }

  /**
   * Registers the tools with options that come from a factory, a class, or an existing provider.
   * @throws InvalidOptionError when a name is none that it takes, or at start, as `forRoot`
   */
  static override forRootAsync(options: ToolsModuleAsyncOptions): DynamicModule {
    checkAsyncOptions(options);
    return super.forRootAsync(options);
  }
}
