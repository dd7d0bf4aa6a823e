import { hash } from 'node:crypto';
import { yielder } from '../core/async.js';
import { LruMap, ResultCache } from '../core/cache.js';
import type { ToolContext } from '../core/context.js';
import {
  ContentNotFoundError,
  InvalidContentIdError,
  ToolsError,
  UpstreamInvalidError,
  UpstreamUnavailableError,
} from '../core/errors.js';
import { arrayAt, numberAt, parseJson, stringAt } from '../core/json.js';
import { CHECK, type ChecksItself } from '../core/ports.js';
import { array, check, map, optional, options, parseOption, port, withheld } from '../core/schema.js';
import { isWebAddress, parseUrl } from '../core/url.js';
import { SingleFlight } from '../core/single-flight.js';
import { CONNECT, connect, type ConnectsToModels } from '../model/connect.js';
import type { ModelEnvironment } from '../model/upstream.js';
import { sameLanguage } from '../text/languages.js';
import { plainText } from '../text/plain-text.js';
import { decodeText } from '../web/extract/decode-text.js';
import type { FeedFile, FeedItem } from '../web/extract/feed.js';
import { createGuardedFetch, GUARDED_FETCH_FIELDS, type GuardedFetch } from '../web/guarded-fetch.js';
import { publishedMs } from '../web/iso-date.js';
import { WebError } from '../web/web.errors.js';
import { CONTENT } from './content.schema.js';
import type { Content, ContentRequest, ContentSource, TranscriptSegment } from './content-source.js';
import { languageOfSegments } from './youtube/providers/memory.provider.js';
import { secondsIn } from './transcript-formats.js';
import { isWebPage } from './youtube/youtube-egress.js';
import {
  MAX_LISTED,
  type VideoListProvider,
  type VideoPage,
  type VideoPageRequest,
} from './youtube/lists/video-list.js';
import type { VideoTranscript } from './youtube/transcript-provider.js';
import { videoFailure } from './youtube/video-failure.js';

/** What recognizes speech: `speechTranscripts()`. */
interface Speech {
  recognize(address: string, context: ToolContext): Promise<VideoTranscript>;
}

/** Options of {@link podcastFeeds}. */
export interface PodcastFeedsOptions {
  /** Addresses of feeds, RSS or Atom. Callers send one of them as `channel` of `list_videos`. */
  feeds: readonly string[];
  /** Hears the episodes that have no transcript: `speechTranscripts({ audio: fetchedAudio((url) => url), … })`. Default: they have no words. */
  speech?: Speech;
  /**
   * Hosts of feeds and transcripts that may be in a private network: `host`, `host:port` or `*.host`. The sound needs its own, in `fetchedAudio()`.
   * Default none.
   */
  allowHosts?: readonly string[];
}

const ADDRESS = map(check<string>('an http or https URL', isWebAddress), (url) => new URL(url).href);
const OPTIONS = options({
  feeds: array(withheld(ADDRESS), { min: 1 }),
  speech: optional(port<Speech>('SpeechTranscripts', 'recognize')),
  allowHosts: optional(GUARDED_FETCH_FIELDS.allowHosts),
});

/** For a whole feed or transcript, ms and bytes. Feeds of a thousand episodes with their notes have 10 MB. */
const FETCH = { timeoutMs: 15_000, maxBytes: 16 * 1024 * 1024 };
/** How long a feed is kept in memory, ms: the episodes of a batch need it one after the other; set by hand. */
const FEED_TTL_MS = 300_000;
const WORDS_TTL_MS = 24 * 3_600_000; // words in the cache; a plain bound
const READ_MS = 30_000; // for a feed; a plain bound
const FEED_TYPES = ['text/*', 'application/*xml', 'application/octet-stream'];
const WORD_TYPES = ['text/*', 'application/*'];
/** Transcripts by preference: who speaks, times, words. (https://podcasting2.org/docs/podcast-namespace/tags/transcript) */
const FORMATS = [/json/, /vtt/, /srt|subrip/, /plain/, /html/];

/** Transcripts of an episode that are tried; a plain bound. */
const MOST_TRIED = 5;

interface Feed {
  title: string;
  language?: string;
  items: FeedItem[];
  /** More episodes than were read. */
  isCut: boolean;
  /** Number of episodes, where the whole feed was counted. */
  total?: number;
}

/**
 * Podcasts by their feeds: `list_videos` lists the episodes of a feed, newest first, and the other tools read them. The words of an episode are the transcript
 * that its feed names (`podcast:transcript`), or what `speech` hears. One value for both options: `contentSources` and `listVideos.providers`.
 *
 * @throws InvalidOptionError
 */
export function podcastFeeds(options: PodcastFeedsOptions): PodcastFeeds {
  return new PodcastFeeds(options);
}

class PodcastFeeds implements VideoListProvider, ContentSource, ConnectsToModels, ChecksItself {
  readonly name = 'feeds';
  readonly sourceType = 'youtube';
  private readonly speech?: Speech;
  private readonly fetch: GuardedFetch;
  /** Addresses by the first part of the ids of their episodes. */
  private readonly addresses: ReadonlyMap<string, string>;
  private readonly reads = new SingleFlight<Feed>();
  private readonly feeds = new LruMap<{ feed: Feed; since: number }>(20);
  private readonly opened = new LruMap<{ address: string; isSound: boolean }>(5_000);
  private words?: ResultCache<Content>;

  constructor(options: PodcastFeedsOptions) {
    const { feeds, speech, allowHosts } = parseOption('podcastFeeds', OPTIONS, options);
    this.speech = speech;
    this.fetch = createGuardedFetch({ ...FETCH, allowHosts });
    this.addresses = new Map(feeds.map((address) => [short(address, 8), address]));
  }

  [CONNECT](environment: ModelEnvironment): void {
    if (this.speech) connect(this.speech, environment);
    const { cache: store } = environment;
    this.words = new ResultCache({ name: 'podcast:1', schema: CONTENT, store, ttlMs: WORDS_TTL_MS });
  }

  async [CHECK](signal: AbortSignal): Promise<void> {
    await (this.speech as Partial<ChecksItself> | undefined)?.[CHECK]?.(signal);
  }

  hasChannel(address: string): boolean {
    return this.addressOf(address) !== undefined;
  }

  async listVideos({ kind, value }: VideoPageRequest, context: ToolContext): Promise<VideoPage | undefined> {
    const address = kind === 'channel' ? this.addressOf(value) : undefined;
    if (address === undefined) return undefined;
    const { title, items, isCut, total } = await this.feedAt(address, context);
    const dateOf = ({ publishedAt }: FeedItem): number => publishedMs(publishedAt) || -Infinity;
    const videos = [...items]
      .sort((a, b) => Math.sign(dateOf(b) - dateOf(a)) || 0)
      .map((item) => ({
        id: item.video ?? idOf(address, item),
        title: item.title || title,
        channel: title,
        url: item.video ? undefined : pageOf(item),
        durationMs: (secondsIn(item.duration) ?? 0) * 1000 || undefined,
        publishedAt: item.publishedAt,
        views: item.views,
      }));
    const message = `The feed is too long. Only ${videos.length} of its episodes can be read.`;
    return {
      title,
      total,
      items: videos,
      ...(isCut ? { warnings: [{ code: 'list_incomplete', message }] } : {}),
    };
  }

  identify(contentId: string): string {
    const id = contentId.trim();
    const [, feed = ''] = /^episode-([\w-]{8})-[\w-]{16}$/.exec(id) ?? [];
    if (this.addresses.has(feed)) return id;
    throw new InvalidContentIdError('the content_id of an episode in list_videos');
  }

  async load(id: string, { languages }: ContentRequest, context: ToolContext): Promise<Content> {
    const address = this.addresses.get(id.slice(8, 16))!;
    const feed = await this.feedAt(address, context);
    const item = feed.items.find((entry) => idOf(address, entry) === id);
    if (!item)
      throw feed.isCut
        ? videoFailure('truncated', {
            message: 'The episode is not in the part of the feed that can be read.',
          })
        : new ContentNotFoundError('The feed does not have this episode any more.');
    this.opened.set(id, { address: item.sound?.url ?? pageOf(item), isSound: item.sound !== undefined });
    const key = this.words?.keyOf([id, languages]) ?? '';
    const kept = context.noCache ? undefined : await this.words?.read(key);
    if (kept) return kept;
    const { sound, transcripts } = item;
    const about = {
      id,
      url: pageOf(item),
      title: item.title || feed.title,
      channel: feed.title,
      provider: this.name,
    };
    const languageOf = ({ language = feed.language ?? '' }: FeedFile): string => language;
    const rank = (file: FeedFile): number => {
      // Where nothing else is wanted, the words as they were spoken.
      const wanted = [...languages, feed.language ?? ''].findIndex((tag) =>
        sameLanguage(tag, languageOf(file)),
      );
      const format = FORMATS.findIndex((pattern) => pattern.test(file.type));
      return (wanted < 0 ? 100 : wanted) * 100 + (format < 0 ? 99 : format);
    };
    const ranked = [...transcripts].sort((a, b) => rank(a) - rank(b));
    let failure: unknown = videoFailure('no_captions', {
      message: 'The feed names no transcript of this episode.',
    });
    let passing: { error: unknown; language: string } | undefined;
    for (const file of ranked.slice(0, MOST_TRIED)) {
      // A server that is down may answer at the next request: another language does not stand in for it.
      if (passing && !sameLanguage(passing.language, languageOf(file))) break;
      try {
        const spoken = file.language || feed.language;
        const segments = await this.wordsOf(file, spoken, context);
        const language = spoken ?? (await languageOfSegments(segments));
        const tags = [...new Set(transcripts.flatMap((transcript) => transcript.language || []))];
        const found = { ...about, language, captions: 'manual' as const, chapters: [], segments };
        const content = tags.length > 0 ? { ...found, availableLanguages: tags } : found;
        await this.words?.write(key, content);
        return content;
      } catch (error) {
        context.signal.throwIfAborted();
        if (isPassing(error)) passing ??= { error, language: languageOf(file) };
        failure = error;
      }
    }
    if (!this.speech || !sound) throw passing?.error ?? failure;
    const content = { ...(await this.speech.recognize(sound.url, context)), ...about };
    if (!content.warnings?.some(({ transient }) => transient)) await this.words?.write(key, content);
    return content;
  }

  urlAt(id: string, seconds: number): string {
    const { address, isSound } = this.opened.get(id)!;
    return isSound ? `${address}#t=${seconds}` : address;
  }

  private addressOf(channel: string): string | undefined {
    const href = parseUrl(channel.trim())?.href ?? '';
    return [...this.addresses.values()].find((address) => address === href);
  }

  private async feedAt(address: string, context: ToolContext): Promise<Feed> {
    const known = this.feeds.get(address);
    if (known && !context.noCache && performance.now() - known.since < FEED_TTL_MS) return known.feed;
    const feed = await this.reads.run(address, context, undefined, READ_MS, (forked) =>
      this.read(address, forked),
    );
    this.feeds.set(address, { feed, since: performance.now() });
    return feed;
  }

  private async read(address: string, context: ToolContext): Promise<Feed> {
    const { url, text, isCut } = await this.textAt(
      address,
      context,
      FEED_TYPES,
      () => new ContentNotFoundError('There is nothing at the address of the feed any more.'),
    );
    // Loaded with the first feed, not with the host.
    const { feedItems, isFeed } = await import('../web/extract/feed.js');
    if (!isFeed(text)) throw new UpstreamInvalidError('The address of the feed has no feed.');
    const read = await feedItems(text, new URL(url), yielder(context.signal), MAX_LISTED);
    // An entry without video, sound and transcript is no recording. The copy lets go of the text of the whole feed.
    const known = read.items.filter(({ video, sound, transcripts }) => video ?? sound ?? transcripts[0]);
    const items = distinct(known);
    const left = read.count - read.items.length;
    const total = isCut ? undefined : items.length + left;
    const { title, language } = read;
    return structuredClone({ title, language, items, isCut: isCut || left > 0, total });
  }

  private async wordsOf(
    { url, type }: FeedFile,
    language: string | undefined,
    context: ToolContext,
  ): Promise<TranscriptSegment[]> {
    const { text, isCut } = await this.textAt(url, context, WORD_TYPES, () =>
      videoFailure('no_captions', { message: 'The transcript that the feed names is not there any more.' }),
    );
    if (isCut) throw videoFailure('truncated', { message: 'The transcript of this episode is too long.' });
    const { isSubtitles } = await import('./captions/read-subtitles.js');
    const { segmentsOfText } = await import('./text-segments.js');
    const isTimed = isSubtitles(text);
    // A server may send a page in place of a file.
    if (!isTimed && (/vtt|srt|subrip/.test(type) || (isWebPage(text) && !/html/.test(type))))
      throw unreadable();
    const segments = /json/.test(type)
      ? segmentsIn(text)
      : await segmentsOfText(isTimed ? text : plainText(text), language, context.signal);
    if (segments.length === 0) throw unreadable();
    return segments;
  }

  /** @throws WebError; `gone` where nothing is there */
  private async textAt(
    address: string,
    { signal }: ToolContext,
    types: readonly string[],
    gone: () => ToolsError,
  ): Promise<{ url: string; text: string; isCut: boolean }> {
    try {
      const { url, body, contentType, cut } = await this.fetch(address, signal, { types });
      return { url, text: decodeText(body, contentType, true), isCut: cut };
    } catch (error) {
      if (!(error instanceof WebError)) throw error;
      const { message, pageStatus, retryAfterSeconds, shouldRetry } = error;
      if (pageStatus === 404 || pageStatus === 410) throw gone();
      if (pageStatus !== undefined && shouldRetry)
        throw new UpstreamUnavailableError(message, { cause: error, retryAfterSeconds });
      throw error;
    }
  }
}

/** A host that does not exist is no such failure. */
const isPassing = (error: unknown): boolean =>
  ToolsError.isInstance(error) &&
  /^upstream_(?:unavailable|timeout)$/.test(error.code) &&
  !(error instanceof WebError && error.isHostUnknown);

const short = (text: string, length: number): string => hash('sha256', text, 'base64url').slice(0, length);
const idOf = (address: string, { id }: FeedItem): string => `episode-${short(address, 8)}-${short(id, 16)}`;
/** Where a publisher gives the same id to several episodes, their files, pages and titles tell them apart. */
function distinct(items: readonly FeedItem[]): FeedItem[] {
  const counts = new Map<string, number>();
  for (const { id } of items) counts.set(id, (counts.get(id) ?? 0) + 1);
  const distinctItems = items.map((item) =>
    counts.get(item.id) === 1
      ? item
      : { ...item, id: [item.id, item.sound?.url, item.url, item.title].join('\n') },
  );
  return [...new Map(distinctItems.map((item) => [item.id, item])).values()];
}

/** Not the feed: its address may be a secret. */
const pageOf = ({ url, sound, transcripts }: FeedItem): string => url ?? sound?.url ?? transcripts[0]!.url;

const unreadable = (cause?: unknown): ToolsError =>
  videoFailure('unreadable', { message: 'The transcript of this episode cannot be read.', cause });

/** `{ "segments": [{ "speaker", "startTime", "endTime", "body" }] }`, in seconds. */
function segmentsIn(json: string): TranscriptSegment[] {
  let read: unknown;
  try {
    read = parseJson(json);
  } catch (error) {
    throw unreadable(error);
  }
  return arrayAt(read, 'segments').flatMap((segment) => {
    const timeAt = (name: string): number | undefined =>
      numberAt(segment, name) ?? secondsIn(stringAt(segment, name) ?? '');
    const [start, text] = [timeAt('startTime'), stringAt(segment, 'body')?.trim()];
    if (start === undefined || !text) return [];
    const endMs = (timeAt('endTime') ?? start) * 1000;
    return [{ startMs: start * 1000, endMs, text, speaker: stringAt(segment, 'speaker') }];
  });
}
