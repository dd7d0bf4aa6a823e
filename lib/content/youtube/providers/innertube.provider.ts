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
  /** Origin of all requests. Default: YouTube's own. */
  baseUrl?: string;
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
  poToken: optional(func<PoTokenProvider>()),
  chapterMarkers: withDefault(boolean(), true),
});

/** YouTube limits a visitor to about 1,000 requests or 300 videos an hour (yt-dlp wiki, `Extractors`). */
const VISITOR_REQUESTS = 200;
const VISITOR_MS = 30 * 60_000;

/** YouTube's id of an anonymous visitor. Requests without one are soon taken for a bot's, so that of an answer is used for the next ones. */
class GuestVisitor {
  private id?: string;
  private requests = 0;
  private since = 0;

  /** The id for one request; undefined: the answer brings one. */
  take(): string | undefined {
    const isOld = performance.now() - this.since >= VISITOR_MS;
    if (isOld || this.requests >= VISITOR_REQUESTS) this.id = undefined;
    this.requests++;
    return this.id;
  }

  learn(id: string | undefined): void {
    if (this.id !== undefined || id === undefined) return;
    this.id = id;
    this.requests = 0;
    this.since = performance.now();
  }

  drop(id: string | undefined): void {
    if (this.id === id) this.id = undefined;
  }
}

/** Refusals that may be about the visitor. */
const REFUSES_VISITOR = new Set(['bot_check', 'rate_limited']);

/**
 * Captions from YouTube's own interface: the `player` endpoint with one client profile after the other, then timedtext. This
 * is the default provider and needs no key. After a 429 it leaves YouTube alone for about a minute.
 *
 * @throws InvalidOptionError
 */
export function innertubeTranscripts(given: InnertubeOptions = {}): TranscriptProvider {
  const settings = parseOption('innertubeTranscripts', OPTIONS, given);
  const { fetch, baseUrl, poToken, chapterMarkers } = settings;
  const { clients = [...INNERTUBE_CLIENTS, ...(poToken ? [WEB_CLIENT] : [])] } = settings;
  const egress = new YouTubeEgress(fetch);
  const visitor = new GuestVisitor();

  async function ask(
    endpoint: 'player' | 'next',
    client: InnertubeClient,
    videoId: string,
    context: ProviderContext,
    visitorId: string | undefined,
    poToken?: string,
  ): Promise<unknown> {
    const { name, version, id, userAgent } = client;
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
          ...(visitorId ? { 'x-goog-visitor-id': visitorId } : {}),
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
              ...(visitorId ? { visitorData: visitorId } : {}),
            },
          },
          videoId,
          ...(endpoint === 'player' ? { contentCheckOk: true, racyCheckOk: true } : {}),
          ...(poToken ? { serviceIntegrityDimensions: { poToken } } : {}),
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
    return ask('next', WEB_CLIENT, videoId, context, visitor.take()).then(
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
    const visitorId = token ? token.visitorData : visitor.take();
    const response = await ask('player', client, videoId, context, visitorId, token?.token);
    if (!token && !visitorId) visitor.learn(stringAt(response, 'responseContext', 'visitorData'));
    // Loaded with the first video, not with the host.
    const { transcriptFromPlayer } = await import('../innertube/fetch-captions.js');
    try {
      return await transcriptFromPlayer(response, videoId, request, {
        egress,
        context,
        origin: baseUrl,
        userAgent: client.userAgent,
        token: token && { value: token.token, client: client.name },
        chaptersOf: (video) => chaptersOf(video, videoId, context),
      });
    } catch (error) {
      if (REFUSES_VISITOR.has(outcomeOf(error))) visitor.drop(visitorId);
      throw error;
    }
  }

  return {
    name: 'innertube',
    fetchTranscript(videoId, request, context) {
      // One repetition a video shows whether another visitor helps.
      let mayRepeat = true;
      return tryClients(clients, context, async (client) => {
        const since = performance.now();
        try {
          return await withClient(client, videoId, request, context);
        } catch (error) {
          context.signal.throwIfAborted();
          const outcome = outcomeOf(error);
          if (!mayRepeat || !REFUSES_VISITOR.has(outcome) || egress.isResting) throw error;
          mayRepeat = false;
          context.attempt({ client: client.name, ms: Math.round(performance.now() - since), outcome });
          return withClient(client, videoId, request, context);
        }
      }).catch((error) => egress.fail(error, context));
    },
  };
}
