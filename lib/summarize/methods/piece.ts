import type { TranscriptSegment } from '../../content/content-source.js';

/** Longest piece in words; a host's transcript may come as one segment of hours. */
const MAX_WORDS = 60;

/**
 * A short stretch of speech with its time: a segment without non-speech, or a part of a long one with its time
 * interpolated over the words.
 */
export type Piece = Pick<TranscriptSegment, 'startMs' | 'endMs' | 'text'>;

/** The speech of a transcript in short pieces, in order of time. Linear. */
export function piecesOf(segments: readonly TranscriptSegment[]): Piece[] {
  const pieces: Piece[] = [];
  for (const segment of segments) {
    if (segment.nonSpeech) continue;
    const tokens = segment.text.split(/\s+/).filter(Boolean);
    if (tokens.length === 0) continue;
    const msPerWord = (segment.endMs - segment.startMs) / tokens.length;
    for (let from = 0; from < tokens.length;) {
      const to = cutAfter(tokens, from);
      pieces.push({
        startMs: Math.round(segment.startMs + from * msPerWord),
        endMs: Math.round(segment.startMs + to * msPerWord),
        text: tokens.slice(from, to).join(' '),
      });
      from = to;
    }
  }
  return pieces;
}

/** The end of the piece that begins at `from`: after the last sentence end in reach, else after the full length. */
function cutAfter(tokens: readonly string[], from: number): number {
  const end = Math.min(tokens.length, from + MAX_WORDS);
  if (end === tokens.length) return end;
  for (let i = end; i > from + MAX_WORDS / 3; i--) {
    if (/[.!?…]["'»”)]?$/.test(tokens[i - 1] ?? '')) return i;
  }
  return end;
}
