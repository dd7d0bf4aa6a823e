import type { VideoTranscript } from './transcript-provider.js';
import type { VideoFailureReason } from './video-failure.js';

/** In a shorter video, a few words may be all that is said. */
const CHECKED_FROM_MS = 180_000;

/** Speech has two to three words a second. A third of a word a second is hardly any speech. */
const WORDS_PER_SECOND = 1 / 3;

/** A transcript with few words that ends before this share of the video is cut off. One that goes on has little speech. */
const REACH = 2 / 3;

/** Scripts without spaces between words. About two characters make a word. */
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]/g;

/**
 * Tells whether a transcript is complete for the length of its video. Over three minutes, a transcript with fewer words than a third of
 * the seconds is cut off (`truncated`) or mostly music and silence (`low_speech`). Undefined for a complete one.
 */
export function incompleteness({ durationMs, segments }: VideoTranscript): VideoFailureReason | undefined {
  if (durationMs === undefined || durationMs <= CHECKED_FROM_MS) return undefined;
  const enough = (durationMs / 1000) * WORDS_PER_SECOND;
  let spoken = 0;
  let endMs = 0;
  for (const segment of segments) {
    endMs = Math.max(endMs, segment.endMs);
    if (!segment.nonSpeech) spoken += countSpoken(segment.text);
    if (spoken >= enough) return undefined;
  }
  return endMs < durationMs * REACH ? 'truncated' : 'low_speech';
}

function countSpoken(text: string): number {
  return (text.match(/\S+/g)?.length ?? 0) + (text.match(UNSPACED)?.length ?? 0) / 2;
}
