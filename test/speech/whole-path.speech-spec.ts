import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { speechTranscripts, ToolsModule, videoFailure, ytDlpAudio } from '../../lib/index.js';
import {
  startFakeTranscriptions,
  type Answer,
  type FakeTranscriptions,
  type TranscriptionRequest,
} from '../support/fake-speech/fake-transcriptions.js';
import { eventually } from '../support/eventually.js';
import { ADAPTERS, closeHosts, startHost } from '../support/host.js';
import { articles, serveFiles, speak, stretchFinder, type Speech } from './recording.js';

/** Folders of work under way, of other processes too. */
const foldersNow = (): string[] => readdirSync(tmpdir()).filter((name) => /^nestjs-tools-\w{6}$/.test(name));

const VIDEO = 'noCaptions1';

describe('25 minutes that espeak-ng has spoken', () => {
  let folder: string;
  let speech: Speech;
  let files: Awaited<ReturnType<typeof serveFiles>>;
  let server: FakeTranscriptions;
  /** What the server is asked to do without. */
  let format = 'verbose_json';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'speech-spec-'));
    speech = await speak(articles(4300), folder, 'talk');
    files = await serveFiles({ 'talk.mp3': { path: speech.mp3, type: 'audio/mpeg' } });
    const find = await stretchFinder(speech, folder);
    const refusal = { status: 400, body: { error: { message: 'verbose_json is not supported' } } };
    const answer = ({ format: asked }: TranscriptionRequest, usual: Answer): Answer =>
      asked === format || asked === 'json' ? usual : refusal;
    server = await startFakeTranscriptions(speech.words, answer, find);
  });
  afterAll(async () => {
    await files.close();
    await server.close();
    await rm(folder, { recursive: true });
  });
  afterEach(closeHosts);

  async function ask(pieceMinutes: number, adapter = ADAPTERS[0]![1], tool = 'get_transcript', body = {}) {
    server.requests.length = 0;
    const before = foldersNow();
    const { http } = await startHost(
      [
        ToolsModule.forRoot({
          apiKeys: ['k'],
          logRequests: false,
          search: { providers: [] },
          transcript: { deadlineMs: 600_000 },
          summarize: { deadlineMs: 600_000 },
          youtube: {
            transcripts: [
              { name: 'captions', fetchTranscript: () => Promise.reject(videoFailure('no_captions')) },
              speechTranscripts({
                model: { baseURL: server.baseURL, model: 'true-words' },
                audio: ytDlpAudio({ url: () => `${files.url}/talk.mp3` }),
                pieceMinutes,
                maxMinutes: 30,
              }),
            ],
          },
        }),
      ],
      adapter(),
    );
    const { body: answer } = await http
      .post(`/v1/tools/${tool}`)
      .set('X-API-Key', 'k')
      .send({ content_id: VIDEO, ...body })
      .expect(200);
    await eventually(
      () => foldersNow().every((name) => before.includes(name)),
      () => `left behind: ${foldersNow().join(', ')}`,
    );
    return answer.data;
  }

  interface Segment {
    start_seconds: number;
    text: string;
  }

  const whole = { max_tokens: 100_000 };

  it.each([
    [20, 'verbose_json'],
    [5, 'verbose_json'],
    [1, 'verbose_json'],
    [5, 'json'],
  ])(
    'has every word once, in pieces of %d minutes, from %s',
    async (pieceMinutes, given) => {
      format = given;
      const { segments, content } = await ask(pieceMinutes, undefined, undefined, whole);
      const heard = (segments as Segment[]).flatMap(({ text }) => text.split(' '));
      const spoken = speech.words.flatMap(({ text }) => text.split(' '));
      // Word error rate 0.
      expect(heard).toEqual(spoken);
      expect(content.captions).toBe('recognized');
      expect(server.requests.length).toBeGreaterThanOrEqual(
        Math.floor(speech.durationMs / 60_000 / pieceMinutes),
      );
      const starts = speech.words.flatMap(({ text, startMs }) => text.split(' ').map(() => startMs / 1000));
      let at = 0;
      let worst = 0;
      for (const { start_seconds, text } of segments as Segment[]) {
        worst = Math.max(worst, Math.abs(start_seconds - starts[at]!));
        at += text.split(' ').length;
      }
      console.log(
        `${given}, pieces of ${pieceMinutes} min: ${server.requests.length} pieces, ${spoken.length} words, 0 errors, times off by at most ${worst.toFixed(2)} s`,
      );
      if (given === 'verbose_json') expect(worst).toBeLessThan(1.5);
    },
    900_000,
  );

  it.each(ADAPTERS)(
    'is summarized over HTTP on %s',
    async (_name, adapter) => {
      format = 'verbose_json';
      const data = await ask(20, adapter, 'summarize_content');
      expect(data.content).toMatchObject({ captions: 'recognized', language: 'en' });
      expect(data.content.duration_seconds).toBeCloseTo(speech.durationMs / 1000, -1);
      const words = speech.words.map(({ text }) => text).join(' ');
      for (const sentence of data.key_points) expect(words).toContain(sentence.text);
      console.log(data.summary);
    },
    900_000,
  );
});
