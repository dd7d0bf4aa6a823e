import type { ToolContext } from '../../../core/context.js';
import { ContentNotFoundError, NotConfiguredError } from '../../../core/errors.js';
import { memoryCacheStore, ResultCache, type CacheStore } from '../../../core/cache.js';
import { integer, nullable, object, string } from '../../../core/schema.js';
import { unwatched, type Watch } from '../../../core/health.js';
import { portResult } from '../../../core/ports.js';
import type { Warning } from '../../../core/warning.js';
import { publishedMs } from '../../../web/iso-date.js';
import { withAttempts } from '../video-failure.js';
import { ProviderCalls, TriedProviders } from '../provider-calls.js';
import type { YouTubeSettings } from '../youtube.source.js';
import {
  VIDEO_PAGE,
  type ListedVideo,
  type ListSubject,
  type VideoListProvider,
  type VideoPage,
  type VideoPageRequest,
} from './video-list.js';

/** Pages of a provider's list that one request may cost; a plain bound. */
const MAX_PAGES = 10;

/** How long a place in a list is kept, ms, and in how much memory where the host has no cache, bytes; a plain bound. */
const PLACE_TTL_MS = 24 * 3_600_000;
const PLACES_BYTES = 4 * 1024 * 1024;

/** A part of a list. */
export interface VideoList extends Pick<VideoPage, 'title' | 'total' | 'items'> {
  /** Position in the whole list where the next part begins; absent at the end. */
  next?: number;
  provider?: string;
  warnings: Warning[];
}

/** Where a list goes on. */
interface Place {
  /** Name of the provider that has it. */
  provider?: string;
  page?: string;
  /** Videos of this page, and of those after it, that were seen. */
  skip: number;
}

const PLACE = object<Place>({ provider: nullable(string()), page: nullable(string()), skip: integer(0) });

interface VideoListsOptions {
  providers: readonly VideoListProvider[];
  settings: Required<YouTubeSettings>;
  /** Where places in lists are kept for the next part. Default: in this process. */
  cache?: CacheStore;
  watch?: Watch;
}

/** Reads lists page by page, from one provider after the other until one has it. */
export class VideoLists {
  private readonly calls: ProviderCalls;
  private readonly places: ResultCache<Place>;

  constructor(private readonly options: VideoListsOptions) {
    const { cache, watch = unwatched } = options;
    this.calls = new ProviderCalls('list provider', watch);
    // Without it, a list would end where a request that begins at its top gets to.
    const store = cache ?? memoryCacheStore(PLACES_BYTES);
    this.places = new ResultCache({ name: 'video-list-place:1', schema: PLACE, store, ttlMs: PLACE_TTL_MS });
  }

  /**
   * @param from position in the whole list
   */
  async list(
    { count, publishedAfter, ...subject }: Omit<VideoPageRequest, 'page'>,
    from: number,
    context: ToolContext,
  ): Promise<VideoList> {
    const keyOf = (position: number): string => this.places.keyOf([subject.kind, subject.value, position]);
    const placeAt = async (position: number): Promise<Place | undefined> =>
      position > 0 ? this.places.read(keyOf(position)) : undefined;
    let place: Place | undefined = (await placeAt(from)) ?? { skip: from };
    const asked = new Set<string | undefined>();
    const items = new Map<string, ListedVideo>();
    const list: Omit<VideoList, 'items'> = { warnings: [] };
    const since = publishedMs(publishedAfter);
    let position = from;
    for (let pages = 0; pages < MAX_PAGES && place && items.size < count; pages++) {
      const { skip, page }: Place = place;
      asked.add(page);
      const request = { ...subject, count: count - items.size + skip, publishedAfter, page };
      try {
        const { provider, answer } = await this.ask(request, place.provider, context);
        list.provider = provider;
        list.title ??= answer.title;
        list.total ??= answer.total;
        list.warnings.push(...(answer.warnings ?? []));
        const rest = answer.items.slice(skip);
        let seen = 0;
        for (; seen < rest.length && items.size < count; seen++) {
          const item = rest[seen]!;
          if (!(publishedMs(item.publishedAt) < since)) items.set(item.id, item);
        }
        position += seen;
        const { next } = answer;
        // A channel's newest come first.
        const isPast = subject.kind === 'channel' && publishedMs(rest.at(-1)?.publishedAt) < since;
        if (seen < rest.length) place = { provider, page, skip: skip + seen };
        else if (next === undefined || asked.has(next) || isPast) place = undefined;
        else place = { provider, page: next, skip: Math.max(0, skip - answer.items.length) };
      } catch (error) {
        if (items.size === 0 || context.signal.aborted) throw error;
        const message = `The list breaks off here. ${(error as Error).message} Ask for the rest later.`;
        list.warnings.push({ code: 'list_incomplete', message, transient: true });
        break;
      }
    }
    if (place) await this.places.write(keyOf(position), place);
    if (place && position === from) {
      // Where the place is lost, the same part again would end here again.
      if (!(await placeAt(position))) place = undefined;
      const message = `${MAX_PAGES} pages of the list brought no further video.`;
      const rest = place ? 'Ask again with next_cursor for the rest.' : 'The list breaks off here.';
      list.warnings.push({ code: 'list_incomplete', message: `${message} ${rest}`, transient: true });
    }
    return { ...list, items: [...items.values()], next: place && position };
  }

  /** Whether this address, which is not on YouTube, is a channel of a provider. */
  hasChannel(address: string): boolean {
    return this.options.providers.some((provider) => provider.hasChannel?.(address));
  }

  private async ask(
    request: VideoPageRequest,
    only: string | undefined,
    context: ToolContext,
  ): Promise<{ provider: string; answer: VideoPage }> {
    const { providers, settings } = this.options;
    if (providers.length === 0)
      throw new NotConfiguredError('No provider of lists is configured (option `listVideos.providers`).');
    const { deadlineMs: ms, requestTimeoutMs } = settings;
    const { kind, value } = request;
    // YouTube would show another channel for an address that is not on YouTube.
    const isOwn = kind === 'channel' && this.hasChannel(value);
    const mayHave = (provider: VideoListProvider): boolean =>
      provider.name === (only ?? provider.name) && (!isOwn || provider.hasChannel?.(value) === true);
    const tried = new TriedProviders();
    for (const provider of providers.filter(mayHave)) {
      const { name } = provider;
      const answer = await this.calls.call(
        provider,
        { context, ms, requestTimeoutMs, tried },
        (inner) => provider.listVideos(request, inner),
        (page) => portResult(VIDEO_PAGE, page, 'list provider', name),
      );
      if (answer) return { provider: name, answer };
    }
    throw tried.failure() ?? withAttempts(noList(request), tried.attempts);
  }
}

const noList = ({ kind }: ListSubject): ContentNotFoundError =>
  new ContentNotFoundError(`The list providers of this server do not have this ${kind}.`);
