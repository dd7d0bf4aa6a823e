import { memoryCacheStore } from '../../../../lib/core/cache.js';
import { withContext } from '../../../../lib/core/context.js';
import type { ToolsError } from '../../../../lib/core/errors.js';
import type {
  VideoListProvider,
  VideoPage,
  VideoPageRequest,
} from '../../../../lib/content/youtube/lists/video-list.js';
import { VideoLists, type VideoList } from '../../../../lib/content/youtube/lists/video-lists.js';
import { memoryVideos } from '../../../../lib/content/youtube/providers/memory.provider.js';
import { videoFailure } from '../../../../lib/content/youtube/video-failure.js';

const id = (n: number): string => `video${String(n).padStart(6, '0')}`;
const LIST = { kind: 'playlist', value: 'PLaaaaaaaaaaaaaaaa' } as const;

/** A list of `size` videos in pages. */
class Pages implements VideoListProvider {
  asked: VideoPageRequest[] = [];
  failing: ((request: VideoPageRequest) => Error | undefined) | undefined;

  constructor(
    readonly size: number,
    readonly pageSize: number,
    readonly name = 'pages',
    readonly item: (n: number) => object = () => ({}),
  ) {}

  listVideos(request: VideoPageRequest): Promise<VideoPage | undefined> {
    this.asked.push(request);
    const failure = this.failing?.(request);
    if (failure) return Promise.reject(failure);
    const from = Number(request.page ?? 0);
    const to = Math.min(this.size, from + this.pageSize);
    const items = Array.from({ length: to - from }, (_, i) => ({
      id: id(from + i),
      title: `Video ${from + i}`,
      ...this.item(from + i),
    }));
    return Promise.resolve({ items, total: this.size, ...(to < this.size ? { next: String(to) } : {}) });
  }
}

const SETTINGS = { deadlineMs: 5000, requestTimeoutMs: 1000, cacheTtlMs: 60_000 };

const reader = (providers: readonly VideoListProvider[], cache = memoryCacheStore()) => {
  const lists = new VideoLists({ providers, settings: SETTINGS, cache });
  return (
    request: Partial<Omit<VideoPageRequest, 'page'>> = {},
    from = 0,
    onFallback?: (fallback: { by: string }) => void,
  ): Promise<VideoList> =>
    withContext(10_000, { onFallback }, (context) =>
      lists.list({ ...LIST, count: 30, ...request }, from, context),
    );
};
const ids = ({ items }: VideoList): string[] => items.map((item) => item.id);

describe('VideoLists', () => {
  it('gives a list in parts without a gap or a repetition, whatever the pages are', async () => {
    const read = reader([new Pages(95, 20)]);
    const seen: string[] = [];
    let from: number | undefined = 0;
    while (from !== undefined) {
      const part: VideoList = await read({}, from);
      seen.push(...ids(part));
      from = part.next;
    }
    expect(seen).toEqual(Array.from({ length: 95 }, (_, n) => id(n)));
  });

  it('reads a long list to its end where the host has no cache', async () => {
    const settings = { ...SETTINGS, cacheTtlMs: 0 };
    const lists = new VideoLists({ providers: [new Pages(900, 20)], settings });
    const seen: string[] = [];
    for (let from: number | undefined = 0; from !== undefined;) {
      const part: VideoList = await withContext(10_000, {}, (context) =>
        lists.list({ ...LIST, count: 150 }, from!, context),
      );
      expect(part.warnings).toEqual([]);
      seen.push(...ids(part));
      from = part.next;
    }
    expect(seen).toEqual(Array.from({ length: 900 }, (_, n) => id(n)));
  });

  it('goes on at the right page, and finds it again where the place was forgotten', async () => {
    const provider = new Pages(95, 20);
    const { next } = await reader([provider])({ count: 50 });
    provider.asked = [];
    const cache = memoryCacheStore();
    const read = reader([provider], cache);
    expect(ids(await read({ count: 2 }, next))).toEqual([id(50), id(51)]);
    expect(provider.asked.map(({ page }) => page)).toEqual([undefined, '20', '40']);
    provider.asked = [];
    expect(ids(await read({ count: 2 }, 52))).toEqual([id(52), id(53)]);
    expect(provider.asked.map(({ page }) => page)).toEqual(['40']);
  });

  it('leaves out what is surely older, and stops there in a channel', async () => {
    const day = (n: number): object => ({ publishedAt: new Date(Date.UTC(2026, 10, 28 - n)).toISOString() });
    const provider = new Pages(95, 20, 'pages', day);
    const read = reader([provider]);
    const list = await read({ kind: 'channel', value: '@corals', publishedAfter: '2026-11-20' });
    expect(ids(list)).toEqual(Array.from({ length: 9 }, (_, n) => id(n)));
    expect(list.next).toBeUndefined();
    expect(provider.asked).toHaveLength(1);
    // A playlist is in its owner's order.
    await read({ publishedAfter: '2026-11-20' });
    expect(provider.asked).toHaveLength(6);
  });

  it('keeps videos without a date', async () => {
    const list = await reader([new Pages(3, 20)])({ publishedAfter: '2026-11-20' });
    expect(list.items).toHaveLength(3);
  });

  it('asks the next provider where one fails or does not have the list', async () => {
    const failing = new Pages(3, 20, 'failing');
    failing.failing = () => videoFailure('bot_check');
    const fallbacks: string[] = [];
    const read = reader([memoryVideos({}), failing, new Pages(3, 20)]);
    const list = await read({}, 0, ({ by }) => fallbacks.push(by));
    expect(list).toMatchObject({ provider: 'pages', total: 3 });
    expect(fallbacks).toEqual(['pages']);
  });

  it('says that a list goes on without videos', async () => {
    const empty = {
      name: 'pages',
      listVideos: ({ page }: VideoPageRequest) =>
        Promise.resolve({
          items: page === undefined ? [{ id: id(0), title: 'One' }] : [],
          next: String(Number(page ?? 0) + 1),
        }),
    };
    const read = reader([empty]);
    expect(await read({ count: 1 })).toMatchObject({ next: 1, warnings: [] });
    expect(await read({ count: 1 }, 1)).toMatchObject({
      items: [],
      next: 1,
      warnings: [{ code: 'list_incomplete', transient: true }],
    });
  });

  it('returns what it has where a later page fails, and says so', async () => {
    const provider = new Pages(95, 20);
    provider.failing = ({ page }) => (page === '20' ? videoFailure('rate_limited') : undefined);
    const read = reader([provider, new Pages(95, 30, 'other')]);
    const list = await read();
    expect(list.items).toHaveLength(20);
    expect(list).toMatchObject({ next: 20, warnings: [{ code: 'list_incomplete', transient: true }] });
  });

  it('leaves a provider alone that limits this address', async () => {
    const limited = new Pages(3, 20);
    limited.failing = () => videoFailure('rate_limited', { retryAfterSeconds: 90 });
    const read = reader([limited]);
    for (let time = 0; time < 2; time++)
      await expect(read()).rejects.toMatchObject({
        code: 'upstream_unavailable',
        details: { reason: 'rate_limited' },
      });
    expect(limited.asked).toHaveLength(1);
  });

  it('says what failed, by provider', async () => {
    const broken: VideoListProvider = {
      name: 'broken',
      listVideos: () => Promise.resolve({ items: [{ id: '../..' }] } as never),
    };
    const error = (await reader([broken])().catch((thrown: unknown) => thrown)) as ToolsError;
    expect(error).toMatchObject({
      code: 'upstream_invalid',
      details: { attempts: [{ provider: 'broken', outcome: 'upstream_invalid' }] },
    });
    const throwing: VideoListProvider = { name: 'own', listVideos: () => Promise.reject(new Error('inner')) };
    await expect(reader([throwing])()).rejects.toMatchObject({ message: 'The list provider `own` failed.' });
    await expect(reader([memoryVideos({})])()).rejects.toMatchObject({
      code: 'content_not_found',
      message: 'The list providers of this server do not have this playlist.',
    });
  });

  it('cleans and bounds the texts of strangers', async () => {
    const title = `Salt &amp;amp; <b>light</b>\u0000\n${'x'.repeat(1000)}`;
    const list = await reader([new Pages(1, 20, 'pages', () => ({ title, publishedAt: 'soon' }))])();
    const [item] = list.items;
    expect(item!.title).toMatch(/^Salt & light x+/);
    expect(item!.title.length).toBeLessThanOrEqual(300);
    expect(item).not.toHaveProperty('publishedAt', expect.anything());
  });

  it('ends at its tenth page, and goes on from there', async () => {
    const provider = new Pages(1000, 5);
    const read = reader([provider]);
    const list = await read({ count: 200 });
    expect(list.items).toHaveLength(50);
    expect(list.next).toBe(50);
    expect(ids(await read({ count: 1 }, 50))).toEqual([id(50)]);
  });
});

describe('a list that does not end', () => {
  it('breaks off with a warning where its place is lost for good', async () => {
    const forgetful = { ...memoryCacheStore(), get: () => undefined };
    const read = reader([new Pages(1000, 20)], forgetful as never);
    let list = await read({ kind: 'query', value: 'corals', count: 100 });
    for (let parts = 0; list.next !== undefined && parts < 10; parts++)
      list = await read({ kind: 'query', value: 'corals', count: 100 }, list.next);
    expect(list).toMatchObject({ items: [], next: undefined, warnings: [{ code: 'list_incomplete' }] });
  });

  it('goes on by itself where its place was lost once', async () => {
    const read = reader([new Pages(1000, 20)]);
    expect(await read({}, 200)).toMatchObject({ items: [], next: 200, warnings: [{ transient: true }] });
    expect(ids(await read({ count: 1 }, 200))).toEqual([id(200)]);
  });

  it('breaks off where its first pages are empty', async () => {
    let page = 0;
    const empty = { name: 'empty', listVideos: () => Promise.resolve({ items: [], next: String(++page) }) };
    const list = await reader([empty])();
    expect(list).toMatchObject({ items: [], next: undefined, warnings: [{ code: 'list_incomplete' }] });
    expect(page).toBe(10);
  });

  it('ends where it goes on at a page that was read', async () => {
    const pages = new Pages(1000, 5);
    const asked: unknown[] = [];
    const circle: VideoListProvider = {
      name: 'circle',
      listVideos: async (request) => {
        asked.push(request.page);
        const answer = await pages.listVideos(request);
        return { ...answer!, next: request.page === undefined ? '5' : request.page === '5' ? '10' : '5' };
      },
    };
    const list = await reader([circle])();
    expect(ids(list)).toHaveLength(15);
    expect(list.next).toBeUndefined();
    expect(asked).toEqual([undefined, '5', '10']);
  });
});

describe('a wrong video of a list', () => {
  it('costs none of the others', async () => {
    const wrong = (n: number): object => (n === 1 ? { id: 'short' } : n === 2 ? { title: 5 } : {});
    const list = await reader([new Pages(5, 20, 'pages', wrong)])();
    expect(ids(list)).toEqual([id(0), id(3), id(4)]);
  });

  it.each([
    { views: -1 },
    { views: 'many' },
    { durationMs: NaN },
    { isLive: 'no' },
    { channel: 5 },
    { publishedAt: 5 },
  ])('is kept without a wrong fact: %j', async (fact) => {
    const list = await reader([new Pages(2, 20, 'pages', () => fact)])();
    expect(ids(list)).toEqual([id(0), id(1)]);
    expect(list.items[0]![Object.keys(fact)[0] as 'views']).toBeUndefined();
  });
});

describe('memoryVideos', () => {
  const videos = [
    { id: id(1), title: 'Coral reefs at night', channel: 'Talks' },
    { id: id(2), title: 'Soil' },
  ];
  const lists = { PLaaaaaaaaaaaaaaaa: { title: 'All', videos }, '@talks': { videos: videos.slice(0, 1) } };

  it('has its lists by id, and finds videos by their words', async () => {
    const read = reader([memoryVideos(lists)]);
    expect(await read()).toMatchObject({ title: 'All', total: 2, items: videos });
    expect(ids(await read({ kind: 'channel', value: '@talks' }))).toEqual([id(1)]);
    expect(ids(await read({ kind: 'query', value: 'talks CORAL' }))).toEqual([id(1)]);
    expect(ids(await read({ kind: 'query', value: 'volcano' }))).toEqual([]);
  });

  it.each([
    [{ talks: { videos } }, /memoryVideos\["talks"\].*ID of a playlist or channel/],
    [
      { '@talks': { videos: [{ id: 'short', title: 'x' }] } },
      /memoryVideos\["@talks"\]\.videos\[0\].*11-character/,
    ],
    [{ '@talks': { title: 'x' } }, /videos/],
    [[], /memoryVideos/],
  ])('refuses %j at once', (given, message) => {
    expect(() => memoryVideos(given as never)).toThrow(message);
  });
});
