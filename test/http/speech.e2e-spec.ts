import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAI } from '@ai-sdk/openai';
import type request from 'supertest';
import {
  fetchedAudio,
  speechTranscripts,
  ToolsModule,
  videoFailure,
  type ContentSource,
  type RequestEvent,
  type Summarizer,
  type ToolsModuleSyncOptions,
  type TranscriptProvider,
} from '../../lib/index.js';
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
import { closeHosts, startHost, type RunningHost } from '../support/host.js';

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
