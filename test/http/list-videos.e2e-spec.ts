import type request from 'supertest';
import {
  innertubeVideos,
  memoryVideos,
  ToolsModule,
  VideoListService,
  type ToolsModuleSyncOptions,
  type VideoListProvider,
} from '../../lib/index.js';
import { FakeUpstream } from '../support/fake-search/fake-upstream.js';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import { modern, modernHeaders } from '../support/mcp-host.js';
import { faultsOfMarkdown, faultsOfText, HOSTILE } from '../support/rendered.js';

const PLAYLIST = 'PLreefTalksOfOurOwn';
const TALKS = Array.from({ length: 12 }, (_, n) => ({
  id: `reefTalk${String(n).padStart(3, '0')}`,
  title: `Talk ${n}`,
  channel: 'Reef talks',
  durationMs: 61_400 + n * 1000,
  publishedAt: `2026-11-${String(28 - n).padStart(2, '0')}T08:00:00Z`,
  views: n,
  isLive: n === 0,
}));
const OWN = memoryVideos({
  [PLAYLIST]: { title: 'Reef talks', videos: TALKS },
  '@reefs': { videos: TALKS },
});

describe('list_videos on Fastify', () => {
  afterEach(closeHosts);

  const start = (options: ToolsModuleSyncOptions = {}): Promise<RunningHost> =>
    startHost(
      [
        ToolsModule.forRoot({
          apiKeys: ['a-key'],
          search: { providers: [] },
          listVideos: { providers: [OWN] },
          logRequests: false,
          ...options,
        }),
      ],
      new FastifyAdapter(),
    );
  const list = ({ http }: RunningHost, body: object): request.Test =>
    http.post('/v1/tools/list_videos').set('X-API-Key', 'a-key').send(body);

  it('returns the videos of a playlist', async () => {
    const url = `https://www.youtube.com/playlist?list=${PLAYLIST}&si=shared`;
    const { body } = await list(await start(), { playlist: url, max_results: 2 }).expect(200);
    expect(body).toEqual({
      data: {
        title: 'Reef talks',
        total: 12,
        items: [0, 1].map((n) => ({
          content_id: `reefTalk00${n}`,
          url: `https://www.youtube.com/watch?v=reefTalk00${n}`,
          title: `Talk ${n}`,
          channel: 'Reef talks',
          duration_seconds: 61 + n,
          published_at: `2026-11-${28 - n}T08:00:00.000Z`,
          views: n,
          is_live: n === 0,
        })),
        next_cursor: expect.stringMatching(/^2\.[\w-]{8}$/) as unknown,
        cached: false,
      },
      request_id: expect.any(String) as unknown,
      seconds_taken: expect.any(Number) as unknown,
    });
  });

  it('goes on with a cursor, and refuses that of another list', async () => {
    const host = await start();
    const first = await list(host, { channel: '@reefs', max_results: 7 }).expect(200);
    const cursor = (first.body as { data: { next_cursor: string } }).data.next_cursor;
    const second = await list(host, { channel: '@reefs', max_results: 7, cursor }).expect(200);
    const titles = [first, second].flatMap(({ body }) =>
      (body as { data: { items: { title: string }[] } }).data.items.map(({ title }) => title),
    );
    expect(titles).toEqual(TALKS.map(({ title }) => title));
    expect(second.body).not.toHaveProperty('data.next_cursor');
    const refused = await list(host, { playlist: PLAYLIST, cursor }).expect(400);
    expect(refused.body).toMatchObject({ code: 'invalid_request', details: [{ field: 'cursor' }] });
  });

  it('searches, and leaves out what is older', async () => {
    const host = await start();
    const found = await list(host, { query: ' talk 3 ', published_after: '2026-11-20' }).expect(200);
    expect(found.body).toMatchObject({ data: { items: [{ title: 'Talk 3' }] } });
    const { body } = await list(host, {
      channel: '@reefs',
      published_after: '2026-11-27T09:00:00+01:00',
    }).expect(200);
    expect(body).toMatchObject({ data: { items: [{ title: 'Talk 0' }, { title: 'Talk 1' }] } });
  });

  it.each([
    [{}, 'playlist', 'playlist is required: send playlist, channel or query'],
    [
      { playlist: PLAYLIST, query: 'reefs' },
      'playlist',
      'playlist cannot be sent with query: send one of playlist, channel, query',
    ],
    [
      { playlist: 'WL' },
      'playlist',
      /^playlist must be the URL or ID of a YouTube playlist, .*; received "WL"$/,
    ],
    [
      { channel: 'https://example.org/@reefs' },
      'channel',
      /^channel must be .* received "https:\/\/example.org\/@reefs"$/,
    ],
    [{ query: '' }, 'query', 'query must be 1 to 200 characters long after trimming, received 0'],
    [
      { query: 'reefs', max_results: 201 },
      'max_results',
      'max_results must be an integer from 1 to 200, received the number 201',
    ],
    [
      { query: 'reefs', published_after: 'last week' },
      'published_after',
      /^published_after must be an ISO 8601 date/,
    ],
    [
      { query: 'reefs', published_after: '2026-02-30' },
      'published_after',
      /^published_after must be an ISO 8601 date/,
    ],
    [{ query: 'reefs', source_type: 'vimeo' }, 'source_type', /^source_type must be "youtube"/],
    [{ query: 'reefs', max_result: 3 }, 'max_result', /did you mean max_results/],
  ])('refuses %j', async (body, field, message) => {
    const answer = await list(await start(), body).expect(400);
    expect(answer.body).toMatchObject({
      code: 'invalid_request',
      details: [
        {
          field,
          message: typeof message === 'string' ? message : (expect.stringMatching(message) as unknown),
        },
      ],
    });
  });

  it('answers 404 for a list that nobody has, and is off by default', async () => {
    const { body } = await list(await start(), { channel: '@nobody' }).expect(404);
    expect(body).toMatchObject({
      code: 'content_not_found',
      details: { attempts: [{ provider: 'memory', outcome: 'not_held' }] },
    });
    await list(await start({ listVideos: undefined }), { channel: '@reefs' }).expect(404);
  });

  it('caches a list, and not one that broke off', async () => {
    let asked = 0;
    const provider: VideoListProvider = {
      name: 'own',
      listVideos: ({ value, page }) => {
        asked++;
        if (page) return Promise.reject(new Error('down'));
        return Promise.resolve({ items: TALKS, ...(value === '@broken' ? { next: 'x' } : {}) });
      },
    };
    const host = await start({ listVideos: { providers: [provider] } });
    await list(host, { channel: '@reefs' }).expect(200);
    expect((await list(host, { channel: '@reefs' })).body).toMatchObject({ data: { cached: true } });
    expect(asked).toBe(1);
    const broken = await list(host, { channel: '@broken' }).expect(200);
    expect(broken.body).toMatchObject({ data: { warnings: [{ code: 'list_incomplete' }] } });
    expect(JSON.stringify(broken.body)).not.toContain('down');
    await list(host, { channel: '@broken' });
    expect(asked).toBe(5);
  });

  it('asks YouTube by default, within the limits for this address', async () => {
    const upstream = await FakeUpstream.start(() => ({ status: 429, body: 'Too Many Requests' }));
    const host = await start({ listVideos: { providers: [innertubeVideos({ baseUrl: upstream.url })] } });
    const { body, headers } = await list(host, { playlist: PLAYLIST }).expect(503);
    await list(host, { query: 'reefs' }).expect(503);
    await upstream.close();
    expect(body).toMatchObject({
      code: 'upstream_unavailable',
      details: { reason: 'rate_limited', attempts: [{ provider: 'innertube', outcome: 'rate_limited' }] },
    });
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(60);
    expect(upstream.requests).toHaveLength(1);
  });

  it('keeps what strangers wrote harmless, for programs and for agents', async () => {
    const videos = HOSTILE.map((title, n) => ({
      id: `hostile${String(n).padStart(4, '0')}`,
      title,
      channel: title,
    }));
    const hostile = memoryVideos({ [PLAYLIST]: { title: HOSTILE[0], videos } });
    const host = await start({ listVideos: { providers: [hostile] }, mcp: true });
    const { body } = await list(host, { playlist: PLAYLIST, max_results: 200 }).expect(200);
    const { data } = body as { data: { title?: string; items: { title: string; channel: string }[] } };
    const texts = [data.title ?? '', ...data.items.flatMap(({ title, channel }) => [title, channel])];
    expect(texts.flatMap((text) => faultsOfText(text))).toEqual([]);
    const { body: called } = await host.http
      .post('/v1/tools/mcp')
      .set({ ...modernHeaders('tools/call', 'list_videos'), 'X-API-Key': 'a-key' })
      .send(
        modern('tools/call', { name: 'list_videos', arguments: { playlist: PLAYLIST, max_results: '5' } }),
      );
    const { content } = (called as { result: { content: { text: string }[] } }).result;
    expect(content[0]!.text.split('\n').filter((line) => line.startsWith('> - content_id'))).toHaveLength(5);
    expect(faultsOfMarkdown(content[0]!.text, (url) => /^https?:/.test(url))).toEqual([]);
  });

  it('is a service for hosts without HTTP', async () => {
    const { app } = await start();
    const found = await app.get(VideoListService).list({ playlist: PLAYLIST, maxResults: 1 });
    expect(found).toMatchObject({ provider: 'memory', items: [{ id: 'reefTalk000', durationMs: 61_400 }] });
    await expect(app.get(VideoListService).list({ channel: 'x' })).rejects.toMatchObject({
      details: [{ field: 'channel' }],
    });
  });
});
