import { Logger, type Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { CacheStore } from '../core/cache.js';
import { watchGroup, type Watcher } from '../core/health.js';
import { CONTENT_SOURCES, MOUNTED_TOOLS, RESOLVED_OPTIONS, WATCHER } from '../core/injection-tokens.js';
import { resolveProviderOptions, type ProviderOption } from '../core/ports.js';
import { anything, array, optional, options, parseOption, port, withDefault } from '../core/schema.js';
import { printable } from '../core/printable.js';
import type { MountedTools } from '../core/request-event.js';
import { connect } from '../model/connect.js';
import { Background } from '../model/model.providers.js';
import type { AnyContentSource } from './content-source.js';
import { innertubeTranscripts } from './youtube/providers/innertube.provider.js';
import type { AnyTranscriptProvider } from './youtube/transcript-provider.js';
import { YOUTUBE_FIELDS, YouTubeSource, type YouTubeSettings } from './youtube/youtube.source.js';

/** Where the words of YouTube videos come from, and how long they may take and are cached. */
export interface YouTubeOptions extends YouTubeSettings {
  /** Tried in order. Default: `innertubeTranscripts()`. */
  transcripts?: readonly ProviderOption<AnyTranscriptProvider>[];
}

/** Options for content. */
export interface ContentModuleOptions {
  /** Settings of the source type `youtube`. */
  youtube?: YouTubeOptions;
  /** Sources of the host's own. One of the source type `youtube` is asked before YouTube; what it does not know, YouTube is asked for. */
  contentSources?: readonly ProviderOption<AnyContentSource>[];
}

/** The options `youtube.…`. */
export const YOUTUBE_SCHEMA = options({
  ...YOUTUBE_FIELDS,
  transcripts: optional(array(anything<ProviderOption<AnyTranscriptProvider>>())),
});
const SOURCES = withDefault(array(anything<ProviderOption<AnyContentSource>>()), []);

/** Checks the options of content. @throws InvalidOptionError */
export function resolveContent(options: ContentModuleOptions): Required<ContentModuleOptions> {
  return {
    youtube: parseOption('youtube', withDefault(YOUTUBE_SCHEMA, {}), options.youtube),
    contentSources: parseOption('contentSources', SOURCES, options.contentSources),
  };
}

const YOUTUBE_TYPE = 'youtube';

const SOURCE = port<AnyContentSource>('ContentSource', 'sourceType', 'identify', 'load', 'urlAt');
const TRANSCRIPTS = port<AnyTranscriptProvider>('TranscriptProvider', 'name', 'fetchTranscript');

async function contentSources(
  { youtube, contentSources, cache }: Required<ContentModuleOptions> & { cache?: CacheStore },
  moduleRef: ModuleRef,
  watcher: Watcher,
  mounted: MountedTools,
  { environment }: Background,
): Promise<AnyContentSource[]> {
  const sources = await resolveProviderOptions('contentSources', SOURCE, contentSources, moduleRef);
  for (const source of sources) connect(source, environment);
  const others = new Set(sources.map(({ sourceType }) => sourceType).filter((type) => type !== YOUTUBE_TYPE));
  if (others.size > 0 && mounted.tools.includes('summarize_content'))
    new Logger('ToolsModule').log(
      printable(
        `Content sources for SummarizerService only: ${[...others].join(', ')}. Over HTTP source_type is always ${YOUTUBE_TYPE}.`,
      ),
    );
  // A host that has its own content for YouTube's addresses, and no transcripts, leaves YouTube out.
  if (youtube.transcripts?.length === 0 && sources.some(({ sourceType }) => sourceType === YOUTUBE_TYPE))
    return sources;
  const providers = youtube.transcripts ?? [innertubeTranscripts()];
  const transcripts = await resolveProviderOptions('youtube.transcripts', TRANSCRIPTS, providers, moduleRef);
  for (const provider of transcripts) {
    watcher.health.register('summarize_content', provider.name);
    connect(provider, environment);
  }
  const watch = watchGroup('summarize_content', watcher);
  return [...sources, new YouTubeSource({ ...youtube, transcripts, cache, watch })];
}

/** The sources of content: the host's own first, then YouTube. */
export const CONTENT_PROVIDERS: Provider[] = [
  {
    provide: CONTENT_SOURCES,
    useFactory: contentSources,
    inject: [RESOLVED_OPTIONS, ModuleRef, WATCHER, MOUNTED_TOOLS, Background],
  },
];
