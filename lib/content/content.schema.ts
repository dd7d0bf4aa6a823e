import { type Pause } from '../core/async.js';
import { WARNING } from '../core/warning.js';
import { languageTag } from '../text/languages.js';
import { LONGEST } from '../core/length-limits.js';
import {
  array,
  boolean,
  cutString,
  map,
  nullable,
  number,
  object,
  oneOf,
  refine,
  string,
  type Schema,
} from '../core/schema.js';
import {
  CAPTIONS_KINDS,
  type Chapter,
  type Content,
  type StoryboardLevel,
  type TranscriptSegment,
} from './content-source.js';

/** Longest transcript, characters: some hundred hours of speech. Anything longer is a mistake of the host or an upstream. A plain bound. */
const MAX_CHARACTERS = 10_000_000;
/** One segment for each 20 characters of it: a cue has about 40. A plain bound. */
export const MAX_SEGMENTS = 500_000;

export const SEGMENT: Schema<TranscriptSegment> = object<TranscriptSegment>({
  startMs: number(),
  endMs: number(),
  text: string({ max: MAX_CHARACTERS }),
  nonSpeech: nullable(boolean()),
  startsLine: nullable(boolean()),
  speaker: nullable(string({ max: LONGEST.name })),
});
const CHAPTER: Schema<Chapter> = object<Chapter>({
  title: cutString(LONGEST.title),
  startMs: number(),
  endMs: number(),
});
const STORYBOARD: Schema<StoryboardLevel> = object<StoryboardLevel>({
  width: number(),
  height: number(),
  count: number(),
  columns: number(),
  rows: number(),
  intervalMs: number(),
  sheetUrls: array(string({ max: LONGEST.address })),
});
const SEGMENTS = refine(
  array(SEGMENT, { max: MAX_SEGMENTS }),
  `of at most ${MAX_CHARACTERS} characters in all`,
  (segments) => segments.reduce((sum, { text }) => sum + text.length, 0) <= MAX_CHARACTERS,
);

const TRANSCRIPT_FIELDS = {
  title: nullable(cutString(LONGEST.title)),
  channel: nullable(cutString(LONGEST.name)),
  description: nullable(cutString(LONGEST.description)),
  durationMs: nullable(number()),
  language: string({ min: 1, max: LONGEST.language, expected: 'a BCP 47 tag' }),
  captions: oneOf(...CAPTIONS_KINDS),
  chapters: map(array(CHAPTER), (chapters) => chapters.slice(0, LONGEST.chapters)),
  storyboard: nullable(array(STORYBOARD)),
  availableLanguages: nullable(array(string())),
  warnings: nullable(array(WARNING, { max: 20 })),
};

const CONTENT_FIELDS = {
  ...TRANSCRIPT_FIELDS,
  id: string({ min: 1, max: LONGEST.address }),
  url: string({ max: LONGEST.address }),
  provider: string(),
};

export const CONTENT: Schema<Content> = object<Content>({ ...CONTENT_FIELDS, segments: SEGMENTS });

/** Words as a source may return them: either is there. */
interface Words {
  segments?: TranscriptSegment[];
  text?: string;
}

const WORDS = { segments: nullable(SEGMENTS), text: nullable(string({ max: MAX_CHARACTERS })) };
const withWords = <T extends Words>(schema: Schema<T>): Schema<T> =>
  refine(schema, 'either `segments` or `text`', ({ segments, text }) => (segments ?? text) !== undefined);

/** Schema of a transcript provider's result. A host's own may return anything at run time. */
export const TRANSCRIPT = withWords(
  object<Omit<Content, 'id' | 'url' | 'provider' | 'segments'> & Words>({ ...TRANSCRIPT_FIELDS, ...WORDS }),
);

/** Schema of a content source's result. */
export const CONTENT_RESULT = withWords(
  object<Omit<Content, 'segments'> & Words>({ ...CONTENT_FIELDS, ...WORDS }),
);

/**
 * Characters that do not belong in plain text: controls (also terminal codes), embeddings and overrides of the writing direction,
 * invisible spaces, halves of surrogate pairs. Joiners and direction marks stay, because scripts and emoji need them.
 */
const HARMFUL = /[\p{Cc}\p{Cs}\u{200b}\u{202a}-\u{202e}\u{2060}\u{2066}-\u{2069}\u{feff}\u{2028}\u{2029}]/u;
const RUNS_OF_HARMFUL = new RegExp(`(?:${HARMFUL.source})+`, 'gu');
/** Line breaks and tabs, which a description may have. */
const TOLERABLE = /^[\t\n\r]+$/;

/**
 * A copy of a content with plain text only, because its words are repeated in summaries, logs and prompts. Languages are BCP 47 tags. Segments and chapters are in order
 * of time, in whole milliseconds from 0 on, and none ends before it starts.
 */
export async function cleanContent(content: Content, pause: Pause): Promise<Content> {
  const { title, channel, description, chapters, availableLanguages } = content;
  const segments: TranscriptSegment[] = [];
  for (const segment of content.segments) {
    await pause();
    segments.push({
      ...segment,
      ...timesOf(segment),
      text: clean(segment.text),
      ...(segment.speaker === undefined ? {} : { speaker: clean(segment.speaker) }),
    });
  }
  return {
    ...content,
    language: languageTag(content.language),
    availableLanguages: availableLanguages && [...new Set(availableLanguages.map(languageTag))],
    title: title && clean(title),
    channel: channel && clean(channel),
    description: description && clean(description, true),
    segments: segments.sort(byStart),
    chapters: chapters
      .map((chapter) => ({ ...chapter, ...timesOf(chapter), title: clean(chapter.title) }))
      .sort(byStart),
  };
}

const byStart = (a: Chapter | TranscriptSegment, b: Chapter | TranscriptSegment): number =>
  a.startMs - b.startMs;

function timesOf(part: Chapter | TranscriptSegment): { startMs: number; endMs: number } {
  const startMs = Math.max(0, Math.round(part.startMs));
  return { startMs, endMs: Math.max(startMs, Math.round(part.endMs)) };
}

function clean(text: string, keepBreaks = false): string {
  if (!HARMFUL.test(text)) return text;
  return text
    .replace(RUNS_OF_HARMFUL, (run) => (keepBreaks && TOLERABLE.test(run) ? run : ' '))
    .replace(/ {2,}/g, ' ')
    .trim();
}
