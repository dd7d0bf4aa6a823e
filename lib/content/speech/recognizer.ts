import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { lazy } from '../../core/async.js';
import type { ToolContext } from '../../core/context.js';
import { UpstreamInvalidError } from '../../core/errors.js';
import {
  array,
  check,
  integer,
  map,
  number,
  object,
  optional,
  options,
  orElse,
  secret,
  string,
  union,
  validJson,
  withDefault,
  type Infer,
} from '../../core/schema.js';
import { isWebAddress } from '../../core/url.js';
import { secondsIn } from '../transcript-formats.js';
import { FORMAT_REFUSALS, isModel, loadAiSdk, type TranscriptionModelLike } from '../../model/ai-sdk.js';
import { REQUEST_MODEL_FIELDS, type RequestModelOptions } from '../../model/options.js';
import type { CallReport } from '../../model/model-telemetry.js';
import type { ModelEnvironment, ModelUpstream } from '../../model/upstream.js';

/** A server that speaks `POST /v1/audio/transcriptions`: whisper.cpp, speaches, LocalAI, Groq, OpenAI. */
interface SpeechServer {
  /** Address up to `/audio/transcriptions`, e.g. `http://127.0.0.1:8000/v1`. */
  baseURL: string;
  model: string;
  /** Sent as `Authorization: Bearer`. Default: none is sent. */
  apiKey?: string;
}

/** What recognizes speech: a transcription model of the AI SDK (package `ai` 6 or 7), or a server. */
export type SpeechModel = TranscriptionModelLike | SpeechServer;

/** How a model is called. Each has a default. */
export type SpeechModelOptions = Pick<RequestModelOptions, keyof typeof CALL_FIELDS>;

const { callsPerMinute, providerOptions, attempts, backOffMs } = REQUEST_MODEL_FIELDS;
const CALL_FIELDS = {
  /** Pieces that are recognized at the same time, over all recordings. */
  maxParallelCalls: withDefault(integer(1, 1000), 2),
  callsPerMinute,
  providerOptions,
  attempts,
  backOffMs,
  /** A machine without a graphics card may take as long as the recording. */
  callTimeoutMs: withDefault(integer(100, 3_600_000), 1_800_000),
};

export const SPEECH_MODEL_OPTIONS = options(CALL_FIELDS);

const SERVER = options<SpeechServer>({
  baseURL: check<string>('an http or https address', isWebAddress),
  model: string({ min: 1, expected: 'the name of a model' }),
  apiKey: optional(secret(string({ min: 1 }))),
});
export const SPEECH_MODEL = union(
  check<TranscriptionModelLike>(
    "a transcription model of the AI SDK, e.g. openai.transcription('…')",
    (value) => isModel(value, 'doGenerate'),
  ),
  SERVER,
);

export interface HeardSegment {
  text: string;
  /** Seconds from the start of the piece; undefined where the model gives none. */
  start?: number;
  end?: number;
  speaker?: string;
}

export interface Heard {
  text: string;
  /** Empty where the model gives no times. */
  segments: HeardSegment[];
  /** As the model names it: `en`, or `english`. */
  language?: string;
}

const SPEAKER = optional(union(string({ max: 100 }), map(number(), String)));
/** Seconds, as a number or in words: `3.5`, `3.5s`, `0:00:03.500`. */
const TIME = orElse(
  union(
    number(),
    map(string({ max: 30 }), (text) => secondsIn(text)),
  ),
  undefined,
);
/** One segment that cannot be read costs no other its times. */
const SEGMENT = orElse(
  object<HeardSegment>({
    text: orElse(string(), ''),
    start: TIME,
    end: TIME,
    speaker: orElse(SPEAKER, undefined),
  }),
  { text: '' },
);
const ANSWER = object({
  text: string({ max: 1_000_000 }),
  segments: orElse(array(SEGMENT), []),
  language: optional(orElse(string(), undefined)),
});

/** A model that recognizes speech, as all recordings of the process use it. Create one and keep it. */
export class Recognizer {
  /** Name of the model, for warnings. */
  readonly name: string;
  private readonly upstream: () => Promise<ModelUpstream>;
  /** False once the server has refused `verbose_json` and taken `json`. */
  private takesVerbose = true;

  /** @param environment what the module has for calls to models, asked for at the first call */
  constructor(
    private readonly model: SpeechModel,
    private readonly options: Infer<typeof SPEECH_MODEL_OPTIONS>,
    environment: () => ModelEnvironment,
  ) {
    this.name = isServer(model) ? model.model : typeof model === 'string' ? model : model.modelId;
    const named = isServer(model)
      ? { specificationVersion: '', provider: new URL(model.baseURL).hostname, modelId: model.model }
      : model;
    this.upstream = lazy(async () => {
      const { ModelUpstream } = await import('../../model/upstream.js');
      const resolved = {
        ...options,
        tokensPerMinute: undefined,
        inputPricePerMillion: undefined,
        cachedInputPricePerMillion: undefined,
      };
      return new ModelUpstream(named, 'speech', resolved, environment());
    });
  }

  get maxParallelCalls(): number {
    return this.options.maxParallelCalls;
  }

  /**
   * Recognises a piece of at most some megabytes, with retries.
   *
   * @throws UpstreamInvalidError, UpstreamUnavailableError or UpstreamTimeoutError after the retries; CircuitOpenError; MissingPeerError;
   *   the context's reason
   */
  async recognize(
    path: string,
    speech: { minutes: number; cost: number },
    context: ToolContext,
  ): Promise<Heard> {
    const upstream = await this.upstream();
    return upstream.call(context, (_, send) =>
      send<Heard & CallReport>({
        step: 'transcribe',
        inputTokens: 0,
        costs: { speech },
        ask: ({ context: { signal } }) =>
          isServer(this.model) ? this.ask(this.model, path, signal) : this.askSdk(this.model, path, signal),
      }),
    );
  }

  private async askSdk(
    model: TranscriptionModelLike,
    path: string,
    abortSignal: AbortSignal,
  ): Promise<Heard> {
    const ai = await loadAiSdk();
    const transcribe = ai.transcribe ?? ai.experimental_transcribe;
    if (!transcribe) throw new UpstreamInvalidError('The package `ai` that is installed cannot transcribe.');
    const provider = typeof model === 'string' ? undefined : model.provider.split('.', 1)[0]!;
    try {
      const { text, segments, language } = await transcribe({
        model,
        audio: await readFile(path, { signal: abortSignal }),
        // `@ai-sdk/openai` asks for times only where it is given options.
        providerOptions: {
          ...(provider === undefined ? {} : { [provider]: {} }),
          ...this.options.providerOptions,
        },
        maxRetries: 0,
        abortSignal,
      });
      const timed = segments.map(({ text, startSecond: start, endSecond: end }) => ({ text, start, end }));
      return { text, segments: timed, language };
    } catch (error) {
      // Nothing was said.
      if ((error as Error | undefined)?.name === 'AI_NoTranscriptGeneratedError')
        return { text: '', segments: [] };
      throw error;
    }
  }

  private async ask(server: SpeechServer, path: string, signal: AbortSignal): Promise<Heard> {
    const post = (format: string): Promise<Answer> => postAudio(server, format, path, signal);
    const { takesVerbose } = this;
    let answer = await post(takesVerbose ? 'verbose_json' : 'json');
    if (takesVerbose && FORMAT_REFUSALS.has(answer.statusCode)) {
      answer = await post('json');
      if (isSuccess(answer)) this.takesVerbose = false;
    }
    if (!isSuccess(answer)) throw Object.assign(new Error('The server refused the recording.'), answer);
    const heard = validJson(ANSWER, answer.responseBody);
    if (!heard) throw new UpstreamInvalidError('The speech recognition model answered with no transcript.');
    return heard;
  }
}

function isServer(model: SpeechModel): model is SpeechServer {
  return typeof model === 'object' && 'baseURL' in model;
}

/** An answer, with the names that errors of the AI SDK have: `toModelError` reads both. */
interface Answer {
  statusCode: number;
  responseHeaders: Record<string, string>;
  responseBody: string;
}

const isSuccess = ({ statusCode }: Answer): boolean => statusCode >= 200 && statusCode < 300;

/**
 * Sends a file as the form that OpenAI has defined (platform.openai.com/docs/api-reference/audio/createTranscription). Built on `node:http`,
 * because `fetch` gives up when a server has not begun to answer after five minutes.
 */
async function postAudio(
  { baseURL, model, apiKey }: SpeechServer,
  format: string,
  path: string,
  signal: AbortSignal,
): Promise<Answer> {
  const form = new FormData();
  form.set('model', model);
  form.set('response_format', format);
  form.set('file', new Blob([await readFile(path, { signal })], { type: 'audio/mpeg' }), 'audio.mp3');
  const encoded = new Response(form);
  const body = Buffer.from(await encoded.arrayBuffer());
  const url = new URL(`${baseURL.replace(/\/{1,20}$/, '')}/audio/transcriptions`);
  const headers = {
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    accept: 'application/json',
    'content-type': encoded.headers.get('content-type')!,
    'content-length': body.length,
  };
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const outgoing = send(url, { method: 'POST', headers, signal });
  // A server may answer before it has read all, and close the connection. Its answer counts.
  outgoing.on('error', () => undefined);
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const given = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return {
    statusCode: response.statusCode ?? 0,
    responseHeaders: Object.fromEntries(given) as Record<string, string>,
    responseBody: await text(response),
  };
}
