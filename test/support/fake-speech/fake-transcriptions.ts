import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A word that somebody says in a recording. */
export interface SpokenWord {
  text: string;
  startMs: number;
  endMs: number;
  speaker?: string;
}

/** A request for a transcription, as it came in. */
export interface TranscriptionRequest {
  headers: IncomingHttpHeaders;
  model: unknown;
  format: unknown;
  file: File;
  /** The stretch of the recording that was sent. */
  startMs: number;
  endMs: number;
}

/** Body of an answer, or the answer itself where it has a `status`. */
export interface Answer {
  [member: string]: unknown;
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface FakeTranscriptions {
  /** For the option `baseURL`. */
  baseURL: string;
  requests: TranscriptionRequest[];
  /** Requests that are open now, and the most that were open at the same time. */
  open: number;
  most: number;
  close(): Promise<void>;
}

/** The stretch that a piece of `fake-ffmpeg.mjs` holds. */
export async function stretchOfFake(file: File): Promise<{ startMs: number; endMs: number }> {
  return JSON.parse(await file.text()) as { startMs: number; endMs: number };
}

/**
 * A server that speaks `POST /v1/audio/transcriptions` as OpenAI does (platform.openai.com/docs/api-reference/audio/createTranscription), and
 * returns the true words of the stretch that it is sent.
 *
 * @param answer changes an answer, or never resolves; default: none is changed
 */
export async function startFakeTranscriptions(
  words: readonly SpokenWord[],
  answer: (request: TranscriptionRequest, usual: Answer) => Answer | Promise<Answer> = (_, usual) => usual,
  stretchOf: (file: File) => Promise<{ startMs: number; endMs: number }> = stretchOfFake,
): Promise<FakeTranscriptions> {
  const fake: FakeTranscriptions = {
    baseURL: '',
    requests: [],
    open: 0,
    most: 0,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  const server = createServer((incoming, response) => {
    fake.open++;
    fake.most = Math.max(fake.most, fake.open);
    response.on('close', () => fake.open--);
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on(
      'end',
      () =>
        void respond(Buffer.concat(chunks)).catch((error: Error) =>
          end(response, { status: 400, body: { error: { message: error.message } } }),
        ),
    );
    const respond = async (body: Buffer): Promise<void> => {
      if (incoming.method !== 'POST' || incoming.url !== '/v1/audio/transcriptions')
        return end(response, { status: 404, body: { error: { message: 'Invalid URL' } } });
      const headers = { 'content-type': incoming.headers['content-type'] ?? '' };
      const form = await new Response(new Uint8Array(body), { headers }).formData();
      const file = form.get('file');
      if (!(file instanceof File)) throw new Error("[{'msg': 'Field required', 'loc': ('body', 'file')}]");
      const { startMs, endMs } = await stretchOf(file);
      const format = form.get('response_format') ?? 'json';
      const request = { headers: incoming.headers, model: form.get('model'), format, file, startMs, endMs };
      fake.requests.push(request);
      end(response, await answer(request, answerOf(words, request)));
    };
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fake.baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return fake;
}

function end(response: ServerResponse, answer: Answer): void {
  const { status = 200, body = answer, headers } = answer;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** What Whisper says of each segment besides its words and times. */
const WHISPER = {
  seek: 0,
  tokens: [50364],
  temperature: 0,
  avg_logprob: -0.2,
  compression_ratio: 1.5,
  no_speech_prob: 0.01,
};

/** The words of which more than half lies in the stretch, one segment a sentence, with times from its start in seconds. */
function answerOf(
  words: readonly SpokenWord[],
  { startMs, endMs, format }: Pick<TranscriptionRequest, 'startMs' | 'endMs' | 'format'>,
): Answer {
  const heard = words.filter((word) => {
    const middle = (word.startMs + word.endMs) / 2;
    return middle >= startMs && middle < endMs;
  });
  const text = heard.map((word) => word.text).join(' ');
  if (format === 'json') return { text };
  const segments: (typeof WHISPER & {
    id: number;
    start: number;
    end: number;
    text: string;
    speaker?: string;
  })[] = [];
  let isNew = true;
  for (const { text, speaker, ...times } of heard) {
    const start = Math.max(0, times.startMs - startMs) / 1000;
    const end = (Math.min(times.endMs, endMs) - startMs) / 1000;
    const id = segments.length;
    if (isNew)
      segments.push({ id, ...WHISPER, start, end, text: ` ${text}`, ...(speaker ? { speaker } : {}) });
    else Object.assign(segments.at(-1)!, { end, text: `${segments.at(-1)!.text} ${text}` });
    isNew = /[.!?]$/.test(text);
  }
  const duration = (endMs - startMs) / 1000;
  return { task: 'transcribe', language: 'english', duration, text, segments };
}
