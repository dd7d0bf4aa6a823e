import { FastifyAdapter } from '@nestjs/platform-fastify';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAI } from '@ai-sdk/openai';
import type request from 'supertest';
import {
  memoryVideos,
  podcastFeeds,
  ToolsModule,
  type VideoListProvider,
  fetchedAudio,
  speechTranscripts,
  videoFailure,
  type ContentSource,
  type RequestEvent,
  type Summarizer,
  type ToolsModuleSyncOptions,
  type TranscriptProvider,
} from '../../lib/index.js';
import { FakeUpstream, type FakeAnswer } from '../support/fake-search/fake-upstream.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import { faultsOfText, HOSTILE } from '../support/rendered.js';
import { withContext } from '../../lib/core/context.js';
import type { SpeechOptions } from '../../lib/content/speech/speech-transcripts.js';
import { eventually } from '../support/eventually.js';
import {
  startFakeTranscriptions,
  type Answer,
  type FakeTranscriptions,
  type TranscriptionRequest,
} from '../support/fake-speech/fake-transcriptions.js';
import { FAKE_FFMPEG, FakeAudio, spoken, type FakeRecording } from '../support/fake-speech/recordings.js';
import { CORAL_SEGMENTS } from '../support/fixtures.js';

/** Written from the specifications of RSS 2.0, Dublin Core, itunes, Media RSS and the podcast namespace. */
const RSS = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:media="http://search.yahoo.com/mrss/" xmlns:podcast="https://podcastindex.org/namespace/1.0">
<channel><title>Reefs &amp;amp; tides</title><link>https://reefs.example/</link><language>en-us</language>
<image><title>Cover</title><link>https://reefs.example/cover</link></image>
<item><title>Salt &amp;amp; light</title><link>/episodes/1</link><guid isPermaLink="false">one</guid>
  <pubDate>Fri, 06 Nov 2026 08:00:00 +0100</pubDate><itunes:duration>01:02:03</itunes:duration>
  <enclosure url="sound/1.mp3?from=feed&amp;n=1" length="1" type="audio/mpeg"/>
  <podcast:transcript url="words/1.txt" type="text/plain"/>
  <podcast:transcript url="words/1.de.vtt" type="text/vtt" language="de"/>
  <podcast:transcript url='words/1.vtt' type='text/vtt' language='en'/></item>
<item><title><![CDATA[Tides &amp; <b>moons</b>]]></title><guid>https://reefs.example/two</guid>
  <dc:date>2026-11-20</dc:date><itunes:duration>754</itunes:duration>
  <media:group><media:content url="https://reefs.example/2.jpg" type="image/jpeg"/><media:content url="/sound/2.ogg" type="audio/ogg"/></media:group>
  <podcast:transcript url="words/2.json" type="application/json"/></item>
<item><title>No date</title><guid>three</guid><enclosure url="https://reefs.example/3.mp3" type="audio/mpeg"/></item>
<item><title>A page without sound</title><link>https://reefs.example/news</link><guid>four</guid></item>
<item><title>Subtitles</title><guid>five</guid><pubDate>Mon, 05 Oct 2026 10:00:00 GMT</pubDate>
  <podcast:transcript url="words/5.srt" type="application/x-subrip"/><link>https://reefs.example/five</link></item>
<item><title>Marked up</title><guid>six</guid><pubDate>Sun, 04 Oct 2026 10:00:00 GMT</pubDate>
  <enclosure url="https://reefs.example/6.mp3" type="audio/mpeg"/><podcast:transcript url="words/6.html" type="text/html"/></item>
<item><title>Gone</title><guid>seven</guid><pubDate>Sat, 03 Oct 2026 10:00:00 GMT</pubDate>
  <enclosure url="https://reefs.example/7.mp3" type="audio/mpeg"/><podcast:transcript url="words/login.vtt" type="text/vtt"/></item>
<item><title>Taken down</title><guid>eight</guid><pubDate>Fri, 02 Oct 2026 10:00:00 GMT</pubDate>
  <enclosure url="https://reefs.example/8.mp3" type="audio/mpeg"/><podcast:transcript url="words/8.vtt" type="text/vtt"/></item>
<item><title>Words only</title><guid>nine</guid><pubDate>Thu, 01 Oct 2026 10:00:00 GMT</pubDate>
  <podcast:transcript url="words/1.vtt?of=nine" type="text/vtt" language="en"/></item>
</channel></rss>`;

/** The type of the sound is as the package feed 6.0.0 writes it: findings/atom-of-feed-calls-sound-an-image.sh */
const ATOM = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:yt="http://www.youtube.com/xml/schemas/2015">
<title type="html">Two kinds</title><entry><id>tag:a</id><title type="html">A &amp;lt;i&amp;gt;talk&amp;lt;/i&amp;gt;</title><published>2026-11-02T08:00:00Z</published>
<link rel="alternate" href="https://reefs.example/a"/><link rel="enclosure" type="image/mp3" href="a.mp3"/></entry>
<entry><id>yt:video:sampleTalk1</id><yt:videoId>sampleTalk1</yt:videoId><title>A video</title><published>2026-11-01T08:00:00Z</published></entry></feed>`;

const FILES: Record<string, FakeAnswer> = {
  '/feed.xml': { headers: { 'content-type': 'application/rss+xml' }, body: RSS },
  '/atom.xml': { headers: { 'content-type': 'text/xml' }, body: ATOM },
  '/page.xml': { headers: { 'content-type': 'text/html' }, body: '<html><p>Sign in</p></html>' },
  '/ids.xml': {
    headers: { 'content-type': 'text/xml' },
    body: `<rss><channel><title>Ids</title>${[
      '<item><title>First</title><enclosure url="/1.mp3"/><podcast:transcript url="words/1.vtt" type="text/vtt"/></item>',
      '<item><title>Second</title><enclosure url="/2.mp3"/><podcast:transcript url="words/5.srt"/></item>',
      '<item><guid>same</guid><title>Third</title><enclosure url="/3.mp3"/><podcast:transcript url="words/1.de.vtt"/></item>',
      '<item><guid>same</guid><title>Fourth</title><podcast:transcript url="words/6.html" type="text/html"/></item>',
    ].join('')}</channel></rss>`,
  },
  '/odd.xml': {
    headers: { 'content-type': 'text/xml' },
    body: `<rss><channel><title>Odd</title><language>en</language>${[
      '<item><title>Page</title><guid>1</guid><link>#one</link><enclosure url="#x"/><enclosure url=""/><enclosure url="/cover.jpg?a"/><enclosure url="https://me:word@reefs.example/p.mp3"/></item>',
      '<item><guid>https://reefs.example/?token=hidden</guid><link>https://reefs.example/n</link><enclosure url="/n.mp3"/></item>',
      '<item><title>Blank first</title><guid>2</guid><podcast:transcript url="words/none.json" type="application/json"/><podcast:transcript url="words/blank.txt" type="text/plain"/><podcast:transcript url="words/1.vtt"/></item>',
      '<item><title>Blank</title><guid>3</guid><podcast:transcript url="words/blank.txt" type="text/plain"/></item>',
      '<item><title>Times in quotes</title><guid>4</guid><podcast:transcript url="words/quoted.json" type="application/json"/></item>',
      '<item><title>Busy</title><guid>5</guid><podcast:transcript url="words/busy.vtt" type="text/vtt" language="en"/><podcast:transcript url="words/1.de.vtt" type="text/vtt" language="de"/></item>',
      '<item><title>Busy abroad</title><guid>8</guid><podcast:transcript url="words/busy.vtt" type="text/vtt" language="it"/><podcast:transcript url="words/1.de.vtt" type="text/vtt" language="de"/></item>',
      '<item><title>Busy only</title><guid>6</guid><enclosure url="/6.mp3"/><podcast:transcript url="words/busy.vtt" type="text/vtt"/></item>',
      `<item><title>Many</title><guid>7</guid>${'<podcast:transcript url="words/gone.vtt" type="text/vtt"/>'.repeat(100)}</item>`,
      `<item a="${'b'.repeat(9_000_000)}"><title>Long</title><enclosure url="${'c'.repeat(6_000_000)}"/></item>`,
    ].join('')}</channel></rss>`,
  },
  '/long.xml': {
    headers: { 'content-type': 'text/xml' },
    body: `<rss><channel><title>Long</title>${Array.from({ length: 5001 }, (_, n) => `<item><title>${n}</title><guid>${n}</guid><enclosure url="/${n}.mp3"/></item>`).join('')}</channel></rss>`,
  },
  '/large.xml': {
    headers: { 'content-type': 'text/xml' },
    body: `<rss><channel><title>Large</title><item><title>One</title><guid>1</guid><enclosure url="/1.mp3"/></item>${' '.repeat(17_000_000)}<item><title>Two</title><guid>2</guid><enclosure url="/2.mp3"/></item></channel></rss>`,
  },
  '/prefixed.xml': {
    headers: { 'content-type': 'text/xml' },
    body: '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>Prefixed</a:title><a:entry><a:id>p</a:id><a:title>Talk</a:title><a:link rel="enclosure" href="p.mp3"/></a:entry></a:feed>',
  },
  '/busy.xml': { status: 503, headers: { 'retry-after': '7' }, body: 'busy' },
  '/words/none.json': { body: { segments: [] } },
  '/words/blank.txt': { headers: { 'content-type': 'text/plain' }, body: ' \n ' },
  '/words/quoted.json': {
    body: { segments: [{ startTime: '0.5', endTime: '00:00:03', body: 'In quotes.' }] },
  },
  '/words/busy.vtt': { status: 503, body: 'busy' },
  '/hostile.xml': {
    headers: { 'content-type': 'text/xml' },
    body: `<rss><channel><title>${HOSTILE[0]!.replaceAll('<', '&lt;')}</title>${HOSTILE.map(
      (text, n) =>
        `<item><title><![CDATA[${text}]]></title><guid>${n}</guid><link>javascript:alert(1)</link><enclosure url="https://reefs.example/${n}.mp3" type="audio/mpeg"/></item>`,
    ).join('')}</channel></rss>`,
  },
  '/words/1.vtt': {
    headers: { 'content-type': 'text/vtt' },
    body: 'WEBVTT\n\n00:01.000 --> 00:04.000\nSalt water carries light.\n\n00:04.000 --> 00:09.000\n<v Ada>Polyps build the reef by night.</v>\n',
  },
  '/words/1.de.vtt': {
    headers: { 'content-type': 'text/vtt' },
    body: 'WEBVTT\n\n00:01.000 --> 00:04.000\nSalzwasser trägt das Licht.\n',
  },
  '/words/2.json': {
    body: {
      version: '1.0.0',
      segments: [
        { speaker: 'Ann', startTime: 0.5, endTime: 3, body: 'The moon pulls.' },
        { speaker: 'Bob', startTime: 3, endTime: 5.5, body: 'The water follows.' },
        { startTime: 'later', body: 'lost' },
      ],
    },
  },
  '/words/5.srt': {
    headers: { 'content-type': 'text/plain' },
    body: '1\r\n00:00:02,000 --> 00:00:05,000\r\nFive fish swim.\r\n\r\n2\r\n00:00:05,000 --> 00:00:09,000\r\nSix crabs walk along the reef by night.\r\n',
  },
  '/words/6.html': {
    headers: { 'content-type': 'text/html' },
    body: '<p><cite>Ann:</cite> <time>0:00</time> Six &amp; seven.</p>',
  },
  '/words/login.vtt': {
    headers: { 'content-type': 'text/html' },
    body: '<!DOCTYPE html><html><body>Sign in</body></html>',
  },
};

const ODD = 'odd.xml?key=hidden';

interface Item {
  content_id: string;
  url: string;
  title: string;
  [more: string]: unknown;
}

describe('podcasts on Fastify', () => {
  let publisher: FakeUpstream;
  const heard: string[] = [];
  const speech = {
    recognize: (url: string) => {
      heard.push(url);
      const segments = [{ startMs: 0, endMs: 4000, text: 'Words that were heard.' }];
      return Promise.resolve({ language: 'en', captions: 'recognized' as const, segments, chapters: [] });
    },
  };

  beforeAll(async () => {
    publisher = await FakeUpstream.start(
      ({ path }) => FILES[path.split('?')[0]!] ?? { status: 404, body: 'gone' },
    );
  });
  beforeEach(() => {
    publisher.reset();
    heard.length = 0;
  });
  afterEach(closeHosts);
  afterAll(() => publisher.close());

  const start = (more: object = {}, others: VideoListProvider[] = []): Promise<RunningHost> => {
    const names = ['feed', 'atom', 'page', 'gone', 'hostile', 'ids', 'long', 'large', 'prefixed', 'busy'];
    const feeds = [
      ...names.map((name) => `${publisher.url}/${name}.xml`),
      `${publisher.url}/odd.xml?key=hidden`,
    ];
    const podcasts = podcastFeeds({ feeds, allowHosts: [new URL(publisher.url).host], ...more });
    const options = {
      apiKeys: ['a-key'],
      search: { providers: [] },
      logRequests: false,
      youtube: { transcripts: [] },
      transcript: true,
      contentSources: [podcasts],
      listVideos: { providers: [podcasts, ...others] },
    };
    return startHost([ToolsModule.forRoot(options)], new FastifyAdapter());
  };
  const post = ({ http }: RunningHost, tool: string, body: object) =>
    http.post(`/v1/tools/${tool}`).set('X-API-Key', 'a-key').send(body);
  const listed = async (host: RunningHost, feed: string, more: object = {}): Promise<Item[]> => {
    const { body } = await post(host, 'list_videos', {
      channel: `${publisher.url}/${feed}`,
      ...more,
    }).expect(200);
    return (body as { data: { items: Item[] } }).data.items;
  };
  const wordsOf = async (
    host: RunningHost,
    title: string,
    more: object = {},
    feed = 'feed.xml',
  ): Promise<unknown> => {
    const { content_id } = (await listed(host, feed)).find((item) => item.title === title)!;
    const { body } = await post(host, 'get_transcript', { content_id, format: 'segments', ...more });
    return (body as { data?: unknown }).data ?? body;
  };

  it('lists the episodes of a feed, newest first', async () => {
    const host = await start();
    const { body } = await post(host, 'list_videos', { channel: ` ${publisher.url}/feed.xml` }).expect(200);
    const { data } = body as { data: { title: string; total: number; items: Item[] } };
    expect(data).toMatchObject({ title: 'Reefs & tides', total: 8 });
    expect(data.items.map(({ content_id: _id, ...item }) => item)).toEqual([
      {
        url: 'https://reefs.example/two',
        title: 'Tides & moons',
        channel: 'Reefs & tides',
        duration_seconds: 754,
        published_at: '2026-11-20',
      },
      {
        url: `${publisher.url}/episodes/1`,
        title: 'Salt & light',
        channel: 'Reefs & tides',
        duration_seconds: 3723,
        published_at: '2026-11-06T08:00:00+01:00',
      },
      {
        url: 'https://reefs.example/five',
        title: 'Subtitles',
        channel: 'Reefs & tides',
        published_at: '2026-10-05T10:00:00.000Z',
      },
      {
        url: 'https://reefs.example/6.mp3',
        title: 'Marked up',
        channel: 'Reefs & tides',
        published_at: '2026-10-04T10:00:00.000Z',
      },
      {
        url: 'https://reefs.example/7.mp3',
        title: 'Gone',
        channel: 'Reefs & tides',
        published_at: '2026-10-03T10:00:00.000Z',
      },
      {
        url: 'https://reefs.example/8.mp3',
        title: 'Taken down',
        channel: 'Reefs & tides',
        published_at: '2026-10-02T10:00:00.000Z',
      },
      {
        url: `${publisher.url}/words/1.vtt?of=nine`,
        title: 'Words only',
        channel: 'Reefs & tides',
        published_at: '2026-10-01T10:00:00.000Z',
      },
      { url: 'https://reefs.example/3.mp3', title: 'No date', channel: 'Reefs & tides' },
    ]);
    const since = await listed(host, 'feed.xml', { published_after: '2026-11-01' });
    expect(since.map(({ title }) => title)).toEqual(['Tides & moons', 'Salt & light', 'No date']);
  });

  it('reads an Atom feed, and leaves videos of YouTube to YouTube', async () => {
    expect(await listed(await start(), 'atom.xml')).toMatchObject([
      { url: 'https://reefs.example/a', title: 'A talk', content_id: expect.stringMatching(/^episode-/) },
      { url: 'https://www.youtube.com/watch?v=sampleTalk1', content_id: 'sampleTalk1' },
    ]);
  });

  it('reads the transcript of an episode in the language that is wanted', async () => {
    const host = await start();
    expect(await wordsOf(host, 'Salt & light')).toMatchObject({
      content: {
        id: expect.stringMatching(/^episode-/),
        url: `${publisher.url}/episodes/1`,
        title: 'Salt & light',
        channel: 'Reefs & tides',
        language: 'en',
        captions: 'manual',
      },
      available_languages: ['de', 'en'],
      segments: [
        { start_seconds: 1, end_seconds: 4, text: 'Salt water carries light.' },
        { start_seconds: 4, end_seconds: 9, text: 'Polyps build the reef by night.' },
      ],
    });
    expect(await wordsOf(host, 'Salt & light', { language: 'de' })).toMatchObject({
      content: { language: 'de' },
      segments: [{ text: 'Salzwasser trägt das Licht.' }],
    });
    const asked = publisher.requests.map(({ path }) => path);
    await wordsOf(host, 'Salt & light', { from_seconds: 1 });
    expect(publisher.requests.map(({ path }) => path)).toEqual(asked);
  });

  it.each([
    [
      'Tides & moons',
      [
        { speaker: 'Ann', text: 'The moon pulls.' },
        { speaker: 'Bob', start_seconds: 3 },
      ],
    ],
    ['Subtitles', [{ start_seconds: 2, text: 'Five fish swim.' }, { start_seconds: 5 }]],
    ['Marked up', [{ text: 'Ann: 0:00 Six & seven.' }]],
  ])('reads the format of %s', async (title, segments) => {
    expect(await wordsOf(await start(), title)).toMatchObject({ segments });
  });

  it.each([
    ['First', 'Salt water carries light.'],
    ['Second', 'Five fish swim.'],
    ['Third', 'Salzwasser trägt das Licht.'],
    ['Fourth', 'Ann: 0:00 Six & seven.'],
  ])('tells episodes apart that have no id, or the same one: %s', async (title, text) => {
    const words = (await wordsOf(await start(), title, {}, 'ids.xml')) as { segments: object[] };
    expect(words.segments[0]).toMatchObject({ text });
  });

  it('shows neither the address of the feed nor what stands in for passwords', async () => {
    const items = await listed(await start(), ODD);
    expect(items.slice(0, 2)).toMatchObject([
      { title: 'Page', url: 'https://reefs.example/p.mp3' },
      { title: 'Odd', url: 'https://reefs.example/n' },
    ]);
    expect(JSON.stringify(items)).not.toContain('hidden');
    expect(items.map(({ title }) => title)).not.toContain('Long');
  });

  it('goes on where a transcript says nothing', async () => {
    const host = await start();
    expect(await wordsOf(host, 'Blank first', {}, ODD)).toMatchObject({
      segments: [{ text: 'Salt water carries light.' }, {}],
    });
    expect(await wordsOf(host, 'Blank', {}, ODD)).toMatchObject({ code: 'upstream_invalid' });
    expect(await wordsOf(host, 'Times in quotes', {}, ODD)).toMatchObject({
      segments: [{ start_seconds: 0.5, end_seconds: 3, text: 'In quotes.' }],
    });
  });

  it('hears the episode of a transcript whose server is busy, and takes no other language', async () => {
    const [host, deaf] = [await start({ speech }), await start()];
    expect(await wordsOf(host, 'Busy', {}, ODD)).toMatchObject({ code: 'upstream_unavailable' });
    expect(await wordsOf(host, 'Busy abroad', {}, ODD)).toMatchObject({ code: 'upstream_unavailable' });
    expect(await wordsOf(deaf, 'Busy only', {}, ODD)).toMatchObject({ code: 'upstream_unavailable' });
    expect(heard).toEqual([]);
    expect(await wordsOf(host, 'Busy only', {}, ODD)).toMatchObject({ content: { captions: 'recognized' } });
    expect(heard).toEqual([`${publisher.url}/6.mp3`]);
  });

  it('tries a handful of transcripts', async () => {
    const host = await start();
    await wordsOf(host, 'Many', {}, ODD);
    expect(publisher.requests.filter(({ path }) => path === '/words/gone.vtt')).toHaveLength(5);
  });

  it.each([
    ['long.xml', 5001],
    ['large.xml', undefined],
  ])('says that it reads a part of a feed: %s', async (feed, total) => {
    const host = await start();
    const { body } = await post(host, 'list_videos', { channel: `${publisher.url}/${feed}` }).expect(200);
    const { data } = body as { data: { total?: number; items: [Item]; warnings: object[] } };
    expect(data.total).toBe(total);
    expect(data.warnings).toMatchObject([{ code: 'list_incomplete' }]);
    const content_id = `${data.items[0].content_id.slice(0, -2)}__`;
    const answer = await post(host, 'get_transcript', { content_id }).expect(502);
    expect(answer.body).toMatchObject({ details: { reason: 'truncated' } });
  });

  it('reads an Atom feed whose elements have a prefix', async () => {
    expect(await listed(await start(), 'prefixed.xml')).toMatchObject([
      { title: 'Talk', url: `${publisher.url}/p.mp3` },
    ]);
  });

  it('says that the server of a feed is down', async () => {
    const answer = await post(await start(), 'list_videos', { channel: `${publisher.url}/busy.xml` }).expect(
      503,
    );
    expect(answer.body).toMatchObject({ code: 'upstream_unavailable' });
  });

  it('fetches a feed once for many episodes', async () => {
    const ids = (await listed(await start(), 'feed.xml')).map(({ content_id }) => content_id);
    publisher.reset();
    const cold = await start();
    await Promise.all(ids.map((content_id) => post(cold, 'get_transcript', { content_id })));
    expect(publisher.requests.filter(({ path }) => path === '/feed.xml')).toHaveLength(1);
  });

  it('summarizes an episode with links to its sound', async () => {
    const host = await start();
    const [, { content_id }] = (await listed(host, 'feed.xml')) as [Item, Item];
    const { body } = await post(host, 'summarize_content', { content_id }).expect(200);
    const { data } = body as { data: { key_points: { url: string }[] } };
    expect(JSON.stringify(data)).toContain('Polyps build the reef');
    expect(JSON.stringify(data)).toContain(`${publisher.url}/sound/1.mp3?from=feed&n=1#t=`);
  });

  it.each([
    ['Words only', '/words/1.vtt?of=nine'],
    ['Subtitles', 'https://reefs.example/five'],
  ])('names no second in the links of an episode without sound: %s', async (title, link) => {
    const host = await start();
    const { content_id } = (await listed(host, 'feed.xml')).find((item) => item.title === title)!;
    const { body } = await post(host, 'summarize_content', { content_id }).expect(200);
    const { key_points, sections } = (body as { data: Record<string, { url: string }[]> }).data;
    const links = [...key_points!, ...sections!].map(({ url }) => url);
    expect(links.length).toBeGreaterThan(0);
    expect(new Set(links)).toEqual(new Set([new URL(link, publisher.url).href]));
  });

  it('hears an episode without a transcript once, where the host can', async () => {
    const host = await start({ speech });
    for (let i = 0; i < 2; i++)
      expect(await wordsOf(host, 'No date', { from_seconds: i })).toMatchObject({
        content: { captions: 'recognized', title: 'No date' },
        segments: [{ text: 'Words that were heard.' }],
      });
    // A page for signing in is no transcript.
    await wordsOf(host, 'Gone');
    await wordsOf(host, 'Taken down');
    expect(heard).toEqual([3, 7, 8].map((n) => `https://reefs.example/${n}.mp3`));
    const deaf = await start();
    expect(await wordsOf(deaf, 'No date')).toMatchObject({
      code: 'transcript_unavailable',
      details: { reason: 'no_captions' },
    });
    expect(await wordsOf(deaf, 'Taken down')).toMatchObject({
      statusCode: 422,
      code: 'transcript_unavailable',
      message: 'The transcript that the feed names is not there any more.',
    });
    expect(await wordsOf(deaf, 'Gone')).toMatchObject({ statusCode: 502, code: 'upstream_invalid' });
  });

  it('says what is no feed, and asks nobody else for it', async () => {
    let asked = 0;
    const other = {
      ...memoryVideos({}),
      name: 'other',
      listVideos: () => (asked++, Promise.resolve(undefined)),
    };
    const host = await start({}, [other]);
    const channel = (name: string): object => ({ channel: `${publisher.url}/${name}` });
    expect((await post(host, 'list_videos', channel('page.xml')).expect(502)).body).toMatchObject({
      message: 'The address of the feed has no feed.',
    });
    expect((await post(host, 'list_videos', channel('gone.xml')).expect(404)).body).toMatchObject({
      message: 'There is nothing at the address of the feed any more.',
    });
    expect(asked).toBe(0);
    expect((await post(host, 'list_videos', channel('unlisted.xml')).expect(400)).body).toMatchObject({
      details: [{ message: expect.stringContaining('the address of a podcast feed that this server lists') }],
    });
    await post(host, 'get_transcript', { content_id: 'episode-AAAAAAAA-AAAAAAAAAAAAAAAA' }).expect(400);
    const known = (await listed(host, 'feed.xml'))[0]!.content_id;
    await post(host, 'get_transcript', { content_id: `${known.slice(0, -2)}__` }).expect(404);
  });

  it('keeps what strangers wrote harmless', async () => {
    const items = await listed(await start(), 'hostile.xml', { max_results: 200 });
    expect(items.length).toBeGreaterThan(HOSTILE.length / 2);
    expect(items.flatMap(({ title }) => faultsOfText(title))).toEqual([]);
    expect(items.map(({ url }) => url)).toEqual(items.map(() => expect.stringMatching(/^https:/) as unknown));
  });

  it('fetches nothing from private networks that the host does not allow', async () => {
    const host = await start({ allowHosts: [] });
    expect(
      (await post(host, 'list_videos', { channel: `${publisher.url}/feed.xml` }).expect(502)).body,
    ).toMatchObject({
      code: 'upstream_invalid',
    });
    expect(publisher.requests).toEqual([]);
  });
});

describe('the options of podcastFeeds', () => {
  it.each([
    [{ feeds: [] }],
    [{ feeds: ['reefs.xml'] }],
    [{ feeds: ['https://a.example/'], speech: {} }],
    [{}],
  ])('refuse %j', (options) => expect(() => podcastFeeds(options as never)).toThrow(/podcastFeeds/));

  it('shows no address that is refused', () =>
    expect(() => podcastFeeds({ feeds: ['ftp://me:sesame@a.example/'] })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('sesame') as unknown }),
    ));
});

const VIDEO = 'noCaptions1';
const CORAL = CORAL_SEGMENTS.map(({ text }) => text).join(' ');
/** Two and a half minutes without any repeated sentence. */
const TALK = spoken(
  ['first', 'second', 'third', 'fourth', 'fifth']
    .map((part) => `In the ${part} part we hear this. ${CORAL}`)
    .join(' '),
);
const WORDS = TALK.words.map(({ text }) => text).join(' ');

const noCaptions: TranscriptProvider = {
  name: 'captions',
  fetchTranscript: () => Promise.reject(videoFailure('no_captions')),
};

describe('speech recognition', () => {
  const servers: FakeTranscriptions[] = [];
  afterEach(async () => {
    await closeHosts();
    for (const server of servers.splice(0)) await server.close();
  });

  async function start(
    {
      recording = TALK,
      answer,
      options,
      audio = new FakeAudio(recording),
    }: {
      recording?: FakeRecording;
      answer?: (request: TranscriptionRequest, usual: Answer) => Answer | Promise<Answer>;
      options?: (server: FakeTranscriptions) => Partial<SpeechOptions>;
      audio?: FakeAudio;
    } = {},
    module: ToolsModuleSyncOptions = {},
  ): Promise<RunningHost & { server: FakeTranscriptions; audio: FakeAudio }> {
    const server = await startFakeTranscriptions(recording.words, answer);
    servers.push(server);
    const speech = speechTranscripts({
      model: { baseURL: server.baseURL, model: 'whisper-1' },
      audio,
      ffmpeg: FAKE_FFMPEG,
      pieceMinutes: 1,
      modelOptions: { backOffMs: 1 },
      ...options?.(server),
    });
    const tools = ToolsModule.forRoot({
      apiKeys: ['a-key'],
      search: { providers: [] },
      transcript: true,
      logRequests: false,
      youtube: { transcripts: [noCaptions, speech] },
      ...module,
    });
    return { ...(await startHost([tools])), server, audio };
  }
  const post = ({ http }: RunningHost, tool: string, body: object = {}): request.Test =>
    http
      .post(`/v1/tools/${tool}`)
      .set('X-API-Key', 'a-key')
      .send({ content_id: VIDEO, ...body });
  const textOf = (body: { data: { segments: { text: string }[] } }): string =>
    body.data.segments.map(({ text }) => text).join(' ');

  it('summarizes a video without captions from its sound, and says so', async () => {
    const host = await start();
    const { body } = await post(host, 'summarize_content').expect(200);
    expect(body.data.content).toMatchObject({
      id: VIDEO,
      title: 'A recording',
      language: 'en',
      captions: 'recognized',
      duration_seconds: Math.round(TALK.durationMs / 1000),
    });
    expect(body.data.summary).toContain('polyp');
    expect(body.data.warnings).toEqual([
      {
        code: 'speech_recognized',
        message: 'There are no captions. whisper-1 has recognized the words, and may have misheard some.',
      },
    ]);
    expect(host.audio.folders.filter((folder) => existsSync(folder))).toEqual([]);
  });

  it.each([
    ['a server', undefined],
    [
      'the AI SDK',
      ({ baseURL }: FakeTranscriptions) => ({
        model: createOpenAI({ baseURL, apiKey: 'sk-test' }).transcription('whisper-1'),
      }),
    ],
  ])('hears every word once across all pieces, with its time, from %s', async (_model, options) => {
    const host = await start({ options });
    const { body } = await post(host, 'get_transcript').expect(200);
    expect(textOf(body)).toBe(WORDS);
    expect(host.server.requests.length).toBeGreaterThan(2);
    const [request] = host.server.requests;
    expect(request).toMatchObject({ model: 'whisper-1', format: 'verbose_json' });
    const starts = TALK.words.filter((_, i) => i === 0 || /[.!?]$/.test(TALK.words[i - 1]!.text));
    expect(body.data.segments.map(({ start_seconds }: { start_seconds: number }) => start_seconds)).toEqual(
      starts.map(({ startMs }) => startMs / 1000),
    );
  });

  it('recognizes once for all tools, languages and requests', async () => {
    const host = await start();
    await Promise.all([post(host, 'get_transcript'), post(host, 'get_transcript', { format: 'text' })]);
    await post(host, 'summarize_content', { output_language: 'de' }).expect(200);
    await post(host, 'get_transcript', { language: 'fr' }).expect(200);
    expect(host.audio.opened).toBe(1);
  });

  it('counts minutes and cost against the key, and reports them', async () => {
    const events: RequestEvent[] = [];
    const host = await start(
      { options: () => ({ pricePerMinute: 0.006 }) },
      {
        limits: { dailyCost: 0.02 },
        hooks: { onUsage: (event) => void events.push(event) },
      },
    );
    const { body } = await post(host, 'summarize_content').expect(200);
    const sent = host.server.requests.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 60_000;
    expect(body.data.usage).toEqual({
      model_calls: host.server.requests.length,
      input_tokens: 0,
      output_tokens: 0,
      speech: { minutes: expect.closeTo(sent, 3), cost: expect.closeTo(sent * 0.006, 5) },
    });
    await eventually(
      () => events.length > 0,
      () => 'no event',
    );
    expect(events[0]).toMatchObject({
      cost: expect.closeTo(sent * 0.006, 5),
      usage: { modelCalls: host.server.requests.length },
    });
    const { body: refused } = await post(host, 'get_transcript').expect(429);
    expect(refused.message).toContain('daily budget');
  });

  it('tells the summarizer what the words have cost, for its budget', async () => {
    let paid: number | undefined;
    const summarizer: Summarizer = {
      engine: 'first-words',
      translates: false,
      summarize: ({ segments, language }, _request, context) => {
        ({ paid } = context);
        const { text } = segments[0]!;
        return Promise.resolve({
          method: 'simple',
          text,
          language,
          keyPoints: [],
          sections: [],
          engine: 'first-words',
          warnings: [],
        });
      },
    };
    const host = await start({ options: () => ({ pricePerMinute: 1 }) }, { summarizer });
    const { body } = await post(host, 'summarize_content').expect(200);
    expect(paid).toBe(body.data.usage.speech.cost);
    expect(paid).toBeGreaterThan(3);
  });

  it('summarizes the newest episode of a podcast by the address of its feed', async () => {
    const server = await startFakeTranscriptions(TALK.words);
    servers.push(server);
    const site = createServer((request, response) => {
      if (request.url === '/feed.xml')
        return void response.end(
          `<rss><channel><title>Sea</title><item><title>On reefs</title><enclosure url="${origin}/17.mp3" type="audio/mpeg"/></item></channel></rss>`,
        );
      response.setHeader('content-type', 'audio/mpeg');
      response.end(JSON.stringify(TALK));
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const { port } = site.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    const speech = speechTranscripts({
      model: { baseURL: server.baseURL, model: 'whisper-1' },
      audio: fetchedAudio((id) => id, { allowHosts: [`127.0.0.1:${port}`] }),
      ffmpeg: FAKE_FFMPEG,
    });
    const podcasts: ContentSource = {
      sourceType: 'youtube',
      identify: (id) => id,
      load: async (id, _request, context) => {
        const feed = await (await fetch(id)).text();
        const url = /<enclosure [^>]*url="([^"]+)"/.exec(feed)![1]!;
        return { ...(await speech.recognize(url, context)), id, url, title: 'On reefs', provider: 'podcast' };
      },
      urlAt: (id, seconds) => `${id}#t=${seconds}`,
    };
    const host = await startHost([
      ToolsModule.forRoot({
        apiKeys: ['a-key'],
        contentSources: [podcasts],
        search: { providers: [] },
        logRequests: false,
      }),
    ]);
    const { body } = await post(host, 'summarize_content', { content_id: `${origin}/feed.xml` }).expect(200);
    site.close();
    expect(body.data.content).toMatchObject({ title: 'On reefs', captions: 'recognized' });
    expect(body.data.summary).toContain('polyp');
    // An address that is not public is not fetched unless the host allows it.
    const guarded = speechTranscripts({
      model: { baseURL: server.baseURL, model: 'whisper-1' },
      audio: fetchedAudio((id) => id),
      ffmpeg: FAKE_FFMPEG,
    });
    const refused = withContext(10_000, {}, (context) => guarded.recognize(`${origin}/17.mp3`, context));
    await expect(refused).rejects.toMatchObject({ reason: 'blocked_address' });
  });
});
