import { lazy } from '../../../core/async.js';
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
  type Infer,
} from '../../../core/schema.js';
import { CAPTIONS_KINDS, type CaptionsKind, type TranscriptSegment } from '../../content-source.js';
import { SEGMENT } from '../../content.schema.js';
import { cleanCaption } from '../../captions/clean-text.js';
import { chaptersFromDescription, closeChapters } from '../chapters.js';
import {
  channelName,
  LISTED_VIDEOS,
  playlistId,
  type ListedVideo,
  type VideoListProvider,
  type VideoPage,
} from '../lists/video-list.js';
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
  /** The text of a caption file (WebVTT, SubRip, TTML), or the words without times; seconds are then estimated at 150 words a minute. */
  text?: string;
}

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
  const held = new Map<string, () => Promise<VideoTranscript>>();
  for (const [id, video] of Object.entries(videos)) {
    const path = `memoryTranscripts[${JSON.stringify(id.slice(0, 40))}]`;
    if (!/^[\w-]{11}$/.test(id)) throw new InvalidOptionError(path, 'named by an 11-character video ID', id);
    const checked = checkVideo(video, path);
    held.set(
      id,
      lazy(() => toTranscript(checked)),
    );
  }
  return {
    name: 'memory',
    trusted: true,
    fetchTranscript: (videoId) => held.get(videoId)?.() ?? Promise.resolve(undefined),
  };
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

function checkVideo(video: unknown, path: string): Infer<typeof VIDEO> {
  const whole = typeof video === 'string' ? { text: video } : video;
  if (isRecord(whole) && (whole.text === undefined) === (whole.segments === undefined))
    throw new InvalidOptionError(path, 'given either `text` or `segments`', whole);
  return parseOption(path, VIDEO, whole);
}

async function toTranscript(video: Infer<typeof VIDEO>): Promise<VideoTranscript> {
  // Loaded with the first video, not with the host.
  const { markSounds, mergeCues } = await import('../../captions/merge-cues.js');
  const { segmentsOfText } = await import('../../text-segments.js');
  const { title, channel, description, captions, text } = video;
  const segments =
    text === undefined
      ? await markSounds(await mergeCues(video.segments!, cleanCaption))
      : await segmentsOfText(text, video.language);
  const language = video.language ?? (await languageOfSegments(segments));
  const durationMs = video.durationMs ?? segments.at(-1)?.endMs;
  const parts = video.chapters && [...video.chapters].sort((a, b) => a.startMs - b.startMs);
  const chapters = parts
    ? closeChapters(parts, durationMs).map((chapter, i) => ({
        ...chapter,
        title: cleanCaption(chapter.title),
        endMs: parts[i]!.endMs ?? chapter.endMs,
      }))
    : chaptersFromDescription(description ?? '', durationMs);
  return { title, channel, description, durationMs, language, captions, segments, chapters };
}

export async function languageOfSegments(segments: readonly TranscriptSegment[]): Promise<string> {
  // Loaded when it is needed: it has the stop words of all languages.
  const { identifyLanguage } = await import('../../../text/identify-language.js');
  return identifyLanguage(segments.map(({ text }) => text).join(' ')) ?? 'und';
}

/** A list of videos that the host already has. */
export interface MemoryVideos {
  title?: string;
  /** In the order of the list; a channel's newest first. */
  videos: readonly ListedVideo[];
}

/**
 * Lists that the host already has, by the ID of a playlist or channel, or by `@handle`. A query finds the videos of all lists that have its words in
 * their title or channel. Needs no network.
 *
 * @throws InvalidOptionError naming the path of the wrong value, at once
 */
export function memoryVideos(lists: Readonly<Record<string, MemoryVideos>>): VideoListProvider {
  if (!isRecord(lists)) throw new InvalidOptionError('memoryVideos', 'an object by ID of a list', lists);
  const held = new Map(
    Object.entries(lists).map(([id, list]): [string, VideoPage] => {
      const path = `memoryVideos[${JSON.stringify(id.slice(0, 40))}]`;
      if ((playlistId(id) ?? channelName(id)) !== id)
        throw new InvalidOptionError(path, 'named by the ID of a playlist or channel, or by @handle', id);
      const { title, videos } = parseOption(path, MEMORY_LIST, list);
      return [id, { title, total: videos.length, items: videos }];
    }),
  );
  const search = (query: string): VideoPage => {
    const words = query.toLowerCase().split(/\s+/);
    const all = new Map([...held.values()].flatMap(({ items }) => items).map((item) => [item.id, item]));
    const items = [...all.values()].filter(({ title, channel = '' }) => {
      const text = `${title} ${channel}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return { total: items.length, items };
  };
  return {
    name: 'memory',
    listVideos: ({ kind, value }) => Promise.resolve(kind === 'query' ? search(value) : held.get(value)),
  };
}

const MEMORY_LIST = object({ title: optional(cutString(LONGEST.title)), videos: LISTED_VIDEOS });
