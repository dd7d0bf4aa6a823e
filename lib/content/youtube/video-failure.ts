import { parseJson, stringAt } from '../../core/json.js';
import { printable } from '../../core/printable.js';
import { ToolsError, type FailedAttempt, type ToolsErrorOptions } from '../../core/errors.js';

/** How long a block lasts at least, seconds. The failure is also remembered for this time. Set by hand. */
export const BLOCK_SECONDS = 60;

/** YouTube limits a session for up to an hour (yt-dlp wiki, `Extractors`). One video in this time shows whether the limit is over, seconds. Set by hand. */
const LIMIT_SECONDS = 600;

/** Every reason why a transcript cannot be had, by the code of its error, with the message. */
const MESSAGES = {
  content_not_found: { not_found: 'The video does not exist or was removed.' },
  content_unavailable: {
    private: 'The video is private.',
    members_only: 'The video is for members of its channel only.',
    age_restricted: 'The video is age-restricted and cannot be read without an account.',
    region_blocked: 'The video is not available in the country of this server.',
    live: 'The video is a live broadcast. It can be read when the broadcast is over.',
    upcoming: 'The video has not started yet.',
  },
  transcript_unavailable: {
    no_captions: 'The video has no captions in any language.',
    low_speech: 'There is hardly any speech (mostly music or silence).',
    no_audio: 'The recording has no sound track that can be read.',
    too_long_to_recognize: 'There are no captions, and the recording is too long to recognize its speech.',
  },
  upstream_unavailable: {
    gated_captions: 'YouTube lists captions for the video but returns empty ones (they need a PO token).',
    rate_limited: 'YouTube limits the requests from this address.',
    captcha: 'YouTube asks this address to solve a captcha.',
    consent: 'YouTube answered with its cookie consent page instead of the video.',
    bot_check: 'YouTube asks this address to sign in to prove that it is not a bot.',
    server_error: 'YouTube answered with a server error.',
    refused: 'The request for the transcript was refused.',
    unplayable: 'YouTube does not play the video to this server.',
  },
  upstream_invalid: {
    not_json: 'YouTube answered with a web page instead of data.',
    unreadable: 'This version cannot read the answer of YouTube.',
    truncated: 'The captions break off in the middle.',
  },
} as const;

type FailureCode = keyof typeof MESSAGES;

/** The `details.reason` of an error, and the `outcome` of an attempt. */
export type VideoFailureReason = { [Code in FailureCode]: keyof (typeof MESSAGES)[Code] }[FailureCode];

export const VIDEO_FAILURES = Object.fromEntries(
  Object.entries(MESSAGES).flatMap(([code, reasons]) =>
    Object.entries(reasons).map(([reason, message]) => [reason, { code, message }]),
  ),
) as Readonly<Record<VideoFailureReason, { code: FailureCode; message: string }>>;

/** Seconds after which another try makes sense. */
const RETRY_AFTER: Readonly<Partial<Record<VideoFailureReason, number>>> = {
  gated_captions: BLOCK_SECONDS,
  rate_limited: LIMIT_SECONDS,
  captcha: BLOCK_SECONDS,
  consent: BLOCK_SECONDS,
  bot_check: BLOCK_SECONDS,
};

/** Failures that are the same with every provider. */
const FINAL: ReadonlySet<string> = new Set(['private', 'live', 'upcoming']);

/** Failures that are about this server's address, and not about the video or client. Each further request would prolong the block. */
export const BLOCKS_ADDRESS: ReadonlySet<string> = new Set(['rate_limited', 'captcha']);

/**
 * Ranks failures, by reason or by code: by how much they say about the video itself. A timeout says nothing. "Video unavailable" is believed
 * only when no other client or provider disagrees: a blocked server hears it about every video. Captions that somebody has seen are there.
 */
const SPECIFICITY: Readonly<Record<string, number>> = {
  content_unavailable: 7,
  gated_captions: 6.5,
  truncated: 6.5,
  transcript_unavailable: 6,
  upstream_unavailable: 5,
  upstream_invalid: 4,
  content_not_found: 3,
  upstream_timeout: 2,
  not_configured: 1,
};

interface VideoFailureOptions extends ToolsErrorOptions {
  message?: string;
  /** YouTube's own sentence, as plain text; becomes `details.upstream_message`. */
  upstreamMessage?: string;
  /** What the caller can do; becomes `details.hint`. */
  hint?: string;
}

export function videoFailure(
  reason: VideoFailureReason,
  { message, upstreamMessage, hint, ...options }: VideoFailureOptions = {},
): ToolsError {
  const { code, message: sentence } = VIDEO_FAILURES[reason];
  const details = {
    reason,
    ...(upstreamMessage ? { upstream_message: upstreamMessage } : {}),
    ...(hint ? { hint } : {}),
  };
  const upstream = code.startsWith('upstream') ? { upstream: 'YouTube', code: reason } : undefined;
  return new ToolsError(code, message ?? sentence, {
    upstream,
    retryAfterSeconds: RETRY_AFTER[reason],
    // Only another client version, a PO token or another provider helps against empty captions.
    ...(reason === 'gated_captions' ? { shouldRetry: false } : {}),
    ...options,
    details,
  });
}

/** What an upstream has sent as JSON. @throws UpstreamInvalidError (`unreadable`) */
export function readableJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw videoFailure('unreadable', { cause: error });
  }
}

/** The `details.reason` of an error, else its code; `error` for anything that is not a `ToolsError`. */
export function outcomeOf(error: unknown): string {
  if (!ToolsError.isInstance(error)) return 'error';
  const reason = (error.details as { reason?: unknown } | undefined)?.reason;
  if (typeof reason === 'string') return reason;
  if (error.code === 'upstream_timeout') return 'timeout';
  return error.code === 'upstream_unavailable' ? 'unreachable' : error.code;
}

/** True when no other provider could do better: YouTube says plainly that the video is gone, private or not there yet. */
export function isFinalFailure(error: unknown): boolean {
  const details = ToolsError.isInstance(error) ? error.details : undefined;
  return (
    FINAL.has(outcomeOf(error)) ||
    meaningOf(stringAt(details, 'upstream_message') ?? '', true) === 'not_found'
  );
}

/** The failure that says most about the video; the earlier one of two equals. */
export function mostSpecific(failures: readonly ToolsError[]): ToolsError | undefined {
  // Of two equal failures, the one with a time to retry helps more.
  const weight = (error: ToolsError): number =>
    (isFinalFailure(error) ? 8 : (SPECIFICITY[outcomeOf(error)] ?? SPECIFICITY[error.code] ?? 0)) +
    (error.retryAfterSeconds === undefined ? 0 : 0.5);
  return failures.reduce<ToolsError | undefined>(
    (best, error) => (best === undefined || weight(error) > weight(best) ? error : best),
    undefined,
  );
}

/** A copy of an error with the attempts of all providers. Requests share errors, so an error is never changed in place. */
export function withAttempts(error: ToolsError, attempts: readonly FailedAttempt[]): ToolsError {
  const { code, message, retryAfterSeconds, shouldRetry, cause, upstream } = error;
  const details = { ...(error.details as object | undefined), attempts };
  return new ToolsError(code, message, { details, retryAfterSeconds, shouldRetry, cause, upstream });
}

/**
 * What the English sentences of YouTube mean, for all providers; yt-dlp quotes them and adds its own. The first match decides: a
 * limit and a captcha also begin with "Video unavailable", and a block in one country also names copyright.
 *
 * Sources: yt-dlp `_video.py` (`_real_extract`, 2026-08-20) and its wiki (`Extractors`), NewPipeExtractor `checkPlayabilityStatus`
 * (2026-07-20), YouTube.js `PlayerCaptchaView` (2026-08-19).
 */
const MEANINGS: readonly [VideoFailureReason, RegExp][] = [
  ['captcha', /\bcaptcha\b/i],
  ['rate_limited', /try again later|rate-limited/i],
  ['bot_check', /not a bot|unusual traffic|automated (?:queries|requests)|IP is likely being blocked/i],
  // About the client: it is retired, refused, or must not play videos of this channel.
  [
    'unplayable',
    /latest version of YouTube|\b(?:on|in) this (?:app|application|device|website)\b|websites has been disabled|precondition check|needs to be reloaded/i,
  ],
  // About this server's network, or no reason at all. The same video plays elsewhere.
  ['unplayable', /administrator|content isn.t available|still processing|processing this video/i],
  ['upcoming', /Premieres in|will begin|not (?:yet )?started/i],
  ['unplayable', /recording is not available|(?:stream|event) (?:has )?ended/i],
  ['private', /\bprivate\b/i],
  ['members_only', /\bmembers?\b|\bmembership\b|requires payment|\bpurchase\b|\brent\b|Premium\b/i],
  ['region_blocked', /\b(?:country|region)\b|\byour location\b|blocked it/i],
  ['age_restricted', /\bage\b|inappropriate for some users|\bmature\b/i],
  // YouTube says plainly that the video is gone.
  [
    'not_found',
    /\b(?:removed|deleted|terminated)\b|no longer available|isn.t available any ?more|does(?:n.t| not) exist|closed their|copyright (?:claim|infringement)|HTTP Error 404/i,
  ],
];

/** A sentence for a video that never existed, and for others that YouTube does not show. */
const UNAVAILABLE = /video (?:is )?(?:unavailable|not available)|video isn.t available/i;

/**
 * The meaning of YouTube's sentences; undefined when they are unknown.
 *
 * @param isPlain true: "Video unavailable" alone does not count as `not_found`
 */
export function meaningOf(sentences: string, isPlain = false): VideoFailureReason | undefined {
  const known = MEANINGS.find(([, pattern]) => pattern.test(sentences))?.[0];
  return known ?? (!isPlain && UNAVAILABLE.test(sentences) ? 'not_found' : undefined);
}

const MAX_MESSAGE = 300; // characters; a plain bound

/** A sentence of YouTube as plain text for `details.upstream_message`; undefined when there is none. */
export function upstreamMessage(text: string): string | undefined {
  return printable(text.replace(/\s+/g, ' ').trim()).slice(0, MAX_MESSAGE) || undefined;
}
