import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { VideoPage, VideoPageRequest } from '../../../../lib/content/youtube/lists/video-list.js';
import { ytDlpVideos } from '../../../../lib/content/youtube/providers/yt-dlp.provider.js';
import { FakeUpstream, type FakeAnswer } from '../../../support/fake-search/fake-upstream.js';
import { providerContext } from '../../../support/fake-youtube/provider-context.js';

const entry = (id: string, more: object = {}): object => ({
  _type: 'url',
  ie_key: 'Youtube',
  id,
  url: `https://www.youtube.com/watch?v=${id}`,
  title: `Title of ${id}`,
  duration: 612.0,
  channel: 'Coral talks',
  uploader: 'Coral talks',
  view_count: 12,
  timestamp: 1_790_000_000,
  live_status: null,
  ...more,
});

describe('ytDlpVideos', () => {
  let folder: string;
  let upstream: FakeUpstream;
  let answer: FakeAnswer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'yt-dlp-lists-'));
    upstream = await FakeUpstream.start(() => answer);
    const fake = resolve('test/support/fake-youtube/fake-yt-dlp.mjs');
    await writeFile(
      join(folder, 'yt-dlp'),
      `#!/bin/sh\nFAKE_YOUTUBE=${upstream.url} exec ${process.execPath} ${fake} "$@"\n`,
    );
    await chmod(join(folder, 'yt-dlp'), 0o755);
  });
  beforeEach(() => upstream.reset());
  afterAll(async () => {
    await upstream.close();
    await rm(folder, { recursive: true });
  });

  const list = (request: VideoPageRequest): Promise<VideoPage | undefined> =>
    ytDlpVideos({ binary: join(folder, 'yt-dlp') }).listVideos(request, providerContext());

  it('reads the entries of a playlist, without those that are gone', async () => {
    answer = {
      body: {
        _type: 'playlist',
        title: 'Reefs',
        playlist_count: 240,
        entries: [
          entry('videoaaaaa1'),
          entry('videoaaaaa2', { title: '[Private video]', duration: null, channel: null, timestamp: null }),
          entry('videoaaaaa3', { live_status: 'is_live', duration: null, timestamp: null, view_count: null }),
          entry('PLaaaaaaaaaaaaaaaa', { ie_key: 'YoutubeTab' }),
        ],
      },
    };
    expect(await list({ kind: 'playlist', value: 'PLaaaaaaaaaaaaaaaa', count: 4 })).toEqual({
      title: 'Reefs',
      total: 240,
      next: '5',
      items: [
        {
          id: 'videoaaaaa1',
          title: 'Title of videoaaaaa1',
          channel: 'Coral talks',
          durationMs: 612_000,
          publishedAt: '2026-09-21',
          views: 12,
          isLive: false,
        },
        expect.objectContaining({ id: 'videoaaaaa3', isLive: true }),
      ],
    });
    const { params } = upstream.lastRequest;
    expect(params.get('subject')).toBe('https://www.youtube.com/playlist?list=PLaaaaaaaaaaaaaaaa');
    expect(params.get('items')).toBe('1:4');
  });

  it.each([
    [{ kind: 'channel', value: '@corals', count: 2 }, 'https://www.youtube.com/@corals/videos', '1:2'],
    [{ kind: 'query', value: '--exec rm', count: 2 }, 'ytsearch2:--exec rm', '1:2'],
    [{ kind: 'query', value: 'reefs', count: 2, page: '3' }, 'ytsearch4:reefs', '3:4'],
  ] as const)('asks for %j', async (request, subject, items) => {
    answer = { body: { title: 'x', entries: [entry('videoaaaaa1')] } };
    expect(await list(request)).not.toHaveProperty('next');
    const { params } = upstream.lastRequest;
    expect([params.get('subject'), params.get('items')]).toEqual([subject, items]);
  });

  it.each([
    ['[youtube:tab] PLaaaaaaaaaaaaaaaa: YouTube said: The playlist does not exist.', 'content_not_found'],
    ['[youtube:tab] @nobody: Unable to download API page: HTTP Error 404: Not Found', 'content_not_found'],
    [
      '[youtube:tab] PLaaaaaaaaaaaaaaaa: Unable to download API page: HTTP Error 429: Too Many Requests',
      'upstream_unavailable',
    ],
  ])('knows what "%s" means', async (body, code) => {
    answer = { status: 500, body };
    await expect(list({ kind: 'playlist', value: 'PLaaaaaaaaaaaaaaaa', count: 2 })).rejects.toMatchObject({
      code,
    });
  });
});
