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
  type Infer,
} from '../../../core/schema.js';
import type { Fetch } from '../../../core/upstream/request.js';
import type { Chapter, ContentRequest } from '../../content-source.js';
import {
  INNERTUBE_CLIENTS,
  WEB_CLIENT,
  type InnertubeClient,
  type PoToken,
  type PoTokenProvider,
} from '../innertube/clients.js';
import { parseJson, stringAt } from '../../../core/json.js';
import type { PlayerVideo } from '../innertube/player-response.js';
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

/**
 * Captions from YouTube's own interface: the `player` endpoint with one client profile after the other, then timedtext. This
 * is the default provider and needs no key. After a 429 it leaves YouTube alone for about a minute.
 *
 * @throws InvalidOptionError
 */
export function innertubeTranscripts(given: InnertubeOptions = {}): TranscriptProvider {
  return new InnertubeProvider(parseOption('innertubeTranscripts', OPTIONS, given));
}

const isHttpUrl = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
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

class InnertubeProvider implements TranscriptProvider {
  readonly name = 'innertube';
  private readonly clients: readonly InnertubeClient[];
  private readonly egress: YouTubeEgress;
  private readonly origin: string;
  private readonly captionOrigin: string | undefined;
  /** YouTube's id of an anonymous visitor. Requests without one are soon taken for a bot's. */
  private visitorData: string | undefined;

  constructor(private readonly options: Infer<typeof OPTIONS>) {
    const { clients, fetch, baseUrl, timedtextBaseUrl = baseUrl, poToken } = options;
    this.clients = clients ?? [...INNERTUBE_CLIENTS, ...(poToken ? [WEB_CLIENT] : [])];
    this.egress = new YouTubeEgress(fetch);
    this.origin = baseUrl ?? 'https://www.youtube.com';
    this.captionOrigin = timedtextBaseUrl;
  }

  async fetchTranscript(
    videoId: string,
    request: ContentRequest,
    context: ProviderContext,
  ): Promise<VideoTranscript> {
    // Loaded with the first video, not with the host.
    const { tryClients } = await import('../innertube/clients.js');
    // Each refusal offers a new visitor; one repetition a video shows whether that helps.
    let mayRepeat = true;
    return tryClients(this.clients, context, async (client) => {
      const sent = this.visitorData;
      const since = performance.now();
      try {
        return await this.withClient(client, videoId, request, context);
      } catch (error) {
        context.signal.throwIfAborted();
        const newVisitor = this.visitorData !== sent;
        if (outcomeOf(error) !== 'bot_check' || !newVisitor || !mayRepeat) throw error;
        mayRepeat = false;
        context.attempt({
          client: client.name,
          ms: Math.round(performance.now() - since),
          outcome: 'bot_check',
        });
        return this.withClient(client, videoId, request, context);
      }
    });
  }

  private async withClient(
    client: InnertubeClient,
    videoId: string,
    request: ContentRequest,
    context: ProviderContext,
  ): Promise<VideoTranscript> {
    const token = await this.options.poToken?.({ videoId, client: client.name, signal: context.signal });
    const response = await this.ask('player', client, videoId, context, token);
    const { transcriptFromPlayer } = await import('../innertube/fetch-captions.js');
    try {
      return await transcriptFromPlayer(response, videoId, request, {
        captions: {
          origin: this.captionOrigin,
          userAgent: client.userAgent,
          token: token && { value: token.token, client: client.name },
        },
        chaptersOf: (video) => this.chaptersOf(video, videoId, context),
        egress: this.egress,
        context,
      });
    } catch (error) {
      // A visitor id that YouTube takes for a bot is useless; the refusal brings a new one.
      if (outcomeOf(error) === 'bot_check') this.visitorData = undefined;
      throw error;
    } finally {
      this.visitorData ??= stringAt(response, 'responseContext', 'visitorData');
    }
  }

  /** Chapters are an extra: a failure to get them never costs the transcript. */
  private async chaptersOf(
    video: PlayerVideo,
    videoId: string,
    context: ProviderContext,
  ): Promise<Chapter[]> {
    const { chapters, durationMs = 0 } = video;
    if (chapters.length > 0 || !this.options.chapterMarkers || durationMs < MARKERS_FROM_MS) return chapters;
    const { chaptersFromMarkers } = await import('../innertube/player-response.js');
    return this.ask('next', WEB_CLIENT, videoId, context).then(
      (response) => chaptersFromMarkers(response, durationMs),
      () => [],
    );
  }

  private async ask(
    endpoint: 'player' | 'next',
    client: InnertubeClient,
    videoId: string,
    context: ProviderContext,
    token?: PoToken,
  ): Promise<unknown> {
    const { name, version, id, userAgent } = client;
    const visitorData = token ? token.visitorData : this.visitorData;
    const body = await this.egress.request(
      {
        url: `${this.origin}/youtubei/v1/${endpoint}?prettyPrint=false`,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': userAgent,
          'x-youtube-client-name': String(id),
          'x-youtube-client-version': version,
          origin: 'https://www.youtube.com',
          ...(visitorData ? { 'x-goog-visitor-id': visitorData } : {}),
          ...client.headers,
        },
        body: JSON.stringify({
          // English whatever the summary's language: reasons are matched by their English sentences, and titles come untranslated.
          context: {
            client: {
              clientName: name,
              clientVersion: version,
              userAgent,
              hl: 'en',
              gl: 'US',
              ...client.context,
              ...(visitorData ? { visitorData } : {}),
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
}
