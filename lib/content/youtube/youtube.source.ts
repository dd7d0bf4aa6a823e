import {
  ToolsError,
  ContentNotFoundError,
  NotConfiguredError,
  UpstreamTimeoutError,
} from '../../core/errors.js';
import { isFinalFailure, outcomeOf, videoFailure, type VideoFailureReason } from './video-failure.js';
import { nextTurn } from '../../core/async.js';
import { LruMap, ResultCache, type CacheStore } from '../../core/cache.js';
import type { ToolContext } from '../../core/context.js';
import { unwatched, type Watch } from '../../core/health.js';
import { CHECK, portResult, type ChecksItself } from '../../core/ports.js';
import { integer, options, parseOption, string, withDefault } from '../../core/schema.js';
import { sameLanguage, sameWriting } from '../../text/languages.js';
import { CONTENT, TRANSCRIPT } from '../content.schema.js';
import type { Content, ContentRequest, ContentSource } from '../content-source.js';
import { hasLittleSpeech, type AnyTranscriptProvider, type VideoTranscript } from './transcript-provider.js';
import { ProviderCalls, TriedProviders } from './provider-calls.js';
import { parseVideoId } from './video-id.js';

/** How many failures are remembered, and for how long, ms: a video without captions does not cost requests each time it is asked for; plain bounds. */
const MAX_FAILURES = 1_000;
const FAILURE_TTL_MS = 60_000;

/** How long getting the words of YouTube videos may take, and how long they are cached. */
export interface YouTubeSettings {
  /** Time for getting the words of one video from all providers together, ms. Default 20,000. */
  deadlineMs?: number;
  /** Time for one request upstream, ms. Default 6,000. */
  requestTimeoutMs?: number;
  /** How long a transcript is cached, ms; 0: not at all. Words of a trusted provider are not cached. Default 24 hours. */
  cacheTtlMs?: number;
}

interface YouTubeSourceOptions extends YouTubeSettings {
  transcripts: readonly AnyTranscriptProvider[];
  cache?: CacheStore;
  watch?: Watch;
}

/** Plain bound: a year. */
const MAX_MS = 365 * 24 * 3_600_000;

export const YOUTUBE_FIELDS = {
  deadlineMs: withDefault(integer(1, MAX_MS), 20_000),
  requestTimeoutMs: withDefault(integer(1, MAX_MS), 6_000),
  cacheTtlMs: withDefault(integer(0, MAX_MS), 24 * 3_600_000),
};

const SETTINGS = options(YOUTUBE_FIELDS);

/**
 * YouTube as a content source: takes an ID or URL apart, then asks one transcript provider after the other within one
 * deadline. Transcripts are cached for a day, lasting failures for a minute.
 */
export class YouTubeSource implements ContentSource, ChecksItself {
  readonly sourceType = 'youtube';
  private readonly transcripts: readonly AnyTranscriptProvider[];
  private readonly calls: ProviderCalls;
  private readonly settings: Required<YouTubeSettings>;
  private readonly contents: ResultCache<Content>;
  /** Keys of contents by request: requests in other words often lead to the same transcript. */
  private readonly choices: ResultCache<string>;
  private readonly failures = new LruMap<{ error: ToolsError; since: number }>(MAX_FAILURES);

  constructor({ transcripts, cache, watch = unwatched, ...options }: YouTubeSourceOptions) {
    this.settings = parseOption('youtube', SETTINGS, options);
    this.transcripts = transcripts;
    this.calls = new ProviderCalls('transcript provider', watch);
    const kept = { store: cache, ttlMs: this.settings.cacheTtlMs };
    this.contents = new ResultCache({ name: 'youtube:2', schema: CONTENT, ...kept });
    this.choices = new ResultCache({ name: 'youtube-choice:1', schema: string({ max: 200 }), ...kept });
  }

  async [CHECK](signal: AbortSignal): Promise<void> {
    await Promise.all(
      this.transcripts.map(async (provider) => (provider as Partial<ChecksItself>)[CHECK]?.(signal)),
    );
  }

  identify(contentId: string): string {
    return parseVideoId(contentId);
  }

  urlAt(id: string, seconds: number): string {
    return `https://www.youtube.com/watch?v=${id}&t=${Math.max(0, Math.floor(seconds))}s`;
  }

  async load(id: string, request: ContentRequest, context: ToolContext): Promise<Content> {
    const names = this.transcripts.map(({ name }) => name);
    const keyOf = (wanted: ContentRequest): string => this.choices.keyOf([id, wanted.languages, names]);
    const key = keyOf(request);
    // A recording that is too long for a request may be read in a job.
    const failureKey = context.inJob ? `${key}:job` : key;
    if (!context.noCache) {
      const failure = this.failures.get(failureKey);
      if (failure && performance.now() - failure.since < FAILURE_TTL_MS) throw failure.error;
      const choice = await this.choices.read(key);
      const kept = choice && (await this.contents.read(choice));
      if (kept) return kept;
    }
    try {
      const { transcript, provider } = await this.tryProviders(id, request, context);
      const url = `https://www.youtube.com/watch?v=${id}`;
      const content = { ...transcript, id, url, provider: provider.name };
      // The words of a trusted provider are at hand and need no cache.
      if (!provider.trusted && !context.noCache && isComplete(content)) {
        const contentKey = provider.recognizes
          ? this.recognizedKey(id, provider)
          : this.contents.keyOf([id, content.language, content.captions, names]);
        await this.contents.write(contentKey, content);
        for (const equal of [request, ...requestsFor(content, request)])
          await this.choices.write(keyOf(equal), contentKey);
      }
      return content;
    } catch (error) {
      // A failure caused by an abort says nothing about the video. One of the moment may pass.
      if (ToolsError.isInstance(error) && !context.signal.aborted && isLasting(error))
        this.failures.set(failureKey, { error, since: performance.now() });
      throw error;
    }
  }

  private async tryProviders(
    id: string,
    request: ContentRequest,
    context: ToolContext,
  ): Promise<{ transcript: VideoTranscript; provider: AnyTranscriptProvider }> {
    if (this.transcripts.length === 0) {
      throw new NotConfiguredError('No transcript provider is configured (option `youtube.transcripts`).');
    }
    const tried = new TriedProviders();
    const { attempts, failures } = tried;
    const { deadlineMs, requestTimeoutMs } = this.settings;
    const endAt = performance.now() + deadlineMs;
    let timeIsUp = false;
    for (const [i, provider] of this.transcripts.entries()) {
      const share = provider.recognizes ? Infinity : endAt - performance.now();
      const left = Math.min(share, context.remainingMs());
      timeIsUp = left <= 0;
      if (timeIsUp) continue;
      const knowsNoCaptions = failures.some(({ error }) => outcomeOf(error) === NO_CAPTIONS);
      if (provider.recognizes && failures.length > 0 && !knowsNoCaptions) continue;
      // Each later provider is left the time for one request, as far as there is any.
      const later = this.transcripts.slice(i + 1).filter(({ recognizes }) => !recognizes).length;
      const budgetMs = Math.max(Math.min(left, requestTimeoutMs), left - later * requestTimeoutMs);
      const kept = provider.recognizes && !context.noCache;
      const known = kept && (await this.contents.read(this.recognizedKey(id, provider)));
      if (known) return { transcript: known, provider };
      // A budget that ends with the caller's deadline is not a time limit of the provider.
      const ms = budgetMs < context.remainingMs() ? budgetMs : undefined;
      const before = failures.length;
      const transcript = await this.calls.call(
        provider,
        { context, ms, requestTimeoutMs, tried },
        (inner) => provider.fetchTranscript(id, request, inner),
        (fetched) => checkedTranscript(provider, fetched, context.signal),
      );
      if (transcript) return { transcript, provider };
      // Missing captions are no answer where the speech was to be recognized.
      if (provider.recognizes && failures.length > before) failures.splice(0, before);
      if (isFinalFailure(failures.at(-1)?.error)) break;
    }
    const failure = tried.failure();
    if (failure) throw failure;
    if (timeIsUp) {
      throw new UpstreamTimeoutError('The time for getting the transcript ran out.', {
        details: { attempts },
      });
    }
    throw new ContentNotFoundError(
      'The transcript providers of this server do not have this video. Check content_id.',
      { details: { attempts } },
    );
  }

  private recognizedKey(id: string, { name }: AnyTranscriptProvider): string {
    return this.contents.keyOf([id, 'recognized', name]);
  }
}

/** @throws UpstreamInvalidError; TranscriptUnavailableError (`low_speech`) */
async function checkedTranscript(
  { name, trusted }: AnyTranscriptProvider,
  fetched: unknown,
  signal: AbortSignal,
): Promise<VideoTranscript> {
  // Hundreds of thousands of segments take their time to check.
  await nextTurn(signal);
  const sound = portResult(TRANSCRIPT, fetched, 'transcript provider', name);
  const { withSegments } = await import('../text-segments.js');
  const transcript = await withSegments(sound, signal);
  if (!trusted && hasLittleSpeech(transcript)) throw videoFailure('low_speech');
  return transcript;
}

const NO_CAPTIONS = 'no_captions' satisfies VideoFailureReason;

const isComplete = ({ warnings = [] }: Content): boolean => !warnings.some(({ transient }) => transient);

/** Further requests that the same transcript answers. */
function requestsFor({ language, captions }: Content, { languages }: ContentRequest): ContentRequest[] {
  // What nobody asked for, and what a machine has heard, is in the spoken language.
  const isSpoken =
    captions === 'automatic' ||
    captions === 'recognized' ||
    !languages.some((wanted) => sameLanguage(wanted, language));
  const base = language.split('-', 1)[0]!;
  // A request for `zh` gets `zh-Hans` where both are there.
  const isUsual = sameWriting(base, language);
  return [...(isUsual ? [[base]] : []), ...(isSpoken ? [[]] : [])].map((equal) => ({ languages: equal }));
}

const isLasting = ({ code, shouldRetry }: ToolsError): boolean => !shouldRetry && code !== 'not_configured';
