import {
  ContentNotFoundError,
  ContentUnavailableError,
  ToolsError,
  TranscriptUnavailableError,
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
  type Attempt,
  type ToolsErrorOptions,
} from '../../core/errors/index.js';

/** After a block a new try within a minute is of no use; also how long it is remembered, seconds. */
const BLOCK_SECONDS = 60;

/**
 * Everything that can stand between a video and its words, each told apart from the others. The key is the
 * `details.reason` of the error and the `outcome` of an attempt.
 */
export const VIDEO_FAILURES = {
  not_found: { code: 'content_not_found', message: 'There is no such video, or it was removed.' },
  private: { code: 'content_unavailable', message: 'The video is private.' },
  members_only: { code: 'content_unavailable', message: 'The video is for members of its channel only.' },
  age_restricted: {
    code: 'content_unavailable',
    message: 'The video is age-restricted and cannot be read without an account.',
  },
  region_blocked: {
    code: 'content_unavailable',
    message: 'The video is not available in the country that this service calls from.',
  },
  live: {
    code: 'content_unavailable',
    message: 'The video is being broadcast live; it can be read once the broadcast is over.',
  },
  upcoming: { code: 'content_unavailable', message: 'The video has not started yet.' },
  no_captions: { code: 'transcript_unavailable', message: 'The video has no captions in any language.' },
  low_speech: {
    code: 'transcript_unavailable',
    message: 'The captions of the video hold hardly any speech (music or silence for the most part).',
  },
  gated_captions: {
    code: 'upstream_unavailable',
    message: 'YouTube lists captions for the video and hands out empty ones (they ask for a PO token).',
    // Only another client version, a PO token or another provider changes it.
    shouldRetry: false,
    retryAfterSeconds: BLOCK_SECONDS,
  },
  rate_limited: {
    code: 'upstream_unavailable',
    message: 'YouTube limits the requests from this address (429).',
  },
  captcha: {
    code: 'upstream_unavailable',
    message: 'YouTube asks this address to solve a captcha.',
    retryAfterSeconds: BLOCK_SECONDS,
  },
  consent: {
    code: 'upstream_unavailable',
    message: 'YouTube answered with its cookie consent page instead of the video.',
    retryAfterSeconds: BLOCK_SECONDS,
  },
  bot_check: {
    code: 'upstream_unavailable',
    message: 'YouTube asks this address to sign in to prove that it is not a bot.',
    retryAfterSeconds: BLOCK_SECONDS,
  },
  server_error: { code: 'upstream_unavailable', message: 'YouTube answered with a server error.' },
  refused: { code: 'upstream_unavailable', message: 'The request for the transcript was refused.' },
  unplayable: {
    code: 'upstream_unavailable',
    message: 'YouTube says that the video cannot be played and does not say why.',
  },
  not_json: { code: 'upstream_invalid', message: 'YouTube answered with a web page in place of data.' },
  unreadable: {
    code: 'upstream_invalid',
    message: 'YouTube answered with something that this version cannot read.',
  },
  truncated: {
    code: 'upstream_invalid',
    message: 'The transcript that arrived breaks off long before the end.',
  },
} as const;

/** One of the ways in which getting a video's words fails. */
export type VideoFailureReason = keyof typeof VIDEO_FAILURES;

type Failure = { code: FailureCode; message: string } & Pick<
  ToolsErrorOptions,
  'retryAfterSeconds' | 'shouldRetry'
>;
type FailureCode = (typeof VIDEO_FAILURES)[VideoFailureReason]['code'];

/** Contents whose state is the same for every provider: asking another one is of no use. */
const FINAL = new Set<string>(['not_found', 'private', 'live', 'upcoming']);

/** The more a failure says about the video itself, the more it tells; a timeout tells nothing. */
const TELLING: Partial<Record<ToolsError['code'], number>> = {
  content_unavailable: 7,
  content_not_found: 6,
  transcript_unavailable: 5,
  upstream_unavailable: 4,
  upstream_invalid: 3,
  upstream_timeout: 2,
  not_configured: 1,
};

/**
 * The typed error for a reason, with `details.reason`.
 *
 * @param options.message replaces the reason's own sentence
 */
export function videoFailure(
  reason: VideoFailureReason,
  { message, ...options }: ToolsErrorOptions & { message?: string; attempts?: readonly Attempt[] } = {},
): ToolsError {
  const { code, message: sentence, ...own }: Failure = VIDEO_FAILURES[reason];
  const text = message ?? sentence;
  const { attempts, ...given } = options;
  const rest = { ...own, ...given };
  const details = { reason, ...(attempts?.length ? { attempts } : {}) };
  switch (code) {
    case 'content_not_found':
      return new ContentNotFoundError(text, { ...rest, details });
    case 'content_unavailable':
      return new ContentUnavailableError(reason as ContentUnavailableError['reason'], text, {
        ...rest,
        attempts,
      });
    case 'transcript_unavailable':
      return new TranscriptUnavailableError(text, { ...rest, details });
    case 'upstream_invalid':
      return new UpstreamInvalidError(text, { ...rest, details });
    case 'upstream_unavailable':
      return new UpstreamUnavailableError(text, { ...rest, details });
  }
}

/** `details.reason` of an error where it has one, else its code; `error` for what is none of ours. */
export function outcomeOf(error: unknown): string {
  if (!(error instanceof ToolsError)) return 'error';
  const reason = (error.details as { reason?: unknown } | undefined)?.reason;
  if (typeof reason === 'string') return reason;
  if (error.code === 'upstream_timeout') return 'timeout';
  return error.code === 'upstream_unavailable' ? 'unreachable' : error.code;
}

/** True where no other provider could do better. */
export function isFinal(error: unknown): boolean {
  return FINAL.has(outcomeOf(error)) || (error instanceof ToolsError && error.code === 'content_not_found');
}

/** The failure that tells most; the earlier of two that tell the same. */
export function mostTelling(failures: readonly ToolsError[]): ToolsError | undefined {
  // Of two that tell the same, the one that says when to come back helps more.
  const weight = ({ code, retryAfterSeconds }: ToolsError): number =>
    (TELLING[code] ?? 0) + (retryAfterSeconds === undefined ? 0 : 0.5);
  return failures.reduce<ToolsError | undefined>(
    (best, error) => (best === undefined || weight(error) > weight(best) ? error : best),
    undefined,
  );
}

/** What of an error may be replaced while its kind, message and cause stay. */
interface Changes {
  attempts?: readonly Attempt[];
  retryAfterSeconds?: number;
}

/** The same error with other particulars; errors are shared between requests and therefore never changed in place. */
export function changed(error: ToolsError, { attempts, retryAfterSeconds }: Changes): ToolsError {
  const details = error.details as Record<string, unknown> | undefined;
  const options = {
    details: attempts ? { ...details, attempts } : details,
    retryAfterSeconds: retryAfterSeconds ?? error.retryAfterSeconds,
    shouldRetry: error.shouldRetry,
    cause: error.cause,
  };
  if (error instanceof ContentUnavailableError) {
    return new ContentUnavailableError(error.reason, error.message, options);
  }
  if (error instanceof ContentNotFoundError) return new ContentNotFoundError(error.message, options);
  if (error instanceof TranscriptUnavailableError) {
    return new TranscriptUnavailableError(error.message, options);
  }
  if (error instanceof UpstreamInvalidError) return new UpstreamInvalidError(error.message, options);
  if (error instanceof UpstreamUnavailableError) return new UpstreamUnavailableError(error.message, options);
  if (error instanceof UpstreamTimeoutError) return new UpstreamTimeoutError(error.message, options);
  return new ToolsError(error.code, error.messages, options);
}
