import { jest } from '@jest/globals';
import type { FailedAttempt, ToolsError } from '../../../../lib/core/errors.js';
import type { ContentRequest } from '../../../../lib/content/content-source.js';
import {
  innertubeTranscripts,
  type InnertubeOptions,
} from '../../../../lib/content/youtube/providers/innertube.provider.js';
import type { VideoTranscript } from '../../../../lib/content/youtube/transcript-provider.js';
import {
  startFakeYouTube,
  type FakeVideo,
  type FakeYouTube,
} from '../../../support/fake-youtube/fake-youtube.mjs';
import { providerContext } from '../../../support/fake-youtube/provider-context.js';
import { speech } from '../../../support/fake-youtube/speech.mjs';

const ID = 'jNQXAC9IVRw';
const ENGLISH: ContentRequest = { languages: ['en'] };

describe('innertubeTranscripts', () => {
  let fake: FakeYouTube;
  let attempts: Omit<FailedAttempt, 'provider'>[];
  beforeEach(async () => {
    fake = await startFakeYouTube();
    attempts = [];
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await fake.close();
  });

  async function get(
    video: FakeVideo,
    request: ContentRequest = ENGLISH,
    options: InnertubeOptions = {},
  ): Promise<VideoTranscript> {
    fake.set(ID, video);
    const provider = innertubeTranscripts({ baseUrl: fake.url, ...options });
    const transcript = await provider.fetchTranscript(ID, request, providerContext(attempts));
    if (!transcript) throw new Error('no transcript');
    return transcript;
  }

  const failure = (promise: Promise<unknown>): Promise<ToolsError> =>
    promise.then(
      () => Promise.reject(new Error('did not fail')),
      (error: ToolsError) => error,
    );
  const outcomes = (): string[] => attempts.map(({ client, outcome }) => `${client}:${outcome}`);
  const asked = (path: string): FakeYouTube['requests'] =>
    fake.requests.filter((request) => request.path === path);

  it('gets words and everything else that the player says', async () => {
    const transcript = await get({
      title: 'Bridges &amp; roads',
      channel: 'Builders',
      description: '0:00 Why\n0:20 How\n0:40 What now',
      tracks: [{ language: 'en', lines: speech(60_000, 'it’s <b>late</b> &') }],
      storyboard:
        'https://i.ytimg.com/sb/x/storyboard3_L$L/$N.jpg?sqp=a|48#27#100#10#10#0#default#rs$A|80#45#30#5#5#2000#M$M#rs$B',
    });
    expect(transcript).toMatchObject({
      title: 'Bridges & roads',
      channel: 'Builders',
      durationMs: 60_000,
      language: 'en',
      captions: 'manual',
      chapters: [
        { title: 'Why', startMs: 0, endMs: 20_000 },
        { title: 'How', startMs: 20_000, endMs: 40_000 },
        { title: 'What now', startMs: 40_000, endMs: 60_000 },
      ],
    });
    expect(transcript.segments).toHaveLength(20);
    expect(transcript.segments[1]).toEqual({ startMs: 3000, endMs: 6000, text: 'it’s late & 1' });
    expect(transcript.storyboard?.[1]).toEqual({
      width: 80,
      height: 45,
      count: 30,
      columns: 5,
      rows: 5,
      intervalMs: 2000,
      sheetUrls: [
        'https://i.ytimg.com/sb/x/storyboard3_L1/M0.jpg?sqp=a&sigh=rs$B',
        'https://i.ytimg.com/sb/x/storyboard3_L1/M1.jpg?sqp=a&sigh=rs$B',
      ],
    });
    expect(transcript.storyboard?.[0]).toMatchObject({ intervalMs: 600 });
    expect(outcomes()).toEqual(['ANDROID:ok']);
  });

  it('introduces itself as the app that it says it is', async () => {
    await get({ tracks: [{ language: 'en', lines: speech() }] });
    const [request] = asked('/youtubei/v1/player');
    expect(request?.headers).toMatchObject({
      'x-youtube-client-name': '3',
      'user-agent': expect.stringContaining('com.google.android.youtube/'),
    });
    expect(request?.json).toMatchObject({
      videoId: ID,
      contentCheckOk: true,
      racyCheckOk: true,
      context: { client: { clientName: 'ANDROID', hl: 'en' } },
    });
  });

  it('takes client profiles from the host', async () => {
    const clients = [
      { name: 'NEWTV', version: '9', id: 99, userAgent: 'tv/9', context: { deviceModel: 'x' } },
    ];
    await get({ tracks: [{ language: 'en', lines: speech() }] }, ENGLISH, { clients });
    expect(fake.requests[0]?.json).toMatchObject({
      context: { client: { clientName: 'NEWTV', clientVersion: '9', deviceModel: 'x' } },
    });
  });

  it('goes through the host’s fetch with YouTube’s own addresses', async () => {
    const urls: string[] = [];
    fake.set(ID, { tracks: [{ language: 'en', lines: speech() }] });
    const provider = innertubeTranscripts({
      fetch: (url, init) => {
        urls.push(new URL(url).host);
        return fake.fetch(url, init);
      },
    });
    expect(await provider.fetchTranscript(ID, ENGLISH, providerContext())).toBeDefined();
    expect(urls).toEqual(['www.youtube.com', 'www.youtube.com']);
  });

  it.each([undefined, 'asr'] as const)('reads captions of the kind %s', async (kind) => {
    const lines = speech(30_000, 'we said so');
    const { segments, captions } = await get({ tracks: [{ language: 'en', kind, lines }] });
    expect(captions).toBe(kind ? 'automatic' : 'manual');
    expect(segments.map(({ text }) => text)).toEqual(lines.map(({ text }) => text));
    expect(segments.map(({ startMs }) => startMs)).toEqual(lines.map(({ startMs }) => startMs));
    segments.forEach(({ startMs, endMs }) => expect(endMs).toBeGreaterThan(startMs));
  });

  describe('chooses', () => {
    const lines = speech();
    const asr = { language: 'en', kind: 'asr' as const, lines };

    it('captions written by people over recognized ones listed first', async () => {
      expect(await get({ tracks: [asr, { language: 'en', lines }] })).toMatchObject({ captions: 'manual' });
    });

    it('recognized ones in the language asked for over written ones in another', async () => {
      expect(await get({ tracks: [{ language: 'de', lines }, asr] })).toMatchObject({
        language: 'en',
        captions: 'automatic',
      });
    });

    it('the written ones in the language spoken where there are none in the one asked for, and says so', async () => {
      const tracks = [{ language: 'ja', lines }, asr, { language: 'en-GB', lines }];
      expect(await get({ tracks }, { languages: ['fr'] })).toMatchObject({
        language: 'en-GB',
        captions: 'manual',
      });
    });

    it('any region of the language asked for', async () => {
      const tracks = [asr, { language: 'pt-BR', lines }];
      expect(await get({ tracks }, { languages: ['pt'] })).toMatchObject({
        language: 'pt-BR',
      });
    });

    it('the original audio’s language where a video is dubbed', async () => {
      const tracks = [
        { language: 'es', kind: 'asr' as const, lines },
        { language: 'ko', kind: 'asr' as const, lines },
      ];
      const audioTracks = [
        { audioTrackId: 'es.10', captionTrackIndices: [0] },
        { audioTrackId: 'ko.4', captionTrackIndices: [1] },
      ];
      expect(await get({ tracks, audioTracks })).toMatchObject({ language: 'ko' });
    });

    it('the main track over a named one', async () => {
      const tracks = [
        { language: 'en', name: 'Commentary', lines: speech(30_000, 'meta') },
        { language: 'en', lines },
      ];
      expect((await get({ tracks })).segments).toHaveLength(20);
    });
  });

  describe('tries the next client', () => {
    const words: FakeVideo = { tracks: [{ language: 'en', lines: speech() }] };

    it.each<[string, FakeVideo['clients']]>([
      ['gated_captions', { ANDROID: { gated: true } }],
      ['refused', { ANDROID: { player: 'bad-request' } }],
      ['no_captions', { ANDROID: { tracks: [] } }],
      ['not_found', { ANDROID: { playability: { status: 'ERROR', reason: 'This video is unavailable' } } }],
      ['unplayable', { ANDROID: { details: { videoId: 'aQvGIIdgFDM' } } }],
      ['age_restricted', { ANDROID: { playability: { status: 'AGE_CHECK_REQUIRED' } } }],
    ])('after %s from one', async (outcome, clients) => {
      await get({ ...words, clients });
      expect(outcomes()).toEqual([`ANDROID:${outcome}`, 'IOS:ok']);
    });

    it('not after an answer that settles it', async () => {
      await failure(get({ playability: { status: 'LOGIN_REQUIRED', reason: 'This is a private video' } }));
      expect(outcomes()).toEqual(['ANDROID:private']);
    });

    it('and calls no video missing about which two disagree', async () => {
      const clients = { ANDROID: { playability: { status: 'ERROR', reason: 'This video is unavailable' } } };
      const error = await failure(get({ player: 'bad-request', clients }));
      expect(error.details).toMatchObject({ reason: 'refused' });
    });

    it('and does not believe one that knows of no captions when another has seen them', async () => {
      const clients = {
        ANDROID: { tracks: [] },
        IOS: { gated: true },
        VISIONOS: { gated: true },
      };
      expect((await failure(get({ ...words, clients }))).details).toMatchObject({ reason: 'gated_captions' });
    });
  });

  it('asks the web client with a PO token where there is one', async () => {
    const gated = { gated: true };
    const clients = { ANDROID: gated, IOS: gated, VISIONOS: gated };
    const transcript = await get({ tracks: [{ language: 'en', lines: speech() }], clients }, ENGLISH, {
      poToken: ({ client }) =>
        Promise.resolve(client === 'WEB' ? { token: 'proof', visitorData: 'visitor' } : undefined),
    });
    expect(transcript.segments).toHaveLength(20);
    expect(outcomes().at(-1)).toBe('WEB:ok');
    const query = asked('/api/timedtext').at(-1)?.query;
    expect([query?.get('pot'), query?.get('potc'), query?.get('c')]).toEqual(['proof', '1', 'WEB']);
    expect(asked('/youtubei/v1/player').at(-1)?.headers['x-goog-visitor-id']).toBe('visitor');
  });

  describe('at a bot check', () => {
    const video: FakeVideo = { needsVisitor: true, tracks: [{ language: 'en', lines: speech() }] };
    const visitors = (): unknown[] =>
      asked('/youtubei/v1/player').map(({ headers }) => headers['x-goog-visitor-id']);

    it('asks the next client with the visitor that the refusal offers', async () => {
      await get(video);
      expect(outcomes()).toEqual(['ANDROID:bot_check', 'IOS:ok']);
      expect(visitors()).toEqual([undefined, 'CgtmYWtl']);
      expect(asked('/youtubei/v1/player')[1]?.json).toMatchObject({
        context: { client: { visitorData: 'CgtmYWtl' } },
      });
    });

    it('keeps the visitor for later videos', async () => {
      fake.set(ID, video);
      const provider = innertubeTranscripts({ baseUrl: fake.url });
      await provider.fetchTranscript(ID, ENGLISH, providerContext(attempts));
      await provider.fetchTranscript(ID, ENGLISH, providerContext(attempts));
      expect(visitors()).toEqual([undefined, 'CgtmYWtl', 'CgtmYWtl']);
    });

    it('fails where every client is refused', async () => {
      const playability = { status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm you’re not a bot' };
      const error = await failure(get({ playability }));
      expect(error.details).toMatchObject({
        reason: 'bot_check',
        upstream_message: 'Sign in to confirm you’re not a bot',
      });
      expect(outcomes()).toEqual(['ANDROID:bot_check', 'IOS:bot_check', 'VISIONOS:bot_check']);
    });
  });

  it('passes on YouTube’s own reason', async () => {
    const error = await failure(
      get({
        playability: {
          status: 'UNPLAYABLE',
          reason: 'Video unavailable',
          subreason: 'The uploader has\nnot made this video available in your country\u202e',
        },
      }),
    );
    expect(error.details).toMatchObject({
      reason: 'region_blocked',
      upstream_message:
        'Video unavailable The uploader has not made this video available in your country\\u{202e}',
    });
  });

  it('names the upstream and its status in an error, for the log', async () => {
    const error = await failure(get({ player: 'rate-limited' }));
    expect(error.upstream).toEqual({ upstream: 'YouTube', status: 429 });
    expect(JSON.stringify(error.getResponse())).not.toContain('"upstream"');
  });

  it('tries a server error once more, a refusal not', async () => {
    await failure(
      get({ player: 'server-error' }, ENGLISH, {
        clients: [{ name: 'A', version: '1', id: 1, userAgent: 'a' }],
      }),
    );
    expect(asked('/youtubei/v1/player')).toHaveLength(2);
    await failure(
      get({ player: 'forbidden' }, ENGLISH, {
        clients: [{ name: 'A', version: '1', id: 1, userAgent: 'a' }],
      }),
    );
    expect(asked('/youtubei/v1/player')).toHaveLength(3);
  });

  it('hangs up when the caller leaves', async () => {
    fake.set(ID, { player: 'hang' });
    const controller = new AbortController();
    const provider = innertubeTranscripts({ baseUrl: fake.url });
    const call = provider.fetchTranscript(ID, ENGLISH, providerContext([], { signal: controller.signal }));
    const failed = failure(call);
    while (fake.requests.length === 0) await new Promise(setImmediate);
    controller.abort(new Error('left'));
    expect((await failed).message).toBe('left');
    while (!fake.requests[0]?.closedEarly) await new Promise(setImmediate);
    expect(fake.requests).toHaveLength(1);
  });

  it('never asks a caption address outside YouTube', async () => {
    for (const captionOrigin of [
      'http://www.youtube.com',
      'https://youtube.com.example.org',
      'https://www.youtube.com:8443',
      'https://user@evil.example',
      'file://',
    ]) {
      const error = await failure(get({ captionOrigin, tracks: [{ language: 'en', lines: speech() }] }));
      expect(error.details).toMatchObject({ reason: 'unreadable' });
    }
    expect(asked('/api/timedtext')).toHaveLength(0);
  });

  it.each([
    ['baseUrl', { baseUrl: 'ftp://x' }],
    ['clients', { clients: [] }],
  ])('refuses a wrong %s', (name, options) => {
    expect(() => innertubeTranscripts(options)).toThrow(`innertubeTranscripts.${name}`);
  });
});
