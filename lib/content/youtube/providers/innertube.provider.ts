import { requireKnownKeys } from '../../../core/check-options.js';
import { InvalidOptionError } from '../../../core/errors/index.js';
import type { Fetch } from '../../../core/upstream/index.js';
import type { Chapter, ContentRequest } from '../../content-source.js';
import { INNERTUBE_CLIENTS, WEB_CLIENT, type InnertubeClient } from '../innertube/client-profiles.js';
import type { PoToken, PoTokenProvider } from '../innertube/po-token.js';
import type { PlayerVideo } from '../innertube/player-video.js';
import type { ProviderContext, TranscriptProvider, VideoTranscript } from '../transcript-provider.js';
import { videoFailure } from '../video-failure.js';
import { YouTubeEgress } from '../youtube-egress.js';

export interface InnertubeOptions {
  /** Client profiles, tried in this order; default `INNERTUBE_CLIENTS`, and behind them `WEB_CLIENT` where there is a `poToken`. */
  clients?: readonly InnertubeClient[];
  /** What requests are sent with, e.g. through a proxy; default the global `fetch`. */
  fetch?: Fetch;
  /** Origin of the `player` and `next` endpoints; default `https://www.youtube.com`. */
  baseUrl?: string;
  /** Origin to fetch captions from in place of YouTube's; default `baseUrl` where that is given. */
  timedtextBaseUrl?: string;
  /** Where PO tokens come from; asked once for each client that is tried. */
  poToken?: PoTokenProvider;
  /** Asks for chapter markers, one request more, where the description of a video over ten minutes has no chapters; default true. */
  chapterMarkers?: boolean;
}

const MARKERS_FROM_MS = 600_000;
const MAX_PLAYER_BYTES = 3 * 1024 * 1024;

/**
 * Captions straight from YouTube's own interface: the `player` endpoint with one client profile after the other, then timedtext. The default
 * provider; needs no key. Stops asking, for about a minute, an address that YouTube has limited (429).
 *
 * @throws InvalidOptionError
 */
export function innertubeTranscripts(options: InnertubeOptions = {}): TranscriptProvider {
  requireKnownKeys('innertubeTranscripts', options, [
    'clients',
    'fetch',
    'baseUrl',
    'timedtextBaseUrl',
    'poToken',
    'chapterMarkers',
  ]);
  return new InnertubeProvider(options);
}

class InnertubeProvider implements TranscriptProvider {
  readonly name = 'innertube';
  private readonly clients: readonly InnertubeClient[];
  private readonly egress: YouTubeEgress;
  private readonly origin: string;
  private readonly captionOrigin: string | undefined;
  private readonly poToken: PoTokenProvider | undefined;
  private readonly chapterMarkers: boolean;

  constructor({
    clients,
    fetch,
    baseUrl,
    timedtextBaseUrl,
    poToken,
    chapterMarkers = true,
  }: InnertubeOptions) {
    this.clients = clients ?? [...INNERTUBE_CLIENTS, ...(poToken ? [WEB_CLIENT] : [])];
    if (this.clients.length === 0) {
      throw new InvalidOptionError('innertubeTranscripts.clients', 'at least one client profile', clients);
    }
    this.egress = new YouTubeEgress(fetch);
    this.origin = originOf('baseUrl', baseUrl) ?? 'https://www.youtube.com';
    this.captionOrigin = originOf('timedtextBaseUrl', timedtextBaseUrl ?? baseUrl);
    this.poToken = poToken;
    this.chapterMarkers = chapterMarkers;
  }

  async fetchTranscript(
    videoId: string,
    request: ContentRequest,
    context: ProviderContext,
  ): Promise<VideoTranscript> {
    // What reads YouTube's answers is loaded with the first of them, not with the host.
    const { tryClients } = await import('../innertube/client-ladder.js');
    return tryClients(this.clients, context, (client) => this.withClient(client, videoId, request, context));
  }

  private async withClient(
    client: InnertubeClient,
    videoId: string,
    request: ContentRequest,
    context: ProviderContext,
  ): Promise<VideoTranscript> {
    const token = await this.poToken?.({ videoId, client: client.name, signal: context.signal });
    const response = await this.ask('player', client, videoId, context, token);
    const { transcriptFromPlayer } = await import('../innertube/transcript-from-player.js');
    return transcriptFromPlayer(response, videoId, request, {
      captions: {
        origin: this.captionOrigin,
        userAgent: client.userAgent,
        token: token && { value: token.token, client: client.name },
      },
      chaptersOf: (video) => this.chaptersOf(video, videoId, context),
      egress: this.egress,
      context,
    });
  }

  /** Chapters are an extra: that they cannot be had never costs the transcript. */
  private async chaptersOf(
    video: PlayerVideo,
    videoId: string,
    context: ProviderContext,
  ): Promise<Chapter[]> {
    const { chapters, durationMs = 0 } = video;
    if (chapters.length > 0 || !this.chapterMarkers || durationMs < MARKERS_FROM_MS) return chapters;
    const { chaptersFromMarkers } = await import('../innertube/chapter-markers.js');
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
    const visitorData = token?.visitorData;
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
          // English whatever the summary's language: reasons are matched by their sentences, and titles come untranslated.
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
      return JSON.parse(body);
    } catch (error) {
      throw videoFailure('unreadable', { cause: error });
    }
  }
}

function originOf(option: string, url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new InvalidOptionError(`innertubeTranscripts.${option}`, 'an http or https URL', url);
  }
  return new URL(url).origin;
}
