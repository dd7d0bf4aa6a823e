import { printable } from '../../../core/text/printable.js';
import { videoFailure, type VideoFailureReason } from '../video-failure.js';
import { at, arrayAt, stringAt } from '../../../core/json-path.js';
import { textAt } from './text-at.js';

/** What a sentence of YouTube can be about. One sentence may be about several. */
export type Topics = Partial<
  Record<'private' | 'members' | 'region' | 'bot' | 'age' | 'removed' | 'ended', VideoFailureReason>
>;

const TOPICS: Record<keyof Topics, [RegExp, VideoFailureReason]> = {
  private: [/\bprivate\b/i, 'private'],
  members: [/\bmembers?\b|\bmembership\b|requires payment|\bpurchase\b|\brent\b|Premium\b/i, 'members_only'],
  region: [/\b(?:country|region)\b|\byour location\b/i, 'region_blocked'],
  bot: [/not a bot|unusual traffic|automated/i, 'bot_check'],
  age: [/\bage\b|inappropriate for some users|\bmature\b/i, 'age_restricted'],
  removed: [/\bremoved\b|\bdeleted\b|\bterminated\b|no longer available|copyright/i, 'not_found'],
  ended: [/recording is not available|stream (?:has )?ended/i, 'unplayable'],
};

/** YouTube's own sentences are shorter. */
const MAX_MESSAGE = 300;

/** Finds the topics in English sentences of YouTube, or of a program that quotes YouTube. */
export function topicsOf(text: string): Topics {
  const topics: Topics = {};
  for (const [topic, [pattern, reason]] of Object.entries(TOPICS)) {
    if (pattern.test(text)) topics[topic as keyof Topics] = reason;
  }
  return topics;
}

/** A sentence of YouTube as plain text for `details.upstream_message`; undefined when there is none. */
export function upstreamMessage(text: string): string | undefined {
  return printable(text.replace(/\s+/g, ' ').trim()).slice(0, MAX_MESSAGE) || undefined;
}

/**
 * Throws when a player response says that the video cannot be played. Decides by `status` first and by the English sentences
 * second (requests say `hl=en`). YouTube's own sentences go into `details.upstream_message`.
 *
 * @throws ContentNotFoundError, ContentUnavailableError, UpstreamUnavailableError (`bot_check`, `unplayable`), UpstreamInvalidError
 */
export function assertPlayable(response: unknown, videoId: string): void {
  const status = stringAt(response, 'playabilityStatus', 'status');
  if (status === undefined) throw videoFailure('unreadable');
  const sentences = sentencesOf(at(response, 'playabilityStatus'));
  const answeredFor = stringAt(response, 'videoDetails', 'videoId');
  // A retired client gets a video that says so, under another ID.
  const other = status === 'OK' && answeredFor !== undefined && answeredFor !== videoId;
  const reason = other ? 'unplayable' : reasonOf(status, topicsOf(sentences.join('\n')), response);
  if (reason) throw videoFailure(reason, { upstreamMessage: upstreamMessage(sentences.join(' ')) });
}

function reasonOf(status: string, topics: Topics, response: unknown): VideoFailureReason | undefined {
  switch (status) {
    case 'OK':
      if (at(response, 'videoDetails', 'isUpcoming') === true) return 'upcoming';
      return at(response, 'videoDetails', 'isLive') === true ? 'live' : undefined;
    case 'LIVE_STREAM_OFFLINE':
      return topics.ended ?? 'upcoming';
    case 'AGE_VERIFICATION_REQUIRED':
    case 'AGE_CHECK_REQUIRED':
    case 'CONTENT_CHECK_REQUIRED':
      return 'age_restricted';
    case 'LOGIN_REQUIRED':
      return topics.private ?? topics.members ?? topics.bot ?? topics.age ?? 'bot_check';
    case 'UNPLAYABLE':
      return (
        topics.private ??
        topics.members ??
        topics.region ??
        topics.bot ??
        topics.age ??
        topics.removed ??
        'unplayable'
      );
    case 'ERROR':
      return topics.private ?? topics.region ?? topics.bot ?? 'not_found';
    default:
      return 'unplayable';
  }
}

/** The distinct sentences beside the status. The error screen often repeats the reason. */
function sentencesOf(status: unknown): string[] {
  const screen = at(status, 'errorScreen', 'playerErrorMessageRenderer');
  const sentences = [
    stringAt(status, 'reason'),
    ...arrayAt(status, 'messages').filter((message) => typeof message === 'string'),
    textAt(screen, 'reason'),
    textAt(screen, 'subreason'),
  ];
  return [...new Set(sentences.filter((text) => text !== undefined && text !== ''))] as string[];
}
