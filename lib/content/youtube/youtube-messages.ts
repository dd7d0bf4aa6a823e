import { printable } from '../../core/printable.js';
import type { VideoFailureReason } from './video-failure.js';

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

/** YouTube's own sentences are shorter. */
const MAX_MESSAGE = 300;

/** A sentence of YouTube as plain text for `details.upstream_message`; undefined when there is none. */
export function upstreamMessage(text: string): string | undefined {
  return printable(text.replace(/\s+/g, ' ').trim()).slice(0, MAX_MESSAGE) || undefined;
}
