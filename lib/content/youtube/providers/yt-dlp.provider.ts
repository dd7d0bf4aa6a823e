import { readFile } from 'node:fs/promises';
import { at, stringAt } from '../../../core/json.js';
import { CHECK, type ChecksItself } from '../../../core/ports.js';
import { withFolder } from '../../../core/programs.js';
import { options, parseOption } from '../../../core/schema.js';
import { languageTag } from '../../../text/languages.js';
import {
  type CaptionTrack,
  type CaptionTracks,
  chooseTrack,
  languagesOf,
} from '../innertube/caption-tracks.js';
import type { ProviderContext, TranscriptProvider } from '../transcript-provider.js';
import { videoFailure } from '../video-failure.js';
import { aboutIn, failureOf, YtDlp, ytDlpFields, type YtDlpOptions } from '../yt-dlp.js';

const OPTIONS = options(ytDlpFields(15_000));

/** What is read, by preference. Where a track has none of them, the program takes what there is. */
const FORMATS = 'json3/srv3/vtt/ttml/srt/best';

/** Downloads no video, and accepts a video without formats: only captions are wanted. */
const CAPTIONS_ONLY = ['--skip-download', '--ignore-no-formats-error'];

/**
 * Captions from an installed `yt-dlp`, with the host's own proxy or cookies. The program runs twice: once for the list of
 * captions, once for the chosen track. It gets an argument vector without a shell, and the video's address after `--`.
 *
 * @throws InvalidOptionError; NotConfiguredError with the install command at the first video, after a warning at start
 */
export function ytDlpTranscripts(given: YtDlpOptions = {}): TranscriptProvider & ChecksItself {
  const program = new YtDlp(parseOption('ytDlpTranscripts', OPTIONS, given), 'ytDlpTranscripts');

  /** Returns the text of one caption file. The program fetches it with its own proxy and cookies. */
  function download(info: string, track: CaptionTrack, context: ProviderContext): Promise<string> {
    return withFolder(async (folder) => {
      const kind = track.kind === 'manual' ? '--write-subs' : '--write-auto-subs';
      const wanted = [...CAPTIONS_ONLY, kind, '--sub-langs', track.code, '--sub-format', FORMATS];
      const file = await program.download(info, wanted, folder, context);
      // E.g. captions that need a PO token.
      if (!file) throw videoFailure('gated_captions');
      return readFile(file, 'utf8');
    });
  }

  return {
    name: 'yt-dlp',
    [CHECK]: () => program[CHECK](),
    async fetchTranscript(videoId, { languages }, context) {
      const url = `https://www.youtube.com/watch?v=${videoId}`;
      const { json, info, stderr } = await program.info(url, CAPTIONS_ONLY, context);
      const tracks = tracksOf(info);
      const track = chooseTrack(tracks, languages);
      if (!track) throw failureOf(stderr, 'no_captions');
      const { readCaptions } = await import('../captions/read-captions.js');
      const segments = await readCaptions(await download(json, track, context), context.signal);
      return {
        ...aboutIn(info),
        language: track.language,
        captions: track.kind,
        segments,
        availableLanguages: languagesOf(tracks),
      };
    },
  };
}

/** The program marks the captions of the original audio: `en-orig`. */
const withoutOrigin = (tag: string): string => tag.replace(/-orig$/, '');

/** Reads `subtitles` and `automatic_captions`. The latter include YouTube's translations, which have `tlang` in their address. */
function tracksOf(info: unknown): CaptionTracks {
  const tracks: CaptionTrack[] = [];
  const add = (member: string, kind: CaptionTrack['kind']): void => {
    for (const code of Object.keys((at(info, member) ?? {}) as object)) {
      const url = stringAt(info, member, code, 0, 'url') ?? '';
      if (code === 'live_chat' || /[?&]tlang=/.test(url)) continue;
      tracks.push({ url, code, language: languageTag(withoutOrigin(code)), kind, named: false });
    }
  };
  add('subtitles', 'manual');
  add('automatic_captions', 'automatic');
  const original = tracks.find(({ code }) => code !== withoutOrigin(code));
  const recognised = original ?? tracks.find(({ kind }) => kind === 'automatic');
  const spoken = recognised?.language ?? stringAt(info, 'language');
  return { tracks, spoken };
}
