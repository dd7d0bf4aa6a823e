import { type Content, type TranscriptSegment } from '../../../lib/content/content-source.js';

/** Milliseconds a word takes in the contents that tests make. */
export const WORD_MS = 400;

/** Segments that follow each other at 150 words a minute. */
export function segmentsOf(lines: readonly string[]): TranscriptSegment[] {
  let at = 0;
  return lines.map((text) => {
    const startMs = at;
    at += text.split(/\s+/).length * WORD_MS;
    return { startMs, endMs: at, text };
  });
}

/** A content with these lines, and whatever else a test says. */
export function contentOf(lines: readonly string[], more: Partial<Content> = {}): Content {
  return {
    id: 'aaaaaaaaaaa',
    url: 'https://www.youtube.com/watch?v=aaaaaaaaaaa',
    language: 'en',
    captions: 'manual',
    segments: segmentsOf(lines),
    chapters: [],
    provider: 'test',
    ...more,
  };
}

/** What automatic captions make of a text: lower case, no punctuation, cut every seven words. */
export function asCaptions(text: string): string[] {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'\s-]/gu, ' ')
    .split(/\s+/)
    .filter(Boolean);
  const cues: string[] = [];
  for (let i = 0; i < words.length; i += 7) cues.push(words.slice(i, i + 7).join(' '));
  return cues;
}
