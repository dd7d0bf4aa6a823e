import { assertPlayable } from '../../../lib/content/youtube/innertube/player-response.js';
import type { ToolsError } from '../../../lib/core/errors.js';

const ID = 'jNQXAC9IVRw';

function reasonOf(status?: string, reason?: string, subreason?: string, details?: object): string {
  const response = {
    playabilityStatus: {
      status,
      reason,
      errorScreen: { playerErrorMessageRenderer: { subreason: { simpleText: subreason } } },
    },
    videoDetails: { videoId: ID, ...details },
  };
  try {
    assertPlayable(response, ID);
    return 'playable';
  } catch (error) {
    return ((error as ToolsError).details as { reason: string }).reason;
  }
}

describe('assertPlayable', () => {
  it.each<[string, string?, string?, string?, object?]>([
    ['playable', 'OK'],
    ['playable', 'OK', undefined, undefined, { isLiveContent: true, isLive: false }],
    ['live', 'OK', undefined, undefined, { isLive: true }],
    ['upcoming', 'OK', undefined, undefined, { isUpcoming: true }],
    ['upcoming', 'LIVE_STREAM_OFFLINE', 'This live event will begin in a few moments.'],
    ['unplayable', 'LIVE_STREAM_OFFLINE', 'This live stream recording is not available.'],
    ['unplayable', 'OK', undefined, undefined, { videoId: 'aQvGIIdgFDM' }],
    ['private', 'LOGIN_REQUIRED', 'This is a private video. Please sign in.'],
    ['private', 'ERROR', 'This video is private'],
    ['bot_check', 'LOGIN_REQUIRED', 'Sign in to confirm you’re not a bot'],
    ['bot_check', 'LOGIN_REQUIRED', 'Please sign in'],
    ['age_restricted', 'LOGIN_REQUIRED', 'Sign in to confirm your age'],
    ['age_restricted', 'AGE_VERIFICATION_REQUIRED', 'anything'],
    ['age_restricted', 'CONTENT_CHECK_REQUIRED'],
    ['members_only', 'UNPLAYABLE', 'This video is available to this channel’s members on level: Gold'],
    ['members_only', 'UNPLAYABLE', 'This video requires payment to watch.'],
    [
      'region_blocked',
      'UNPLAYABLE',
      'Video unavailable',
      'The uploader has not made this video available in your country',
    ],
    [
      'region_blocked',
      'ERROR',
      'Video unavailable',
      'This video contains content from X, who has blocked it in your country on copyright grounds',
    ],
    [
      'region_blocked',
      'UNPLAYABLE',
      'This video contains content from X, who has blocked it on copyright grounds',
    ],
    ['not_found', 'ERROR', 'Video unavailable', 'This video has been removed by the uploader'],
    ['not_found', 'ERROR', 'Video unavailable', 'This video isn’t available anymore'],
    ['not_found', 'UNPLAYABLE', 'This video is no longer available due to a copyright claim by X.'],
    ['rate_limited', 'ERROR', 'This content isn’t available, try again later.'],
    ['rate_limited', 'UNPLAYABLE', 'Video unavailable', "This content isn't available, try again later."],
    ['unplayable', 'ERROR', 'Video unavailable', 'This content isn’t available.'],
    [
      'unplayable',
      'ERROR',
      'The following content is not available on this app.',
      'Watch on the latest version.',
    ],
    ['unplayable', 'ERROR', 'This video is unavailable', 'Watch on the latest version of YouTube.'],
    ['unplayable', 'ERROR', 'Precondition check failed.'],
    ['unplayable', 'ERROR', 'YouTube is no longer supported in this application or device.'],
    ['unplayable', 'UNPLAYABLE', 'The page needs to be reloaded.'],
    [
      'unplayable',
      'UNPLAYABLE',
      'Video unavailable',
      'Playback on other websites has been disabled by the owner',
    ],
    ['unplayable', 'ERROR'],
    ['unplayable', 'ERROR', 'A sentence of next year'],
    ['not_found', 'ERROR', 'This video is unavailable'],
    [
      'not_found',
      'UNPLAYABLE',
      'Video unavailable',
      'This video is no longer available because the account has been terminated.',
    ],
    ['unplayable', 'UNPLAYABLE', 'Video unavailable', 'This video is not available'],
    ['unplayable', 'SOMETHING_NEW', 'Who knows'],
    ['unreadable', undefined],
  ])('says %s for %s %s', (expected, ...said) => {
    expect(reasonOf(...said)).toBe(expected);
  });

  it.each([null, 1, 'text', [], {}, { playabilityStatus: [] }, { playabilityStatus: { status: {} } }])(
    'calls %j unreadable',
    (response) => expect(() => assertPlayable(response, ID)).toThrow(/cannot read the answer/),
  );
});
