import type { Content } from './content-source.js';

/**
 * Characters that do not belong in plain text: controls (also terminal codes), embeddings and overrides of the writing direction,
 * invisible spaces, halves of surrogate pairs. Joiners and direction marks stay, because scripts and emoji need them.
 */
const HARMFUL = /[\p{Cc}\p{Cs}\u{200b}\u{202a}-\u{202e}\u{2060}\u{2066}-\u{2069}\u{feff}\u{2028}\u{2029}]/u;
const RUNS_OF_HARMFUL = new RegExp(`(?:${HARMFUL.source})+`, 'gu');
/** Line breaks and tabs, which a description may have. */
const TOLERABLE = /^[\t\n\r]+$/;

/**
 * A copy of a content with plain text only, because its words are repeated in summaries, logs and prompts. Texts that are plain already,
 * nearly all of them, stay the same objects.
 */
export function cleanContent(content: Content): Content {
  const { title, channel, description, segments, chapters } = content;
  return {
    ...content,
    ...(title === undefined ? {} : { title: clean(title) }),
    ...(channel === undefined ? {} : { channel: clean(channel) }),
    ...(description === undefined ? {} : { description: clean(description, true) }),
    segments: segments.some(({ text }) => HARMFUL.test(text))
      ? segments.map((segment) => ({ ...segment, text: clean(segment.text) }))
      : segments,
    chapters: chapters.map((chapter) => ({ ...chapter, title: clean(chapter.title) })),
  };
}

function clean(text: string, keepBreaks = false): string {
  if (!HARMFUL.test(text)) return text;
  return text
    .replace(RUNS_OF_HARMFUL, (run) => (keepBreaks && TOLERABLE.test(run) ? run : ' '))
    .replace(/ {2,}/g, ' ')
    .trim();
}
