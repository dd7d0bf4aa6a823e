import { yielder } from '../../../core/async.js';
import { ToolsError } from '../../../core/errors.js';
import type { Fetch } from '../../../core/upstream/request.js';
import { publishedMs } from '../../../web/iso-date.js';
import type { ProviderContext } from '../transcript-provider.js';
import { requestYouTube } from '../youtube-egress.js';
import { channelId, innertubePage, type AskInnertube } from './innertube-list.js';
import { MAX_VIDEOS, type ListedVideo, type VideoPage, type VideoPageRequest } from './video-list.js';

/** How the feed is fetched. */
interface FeedEgress {
  context: ProviderContext;
  fetch?: Fetch;
  /** Default: YouTube's own. */
  baseUrl?: string;
}

/**
 * As `innertubePage`. Where only the newest videos of a channel are wanted, and its feed goes back far enough, one request for the feed is all.
 * The feed has exact dates and the 15 newest videos; it has no lengths.
 */
export async function channelOrPage(
  ask: AskInnertube,
  request: VideoPageRequest,
  { context, fetch, baseUrl = 'https://www.youtube.com' }: FeedEgress,
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
  const { title, items } = await feedItems(xml, new URL(url), yielder(12, signal), MAX_VIDEOS);
  return {
    title,
    items: items.flatMap(({ video, title: name, publishedAt, views }): ListedVideo[] =>
      video && name ? [{ id: video, title: name, channel: title, publishedAt, views }] : [],
    ),
  };
}
