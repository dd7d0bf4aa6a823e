import type { Chapter, StoryboardLevel } from '../../content-source.js';
import { cleanName } from '../captions/clean-text.js';
import { chaptersFromDescription } from '../chapters.js';
import { parseStoryboard } from '../storyboard.js';
import { videoFailure } from '../video-failure.js';
import { readCaptionTracks, type CaptionTracks } from './caption-tracks.js';
import { chaptersFromMarkers } from './chapter-markers.js';
import { stringAt } from '../../../core/json-path.js';
import { assertPlayable } from './playability.js';

/** The contents of a player response for a video with captions. */
export interface PlayerVideo {
  title?: string;
  channel?: string;
  description?: string;
  durationMs?: number;
  captions: CaptionTracks;
  chapters: Chapter[];
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
  const seconds = Number(stringAt(response, 'videoDetails', 'lengthSeconds'));
  const durationMs = seconds > 0 ? seconds * 1000 : undefined;
  const description = stringAt(response, 'videoDetails', 'shortDescription');
  const described = chaptersFromDescription(description ?? '', durationMs);
  const storyboard = parseStoryboard(
    stringAt(response, 'storyboards', 'playerStoryboardSpecRenderer', 'spec') ?? '',
    durationMs,
  );
  return {
    title: cleanName(stringAt(response, 'videoDetails', 'title')),
    channel: cleanName(stringAt(response, 'videoDetails', 'author')),
    description,
    durationMs,
    captions,
    chapters: described.length > 0 ? described : chaptersFromMarkers(response, durationMs),
    storyboard: storyboard.length > 0 ? storyboard : undefined,
  };
}
