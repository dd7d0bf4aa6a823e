// The module
export { ToolsModule } from './tools.module.js';
export type {
  ToolsModuleAsyncOptions,
  ToolsModuleExtras,
  ToolsModuleSyncOptions,
  ToolsOptionsFactory,
} from './tools.module-definition.js';
export type { McpOptions } from './mcp/mcp.options.js';
export type { ShutdownOptions, ToolsModuleOptions } from './tools.options.js';

// http: what a client sees
export { apiKeySecurity } from './http/tools-controller.decorator.js';
export { ToolsExceptionFilter } from './http/tools-exception.filter.js';
export { SummarizeContentDto } from './tools/dto/summarize-content.dto.js';
export { SummarizeContentResponseDto } from './tools/dto/summarize-content-response.dto.js';
export { SearchWebDto } from './tools/dto/search-web.dto.js';
export { SearchWebResponseDto } from './tools/dto/search-web-response.dto.js';
export { ErrorDto } from './tools/dto/shared-response.dto.js';

// auth: who may use the tools
export { ApiKeyGuard, identityOf, type GuardedRequest } from './auth/api-key.guard.js';
export {
  MemoryApiKeyStore,
  type ApiKeyEntry,
  type ApiKeyIdentity,
  type ApiKeyOption,
  type ApiKeyStore,
} from './auth/api-key-store.js';
export type {
  CallerLimits,
  ConcurrencyOptions,
  KeyLimits,
  LimitOptions,
  TokenPrice,
} from './auth/auth.options.js';
export { generateApiKey, hashApiKey } from './auth/api-key-store.js';

// summarize: content in, summary out
export {
  SummarizerService,
  type SummarizeRequest,
  type SummarizeResult,
  type ContentSummaryInfo,
} from './tools/summarize-content.js';
export * from './summarize/summarizer.js';
export type { SummarizeOptions } from './summarize/summarize.options.js';
export { ExtractiveSummarizer } from './summarize/extractive/extractive.summarizer.js';

// search: query in, results or an answer out
export { SearchService } from './tools/search-web.js';
export type { SearchAnswer, SearchRequest, SearchResponse, SearchResult } from './search/search-response.js';
export type { SearchModuleOptions, SearchOptions } from './search/search.options.js';
export type {
  SearchHit,
  SearchNarrowing,
  SearchProvider,
  SearchProviderResult,
  SearchQuery,
  SearchWarning,
} from './search/search-provider.js';
export { aiReranker, type RerankedPassage, type Reranker, type RerankPassage } from './search/reranker.js';
export type { DateRange, Freshness, FreshnessPeriod } from './search/freshness.js';
export * from './search/answer-engine.js';
export { modelVerifier } from './search/answer/engines.js';
export {
  documents,
  DocumentsProvider,
  type DocumentSource,
  type DocumentsOptions,
} from './search/providers/documents.provider.js';
export type { EmbeddingOptions } from './search/vectors/embedding-options.js';
export { cachedVectors, type VectorEntry, type VectorStore } from './search/vectors/vector-store.js';
export type { SearchDocument } from './search/ranking/document-index.js';
export { SearchProviderError, type SearchFailureKind } from './search/providers/search-provider.error.js';
export type { KeyedProviderOptions, ProviderOptions } from './search/providers/provider-options.js';
export {
  ENVIRONMENT_PROVIDERS,
  providersFromEnvironment,
  type Environment,
} from './search/providers/from-environment.js';
export {
  brave,
  braveLlmContext,
  type BraveLlmContextOptions,
  type BraveOptions,
} from './search/providers/brave.provider.js';
export { exa, type ExaOptions } from './search/providers/exa.provider.js';
export { firecrawl, type FirecrawlOptions } from './search/providers/firecrawl.provider.js';
export { jina, type JinaOptions } from './search/providers/jina.provider.js';
export { kagi, type KagiOptions } from './search/providers/kagi.provider.js';
export { linkup, type LinkupOptions } from './search/providers/linkup.provider.js';
export { marginalia, type MarginaliaOptions } from './search/providers/marginalia.provider.js';
export { mojeek, type MojeekOptions } from './search/providers/mojeek.provider.js';
export { perplexity, type PerplexityOptions } from './search/providers/perplexity.provider.js';
export { searxng, type SearxngOptions } from './search/providers/searxng.provider.js';
export { serper, type SerperOptions } from './search/providers/serper.provider.js';
export { tavily, type TavilyOptions } from './search/providers/tavily.provider.js';
export { wikipedia, type WikipediaOptions } from './search/providers/wikipedia.provider.js';
export { you, type YouOptions } from './search/providers/you.provider.js';

// content: where the words come from
export * from './content/content-source.js';
export type { TranscriptProvider, VideoTranscript } from './content/youtube/transcript-provider.js';
export type { YouTubeOptions } from './content/content.providers.js';
export { YouTubeSource, type YouTubeSourceOptions } from './content/youtube/youtube.source.js';
export { parseVideoId } from './content/youtube/video-id.js';
export { memoryTranscripts, type MemoryTranscript } from './content/youtube/providers/memory.provider.js';
export {
  innertubeTranscripts,
  type InnertubeOptions,
} from './content/youtube/providers/innertube.provider.js';
export { INNERTUBE_CLIENTS, WEB_CLIENT, type InnertubeClient } from './content/youtube/innertube/clients.js';
export type { PoToken, PoTokenProvider, PoTokenRequest } from './content/youtube/innertube/clients.js';
export { youtubeiTranscripts, type YoutubeiOptions } from './content/youtube/providers/youtubei.provider.js';
export { ytDlpTranscripts, type YtDlpOptions } from './content/youtube/providers/yt-dlp.provider.js';
export { supadataTranscripts, type SupadataOptions } from './content/youtube/providers/supadata.provider.js';
export { videoFailure, VIDEO_FAILURES, type VideoFailureReason } from './content/youtube/video-failure.js';

// model: the language model behind the tools
export type { Budget, ModelOptions, RequestModelOptions } from './model/options.js';
export type { EmbeddingModelLike, LanguageModelLike, RerankingModelLike } from './model/ai-sdk.js';

// web: how pages are fetched and read
export { createGuardedFetch, type GuardedFetch, type GuardedFetchOptions } from './web/guarded-fetch.js';
export { unpdfReader } from './web/extract/unpdf-reader.js';
export type { Dial } from './web/guarded-fetch.js';
export type { PageReaderOptions, PdfReader } from './web/page-reader.js';

// core: what every room needs
export * from './core/errors.js';
export {
  API_KEY_STORE,
  CONTENT_SOURCES,
  SEARCH_PROVIDERS,
  SHARED_STATE,
  SUMMARIZER,
} from './core/injection-tokens.js';
export {
  ToolsHealthIndicator,
  type GroupHealth,
  type ToolsHealthResult,
  type UpstreamState,
} from './core/health.js';
export type { RequestEvent, ToolsHooks, WorkFacts } from './core/request-event.js';
export type { Admit, CallOptions, ProgressEvent, Spent, ToolContext } from './core/context.js';
export { memoryCacheStore, type CacheStore } from './core/cache.js';
export { rateLimiterStore } from './core/shared-state.js';
export type {
  CallGate,
  CallLimits,
  CallPermit,
  Lease,
  LeaseStore,
  LimitCount,
  LimitStore,
  SharedState,
  SharingHealth,
} from './core/shared-state.js';
export type { Fetch } from './core/upstream/request.js';
export type { Provided, ProvidedFactory, ProviderOption, ProviderOptionFactory } from './core/ports.js';
export type { ModelUsage } from './core/usage.js';
export { LANGUAGES, type Language } from './core/text/languages.js';
export { TOOL_NAMES, type ToolName } from './core/request-event.js';
