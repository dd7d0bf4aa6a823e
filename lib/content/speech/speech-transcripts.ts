import type { Warning } from '../../core/warning.js';
import { rm } from 'node:fs/promises';
import { callersOf, fork, type ToolContext } from '../../core/context.js';
import { FairQueue } from '../../core/fair-queue.js';
import { ContentNotFoundError, ContentTooLongError, ToolsError } from '../../core/errors.js';
import { CHECK, type ChecksItself } from '../../core/ports.js';
import { withFolder } from '../../core/programs.js';
import { number, numberAbove, options, parseOption, port, string, withDefault } from '../../core/schema.js';
import { CONNECT, type ConnectsToModels } from '../../model/connect.js';
import type { ModelEnvironment } from '../../model/upstream.js';
import type { TranscriptSegment } from '../content-source.js';
import { clock } from '../transcript-formats.js';
import type { TranscriptProvider, VideoTranscript } from '../youtube/transcript-provider.js';
import { videoFailure } from '../youtube/video-failure.js';
import type { AudioContext, AudioSource } from './audio-source.js';
import { Ffmpeg, planPieces, type AudioPiece, type Recording, type AudioStretch } from './cut-audio.js';
import {
  Recognizer,
  SPEECH_MODEL,
  SPEECH_MODEL_OPTIONS,
  type SpeechModel,
  type SpeechModelOptions,
} from './recognizer.js';

/** Options of {@link speechTranscripts}. */
export interface SpeechOptions {
  /** A transcription model of the AI SDK, e.g. `groq.transcription('…')`, or a server: `{ baseURL, model, apiKey }`. */
  model: SpeechModel;
  /** Where the sound comes from: `ytDlpAudio()`, `fetchedAudio(…)`, or the host's own. */
  audio: AudioSource;
  /** Longest recording that is recognized while the client waits, minutes. Default 20. */
  maxMinutes?: number;
  /** Longest recording that is recognized in a job, minutes. Default 180. */
  maxJobMinutes?: number;
  /** Price of a minute of sound, in the currency of `budget.money` and `limits.dailyCost`. Default 0. */
  pricePerMinute?: number;
  /** Longest piece that is sent, minutes, 1..60: 20 minutes are 7 MB. Default 20. */
  pieceMinutes?: number;
  /** Limits, retries and options of the model's calls. */
  modelOptions?: SpeechModelOptions;
  /** Name or path of the program `ffmpeg`. Default `ffmpeg`. */
  ffmpeg?: string;
}

const OPTIONS = options<Required<SpeechOptions>>({
  model: SPEECH_MODEL,
  audio: port<AudioSource>('AudioSource such as ytDlpAudio()', 'open'),
  maxMinutes: withDefault(numberAbove(0), 20),
  maxJobMinutes: withDefault(numberAbove(0), 180),
  pricePerMinute: withDefault(number(0), 0),
  pieceMinutes: withDefault(number(1, 60), 20),
  modelOptions: withDefault(SPEECH_MODEL_OPTIONS, {} as SpeechModelOptions),
  ffmpeg: withDefault(string({ min: 1, expected: 'the name or path of a program' }), 'ffmpeg'),
});

/** More than this share missing is an error and not a gap; set by hand. */
const MOST_MISSING = 0.2;
/** Below this share of speech the reader is warned; set by hand. */
const LITTLE_SPEECH = 0.5;
const MINUTE = 60_000; // ms

/**
 * Recognises the speech of recordings that have no captions. As a transcript provider it is asked last; a content source of the host calls
 * {@link SpeechTranscripts.recognize}.
 *
 * @throws InvalidOptionError
 */
export function speechTranscripts(options: SpeechOptions): SpeechTranscripts {
  return new SpeechTranscripts(options);
}

class SpeechTranscripts implements TranscriptProvider, ConnectsToModels, ChecksItself {
  readonly name = 'speech';
  readonly recognizes = true;
  private readonly options: Required<SpeechOptions>;
  private readonly ffmpeg: Ffmpeg;
  private readonly recognizer: Recognizer;
  private environment: ModelEnvironment = {};

  constructor(options: SpeechOptions) {
    this.options = parseOption('speechTranscripts', OPTIONS, options);
    const { model, modelOptions, ffmpeg } = this.options;
    this.ffmpeg = new Ffmpeg(ffmpeg);
    const resolved = parseOption('speechTranscripts.modelOptions', SPEECH_MODEL_OPTIONS, modelOptions);
    this.recognizer = new Recognizer(model, resolved, () => this.environment);
  }

  [CONNECT](environment: ModelEnvironment): void {
    this.environment = environment;
  }

  async [CHECK](signal: AbortSignal): Promise<void> {
    await this.ffmpeg[CHECK]();
    await (this.options.audio as Partial<ChecksItself>)[CHECK]?.(signal);
  }

  fetchTranscript(
    videoId: string,
    ...[, context]: [request: unknown, context: ToolContext]
  ): Promise<VideoTranscript> {
    return this.recognize(videoId, context);
  }

  /**
   * Recognises a recording: sound → pieces → words → one transcript. Everything that it writes is removed when it ends.
   *
   * @param id of the recording, as its {@link AudioSource} knows it
   * @throws TranscriptUnavailableError (`no_audio`, `low_speech`, `too_long_to_recognize`), ContentTooLongError for what the budget does not
   *   cover, NotConfiguredError for a missing program, the content and upstream errors, the context's reason
   */
  recognize(id: string, context: ToolContext): Promise<VideoTranscript> {
    return withFolder(async (folder) => {
      const checkLength = (seconds: number): void => this.checkLength(seconds, context);
      context.progress({ stage: 'download' });
      const audioContext: AudioContext = { ...context, folder, checkLength };
      const audio = await this.options.audio.open(id, audioContext);
      if (!audio) throw new ContentNotFoundError('There is no sound of this recording.');
      const { file, title, channel, description, language, chapters = [] } = audio;
      const recording = await this.ffmpeg.decode(file, folder, this.mostMinutes(context) * 60, context);
      if (file.startsWith(folder)) await rm(file, { force: true });
      const { durationMs, silences } = recording;
      checkLength(durationMs / 1000);
      const silentMs = silences.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
      if (silentMs >= durationMs * 0.99) throw videoFailure('low_speech');
      const heard = await this.heard(recording, folder, context);
      const { isEstimated, missing } = heard;
      const { withoutInventions } = await import('./heard-segments.js');
      const { segments, removedWords } = withoutInventions(heard.segments, isEstimated ? [] : silences);
      if (segments.length === 0) throw videoFailure('low_speech');
      const text = segments.map(({ text }) => text).join(' ');
      // Loaded with the first recording, not with the host: the words of sixty languages.
      const { spokenLanguage } = await import('./spoken-language.js');
      const spoken = spokenLanguage(language, heard.languages, text);
      const warnings = this.warnings(segments, durationMs, missing, isEstimated, removedWords);
      return {
        title,
        channel,
        description,
        durationMs: Math.round(durationMs),
        language: spoken.language,
        captions: 'recognized',
        segments,
        chapters,
        warnings: [...warnings, ...(spoken.warning ? [spoken.warning] : [])],
      };
    });
  }

  private mostMinutes({ inJob }: ToolContext): number {
    return inJob ? this.options.maxJobMinutes : this.options.maxMinutes;
  }

  private checkLength(seconds: number, context: ToolContext): void {
    const minutes = seconds / 60;
    const { maxJobMinutes, pricePerMinute } = this.options;
    const most = this.mostMinutes(context);
    if (minutes > most) {
      const inJob = minutes <= maxJobMinutes;
      const where = context.inJob ? 'a job' : 'a request';
      const message = `There are no captions, and the recording is longer than the ${most} minutes whose speech is recognized in ${where}.`;
      const hint = inJob
        ? `Recordings of up to ${maxJobMinutes} minutes are recognized in a job: send \`Prefer: respond-async\` if this server takes jobs (option \`jobs\`). The limit in a request is the option \`maxMinutes\`.`
        : `The limit is the option \`${context.inJob ? 'maxJobMinutes' : 'maxMinutes'}\` of speechTranscripts.`;
      throw videoFailure('too_long_to_recognize', { message, hint });
    }
    const { money } = this.environment.budget ?? {};
    const cost = minutes * pricePerMinute;
    if (money !== undefined && cost > money)
      throw new ContentTooLongError(
        `Recognising the speech costs about ${cost.toFixed(4)}; a request may cost ${money} (option \`budget.money\`).`,
      );
  }

  /** Sends the pieces side by side. @throws the first error when too much is missing */
  private async heard(recording: Recording, folder: string, context: ToolContext) {
    const plan = planPieces(recording, this.options.pieceMinutes * MINUTE);
    const missing: AudioStretch[] = [];
    let done = 0;
    const progress = (): void => context.progress({ stage: 'transcribe', done, total: plan.length });
    progress();
    const { context: forked, abort, dispose } = fork(context);
    const hear = async (piece: AudioPiece) => {
      const pieces = [];
      try {
        const { timedSegments } = await import('./heard-segments.js');
        const heard = await this.recognizePiece(recording, piece, folder, forked);
        const { language, text } = heard;
        pieces.push({ ...timedSegments(heard, piece), language, length: text.length });
      } catch (error) {
        forked.signal.throwIfAborted();
        // A budget that is used up is the caller's, and lets no other piece pass.
        if (!ToolsError.isInstance(error) || error.getStatus() < 500) throw error;
        missing.push(piece);
        const missingMs = missing.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
        if (missingMs > recording.durationMs * MOST_MISSING) throw error;
      }
      done++;
      progress();
      return pieces;
    };
    const queue = new FairQueue({ slots: this.recognizer.maxParallelCalls });
    const applicant = { callers: () => callersOf(forked), signal: forked.signal };
    try {
      // All of them end before their files are removed.
      const all = await Promise.all(
        plan.map((piece) => queue.run(applicant, () => hear(piece)).catch(abort)),
      );
      forked.signal.throwIfAborted();
      const heard = all.flatMap((pieces) => pieces ?? []);
      return {
        segments: heard.flatMap(({ segments }) => segments).sort((a, b) => a.startMs - b.startMs),
        missing: missing.sort((a, b) => a.startMs - b.startMs),
        isEstimated: heard.some(({ segments, isEstimated }) => isEstimated && segments.length > 0),
        /** Of each piece, with the length of its words. */
        languages: heard,
      };
    } finally {
      dispose();
    }
  }

  private async recognizePiece(
    recording: Recording,
    piece: AudioPiece,
    folder: string,
    context: ToolContext,
  ) {
    const path = await this.ffmpeg.cut(recording, piece, folder, context);
    const minutes = (piece.endMs - piece.startMs) / MINUTE;
    const price = { minutes, cost: minutes * this.options.pricePerMinute };
    try {
      return await this.recognizer.recognize(path, price, context);
    } finally {
      await rm(path, { force: true });
    }
  }

  private warnings(
    segments: readonly TranscriptSegment[],
    durationMs: number,
    missing: readonly AudioStretch[],
    isEstimated: boolean,
    removedWords: number,
  ): Warning[] {
    const { name } = this.recognizer;
    const spokenMs = segments.reduce(
      (sum, { nonSpeech, startMs, endMs }) => sum + (nonSpeech ? 0 : endMs - startMs),
      0,
    );
    const gaps = missing.map(({ startMs, endMs }) => `${clock(startMs)}–${clock(endMs)}`).join(', ');
    const all: (Warning | false)[] = [
      {
        code: 'speech_recognized',
        message: `There are no captions. ${name} has recognized the words, and may have misheard some.`,
      },
      missing.length > 0 && {
        code: 'transcript_incomplete',
        message: `The speech of these parts could not be recognized: ${gaps}.`,
        transient: true,
      },
      isEstimated && {
        code: 'times_estimated',
        message: `${name} gives no times: those of the words are estimates.`,
      },
      removedWords > 0 && {
        code: 'words_removed',
        message: `${removedWords} words were left out: ${name} repeated them over and over, or heard them in silence.`,
      },
      spokenMs < durationMs * LITTLE_SPEECH && {
        code: 'little_speech',
        message: 'Less than half of the recording holds speech.',
      },
    ];
    return all.filter((warning) => warning !== false);
  }
}
