import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  ContentNotFoundError,
  MissingPeerError,
  type FailedAttempt,
  type ToolsError,
} from '../../../lib/core/errors.js';
import { withContext, type CallOptions } from '../../../lib/core/context.js';
import type { Content, ContentRequest } from '../../../lib/content/content-source.js';
import type {
  TranscriptProvider,
  VideoTranscript,
} from '../../../lib/content/youtube/transcript-provider.js';
import { videoFailure, type VideoFailureReason } from '../../../lib/content/youtube/video-failure.js';
import { YouTubeSource } from '../../../lib/content/youtube/youtube.source.js';
import { memoryCacheStore } from '../../../lib/core/cache.js';
import { innertubeTranscripts, ToolsModule } from '../../../lib/index.js';
import { FAILURE_MATRIX, setUpFailures } from '../../support/fake-youtube/failure-matrix.mjs';
import {
  startFakeYouTube,
  type FakeTrack,
  type FakeYouTube,
} from '../../support/fake-youtube/fake-youtube.mjs';
import { speech } from '../../support/fake-youtube/speech.mjs';
import { closeHosts, startHost, type RunningHost } from '../../support/host.js';

const ID = 'jNQXAC9IVRw';
const REQUEST: ContentRequest = { languages: ['en'] };
const WORDS: VideoTranscript = {
  language: 'en',
  captions: 'manual',
  segments: [{ startMs: 0, endMs: 1000, text: 'hello there' }],
  chapters: [],
};

function load(source: YouTubeSource, options: CallOptions = {}, request = REQUEST): Promise<Content> {
  return withContext(30_000, options, (context) => source.load(ID, request, context));
}

async function failureOf(promise: Promise<unknown>): Promise<ToolsError> {
  return promise.then(
    () => Promise.reject(new Error('did not fail')),
    (error: ToolsError) => error,
  );
}

const attemptsOf = (error: ToolsError): FailedAttempt[] =>
  (error.details as { attempts: FailedAttempt[] }).attempts;

/** A provider that answers with what `answer` gives and counts its calls. */
function provider(
  name: string,
  answer: TranscriptProvider['fetchTranscript'] | VideoFailureReason,
): TranscriptProvider & { calls: number } {
  const made = {
    name,
    calls: 0,
    fetchTranscript: ((...args) => {
      made.calls++;
      if (typeof answer === 'string') return Promise.reject(videoFailure(answer));
      return answer(...args);
    }) as TranscriptProvider['fetchTranscript'],
  };
  return made;
}

const gives = (name: string, words: VideoTranscript | undefined = WORDS): ReturnType<typeof provider> =>
  provider(name, () => Promise.resolve(words));

const hangs: TranscriptProvider['fetchTranscript'] = () => new Promise(() => undefined);

describe('YouTubeSource', () => {
  it('identifies a video and links to a second of it', () => {
    const source = new YouTubeSource({ transcripts: [] });
    expect(source.identify(`https://youtu.be/${ID}`)).toBe(ID);
    expect(source.urlAt(ID, 83.9)).toBe(`https://www.youtube.com/watch?v=${ID}&t=83s`);
    expect(source.urlAt(ID, -1)).toBe(`https://www.youtube.com/watch?v=${ID}&t=0s`);
  });

  it('takes the first provider that holds the video', async () => {
    const first = provider('first', () => Promise.resolve(undefined));
    const third = gives('third');
    const source = new YouTubeSource({ transcripts: [first, gives('second'), third] });
    expect(await load(source)).toEqual({
      ...WORDS,
      id: ID,
      url: `https://www.youtube.com/watch?v=${ID}`,
      provider: 'second',
    });
    expect(third.calls).toBe(0);
  });

  it('goes on after a block and throws the most telling failure with all attempts', async () => {
    const source = new YouTubeSource({
      transcripts: [provider('a', 'rate_limited'), provider('b', 'no_captions'), provider('c', 'not_json')],
    });
    const error = await failureOf(load(source));
    expect(error.code).toBe('transcript_unavailable');
    expect(error.details).toMatchObject({ reason: 'no_captions' });
    expect(attemptsOf(error).map(({ provider, outcome }) => `${provider}:${outcome}`)).toEqual([
      'a:rate_limited',
      'b:no_captions',
      'c:not_json',
    ]);
  });

  const says = (name: string, upstreamMessage: string): ReturnType<typeof provider> =>
    provider(name, () => Promise.reject(videoFailure('not_found', { upstreamMessage })));

  it.each<[string, ReturnType<typeof provider>]>([
    ['private', provider('first', 'private')],
    ['live', provider('first', 'live')],
    ['upcoming', provider('first', 'upcoming')],
    ['not_found', says('first', 'This video has been removed by the uploader')],
  ])('asks nobody else about a video that YouTube plainly says is %s', async (reason, first) => {
    const second = gives('second');
    const source = new YouTubeSource({ transcripts: [provider('blocked', 'captcha'), first, second] });
    expect((await failureOf(load(source))).details).toMatchObject({ reason });
    expect(second.calls).toBe(0);
  });

  it('asks the next provider about a video that is only called unavailable', async () => {
    const source = new YouTubeSource({ transcripts: [says('first', 'Video unavailable'), gives('second')] });
    expect((await load(source)).provider).toBe('second');
  });

  it.each<[VideoFailureReason, number]>([
    ['rate_limited', 503],
    ['captcha', 503],
    ['unplayable', 503],
    ['no_captions', 422],
    ['not_found', 404],
  ])('calls no video missing that another provider calls %s', async (reason, status) => {
    const source = new YouTubeSource({
      transcripts: [says('first', 'Video unavailable'), provider('second', reason)],
    });
    const error = await failureOf(load(source));
    expect(error.details).toMatchObject({ reason });
    expect(error.getStatus()).toBe(status);
  });

  it.each<VideoFailureReason>(['age_restricted', 'members_only', 'region_blocked', 'no_captions'])(
    'asks the next provider about a video that is %s here',
    async (reason) => {
      const source = new YouTubeSource({ transcripts: [provider('first', reason), gives('second')] });
      expect((await load(source)).provider).toBe('second');
    },
  );

  it('lists what a provider tried, client by client', async () => {
    const source = new YouTubeSource({
      transcripts: [
        provider('many', (_id, _request, context) => {
          context.attempt({ client: 'ONE', ms: 5, outcome: 'bot_check' });
          context.attempt({ client: 'TWO', ms: 6, outcome: 'rate_limited' });
          return Promise.reject(videoFailure('rate_limited'));
        }),
      ],
    });
    expect(attemptsOf(await failureOf(load(source)))).toEqual([
      { provider: 'many', client: 'ONE', ms: 5, outcome: 'bot_check' },
      { provider: 'many', client: 'TWO', ms: 6, outcome: 'rate_limited' },
    ]);
  });

  it('leaves the time for one request to the providers behind one that hangs', async () => {
    const source = new YouTubeSource({
      transcripts: [provider('slow', hangs), gives('quick')],
      deadlineMs: 1500,
      requestTimeoutMs: 500,
    });
    expect((await load(source)).provider).toBe('quick');
  });

  it('answers 504 with the attempts when nobody answers in time', async () => {
    const source = new YouTubeSource({ transcripts: [provider('slow', hangs)], deadlineMs: 20 });
    const error = await failureOf(load(source));
    expect(error.code).toBe('upstream_timeout');
    expect(attemptsOf(error)).toMatchObject([{ provider: 'slow', outcome: 'timeout' }]);
  });

  it('names a missing package, and hides the text of a provider’s own fault', async () => {
    const missing = new YouTubeSource({
      transcripts: [
        provider('y', () => Promise.reject(new MissingPeerError('youtubei.js', 'youtubeiTranscripts()'))),
      ],
    });
    expect(await failureOf(load(missing))).toMatchObject({
      code: 'not_configured',
      message: expect.stringContaining('npm install youtubei.js'),
    });
    const broken = new YouTubeSource({
      transcripts: [provider('mine', () => Promise.reject(new TypeError('secret of 10.0.0.1')))],
    });
    const error = await failureOf(load(broken));
    expect(error.code).toBe('upstream_invalid');
    expect(JSON.stringify(error.getResponse())).not.toContain('10.0.0.1');
  });

  it('answers 404 if no provider has the video, 501 if there is no provider', async () => {
    const none = new YouTubeSource({ transcripts: [provider('memory', () => Promise.resolve(undefined))] });
    expect(await failureOf(load(none))).toBeInstanceOf(ContentNotFoundError);
    expect((await failureOf(load(new YouTubeSource({ transcripts: [] })))).code).toBe('not_configured');
  });

  describe('with a long video and few words', () => {
    const long = (endMs: number, text: string, nonSpeech?: boolean): VideoTranscript => ({
      ...WORDS,
      durationMs: 240_000,
      segments: [{ startMs: 0, endMs, text, nonSpeech }],
    });

    it('goes on to the next provider', async () => {
      const source = new YouTubeSource({
        transcripts: [
          gives('cut', long(20_000, 'only this')),
          gives('whole', long(240_000, 'word '.repeat(300))),
        ],
      });
      expect((await load(source)).provider).toBe('whole');
    });

    it('says that there is hardly any speech', async () => {
      const words = [long(20_000, 'only this'), long(239_000, '[Music] '.repeat(90), true)];
      for (const given of words) {
        const source = new YouTubeSource({ transcripts: [gives('music', given)] });
        expect((await failureOf(load(source))).details).toMatchObject({ reason: 'low_speech' });
      }
    });

    it('counts the words of languages that put no spaces between them', async () => {
      const japanese = long(240_000, '今日は橋について話します'.repeat(20));
      const source = new YouTubeSource({ transcripts: [gives('ja', japanese)] });
      expect((await load(source)).provider).toBe('ja');
    });

    it('takes the host’s own words as they are', async () => {
      const source = new YouTubeSource({
        transcripts: [{ ...gives('own', long(20_000, 'short')), trusted: true }],
      });
      expect((await load(source)).provider).toBe('own');
    });
  });

  describe('passes over a provider', () => {
    afterEach(() => {
      jest.restoreAllMocks();
    });

    it('that is down, after five failures, for at most 30 s', async () => {
      const down = provider('down', 'server_error');
      const source = new YouTubeSource({ transcripts: [down, gives('up')] });
      for (let i = 0; i < 8; i++) await load(source);
      expect(down.calls).toBe(5);
      const now = performance.now();
      jest.spyOn(performance, 'now').mockReturnValue(now + 30_000);
      await load(source);
      expect(down.calls).toBe(6);
    });

    it('that is limited, at once and for as long as the limit lasts', async () => {
      let isLimited = true;
      const one = provider('one', () =>
        isLimited
          ? Promise.reject(videoFailure('rate_limited', { retryAfterSeconds: 90 }))
          : Promise.resolve(WORDS),
      );
      const source = new YouTubeSource({ transcripts: [one] });
      const start = performance.now();
      const clock = jest.spyOn(performance, 'now').mockReturnValue(start);
      await failureOf(load(source));
      clock.mockReturnValue(start + 60_000);
      const second = await failureOf(load(source));
      expect(second).toMatchObject({ code: 'upstream_unavailable', details: { reason: 'rate_limited' } });
      expect(second.retryAfterSeconds).toBeCloseTo(30);
      expect(one.calls).toBe(1);
      isLimited = false;
      clock.mockReturnValue(start + 90_000);
      expect((await load(source)).provider).toBe('one');
    });

    it('not because of callers whose deadline came first', async () => {
      let isSlow = true;
      const slow = provider('slow', (...args) => (isSlow ? hangs(...args) : Promise.resolve(WORDS)));
      const source = new YouTubeSource({ transcripts: [slow] });
      const late = (): Promise<unknown> =>
        failureOf(withContext(5, {}, (context) => source.load(ID, REQUEST, context)));
      for (let i = 0; i < 8; i++) expect(await late()).toMatchObject({ code: 'upstream_timeout' });
      isSlow = false;
      expect((await load(source)).provider).toBe('slow');
    });

    it('not because of videos that cannot be read, whatever stands in their way', async () => {
      for (const reason of ['no_captions', 'age_restricted', 'unplayable', 'gated_captions'] as const) {
        const picky = provider('picky', reason);
        const source = new YouTubeSource({ transcripts: [picky, gives('up')] });
        for (let i = 0; i < 8; i++) await load(source);
        expect([reason, picky.calls]).toEqual([reason, 8]);
      }
    });
  });

  describe('keeps', () => {
    afterEach(() => jest.restoreAllMocks());

    it('a transcript, by video and language', async () => {
      const one = gives('one');
      const source = new YouTubeSource({ transcripts: [one], cache: memoryCacheStore() });
      await load(source);
      await load(source);
      expect(one.calls).toBe(1);
      await load(source, {}, { languages: ['de'] });
      expect(one.calls).toBe(2);
    });

    it('nothing for a caller that wants it fresh', async () => {
      const one = gives('one');
      const source = new YouTubeSource({ transcripts: [one], cache: memoryCacheStore() });
      await load(source);
      await load(source, { noCache: true });
      expect(one.calls).toBe(2);
    });

    it('a failure for a minute', async () => {
      const one = provider('one', 'no_captions');
      const source = new YouTubeSource({ transcripts: [one], cache: memoryCacheStore() });
      await failureOf(load(source));
      await failureOf(load(source));
      expect(one.calls).toBe(1);
      const later = performance.now() + 60_001;
      jest.spyOn(performance, 'now').mockReturnValue(later);
      await failureOf(load(source));
      expect(one.calls).toBe(2);
    });

    it('no failure of the moment', async () => {
      const one = provider('one', 'not_json');
      const source = new YouTubeSource({ transcripts: [one], cache: memoryCacheStore() });
      await failureOf(load(source));
      await failureOf(load(source));
      expect(one.calls).toBe(2);
    });

    it('no words that the host holds itself', async () => {
      const own = { ...gives('own'), trusted: true };
      const source = new YouTubeSource({ transcripts: [own], cache: memoryCacheStore() });
      await load(source);
      own.fetchTranscript = () => Promise.resolve({ ...WORDS, title: 'new' });
      expect((await load(source)).title).toBe('new');
    });

    it('going when the cache fails', async () => {
      Logger.overrideLogger(false);
      const broken = {
        get: () => Promise.reject(new Error('down')),
        set: () => Promise.reject(new Error('down')),
      };
      const source = new YouTubeSource({ transcripts: [gives('one')], cache: broken });
      expect((await load(source)).provider).toBe('one');
    });
  });

  it('cancels the fetch when its last waiter has left, not before', async () => {
    let aborted = false;
    const one = provider('one', (_id, _request, { signal }) => {
      signal.addEventListener('abort', () => (aborted = true));
      return new Promise(() => undefined);
    });
    const source = new YouTubeSource({ transcripts: [one], cache: memoryCacheStore() });
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [first, second].map(({ signal }) => failureOf(load(source, { signal })));
    await Promise.resolve();
    first.abort(new Error('left'));
    await calls[0];
    expect(aborted).toBe(false);
    second.abort(new Error('left too'));
    await calls[1];
    expect(aborted).toBe(true);
  });
});

const KEY = 'a-key';

describe('summarize_content on Fastify with YouTube upstream', () => {
  let fake: FakeYouTube;
  beforeAll(async () => {
    fake = await startFakeYouTube();
    setUpFailures(fake);
  });
  afterEach(closeHosts);
  afterAll(() => fake.close());

  /** A host of its own for each case: a circuit that one opens is not to answer the next. */
  const start = (requestTimeoutMs = 2000): Promise<RunningHost> =>
    startHost(
      [
        ToolsModule.forRoot({
          apiKeys: [KEY],
          youtube: { transcripts: [innertubeTranscripts({ baseUrl: fake.url })], requestTimeoutMs },
        }),
      ],
      new FastifyAdapter(),
    );

  const ask = ({ http }: RunningHost, contentId: string) =>
    http.post('/v1/tools/summarize_content').set('X-API-Key', KEY).send({ content_id: contentId });

  it.each(FAILURE_MATRIX)('tells the truth: $case', async ({ id, status, code, reason, tells }) => {
    const response = await ask(await start(status === 504 ? 60 : 2000), id);
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({
      statusCode: status,
      code,
      request_id: expect.any(String),
      details: { attempts: expect.any(Array), ...(reason ? { reason } : {}) },
    });
    expect(response.body.message).toMatch(tells);
    expect(response.text).not.toMatch(/127\.0\.0\.1|169\.254|https?:\/\//);
    if (status === 503) expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  });

  const track = (kind?: 'asr'): FakeTrack => ({
    language: 'en',
    kind,
    lines: speech(60_000, 'The bridge carries a thousand people each day and needs new steel.'),
  });

  it('summarizes captions', async () => {
    const id = 'bridges0000';
    fake.set(id, { title: 'Bridges', tracks: [track('asr'), track()] });
    const { body } = await ask(await start(), `https://youtu.be/${id}`).expect(200);
    expect(body.data.content).toMatchObject({ id, title: 'Bridges', captions: 'manual', language: 'en' });
    expect(body.data.summary).toContain('bridge');
  });
});
