import { existsSync } from 'node:fs';
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
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost } from '../support/host.js';
import { alignWords, hear, startPocketsphinx } from './pocketsphinx.js';
import { articles, serveFiles, speak, speakClearly, stretchFinder, type Speech } from './recording.js';

const [[, express], [, fastify]] = ADAPTERS as [(typeof ADAPTERS)[number], (typeof ADAPTERS)[number]];

interface Segment {
  start_seconds: number;
  text: string;
}

/** A recording over HTTP, and what is asked about it. */
async function ask(
  tool: string,
  speech: Speech,
  server: FakeTranscriptions,
  { pieceMinutes = 20, adapter = express } = {},
) {
  server.requests.length = 0;
  const files = await serveFiles({ 'talk.mp3': { path: speech.mp3, type: 'audio/mpeg' } });
  const audio = ytDlpAudio({ url: () => `${files.url}/talk.mp3` });
  let folder = '';
  const recognized = speechTranscripts({
    model: { baseURL: server.baseURL, model: 'local' },
    audio: { open: (id, context) => audio.open(id, { ...context, folder: (folder = context.folder) }) },
    pieceMinutes,
    maxMinutes: 30,
  });
  const tools = ToolsModule.forRoot({
    apiKeys: ['k'],
    logRequests: false,
    search: { providers: [] },
    transcript: { deadlineMs: 600_000 },
    summarize: { deadlineMs: 600_000 },
    youtube: {
      transcripts: [
        { name: 'captions', fetchTranscript: () => Promise.reject(videoFailure('no_captions')) },
        recognized,
      ],
    },
  });
  const { http } = await startHost([tools], adapter());
  const body = { content_id: 'noCaptions1', ...(tool === 'get_transcript' ? { max_tokens: 100_000 } : {}) };
  const since = performance.now();
  const answer = await http.post(`/v1/tools/${tool}`).set('X-API-Key', 'k').send(body).expect(200);
  const seconds = (performance.now() - since) / 1000;
  expect(folder).not.toBe('');
  expect(existsSync(folder)).toBe(false);
  expect(answer.body.data.content.captions).toBe('recognized');
  await files.close();
  return { data: answer.body.data, seconds };
}

/** Each word with the time at which espeak-ng spoke it, s. */
const timed = ({ words }: Speech): { text: string; at: number }[] =>
  words.flatMap(({ text, startMs }) => text.split(' ').map((word) => ({ text: word, at: startMs / 1000 })));

let folder: string;
let server: FakeTranscriptions;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'speech-spec-'));
});
afterEach(closeHosts);
afterAll(() => rm(folder, { recursive: true }));

describe('25 minutes that espeak-ng has spoken, and a server that returns the true words', () => {
  let speech: Speech;
  /** What the server answers with; it refuses `verbose_json` where it is not this. */
  let format = 'verbose_json';

  beforeAll(async () => {
    speech = await speak(articles(4300), folder, 'talk');
    const find = await stretchFinder(speech, folder);
    const refusal = { status: 400, body: { error: { message: 'verbose_json is not supported' } } };
    const answer = ({ format: asked }: TranscriptionRequest, usual: Answer): Answer =>
      asked === format || asked === 'json' ? usual : refusal;
    server = await startFakeTranscriptions(speech.words, answer, find);
  });
  afterAll(() => server.close());

  it.each([
    [1, 'verbose_json'],
    [5, 'json'],
  ])('have every word once, in pieces of %d minutes, from %s', async (pieceMinutes, given) => {
    format = given;
    const { data, seconds } = await ask('get_transcript', speech, server, { pieceMinutes });
    const segments = data.segments as Segment[];
    const spoken = timed(speech);
    // Word error rate 0.
    expect(segments.flatMap(({ text }) => text.split(' '))).toEqual(spoken.map(({ text }) => text));
    expect(server.requests.length).toBeGreaterThanOrEqual(speech.durationMs / 60_000 / pieceMinutes);
    let word = 0;
    let worst = 0;
    for (const { start_seconds, text } of segments) {
      worst = Math.max(worst, Math.abs(start_seconds - spoken[word]!.at));
      word += text.split(' ').length;
    }
    console.log(
      `${given}, pieces of ${pieceMinutes} min: ${server.requests.length} requests, ${spoken.length} words, 0 errors, times off by at most ${worst.toFixed(2)} s, in ${seconds.toFixed(0)} s`,
    );
    if (given === 'verbose_json') expect(worst).toBeLessThan(1.5);
  });

  it('are summarized over HTTP', async () => {
    format = 'verbose_json';
    const { data, seconds } = await ask('summarize_content', speech, server, { adapter: fastify });
    expect(data.content).toMatchObject({ language: 'en', url: expect.stringContaining('noCaptions1') });
    expect(data.content.duration_seconds).toBeCloseTo(speech.durationMs / 1000, -1);
    const words = speech.words.map(({ text }) => text).join(' ');
    expect(data.key_points.length).toBeGreaterThan(2);
    for (const { text } of data.key_points) expect(words).toContain(text);
    console.log(`The summary, after ${seconds.toFixed(0)} s:\n\n${data.summary}`);
  });
});

describe('minutes that flite has spoken, and pocketsphinx', () => {
  let speech: Speech;
  /** Share of words that pocketsphinx alone hears wrong. */
  let alone: number;

  const plain = (text: string): string[] =>
    text
      .toLowerCase()
      .replace(/[^a-z' ]/g, ' ')
      .split(' ')
      .filter(Boolean);
  const spokenWords = (): { word: string; from: number; to: number }[] =>
    speech.words.flatMap(({ text, startMs, endMs }) =>
      plain(text).map((word) => ({ word, from: startMs / 1000, to: endMs / 1000 })),
    );
  const wrong = (heard: readonly string[]): number => {
    const spoken = spokenWords().map(({ word }) => word);
    return alignWords(spoken, heard).errors / spoken.length;
  };

  beforeAll(async () => {
    speech = await speakClearly(articles(600), folder, 'clear');
    server = await startPocketsphinx(folder);
    alone = wrong((await hear(speech.wav)).flatMap(({ text }) => plain(text)));
  }, 600_000);
  afterAll(() => server.close());

  it.each([
    [20, 0.01],
    [1, 0.02],
  ])(
    'have their words and times, in pieces of %d minutes',
    async (pieceMinutes, more) => {
      const { data, seconds } = await ask('get_transcript', speech, server, { pieceMinutes });
      const segments = data.segments as Segment[];
      expect(server.requests.length > 1).toBe(pieceMinutes === 1);
      const heard = segments.flatMap(({ text, start_seconds }, i) =>
        plain(text).map((word) => ({
          word,
          from: start_seconds,
          to: segments[i + 1]?.start_seconds ?? speech.durationMs / 1000,
        })),
      );
      const spoken = spokenWords();
      const { pairs } = alignWords(
        spoken.map(({ word }) => word),
        heard.map(({ word }) => word),
      );
      // Of the words that were heard right, each lies in a segment of its sentence's time.
      const offs = pairs.map(([i, j]) =>
        Math.max(heard[j]!.from - spoken[i]!.to, spoken[i]!.from - heard[j]!.to, 0),
      );
      const rate = wrong(heard.map(({ word }) => word));
      const worst = Math.max(...offs);
      console.log(
        `pocketsphinx: ${spoken.length} words in ${(speech.durationMs / 1000).toFixed(0)} s and ${server.requests.length} pieces, ${(100 * alone).toFixed(1)} % wrong alone, ${(100 * rate).toFixed(1)} % through the whole path, off by at most ${worst.toFixed(2)} s, in ${seconds.toFixed(0)} s`,
      );
      expect(rate - alone).toBeLessThanOrEqual(more);
      expect(worst).toBeLessThan(1.5);
    },
    600_000,
  );
});
