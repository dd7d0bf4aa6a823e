import { parseJson, stringAt } from '../../../core/json.js';
import type { Fetch } from '../../../core/upstream/request.js';
import type { ProviderContext } from '../transcript-provider.js';
import { videoFailure } from '../video-failure.js';
import { requestYouTube } from '../youtube-egress.js';
import { refusesVisitor, type InnertubeClient } from './clients.js';

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
    try {
      return parseJson(text);
    } catch (error) {
      throw videoFailure('unreadable', { cause: error });
    }
  }
}
