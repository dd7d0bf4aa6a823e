import type { Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { ContentSource } from '../content/content-source.js';
import type { CacheStore } from '../core/cache.js';
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
import { resolveProviderOption, type ProviderOption } from '../core/ports.js';
import { parseOption, port } from '../core/schema.js';
import type { SharedState } from '../core/shared-state.js';
import { embeddedAnswers } from '../embedded/answer/embedded-answers.js';
import { ExtractiveSummarizer } from '../embedded/summary/extractive.summarizer.js';
import type { Models } from '../model/model.providers.js';
import type { AnswerEngine } from '../search/answer-engine.js';
import { guardedReranker, type Reranker } from '../search/reranker.js';
import type { SearchProvider } from '../search/search-provider.js';
import type { ResolvedSearchModuleOptions } from '../search/search.options.js';
import type { ResolvedSummarizeOptions } from '../summarize/summarize.options.js';
import type { Summarizer } from '../summarize/summarizer.js';
import { watchedPages } from '../web/page-reader.js';
import { CallReporter } from './observation.js';
import { SEARCH_WEB, SearchService } from './search-web.js';
import { SUMMARIZE_CONTENT, SummarizerService } from './summarize-content.js';
import { ToolCalls } from './tool-calls.js';
import type { ToolDefinition } from './tool-definition.js';

/** Every tool, in the order of the document. */
export const TOOLS: readonly ToolDefinition[] = [SUMMARIZE_CONTENT, SEARCH_WEB];

/** The part of the options that the tools need. */
interface Options {
  summarize: ResolvedSummarizeOptions;
  search: ResolvedSearchModuleOptions;
  cache?: CacheStore;
  shared?: SharedState;
}

const OWN_SUMMARIZER = port<Summarizer>('Summarizer', 'engine', 'summarize');

/** The host's own summarizer, else one on the model, else the embedded one. */
async function summarizer(
  { summarizer: own }: { summarizer?: ProviderOption<Summarizer> },
  moduleRef: ModuleRef,
  models?: Models,
): Promise<Summarizer> {
  if (own !== undefined)
    return parseOption('summarizer', OWN_SUMMARIZER, await resolveProviderOption(own, moduleRef));
  if (models === undefined) return new ExtractiveSummarizer();
  const { ModelSummarizer } = await import('../summarize/model-summarizer.js');
  const { ExtractiveEvidence } = await import('../embedded/summary/extractive-evidence.js');
  return new ModelSummarizer({ ...models, evidence: new ExtractiveEvidence() });
}

function summarizerService(
  sources: ContentSource[],
  summarizer: Summarizer,
  { summarize, cache, shared }: Options,
): SummarizerService {
  return new SummarizerService(sources, summarizer, summarize, cache, shared);
}

function searchService(
  providers: SearchProvider[],
  answers: AnswerEngine,
  { search, cache, shared }: Options,
  watcher: Watcher,
  models?: Models,
  reranker?: Reranker,
): SearchService {
  for (const { name } of providers) watcher.health.register('search_web', name);
  if (reranker) watcher.health.register('reranker', reranker.name);
  // A budget is for the one call that answers; rewriting would need a second one.
  const rewriter = models && Object.keys(models.budget).length === 0 ? models.model : undefined;
  return new SearchService({
    providers,
    answers,
    fallbackAnswers: embeddedAnswers(search.service.answerThreshold),
    rewriter,
    options: search.service,
    pages: search.pages && watchedPages(search.pages, watcher.health),
    store: cache,
    sharing: shared,
    watch: watchGroup('search_web', watcher),
    reranker: reranker && guardedReranker(reranker, watchGroup('reranker', watcher)),
  });
}

/** The tools as injectable services, and what runs them for callers from outside. */
export const TOOLS_PROVIDERS: Provider[] = [
  { provide: SUMMARIZER, useFactory: summarizer, inject: [RESOLVED_OPTIONS, ModuleRef, MODELS] },
  {
    provide: SummarizerService,
    useFactory: summarizerService,
    inject: [CONTENT_SOURCES, SUMMARIZER, RESOLVED_OPTIONS],
  },
  {
    provide: SearchService,
    useFactory: searchService,
    inject: [SEARCH_PROVIDERS, ANSWER_ENGINE, RESOLVED_OPTIONS, WATCHER, MODELS, RERANKER],
  },
  ToolCalls,
  CallReporter,
];
