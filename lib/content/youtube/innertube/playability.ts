import { videoFailure, type VideoFailureReason } from '../video-failure.js';
import { at, arrayAt, stringAt, textAt } from './json-path.js';
import { readSentences, type Said } from './sentences.js';

/**
 * Throws what a player response says against playing the video; returns where it can be played. Goes by `status` first and by
 * the English sentences second (the requests say `hl=en`).
 *
 * @throws ContentNotFoundError, ContentUnavailableError, UpstreamUnavailableError (`bot_check`, `unplayable`), UpstreamInvalidError
 */
export function assertPlayable(response: unknown, videoId: string): void {
  const status = stringAt(response, 'playabilityStatus', 'status');
  if (status === undefined) throw videoFailure('unreadable');
  const answeredFor = stringAt(response, 'videoDetails', 'videoId');
  // A client that YouTube has retired gets a film that says so, under an ID of its own.
  const other = status === 'OK' && answeredFor !== undefined && answeredFor !== videoId;
  const reason = other ? 'unplayable' : reasonOf(status, response);
  if (reason) throw videoFailure(reason);
}

function reasonOf(status: string, response: unknown): VideoFailureReason | undefined {
  const said = sentences(at(response, 'playabilityStatus'));
  switch (status) {
    case 'OK':
      if (at(response, 'videoDetails', 'isUpcoming') === true) return 'upcoming';
      return at(response, 'videoDetails', 'isLive') === true ? 'live' : undefined;
    case 'LIVE_STREAM_OFFLINE':
      return said.ended ?? 'upcoming';
    case 'AGE_VERIFICATION_REQUIRED':
    case 'AGE_CHECK_REQUIRED':
    case 'CONTENT_CHECK_REQUIRED':
      return 'age_restricted';
    case 'LOGIN_REQUIRED':
      return said.private ?? said.members ?? said.bot ?? said.age ?? 'bot_check';
    case 'UNPLAYABLE':
      return (
        said.private ?? said.members ?? said.region ?? said.bot ?? said.age ?? said.removed ?? 'unplayable'
      );
    case 'ERROR':
      return said.private ?? said.region ?? said.bot ?? 'not_found';
    default:
      return 'unplayable';
  }
}

/** What the sentences beside the status speak of. */
function sentences(status: unknown): Said {
  const screen = at(status, 'errorScreen', 'playerErrorMessageRenderer');
  return readSentences(
    [
      stringAt(status, 'reason'),
      ...arrayAt(status, 'messages').filter((message) => typeof message === 'string'),
      textAt(screen, 'reason'),
      textAt(screen, 'subreason'),
    ]
      .filter(Boolean)
      .join('\n'),
  );
}
