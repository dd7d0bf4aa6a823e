import { join } from 'node:path';
import type { ToolContext } from '../../core/context.js';
import { CHECK, type ChecksItself } from '../../core/ports.js';
import { checkProgram, runProgram, type ProgramResult } from '../../core/programs.js';
import { clock } from '../transcript-formats.js';
import { videoFailure } from '../youtube/video-failure.js';

/** A stretch of a recording, ms from its start. */
export interface AudioStretch {
  startMs: number;
  endMs: number;
}

/** A recording that was decoded. */
export interface Recording {
  /** FLAC, mono, 16 kHz, 16 bits. */
  file: string;
  durationMs: number;
  /** Pauses of at least {@link LEAST_SILENCE} seconds, in order. */
  silences: AudioStretch[];
  /** Stretches of {@link NO_SOUND} without any sound, in order. They are not sent. */
  soundless: AudioStretch[];
}

/** A part of a recording that is recognized by itself. */
export interface AudioPiece extends AudioStretch {
  index: number;
}

/** What two pieces share where there is no pause to cut at, ms: words there may appear twice, but none is lost; set by hand. */
export const OVERLAP_MS = 2000;
/** How far from the ideal place a recording is cut, as a share of a piece; set by hand. */
const NEAR = 0.25;
/** Shortest pause at which a recording is cut, s. Between two sentences it is about 0.4 s. Set by hand. */
const LEAST_SILENCE = 0.2;
/** No sound at all for half a minute, which is what Whisper listens to at a time: a paused stream or a muted microphone. */
const NO_SOUND = 'silencedetect=noise=-60dB:d=30';
/** What is sent of such a stretch before and behind the sound, ms; set by hand. */
const BRINK_MS = 500;
/**
 * Silence is this much below the mean volume of the recording, dB: a fixed level would take a recording that is quiet as a whole for silence.
 * Levels are kept within the range below, because noise is no speech and a clipped recording has pauses too; set by hand.
 */
const BELOW_MEAN = 12;
const QUIETEST = -60;
const LOUDEST = -25;
const SPEECH = 'aformat=sample_rates=16000:sample_fmts=s16';
/**
 * Fills gaps between timestamps, and the time before the sound begins, with silence: streams that were paused have them, and tracks that begin
 * late. Otherwise the sound is shorter than the recording, and its words come too early. The program holds the silence of a gap in memory, 80
 * bytes a millisecond, so that no gap goes beyond the end.
 */
const fillGaps = (most: number): string[] => [
  `asetpts='if(gt(T,${most}),${most}/TB,PTS)'`,
  'aresample=async=1:first_pts=0',
];
/** Mixing costs 3 dB where the channels differ, and 6 dB where one is silent. Set by hand. */
const CANCELLED = 15;
/** What a piece may be shorter than its stretch, ms; set by hand. */
const MISSING_MS = 500;
/** Bit rate of a piece. Speech of one channel at 16 kHz needs no more; 20 minutes are 7 MB, an hour is 22 MB. */
const BITRATE = '48k';
/** Longest run of the program, ms. An hour of sound takes some seconds. A plain bound. */
const TIMEOUT_MS = 600_000;

/** The formats that recordings come in. Playlists, which could name other files and addresses, are not among them. */
const FORMATS = 'aac,aiff,amr,asf,avi,caf,flac,flv,matroska,mov,mp3,mpeg,mpegts,ogg,w64,wav';
const QUIET = ['-hide_banner', '-nostdin', '-nostats'];

const INSTALL =
  'speechTranscripts() needs the program `ffmpeg`: apt install ffmpeg (or brew install ffmpeg), or set its path in the option `ffmpeg`';

/** An installed `ffmpeg`. It gets argument vectors without a shell, and only reads and writes files. */
export class Ffmpeg implements ChecksItself {
  constructor(private readonly binary: string) {}

  private run(args: readonly string[], context: ToolContext): Promise<ProgramResult> {
    return runProgram(this.binary, [...QUIET, ...args], { timeoutMs: TIMEOUT_MS, install: INSTALL }, context);
  }

  [CHECK](): Promise<void> {
    return checkProgram(this.binary, INSTALL);
  }

  /**
   * Decodes a file that came from outside, and finds its pauses.
   *
   * @param maxSeconds what is longer is cut off a second later
   * @throws TranscriptUnavailableError: `no_audio` for anything that has no sound; UpstreamTimeoutError
   */
  async decode(input: string, folder: string, maxSeconds: number, context: ToolContext): Promise<Recording> {
    const file = join(folder, 'speech.flac');
    const most = maxSeconds + 1;
    const decode = (mono: string): Promise<ProgramResult> => {
      const filters = ['volumedetect', mono, SPEECH, 'volumedetect', ...fillGaps(most), NO_SOUND].join(',');
      return this.run(
        [
          ...['-protocol_whitelist', 'file', '-format_whitelist', FORMATS, '-i', `file:${input}`],
          // Without `-map` it takes the sound track that is marked as the default.
          ...['-vn', '-sn', '-dn', '-map_metadata', '-1', '-t', String(most), '-af', filters],
          ...['-progress', 'pipe:1', '-f', 'flac', '-y', file],
        ],
        context,
      );
    };
    let decoded = await decode('aformat=channel_layouts=mono');
    const [before = NaN, after = NaN] = volumesIn(decoded);
    // Channels that are each other's opposite are silence when they are mixed.
    const isCancelled = after < before - CANCELLED;
    if (isCancelled) decoded = await decode('pan=mono|c0=c0');
    const mean = volumesIn(decoded)[1];
    const durationMs = lengthIn(decoded);
    // A file that is damaged after some minutes has sound up to there.
    if (!(durationMs > 0) || mean === undefined)
      throw videoFailure('no_audio', { cause: new Error(decoded.stderr.slice(-2000)) });
    const level = Math.max(QUIETEST, Math.min(LOUDEST, mean - BELOW_MEAN));
    const filter = `silencedetect=noise=${level}dB:d=${LEAST_SILENCE}`;
    const found = await this.run(['-i', `file:${file}`, '-af', filter, '-f', 'null', '-'], context);
    return {
      file,
      durationMs,
      silences: silencesIn(found, durationMs),
      soundless: silencesIn(decoded, durationMs),
    };
  }

  /** Writes a piece as MP3, which every recognizer reads. @returns path of the file */
  async cut(
    { file }: Recording,
    { index, startMs, endMs }: AudioPiece,
    folder: string,
    context: ToolContext,
  ): Promise<string> {
    const path = join(folder, `piece-${index}.mp3`);
    const range = ['-ss', seconds(startMs), '-t', seconds(endMs - startMs)];
    const asMp3 = ['-c:a', 'libmp3lame', '-b:a', BITRATE, '-id3v2_version', '0', '-f', 'mp3'];
    const progress = ['-progress', 'pipe:1'];
    const cut = await this.run([...range, '-i', `file:${file}`, ...asMp3, ...progress, path], context);
    // The program also ends with 0 where there is no sound to cut.
    if (!cut.isOk || lengthIn(cut) < endMs - startMs - MISSING_MS)
      throw videoFailure('no_audio', {
        message: `The sound of the recording cannot be read from ${clock(startMs)} to ${clock(endMs)}.`,
        cause: new Error(cut.stderr.slice(-2000)),
      });
    return path;
  }
}

const lengthIn = ({ stdout }: ProgramResult): number =>
  Number([...stdout.matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1] ?? 0) / 1000;

/** Mean volumes that a run has measured, dB, in the order of its filters. */
const volumesIn = ({ stderr }: ProgramResult): number[] =>
  [...stderr.matchAll(/^\[\w+ @ \w+\] mean_volume: (-?[\d.]+) dB$/gm)].map(([, volume]) => Number(volume));

function silencesIn({ stderr }: ProgramResult, durationMs: number): AudioStretch[] {
  const silences: AudioStretch[] = [];
  for (const [, what, at] of stderr.matchAll(
    /^\[(?:\w+_)?silencedetect(?:_\d+)? @ \w+\] silence_(start|end): (-?[\d.]+)/gm,
  )) {
    const ms = Math.max(0, Math.min(durationMs, Number(at) * 1000));
    if (what === 'start') silences.push({ startMs: ms, endMs: durationMs });
    else if (silences.length > 0) silences.at(-1)!.endMs = ms;
  }
  return silences;
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/**
 * Divides what has sound into pieces of about the same length. Cuts are in the middle of the longest pause near the ideal place. Without a
 * pause, two pieces overlap there.
 */
export function planPieces(
  { durationMs, silences, soundless = [] }: Pick<Recording, 'durationMs' | 'silences'> & Partial<Recording>,
  mostMs: number,
): AudioPiece[] {
  const starts = [0, ...soundless.map(({ endMs }) => endMs - BRINK_MS)];
  const ends = [...soundless.map(({ startMs }) => startMs + BRINK_MS), durationMs];
  return starts
    .map((startMs, i) => ({ startMs, endMs: ends[i]! }))
    .filter(({ startMs, endMs }) => endMs - startMs > 2 * BRINK_MS || soundless.length === 0)
    .flatMap((stretch) => divide(stretch, silences, mostMs))
    .map((piece, index) => ({ index, ...piece }));
}

function divide(
  { startMs, endMs }: AudioStretch,
  silences: readonly AudioStretch[],
  mostMs: number,
): AudioStretch[] {
  const pieces: AudioStretch[] = [];
  while (endMs - startMs > mostMs) {
    const ideal = (endMs - startMs) / Math.ceil((endMs - startMs) / (mostMs - OVERLAP_MS));
    const earliest = startMs + ideal * (1 - NEAR);
    const latest = startMs + Math.min(ideal * (1 + NEAR), mostMs);
    const [longest] = silences
      .map((silence) => ({
        middle: (silence.startMs + silence.endMs) / 2,
        length: silence.endMs - silence.startMs,
      }))
      .filter(({ middle }) => middle >= earliest && middle <= latest)
      .sort((a, b) => b.length - a.length);
    const cut = Math.floor(longest?.middle ?? startMs + ideal);
    const shared = longest ? 0 : OVERLAP_MS / 2;
    pieces.push({ startMs, endMs: cut + shared });
    startMs = cut - shared;
  }
  return [...pieces, { startMs, endMs }];
}
