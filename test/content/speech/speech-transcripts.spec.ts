import { existsSync } from 'node:fs';
import { Logger } from '@nestjs/common';
import { withContext, type CallOptions, type ProgressEvent } from '../../../lib/core/context.js';
import { BudgetUsedUpError, type ToolsError, NotConfiguredError } from '../../../lib/core/errors.js';
import { CHECK } from '../../../lib/core/ports.js';
import type { Content } from '../../../lib/content/content-source.js';
import { speechTranscripts, type SpeechOptions } from '../../../lib/content/speech/speech-transcripts.js';
import type {
  TranscriptProvider,
  VideoTranscript,
} from '../../../lib/content/youtube/transcript-provider.js';
import { videoFailure, type VideoFailureReason } from '../../../lib/content/youtube/video-failure.js';
import { YouTubeSource } from '../../../lib/content/youtube/youtube.source.js';
import { CONNECT } from '../../../lib/model/connect.js';
import { eventually } from '../../support/eventually.js';
import {
  startFakeTranscriptions,
  type Answer,
  type FakeTranscriptions,
  type TranscriptionRequest,
} from '../../support/fake-speech/fake-transcriptions.js';
import { FAKE_FFMPEG, FakeAudio, spoken, type FakeRecording } from '../../support/fake-speech/recordings.js';

// Failures of the fake server.
Logger.overrideLogger(false);

const VIDEO = 'noCaptions1';
/** Sentences of twelve words, of which none is like another, five seconds each. */
const talkOf = (sentences: number): FakeRecording =>
  spoken(
    Array.from(
      { length: sentences },
      (_, i) => `Part ${i} says that ${i} boats have left the old harbour today.`,
    ).join(' '),
  );
const TALK = talkOf(24);
const WORDS = TALK.words.map(({ text }) => text).join(' ');
const textOf = ({ segments }: Pick<Content, 'segments'>): string =>
  segments.map(({ text }) => text).join(' ');

describe('speechTranscripts', () => {
  const servers: FakeTranscriptions[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  async function start(
    answer?: (request: TranscriptionRequest, usual: Answer) => Answer | Promise<Answer>,
    options: Partial<SpeechOptions> = {},
    recording: FakeRecording = TALK,
  ) {
    const server = await startFakeTranscriptions(recording.words, answer);
    servers.push(server);
    const audio = new FakeAudio(recording);
    const speech = speechTranscripts({
      model: { baseURL: `${server.baseURL}/`, model: 'whisper-1', apiKey: 'secret' },
      audio,
      ffmpeg: FAKE_FFMPEG,
      pieceMinutes: 1,
      modelOptions: { backOffMs: 1, ...options.modelOptions },
      ...options,
    });
    const recognize = (call: CallOptions = {}, id = VIDEO): Promise<VideoTranscript> =>
      withContext(60_000, call, (context) => speech.recognize(id, context));
    return { server, audio, speech, recognize };
  }
  const failureOf = (result: Promise<unknown>): Promise<ToolsError> =>
    result.then(
      () => Promise.reject(new Error('It did not fail.')),
      (error: ToolsError) => error,
    );
  const codesOf = ({ warnings = [] }: Pick<Content, 'warnings'>): string[] =>
    warnings.map(({ code }) => code);

  it('sends a form as the API defines it, two pieces at a time', async () => {
    let arrived = (): void => undefined;
    const two = new Promise<void>((resolve) => (arrived = resolve));
    let open = 0;
    const { server, recognize } = await start(async (_, usual) => {
      if (++open === 2) arrived();
      await two;
      return usual;
    });
    expect(textOf(await recognize())).toBe(WORDS);
    expect(server.most).toBe(2);
    const [{ headers, model, format, file }] = server.requests as [TranscriptionRequest];
    expect(headers).toMatchObject({ authorization: 'Bearer secret', 'content-length': expect.any(String) });
    expect({ model, format, name: file.name, type: file.type }).toEqual({
      model: 'whisper-1',
      format: 'verbose_json',
      name: 'audio.mp3',
      type: 'audio/mpeg',
    });
  });

  it('falls back to plain JSON, estimates the times, and says so', async () => {
    const message = "response_format 'verbose_json' is not compatible with model 'gpt-transcribe'.";
    const { server, recognize } = await start((request, usual) =>
      request.format === 'verbose_json' ? { status: 400, body: { error: { message } } } : usual,
    );
    const transcript = await recognize();
    expect(textOf(transcript)).toBe(WORDS);
    expect(codesOf(transcript)).toEqual(['speech_recognized', 'times_estimated']);
    expect(server.requests.filter(({ format }) => format === 'verbose_json').length).toBeLessThanOrEqual(2);
    const starts = TALK.words.filter(({ text }) => text === 'Part').map(({ startMs }) => startMs);
    for (const [i, { startMs }] of transcript.segments.entries())
      expect(Math.abs(startMs - starts[i]!)).toBeLessThan(1500);
  });

  it('falls back for each of the pieces that were sent before the first fell back', async () => {
    let haveBoth = (): void => undefined;
    let fallBack = (): void => undefined;
    const both = new Promise<void>((resolve) => (haveBoth = resolve));
    const fallenBack = new Promise<void>((resolve) => (fallBack = resolve));
    let [verbose, plain] = [0, 0];
    const { recognize } = await start(async ({ format }, usual) => {
      if (format === 'json') {
        if (++plain === 2) fallBack();
        return usual;
      }
      const isFirst = ++verbose === 1;
      if (!isFirst) haveBoth();
      // The second is refused when the first piece has been heard as JSON, and the next one was sent.
      await (isFirst ? both : fallenBack);
      return { status: 400, body: {} };
    });
    const transcript = await recognize();
    expect(verbose).toBe(2);
    expect(textOf(transcript)).toBe(WORDS);
  });

  it('repeats what failed, and waits as the server says', async () => {
    const failures: Answer[] = [
      { status: 500, body: 'down' },
      { status: 429, body: {}, headers: { 'retry-after-ms': '1' } },
      { status: 200, body: '<html>' },
    ];
    const { recognize } = await start((_, usual) => failures.shift() ?? usual);
    const transcript = await recognize();
    expect(textOf(transcript)).toBe(WORDS);
    expect(codesOf(transcript)).toEqual(['speech_recognized']);
  });

  it('leaves a gap where one piece fails, says where, and does not cache it', async () => {
    const { speech } = await start(
      ({ startMs }, usual) => (startMs > 150_000 && startMs < 190_000 ? { status: 500, body: {} } : usual),
      {},
      talkOf(100),
    );
    const cached: string[] = [];
    const cache = { get: () => undefined, set: (key: string) => Promise.resolve(cached.push(key)) };
    const source = new YouTubeSource({ transcripts: [speech], cache });
    const transcript = await withContext(60_000, {}, (context) =>
      source.load(VIDEO, { languages: [] }, context),
    );
    expect(transcript.warnings).toContainEqual({
      code: 'transcript_incomplete',
      message: expect.stringMatching(/^The speech of these parts could not be recognized: 2:\d\d–3:\d\d\.$/),
      transient: true,
    });
    expect(transcript.segments.length).toBeGreaterThan(80);
    expect(cached).toEqual([]);
  });

  it('fails when more than a fifth is missing, and sends nothing more', async () => {
    const { server, recognize, audio } = await start(() => ({ status: 401, body: {} }));
    const error = await failureOf(recognize());
    expect(error).toMatchObject({ code: 'upstream_unavailable', shouldRetry: false });
    expect(server.requests.length).toBeLessThan(3);
    expect(audio.folders.some((folder) => existsSync(folder))).toBe(false);
  });

  it('refuses a recording that is too long for a request, and takes it in a job', async () => {
    const { server, recognize } = await start(undefined, { maxMinutes: 2, maxJobMinutes: 15 });
    const error = await failureOf(recognize());
    expect(error).toMatchObject({
      code: 'transcript_unavailable',
      message:
        'There are no captions, and the recording is longer than the 2 minutes whose speech is recognized in a request.',
      details: { reason: 'too_long_to_recognize', hint: expect.stringContaining('Prefer: respond-async') },
    });
    expect(server.requests).toEqual([]);
    expect(textOf(await recognize({ inJob: true }))).toBe(WORDS);
    const { recognize: later } = await start(undefined, { maxMinutes: 1, maxJobMinutes: 2 });
    expect((await failureOf(later({ inJob: true }))).details).toMatchObject({
      hint: expect.stringContaining('`maxJobMinutes`'),
    });
  });

  it('refuses what the budget does not cover, before anything is sent', async () => {
    const { server, speech, recognize } = await start(undefined, { pricePerMinute: 0.01 });
    speech[CONNECT]({ budget: { money: 0.02 } });
    expect(await failureOf(recognize())).toMatchObject({
      code: 'content_too_long',
      message: expect.stringMatching(
        /^Recognising the speech costs about 0\.021\d; a request may cost 0\.02 /,
      ),
    });
    expect(server.requests).toEqual([]);
  });

  it('asks the caller’s budget before each piece, and ends where it is used up', async () => {
    const { server, recognize } = await start();
    const refusal = new BudgetUsedUpError('cost', 60);
    let admitted = 0;
    const admitCall = (): Promise<() => void> =>
      ++admitted > 1 ? Promise.reject(refusal) : Promise.resolve(() => undefined);
    expect(await failureOf(recognize({ admitCall }))).toBe(refusal);
    expect(server.requests.length).toBeLessThanOrEqual(1);
  });

  it('reports its steps', async () => {
    const { recognize } = await start();
    const steps: ProgressEvent[] = [];
    await recognize({ onProgress: (event) => steps.push(event) });
    expect(steps[0]).toEqual({ stage: 'download' });
    const counted = steps.slice(1);
    const total = counted[0]!.total!;
    expect(total).toBeGreaterThan(2);
    expect(counted).toEqual(
      Array.from({ length: total + 1 }, (_, done) => ({ stage: 'transcribe', done, total })),
    );
  });

  it('keeps the speakers', async () => {
    const recording = spoken('Who are you? I am Bob. Good.');
    for (const word of recording.words) word.speaker = word.startMs < 1600 ? 'A' : 'B';
    const { recognize } = await start(undefined, {}, recording);
    const { segments } = await recognize();
    expect(segments.map(({ speaker }) => speaker)).toEqual(['A', 'B', 'B']);
  });

  it('reads times in words, and loses no others where one segment cannot be read', async () => {
    const { recognize } = await start((_, usual) => ({
      ...usual,
      segments: [
        ...(usual.segments as { start: number; end: number }[]).map((segment) => ({
          ...segment,
          start: segment.start.toFixed(2),
          end: `${segment.end.toFixed(2)}s`,
        })),
        { text: null, start: 59, end: 59.5 },
        null,
      ],
    }));
    const transcript = await recognize();
    expect(textOf(transcript)).toBe(WORDS);
    expect(codesOf(transcript)).toEqual(['speech_recognized']);
    const starts = TALK.words.filter(({ text }) => text === 'Part').map(({ startMs }) => startMs);
    for (const [i, { startMs }] of transcript.segments.entries())
      expect(Math.abs(startMs - starts[i]!)).toBeLessThan(100);
  });

  it('hears stereo whose channels cancel each other out', async () => {
    const { recognize } = await start(undefined, {}, { ...TALK, areOpposite: true });
    expect(textOf(await recognize())).toBe(WORDS);
  });

  it('neither sends nor charges stretches without sound', async () => {
    const [first, second] = [talkOf(4), talkOf(2)];
    const [quietMs, from] = [180_000, first.durationMs + 180_000];
    const shifted = second.words.map((word) => ({
      ...word,
      startMs: word.startMs + from,
      endMs: word.endMs + from,
    }));
    const gap: [number, number] = [first.durationMs, from];
    const recording = {
      durationMs: from + second.durationMs + quietMs,
      silences: [...first.silences, gap],
      soundless: [gap, [from + second.durationMs, from + second.durationMs + quietMs] as [number, number]],
      words: [...first.words, ...shifted],
    };
    const { recognize, server } = await start(
      undefined,
      { pieceMinutes: 20, modelOptions: { maxParallelCalls: 1 } },
      recording,
    );
    const { segments, durationMs } = await recognize();
    expect(segments.map(({ startMs }) => startMs >= from)).toEqual([...Array(4).fill(false), true, true]);
    expect(durationMs).toBe(recording.durationMs);
    expect(server.requests.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [0, first.durationMs + 500],
      [from - 500, from + second.durationMs + 500],
    ]);
  });

  it('blames the recording where its sound is shorter than it says, and sends none of what is missing', async () => {
    const { recognize, server } = await start(undefined, {}, { ...TALK, endsAtMs: 30_000 });
    expect(await failureOf(recognize())).toMatchObject({
      code: 'transcript_unavailable',
      message: expect.stringMatching(/^The sound of the recording cannot be read from \d:\d\d to \d:\d\d\.$/),
      details: { reason: 'no_audio' },
    });
    expect(server.requests.every(({ endMs }) => endMs <= 30_000)).toBe(true);
  });

  it.each([
    ['romanian', 'ro'],
    ['yiddish', 'yi'],
    ['bengali', 'bn'],
    ['maori', 'mi'],
    ['myanmar', 'my'],
    ['Burmese', 'my'],
    ['nynorsk', 'nn'],
    ['tagalog', 'fil'],
    ['hawaiian', 'haw'],
    ['cantonese', 'yue'],
    ['lao', 'lo'],
    ['haitian creole', 'ht'],
    ['javanese', 'jv'],
    ['jw', 'jv'],
    ['pt_BR', 'pt-BR'],
  ])('knows the language that a server calls %s', async (name, tag) => {
    const few = spoken('Aaa bbb ccc.');
    const { recognize } = await start((_, usual) => ({ ...usual, language: name }), {}, few);
    expect((await recognize()).language).toBe(tag);
  });

  it.each([false, true])('names the language of most words, whichever piece ends first', async (isSlow) => {
    let first = (): void => undefined;
    const firstHasEnded = new Promise<void>((resolve) => (first = resolve));
    // The second piece is short. What it is said to be in is no matter of time.
    const { recognize } = await start(async ({ startMs }, usual) => {
      const isFirst = startMs === 0;
      if (isFirst === isSlow) await firstHasEnded;
      setImmediate(first);
      const language = isFirst ? 'german' : 'french';
      const text = isFirst ? String(usual.text) : 'Oui.';
      return { ...usual, language, text, segments: [{ start: 0, end: 3, text }] };
    });
    expect((await recognize()).language).toBe('de');
  });

  const GERMAN =
    'Das Mehl kommt zuerst in die Schüssel, und dann wird das Wasser langsam dazu gegossen. ' +
    'Der Teig muss eine Stunde an einem warmen Ort stehen, bevor wir ihn noch einmal kneten. ' +
    'Danach geht er in den Ofen, und das Brot ist nach vierzig Minuten fertig.';
  const ENGLISH =
    'The flour goes into the bowl first, and then the water is slowly added to it. ' +
    'The dough has to stand in a warm place for an hour before we knead it again. ' +
    'After that it goes into the oven, and the bread is ready in forty minutes.';
  const NONSENSE = Array.from({ length: 60 }, (_, i) => `brokkal${i} tovesil`).join(' ');
  it.each<
    [said: string, stated: string | undefined, named: string, language: string, warning: RegExp | undefined]
  >([
    [GERMAN, 'de-AT', 'english', 'de-AT', undefined],
    [GERMAN, undefined, 'german', 'de', undefined],
    [ENGLISH, 'de', 'english', 'en', /said to be in de, but .* look like en\.$/],
    [ENGLISH, undefined, 'german', 'de', /said to be in de, but .* look like en\.$/],
    [ENGLISH, undefined, 'russian', 'ru', /said to be in ru, but .* look like en\.$/],
    [NONSENSE, 'de', 'german', 'de', /said to be in de, but .* do not look like it\.$/],
    ['Thank you.', 'de', 'english', 'de', undefined],
    [GERMAN, 'lb', 'luxembourgish', 'lb', undefined],
  ])(
    'warns of words that are in another language than named: %.20s %s %s',
    async (said, stated, named, language, warning) => {
      const recording = { ...spoken(said), language: stated };
      const { recognize } = await start((_, usual) => ({ ...usual, language: named }), {}, recording);
      const transcript = await recognize();
      expect(transcript.language).toBe(language);
      const doubts = transcript.warnings!.filter(({ code }) => code === 'language_doubtful');
      expect(doubts.map(({ message }) => message)).toEqual(warning ? [expect.stringMatching(warning)] : []);
    },
  );

  it('names the language by its tag', async () => {
    const german = await start((_, usual) => ({ ...usual, language: 'german' }));
    expect((await german.recognize()).language).toBe('de');
    const unnamed = await start((_, { language: _language, ...usual }) => usual);
    expect((await unnamed.recognize()).language).toBe('en');
  });

  it('stops the programs and the open calls when the caller leaves, and removes the files', async () => {
    const { server, audio, recognize } = await start(() => new Promise(() => undefined));
    const caller = new AbortController();
    const result = failureOf(recognize({ signal: caller.signal }));
    await eventually(
      () => server.open === 2,
      () => `${server.open} open calls`,
    );
    const [folder] = audio.folders as [string];
    expect(existsSync(folder)).toBe(true);
    const reason = new Error('The caller has left.');
    caller.abort(reason);
    expect(await result).toBe(reason);
    await eventually(
      () => server.open === 0 && !existsSync(folder),
      () => `${server.open} open calls, folder ${existsSync(folder) ? 'there' : 'gone'}`,
    );
  });

  it.each<[string, object | string, string]>([
    ['is no recording', 'GIF89a', 'no_audio'],
    ['has no length', { durationMs: 0 }, 'no_audio'],
    ['is silent', { durationMs: 60_000, silences: [[0, 60_000]] }, 'low_speech'],
    ['never ends', { durationMs: 10 ** 9 }, 'too_long_to_recognize'],
  ])('says so when the sound %s', async (_what, recording, reason) => {
    const audio = new FakeAudio(recording);
    const { server, recognize } = await start(undefined, { audio });
    expect(await failureOf(recognize())).toMatchObject({
      code: 'transcript_unavailable',
      details: { reason },
      shouldRetry: false,
    });
    expect(server.requests).toEqual([]);
    expect(audio.folders.some((folder) => existsSync(folder))).toBe(false);
  });

  it('names the program that is missing, at start and later', async () => {
    const { speech, recognize } = await start(undefined, { ffmpeg: 'no-such-ffmpeg' });
    const message =
      'speechTranscripts() needs the program `ffmpeg`: apt install ffmpeg (or brew install ffmpeg), or set its path in the option `ffmpeg`';
    await expect(speech[CHECK](new AbortController().signal)).rejects.toEqual(
      new NotConfiguredError(message),
    );
    expect(await failureOf(recognize())).toMatchObject({ code: 'not_configured', message });
    const found = await start();
    await expect(found.speech[CHECK](new AbortController().signal)).resolves.toBeUndefined();
  });

  it.each([
    [{ model: 'whisper-1' }, /`speechTranscripts.model` must be a transcription model/],
    [{ model: { baseURL: 'ftp://x', model: 'y' } }, /`speechTranscripts.model/],
    [{ audio: {} }, /`speechTranscripts.audio/],
    [{ pieceMinutes: 61 }, /`speechTranscripts.pieceMinutes` must be a number from 1 to 60/],
    [{ minutes: 5 }, /unknown option `speechTranscripts.minutes`/],
    [
      { modelOptions: { attempt: 2 } },
      /unknown option `speechTranscripts.modelOptions.attempt`. Did you mean `attempts`/,
    ],
  ])('refuses wrong options: %j', (options, message) => {
    const right = { model: { baseURL: 'http://127.0.0.1:1/v1', model: 'x' }, audio: new FakeAudio({}) };
    expect(() => speechTranscripts({ ...right, ...options } as SpeechOptions)).toThrow(message);
  });

  describe('as the last provider', () => {
    const failing = (reason: VideoFailureReason, name = 'captions'): TranscriptProvider => ({
      name,
      fetchTranscript: () => Promise.reject(videoFailure(reason)),
    });
    const load = (
      transcripts: TranscriptProvider[],
      call: CallOptions = {},
      deadlineMs = 20_000,
    ): Promise<Content> => {
      const source = new YouTubeSource({ transcripts, deadlineMs });
      const request = { languages: ['en'] };
      return withContext(60_000, call, (context) => source.load(VIDEO, request, context));
    };

    it('is asked where there are no captions, also if another provider is blocked', async () => {
      const { speech } = await start();
      const content = await load([failing('no_captions'), failing('bot_check', 'other'), speech]);
      expect(content).toMatchObject({ captions: 'recognized', provider: 'speech' });
    });

    it('is not asked because of a block', async () => {
      const { speech, audio } = await start();
      const error = await failureOf(load([failing('bot_check'), speech]));
      expect(error.details).toMatchObject({ reason: 'bot_check' });
      expect(audio.opened).toBe(0);
    });

    it('has the time of the request, not that of captions', async () => {
      const { speech } = await start(async (_, usual) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return usual;
      });
      expect((await load([failing('no_captions'), speech], {}, 50)).captions).toBe('recognized');
    });

    it('says what it failed with, and not that there are no captions', async () => {
      const { speech } = await start(() => ({ status: 503, body: {} }));
      const error = await failureOf(load([failing('no_captions'), speech]));
      expect(error).toMatchObject({ code: 'upstream_unavailable', shouldRetry: true });
      expect(error.details).toMatchObject({ attempts: [{ outcome: 'no_captions' }, { provider: 'speech' }] });
    });

    it('remembers a recording that is too long for requests only', async () => {
      const { speech } = await start(undefined, { maxMinutes: 1 });
      const source = new YouTubeSource({ transcripts: [speech] });
      const ask = (inJob: boolean): Promise<Content> =>
        withContext(60_000, { inJob }, (context) => source.load(VIDEO, { languages: [] }, context));
      expect((await failureOf(ask(false))).details).toMatchObject({ reason: 'too_long_to_recognize' });
      expect((await ask(true)).captions).toBe('recognized');
    });
  });
});
