import {
  array,
  boolean,
  check,
  func,
  map,
  optional,
  options,
  parseOption,
  port,
  withDefault,
} from '../../../core/schema.js';
import { parseUrl } from '../../../core/url.js';
import type { Fetch } from '../../../core/upstream/request.js';
import type { Chapter, ContentRequest } from '../../content-source.js';
import {
  INNERTUBE_CLIENTS,
  tryClients,
  WEB_CLIENT,
  type InnertubeClient,
  type PoToken,
  type PoTokenProvider,
} from '../innertube/clients.js';
import { parseJson, stringAt } from '../../../core/json.js';
import { chaptersFromMarkers, type PlayerVideo } from '../innertube/player-response.js';
import type { ProviderContext, TranscriptProvider, VideoTranscript } from '../transcript-provider.js';
import { outcomeOf, videoFailure } from '../video-failure.js';
import { YouTubeEgress } from '../youtube-egress.js';

/** Options of {@link innertubeTranscripts}. */
export interface InnertubeOptions {
  /** Client profiles in the order in which they are tried. Default `INNERTUBE_CLIENTS`, plus `WEB_CLIENT` when `poToken` is set. */
  clients?: readonly InnertubeClient[];
  /** Sends the requests, e.g. through a proxy. Default: the global `fetch`. */
  fetch?: Fetch;
  /** Origin of the `player` and `next` endpoints. Default `https://www.youtube.com`. */
  baseUrl?: string;
  /** Origin for captions. Default: `baseUrl` when set, else YouTube's own. */
  timedtextBaseUrl?: string;
  /** Provides PO tokens; called once for each client that is tried. */
  poToken?: PoTokenProvider;
  /** Sends one more request for the chapters of videos over ten minutes whose description has none. Default true. */
  chapterMarkers?: boolean;
}

const MARKERS_FROM_MS = 600_000;
const MAX_PLAYER_BYTES = 3 * 1024 * 1024;

const isHttpUrl = (value: unknown): boolean =>
  typeof value === 'string' && /^https?:$/.test(parseUrl(value)?.protocol ?? '');
const ORIGIN = map(check<string>('an http or https URL', isHttpUrl), (url) => new URL(url).origin);

const OPTIONS = options({
  clients: optional(
    array(port<InnertubeClient>('InnertubeClient', 'name', 'version', 'id', 'userAgent'), { min: 1 }),
  ),
  fetch: optional(func<Fetch>()),
  baseUrl: optional(ORIGIN),
  timedtextBaseUrl: optional(ORIGIN),
  poToken: optional(func<PoTokenProvider>()),
  chapterMarkers: withDefault(boolean(), true),
});

/**
 * Captions from YouTube's own interface: the `player` endpoint with one client profile after the other, then timedtext. This
 * is the default provider and needs no key. After a 429 it leaves YouTube alone for about a minute.
 *
 * @throws InvalidOptionError
 */
export function innertubeTranscripts(given: InnertubeOptions = {}): TranscriptProvider {
  const { fetch, baseUrl, poToken, chapterMarkers, ...others } = parseOption(
    'innertubeTranscripts',
    OPTIONS,
    given,
  );
  const { clients = [...INNERTUBE_CLIENTS, ...(poToken ? [WEB_CLIENT] : [])] } = others;
  const { timedtextBaseUrl: captionOrigin = baseUrl } = others;
  const egress = new YouTubeEgress(fetch);
  /** YouTube's id of an anonymous visitor. Requests without one are soon taken for a bot's. */
  let visitorData: string | undefined;

  async function ask(
    endpoint: 'player' | 'next',
    client: InnertubeClient,
    videoId: string,
    context: ProviderContext,
    token?: PoToken,
  ): Promise<unknown> {
    const { name, version, id, userAgent } = client;
    const visitor = token ? token.visitorData : visitorData;
    const body = await egress.request(
      {
        url: `${baseUrl ?? 'https://www.youtube.com'}/youtubei/v1/${endpoint}?prettyPrint=false`,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': userAgent,
          'x-youtube-client-name': String(id),
          'x-youtube-client-version': version,
          origin: 'https://www.youtube.com',
          ...(visitor ? { 'x-goog-visitor-id': visitor } : {}),
          ...client.headers,
        },
        body: JSON.stringify({
          // Always English: reasons are matched by their English sentences, and titles come untranslated.
          context: {
            client: {
              clientName: name,
              clientVersion: version,
              userAgent,
              hl: 'en',
              gl: 'US',
              ...client.context,
              ...(visitor ? { visitorData: visitor } : {}),
            },
          },
          videoId,
          ...(endpoint === 'player' ? { contentCheckOk: true, racyCheckOk: true } : {}),
          ...(token ? { serviceIntegrityDimensions: { poToken: token.token } } : {}),
        }),
        maxBytes: MAX_PLAYER_BYTES,
        mayBeLimited: endpoint === 'next',
      },
      context,
    );
    try {
      return parseJson(body);
    } catch (error) {
      throw videoFailure('unreadable', { cause: error });
    }
  }

  /** Chapters are an extra: a failure to get them never costs the transcript. */
  async function chaptersOf(
    { chapters, durationMs = 0 }: PlayerVideo,
    videoId: string,
    context: ProviderContext,
  ): Promise<Chapter[]> {
    if (chapters.length > 0 || !chapterMarkers || durationMs < MARKERS_FROM_MS) return chapters;
    return ask('next', WEB_CLIENT, videoId, context).then(
      (response) => chaptersFromMarkers(response, durationMs),
      () => [],
    );
  }

  async function withClient(
    client: InnertubeClient,
    videoId: string,
    request: ContentRequest,
    context: ProviderContext,
  ): Promise<VideoTranscript> {
    const token = await poToken?.({ videoId, client: client.name, signal: context.signal });
    const response = await ask('player', client, videoId, context, token);
    // Loaded with the first video, not with the host.
    const { transcriptFromPlayer } = await import('../innertube/fetch-captions.js');
    try {
      return await transcriptFromPlayer(response, videoId, request, {
        egress,
        context,
        origin: captionOrigin,
        userAgent: client.userAgent,
        token: token && { value: token.token, client: client.name },
        chaptersOf: (video) => chaptersOf(video, videoId, context),
      });
    } catch (error) {
      // A visitor id that YouTube takes for a bot is useless; the refusal brings a new one.
      if (outcomeOf(error) === 'bot_check') visitorData = undefined;
      throw error;
    } finally {
      visitorData ??= stringAt(response, 'responseContext', 'visitorData');
    }
  }

  return {
    name: 'innertube',
    fetchTranscript(videoId, request, context) {
      // Each refusal offers a new visitor; one repetition a video shows whether that helps.
      let mayRepeat = true;
      return tryClients(clients, context, async (client) => {
        const sent = visitorData;
        const since = performance.now();
        try {
          return await withClient(client, videoId, request, context);
        } catch (error) {
          context.signal.throwIfAborted();
          const outcome = outcomeOf(error);
          if (outcome !== 'bot_check' || visitorData === sent || !mayRepeat) throw error;
          mayRepeat = false;
          context.attempt({ client: client.name, ms: Math.round(performance.now() - since), outcome });
          return withClient(client, videoId, request, context);
        }
      });
    },
  };
}
