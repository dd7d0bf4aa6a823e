import { LONGEST } from '../../../core/length-limits.js';
import { InvalidOptionError } from '../../../core/errors.js';
import {
  cutString,
  array,
  isRecord,
  number,
  object,
  oneOf,
  optional,
  parseOption,
  string,
  withDefault,
} from '../../../core/schema.js';
import { countWords } from '../../../text/count-words.js';
import { detectLanguage, WHOLE_TEXT } from '../../../text/detect-language.js';
import { languageOf, type Language } from '../../../text/languages.js';
import { isWrapped, sentenceSpans } from '../../../text/sentences.js';
import { CAPTIONS_KINDS, type CaptionsKind, type TranscriptSegment } from '../../content-source.js';
import { SEGMENT } from '../../content.schema.js';
import { cleanText, isNonSpeech } from '../captions/clean-text.js';
import { chaptersFromDescription, closeChapters } from '../chapters.js';
import type { TranscriptProvider, VideoTranscript } from '../transcript-provider.js';

/** A video whose words the host already has. Either `segments` or `text`, not both. */
export interface MemoryTranscript {
  title?: string;
  channel?: string;
  /** Chapters are read from its timestamps where `chapters` is not given. */
  description?: string;
  /** BCP 47 tag of the words; default: guessed from the words, else `und`. */
  language?: string;
  /** Default `manual`. */
  captions?: CaptionsKind;
  /** Default: the end of the last segment. */
  durationMs?: number;
  /** In order of time; `endMs` defaults to the start of the next one. */
  chapters?: readonly { title: string; startMs: number; endMs?: number }[];
  segments?: readonly TranscriptSegment[];
  /** The words without times; seconds are then estimated at 150 words a minute. */
  text?: string;
}

/** Reading speed by which seconds are estimated where there are none. */
const WORDS_PER_MINUTE = 150;

/** A sentence longer than this is cut into several segments, so that an estimated time is never far from its words. */
const MAX_SEGMENT_WORDS = 60;

/**
 * Words that the host already has, by video ID; a video may be given as one string. Needs no network, and its words are
 * taken as they are, however few.
 *
 * @throws InvalidOptionError naming the path of the wrong value, at once
 */
export function memoryTranscripts(
  videos: Readonly<Record<string, MemoryTranscript | string>>,
): TranscriptProvider {
  if (!isRecord(videos)) throw new InvalidOptionError('memoryTranscripts', 'an object by video ID', videos);
  const held = new Map<string, HeldTranscript>();
  for (const [id, video] of Object.entries(videos)) {
    const path = `memoryTranscripts[${JSON.stringify(id.slice(0, 40))}]`;
    if (!/^[\w-]{11}$/.test(id)) throw new InvalidOptionError(path, 'named by an 11-character video ID', id);
    held.set(id, toTranscript(video, path));
  }
  return {
    name: 'memory',
    trusted: true,
    fetchTranscript: async (videoId) => {
      const video = held.get(videoId);
      return video && { ...video, language: video.language ?? (await languageIn(video.segments)) };
    },
  };
}

/** A transcript. A missing language is detected from its words when it is requested. */
type HeldTranscript = Omit<VideoTranscript, 'language'> & { language: string | undefined };

async function languageIn(segments: readonly TranscriptSegment[]): Promise<string> {
  // Loaded when it is needed: it has the stop words of all languages.
  const { identifyLanguage } = await import('../../../text/identify-language.js');
  return identifyLanguage(segments.map(({ text }) => text).join(' ')) ?? 'und';
}

const VIDEO = object({
  title: optional(cutString(LONGEST.title)),
  channel: optional(cutString(LONGEST.name)),
  description: optional(cutString(LONGEST.description)),
  language: optional(
    string({
      pattern: /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,4}$/,
      expected: 'a BCP 47 language tag such as "en"',
    }),
  ),
  captions: withDefault(oneOf<CaptionsKind>(...CAPTIONS_KINDS), 'manual' as const),
  durationMs: optional(number(0)),
  text: optional(string({ min: 1, max: LONGEST.document })),
  segments: optional(array(SEGMENT, { min: 1 })),
  chapters: optional(
    array(
      object({
        title: string({ min: 1, max: LONGEST.description }),
        startMs: number(),
        endMs: optional(number()),
      }),
    ),
  ),
});

function toTranscript(video: unknown, path: string): HeldTranscript {
  const whole = typeof video === 'string' ? { text: video } : video;
  if (isRecord(whole) && (whole.text === undefined) === (whole.segments === undefined))
    throw new InvalidOptionError(path, 'given either `text` or `segments`', whole);
  const given = parseOption(path, VIDEO, whole);
  const { title, channel, description, language, captions, text } = given;
  checkTimes(`${path}.segments`, given.segments ?? []);
  checkTimes(`${path}.chapters`, given.chapters ?? []);
  const segments =
    text === undefined
      ? given.segments!.map((segment) => marked({ ...segment, text: cleanText(segment.text) }))
      : estimateSegments(text, languageOf(language) ?? detectLanguage(text, WHOLE_TEXT));
  const durationMs = given.durationMs ?? segments.at(-1)?.endMs;
  const chapters = given.chapters
    ? closeChapters(given.chapters, durationMs).map((chapter, i) => ({
        ...chapter,
        title: cleanText(chapter.title),
        endMs: given.chapters![i]!.endMs ?? chapter.endMs,
      }))
    : chaptersFromDescription(description ?? '', durationMs);
  return { title, channel, description, durationMs, language, captions, segments, chapters };
}

const marked = (segment: TranscriptSegment): TranscriptSegment =>
  isNonSpeech(segment.text) ? { ...segment, nonSpeech: true } : segment;

/** @throws InvalidOptionError for a part that begins before the one before it, or ends before it begins */
function checkTimes(path: string, parts: readonly { startMs: number; endMs?: number }[]): void {
  let previousMs = 0;
  for (const [i, { startMs, endMs = startMs }] of parts.entries()) {
    const mustReach = (name: string, least: number, given: number): void => {
      if (given >= least) return;
      throw new InvalidOptionError(
        `${path}[${i}].${name}`,
        `a number of milliseconds of at least ${least}`,
        given,
      );
    };
    mustReach('startMs', previousMs, startMs);
    mustReach('endMs', startMs, endMs);
    previousMs = startMs;
  }
}

/** One segment a sentence, timed at 150 words a minute; a long sentence is several segments. */
function estimateSegments(text: string, language: Language | undefined): TranscriptSegment[] {
  const segments: TranscriptSegment[] = [];
  const lineBreaks = !isWrapped(text);
  let [spoken, before] = [0, 0];
  for (const { start, end } of sentenceSpans(text, { language, lineBreaks })) {
    const words = cleanText(text.slice(start, end)).split(' ');
    let startsLine = lineBreaks && (before === 0 || text.slice(before, start).includes('\n'));
    for (let from = 0; from < words.length; from += MAX_SEGMENT_WORDS) {
      const piece = words.slice(from, from + MAX_SEGMENT_WORDS).join(' ');
      const startMs = toMs(spoken);
      spoken += countWords(piece);
      segments.push(
        marked({ startMs, endMs: toMs(spoken), text: piece, ...(startsLine ? { startsLine } : {}) }),
      );
      startsLine = false;
    }
    before = end;
  }
  return segments;
}

const toMs = (wordsSpoken: number): number => Math.round((wordsSpoken / WORDS_PER_MINUTE) * 60_000);
