// The names that the README and docs show, and the types that an implementation of a port needs.

// The module
export { ToolsModule } from './tools.module.js';
export type {
  ToolsModuleAsyncOptions,
  ToolsModuleSyncOptions,
  ToolsOptionsFactory,
} from './tools.module-definition.js';
export type { ToolsModuleOptions } from './tools.options.js';

// http: bodies of requests, the OpenAPI document and errors
export { apiKeySecurity } from './http/tools-controller.decorator.js';
export { SearchWebDto } from './tools/dto/search-web.dto.js';
export { SummarizeContentDto } from './tools/dto/summarize-content.dto.js';
export { ToolsExceptionFilter } from './http/tools-exception.filter.js';

// auth: who may use the tools
export { ApiKeyGuard, identityOf, type GuardedRequest } from './auth/api-key.guard.js';
export type { ApiKeyIdentity, ApiKeyStore } from './auth/api-key-store.js';

// summarize: content in, summary out
export { SummarizerService, type SummarizeRequest, type SummarizeResult } from './tools/summarize-content.js';
export type { Summarizer, Summary, SummaryRequest } from './summarize/summarizer.js';

// transcript: content in, its words with their times out
export { TranscriptService, type TranscriptRequest, type TranscriptResult } from './tools/get-transcript.js';

// lists: a playlist, a channel or a query in, its videos out
export { VideoListService, type VideoListRequest, type VideoListResult } from './tools/list-videos.js';

// questions: a question to a video in, an answer with its seconds out
export {
  ResearchService,
  type ResearchOptions,
  type ResearchRequest,
  type ResearchResult,
} from './tools/research.js';
export { AskVideoService, type AskVideoRequest, type AskVideoResult } from './tools/ask-video.js';

// search: query in, results or an answer out
export {
  SearchService,
  type SearchRequest,
  type SearchResponse,
  type SearchResult,
} from './tools/search-web.js';
export type {
  SearchHit,
  SearchProvider,
  SearchProviderResult,
  SearchQuery,
} from './search/search-provider.js';
export { aiReranker, type Reranker } from './search/reranker.js';
export { modelVerifier, type Verdict, type Verifier } from './grounding/verifier.js';
export { documents } from './search/providers/documents.provider.js';
export type { SearchDocument } from './search/ranking/document-index.js';
export { cachedVectors, type VectorStore } from './search/vectors/vector-store.js';
export { providersFromEnvironment } from './search/providers/from-environment.js';
export { brave, braveLlmContext } from './search/providers/brave.provider.js';
export { exa } from './search/providers/exa.provider.js';
export { firecrawl } from './search/providers/firecrawl.provider.js';
export { jina } from './search/providers/jina.provider.js';
export { kagi } from './search/providers/kagi.provider.js';
export { linkup } from './search/providers/linkup.provider.js';
export { marginalia } from './search/providers/marginalia.provider.js';
export { mojeek } from './search/providers/mojeek.provider.js';
export { parallel } from './search/providers/parallel.provider.js';
export { perplexity } from './search/providers/perplexity.provider.js';
export { searxng } from './search/providers/searxng.provider.js';
export { serper } from './search/providers/serper.provider.js';
export { tavily } from './search/providers/tavily.provider.js';
export { wikipedia } from './search/providers/wikipedia.provider.js';
export { you } from './search/providers/you.provider.js';

// content: where the words come from
export type { Content, ContentRequest, ContentSource, OrText } from './content/content-source.js';
export type {
  ProviderContext,
  TranscriptProvider,
  VideoTranscript,
} from './content/youtube/transcript-provider.js';
export type {
  ListedVideo,
  VideoListProvider,
  VideoPage,
  VideoPageRequest,
} from './content/youtube/lists/video-list.js';
export { memoryTranscripts, memoryVideos } from './content/youtube/providers/memory.provider.js';
export { innertubeTranscripts, innertubeVideos } from './content/youtube/providers/innertube.provider.js';
export { INNERTUBE_CLIENTS, type PoTokenProvider } from './content/youtube/innertube/clients.js';
export { youtubeiTranscripts, youtubeiVideos } from './content/youtube/providers/youtubei.provider.js';
export { ytDlpTranscripts, ytDlpVideos } from './content/youtube/providers/yt-dlp.provider.js';
export { fetchedAudio, ytDlpAudio, type AudioSource } from './content/speech/audio-source.js';
export { podcastFeeds, type PodcastFeedsOptions } from './content/podcast-feeds.js';
export { speechTranscripts } from './content/speech/speech-transcripts.js';
export { supadataTranscripts } from './content/youtube/providers/supadata.provider.js';
export { videoFailure } from './content/youtube/video-failure.js';

// web: how pages are read
export { PageService, type ReadPageRequest, type ReadPageResult } from './tools/read-page.js';
export { firecrawlScrape, jinaReader, youExtract, type PageRenderer } from './web/page-renderer.js';
export { unpdfReader } from './web/extract/unpdf-reader.js';

// core: errors that a host throws or looks at, shared state, health, usage
export {
  ContentNotFoundError,
  InvalidApiKeyError,
  InvalidContentIdError,
  MethodUnavailableError,
  ToolsError,
  UpstreamInvalidError,
  UpstreamUnavailableError,
} from './core/errors.js';
export {
  API_KEY_STORE,
  CONTENT_SOURCES,
  SEARCH_PROVIDERS,
  SHARED_STATE,
  SUMMARIZER,
} from './core/injection-tokens.js';
export { ToolsHealthIndicator } from './core/health.js';
export type { RequestEvent } from './core/request-event.js';
export type { CallOptions, ToolContext } from './core/context.js';
export type { CacheStore } from './core/cache.js';
export type { LimitStore, SharedState } from './core/shared-state.js';
export type { Fetch } from './core/upstream/request.js';
export type { ProviderOption, ProviderOptionFactory } from './core/ports.js';
export type { ModelUsage } from './core/usage.js';
export type { Language } from './text/languages.js';
