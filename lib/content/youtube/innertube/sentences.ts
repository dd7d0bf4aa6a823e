import type { VideoFailureReason } from '../video-failure.js';

/** What YouTube's English sentences can speak of; several at once. */
export type Said = Partial<
  Record<'private' | 'members' | 'region' | 'bot' | 'age' | 'removed' | 'ended', VideoFailureReason>
>;

const SPEAKS_OF: Record<keyof Said, [RegExp, VideoFailureReason]> = {
  private: [/\bprivate\b/i, 'private'],
  members: [/\bmembers?\b|\bmembership\b|requires payment|\bpurchase\b|\brent\b|Premium\b/i, 'members_only'],
  region: [/\b(?:country|region)\b|\byour location\b/i, 'region_blocked'],
  bot: [/not a bot|unusual traffic|automated/i, 'bot_check'],
  age: [/\bage\b|inappropriate for some users|\bmature\b/i, 'age_restricted'],
  removed: [/\bremoved\b|\bdeleted\b|\bterminated\b|no longer available|copyright/i, 'not_found'],
  ended: [/recording is not available|stream (?:has )?ended/i, 'unplayable'],
};

/** Reads the sentences with which YouTube, or a program that quotes it, says why a video cannot be played. */
export function readSentences(text: string): Said {
  const said: Said = {};
  for (const [topic, [pattern, reason]] of Object.entries(SPEAKS_OF)) {
    if (pattern.test(text)) said[topic as keyof Said] = reason;
  }
  return said;
}
