import { join } from 'node:path';
import type { ToolContext } from '../../core/context.js';
import { stringAt } from '../../core/json.js';
import { CHECK, type ChecksItself } from '../../core/ports.js';
import { func, integer, options, parseOption, withDefault } from '../../core/schema.js';
import {
  createGuardedFetch,
  GUARDED_FETCH_FIELDS,
  type GuardedFetchOptions,
} from '../../web/guarded-fetch.js';
import type { Content } from '../content-source.js';
import { videoFailure } from '../youtube/video-failure.js';
import { aboutIn, YtDlp, ytDlpFields, type YtDlpOptions } from '../youtube/yt-dlp.js';

/** The context of a request, with what a source of sound needs in addition. */
export interface AudioContext extends ToolContext {
  /** A folder for this recording alone, readable by this user only. It is removed with everything in it when the work ends. */
  readonly folder: string;
  /**
   * To be called as soon as the length is known, before the download.
   * @throws TranscriptUnavailableError for a recording that is too long, BudgetExceededError for one that is too expensive
   */
  checkLength(seconds: number): void;
}

/** Sound of a recording, in any format that `ffmpeg` reads, and what is known about the recording. */
interface Audio extends Partial<
  Pick<Content, 'title' | 'channel' | 'description' | 'language' | 'chapters'>
> {
  /** Path of a file. It is removed if it lies in the folder of the context. */
  file: string;
}

/** Where the sound of a recording comes from. */
export interface AudioSource {
  /**
   * Gets the sound of a recording.
   *
   * @returns undefined where the source does not have it
   * @throws the content and upstream errors
   */
  open(id: string, context: AudioContext): Promise<Audio | undefined>;
}

interface YtDlpAudioOptions extends YtDlpOptions {
  /** Address of the page that `yt-dlp` reads. Default: that of the YouTube video. */
  url?: (id: string) => string;
}

/** Plain bounds: YouTube's audio has 1 MB a minute at most, so this is a recording of eight hours. */
const AUDIO_TIMEOUT_MS = 300_000;
const MAX_BYTES = 500 * 1024 * 1024;

const YT_DLP_OPTIONS = options({
  ...ytDlpFields(AUDIO_TIMEOUT_MS),
  url: withDefault(func<(id: string) => string>(), (id: string) => `https://www.youtube.com/watch?v=${id}`),
});

/** The smallest sound without a picture, of the original language; where there is none, the smallest with a picture. Nothing is converted. */
const SMALLEST = ['-f', 'bestaudio/best', '-S', 'lang,+size,+br', '--fixup', 'never'];

/**
 * Sound of YouTube videos, from an installed `yt-dlp`. It runs twice: once for what is known about the video, once for the download.
 *
 * @throws InvalidOptionError
 */
export function ytDlpAudio(options: YtDlpAudioOptions = {}): AudioSource & ChecksItself {
  const { url, ...program } = parseOption('ytDlpAudio', YT_DLP_OPTIONS, options);
  const ytDlp = new YtDlp(program, 'ytDlpAudio');
  return {
    [CHECK]: () => ytDlp[CHECK](),
    open: async (id, context) => {
      const { json, info } = await ytDlp.info(url(id), SMALLEST, context);
      const about = aboutIn(info);
      if (about.durationMs !== undefined) context.checkLength(about.durationMs / 1000);
      const wanted = [...SMALLEST, '--max-filesize', String(MAX_BYTES), '--no-part', '--no-mtime'];
      const file = await ytDlp.download(json, wanted, context.folder, context);
      if (!file) throw videoFailure('no_audio', { message: `The sound is larger than ${MAX_BYTES} bytes.` });
      return { ...about, language: stringAt(info, 'language'), file };
    },
  };
}

interface FetchedAudioOptions extends GuardedFetchOptions {
  /** For looking up, connecting, redirects and the whole download together, ms. Default 300,000. */
  timeoutMs?: number;
  /** Bytes of the file; a larger one is refused. Default 500 MiB. */
  maxBytes?: number;
}

const FETCH_OPTIONS = options({
  ...GUARDED_FETCH_FIELDS,
  timeoutMs: withDefault(integer(1), AUDIO_TIMEOUT_MS),
  maxBytes: withDefault(integer(1), MAX_BYTES),
});

/** Media types of sound; some servers name none of their own. */
const AUDIO_TYPES = [
  'audio/*',
  'video/*',
  'application/ogg',
  'application/octet-stream',
  'binary/octet-stream',
];

/**
 * Sound at an address, e.g. a recording of the host or the enclosure of a podcast. Fetched as pages are: only public addresses, and those of
 * `allowHosts`.
 *
 * @param url address for the id of a recording; undefined where there is none
 * @throws InvalidOptionError
 */
export function fetchedAudio(
  url: string | ((id: string) => string | undefined | Promise<string | undefined>),
  options: FetchedAudioOptions = {},
): AudioSource {
  const fetchFile = createGuardedFetch(parseOption('fetchedAudio', FETCH_OPTIONS, options));
  return {
    open: async (id, context) => {
      const address = typeof url === 'string' ? url : await url(id);
      if (address === undefined) return undefined;
      const file = join(context.folder, 'audio');
      await fetchFile(address, context.signal, { types: AUDIO_TYPES, file });
      return { file };
    },
  };
}
