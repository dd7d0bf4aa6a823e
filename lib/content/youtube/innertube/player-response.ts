import type { StoryboardLevel } from '../../content-source.js';
import { aboutVideo } from '../chapters.js';
import { meaningOf, upstreamMessage, videoFailure, type VideoFailureReason } from '../video-failure.js';
import { readCaptionTracks, type CaptionTracks } from './caption-tracks.js';
import { stringAt, at, arrayAt } from '../../../core/json.js';

interface PlayerVideo extends ReturnType<typeof aboutVideo> {
  captions: CaptionTracks;
  storyboard?: StoryboardLevel[];
}

/**
 * Reads an answer of YouTube's `player` endpoint.
 *
 * @throws what `assertPlayable` throws; TranscriptUnavailableError (`no_captions`)
 */
export function readPlayerVideo(response: unknown, videoId: string): PlayerVideo {
  assertPlayable(response, videoId);
  const captions = readCaptionTracks(response);
  if (captions.tracks.length === 0) throw videoFailure('no_captions');
  const text = (name: string): string | undefined => stringAt(response, 'videoDetails', name);
  const seconds = Number(text('lengthSeconds'));
  const about = aboutVideo(text('title'), text('author'), text('shortDescription'), seconds);
  const storyboard = parseStoryboard(
    stringAt(response, 'storyboards', 'playerStoryboardSpecRenderer', 'spec') ?? '',
    about.durationMs,
  );
  return { ...about, captions, storyboard: storyboard.length > 0 ? storyboard : undefined };
}

/**
 * Throws when a player response says that the video cannot be played. Decides by `status` first and by the English sentences
 * second (requests say `hl=en`). YouTube's own sentences go into `details.upstream_message`.
 *
 * @throws ContentNotFoundError, ContentUnavailableError, UpstreamUnavailableError (`bot_check`, `rate_limited`,
 * `captcha`, `unplayable`), UpstreamInvalidError
 */
export function assertPlayable(response: unknown, videoId: string): void {
  const status = stringAt(response, 'playabilityStatus', 'status');
  if (status === undefined) throw videoFailure('unreadable');
  const sentences = sentencesOf(at(response, 'playabilityStatus'));
  const answeredFor = stringAt(response, 'videoDetails', 'videoId');
  // A retired client gets a video that says so, under another ID.
  const other = status === 'OK' && answeredFor !== undefined && answeredFor !== videoId;
  const reason = other ? 'unplayable' : reasonOf(status, sentences.join('\n'), response);
  if (reason) throw videoFailure(reason, { upstreamMessage: upstreamMessage(sentences.join(' ')) });
}

/** What a status means when its sentences are unknown. `ERROR` alone does not say that the video is gone. */
const STATUSES: Readonly<Record<string, VideoFailureReason>> = {
  LIVE_STREAM_OFFLINE: 'upcoming',
  AGE_VERIFICATION_REQUIRED: 'age_restricted',
  AGE_CHECK_REQUIRED: 'age_restricted',
  CONTENT_CHECK_REQUIRED: 'age_restricted',
  LOGIN_REQUIRED: 'bot_check',
};

function reasonOf(status: string, sentences: string, response: unknown): VideoFailureReason | undefined {
  if (status === 'OK') {
    if (at(response, 'videoDetails', 'isUpcoming') === true) return 'upcoming';
    return at(response, 'videoDetails', 'isLive') === true ? 'live' : undefined;
  }
  if (at(response, 'playabilityStatus', 'errorScreen', 'playerCaptchaViewModel')) return 'captcha';
  return meaningOf(sentences, status !== 'ERROR') ?? STATUSES[status] ?? 'unplayable';
}

/** The distinct sentences next to the status. The error screen often repeats the reason. */
function sentencesOf(status: unknown): string[] {
  const screen = at(status, 'errorScreen', 'playerErrorMessageRenderer');
  const sentences = [
    stringAt(status, 'reason'),
    ...arrayAt(status, 'messages').filter((message) => typeof message === 'string'),
    textAt(screen, 'reason'),
    textAt(screen, 'subreason'),
  ];
  return [...new Set(sentences.filter((text) => text !== undefined && text !== ''))] as string[];
}

/** InnerTube's text at a path, which is `{ simpleText }` or `{ runs: [{ text }] }`; undefined when there is none. */
export function textAt(value: unknown, ...path: (string | number)[]): string | undefined {
  const found = at(value, ...path);
  const runs = arrayAt(found, 'runs').map((run) => stringAt(run, 'text') ?? '');
  return stringAt(found, 'simpleText') ?? (runs.length > 0 ? runs.join('') : undefined);
}

/** A day of video with a frame every five seconds has fewer frames. A plain bound. */
const MAX_FRAMES = 20_000;

/**
 * Reads the storyboard specification of a player response: `base|level|level…`, where a level is
 * `width#height#count#columns#rows#intervalMs#name#signature`. The address of a sheet is the base with `$L` replaced by the number of the
 * level, `$N` by its name and then `$M` by the number of the sheet, plus `&sigh=` and the signature. Frame `n` is on sheet
 * `floor(n / (columns × rows))`. (yt-dlp `_extract_storyboard`)
 *
 * @param durationMs length of the video. The frames of a level without an interval are spread over it
 * @returns its levels; empty when the specification is invalid or its address is not YouTube's
 */
export function parseStoryboard(spec: string, durationMs = 0): StoryboardLevel[] {
  const [base = '', ...levels] = spec.split('|');
  if (!/^https:\/\/(?:[a-z0-9-]+\.)*ytimg\.com\//.test(base)) return [];
  return levels.flatMap((level, index) => toLevel(level, index, base, durationMs));
}

function toLevel(level: string, index: number, base: string, durationMs: number): StoryboardLevel[] {
  const parts = level.split('#');
  const [width = 0, height = 0, count = 0, columns = 0, rows = 0, interval = 0] = parts
    .slice(0, 6)
    .map(Number);
  const [name, signature] = parts.slice(6);
  const whole = [width, height, count, columns, rows].every((n) => Number.isInteger(n) && n > 0);
  if (!whole || count > MAX_FRAMES || !(interval >= 0) || name === undefined || signature === undefined)
    return [];
  const intervalMs = interval > 0 ? interval : durationMs / count;
  // Without an interval and a duration, the time of a frame is unknown.
  if (intervalMs <= 0) return [];
  // The name holds `$M`. A function, because `$` in a string has a meaning of its own.
  const address = base.replaceAll('$L', String(index)).replaceAll('$N', () => name);
  const sheetUrls: string[] = [];
  for (let sheet = 0; sheet < count / (columns * rows); sheet++)
    sheetUrls.push(`${address.replaceAll('$M', String(sheet))}&sigh=${signature}`);
  return [{ width, height, count, columns, rows, intervalMs, sheetUrls }];
}
