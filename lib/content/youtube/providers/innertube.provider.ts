import { array, check, func, map, optional, options, parseOption, port } from '../../../core/schema.js';
import { parseUrl } from '../../../core/url.js';
import type { Fetch } from '../../../core/upstream/request.js';
import type { ContentRequest } from '../../content-source.js';
import {
  INNERTUBE_CLIENTS,
  refusesVisitor,
  tryClients,
  WEB_CLIENT,
  type InnertubeClient,
  type PoTokenProvider,
} from '../innertube/clients.js';
import { parseJson, stringAt } from '../../../core/json.js';
import type { ProviderContext, TranscriptProvider, VideoTranscript } from '../transcript-provider.js';
import { videoFailure } from '../video-failure.js';
import { requestYouTube } from '../youtube-egress.js';

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
});

/**
 * Captions from YouTube's own interface: the `player` endpoint with one client profile after the other, then timedtext. This
 * is the default provider and needs no key.
 *
 * @throws InvalidOptionError
 */
export function innertubeTranscripts(given: InnertubeOptions = {}): TranscriptProvider {
  const settings = parseOption('innertubeTranscripts', OPTIONS, given);
  const { fetch, baseUrl, poToken } = settings;
  const { clients = [...INNERTUBE_CLIENTS, ...(poToken ? [WEB_CLIENT] : [])] } = settings;
  /** YouTube's id of an anonymous visitor. Requests without one are soon taken for a bot's, so that of an answer is used for the next ones. */
  let visitor: string | undefined;

  async function ask(
    client: InnertubeClient,
    videoId: string,
    context: ProviderContext,
    visitorId: string | undefined,
    poToken?: string,
  ): Promise<unknown> {
    const { name, version, id, userAgent } = client;
    const body = await requestYouTube(
      {
        url: `${baseUrl ?? 'https://www.youtube.com'}/youtubei/v1/player?prettyPrint=false`,
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
          contentCheckOk: true,
          racyCheckOk: true,
          ...(poToken ? { serviceIntegrityDimensions: { poToken } } : {}),
        }),
        maxBytes: MAX_PLAYER_BYTES,
        fetch,
      },
      context,
    );
    try {
      return parseJson(body);
    } catch (error) {
      throw videoFailure('unreadable', { cause: error });
    }
  }

  async function withClient(
    client: InnertubeClient,
    videoId: string,
    request: ContentRequest,
    context: ProviderContext,
  ): Promise<VideoTranscript> {
    const token = await poToken?.({ videoId, client: client.name, signal: context.signal });
    const visitorId = token ? token.visitorData : visitor;
    const response = await ask(client, videoId, context, visitorId, token?.token);
    if (!token) visitor ??= stringAt(response, 'responseContext', 'visitorData');
    // Loaded with the first video, not with the host.
    const { transcriptFromPlayer } = await import('../innertube/fetch-captions.js');
    try {
      return await transcriptFromPlayer(response, videoId, request, {
        fetch,
        context,
        origin: baseUrl,
        userAgent: client.userAgent,
        token: token && { value: token.token, client: client.name },
      });
    } catch (error) {
      // The next client asks with the visitor of a refusal, or as a new one.
      if (visitorId !== undefined && visitorId === visitor && refusesVisitor(error)) visitor = undefined;
      throw error;
    }
  }

  return {
    name: 'innertube',
    fetchTranscript: (videoId, request, context) =>
      tryClients(clients, context, (client) => withClient(client, videoId, request, context)),
  };
}
