import type { Language } from '../core/text/languages.js';
import type { ToolContext } from '../core/tool-context.js';

/** A stretch of a transcript with its time. Captions come as one segment a cue; clean transcripts as one a sentence or paragraph. */
export interface TranscriptSegment {
  /** Milliseconds from the start of the content. */
  startMs: number;
  /** Milliseconds; never before `startMs`. */
  endMs: number;
  /** Plain text: entities decoded, tags stripped, NFC, white space folded. */
  text: string;
  /** True for `[Music]`, `[Applause]` and the like: not part of what was said. */
  nonSpeech?: boolean;
}

/** A named part of the content. */
export interface Chapter {
  title: string;
  startMs: number;
  /** Start of the next chapter or the end of the content. */
  endMs: number;
}

/** How the words came to be: written by people, recognised by a machine, or translated by one. */
export type CaptionsKind = 'manual' | 'automatic' | 'translated';

/** One level of a storyboard: sprite sheets of small frames taken at a fixed interval. */
export interface StoryboardLevel {
  /** Size of one frame in pixels. */
  width: number;
  height: number;
  /** Number of frames in all; frame `n` shows second `n * intervalMs / 1000`. */
  count: number;
  columns: number;
  rows: number;
  intervalMs: number;
  /** One address a sheet, in order. */
  sheetUrls: string[];
}

/** What a content source gives: everything that a summarizer may need. */
export interface Content {
  /** Normalised identifier, e.g. the eleven-character video ID. */
  id: string;
  /** Address at which a person opens the content. */
  url: string;
  title?: string;
  channel?: string;
  description?: string;
  durationMs?: number;
  /** BCP 47 tag of the transcript, e.g. `en` or `pt-BR`. */
  language: string;
  captions: CaptionsKind;
  segments: TranscriptSegment[];
  /** In order of time; empty where the content has none. */
  chapters: Chapter[];
  /** Lowest resolution first; absent where there is none. */
  storyboard?: StoryboardLevel[];
  /** Which provider the words came from, for logs and `warnings`. */
  provider: string;
}

/** What the caller would like to have. */
export interface ContentRequest {
  /** Language of the summary; a transcript in it is preferred. */
  language: Language;
  /** True: a machine translation by the source may be tried, because there is no model to translate with. */
  allowTranslation: boolean;
}

/**
 * Where content comes from: one implementation for each `source_type`.
 *
 * A host gives its own as an instance, a class or a factory in `ToolsModule.forRoot({ contentSources: […] })`.
 */
export interface ContentSource {
  /** The value of `source_type` that this source answers to. */
  readonly sourceType: string;
  /**
   * Normalises what the caller sent, without any network.
   * @throws InvalidContentIdError naming what is accepted
   */
  identify(contentId: string): string;
  /**
   * Gets the words, and what else is known, of an identified content.
   * @throws ContentNotFoundError, ContentUnavailableError, TranscriptUnavailableError, UpstreamInvalidError,
   *   UpstreamUnavailableError, UpstreamTimeoutError
   */
  load(id: string, request: ContentRequest, context: ToolContext): Promise<Content>;
  /** The address that opens the content at a second, e.g. `…&t=83s`. */
  urlAt(id: string, seconds: number): string;
}
