import {
  ContentNotFoundError,
  InvalidOptionError,
  MissingPeerError,
  NotConfiguredError,
  ToolsError,
  UpstreamInvalidError,
  UpstreamTimeoutError,
  type Attempt,
} from '../../core/errors/index.js';
import { requireKnownKeys } from '../../core/check-options.js';
import { memoryCacheStore, ResultCache, type CacheStore } from '../../core/cache/index.js';
import type { SharedState } from '../../core/sharing/index.js';
import { withContext, type ProgressEvent, type ToolContext } from '../../core/tool-context.js';
import { CircuitBreaker, type Verdict } from '../../core/upstream/index.js';
import { brokenPort } from '../../core/broken-port.js';
import { transcriptFault } from '../content-fault.js';
import type { Content, ContentRequest, ContentSource } from '../content-source.js';
import { FailureMemory } from './failure-memory.js';
import { incompleteness } from './completeness.js';
import type { TranscriptProvider, VideoTranscript } from './transcript-provider.js';
import { changed, isFinal, mostTelling, outcomeOf, videoFailure } from './video-failure.js';
import { parseVideoId } from './video-id.js';

export interface YouTubeSourceOptions {
  /** Tried in this order. */
  transcripts: readonly TranscriptProvider[];
  /** Time for getting the words of one video from all providers together, ms; default 20,000. */
  deadlineMs?: number;
  /** Time for one request upstream, ms; default 6,000. */
  hopMs?: number;
  /** Where transcripts are kept: any Keyv instance, or false for nowhere. Default in memory, 32 MiB. */
  cache?: CacheStore | false;
  /** How long a transcript is kept, ms; default 24 hours, 0 keeps none. Words of a trusted provider are at hand and not kept. */
  cacheTtlMs?: number;
  /** How long a failure is remembered, ms; default 60,000. Never longer than its own `Retry-After`. 0 forgets at once. */
  failureTtlMs?: number;
  /** What is shared with other replicas: equal fetches are then made once. Default: nothing. */
  sharing?: SharedState;
}

const DEFAULT_CACHE_BYTES = 32 * 1024 * 1024;

/**
 * YouTube as a content source: takes an ID or URL apart, then asks one transcript provider after the other within one
 * deadline. Equal requests share one fetch; transcripts are kept for a day, failures for a minute.
 */
export class YouTubeSource implements ContentSource {
  readonly sourceType = 'youtube';
  private readonly transcripts: readonly TranscriptProvider[];
  /** One a provider: one that is down is passed over at once, for up to 30 s. */
  private readonly breakers: ReadonlyMap<TranscriptProvider, CircuitBreaker>;
  private readonly deadlineMs: number;
  private readonly hopMs: number;
  private readonly cache: ResultCache<Content>;
  private readonly failures: FailureMemory;

  /** @throws InvalidOptionError */
  constructor(options: YouTubeSourceOptions) {
    requireKnownKeys('youtube', options, [
      'transcripts',
      'deadlineMs',
      'hopMs',
      'cache',
      'cacheTtlMs',
      'failureTtlMs',
      'sharing',
    ]);
    if (!Array.isArray(options.transcripts)) {
      throw new InvalidOptionError(
        'youtube.transcripts',
        'an array of transcript providers',
        options.transcripts,
      );
    }
    this.transcripts = options.transcripts;
    this.breakers = new Map(
      options.transcripts.map((provider) => [
        provider,
        new CircuitBreaker(`The transcript provider "${provider.name}"`),
      ]),
    );
    this.deadlineMs = milliseconds(options, 'deadlineMs', 20_000, 1);
    this.hopMs = milliseconds(options, 'hopMs', 6_000, 1);
    this.failures = new FailureMemory(milliseconds(options, 'failureTtlMs', 60_000, 0));
    const { cache = memoryCacheStore(DEFAULT_CACHE_BYTES) } = options;
    const trusted = new Set(this.transcripts.filter((provider) => provider.trusted).map(({ name }) => name));
    this.cache = new ResultCache(
      'youtube:1',
      cache === false ? undefined : cache,
      milliseconds(options, 'cacheTtlMs', 24 * 60 * 60_000, 0),
      ({ provider }) => !trusted.has(provider),
      options.sharing,
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
    const parts = [id, request.language, request.allowTranslation, names];
    const key = JSON.stringify(parts);
    const failure = context.noCache ? undefined : this.failures.get(key);
    if (failure) throw failure;
    // The chain's own deadline is the inner one, so that its error, with the attempts, is what everybody gets.
    const call = { ...context, onProgress: (event: ProgressEvent) => context.progress(event) };
    const { value } = await this.cache.get(parts, call, this.deadlineMs * 2, async (flight) => {
      try {
        const { transcript, provider } = await this.tryProviders(id, request, flight);
        return { ...transcript, id, url: `https://www.youtube.com/watch?v=${id}`, provider };
      } catch (error) {
        // What an abort brings about says nothing about the video.
        if (error instanceof ToolsError && !flight.signal.aborted) this.failures.set(key, error);
        throw error;
      }
    });
    // Shared by everybody who waited for it.
    return { ...value };
  }

  private async tryProviders(
    id: string,
    request: ContentRequest,
    context: ToolContext,
  ): Promise<{ transcript: VideoTranscript; provider: string }> {
    if (this.transcripts.length === 0) {
      throw new NotConfiguredError('No transcript provider is configured (option `youtube.transcripts`).');
    }
    const attempts: Attempt[] = [];
    const failures: ToolsError[] = [];
    const endAt = performance.now() + Math.min(this.deadlineMs, context.remainingMs());
    let timeIsUp = false;
    for (const [i, provider] of this.transcripts.entries()) {
      const left = endAt - performance.now();
      timeIsUp = left <= 0;
      if (timeIsUp) break;
      // Whoever comes later is left one hop each, as far as there is one.
      const later = this.transcripts.length - 1 - i;
      const budgetMs = Math.max(Math.min(left, this.hopMs), left - later * this.hopMs);
      try {
        const transcript = await this.tryOne(provider, id, request, context, budgetMs, attempts);
        if (transcript) return { transcript, provider: provider.name };
      } catch (error) {
        context.signal.throwIfAborted();
        failures.push(toToolsError(error, provider.name));
        if (isFinal(error)) break;
      }
    }
    const failure = mostTelling(failures);
    if (failure) throw changed(failure, { attempts });
    if (timeIsUp) {
      throw new UpstreamTimeoutError('The time for getting the transcript ran out.', {
        details: { attempts },
      });
    }
    throw new ContentNotFoundError('None of the configured transcript providers holds this video.', {
      attempts,
    });
  }

  private async tryOne(
    provider: TranscriptProvider,
    id: string,
    request: ContentRequest,
    context: ToolContext,
    budgetMs: number,
    attempts: Attempt[],
  ): Promise<VideoTranscript | undefined> {
    const since = performance.now();
    const own: Attempt[] = [];
    let outcome = 'ok';
    let open = true;
    try {
      const fetch = (): Promise<VideoTranscript | undefined> =>
        withContext(
          budgetMs,
          {
            signal: context.signal,
            requestId: context.requestId,
            noCache: context.noCache,
            spend: context.spend,
          },
          (inner) =>
            provider.fetchTranscript(id, request, {
              ...inner,
              progress: (event) => context.progress(event),
              hopMs: this.hopMs,
              attempt: ({ client, ms, outcome }) => {
                if (open) own.push({ provider: provider.name, ...(client ? { client } : {}), ms, outcome });
              },
            }),
        );
      const verdict = (error: unknown): Verdict => (context.signal.aborted ? 'nothing' : verdictOf(error));
      const transcript = await this.breakers.get(provider)!.run(fetch, verdict);
      if (transcript === undefined) {
        outcome = 'not_held';
        return undefined;
      }
      const fault = transcriptFault(transcript);
      if (fault) throw brokenPort('transcript provider', provider.name, fault);
      const flaw = provider.trusted ? undefined : incompleteness(transcript);
      if (flaw) throw videoFailure(flaw);
      return transcript;
    } catch (error) {
      outcome = error instanceof MissingPeerError ? 'not_installed' : outcomeOf(error);
      throw error;
    } finally {
      open = false;
      const ms = Math.round(performance.now() - since);
      const last = own.at(-1);
      // The whole is worth a line of its own where no line says how it ended.
      if (last?.outcome !== outcome) own.push({ provider: provider.name, ms, outcome });
      attempts.push(...own);
    }
  }
}

/** Failures that are about the way to a provider and not about one video. */
const OUTAGES: ReadonlySet<string> = new Set(['timeout', 'unreachable', 'server_error']);

/**
 * Only an outage counts against a provider: else a caller could switch one off by asking for videos that cannot be read. Who names a
 * time to wait is there; keeping to it is the provider's own matter.
 */
function verdictOf(error: unknown): Verdict {
  if (error instanceof ToolsError && error.retryAfterSeconds !== undefined) return 'there';
  return OUTAGES.has(outcomeOf(error)) ? 'failed' : 'there';
}

/** A missing peer is the host's configuration; anything else that is none of our errors is a provider's own fault. */
function toToolsError(error: unknown, provider: string): ToolsError {
  if (error instanceof ToolsError) return error;
  if (error instanceof MissingPeerError) return new NotConfiguredError(error.message);
  return new UpstreamInvalidError(`The transcript provider \`${provider}\` failed.`, { cause: error });
}

function milliseconds(
  options: YouTubeSourceOptions,
  key: 'deadlineMs' | 'hopMs' | 'cacheTtlMs' | 'failureTtlMs',
  byDefault: number,
  least: number,
): number {
  const value = options[key] ?? byDefault;
  if (!Number.isFinite(value) || value < least) {
    throw new InvalidOptionError(`youtube.${key}`, `a number of milliseconds of at least ${least}`, value);
  }
  return value;
}
