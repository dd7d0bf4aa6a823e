import type { Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { CacheStore } from '../core/cache.js';
import { watchGroup, type Watcher } from '../core/health.js';
import { CONTENT_SOURCES, RESOLVED_OPTIONS, WATCHER } from '../core/injection-tokens.js';
import { resolveProviderOptions, type ProviderOption } from '../core/ports.js';
import { anything, array, optional, options, parseOption, port, withDefault } from '../core/schema.js';
import type { ContentSource } from './content-source.js';
import { innertubeTranscripts } from './youtube/providers/innertube.provider.js';
import type { TranscriptProvider } from './youtube/transcript-provider.js';
import { YOUTUBE_FIELDS, YouTubeSource, type YouTubeSourceOptions } from './youtube/youtube.source.js';

/** Where the words of YouTube videos come from, and how long they may take and are cached. */
export interface YouTubeOptions extends Omit<YouTubeSourceOptions, 'transcripts' | 'cache' | 'watch'> {
  /** Tried in order. Default: `innertubeTranscripts()`. */
  transcripts?: readonly ProviderOption<TranscriptProvider>[];
}

/** What a host may set about content. */
export interface ContentModuleOptions {
  /** Settings of the source type `youtube`. */
  youtube?: YouTubeOptions;
  /** More sources, or one of the host's own in place of `youtube`. */
  contentSources?: readonly ProviderOption<ContentSource>[];
}

const YOUTUBE = options({
  ...YOUTUBE_FIELDS,
  transcripts: optional(array(anything<ProviderOption<TranscriptProvider>>())),
});
const SOURCES = withDefault(array(anything<ProviderOption<ContentSource>>()), []);

/** Checks the options of content. @throws InvalidOptionError */
export function resolveContent(given: ContentModuleOptions): Required<ContentModuleOptions> {
  return {
    youtube: parseOption('youtube', YOUTUBE, given.youtube ?? {}),
    contentSources: parseOption('contentSources', SOURCES, given.contentSources),
  };
}

const SOURCE = port<ContentSource>('ContentSource', 'sourceType', 'identify', 'load', 'urlAt');
const TRANSCRIPTS = port<TranscriptProvider>('TranscriptProvider', 'name', 'fetchTranscript');

async function contentSources(
  { youtube, contentSources, cache }: Required<ContentModuleOptions> & { cache?: CacheStore },
  moduleRef: ModuleRef,
  watcher: Watcher,
): Promise<ContentSource[]> {
  const own = await resolveProviderOptions(contentSources, moduleRef);
  const given = await resolveProviderOptions(youtube.transcripts ?? [innertubeTranscripts()], moduleRef);
  const transcripts = given.map((provider, i) =>
    parseOption(`youtube.transcripts[${i}]`, TRANSCRIPTS, provider),
  );
  for (const { name } of transcripts) watcher.health.register('summarize_content', name);
  const watch = watchGroup('summarize_content', watcher);
  return [
    ...own.map((source, i) => parseOption(`contentSources[${i}]`, SOURCE, source)),
    new YouTubeSource({ ...youtube, transcripts, cache: cache ?? false, watch }),
  ];
}

/** The sources of content: the host's own first, then YouTube. */
export const CONTENT_PROVIDERS: Provider[] = [
  { provide: CONTENT_SOURCES, useFactory: contentSources, inject: [RESOLVED_OPTIONS, ModuleRef, WATCHER] },
];
