import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type request from 'supertest';
import {
  innertubeTranscripts,
  memoryTranscripts,
  SummarizerService,
  ToolsModule,
  TranscriptService,
  type ToolsModuleSyncOptions,
  type TranscriptProvider,
} from '../../lib/index.js';
import { CORAL_SEGMENTS } from '../support/fixtures.js';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';

const VIDEO = 'coralReefs1';
const TALK = {
  title: 'Coral reefs',
  language: 'en',
  chapters: [
    { title: 'Animals', startMs: 0 },
    { title: 'Bleaching', startMs: 30_000 },
  ],
  segments: CORAL_SEGMENTS,
};

/** A provider with captions in two languages, which counts how often it is asked. */
class TwoLanguages implements TranscriptProvider {
  readonly name = 'two';
  calls: (readonly string[])[] = [];

  fetchTranscript(
    ...[, { languages }]: Parameters<TranscriptProvider['fetchTranscript']>
  ): ReturnType<TranscriptProvider['fetchTranscript']> {
    this.calls.push(languages);
    const language = languages.find((one) => one === 'en' || one === 'de') ?? 'de';
    const segments = CORAL_SEGMENTS;
    return Promise.resolve({
      language,
      captions: 'manual',
      segments,
      chapters: [],
      availableLanguages: ['de', 'en'],
    });
  }
}

describe('get_transcript on Fastify', () => {
  afterEach(closeHosts);

  const start = (options: ToolsModuleSyncOptions = {}): Promise<RunningHost> =>
    startHost(
      [
        ToolsModule.forRoot({
          apiKeys: ['a-key'],
          youtube: { transcripts: [memoryTranscripts({ [VIDEO]: TALK })] },
          search: { providers: [] },
          transcript: true,
          logRequests: false,
          ...options,
        }),
      ],
      new FastifyAdapter(),
    );
  const get = ({ http }: RunningHost, body: object): request.Test =>
    http
      .post('/v1/tools/get_transcript')
      .set('X-API-Key', 'a-key')
      .send({ content_id: VIDEO, ...body });

  it('returns the words with their times, and what is known about the video', async () => {
    const { body } = await get(await start(), {}).expect(200);
    expect(body).toEqual({
      data: {
        content: {
          id: VIDEO,
          url: `https://www.youtube.com/watch?v=${VIDEO}`,
          title: 'Coral reefs',
          duration_seconds: 60,
          language: 'en',
          captions: 'manual',
        },
        chapters: [
          { title: 'Animals', start_seconds: 0, end_seconds: 30 },
          { title: 'Bleaching', start_seconds: 30, end_seconds: 59.7 },
        ],
        segments: CORAL_SEGMENTS.map(({ startMs, endMs, text }) => ({
          start_seconds: startMs / 1000,
          end_seconds: endMs / 1000,
          text,
        })),
        truncated: false,
        cached: false,
      },
      request_id: expect.any(String),
      seconds_taken: expect.any(Number),
    });
  });

  it('writes paragraphs with times under the chapters, and subtitle files', async () => {
    const host = await start();
    const { body: text } = await get(host, { format: 'text' });
    expect(text.data.text).toBe(
      [
        '## Animals',
        `[0:00] ${CORAL_SEGMENTS.slice(0, 3)
          .map(({ text: words }) => words)
          .join(' ')}`,
        '## Bleaching',
        `[0:30] ${CORAL_SEGMENTS.slice(3)
          .map(({ text: words }) => words)
          .join(' ')}`,
      ].join('\n\n'),
    );
    expect(text.data).not.toHaveProperty('segments');
    const { body: srt } = await get(host, { format: 'srt', from_seconds: 50 });
    expect(srt.data.text).toBe(`6\n00:00:50,000 --> 00:00:59,700\n${CORAL_SEGMENTS[5]!.text}\n`);
    const { body: vtt } = await get(host, { format: 'vtt', to_seconds: 5 });
    expect(vtt.data.text).toBe(`WEBVTT\n\n00:00:00.000 --> 00:00:09.700\n${CORAL_SEGMENTS[0]!.text}\n`);
  });

  it.each(['segments', 'text', 'srt'])('gives every part once as %s, by the cursor', async (format) => {
    const host = await start();
    const { body: whole } = await get(host, { format });
    const parts: unknown[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await get(host, { format, max_tokens: 100, ...(cursor ? { cursor } : {}) }).expect(
        200,
      );
      parts.push(body.data.segments ?? body.data.text);
      cursor = body.data.next_cursor;
      expect(body.data.truncated).toBe(cursor !== undefined);
    } while (cursor);
    expect(parts.length).toBeGreaterThan(1);
    if (format === 'segments') expect(parts.flat()).toEqual(whole.data.segments);
    if (format === 'srt') expect(parts.join('\n')).toBe(whole.data.text);
  });

  it('keeps the words of a provider whose times are out of order, negative, or end too early', async () => {
    const segments = [
      { startMs: 5000, endMs: 0, text: 'They live in colonies.' },
      { startMs: -900, endMs: -100, text: 'Corals are animals.' },
      { startMs: 5000.3, endMs: 9000.7, text: 'Some build reefs.' },
    ];
    const chapters = [
      { title: 'Reefs', startMs: 5000, endMs: 10 },
      { title: 'Animals', startMs: 0, endMs: 5000 },
    ];
    const broken: TranscriptProvider = {
      name: 'broken',
      fetchTranscript: () => Promise.resolve({ language: 'en', captions: 'manual', segments, chapters }),
    };
    const running = await start({ youtube: { transcripts: [broken] } });
    const whole = await get(running, {}).expect(200);
    expect(whole.body.data).toMatchObject({
      chapters: [
        { title: 'Animals', start_seconds: 0, end_seconds: 5 },
        { title: 'Reefs', start_seconds: 5, end_seconds: 5 },
      ],
      segments: [
        { start_seconds: 0, end_seconds: 0, text: 'Corals are animals.' },
        { start_seconds: 5, end_seconds: 5, text: 'They live in colonies.' },
        { start_seconds: 5, end_seconds: 9.001, text: 'Some build reefs.' },
      ],
    });
    const part = await get(running, { from_seconds: 5, format: 'text' }).expect(200);
    expect(part.body.data.text).toBe('## Reefs\n\n[0:05] They live in colonies. Some build reefs.');
    const first = await get(running, { to_seconds: 5, format: 'text' }).expect(200);
    expect(first.body.data.text).toBe('## Animals\n\n[0:00] Corals are animals.');
  });

  it('takes null of a provider for what it does not know', async () => {
    const unknown = { title: null, channel: null, durationMs: null, storyboard: null, warnings: null };
    const fetchTranscript = (): unknown =>
      Promise.resolve({ ...TALK, captions: 'manual', chapters: [], ...unknown });
    const transcripts = [{ name: 'nulls', fetchTranscript } as TranscriptProvider];
    const { body } = await get(await start({ youtube: { transcripts } }), {}).expect(200);
    expect(body.data.segments).toHaveLength(CORAL_SEGMENTS.length);
    expect(body.data.content).not.toHaveProperty('title');
  });

  it('says that nothing is said in a range', async () => {
    const { body } = await get(await start(), { from_seconds: 3600 }).expect(200);
    expect(body.data).toMatchObject({
      segments: [],
      truncated: false,
      warnings: [
        { code: 'nothing_in_range', message: 'Nothing is said between from_seconds and to_seconds.' },
      ],
    });
  });

  it('takes the first language that is there, and the spoken one with a warning where none is', async () => {
    const provider = new TwoLanguages();
    const host = await start({ youtube: { transcripts: [provider] } });
    const languageOf = async (language?: unknown): Promise<unknown> => {
      const { body } = await get(host, language ? { language } : {}).expect(200);
      return [body.data.content.language, body.data.available_languages, body.data.warnings?.[0]?.message];
    };
    expect(await languageOf()).toEqual(['de', ['de', 'en'], undefined]);
    expect(await languageOf('en')).toEqual(['en', ['de', 'en'], undefined]);
    expect(await languageOf(['fr', 'en'])).toEqual(['en', ['de', 'en'], undefined]);
    expect(await languageOf(['fr', 'ja'])).toEqual([
      'de',
      ['de', 'en'],
      'The content has no transcript in fr, ja; this one is in de. Available: de, en.',
    ]);
  });

  it('asks a provider once for a summary and the transcript of the same words', async () => {
    const provider = new TwoLanguages();
    const { app } = await start({ youtube: { transcripts: [provider] } });
    const summaries = app.get(SummarizerService);
    const transcripts = app.get(TranscriptService);
    await summaries.summarize({ contentId: VIDEO, outputLanguage: 'en' });
    await transcripts.get({ contentId: VIDEO, language: 'en' });
    expect(provider.calls).toEqual([['en']]);
    await summaries.summarize({ contentId: VIDEO, outputLanguage: 'fr' });
    await transcripts.get({ contentId: VIDEO });
    await transcripts.get({ contentId: VIDEO, language: 'de' });
    expect(provider.calls).toEqual([['en'], ['fr']]);
  });

  it.each([
    [{ content_id: 'x' }, 400, /^content_id must be/],
    [{ format: 'docx' }, 400, 'format must be one of segments, text, srt, vtt, received the string "docx"'],
    [{ max_tokens: 99 }, 400, 'max_tokens must be an integer from 100 to 100000, received the number 99'],
    [{ from_seconds: -1 }, 400, 'from_seconds must be a number of at least 0, received the number -1'],
    [{ from_seconds: 9, to_seconds: 9 }, 400, 'to_seconds must be greater than from_seconds'],
    [{ language: 'english' }, 400, /^language must be a language code such as "en"/],
    [{ language: [] }, 400, /^language must be/],
    [{ cursor: '6.xxxxxxxx' }, 400, /^cursor must be next_cursor of an answer to the same request/],
    [{ cursor: 'abc' }, 400, /^cursor must be the next_cursor of an answer, received the string "abc"$/],
    [{ cursor: 6 }, 400, /^cursor must be the next_cursor of an answer, received the number 6$/],
    [{ content_id: 'unknownVid1' }, 404, /do not have this video/],
  ])('refuses %j', async (body, status, message) => {
    const answer = await get(await start(), body).expect(status);
    expect([answer.body.message].flat()[0]).toMatch(message);
  });

  it('is off unless the host turns it on', async () => {
    await get(await start({ transcript: false }), {}).expect(404);
  });
});

describe('transcripts of YouTube', () => {
  afterEach(closeHosts);

  let servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    servers = [];
  });

  /** A video with tracks in the languages of these codes. */
  async function transcriptsOf(...codes: string[]): Promise<TranscriptService> {
    const tracks = codes.map((languageCode) => ({
      baseUrl: `/api/timedtext?lang=${languageCode}`,
      languageCode,
    }));
    const server = createServer((incoming, outgoing) => {
      const isCaptions = incoming.url!.startsWith('/api/timedtext');
      const events = [{ tStartMs: 0, dDurationMs: 9000, segs: [{ utf8: 'Corals are animals.' }] }];
      const player = {
        playabilityStatus: { status: 'OK' },
        videoDetails: { title: 'Corals', lengthSeconds: '9', videoId: VIDEO },
        captions: { playerCaptionsTracklistRenderer: { captionTracks: tracks } },
      };
      outgoing.setHeader('content-type', 'application/json');
      outgoing.end(JSON.stringify(isCaptions ? { events } : player));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const fetchHere = (url: string, init: RequestInit): Promise<Response> =>
      fetch(url.replace('https://www.youtube.com', origin), init);
    const { app } = await startHost([
      ToolsModule.forRoot({
        transcript: true,
        search: { providers: [] },
        youtube: { transcripts: [innertubeTranscripts({ fetch: fetchHere })] },
      }),
    ]);
    return app.get(TranscriptService);
  }

  it.each<[asked: string | undefined, codes: string[], language: string, warns: boolean]>([
    ['he', ['en', 'iw'], 'he', false],
    ['iw', ['en', 'he'], 'he', false],
    ['tl', ['en', 'fil'], 'fil', false],
    ['fil', ['en', 'tl'], 'fil', false],
    ['nb', ['en', 'no'], 'no', false],
    ['no', ['en', 'nb'], 'nb', false],
    ['id', ['en', 'in'], 'id', false],
    ['zh-TW', ['zh-Hans', 'zh-Hant'], 'zh-Hant', false],
    ['zh-Hant', ['zh-CN', 'zh-TW'], 'zh-TW', false],
    ['zh-HK', ['zh', 'zh-Hant'], 'zh-Hant', false],
    ['zh', ['zh-TW', 'zh-CN'], 'zh-CN', false],
    ['zh-Hant', ['en', 'zh-CN'], 'zh-CN', true],
    ['zh_TW', ['en', 'zh'], 'zh', true],
    ['zh', ['en', 'zh-TW'], 'zh-TW', false],
    ['sr-Latn', ['sr', 'sr-Latn'], 'sr-Latn', false],
    ['pt-PT', ['en', 'pt-BR'], 'pt-BR', false],
    ['en', ['en-eEY6OEpapPo', 'de'], 'en', false],
    ['en-US', ['en-US-j3PyPqV-e1s', 'de'], 'en-US', false],
    [undefined, ['en-eEY6OEpapPo', 'de'], 'en', false],
    ['fr', ['en', 'de'], 'en', true],
  ])('asked for %s among %j are in %s', async (asked, codes, language, warns) => {
    const transcripts = await transcriptsOf(...codes);
    const result = await transcripts.get({ contentId: VIDEO, language: asked });
    expect(result.content.language).toBe(language);
    expect(result.warnings.map(({ code }) => code)).toEqual(warns ? ['language_not_available'] : []);
    // What is returned may be sent back.
    for (const listed of [language, ...result.availableLanguages!])
      await expect(transcripts.get({ contentId: VIDEO, language: listed })).resolves.toMatchObject({
        warnings: [],
      });
  });

  it('list the languages of all tracks', async () => {
    const transcripts = await transcriptsOf('en', 'de', 'pt-BR');
    const result = await transcripts.get({ contentId: VIDEO, language: ['fr', 'pt'] });
    expect(result).toMatchObject({
      content: { language: 'pt-BR', captions: 'manual' },
      availableLanguages: ['en', 'de', 'pt-BR'],
      segments: [{ startSeconds: 0, text: 'Corals are animals.' }],
      warnings: [],
    });
  });
});
