import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import type { Content } from '../../../lib/content/content-source.js';
import { MissingPeerError } from '../../../lib/core/errors.js';
import { withContext } from '../../../lib/core/context.js';
import { ModelSummarizer, type ModelSummarizerOptions } from '../../../lib/summarize/model-summarizer.js';
import {
  chooseScenes,
  contentScenes,
  distinctScenes,
  scenesAsChapters,
} from '../../../lib/summarize/multi-modal/scenes.js';
import { HttpFrameSource } from '../../../lib/summarize/multi-modal/storyboard.js';
import type { ModelOptions } from '../../../lib/model/options.js';
import { clientOf } from '../../support/fake-llm/fake-model.js';
import { startFakeLlm, type FakeLlm } from '../../support/fake-llm/fake-llm.mjs';
import { talk } from '../../support/fake-llm/talk.js';
import { written } from '../../support/fake-llm/written.js';
import { storyboardOf, type Picture } from './storyboard-fixture.js';

/** Ten minutes, a frame every ten seconds: a title, four slides, a break, the first slide again. */
const PICTURES: Picture[] = [
  ...new Array<Picture>(6).fill(1),
  ...new Array<Picture>(12).fill(2),
  ...new Array<Picture>(10).fill(3),
  ...new Array<Picture>(4).fill('black'),
  ...new Array<Picture>(14).fill(4),
  ...new Array<Picture>(14).fill(2),
];
const INTERVAL = 10_000;

describe('scenes of a storyboard', () => {
  const find = async (pictures = PICTURES) => {
    const { levels, source, fetched } = await storyboardOf(pictures, INTERVAL);
    const content = talk(150, { durationMs: pictures.length * INTERVAL, storyboard: levels });
    const { scenes } = await withContext(10_000, {}, (context) => contentScenes(content, source, context));
    return { scenes, fetched };
  };

  it('begin where the picture changes, and leave out black frames', async () => {
    const { scenes } = await find();
    expect(scenes.map(({ startMs }) => startMs / 1000)).toEqual([0, 60, 180, 320, 460]);
    expect(scenes.at(-1)!.endMs).toBe(600_000);
  });

  it('keep the last settled frame', async () => {
    const { scenes } = await find();
    expect(scenes.map(({ frame }) => frame.startMs / 1000)).toEqual([50, 170, 270, 450, 590]);
  });

  it('count once when the same picture comes again', async () => {
    const { scenes } = await find();
    expect(distinctScenes(scenes)).toHaveLength(4);
  });

  it('are found in the smallest picture that is good enough', async () => {
    const { fetched } = await find();
    expect(fetched.every((url) => url.includes('_L0/'))).toBe(true);
    expect(fetched).toHaveLength(3);
  });

  it('are chosen so that they cover the time', async () => {
    const { scenes } = await find(Array.from({ length: 60 }, (_, i) => 10 + Math.floor(i / 2)));
    const chosen = chooseScenes(scenes, 6);
    expect(chosen).toHaveLength(6);
    const minutes = new Set(chosen.map(({ startMs }) => Math.floor(startMs / 200_000)));
    expect(minutes.size).toBe(3);
  });

  it('become chapters of at least a minute', async () => {
    const { scenes } = await find(Array.from({ length: 60 }, (_, i) => 10 + Math.floor(i / 2)));
    const chapters = scenesAsChapters(scenes);
    expect(chapters.length).toBeGreaterThanOrEqual(8);
    for (const { startMs, endMs } of chapters) expect(endMs - startMs).toBeGreaterThanOrEqual(60_000);
  });

  it('are refused with the reason where there is no storyboard', async () => {
    const { source } = await storyboardOf([1], INTERVAL);
    const error = withContext(10_000, {}, (context) => contentScenes(talk(10), source, context));
    await expect(error).rejects.toMatchObject({
      code: 'content_unavailable',
      details: { reason: 'no_storyboard' },
    });
  });

  it('name the install command where sharp is missing', async () => {
    const { levels, source } = await storyboardOf([1], INTERVAL);
    const missing = () => Promise.reject(new MissingPeerError('sharp', 'x'));
    const error = withContext(10_000, {}, (context) =>
      contentScenes(talk(10, { storyboard: levels }), source, context, missing),
    );
    await expect(error).rejects.toMatchObject({
      code: 'method_unavailable',
      message: expect.stringContaining('npm install sharp') as string,
    });
  });

  it('are an upstream error when a sheet is no picture', async () => {
    const { levels } = await storyboardOf([1], INTERVAL);
    const source = { fetchSheet: () => Promise.resolve(Buffer.from('<html>')) };
    const error = withContext(10_000, {}, (context) =>
      contentScenes(talk(10, { storyboard: levels }), source, context),
    );
    await expect(error).rejects.toMatchObject({ code: 'upstream_invalid' });
  });
});

describe('multi_modal', () => {
  let fake: FakeLlm;
  beforeEach(async () => {
    fake = await startFakeLlm();
  });
  afterEach(() => fake.close());

  const summarize = async (
    content: Content,
    options: Partial<ModelSummarizerOptions> = {},
    modelOptions: ModelOptions = {},
  ) => {
    const { levels, source } = await storyboardOf(PICTURES, INTERVAL);
    const summarizer = new ModelSummarizer({
      model: clientOf(fake, { hedgeAfterMs: 5000, ...modelOptions }),
      frames: source,
      ...options,
    });
    const own = { storyboard: levels, ...content, ...(content.storyboard ? {} : { storyboard: levels }) };
    return withContext(20_000, {}, (context) =>
      summarizer.summarize(own, { method: 'multi_modal', outputLanguage: 'en', length: 'medium' }, context),
    );
  };
  const SEEN = JSON.stringify({
    ...(JSON.parse(
      written('The gardener number 11 measured the bridge before winter.', [
        [0, 'The gardener number 11 measured the bridge.', 'The gardener number 11 measured the bridge'],
      ]),
    ) as object),
    seen: [
      { t: 170, text: 'A diagram of three boxes.' },
      { t: 9999, text: 'Never sent.' },
      { t: 50, text: 'The engineer number 24 described the water supply with great care.' },
    ],
  });

  it('sends the frames as bytes between the words of the same minutes', async () => {
    fake.settings.answer = () => SEEN;
    await summarize(talk(150));
    const content = (
      fake.calls[0]!.body['messages'] as {
        role: string;
        content: { type: string; image_url?: { url: string } }[];
      }[]
    )[1]!.content;
    expect(content.map(({ type }) => type)).toEqual(['text', 'image_url', 'text']);
    const url = content[1]!.image_url!.url;
    expect(url).toMatch(/^data:image\/jpeg;base64,/);
    const { width, height } = await sharp(Buffer.from(url.split(',')[1]!, 'base64')).metadata();
    expect([width, height]).toEqual([480, 180]);
    expect(fake.calls[0]!.prompt).toContain('left to right and top to bottom: [50] [170] [270] [450]');
  });

  it('marks what only the picture shows, at the second of a frame that was sent', async () => {
    fake.settings.answer = () => SEEN;
    const { keyPoints, method } = await summarize(talk(150));
    expect(method).toBe('multi_modal');
    expect(keyPoints.filter(({ source }) => source === 'frame')).toEqual([
      { text: 'A diagram of three boxes.', startMs: 170_000, source: 'frame' },
    ]);
    expect(keyPoints[0]!.source).toBeUndefined();
  });

  it('reads the words in parts where they are too long to go along', async () => {
    const summary = await summarize(talk(1500, { durationMs: 6_000_000 }), {}, { contextTokens: 16_000 });
    expect(Object.keys(summary.usage!.stages!)).toEqual(['map', 'write']);
    expect(fake.calls.at(-1)!.images).toBe(1);
    expect(fake.calls.slice(0, -1).every(({ images }) => images === 0)).toBe(true);
  });

  it('says so and rests on the words when the model takes no pictures', async () => {
    fake.settings.fault = (_n, { images }) =>
      images > 0
        ? { name: 'no vision', status: 400, error: { message: 'image input is not supported' } }
        : undefined;
    const summary = await summarize(talk(150));
    expect(summary.method).toBe('multi_modal');
    expect(summary.warnings.map(({ code }) => code)).toEqual(['picture_not_seen']);
    expect(fake.calls.at(-1)!.prompt).toContain('# Scene 2');
  });

  it('fails without a storyboard', async () => {
    const bare = talk(150, { storyboard: [] });
    await expect(summarize(bare)).rejects.toMatchObject({ code: 'content_unavailable' });
    expect(fake.calls).toHaveLength(0);
  });
});

describe('HttpFrameSource', () => {
  it('gets a sheet, and nothing from other hosts, over plain HTTP, after a redirect or beyond its size', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/sheet' }).end();
      else if (request.url === '/huge') response.writeHead(200).end(Buffer.alloc(4 * 1024 * 1024));
      else response.writeHead(200).end('bytes');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const asked: string[] = [];
    const source = new HttpFrameSource((url, init) => {
      asked.push(url);
      return fetch(url.replace('https://i.ytimg.com', base), init);
    });
    const get = (url: string) => withContext(5000, {}, (context) => source.fetchSheet(url, context));
    expect(Buffer.from(await get('https://i.ytimg.com/sheet')).toString()).toBe('bytes');
    await expect(get('https://i.ytimg.com/moved')).rejects.toMatchObject({ code: 'upstream_unavailable' });
    await expect(get('https://i.ytimg.com/huge')).rejects.toMatchObject({ code: 'upstream_invalid' });
    const before = asked.length;
    for (const url of [
      'https://evil.example/x',
      'http://i.ytimg.com/x',
      'https://i.ytimg.com@evil.example/',
      'https://i.ytimg.com:8080/',
      'https://notytimg.com/',
      'x',
    ]) {
      await expect(get(url)).rejects.toMatchObject({ code: 'upstream_invalid' });
    }
    expect(asked).toHaveLength(before);
    server.closeAllConnections();
    server.close();
  });
});
