import { InvalidOptionError } from '../../../core/errors.js';
import { countWords } from '../../../core/text/count-words.js';
import { detectLanguage, WHOLE_TEXT } from '../../../core/text/detect-language.js';
import { languageOf, type Language } from '../../../core/text/languages.js';
import { isWrapped, sentencesOf } from '../../../core/text/sentences.js';
import type { CaptionsKind, Chapter, TranscriptSegment } from '../../content-source.js';
import { cleanText } from '../captions/clean-text.js';
import { isNonSpeech } from '../captions/read-captions.js';
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
  if (!isObject(videos)) throw new InvalidOptionError('memoryTranscripts', 'an object by video ID', videos);
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

/** A transcript whose language is told from its words when it is first asked for. */
type HeldTranscript = Omit<VideoTranscript, 'language'> & { language: string | undefined };

async function languageIn(segments: readonly TranscriptSegment[]): Promise<string> {
  const text = segments.map(({ text }) => text).join(' ');
  // Loaded when it is needed: it has the stop words of all languages.
  const { identifyLanguage } = await import('../../../core/text/identify-language.js');
  return identifyLanguage(text) ?? detectLanguage(text, WHOLE_TEXT) ?? 'und';
}

function toTranscript(video: unknown, path: string): HeldTranscript {
  const given = typeof video === 'string' ? { text: video } : video;
  if (!isObject(given)) throw new InvalidOptionError(path, 'a transcript object or its text', video);
  const declared = optional(given, 'language', path, 'a BCP 47 language tag such as "en"', isLanguageTag);
  const segments = toSegments(given, path, declared);
  const durationMs = optional(given, 'durationMs', path, 'a number of milliseconds of at least 0', isTime);
  const endMs = durationMs ?? segments.at(-1)?.endMs;
  const description = optional(given, 'description', path, 'a string', isString);
  const captions = optional(given, 'captions', path, "'manual', 'automatic' or 'translated'", isCaptions);
  return {
    title: optional(given, 'title', path, 'a string', isString),
    channel: optional(given, 'channel', path, 'a string', isString),
    description,
    durationMs: endMs,
    language: declared,
    captions: captions ?? 'manual',
    segments,
    chapters: toChapters(given.chapters, path, endMs) ?? chaptersFromDescription(description ?? '', endMs),
  };
}

function toSegments(
  given: Record<string, unknown>,
  path: string,
  language: string | undefined,
): TranscriptSegment[] {
  if ((given.text === undefined) === (given.segments === undefined)) {
    throw new InvalidOptionError(path, 'given either `text` or `segments`', given);
  }
  if (given.text !== undefined) {
    if (!isString(given.text) || !given.text.trim()) {
      throw new InvalidOptionError(`${path}.text`, 'a text that is not empty', given.text);
    }
    return estimateSegments(given.text, languageOf(language) ?? detectLanguage(given.text, WHOLE_TEXT));
  }
  if (!Array.isArray(given.segments) || given.segments.length === 0) {
    throw new InvalidOptionError(`${path}.segments`, 'an array with at least one segment', given.segments);
  }
  let previousMs = 0;
  return given.segments.map((segment: unknown, i) => {
    const at = `${path}.segments[${i}]`;
    if (!isObject(segment)) throw new InvalidOptionError(at, 'an object { startMs, endMs, text }', segment);
    const { startMs, endMs, text, nonSpeech } = segment;
    if (!isTime(startMs) || startMs < previousMs) {
      throw new InvalidOptionError(
        `${at}.startMs`,
        `a number of milliseconds of at least ${previousMs}`,
        startMs,
      );
    }
    if (!isTime(endMs) || endMs < startMs) {
      throw new InvalidOptionError(`${at}.endMs`, `a number of milliseconds of at least ${startMs}`, endMs);
    }
    if (!isString(text)) throw new InvalidOptionError(`${at}.text`, 'a string', text);
    previousMs = startMs;
    const clean = cleanText(text);
    return {
      startMs,
      endMs,
      text: clean,
      ...(nonSpeech === true || isNonSpeech(clean) ? { nonSpeech: true } : {}),
    };
  });
}

function toChapters(given: unknown, path: string, durationMs: number | undefined): Chapter[] | undefined {
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) throw new InvalidOptionError(`${path}.chapters`, 'an array', given);
  let previousMs = -1;
  const chapters = given.map((chapter: unknown, i) => {
    const at = `${path}.chapters[${i}]`;
    if (!isObject(chapter)) throw new InvalidOptionError(at, 'an object { title, startMs }', chapter);
    const { title, startMs, endMs } = chapter;
    if (!isString(title) || !title.trim()) throw new InvalidOptionError(`${at}.title`, 'a title', title);
    if (!isTime(startMs) || startMs <= previousMs) {
      throw new InvalidOptionError(
        `${at}.startMs`,
        'a number of milliseconds after the chapter before',
        startMs,
      );
    }
    if (endMs !== undefined && (!isTime(endMs) || endMs < startMs)) {
      throw new InvalidOptionError(`${at}.endMs`, `a number of milliseconds of at least ${startMs}`, endMs);
    }
    previousMs = startMs;
    return { title: cleanText(title), startMs, endMs };
  });
  return closeChapters(chapters, durationMs).map((closed, i) => ({
    ...closed,
    endMs: chapters[i]?.endMs ?? closed.endMs,
  }));
}

/** One segment a sentence, timed at 150 words a minute; a long sentence is several segments. */
function estimateSegments(text: string, language: Language | undefined): TranscriptSegment[] {
  const segments: TranscriptSegment[] = [];
  let spoken = 0;
  for (const sentence of sentencesOf(text, { language, lineBreaks: !isWrapped(text) })) {
    for (const piece of piecesOf(cleanText(sentence))) {
      const startMs = toMs(spoken);
      spoken += countWords(piece);
      segments.push({
        startMs,
        endMs: toMs(spoken),
        text: piece,
        ...(isNonSpeech(piece) ? { nonSpeech: true } : {}),
      });
    }
  }
  return segments;
}

/** A sentence in stretches of at most 60 words, cut at its last comma where it has one; a segment's end is no sentence's end. */
function piecesOf(sentence: string): string[] {
  const words = sentence.split(' ').filter(Boolean);
  const pieces: string[] = [];
  for (let from = 0; from < words.length;) {
    let to = Math.min(words.length, from + MAX_SEGMENT_WORDS);
    if (to < words.length) {
      let comma = to;
      while (comma > from + MAX_SEGMENT_WORDS / 2 && !/[,;:–—]$/.test(words[comma - 1]!)) comma--;
      if (comma > from + MAX_SEGMENT_WORDS / 2) to = comma;
    }
    pieces.push(words.slice(from, to).join(' '));
    from = to;
  }
  return pieces;
}

const toMs = (wordsSpoken: number): number => Math.round((wordsSpoken / WORDS_PER_MINUTE) * 60_000);

function optional<T>(
  given: Record<string, unknown>,
  key: string,
  path: string,
  expected: string,
  is: (value: unknown) => value is T,
): T | undefined {
  const value = given[key];
  if (value === undefined) return undefined;
  if (!is(value)) throw new InvalidOptionError(`${path}.${key}`, expected, value);
  return value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isString = (value: unknown): value is string => typeof value === 'string';
const isTime = (value: unknown): value is number => Number.isFinite(value) && (value as number) >= 0;
const isLanguageTag = (value: unknown): value is string =>
  isString(value) && /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,4}$/.test(value);
const isCaptions = (value: unknown): value is CaptionsKind =>
  value === 'manual' || value === 'automatic' || value === 'translated';
