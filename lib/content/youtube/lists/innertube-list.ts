import { yielder } from '../../../core/async.js';
import { ContentNotFoundError, ToolsError } from '../../../core/errors.js';
import { at, stringAt } from '../../../core/json.js';
import { isRecord } from '../../../core/schema.js';
import type { Fetch } from '../../../core/upstream/request.js';
import { publishedMs } from '../../../web/iso-date.js';
import { secondsIn } from '../../transcript-formats.js';
import { textAt } from '../innertube/player-response.js';
import type { ProviderContext } from '../transcript-provider.js';
import { upstreamMessage, videoFailure } from '../video-failure.js';
import { requestYouTube } from '../youtube-egress.js';
import {
  addressOf,
  MAX_VIDEOS,
  type ListedVideo,
  type ListSubject,
  type VideoPage,
  type VideoPageRequest,
} from './video-list.js';

/** Asks an endpoint of InnerTube as the web page does, e.g. `browse`. @returns its JSON */
export type AskInnertube = (
  endpoint: 'browse' | 'search' | 'navigation/resolve_url',
  body: Readonly<Record<string, string>>,
  context: ProviderContext,
) => Promise<unknown>;

/** Only videos, by relevance. (yt-dlp `_search.py`) */
const VIDEOS_ONLY = 'EgIQAfABAQ==';

/**
 * One page of a list from InnerTube. The videos of a channel are those of its playlist of uploads, `UU` in place of `UC`, newest first.
 *
 * @throws ContentNotFoundError; UpstreamInvalidError (`unreadable`); what `ask` throws
 */
async function innertubePage(
  ask: AskInnertube,
  request: VideoPageRequest,
  context: ProviderContext,
): Promise<VideoPage> {
  const { kind, value, page } = request;
  const endpoint = kind === 'query' ? 'search' : 'browse';
  try {
    if (page !== undefined) return readList(await ask(endpoint, { continuation: page }, context), request);
    if (kind === 'query')
      return readList(await ask(endpoint, { query: value, params: VIDEOS_ONLY }, context), request);
    const list = kind === 'channel' ? (await channelId(ask, value, context)).replace(/^UC/, 'UU') : value;
    return readList(await ask(endpoint, { browseId: `VL${list}` }, context), request);
  } catch (error) {
    // InnerTube says with these that it does not know an id.
    const status = ToolsError.isInstance(error) ? error.upstream?.status : undefined;
    throw page === undefined && (status === 404 || status === 400) ? noSuchList(request) : error;
  }
}

async function channelId(ask: AskInnertube, name: string, context: ProviderContext): Promise<string> {
  if (name.startsWith('UC')) return name;
  const url = addressOf({ kind: 'channel', value: name });
  const found = stringAt(
    await ask('navigation/resolve_url', { url }, context),
    'endpoint',
    'browseEndpoint',
    'browseId',
  );
  if (found?.startsWith('UC')) return found;
  throw noSuchList({ kind: 'channel', value: name });
}

export const noSuchList = ({ kind }: ListSubject, said?: string): ContentNotFoundError =>
  new ContentNotFoundError(`There is no such ${kind}, it is private, or it has no public videos.`, {
    details: { reason: 'not_found', ...(said ? { upstream_message: upstreamMessage(said) } : {}) },
  });

/** Where the videos of an answer are: of a first page, and of a later one. */
const ROOTS = /^(?:contents|continuationContents|onResponseReceived(?:Actions|Endpoints|Commands))$/;
/** Parts with other videos: suggestions, "people also watched", shorts between the results. */
const ASIDE = /^(?:(?:reelS|s)helfRenderer|richSectionRenderer|secondaryContents)$/;
const VIDEO = /^(?:(?:grid|compact|playlist|playlistPanel)?[vV]ideoRenderer|lockupViewModel)$/;
const CONTINUATION = /^continuationItem(?:Renderer|ViewModel)$/;
const COMMAND = /^continuationCommand$/;

/**
 * Reads a list in any of the forms that YouTube's web page has: renderers and view models, wherever they stand. Sources: yt-dlp `_tab.py` and
 * `_search.py` (2026-11), YouTube.js 18.1 (`PlaylistVideo`, `LockupView`, `ContinuationItemView`). Never tried live.
 *
 * @throws ContentNotFoundError, UpstreamInvalidError (`unreadable`)
 */
export function readList(answer: unknown, subject: ListSubject): VideoPage {
  const roots = isRecord(answer) ? Object.keys(answer).filter((name) => ROOTS.test(name)) : [];
  const alerts = valuesOf(at(answer, 'alerts'), /^alertRenderer$/);
  const alert = alerts.find((entry) => stringAt(entry, 'type') === 'ERROR');
  if (roots.length === 0 && alert === undefined) throw videoFailure('unreadable');
  if (roots.length === 0) throw noSuchList(subject, textAt(alert, 'text'));
  const items: ListedVideo[] = [];
  let next: string | undefined;
  for (const [name, value] of roots.flatMap((root) => [...within(at(answer, root), [VIDEO, CONTINUATION])])) {
    // The first one: a later one is that of suggestions.
    if (CONTINUATION.test(name)) next ??= tokenIn(value);
    const video = name === 'lockupViewModel' ? fromViewModel(value) : fromRenderer(value);
    if (video) items.push(video);
  }
  const heads = valuesOf(at(answer, 'header'), /^(?:numVideosText|metadataParts)$/);
  const texts = heads.flatMap((head) => [textAt(head) ?? '', ...partsOf(head)]);
  return {
    title: ['playlist', 'channel']
      .map((kind) => stringAt(answer, 'metadata', `${kind}MetadataRenderer`, 'title'))
      .find(Boolean),
    total: texts.map((text) => countIn(text, 'videos?')).find((count) => count !== undefined),
    items,
    next,
  };
}

/** Members with these names at any depth, in the order of the document. It does not look into them. */
function* within(value: unknown, wanted: readonly RegExp[]): Generator<[string, unknown]> {
  // Not by recursion: a stranger's answer may be of any depth.
  const left: [string, unknown][] = [['', value]];
  for (let member = left.pop(); member; member = left.pop()) {
    if (wanted.some((pattern) => pattern.test(member![0]))) yield member;
    else if (typeof member[1] === 'object' && member[1] !== null && !ASIDE.test(member[0]))
      for (const inner of Object.entries(member[1]).reverse()) left.push(inner);
  }
}

const valuesOf = (value: unknown, wanted: RegExp): unknown[] =>
  [...within(value, [wanted])].map(([, member]) => member);

/** A newer answer has the command inside of another one of this name. */
function tokenIn(value: unknown): string | undefined {
  const commands = valuesOf(value, COMMAND);
  for (const command of commands) {
    const token = stringAt(command, 'token');
    if (token) return token;
    for (const inner of valuesOf(command, COMMAND)) commands.push(inner);
  }
  return undefined;
}

function fromRenderer(video: unknown): ListedVideo | undefined {
  const id = stringAt(video, 'videoId');
  const title = textAt(video, 'title');
  const overlay = valuesOf(video, /^thumbnailOverlayTimeStatusRenderer$/)[0];
  const length = textAt(video, 'lengthText') ?? textAt(overlay, 'text');
  const isUpcoming = at(video, 'upcomingEventData') !== undefined;
  const styles = valuesOf(at(video, 'badges'), /^style$/);
  // A video that was removed or made private stays in its playlists.
  if (!id || !title || (at(video, 'isPlayable') === false && !length && !isUpcoming)) return undefined;
  return {
    id,
    title,
    channel: textAt(video, 'ownerText') ?? textAt(video, 'shortBylineText'),
    durationMs: msOf(length),
    ...factsIn(['publishedTimeText', 'viewCountText', 'videoInfo'].map((name) => textAt(video, name) ?? '')),
    isLive:
      isUpcoming || stringAt(overlay, 'style') === 'LIVE' || styles.includes('BADGE_STYLE_TYPE_LIVE_NOW'),
  };
}

function fromViewModel(video: unknown): ListedVideo | undefined {
  const id = stringAt(video, 'contentId');
  const about = at(video, 'metadata', 'lockupMetadataViewModel');
  const title = stringAt(about, 'title', 'content');
  if (!id || !title || stringAt(video, 'contentType') !== 'LOCKUP_CONTENT_TYPE_VIDEO') return undefined;
  const parts = valuesOf(about, /^metadataParts$/).flat();
  const channel = parts.find((part) => valuesOf(part, /^browseEndpoint$/).length > 0);
  const badges = valuesOf(at(video, 'contentImage'), /^thumbnailBadgeViewModel$/);
  return {
    id,
    title,
    channel: stringAt(channel, 'text', 'content'),
    durationMs: badges.map((badge) => msOf(stringAt(badge, 'text'))).find(Boolean),
    ...factsIn(partsOf(parts)),
    isLive: badges.some(
      (badge) =>
        /LIVE$/.test(stringAt(badge, 'badgeStyle') ?? '') ||
        /^upcoming$/i.test(stringAt(badge, 'text') ?? ''),
    ),
  };
}

const partsOf = (parts: unknown): string[] =>
  (Array.isArray(parts) ? parts : []).map((part) => stringAt(part, 'text', 'content') ?? '');

const msOf = (clock = ''): number | undefined =>
  /^\s*(?:\d{1,3}:)?\d{1,2}:\d{2}\s*$/.test(clock) ? secondsIn(clock)! * 1000 : undefined;

const SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_629_746,
  year: 31_556_952,
};

/** What texts such as `1.2M views • 3 weeks ago` say. YouTube rounds down: the day is the latest that fits. */
function factsIn(texts: readonly string[]): Pick<ListedVideo, 'publishedAt' | 'views'> {
  const all = texts.join(' • ');
  const [, count, unit] = /(\d{1,4}) (second|minute|hour|day|week|month|year)s? ago/i.exec(all) ?? [];
  const ms = Number(count) * (SECONDS[unit?.toLowerCase() ?? ''] ?? NaN) * 1000;
  const publishedAt = ms >= 0 ? new Date(Date.now() - ms).toISOString().slice(0, 10) : undefined;
  return { publishedAt, views: countIn(all, 'views?') };
}

/** The number before a noun: `1,234 videos`, `1.2M views`, `No views`. */
function countIn(text: string, noun: string): number | undefined {
  const [, digits, scale = ''] = new RegExp(`(\\d[\\d.,]{0,15}|No)([KMB])? ${noun}\\b`).exec(text) ?? [];
  if (digits === undefined) return undefined;
  if (digits === 'No') return 0;
  return Math.round(Number(digits.replaceAll(',', '')) * 1000 ** ' KMB'.indexOf(scale || ' '));
}

/**
 * As {@link innertubePage}. Where only the newest videos of a channel are wanted, and its feed goes back far enough, one request for the feed is all.
 * The feed has exact dates and the 15 newest videos; it has no lengths.
 */
export async function channelOrPage(
  ask: AskInnertube,
  request: VideoPageRequest,
  context: ProviderContext,
  fetch?: Fetch,
  baseUrl = 'https://www.youtube.com',
): Promise<VideoPage> {
  const { kind, value, page, publishedAfter } = request;
  if (kind !== 'channel' || page !== undefined || publishedAfter === undefined)
    return innertubePage(ask, request, context);
  const id = await channelId(ask, value, context);
  try {
    const url = `${baseUrl}/feeds/videos.xml?channel_id=${id}`;
    const feed = await readFeed(await requestYouTube({ url, fetch }, context), url, context.signal);
    const oldest = publishedMs(feed.items.at(-1)?.publishedAt);
    if (oldest <= publishedMs(publishedAfter)) return feed;
  } catch (error) {
    // The feed is often down when the rest is not.
    if (!ToolsError.isInstance(error)) throw error;
  }
  return innertubePage(ask, { ...request, value: id }, context);
}

/** Reads the Atom feed of a channel. (https://www.youtube.com/feeds/videos.xml, as yt-dlp's and Miniflux's tests show it. Never tried live.) */
async function readFeed(xml: string, url: string, signal: AbortSignal): Promise<VideoPage> {
  // Loaded with the first feed, not with the host.
  const { feedItems } = await import('../../../web/extract/feed.js');
  const { title, items } = await feedItems(xml, new URL(url), yielder(signal), MAX_VIDEOS);
  return {
    title,
    items: items.flatMap(({ video, title: name, publishedAt, views }): ListedVideo[] =>
      video && name ? [{ id: video, title: name, channel: title, publishedAt, views }] : [],
    ),
  };
}
