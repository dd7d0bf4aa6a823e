import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolContext } from '../../core/context.js';
import type { ToolsError } from '../../core/errors.js';
import { arrayAt, numberAt, stringAt } from '../../core/json.js';
import { CHECK, type ChecksItself } from '../../core/ports.js';
import { checkProgram, runProgram, type ProgramResult } from '../../core/programs.js';
import { array, numberAbove, string, withDefault } from '../../core/schema.js';
import { cleanCaption } from '../captions/clean-text.js';
import { aboutVideo } from './chapters.js';
import {
  BLOCK_SECONDS,
  meaningOf,
  readableJson,
  upstreamMessage,
  videoFailure,
  type VideoFailureReason,
} from './video-failure.js';

/** Options of an installed `yt-dlp`. */
export interface YtDlpOptions {
  /** Name or path of the program. Default `yt-dlp`. */
  binary?: string;
  /** The host's own arguments, placed before ours, e.g. `['--proxy', 'http://…']` or `['--cookies', 'cookies.txt']`. */
  args?: readonly string[];
  /** Longest time for one run of the program, ms. A video takes two runs. Default 15,000; for audio 300,000. */
  timeoutMs?: number;
}

/** Schema of each of {@link YtDlpOptions}. @param timeoutMs default */
export const ytDlpFields = (timeoutMs: number) => ({
  binary: withDefault(string({ min: 1, expected: 'the name or path of a program' }), 'yt-dlp'),
  args: withDefault(array(string()), []),
  timeoutMs: withDefault(numberAbove(0), timeoutMs),
});

const INSTALL =
  'needs the program `yt-dlp`: pipx install yt-dlp (or apt install yt-dlp, brew install yt-dlp), or set its path in the option `binary`';

const OWN_ARGS = ['--ignore-config', '--no-progress', '--no-playlist'];

/**
 * Some videos need a JavaScript runtime, and only `deno` is enabled by default. This process is a Node; yt-dlp ignores one
 * that is too old (2026.08 wants Node 22).
 */
const JS_RUNTIME = ['--js-runtimes', `node:${process.execPath}`];

export class YtDlp implements ChecksItself {
  /** False once the program has said that it does not know the option (before 2025.11). */
  private knowsJsRuntimes = true;
  private readonly install: string;

  /** @param user function of this package that needs it, for messages */
  constructor(
    private readonly options: Required<YtDlpOptions>,
    user: string,
  ) {
    this.install = `${user}() ${INSTALL}`;
  }

  [CHECK](): Promise<void> {
    return checkProgram(this.options.binary, this.install);
  }

  /** @throws NotConfiguredError when it is not installed; UpstreamTimeoutError; the content and upstream errors */
  private async run(args: readonly string[], context: ToolContext): Promise<ProgramResult> {
    const { binary, args: hostArgs, timeoutMs } = this.options;
    const fixed = this.knowsJsRuntimes ? [...OWN_ARGS, ...JS_RUNTIME] : OWN_ARGS;
    const { install } = this;
    const all = [...fixed, ...hostArgs, ...args];
    const result = await runProgram(binary, all, { timeoutMs, install }, context);
    const { isOk, stderr } = result;
    if (this.knowsJsRuntimes && /no such option: --js-runtimes/.test(stderr)) {
      this.knowsJsRuntimes = false;
      return this.run(args, context);
    }
    const limited = /HTTP Error 429|Too Many Requests/i.test(stderr);
    if (limited) throw videoFailure('rate_limited', { retryAfterSeconds: BLOCK_SECONDS });
    if (!isOk) throw ytDlpFailure(stderr, 'refused');
    return result;
  }

  /** What it knows of a video, without downloading it. */
  async info(
    url: string,
    args: readonly string[],
    context: ToolContext,
  ): Promise<{ json: string; info: unknown; stderr: string }> {
    const { stdout: json, stderr } = await this.run([...args, '--dump-single-json', '--', url], context);
    return { json, info: parseInfo(json), stderr };
  }

  /**
   * Downloads something of a video into a folder.
   *
   * @returns path of the file; undefined where the program has skipped it, and yet exited with 0
   */
  async download(
    json: string,
    args: readonly string[],
    folder: string,
    context: ToolContext,
  ): Promise<string | undefined> {
    const info = join(folder, 'info.json');
    await writeFile(info, json, { mode: 0o600 });
    await this.run([...args, '-o', join(folder, 'file.%(ext)s'), '--load-info-json', info], context);
    const name = (await readdir(folder)).find((entry) => entry.startsWith('file.'));
    return name && join(folder, name);
  }
}

/** Title, channel, length and chapters in what `yt-dlp` knows of a video. */
export function aboutIn(info: unknown): ReturnType<typeof aboutVideo> {
  const starts = arrayAt(info, 'chapters').flatMap((chapter) => {
    const [title, seconds] = [
      cleanCaption(stringAt(chapter, 'title') ?? ''),
      numberAt(chapter, 'start_time'),
    ];
    return title && seconds !== undefined ? [{ title, startMs: Math.round(seconds * 1000) }] : [];
  });
  return aboutVideo(
    stringAt(info, 'title'),
    stringAt(info, 'channel') ?? stringAt(info, 'uploader'),
    stringAt(info, 'description'),
    numberAt(info, 'duration'),
    starts,
  );
}

/**
 * Makes the failure from the program's errors and warnings that quote YouTube. The program's other messages may name a proxy, so only a
 * quoted sentence reaches the client.
 */
export function ytDlpFailure(stderr: string, otherwise: VideoFailureReason): ToolsError {
  const quoted = [...stderr.matchAll(/^(?:ERROR|WARNING): \[youtube[^\]]*\] [^\s:]{1,100}: (.+)$/gm)].map(
    ([, sentence]) => sentence!,
  );
  const said = quoted.find((sentence) => meaningOf(sentence));
  const reason = said === undefined ? undefined : meaningOf(said);
  return videoFailure(reason ?? otherwise, {
    upstreamMessage: said && upstreamMessage(said),
    cause: new Error(stderr.slice(-2000)),
  });
}

function parseInfo(json: string): unknown {
  const info = readableJson(json);
  const live = stringAt(info, 'live_status');
  if (live === 'is_live') throw videoFailure('live');
  if (live === 'is_upcoming') throw videoFailure('upcoming');
  return info;
}
