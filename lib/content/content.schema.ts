import {
  array,
  boolean,
  number,
  object,
  oneOf,
  optional,
  refine,
  string,
  type Schema,
} from '../core/schema.js';
import type { Chapter, Content, StoryboardLevel, TranscriptSegment } from './content-source.js';

/** Longest transcript, characters: some hundred hours of speech. Anything longer is a mistake of the host or an upstream. */
const MAX_CHARACTERS = 10_000_000;
const MAX_SEGMENTS = 500_000;

const SEGMENT: Schema<TranscriptSegment> = object<TranscriptSegment>({
  startMs: number(),
  endMs: number(),
  text: string(),
  nonSpeech: optional(boolean()),
});
const CHAPTER: Schema<Chapter> = object<Chapter>({ title: string(), startMs: number(), endMs: number() });
const STORYBOARD: Schema<StoryboardLevel> = object<StoryboardLevel>({
  width: number(),
  height: number(),
  count: number(),
  columns: number(),
  rows: number(),
  intervalMs: number(),
  sheetUrls: array(string()),
});
const SEGMENTS = refine(
  array(SEGMENT, { max: MAX_SEGMENTS }),
  `of at most ${MAX_CHARACTERS} characters in all`,
  (segments) => segments.reduce((sum, { text }) => sum + text.length, 0) <= MAX_CHARACTERS,
);

const TRANSCRIPT_FIELDS = {
  title: optional(string()),
  channel: optional(string()),
  description: optional(string()),
  durationMs: optional(number()),
  language: string({ min: 1, expected: 'a BCP 47 tag' }),
  captions: oneOf('manual', 'automatic', 'translated'),
  segments: SEGMENTS,
  chapters: array(CHAPTER),
  storyboard: optional(array(STORYBOARD)),
};

/** What a transcript provider gives. A host's own may return anything at run time. */
export const TRANSCRIPT: Schema<Omit<Content, 'id' | 'url' | 'provider'>> = object(TRANSCRIPT_FIELDS);

/** What a content source gives. */
export const CONTENT: Schema<Content> = object<Content>({
  ...TRANSCRIPT_FIELDS,
  id: string({ min: 1 }),
  url: string(),
  provider: string(),
});
