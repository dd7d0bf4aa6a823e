import { execFile } from 'node:child_process';
import { access, constants, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, sep } from 'node:path';
import { withFork } from '../../../core/context.js';
import {
  type ToolsError,
  NotConfiguredError,
  UpstreamInvalidError,
  UpstreamTimeoutError,
} from '../../../core/errors.js';
import { at, arrayAt, numberAt, parseJson, stringAt } from '../../../core/json.js';
import { CHECK, type ChecksItself } from '../../../core/ports.js';
import { array, numberAbove, options, parseOption, string, withDefault } from '../../../core/schema.js';
import type { Chapter } from '../../content-source.js';
import { cleanName } from '../captions/clean-text.js';
import { chaptersFromDescription, closeChapters } from '../chapters.js';
import {
  type CaptionTrack,
  type CaptionTracks,
  chooseTrack,
  languagesOf,
} from '../innertube/caption-tracks.js';
import type { ProviderContext, TranscriptProvider, VideoTranscript } from '../transcript-provider.js';
import { videoFailure, type VideoFailureReason } from '../video-failure.js';
import { RateLimitCircuit, restSeconds } from '../youtube-egress.js';
import { meaningOf, upstreamMessage } from '../youtube-messages.js';

/** Options of {@link ytDlpTranscripts}. */
export interface YtDlpOptions {
  /** Name or path of the program. Default `yt-dlp`. */
  binary?: string;
  /** The host's own arguments, placed before ours, e.g. `['--proxy', 'http://…']` or `['--cookies', 'cookies.txt']`. */
  args?: readonly string[];
  /** Longest time for one run of the program, ms. A video takes two runs. Default 15,000. */
  timeoutMs?: number;
}

const INSTALL =
  'ytDlpTranscripts() needs the program `yt-dlp`: pipx install yt-dlp (or apt install yt-dlp, brew install yt-dlp), or set its path in the option `binary`';

/** Ignores the user's configuration, downloads no video, and accepts a video without formats: only captions are wanted. */
const OWN_ARGS = ['--ignore-config', '--no-progress', '--skip-download', '--ignore-no-formats-error'];

/**
 * Some videos need a JavaScript runtime, and only `deno` is enabled by default. This process is a Node; yt-dlp ignores one
 * that is too old (2026.08 wants Node 22).
 */
const JS_RUNTIME = ['--js-runtimes', `node:${process.execPath}`];

const FORMATS = 'json3/srv3/vtt/best';

const OPTIONS = options({
  binary: withDefault(string({ min: 1, expected: 'the name or path of a program' }), 'yt-dlp'),
  args: withDefault(array(string()), []),
  timeoutMs: withDefault(numberAbove(0), 15_000),
});

/**
 * Captions from an installed `yt-dlp`, with the host's own proxy or cookies. The program runs twice: once for the list of
 * captions, once for the chosen track. It gets an argument vector without a shell, and the video's address after `--`.
 *
 * @throws InvalidOptionError; NotConfiguredError with the install command at the first video, after a warning at start
 */
export function ytDlpTranscripts(given: YtDlpOptions = {}): TranscriptProvider & ChecksItself {
  const { binary, args: hostArgs, timeoutMs } = parseOption('ytDlpTranscripts', OPTIONS, given);
  const circuit = new RateLimitCircuit('YouTube');
  /** False once the program has said that it does not know the option (before 2025.11). */
  let knowsJsRuntimes = true;

  async function run(args: readonly string[], context: ProviderContext): Promise<ProgramResult> {
    const own = knowsJsRuntimes ? [...OWN_ARGS, ...JS_RUNTIME] : OWN_ARGS;
    const result = await runProgram(binary, [...own, ...hostArgs, ...args], timeoutMs, context);
    const { isOk, stderr } = result;
    if (knowsJsRuntimes && /no such option: --js-runtimes/.test(stderr)) {
      knowsJsRuntimes = false;
      return run(args, context);
    }
    const limited = /HTTP Error 429|Too Many Requests/i.test(stderr);
    if (limited) throw videoFailure('rate_limited', { retryAfterSeconds: restSeconds() });
    if (!isOk) throw failureOf(stderr, 'refused');
    return result;
  }

  /** Returns the text of one caption file. The program fetches it with its own proxy and cookies. */
  async function download(info: string, track: CaptionTrack, context: ProviderContext): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'nestjs-tools-'));
    try {
      const infoFile = join(folder, 'info.json');
      await writeFile(infoFile, info);
      const kind = track.kind === 'manual' ? '--write-subs' : '--write-auto-subs';
      const wanted = [kind, '--sub-langs', track.language, '--sub-format', FORMATS];
      const files = ['-o', join(folder, 'captions.%(ext)s'), '--load-info-json', infoFile];
      await run([...wanted, ...files], context);
      const file = (await readdir(folder)).find((name) => name.startsWith('captions.'));
      // The program skips captions that it cannot get and still exits with 0.
      if (!file) throw videoFailure('gated_captions');
      return await readFile(join(folder, file), 'utf8');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async function transcriptOf(
    videoId: string,
    languages: readonly string[],
    context: ProviderContext,
  ): Promise<VideoTranscript> {
    const url = `https://www.youtube.com/watch?v=${videoId}`;
    const { stdout: json, stderr } = await run(['--dump-single-json', '--no-playlist', '--', url], context);
    const info = parseInfo(json);
    const tracks = tracksOf(info);
    const track = chooseTrack(tracks, languages);
    if (!track) throw failureOf(stderr, 'no_captions');
    const { readCaptions } = await import('../captions/read-captions.js');
    const segments = await readCaptions(await download(json, track, context), context.signal);
    const seconds = numberAt(info, 'duration') ?? 0;
    const durationMs = seconds > 0 ? seconds * 1000 : undefined;
    return {
      title: cleanName(stringAt(info, 'title')),
      channel: cleanName(stringAt(info, 'channel') ?? stringAt(info, 'uploader')),
      description: stringAt(info, 'description'),
      durationMs,
      language: track.language.replace(/-orig$/, ''),
      captions: track.kind,
      segments,
      chapters: chaptersOf(info, durationMs),
      availableLanguages: [...new Set(languagesOf(tracks).map((tag) => tag.replace(/-orig$/, '')))],
    };
  }

  return {
    name: 'yt-dlp',
    [CHECK]: () => checkProgram(binary),
    fetchTranscript: (videoId, { languages }, context) =>
      circuit.run(context, () => transcriptOf(videoId, languages, context)),
  };
}

/**
 * Makes the failure from the program's errors and warnings that quote YouTube. The program's other messages may name a proxy, so only a
 * quoted sentence reaches the client.
 */
function failureOf(stderr: string, otherwise: VideoFailureReason): ToolsError {
  const quoted = [...stderr.matchAll(/^(?:ERROR|WARNING): \[youtube[^\]]*\] [\w-]{11}: (.+)$/gm)].map(
    ([, sentence]) => sentence!,
  );
  const reason = meaningOf(quoted.join('\n'));
  const said = reason && quoted.find((sentence) => meaningOf(sentence) === reason);
  return videoFailure(reason ?? otherwise, {
    upstreamMessage: said && upstreamMessage(said),
    cause: new Error(stderr.slice(-2000)),
  });
}

function parseInfo(json: string): unknown {
  let info: unknown;
  try {
    info = parseJson(json);
  } catch (error) {
    throw videoFailure('unreadable', { cause: error });
  }
  const live = stringAt(info, 'live_status');
  if (live === 'is_live') throw videoFailure('live');
  if (live === 'is_upcoming') throw videoFailure('upcoming');
  return info;
}

/** Reads `subtitles` and `automatic_captions`. The latter include YouTube's translations, which have `tlang` in their address. */
function tracksOf(info: unknown): CaptionTracks {
  const tracks: CaptionTrack[] = [];
  const add = (member: string, kind: CaptionTrack['kind']): void => {
    for (const language of Object.keys((at(info, member) ?? {}) as object)) {
      const url = stringAt(info, member, language, 0, 'url') ?? '';
      if (language === 'live_chat' || /[?&]tlang=/.test(url)) continue;
      tracks.push({ url, language, kind, translatable: false, named: false });
    }
  };
  add('subtitles', 'manual');
  add('automatic_captions', 'automatic');
  const original = tracks.find(({ language }) => language.endsWith('-orig'));
  const recognised = original ?? tracks.find(({ kind }) => kind === 'automatic');
  return { tracks, spoken: recognised?.language.replace(/-orig$/, '') ?? stringAt(info, 'language') };
}

function chaptersOf(info: unknown, durationMs: number | undefined): Chapter[] {
  const starts = arrayAt(info, 'chapters').flatMap((chapter) => {
    const [title, seconds] = [cleanName(stringAt(chapter, 'title')), numberAt(chapter, 'start_time')];
    return title && seconds !== undefined ? [{ title, startMs: Math.round(seconds * 1000) }] : [];
  });
  return starts.length > 0
    ? closeChapters(starts, durationMs)
    : chaptersFromDescription(stringAt(info, 'description') ?? '', durationMs);
}

/** Looks for a program as the operating system does. @throws NotConfiguredError with the install command */
async function checkProgram(program: string): Promise<void> {
  const folders = program.includes(sep) ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  const endings = process.platform === 'win32' ? ['', '.exe', '.cmd'] : [''];
  const places = folders.flatMap((folder) => endings.map((ending) => join(folder, program + ending)));
  const found = await Promise.allSettled(places.map((place) => access(place, constants.X_OK)));
  if (found.every(({ status }) => status === 'rejected')) throw new NotConfiguredError(INSTALL);
}

interface ProgramResult {
  isOk: boolean;
  stdout: string;
  /** The last 64 kB. */
  stderr: string;
}

/** Bytes of output. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_STDERR = 64 * 1024;

/**
 * Runs a program with an argument vector and without a shell. Kills it when its time is up or the caller leaves.
 *
 * @throws NotConfiguredError when it is not installed; UpstreamTimeoutError; UpstreamInvalidError when its output is too large; the
 *   context's reason when it is aborted
 */
function runProgram(
  program: string,
  args: readonly string[],
  timeoutMs: number,
  context: ProviderContext,
): Promise<ProgramResult> {
  const onTimeout = (): Error => new UpstreamTimeoutError(`The program did not end within ${timeoutMs} ms.`);
  return withFork(
    context,
    { ms: timeoutMs, onTimeout },
    ({ signal }) =>
      new Promise((resolve, reject) => {
        const limits = { signal, killSignal: 'SIGKILL', maxBuffer: MAX_BYTES, windowsHide: true } as const;
        const child = execFile(program, args, limits, (error, stdout, stderr) => {
          const code = error?.code as unknown;
          if (code === 'ENOENT' || code === 'EACCES') reject(new NotConfiguredError(INSTALL));
          else if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
            reject(new UpstreamInvalidError(`The output of the program is larger than ${MAX_BYTES} bytes.`));
          else if (error && typeof code === 'string') reject(error);
          else resolve({ isOk: error === null, stdout, stderr: stderr.slice(-MAX_STDERR) });
        });
        child.stdin?.end();
      }),
  );
}
