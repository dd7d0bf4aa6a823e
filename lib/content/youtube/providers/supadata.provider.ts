import { setTimeout as sleep } from 'node:timers/promises';
import { isWebAddress } from '../../../core/url.js';
import { at, arrayAt, numberAt, stringAt } from '../../../core/json.js';
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
} from '../../../core/schema.js';
import { parseJsonBody, type Fetch } from '../../../core/upstream/request.js';
import type { Cue } from '../../captions/merge-cues.js';
import { aboutVideo } from '../chapters.js';
import type { ProviderContext, TranscriptProvider } from '../transcript-provider.js';
import { meaningOf, videoFailure, type VideoFailureReason } from '../video-failure.js';
import { requestTranscript, restSeconds } from '../youtube-egress.js';

interface SupadataOptions {
  apiKey: string;
  /** Default `https://api.supadata.ai`. */
  baseUrl?: string;
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: Fetch;
  /** `native` reads existing captions. `auto` and `generate` may make Supadata recognize the speech, at extra cost. Default `native`. */
  mode?: 'native' | 'auto' | 'generate';
  /** Also requests title, channel, duration and description, for one more request and credit a video. Default true. */
  metadata?: boolean;
}

const SUPADATA = 'Supadata';
/** Plain bound: the longest transcript that is read, as JSON with its times. */
const MAX_BYTES = 24 * 1024 * 1024;

/** Time between two requests for the state of a job, ms; set by hand. */
const POLL_MS = 1_000;

/** Meaning of the service's statuses (docs.supadata.ai, error codes). */
const REASONS: Record<number, VideoFailureReason> = {
  206: 'no_captions',
  403: 'refused',
  404: 'not_found',
};

const OPTIONS = options({
  apiKey: secret(string({ min: 1, expected: 'the API key of Supadata' })),
  baseUrl: withDefault(
    map(check<string>('an http or https URL', isWebAddress), (url) => url.replace(/\/$/, '')),
    'https://api.supadata.ai',
  ),
  fetch: optional(func<Fetch>()),
  mode: withDefault(oneOf('native', 'auto', 'generate'), 'native'),
  metadata: withDefault(boolean(), true),
});

/**
 * Captions from supadata.ai, a hosted service with its own addresses. It helps when YouTube blocks the address of a cloud server.
 * The service does not say whether people wrote the captions, so they count as automatic.
 *
 * Wire format: `GET /v1/transcript`, `GET /v1/transcript/{jobId}` and `GET /v1/metadata`, all with `x-api-key` (docs.supadata.ai,
 * types of `@supadata/js` 1.4.0, which deprecate `/v1/youtube/video`).
 *
 * @throws InvalidOptionError
 */
export function supadataTranscripts(options: SupadataOptions): TranscriptProvider {
  const { apiKey, baseUrl, fetch, mode, metadata } = parseOption('supadataTranscripts', OPTIONS, options);

  async function get(path: string, context: ProviderContext): Promise<unknown> {
    const headers = { 'x-api-key': apiKey, accept: 'application/json' };
    const request = { upstream: SUPADATA, url: `${baseUrl}${path}`, headers, maxBytes: MAX_BYTES, fetch };
    const response = await requestTranscript(request, context);
    const upstream = { upstream: SUPADATA, status: response.status };
    if (response.status === 429) {
      throw videoFailure('rate_limited', {
        message: 'Supadata limits the requests of this API key (429).',
        retryAfterSeconds: restSeconds(response.headers),
        upstream,
      });
    }
    const reason = REASONS[response.status];
    // A refusal may quote YouTube.
    if (reason) throw videoFailure(meaningOf(response.body) ?? reason);
    if (response.status >= 300) {
      // 401 and 402: another try would change nothing.
      throw videoFailure('refused', {
        message: `Supadata refused the request (${response.status}).`,
        shouldRetry: false,
        upstream,
      });
    }
    return parseJsonBody(response, SUPADATA);
  }

  async function transcriptOf(query: URLSearchParams, context: ProviderContext): Promise<unknown> {
    const first = await get(`/v1/transcript?${query}`, context);
    const jobId = stringAt(first, 'jobId');
    if (jobId === undefined) return first;
    for (;;) {
      await sleep(POLL_MS, undefined, { signal: context.signal });
      const job = await get(`/v1/transcript/${encodeURIComponent(jobId)}`, context);
      const status = stringAt(job, 'status');
      if (status === 'completed') return at(job, 'result') ?? job;
      if (status === 'failed') {
        const failed = stringAt(job, 'error', 'error');
        throw videoFailure(failed === 'transcript-unavailable' ? 'no_captions' : 'refused');
      }
    }
  }

  return {
    name: 'supadata',
    async fetchTranscript(videoId, { languages }, context) {
      const [lang] = languages;
      const url = `https://www.youtube.com/watch?v=${videoId}`;
      const [transcript, about] = await Promise.all([
        transcriptOf(new URLSearchParams({ url, ...(lang ? { lang } : {}), text: 'false', mode }), context),
        // Metadata is an extra: a failure to get it never costs the transcript.
        metadata && get(`/v1/metadata?${new URLSearchParams({ url })}`, context).catch(() => undefined),
      ]);
      const { cuesToSegments } = await import('../../captions/merge-cues.js');
      const segments = await cuesToSegments(arrayAt(transcript, 'content').map(toCue), context.signal);
      if (segments.length === 0) throw videoFailure('no_captions');
      // Some answers name no languages.
      const tags = arrayAt(transcript, 'availableLangs').filter((tag) => typeof tag === 'string');
      return {
        ...aboutVideo(
          stringAt(about, 'title'),
          stringAt(about, 'author', 'displayName') ?? stringAt(about, 'author', 'username'),
          stringAt(about, 'description'),
          numberAt(about, 'media', 'duration'),
        ),
        language: stringAt(transcript, 'lang') ?? lang ?? 'und',
        captions: 'automatic',
        segments,
        ...(tags.length > 0 ? { availableLanguages: tags } : {}),
      };
    },
  };
}

function toCue(chunk: unknown): Cue | undefined {
  const [text, startMs] = [stringAt(chunk, 'text'), numberAt(chunk, 'offset')];
  if (text === undefined || startMs === undefined) return undefined;
  const duration = numberAt(chunk, 'duration');
  return { startMs, endMs: duration === undefined ? undefined : startMs + duration, text };
}
