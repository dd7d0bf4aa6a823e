import { setTimeout as sleep } from 'node:timers/promises';
import { UpstreamTimeoutError } from '../../../core/errors.js';
import {
  boolean,
  check,
  func,
  map,
  oneOf,
  optional,
  options,
  parseOption,
  secret,
  string,
  withDefault,
  type Infer,
} from '../../../core/schema.js';
import {
  parseJson,
  requestUpstream,
  type Fetch,
  type UpstreamResponse,
} from '../../../core/upstream/request.js';
import { retryAfterMs, withRetry } from '../../../core/upstream/retry.js';
import type { ContentRequest } from '../../content-source.js';
import { cleanName } from '../captions/clean-text.js';
import type { Cue } from '../captions/caption-formats.js';
import { chaptersFromDescription } from '../chapters.js';
import { at, arrayAt, stringAt } from '../../../core/json.js';
import { RateLimitCircuit, restSeconds } from '../youtube-egress.js';
import type { ProviderContext, TranscriptProvider, VideoTranscript } from '../transcript-provider.js';
import { videoFailure, type VideoFailureReason } from '../video-failure.js';

/** Options of {@link supadataTranscripts}. */
export interface SupadataOptions {
  apiKey: string;
  /** Default `https://api.supadata.ai`. */
  baseUrl?: string;
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: Fetch;
  /** `native` reads existing captions. `auto` and `generate` may make Supadata recognise the speech, at extra cost. Default `native`. */
  mode?: 'native' | 'auto' | 'generate';
  /** Also requests title, channel, duration and description, for one more request and credit a video. Default true. */
  metadata?: boolean;
}

const SUPADATA = 'Supadata';
const RETRY = { attempts: 2, baseMs: 300, capMs: 2000 };
const MAX_BYTES = 24 * 1024 * 1024;

/** Time between two requests for the state of a job, ms. */
const POLL_MS = 1_000;

/** Meaning of the service's statuses (docs.supadata.ai, error codes). */
const REASONS: Record<number, VideoFailureReason> = {
  206: 'no_captions',
  403: 'refused',
  404: 'not_found',
};

/**
 * Captions from supadata.ai, a hosted service with its own addresses. It helps when YouTube blocks the address of a cloud server.
 * The service does not say whether people wrote the captions, so they count as automatic.
 *
 * Wire format: `GET /v1/transcript`, `GET /v1/transcript/{jobId}` and `GET /v1/metadata`, all with `x-api-key` (docs.supadata.ai,
 * types of `@supadata/js` 1.4.0, which deprecate `/v1/youtube/video`). No call to the live service was made.
 *
 * @throws InvalidOptionError
 */
export function supadataTranscripts(given: SupadataOptions): TranscriptProvider {
  return new SupadataProvider(parseOption('supadataTranscripts', OPTIONS, given ?? {}));
}

const isUrl = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value);

const OPTIONS = options({
  apiKey: secret(string({ min: 1, expected: 'the API key of Supadata' })),
  baseUrl: withDefault(
    map(check<string>('a URL', isUrl), (url) => url.replace(/\/$/, '')),
    'https://api.supadata.ai',
  ),
  fetch: optional(func<Fetch>()),
  mode: withDefault(oneOf('native', 'auto', 'generate'), 'native'),
  metadata: withDefault(boolean(), true),
});

class SupadataProvider implements TranscriptProvider {
  readonly name = 'supadata';
  private readonly circuit = new RateLimitCircuit(SUPADATA);

  constructor(private readonly options: Infer<typeof OPTIONS>) {}

  async fetchTranscript(
    videoId: string,
    { language }: ContentRequest,
    context: ProviderContext,
  ): Promise<VideoTranscript> {
    const url = `https://www.youtube.com/watch?v=${videoId}`;
    const query = new URLSearchParams({ url, lang: language, text: 'false', mode: this.options.mode });
    const [transcript, about] = await Promise.all([
      this.transcript(query, context),
      this.options.metadata ? this.metadata(url, context) : undefined,
    ]);
    const { cuesToSegments } = await import('../captions/read-captions.js');
    const segments = await cuesToSegments(arrayAt(transcript, 'content').map(toCue), context.signal);
    if (segments.length === 0) throw videoFailure('no_captions');
    const seconds = at(about, 'media', 'duration');
    const durationMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined;
    const description = stringAt(about, 'description');
    return {
      title: cleanName(stringAt(about, 'title')),
      channel: cleanName(stringAt(about, 'author', 'displayName') ?? stringAt(about, 'author', 'username')),
      description,
      durationMs,
      language: stringAt(transcript, 'lang') ?? language,
      captions: 'automatic',
      segments,
      chapters: chaptersFromDescription(description ?? '', durationMs),
    };
  }

  private async transcript(query: URLSearchParams, context: ProviderContext): Promise<unknown> {
    const first = await this.get(`/v1/transcript?${query}`, context);
    const jobId = stringAt(first, 'jobId');
    if (jobId === undefined) return first;
    for (;;) {
      await sleep(POLL_MS, undefined, { signal: context.signal });
      const job = await this.get(`/v1/transcript/${encodeURIComponent(jobId)}`, context);
      const status = stringAt(job, 'status');
      if (status === 'completed') return at(job, 'result') ?? job;
      if (status === 'failed') {
        const failed = stringAt(job, 'error', 'error');
        throw videoFailure(failed === 'transcript-unavailable' ? 'no_captions' : 'refused');
      }
    }
  }

  /** Metadata is an extra: a failure to get it never costs the transcript. */
  private metadata(url: string, context: ProviderContext): Promise<unknown> {
    const query = new URLSearchParams({ url });
    return this.get(`/v1/metadata?${query}`, context).catch(() => undefined);
  }

  private async get(path: string, context: ProviderContext): Promise<unknown> {
    const response = await this.circuit.run(async () => {
      const answer = await withRetry(() => this.send(path, context), context, RETRY);
      if (answer instanceof UpstreamTimeoutError) throw answer;
      if (answer.status !== 429) return answer;
      throw videoFailure('rate_limited', {
        message: 'Supadata limits the requests of this API key (429).',
        retryAfterSeconds: restSeconds(retryAfterMs(answer.headers)),
        upstream: { upstream: SUPADATA, status: 429 },
      });
    });
    const reason = REASONS[response.status];
    if (reason) throw videoFailure(reason);
    if (response.status >= 300) {
      // 401 and 402: another try would change nothing.
      throw videoFailure('refused', {
        message: `Supadata refused the request (${response.status}).`,
        shouldRetry: false,
        upstream: { upstream: SUPADATA, status: response.status },
      });
    }
    return parseJson(response, SUPADATA);
  }

  private async send(
    path: string,
    context: ProviderContext,
  ): Promise<UpstreamResponse | UpstreamTimeoutError> {
    try {
      const response = await requestUpstream(
        {
          upstream: SUPADATA,
          url: `${this.options.baseUrl}${path}`,
          headers: { 'x-api-key': this.options.apiKey, accept: 'application/json' },
          timeoutMs: context.requestTimeoutMs,
          maxBytes: MAX_BYTES,
          fetch: this.options.fetch,
        },
        context,
      );
      if (response.status >= 500) {
        throw videoFailure('server_error', {
          message: 'Supadata answered with a server error.',
          upstream: { upstream: SUPADATA, status: response.status },
        });
      }
      return response;
    } catch (error) {
      if (error instanceof UpstreamTimeoutError) return error;
      throw error;
    }
  }
}

function toCue(chunk: unknown): Cue | undefined {
  const [text, offset, duration] = [stringAt(chunk, 'text'), at(chunk, 'offset'), at(chunk, 'duration')];
  if (text === undefined || typeof offset !== 'number') return undefined;
  return { startMs: offset, endMs: typeof duration === 'number' ? offset + duration : undefined, text };
}
