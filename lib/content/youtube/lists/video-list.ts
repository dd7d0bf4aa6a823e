import { LONGEST } from '../../../core/length-limits.js';
import {
  array,
  boolean,
  cutString,
  map,
  nullable,
  number,
  object,
  orElse,
  refine,
  string,
  type Schema,
} from '../../../core/schema.js';
import { WARNING, type Warning } from '../../../core/warning.js';
import { isoDate } from '../../../web/iso-date.js';
import { cleanCaption } from '../../captions/clean-text.js';
import type { ProviderContext } from '../transcript-provider.js';
import { decode, parameter, youtubePage } from '../video-id.js';

/** One video of a list, as far as a provider knows it. */
export interface ListedVideo {
  /** Eleven-character video ID; with `url`, whatever a content source of the host takes as `content_id`. */
  id: string;
  title: string;
  /** Address of the video. Default: YouTube's. */
  url?: string;
  channel?: string;
  durationMs?: number;
  /** ISO 8601. A bare date may be the latest day that fits `3 weeks ago`; a date with a time is exact. */
  publishedAt?: string;
  views?: number;
  /** True while it is broadcast or has not begun: it cannot be read yet. */
  isLive?: boolean;
}

/** What a list is of. */
export interface ListSubject {
  kind: 'playlist' | 'channel' | 'query';
  /** ID of the playlist; ID of the channel, or `@handle`, `c/Name`, `user/Name`; the words of the query. */
  value: string;
}

/** The request for one page of a list. */
export interface VideoPageRequest extends ListSubject {
  /** `next` of the page before. Default: the first page. */
  page?: string;
  /** Videos that are wanted, 1..200. A page may have fewer or more. */
  count: number;
  /** Older videos are left out of the result, ISO 8601; lets a provider choose a cheaper way. */
  publishedAfter?: string;
}

/** One page of a list, in the order of the list; channels newest first. */
export interface VideoPage {
  title?: string;
  /** Number of videos in the whole list. */
  total?: number;
  items: ListedVideo[];
  /** Where the list goes on, at most 8,000 characters; absent at the end. */
  next?: string;
  /** What callers should know about this page. */
  warnings?: Warning[];
}

/**
 * A source of lists of videos. Providers are asked in the host's order, as those of transcripts are: one that fails throws, one that does
 * not have the list returns undefined.
 */
export interface VideoListProvider {
  /** Appears in `details.attempts` and in logs, e.g. `innertube`. */
  readonly name: string;
  /** Whether an address that is not on YouTube is a channel of this provider. If it is, no other provider is asked for it. */
  hasChannel?(address: string): boolean;
  /** @throws the content and upstream errors. `videoFailure` makes them. */
  listVideos(request: VideoPageRequest, context: ProviderContext): Promise<VideoPage | undefined>;
}

const text = (max: number): Schema<string> => map(cutString(max), cleanCaption);

const itemWith = (fact: <T>(schema: Schema<T>) => Schema<T | undefined>): Schema<ListedVideo> =>
  refine(
    object<ListedVideo>({
      id: string({ min: 1, max: LONGEST.address }),
      title: text(LONGEST.title),
      url: nullable(string({ max: LONGEST.address, pattern: /^https?:\/\// })),
      channel: fact(text(LONGEST.name)),
      durationMs: fact(number(0)),
      // Anything that names no day is dropped.
      publishedAt: map(fact(cutString(60)), (value) => value && isoDate(value)),
      views: fact(number(0)),
      isLive: fact(boolean()),
    }),
    'named by an 11-character video ID, or with a `url`',
    ({ id, url }) => url !== undefined || /^[\w-]{11}$/.test(id),
  );

/** Most videos in one answer, and in one page of a provider's list; as the API promises. */
export const MAX_VIDEOS = 200;
/** Most videos in a page of a provider; a plain bound. */
export const MAX_LISTED = 5_000;
/** Longest mark of a page. Those of a search grow with its pages. A plain bound. */
const MAX_PAGE_MARK = 8_000;

/** Videos as a host lists them. */
export const LISTED_VIDEOS = array(itemWith(nullable), { max: MAX_LISTED });

/** Videos of a stranger: a wrong fact, or a wrong video, costs none of the others. Wrong ones only are a fault. */
const FOREIGN_VIDEOS = array(
  itemWith((schema) => orElse(nullable(schema), undefined)),
  { max: MAX_LISTED, skipInvalid: 'some' },
);

/** Schema of a provider's page. Texts are cleaned and cut; a page may have more videos than were wanted. */
export const VIDEO_PAGE: Schema<VideoPage> = object<VideoPage>({
  title: nullable(text(LONGEST.title)),
  total: nullable(number(0)),
  items: FOREIGN_VIDEOS,
  next: nullable(string({ min: 1, max: MAX_PAGE_MARK })),
  warnings: nullable(array(WARNING, { max: 20 })),
});

/** Lists that are the same for every viewer. Mixes (`RD…`), `LL`, `LM` and `WL` are not. */
const PLAYLIST_ID = /^(?:PL|UU|FL|EC|PU|OLAK5uy_|RDCLAK5uy_)[\w-]{10,80}$/;
const CHANNEL_ID = /^UC[\w-]{22}$/;
const HANDLE = /^@[\p{L}\p{M}\p{N}._·-]{3,30}$/u;
const OLD_NAME = /^(?:c|user)\/[\p{L}\p{M}\p{N}._-]{1,100}$/u;
const CHANNEL_PAGE = /^main\/(@[^/]+|(?:channel|c|user)\/[^/]+)(?:\/[a-z]+)?$/;

export const ACCEPTED_LISTS = {
  playlist:
    'the URL or ID of a YouTube playlist, e.g. https://www.youtube.com/playlist?list=PLAYLIST_ID. Mixes, Liked videos and Watch later are not accepted: they differ for every viewer',
  channel:
    'the URL, ID or handle of a YouTube channel, e.g. https://www.youtube.com/@HANDLE, UC followed by 22 characters, or @HANDLE; or the address of a podcast feed that this server lists',
};

/** The ID of a playlist in a bare ID or an address with `list=`; undefined for anything else. The address is never fetched. */
export function playlistId(text: string): string | undefined {
  const id = text.trim();
  if (PLAYLIST_ID.test(id)) return id;
  const page = youtubePage(id);
  const list = page && /^(?:main|short)/.test(page.page) ? parameter(page.query, ['list']) : undefined;
  return list !== undefined && PLAYLIST_ID.test(list) ? list : undefined;
}

/** The channel in a bare ID, a handle or an address, as `ListSubject` has it; undefined for anything else. */
export function channelName(text: string): string | undefined {
  const name = text.trim();
  if (CHANNEL_ID.test(name) || HANDLE.test(name)) return name;
  const [, path] = CHANNEL_PAGE.exec(youtubePage(name)?.page ?? '') ?? [];
  const shown = path && decode(path.replace(/^channel\//, ''));
  return shown && (CHANNEL_ID.test(shown) || HANDLE.test(shown) || OLD_NAME.test(shown)) ? shown : undefined;
}

/** Address of a playlist or channel. */
export function addressOf({ kind, value }: ListSubject): string {
  if (kind === 'playlist') return `https://www.youtube.com/playlist?list=${value}`;
  return `https://www.youtube.com/${CHANNEL_ID.test(value) ? `channel/${value}` : encodeURI(value)}`;
}
