import { array, func, optional, options, parseOption, string, withDefault } from '../../../core/schema.js';
import { CHECK, loadPeer, type ChecksItself } from '../../../core/ports.js';
import type { Fetch } from '../../../core/upstream/request.js';
import { tryClients } from '../innertube/clients.js';
import { channelOrPage, type AskInnertube } from '../lists/innertube-list.js';
import type { VideoListProvider } from '../lists/video-list.js';
import type { ProviderContext, TranscriptProvider } from '../transcript-provider.js';
import { videoFailure } from '../video-failure.js';
import { requestYouTube } from '../youtube-egress.js';

interface YoutubeiOptions {
  /** Client names of `youtubei.js` in the order in which they are tried. Default `IOS`, `VISIONOS`, `ANDROID`. */
  clients?: readonly string[];
  /** Sends the requests, e.g. through a proxy. Default: the global `fetch`. */
  fetch?: Fetch;
}

const PEER = 'youtubei.js';
const USER = 'youtubeiTranscripts()';

const OPTIONS = options({
  clients: withDefault(array(string({ min: 1 }), { min: 1 }), ['IOS', 'VISIONOS', 'ANDROID']),
  fetch: optional(func<Fetch>()),
});

/** The calls of the peer that are used; its own types are left out so that hosts without it can compile. */
interface Peer {
  Innertube: {
    create(options: Record<string, unknown>): Promise<{
      actions: { execute(endpoint: string, args: Record<string, unknown>): Promise<{ data: unknown }> };
    }>;
  };
}

// A variable, so that the compiler does not require the optional package.
const NAME: string = PEER;
const load = async (): Promise<Peer> => (await import(NAME)) as Peer;

/** Asks an endpoint as a client of the peer. @throws UpstreamInvalidError (`unreadable`), and as `requestYouTube` */
async function askPeer(
  { Innertube }: Peer,
  endpoint: string,
  args: Record<string, unknown>,
  fetch: Fetch | undefined,
  context: ProviderContext,
): Promise<unknown> {
  // A session made locally costs no request, so each client gets its own, bound to its own context.
  const session = await Innertube.create({
    lang: 'en',
    location: 'US',
    generate_session_locally: true,
    retrieve_innertube_config: false,
    retrieve_player: false,
    fetch: async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
      const url = input instanceof Request ? input.url : String(input);
      const method = init.method === 'GET' ? 'GET' : 'POST';
      const headers = Object.fromEntries(new Headers(init.headers));
      const body = typeof init.body === 'string' ? init.body : undefined;
      const answer = await requestYouTube({ url, method, headers, body, fetch }, context);
      return new Response(answer, { headers: { 'content-type': 'application/json' } });
    },
  });
  try {
    return (await session.actions.execute(`/${endpoint}`, args)).data;
  } catch (error) {
    // The peer's JSON.parse failed. `instanceof` does not work: the peer may live in another realm.
    const isUnreadable = (error as Error).name === 'SyntaxError';
    throw isUnreadable ? videoFailure('unreadable', { cause: error }) : error;
  }
}

/**
 * Captions with the client profiles of the optional peer `youtubei.js` 18 or later: `npm update youtubei.js` brings new
 * profiles. Answers are read and captions chosen as in `innertubeTranscripts()`.
 *
 * @throws InvalidOptionError; MissingPeerError with the install command at the first video, after a warning at start
 */
export function youtubeiTranscripts(options: YoutubeiOptions = {}): TranscriptProvider & ChecksItself {
  const { clients, fetch } = parseOption('youtubeiTranscripts', OPTIONS, options);
  return {
    name: 'youtubei',
    [CHECK]: async () => void (await loadPeer(PEER, USER, load)),
    async fetchTranscript(videoId, request, context) {
      const peer = await loadPeer(PEER, USER, load);
      const { transcriptFromPlayer } = await import('../innertube/fetch-captions.js');
      const named = clients.map((client) => ({ name: client }));
      return tryClients(named, context, async (client) => {
        const wanted = { videoId, client: client.name, contentCheckOk: true, racyCheckOk: true };
        const response = await askPeer(peer, 'player', wanted, fetch, context);
        return transcriptFromPlayer(response, videoId, request, { fetch, context });
      });
    },
  };
}

/**
 * Lists of videos with the web client of the optional peer `youtubei.js` 18 or later. Answers are read as in `innertubeVideos()`.
 *
 * @throws InvalidOptionError; MissingPeerError with the install command at the first list
 */
export function youtubeiVideos(given: Pick<YoutubeiOptions, 'fetch'> = {}): VideoListProvider {
  const { fetch } = parseOption('youtubeiVideos', options({ fetch: optional(func<Fetch>()) }), given);
  return {
    name: 'youtubei',
    async listVideos(request, context) {
      const peer = await loadPeer(PEER, 'youtubeiVideos()', load);
      const ask: AskInnertube = (endpoint, body, asked) =>
        askPeer(peer, endpoint, { ...body, client: 'WEB' }, fetch, asked);
      return channelOrPage(ask, request, context, fetch);
    },
  };
}
