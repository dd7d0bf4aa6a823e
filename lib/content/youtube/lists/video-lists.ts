import { withFork, type ToolContext } from '../../../core/context.js';
import {
  ContentNotFoundError,
  NotConfiguredError,
  type FailedAttempt,
  type ToolsError,
} from '../../../core/errors.js';
import { failureOf } from '../../../core/failures.js';
import { ResultCache, type CacheStore } from '../../../core/cache.js';
import { integer, nullable, object, string } from '../../../core/schema.js';
import { unwatched, type Watch } from '../../../core/health.js';
import { portResult } from '../../../core/ports.js';
import type { Warning } from '../../../core/warning.js';
import { publishedMs } from '../../../web/iso-date.js';
import { mostSpecific, outcomeOf, withAttempts } from '../video-failure.js';
import { breakersOf, toToolsError, withBreakers, type YouTubeSettings } from '../youtube.source.js';
import {
  VIDEO_PAGE,
  type ListedVideo,
  type ListSubject,
  type VideoListProvider,
  type VideoPage,
  type VideoPageRequest,
} from './video-list.js';

/** Pages of a provider's list that one request may cost. */
const MAX_PAGES = 10;

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
  /** Where places in lists are kept for the next part. Default: nowhere, a later part is read from the beginning. */
  cache?: CacheStore;
  watch?: Watch;
}

/** Reads lists page by page, from one provider after the other until one has it. */
export class VideoLists {
  private readonly breakers: ReadonlyMap<VideoListProvider, ReturnType<typeof breakersOf>>;
  private readonly places: ResultCache<Place>;

  constructor(private readonly options: VideoListsOptions) {
    const { providers, settings, cache } = options;
    this.breakers = new Map(providers.map((provider) => [provider, breakersOf('list provider', provider)]));
    const stored = { store: cache, ttlMs: settings.cacheTtlMs };
    this.places = new ResultCache({ name: 'video-list-place:1', schema: PLACE, ...stored });
  }

  /**
   * @param from position in the whole list
   * @throws the content and upstream errors
   */
  async list(
    { count, publishedAfter, ...subject }: Omit<VideoPageRequest, 'page'>,
    from: number,
    context: ToolContext,
  ): Promise<VideoList> {
    const keyOf = (position: number): string => this.places.keyOf([subject.kind, subject.value, position]);
    let place: Place | undefined = (from > 0 && (await this.places.read(keyOf(from)))) || { skip: from };
    const items = new Map<string, ListedVideo>();
    const list: Omit<VideoList, 'items'> = { warnings: [] };
    const since = publishedMs(publishedAfter);
    let position = from;
    for (let pages = 0; pages < MAX_PAGES && place && items.size < count; pages++) {
      const { skip, page }: Place = place;
      const request = { ...subject, count: count - items.size + skip, publishedAfter, page };
      try {
        const { provider, answer } = await this.ask(request, place.provider, context);
        list.provider = provider;
        list.title ??= answer.title;
        list.total ??= answer.total;
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
        else if (next === undefined || isPast) place = undefined;
        else place = { provider, page: next, skip: Math.max(0, skip - answer.items.length) };
      } catch (error) {
        if (items.size === 0 || context.signal.aborted) throw error;
        const message = `The list breaks off here. ${(error as Error).message} Ask again with next_cursor for the rest.`;
        list.warnings.push({ code: 'list_incomplete', message, transient: true });
        break;
      }
    }
    if (place) await this.places.write(keyOf(position), place);
    return { ...list, items: [...items.values()], next: place && position };
  }

  private async ask(
    request: VideoPageRequest,
    only: string | undefined,
    context: ToolContext,
  ): Promise<{ provider: string; answer: VideoPage }> {
    const { providers, settings, watch = unwatched } = this.options;
    if (providers.length === 0)
      throw new NotConfiguredError('No provider of lists is configured (option `youtube.videos`).');
    const attempts: FailedAttempt[] = [];
    const failures: { name: string; error: ToolsError }[] = [];
    for (const provider of providers.filter(({ name }) => name === (only ?? name))) {
      const { name } = provider;
      const { deadlineMs: ms, requestTimeoutMs } = settings;
      const attempt = (one: Omit<FailedAttempt, 'provider'>): void =>
        void attempts.push({ provider: name, ...one });
      const since = performance.now();
      const end = (outcome: string): void => attempt({ ms: Math.round(performance.now() - since), outcome });
      const fetch = (): Promise<VideoPage | undefined> =>
        watch(name, context.signal, () =>
          withFork(context, { ms }, (own) =>
            provider.listVideos(request, { ...own, requestTimeoutMs, attempt }),
          ),
        );
      try {
        const answer = await withBreakers(this.breakers.get(provider)!, context, fetch);
        for (const failure of answer ? failures : [])
          context.fellBack?.({
            part: `The list provider ${failure.name}`,
            error: failureOf(failure.name, failure.error),
            by: name,
          });
        if (answer) return { provider: name, answer: portResult(VIDEO_PAGE, answer, 'list provider', name) };
        end('not_held');
      } catch (error) {
        context.signal.throwIfAborted();
        end(outcomeOf(error));
        failures.push({ name, error: toToolsError(error, name) });
      }
    }
    const failure = mostSpecific(failures.map(({ error }) => error)) ?? noList(request);
    throw withAttempts(failure, attempts);
  }
}

const noList = ({ kind }: ListSubject): ContentNotFoundError =>
  new ContentNotFoundError(`The list providers of this server do not have this ${kind}.`);
