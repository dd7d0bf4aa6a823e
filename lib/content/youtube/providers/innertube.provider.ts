import { array, check, func, map, optional, options, parseOption, port } from '../../../core/schema.js';
import { isWebAddress } from '../../../core/url.js';
import type { Fetch } from '../../../core/upstream/request.js';
import type { ContentRequest } from '../../content-source.js';
import {
  INNERTUBE_CLIENTS,
  InnertubeSession,
  tryClients,
  WEB_CLIENT,
  type InnertubeClient,
  type PoTokenProvider,
} from '../innertube/clients.js';
import { channelOrPage, type AskInnertube } from '../lists/innertube-list.js';
import type { VideoListProvider } from '../lists/video-list.js';
import type { ProviderContext, TranscriptProvider, VideoTranscript } from '../transcript-provider.js';

/** Options of {@link innertubeTranscripts}. */
export interface InnertubeOptions {
  /** Client profiles in the order in which they are tried. Default `INNERTUBE_CLIENTS`, plus `WEB_CLIENT` when `poToken` is set. */
  clients?: readonly InnertubeClient[];
  /** Sends the requests, e.g. through a proxy. Default: the global `fetch`. */
  fetch?: Fetch;
  /** Origin of all requests. Default: YouTube's own. */
  baseUrl?: string;
  /** Provides PO tokens; called once for each client that is tried. */
  poToken?: PoTokenProvider;
}

const ORIGIN = map(check<string>('an http or https URL', isWebAddress), (url) => new URL(url).origin);

const CLIENT = port<InnertubeClient>('InnertubeClient', 'name', 'version', 'id', 'userAgent');
const OPTIONS = options({
  clients: optional(array(CLIENT, { min: 1 })),
  fetch: optional(func<Fetch>()),
  baseUrl: optional(ORIGIN),
  poToken: optional(func<PoTokenProvider>()),
});

/**
 * Captions from YouTube's own interface: the `player` endpoint with one client profile after the other, then timedtext. This
 * is the default provider and needs no key.
 *
 * @throws InvalidOptionError
 */
export function innertubeTranscripts(options: InnertubeOptions = {}): TranscriptProvider {
  const settings = parseOption('innertubeTranscripts', OPTIONS, options);
  const { fetch, baseUrl, poToken } = settings;
  const { clients = [...INNERTUBE_CLIENTS, ...(poToken ? [WEB_CLIENT] : [])] } = settings;
  const session = new InnertubeSession({ fetch, baseUrl });

  async function withClient(
    client: InnertubeClient,
    videoId: string,
    request: ContentRequest,
    context: ProviderContext,
  ): Promise<VideoTranscript> {
    const token = await poToken?.({ videoId, client: client.name, signal: context.signal });
    const body = {
      videoId,
      contentCheckOk: true,
      racyCheckOk: true,
      ...(token ? { serviceIntegrityDimensions: { poToken: token.token } } : {}),
    };
    const read = async (response: unknown): Promise<VideoTranscript> => {
      // Loaded with the first video, not with the host.
      const { transcriptFromPlayer } = await import('../innertube/fetch-captions.js');
      return transcriptFromPlayer(response, videoId, request, {
        fetch,
        context,
        origin: baseUrl,
        userAgent: client.userAgent,
        token: token && { value: token.token, client: client.name },
      });
    };
    return session.ask(client, 'player', body, context, read, token && (token.visitorData ?? null));
  }

  return {
    name: 'innertube',
    fetchTranscript: (videoId, request, context) =>
      tryClients(clients, context, (client) => withClient(client, videoId, request, context)),
  };
}

/** Options of {@link innertubeVideos}. */
export type InnertubeVideosOptions = Pick<InnertubeOptions, 'fetch' | 'baseUrl'> & {
  /** Profile of the web page's client. Default: that of yt-dlp. */
  client?: InnertubeClient;
};

const VIDEOS_OPTIONS = options({
  fetch: optional(func<Fetch>()),
  baseUrl: optional(ORIGIN),
  client: optional(CLIENT),
});

/**
 * Lists of videos from YouTube's own interface: `browse` and `search` as the web page asks them. Where only the newest videos of a channel are
 * wanted (`publishedAfter`), the channel's feed is read first: its 15 newest videos with exact dates, without lengths. The default provider; needs
 * no key.
 *
 * @throws InvalidOptionError
 */
export function innertubeVideos(options: InnertubeVideosOptions = {}): VideoListProvider {
  const { fetch, baseUrl, client = WEB_CLIENT } = parseOption('innertubeVideos', VIDEOS_OPTIONS, options);
  const session = new InnertubeSession({ fetch, baseUrl });
  const ask: AskInnertube = (endpoint, body, context) =>
    session.ask(client, endpoint, body, context, (answer) => answer);
  return {
    name: 'innertube',
    listVideos: (request, context) => channelOrPage(ask, request, context, fetch, baseUrl),
  };
}
