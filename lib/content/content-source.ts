import type { Warning } from '../core/warning.js';
import type { ToolContext } from '../core/context.js';

/** A part of a transcript with its time: a cue of captions, or a sentence or paragraph of a clean transcript. */
export interface TranscriptSegment {
  /** Milliseconds from the start of the content. */
  startMs: number;
  /** Milliseconds; never before `startMs`. */
  endMs: number;
  /** Plain text: entities decoded, tags removed, NFC, white space folded. */
  text: string;
  /** True for `[Music]`, `[Applause]` and other sounds that are not speech. */
  nonSpeech?: boolean;
  /** True where a line of the given text begins, a paragraph or the turn of a speaker; absent where nobody knows, as in captions. */
  startsLine?: boolean;
  /** Who speaks, as the recognizer names the voice, e.g. `A`. Absent where nobody knows. */
  speaker?: string;
}

/** A named part of the content. */
export interface Chapter {
  title: string;
  startMs: number;
  /** Start of the next chapter, or end of the content. */
  endMs: number;
}

/**
 * How the words came about: captions written by people, captions recognized by the site's machine, captions translated by a machine, or
 * speech that was recognized for this request.
 */
export const CAPTIONS_KINDS = ['manual', 'automatic', 'translated', 'recognized'] as const;
export type CaptionsKind = (typeof CAPTIONS_KINDS)[number];

/** One level of a storyboard: sprite sheets of small frames taken at a fixed interval. */
export interface StoryboardLevel {
  /** Size of one frame in pixels. */
  width: number;
  height: number;
  /** Number of frames. Frame `n` shows second `n * intervalMs / 1000`. */
  count: number;
  columns: number;
  rows: number;
  intervalMs: number;
  /** One address for each sheet, in order. */
  sheetUrls: string[];
}

/** Answer of a content source: everything that a summarizer may need. */
export interface Content {
  /** Normalised identifier, e.g. the eleven-character video ID. */
  id: string;
  /** Address of the content for people. */
  url: string;
  title?: string;
  channel?: string;
  description?: string;
  durationMs?: number;
  /** BCP 47 tag of the transcript, e.g. `en` or `pt-BR`. */
  language: string;
  captions: CaptionsKind;
  segments: TranscriptSegment[];
  /** In order of time; empty when the content has none. */
  chapters: Chapter[];
  /** In any order; absent when there is none. */
  storyboard?: StoryboardLevel[];
  /** Provider of the transcript, for logs and `warnings`. */
  provider: string;
  /** BCP 47 tags of all transcripts that the content has; absent when the provider does not know. */
  availableLanguages?: readonly string[];
  /** Handed on to the caller of a tool. */
  warnings?: readonly Warning[];
}

/**
 * What a source may return in place of `segments`: a text. Of a caption file (WebVTT, SubRip, TTML) each cue becomes a segment. Of other words
 * the times are estimated, at 150 words a minute.
 */
export type OrText<T extends { segments: unknown }> = T | (Omit<T, 'segments'> & { text: string });

/** The request for content. */
export interface ContentRequest {
  /** Languages of the transcript by preference, BCP 47. Where there is none of them, or none is named, the spoken language counts. */
  languages: readonly string[];
}

/**
 * A source of content. Several may share a `source_type`: they are asked in the host's order, and the next one is asked when a source
 * does not accept the id (`InvalidContentIdError`) or does not have the content (`ContentNotFoundError`).
 *
 * A source of captions as text is a `ContentSource<OrText<Content>>`. Captions that show words several times are merged.
 *
 * A host passes its own in `ToolsModule.forRoot({ contentSources: […] })`, as an instance, a class or a factory.
 */
export interface ContentSource<Result extends OrText<Content> = Content> {
  /** The value of `source_type` that selects this source. */
  readonly sourceType: string;
  /**
   * Normalises the caller's `content_id`, without network access.
   * @throws InvalidContentIdError naming what is accepted
   */
  identify(contentId: string): string;
  /**
   * Loads the transcript and metadata of a content.
   * @throws ContentNotFoundError, ContentUnavailableError, TranscriptUnavailableError, UpstreamInvalidError,
   *   UpstreamUnavailableError, UpstreamTimeoutError
   */
  load(id: string, request: ContentRequest, context: ToolContext): Promise<Result>;
  /** Address that opens the content at a second, e.g. `…&t=83s`. */
  urlAt(id: string, seconds: number): string;
}

/** A source that may return a text in place of segments. */
export type AnyContentSource = ContentSource<OrText<Content>>;

/** A content with the addresses of its moments. */
export interface LoadedContent {
  content: Content;
  /** Address that opens the content at a moment. @param startMs milliseconds from its start */
  urlAt(startMs: number): string;
}

/** Facts about content, without its words. */
export type ContentFacts = ReturnType<typeof factsOf>;

export function factsOf(content: Content) {
  const { id, url, title, channel, durationMs, language, captions, provider } = content;
  return { id, url, title, channel, durationMs, language, captions, provider };
}
