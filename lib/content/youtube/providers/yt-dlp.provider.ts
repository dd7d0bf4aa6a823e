import { readFile } from 'node:fs/promises';
import { arrayAt, at, numberAt, stringAt } from '../../../core/json.js';
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
import { noSuchList } from '../lists/innertube-list.js';
import { addressOf, type ListedVideo, type VideoListProvider } from '../lists/video-list.js';
import type { ProviderContext, TranscriptProvider } from '../transcript-provider.js';
import { outcomeOf, videoFailure } from '../video-failure.js';
import { aboutIn, ytDlpFailure, YtDlp, ytDlpFields, type YtDlpOptions } from '../yt-dlp.js';

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
export function ytDlpTranscripts(options: YtDlpOptions = {}): TranscriptProvider & ChecksItself {
  const program = new YtDlp(parseOption('ytDlpTranscripts', OPTIONS, options), 'ytDlpTranscripts');

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
      if (!track) throw ytDlpFailure(stderr, 'no_captions');
      const { readCaptions } = await import('../../captions/read-captions.js');
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
  const recognized = original ?? tracks.find(({ kind }) => kind === 'automatic');
  const spoken = recognized?.language ?? stringAt(info, 'language');
  return { tracks, spoken };
}

/**
 * Lists of videos from an installed `yt-dlp` (`--flat-playlist`), with the host's own proxy or cookies. Dates are approximate, as YouTube's
 * pages show them.
 *
 * @throws InvalidOptionError; NotConfiguredError with the install command at the first list
 */
export function ytDlpVideos(options: YtDlpOptions = {}): VideoListProvider {
  const program = new YtDlp(parseOption('ytDlpVideos', OPTIONS, options), 'ytDlpVideos');
  return {
    name: 'yt-dlp',
    async listVideos({ kind, value, page, count }, context) {
      const from = page === undefined ? 1 : Number(/^\d{1,5}$/.exec(page)?.[0] ?? NaN);
      if (!(from >= 1))
        throw videoFailure('unreadable', { message: 'The mark of the page is not one of yt-dlp.' });
      const last = from + count - 1;
      const address = addressOf({ kind, value });
      const url = { playlist: address, channel: `${address}/videos`, query: `ytsearch${last}:${value}` }[
        kind
      ];
      const args = ['--flat-playlist', '--playlist-items', `${from}:${last}`, ...APPROXIMATE_DATES];
      const { info } = await program.info(url, args, context).catch((error: unknown) => {
        throw outcomeOf(error) === 'not_found' ? noSuchList({ kind, value }) : error;
      });
      const entries = arrayAt(info, 'entries');
      return {
        title: stringAt(info, 'title'),
        total: kind === 'query' ? undefined : numberAt(info, 'playlist_count'),
        items: entries.flatMap(listedVideo),
        ...(entries.length === count ? { next: String(last + 1) } : {}),
      };
    },
  };
}

/** Without it `--flat-playlist` gives no dates. */
const APPROXIMATE_DATES = ['--extractor-args', 'youtubetab:approximate_date'];

function listedVideo(entry: unknown): ListedVideo[] {
  const [id, title] = [stringAt(entry, 'id'), stringAt(entry, 'title')];
  // Lists of a channel may hold playlists. yt-dlp keeps removed videos, with a title in brackets and nothing else.
  if (!id || !title || !/^[\w-]{11}$/.test(id) || /^\[(?:Private|Deleted) video\]$/.test(title)) return [];
  const seconds = numberAt(entry, 'timestamp');
  const duration = numberAt(entry, 'duration');
  return [
    {
      id,
      title,
      channel: stringAt(entry, 'channel') ?? stringAt(entry, 'uploader'),
      durationMs: duration === undefined ? undefined : duration * 1000,
      publishedAt: seconds === undefined ? undefined : new Date(seconds * 1000).toISOString().slice(0, 10),
      views: numberAt(entry, 'view_count'),
      isLive: ['is_live', 'is_upcoming'].includes(stringAt(entry, 'live_status') ?? ''),
    },
  ];
}
