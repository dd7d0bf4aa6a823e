import { ToolsError } from '../../../core/errors.js';
import { stringAt } from '../../../core/json.js';
import type { Fetch } from '../../../core/upstream/request.js';
import type { ProviderContext } from '../transcript-provider.js';
import {
  BLOCKS_ADDRESS,
  isFinalFailure,
  mostSpecific,
  outcomeOf,
  readableJson,
  videoFailure,
} from '../video-failure.js';
import { requestYouTube } from '../youtube-egress.js';

/** How one of YouTube's own apps introduces itself. Plain data: a host can pass newer profiles when YouTube retires a version. */
export interface InnertubeClient {
  /** `context.client.clientName`; also the `client` of an attempt. */
  name: string;
  version: string;
  /** Value of `X-YouTube-Client-Name`. */
  id: number;
  userAgent: string;
  /** Further members of `context.client`, e.g. `deviceModel`. */
  context?: Readonly<Record<string, string | number>>;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Apps whose captions need no PO token, in the order in which they are tried. Names and versions are those of yt-dlp's
 * `_base.py` (2026-08-20). ANDROID_VR is not among them: YouTube has refused it since 2026-08-17 (yt-dlp pull request 17461).
 */
export const INNERTUBE_CLIENTS: readonly InnertubeClient[] = [
  {
    name: 'ANDROID',
    version: '21.26.364',
    id: 3,
    userAgent: 'com.google.android.youtube/21.26.364 (Linux; U; Android 11) gzip',
    context: { androidSdkVersion: 30, osName: 'Android', osVersion: '11' },
  },
  {
    name: 'IOS',
    version: '21.26.4',
    id: 5,
    userAgent: 'com.google.ios.youtube/21.26.4 (iPhone16,2; U; CPU iOS 18_3_2 like Mac OS X;)',
    context: { deviceMake: 'Apple', deviceModel: 'iPhone16,2', osName: 'iPhone', osVersion: '18.3.2.22D82' },
  },
  {
    name: 'VISIONOS',
    version: '1.02',
    id: 101,
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_7_3) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    context: {
      deviceMake: 'Apple',
      deviceModel: 'RealityDevice17,1',
      osName: 'visionOS',
      osVersion: '26.5.23O471',
    },
  },
];

/** The client of the web page. It is asked for captions when there is a PO token. */
export const WEB_CLIENT: InnertubeClient = {
  name: 'WEB',
  version: '2.20260708.00.00',
  id: 1,
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36',
  // The cookie answers the consent question. Without it, European addresses get the consent page.
  headers: { cookie: 'SOCS=CAI' },
};

/**
 * Provides PO tokens: proofs of origin, made by a browser or by a generator such as `bgutils-js` for one video or one visitor.
 *
 * @returns the token, and the visitor that it was made for, sent as `X-Goog-Visitor-Id`; undefined if there is none for this request
 */
export type PoTokenProvider = (request: {
  videoId: string;
  /** `clientName` of the profile that uses it, e.g. `WEB`. */
  client: string;
  signal: AbortSignal;
}) => Promise<{ token: string; visitorData?: string } | undefined>;

/** Whether a refusal may be about the visitor: YouTube limits one to about 300 videos an hour (yt-dlp wiki, `Extractors`). A 429 is about the address. */
export const refusesVisitor = (error: unknown): boolean =>
  ToolsError.isInstance(error) &&
  error.upstream?.status === undefined &&
  ['bot_check', 'rate_limited'].includes(outcomeOf(error));

/**
 * Tries one client profile after the other until one returns the transcript, or a failure is the same with every client. Records each
 * try in `details.attempts`. An error that is not a `ToolsError` counts as that client's failure only.
 *
 * @throws ToolsError the failure that says most about the video
 */
export async function tryClients<Client extends { name: string }, T>(
  clients: readonly Client[],
  context: ProviderContext,
  attempt: (client: Client) => Promise<T>,
): Promise<T> {
  const failures: ToolsError[] = [];
  for (const client of clients) {
    const since = performance.now();
    const record = (outcome: string): void =>
      context.attempt({ client: client.name, ms: Math.round(performance.now() - since), outcome });
    try {
      const result = await attempt(client);
      record('ok');
      return result;
    } catch (error) {
      context.signal.throwIfAborted();
      const outcome = outcomeOf(error);
      record(outcome);
      failures.push(ToolsError.isInstance(error) ? error : videoFailure('refused', { cause: error }));
      if (isFinalFailure(error) || (BLOCKS_ADDRESS.has(outcome) && !refusesVisitor(error))) break;
    }
  }
  throw mostSpecific(failures)!;
}

/** Plain bound. An answer of a player has some hundred kilobytes. */
const MAX_BYTES = 3 * 1024 * 1024;

/** A guest's session with InnerTube. */
export class InnertubeSession {
  /** YouTube's id of an anonymous visitor. Requests without one are soon taken for a bot's, so that of an answer is used for the next ones. */
  private visitor: string | undefined;

  constructor(private readonly host: { fetch?: Fetch; baseUrl?: string }) {}

  /**
   * Asks an endpoint, e.g. `player`, as a client, and hands its JSON to `read`. A refusal of the visitor ends the session: the next request
   * comes with the visitor of that answer, or as a new one.
   *
   * @param own visitor of this request only, e.g. the one that a PO token was made for; null for none
   * @throws what `requestYouTube` and `read` throw; UpstreamInvalidError (`unreadable`)
   */
  async ask<T>(
    client: InnertubeClient,
    endpoint: string,
    body: object,
    context: ProviderContext,
    read: (answer: unknown) => T | Promise<T>,
    own?: string | null,
  ): Promise<T> {
    const visitorId = own === undefined ? this.visitor : (own ?? undefined);
    try {
      const answer = await this.post(client, endpoint, body, context, visitorId);
      if (own === undefined) this.visitor ??= stringAt(answer, 'responseContext', 'visitorData');
      return await read(answer);
    } catch (error) {
      if (visitorId !== undefined && visitorId === this.visitor && refusesVisitor(error))
        this.visitor = undefined;
      throw error;
    }
  }

  private async post(
    client: InnertubeClient,
    endpoint: string,
    body: object,
    context: ProviderContext,
    visitorId: string | undefined,
  ): Promise<unknown> {
    const { name, version, id, userAgent } = client;
    const { fetch, baseUrl = 'https://www.youtube.com' } = this.host;
    const text = await requestYouTube(
      {
        url: `${baseUrl}/youtubei/v1/${endpoint}?prettyPrint=false`,
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
          ...body,
        }),
        maxBytes: MAX_BYTES,
        fetch,
      },
      context,
    );
    return readableJson(text);
  }
}
