import { ModuleRef } from '@nestjs/core';
import {
  ACCEPTED_LISTS,
  channelName,
  playlistId,
  type ListSubject,
  type VideoListProvider,
} from '../content/youtube/lists/video-list.js';
import { VideoLists } from '../content/youtube/lists/video-lists.js';
import { innertubeVideos } from '../content/youtube/providers/innertube.provider.js';
import type { CallOptions } from '../core/context.js';
import { watchGroup, type Watcher } from '../core/health.js';
import { RESOLVED_OPTIONS, WATCHER } from '../core/injection-tokens.js';
import { resolveProviderOptions, type ProviderOption } from '../core/ports.js';
import {
  anything,
  array,
  integer,
  optional,
  options,
  port,
  withDefault,
  type Infer,
} from '../core/schema.js';
import type { ContentToolOptions } from './content-tool.js';
import { Cursors } from './cursor.js';
import { DEFAULT_VIDEOS, ListVideosDataDto, ListVideosDto } from './dto/list-videos.dto.js';
import { checkRequest, faultIf, refused } from './request-fields.js';
import type { ResultOf } from './result-fields.js';
import { ToolService, type Host, type ToolWork } from './run-tool.js';
import { refusal, type Enabled, type ToolDefinition } from './tool-definition.js';

/** The request for a list of videos. Exactly one of `playlist`, `channel` and `query`. */
export interface VideoListRequest {
  /** URL or ID. */
  playlist?: string;
  /** URL, ID or handle. Its videos, newest first. */
  channel?: string;
  /** Words to search for, 1..200 characters. */
  query?: string;
  /** Default and only value: `youtube`. */
  sourceType?: string;
  /** Most videos of the result, 1..200. Default 30. */
  maxResults?: number;
  /** `nextCursor` of the result before: the list goes on there. */
  cursor?: string;
  /** Leaves out videos that are surely older, ISO 8601. Those without a date stay. */
  publishedAfter?: string;
}

/** A list of videos, or a part of it; fields as in docs/reference.md. */
export interface VideoListResult extends ResultOf<ListVideosDataDto> {
  /** Name of the provider that has the list. */
  provider?: string;
}

type UncachedResult = Omit<VideoListResult, 'cached'>;

const KINDS = ['playlist', 'channel', 'query'] as const;

/**
 * Videos of a playlist, of a channel or for a query. The tool `list_videos`, usable without HTTP.
 * @publicApi
 */
export class VideoListService extends ToolService<
  VideoListRequest,
  UncachedResult,
  ResolvedListVideosOptions
> {
  constructor(
    private readonly lists: VideoLists,
    host: Host,
  ) {
    super(LIST_VIDEOS, host);
  }

  /**
   * The videos of one list, or as many as are wanted.
   * @throws InvalidRequestError, ContentNotFoundError, the upstream errors, NotConfiguredError when the tool is off
   */
  async list(request: VideoListRequest, call: CallOptions = {}): Promise<VideoListResult> {
    return this.answer(request, call);
  }

  protected prepare(request: VideoListRequest): ToolWork<UncachedResult> {
    const { maxResults = DEFAULT_VIDEOS, cursor, publishedAfter } = request;
    const sent = KINDS.filter((kind) => request[kind] !== undefined);
    const several = `cannot be sent with ${sent.slice(1).join(' or ')}: send one of ${KINDS.join(', ')}`;
    checkRequest(
      ListVideosDto,
      { ...request, maxResults },
      ...faultIf(sent.length === 0, 'playlist', `is required: send playlist, channel or query`),
      ...faultIf(sent.length > 1, sent[0]!, several),
    );
    const subject = this.subjectOf(sent[0]!, request[sent[0]!]!);
    const cursors = new Cursors(JSON.stringify([subject, publishedAfter]));
    const from = cursors.positionOf(cursor);
    return {
      key: [subject.kind, subject.value, maxResults, from, publishedAfter],
      deadlineMs: this.options.deadlineMs,
      run: async (context) => {
        context.progress({ stage: 'list' });
        const wanted = { ...subject, count: maxResults, publishedAfter };
        const { next, ...list } = await this.lists.list(wanted, from, context);
        const items = list.items.map((item) => ({
          ...item,
          url: item.url ?? `https://www.youtube.com/watch?v=${item.id}`,
        }));
        return { ...list, items, nextCursor: cursors.next(next) };
      },
    };
  }

  /** @throws InvalidRequestError naming what is accepted */
  private subjectOf(kind: ListSubject['kind'], address: string): ListSubject {
    if (kind === 'query') return { kind, value: address.trim() };
    const value = kind === 'playlist' ? playlistId(address) : channelName(address);
    if (value !== undefined) return { kind, value };
    if (kind === 'channel' && this.lists.hasChannel(address)) return { kind, value: address.trim() };
    throw refused(kind, `must be ${ACCEPTED_LISTS[kind]}; received ${JSON.stringify(address.slice(0, 100))}`);
  }
}

// Options

/** Options of `list_videos`; all are optional. */
export interface ListVideosOptions extends ContentToolOptions {
  /** How long a list is cached, ms; 0: not at all. Default 10 minutes. */
  cacheTtlMs?: number;
  /** Where lists come from, asked in this order. Default: `innertubeVideos()`. */
  providers?: readonly ProviderOption<VideoListProvider>[];
}

const SCHEMA = options({
  providers: optional(array(anything<ProviderOption<VideoListProvider>>())),
  deadlineMs: withDefault(integer(1_000, 3_600_000), 60_000),
  cacheTtlMs: withDefault(integer(0, 365 * 86_400_000), 600_000),
});

type ResolvedListVideosOptions = Infer<typeof SCHEMA>;

const PROVIDER = port<VideoListProvider>('VideoListProvider', 'name', 'listVideos');

async function videoListService(
  host: Host & {
    listVideos: Enabled<ResolvedListVideosOptions>;
    youtube: ConstructorParameters<typeof VideoLists>[0]['settings'];
  },
  watcher: Watcher,
  moduleRef: ModuleRef,
): Promise<VideoListService> {
  const { listVideos, youtube: settings, cache } = host;
  const options = listVideos.providers ?? [innertubeVideos()];
  const providers = await resolveProviderOptions('listVideos.providers', PROVIDER, options, moduleRef);
  if (listVideos.enabled) for (const { name } of providers) watcher.health.register(LIST_VIDEOS.name, name);
  const lists = new VideoLists({ providers, settings, cache, watch: watchGroup(LIST_VIDEOS.name, watcher) });
  return new VideoListService(lists, host);
}

// The tool

/** The option `listVideos`. */
export interface ListVideosOption {
  /** Settings of `list_videos`, or true for the defaults. Default: the tool is off: no route, or 501 with `forRootAsync`. */
  listVideos?: ListVideosOptions | boolean;
}

export const LIST_VIDEOS: ToolDefinition<'list_videos', VideoListService, ListVideosOption> = {
  name: 'list_videos',
  title: 'List videos',
  description:
    'Returns the videos of a YouTube playlist, of a channel (newest first), or for a query; or the episodes of a podcast feed that the host has listed.',
  request: ListVideosDto,
  data: ListVideosDataDto,
  answer: 'The videos, or a part of them.',
  errors: {
    400: refusal(
      'playlist',
      'is required: send playlist, channel or query',
      '; none or several of playlist, channel and query; not a playlist or channel of YouTube, nor a podcast feed that the host has listed; `cursor` is of another list',
    ),
    404: {
      description: '`content_not_found`: no such playlist or channel, or it is private.',
      code: 'content_not_found',
      message: 'There is no such playlist, it is private, or it has no public videos.',
    },
  },
  option: { name: 'listVideos', schema: SCHEMA, byDefault: false },
  service: VideoListService,
  provider: { inject: [RESOLVED_OPTIONS, WATCHER, ModuleRef], useFactory: videoListService },
  agent: {
    description:
      'List the videos of a YouTube playlist or channel, or the episodes of a podcast feed that this server lists, or search YouTube: send one of playlist, channel, query. Then use their content_id.',
    advice: 'Call again with a lower max_results.',
  },
  run: async (service, request, call) => ({
    result: await service.list(request, call),
    method: KINDS.find((kind) => request[kind]),
  }),
};
