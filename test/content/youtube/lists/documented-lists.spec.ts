import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readList } from '../../../../lib/content/youtube/lists/innertube-list.js';
import type {
  VideoListProvider,
  VideoPageRequest,
} from '../../../../lib/content/youtube/lists/video-list.js';
import { innertubeVideos } from '../../../../lib/content/youtube/providers/innertube.provider.js';
import { youtubeiVideos } from '../../../../lib/content/youtube/providers/youtubei.provider.js';
import type { ToolsError } from '../../../../lib/core/errors.js';
import { FakeUpstream, type FakeAnswer } from '../../../support/fake-search/fake-upstream.js';
import { providerContext } from '../../../support/fake-youtube/provider-context.js';

/** A video as a case expects it; `published` is relative to now, e.g. `3 week`. */
type Expected = Record<string, unknown> & { published?: string };

interface Fixtures {
  source: string;
  cases: Record<
    string,
    {
      request: VideoPageRequest;
      /** Answers by path, in order. */
      responses: Record<string, FakeAnswer[]>;
      /** What the provider asks, in order. */
      asks: { path: string; body?: Record<string, string> }[];
      expect?: { title?: string; total?: number; next?: string; items: Expected[] };
      error?: { code: string; reason: string; message?: string; retryAfterSeconds?: number };
    }
  >;
}

const { source, cases } = JSON.parse(
  readFileSync(resolve('test/fixtures/youtube/lists.json'), 'utf8'),
) as Fixtures;

const DAYS = { day: 1, week: 7, month: 30.436875, year: 365.2425 };

function expectedItem({ published, ...item }: Expected): object {
  if (!published) return item;
  const [count, unit] = published.split(' ');
  const ms = Number(count) * DAYS[unit as keyof typeof DAYS] * 86_400_000;
  return { ...item, publishedAt: new Date(Date.now() - ms).toISOString().slice(0, 10) };
}

/** As a proxy would: sends what is asked of YouTube to the fake. */
const through =
  (url: string) =>
  (address: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(address);
    return fetch(`${url}${pathname}${search}`, init);
  };

const PROVIDERS: [string, (url: string) => VideoListProvider][] = [
  ['innertubeVideos', (url) => innertubeVideos({ baseUrl: url })],
  ['youtubeiVideos', (url) => youtubeiVideos({ fetch: through(url) })],
];

describe.each(PROVIDERS)('%s', (_, create) => {
  it('has the source of its shapes', () => expect(source).toMatch(/never tried live/));

  it.each(Object.entries(cases))(
    'reads %s',
    async (_name, { request, responses, asks, expect: wanted, error }) => {
      const left = new Map(Object.entries(responses).map(([path, answers]) => [path, [...answers]]));
      const upstream = await FakeUpstream.start(
        ({ path }) => left.get(path)?.shift() ?? { status: 500, body: 'asked once too often' },
      );
      const outcome = await create(upstream.url)
        .listVideos(request, providerContext())
        .catch((thrown: ToolsError) => thrown);
      const asked = upstream.requests.map(({ path, json }) => ({ path, body: json }));
      await upstream.close();
      expect(asked).toMatchObject(asks);
      expect(asked).toHaveLength(asks.length);
      if (wanted) {
        expect(outcome).toMatchObject({ ...wanted, items: wanted.items.map(expectedItem) });
        if (!wanted.next) expect(outcome).not.toHaveProperty('next', expect.anything());
        return;
      }
      const { code, reason, ...more } = error!;
      expect(outcome).toMatchObject({ code, details: { reason }, ...more });
    },
  );

  it('asks as the guest of the answer before', async () => {
    const { responses } = cases['a search']!;
    const [answer] = Object.values(responses)[0]!;
    const upstream = await FakeUpstream.start(() => answer!);
    const provider = create(upstream.url);
    const request = { kind: 'query', value: 'reefs', count: 5 } as const;
    await provider.listVideos(request, providerContext());
    await provider.listVideos(request, providerContext());
    const visitors = upstream.requests.map(
      ({ json }) => (json['context'] as { client: { visitorData?: string } }).client.visitorData,
    );
    await upstream.close();
    expect(visitors[1]).toBeDefined();
  });
});

describe('an answer of any depth', () => {
  const nested = (depth: number, open: string, inner: string, close: string): unknown =>
    JSON.parse(open.repeat(depth) + inner + close.repeat(depth));
  const video = '{"videoRenderer":{"videoId":"sampleTalk1","title":{"simpleText":"Deep"}}}';

  it('is read like a flat one', () => {
    const contents = nested(20_000, '{"a":[', video, ']}');
    const { items } = readList({ contents }, { kind: 'query', value: 'x' });
    expect(items).toMatchObject([{ id: 'sampleTalk1', title: 'Deep' }]);
  });

  it('says where it goes on', () => {
    const command = nested(20_000, '{"continuationCommand":', '{"token":"more"}', '}');
    const { next } = readList(
      { contents: [{ continuationItemRenderer: command }] },
      { kind: 'query', value: 'x' },
    );
    expect(next).toBe('more');
  });
});
