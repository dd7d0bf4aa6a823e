import { channelName, playlistId } from '../../../../lib/content/youtube/lists/video-list.js';

const PL = 'PL590L5WQmH8fJ54F369BLDSqIwcs-TCfs';
const UC = 'UC_x5XG1OV2P6uZZ5FSM9Ttw';

describe('playlistId', () => {
  it.each([
    [PL, PL],
    [` ${PL}\n`, PL],
    [`https://www.youtube.com/playlist?list=${PL}`, PL],
    [`youtube.com/playlist?list=${PL}&si=x`, PL],
    [`https://www.youtube.com/watch?v=jNQXAC9IVRw&list=${PL}&index=2`, PL],
    [`https://youtu.be/jNQXAC9IVRw?list=${PL}`, PL],
    [
      `https://music.youtube.com/playlist?list=OLAK5uy_kAbCdEfGhIjKlMnOpQrStUvWxYz01234`,
      'OLAK5uy_kAbCdEfGhIjKlMnOpQrStUvWxYz01234',
    ],
    [`https://www.youtube.com/embed/videoseries?list=${PL}`, PL],
    ['UU_x5XG1OV2P6uZZ5FSM9Ttw', 'UU_x5XG1OV2P6uZZ5FSM9Ttw'],
  ])('takes %s', (given, id) => expect(playlistId(given)).toBe(id));

  it.each([
    'WL',
    'LL',
    'RDjNQXAC9IVRw',
    'jNQXAC9IVRw',
    UC,
    '',
    'https://www.youtube.com/watch?v=jNQXAC9IVRw',
    `https://evil.example/playlist?list=${PL}`,
    `https://evil.example\\@www.youtube.com/playlist?list=${PL}`,
    `https://user@www.youtube.com/playlist?list=${PL}`,
    `https://i.ytimg.com/playlist?list=${PL}`,
    'https://www.youtube.com/playlist?list=PL%0d%0aHost:evil.example',
    `file:///playlist?list=${PL}`,
    'PL'.repeat(50_000),
  ])('refuses %#', (given) => expect(playlistId(given)).toBeUndefined());
});

describe('channelName', () => {
  it.each([
    [UC, UC],
    ['@GoogleDevelopers', '@GoogleDevelopers'],
    ['@ノートの人', '@ノートの人'],
    [`https://www.youtube.com/channel/${UC}`, UC],
    [`https://www.youtube.com/channel/${UC}/videos?view=0`, UC],
    ['https://www.youtube.com/@GoogleDevelopers/streams', '@GoogleDevelopers'],
    ['youtube.com/@%E3%83%8E%E3%83%BC%E3%83%88', '@ノート'],
    ['https://m.youtube.com/c/GoogleDevelopers', 'c/GoogleDevelopers'],
    ['https://www.youtube.com/user/GoogleDevelopers/', 'user/GoogleDevelopers'],
  ])('takes %s', (given, name) => expect(channelName(given)).toBe(name));

  it.each([
    'GoogleDevelopers',
    '@a',
    PL,
    'UCshort',
    'https://www.youtube.com/watch?v=jNQXAC9IVRw',
    'https://www.youtube.com/@a%2f..%2fb',
    'https://www.youtube.com/@%zz',
    'https://evil.example/@GoogleDevelopers',
    '//evil.example/@GoogleDevelopers',
    'https://www.youtube.com/c/..',
    '@../../admin',
  ])('refuses %s', (given) => expect(channelName(given)).toBeUndefined());
});
