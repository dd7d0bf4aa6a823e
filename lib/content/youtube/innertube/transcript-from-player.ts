import type { Chapter, ContentRequest } from '../../content-source.js';
import { incompleteness, type ProviderContext, type VideoTranscript } from '../transcript-provider.js';
import { videoFailure } from '../video-failure.js';
import type { YouTubeEgress } from '../youtube-egress.js';
import { fetchCaptions, type CaptionRequest } from './fetch-captions.js';
import { readPlayerVideo, type PlayerVideo } from './player-response.js';

/** Input for making a transcript from a player response. */
export interface PlayerSession {
  captions: CaptionRequest;
  /** Finds chapters that the player response does not have. Default: the chapters of the response. */
  chaptersOf?: (video: PlayerVideo) => Promise<Chapter[]>;
  egress: YouTubeEgress;
  context: ProviderContext;
}

/**
 * Makes a transcript from a `player` response: reads it, chooses a track, fetches the track and checks that it is complete.
 *
 * @throws the content and upstream errors
 */
export async function transcriptFromPlayer(
  response: unknown,
  videoId: string,
  request: ContentRequest,
  { captions, chaptersOf, egress, context }: PlayerSession,
): Promise<VideoTranscript> {
  const video = readPlayerVideo(response, videoId);
  const [words, chapters] = await Promise.all([
    fetchCaptions(video.captions, request, captions, egress, context),
    chaptersOf?.(video) ?? video.chapters,
  ]);
  const { title, channel, description, durationMs, storyboard } = video;
  const transcript = { title, channel, description, durationMs, storyboard, chapters, ...words };
  const flaw = incompleteness(transcript);
  if (flaw) throw videoFailure(flaw);
  return transcript;
}
