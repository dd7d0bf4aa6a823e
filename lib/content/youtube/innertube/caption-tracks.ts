import type { CaptionsKind } from '../../content-source.js';
import { at, arrayAt, stringAt } from '../../../core/json.js';

/** One caption track that a video offers. */
export interface CaptionTrack {
  url: string;
  /** BCP 47 tag. */
  language: string;
  kind: Exclude<CaptionsKind, 'translated'>;
  /** True for a further track in the language (commentary, forced subtitles). Its name is part of its address. */
  named: boolean;
}

/** The tracks of a video, and the spoken language if YouTube says it. */
export interface CaptionTracks {
  tracks: CaptionTrack[];
  /** BCP 47 tag of the spoken language, from the automatic track of the original audio. */
  spoken?: string;
  /** The track that YouTube's player shows by default. */
  byDefault?: CaptionTrack;
}

/** Reads `captions.playerCaptionsTracklistRenderer` of a player response. */
export function readCaptionTracks(response: unknown): CaptionTracks {
  const list = at(response, 'captions', 'playerCaptionsTracklistRenderer');
  const all = arrayAt(list, 'captionTracks').map(toTrack);
  const audio = originalAudio(list);
  const ofAudio = arrayAt(audio, 'captionTrackIndices').map((index) => all[Number(index)]);
  const automatic = (tracks: readonly (CaptionTrack | undefined)[]): CaptionTrack | undefined =>
    tracks.find((track) => track?.kind === 'automatic');
  const defaultIndex = at(audio, 'defaultCaptionTrackIndex');
  return {
    tracks: all.filter((track) => track !== undefined),
    spoken: (automatic(ofAudio) ?? automatic(all))?.language,
    byDefault: typeof defaultIndex === 'number' ? all[defaultIndex] : undefined,
  };
}

/** Dubbed videos have an automatic track for each language. The id of the original ends in `.4`; otherwise the default one counts. */
function originalAudio(list: unknown): unknown {
  const audios = arrayAt(list, 'audioTracks');
  return (
    audios.find((audio) => stringAt(audio, 'audioTrackId')?.endsWith('.4')) ??
    audios[Number(at(list, 'defaultAudioTrackIndex') ?? 0)]
  );
}

function toTrack(track: unknown): CaptionTrack | undefined {
  const url = stringAt(track, 'baseUrl');
  const language = stringAt(track, 'languageCode');
  if (!url || !language) return undefined;
  return {
    url,
    language,
    kind: stringAt(track, 'kind') === 'asr' ? 'automatic' : 'manual',
    named: Boolean(stringAt(track, 'trackName')) || /[?&]name=[^&]/.test(url),
  };
}

export const languagesOf = ({ tracks }: CaptionTracks): string[] => [
  ...new Set(tracks.map(({ language }) => language)),
];

/**
 * Chooses the track for the wanted languages, in their order: written in the language, else recognised in it. Where there is none of them:
 * written in the spoken language, else recognised in it. When the spoken language is unknown: the default track of YouTube's player, else the first one. The caller finds the actual language
 * in `language`.
 *
 * @param wanted BCP 47 by preference; `pt` takes `pt-BR`
 */
export function chooseTrack(
  { tracks, spoken, byDefault }: CaptionTracks,
  wanted: readonly string[],
): CaptionTrack | undefined {
  const find = (language: string): CaptionTrack | undefined =>
    best(tracks, language, 'manual') ?? best(tracks, language, 'automatic');
  for (const language of wanted) {
    const track = find(language);
    if (track) return track;
  }
  return spoken === undefined ? (byDefault ?? tracks.find(({ named }) => !named) ?? tracks[0]) : find(spoken);
}

/** The best track of a kind in a language: tracks without a name first, then the exact tag. */
function best(
  tracks: readonly CaptionTrack[],
  wanted: string,
  kind: CaptionTrack['kind'],
): CaptionTrack | undefined {
  const isExact = ({ language }: CaptionTrack): boolean => language.toLowerCase() === wanted.toLowerCase();
  return tracks
    .filter((track) => track.kind === kind && sameLanguage(track.language, wanted))
    .sort((a, b) => Number(a.named) - Number(b.named) || Number(isExact(b)) - Number(isExact(a)))[0];
}

/** True for two tags of one language, whatever the region (`pt`, `pt-BR`). */
export function sameLanguage(a: string, b: string): boolean {
  const base = (tag: string): string | undefined => tag.toLowerCase().split(/[-_]/, 1)[0];
  return base(a) === base(b);
}
