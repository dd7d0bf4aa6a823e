import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import type { Content } from '../../../lib/content/content-source.js';
import { withContext } from '../../../lib/core/context.js';
import { ModelSummarizer, type ModelSummarizerOptions } from '../../../lib/summarize/model-summarizer.js';
import {
  contactSheets,
  httpFrames,
  type FrameSource,
} from '../../../lib/summarize/multi-modal/storyboard.js';
import type { ModelOptions } from '../../../lib/model/options.js';
import { clientOf } from '../../support/fake-llm/fake-model.js';
import { startFakeLlm, type FakeLlm } from '../../support/fake-llm/fake-llm.mjs';
import { talk } from '../../support/fake-llm/talk.js';
import { written } from '../../support/fake-llm/written.js';
import { storyboardOf } from './storyboard-fixture.js';

/** Ten minutes, a frame every ten seconds. */
const PICTURES = Array.from({ length: 60 }, (_, i) => 1 + Math.floor(i / 12));
const INTERVAL = 10_000;

describe('contact sheets of a storyboard', () => {
  const sheetsOf = (content: Content, source: FrameSource, count = 6, load?: () => Promise<unknown>) =>
    withContext(10_000, {}, (context) => contactSheets(content, count, source, context, load));

  it('spread frames of the best resolution evenly over the time, nine to a sheet', async () => {
    const { levels, source, fetched } = await storyboardOf(PICTURES, INTERVAL);
    const sheets = await sheetsOf(talk(150, { storyboard: levels }), source, 12);
    expect(sheets.map(({ startsMs }) => startsMs.map((ms) => ms / 1000))).toEqual([
      [20, 70, 120, 170, 220, 270, 320, 370, 420],
      [470, 520, 570],
    ]);
    expect(fetched).toHaveLength(3);
    expect(fetched.every((url) => url.includes('_L1/'))).toBe(true);
    const { width, height } = await sharp(sheets[1]!.jpeg).metadata();
    expect([width, height]).toEqual([480, 90]);
  });

  it('show each frame once where there are fewer than wanted', async () => {
    const { levels, source } = await storyboardOf([1, 2, 3], INTERVAL);
    const sheets = await sheetsOf(talk(10, { storyboard: levels }), source);
    expect(sheets.map(({ startsMs }) => startsMs)).toEqual([[0, 10_000, 20_000]]);
  });

  it('are refused with the reason where there is no storyboard', async () => {
    const { source } = await storyboardOf([1], INTERVAL);
    await expect(sheetsOf(talk(10), source)).rejects.toMatchObject({
      code: 'content_unavailable',
      details: { reason: 'no_storyboard' },
    });
  });

  it('name the install command where sharp is missing', async () => {
    const { levels, source } = await storyboardOf([1], INTERVAL);
    const missing = () =>
      Promise.reject(Object.assign(new Error("Cannot find package 'sharp'"), { code: 'MODULE_NOT_FOUND' }));
    const error = sheetsOf(talk(10, { storyboard: levels }), source, 6, missing);
    await expect(error).rejects.toMatchObject({
      code: 'method_unavailable',
      message: expect.stringContaining('npm install sharp') as string,
    });
  });

  it('are an upstream error when a sheet is no picture', async () => {
    const { levels } = await storyboardOf([1], INTERVAL);
    const source = () => Promise.resolve(Buffer.from('<html>'));
    await expect(sheetsOf(talk(10, { storyboard: levels }), source)).rejects.toMatchObject({
      code: 'upstream_invalid',
    });
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
      model: clientOf(fake, modelOptions),
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
      { t: 260, text: 'A diagram of three boxes.' },
      { t: 9999, text: 'Never sent.' },
      { t: 30, text: 'The engineer number 24 described the water supply with great care.' },
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
    expect([width, height]).toEqual([480, 270]);
    expect(fake.calls[0]!.prompt).toContain(
      'left to right and top to bottom: [30] [110] [180] [260] [330] [410] [480] [560]',
    );
  });

  it('marks what only the picture shows, at the second of a frame that was sent', async () => {
    fake.settings.answer = () => SEEN;
    const { keyPoints, method } = await summarize(talk(150));
    expect(method).toBe('multi_modal');
    expect(keyPoints.filter(({ source }) => source === 'frame')).toEqual([
      { text: 'A diagram of three boxes.', startMs: 260_000, source: 'frame' },
    ]);
    expect(keyPoints[0]!.source).toBeUndefined();
  });

  it('reads the words in parts where they are too long to go along', async () => {
    const summary = await summarize(talk(1500, { durationMs: 6_000_000 }), {}, { contextTokens: 16_000 });
    expect(Object.keys(summary.usage!.stages!)).toEqual(['map', 'write']);
    expect(fake.calls.at(-1)!.images).toBe(4);
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
    expect(fake.calls.at(-1)!.images).toBe(0);
  });

  it('fails without a storyboard', async () => {
    const bare = talk(150, { storyboard: [] });
    await expect(summarize(bare)).rejects.toMatchObject({ code: 'content_unavailable' });
    expect(fake.calls).toHaveLength(0);
  });
});

describe('httpFrames', () => {
  it('gets a sheet, and nothing from other hosts, over plain HTTP, after a redirect or beyond its size', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/sheet' }).end();
      else if (request.url === '/huge') response.writeHead(200).end(Buffer.alloc(4 * 1024 * 1024));
      else response.writeHead(200).end('bytes');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const asked: string[] = [];
    const source = httpFrames((url, init) => {
      asked.push(url);
      return fetch(url.replace('https://i.ytimg.com', base), init);
    });
    const get = (url: string) => withContext(5000, {}, (context) => source(url, context));
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
