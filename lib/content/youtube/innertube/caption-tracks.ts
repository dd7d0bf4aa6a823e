import type { CaptionsKind } from '../../content-source.js';
import { at, arrayAt, stringAt } from '../../../core/json.js';
import { languageTag, sameLanguage, sameWriting, servesLanguage } from '../../../text/languages.js';

export interface CaptionTrack {
  url: string;
  /** As YouTube writes it: `en`, `iw`, `en-eEY6OEpapPo`. */
  code: string;
  language: string;
  kind: Exclude<CaptionsKind, 'translated'>;
  /** True for a further track in the language (commentary, forced subtitles). Its name is part of its address. */
  named: boolean;
}

/** Whether a code says more than language, script and region. */
const isFurther = (code: string): boolean => code.split(/[-_]/).length > languageTag(code).split('-').length;

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
  const code = stringAt(track, 'languageCode');
  if (!url || !code) return undefined;
  return {
    url,
    code,
    language: languageTag(code),
    kind: stringAt(track, 'kind') === 'asr' ? 'automatic' : 'manual',
    named: Boolean(stringAt(track, 'trackName')) || /[?&]name=[^&]/.test(url),
  };
}

export const languagesOf = ({ tracks }: CaptionTracks): string[] => [
  ...new Set(tracks.map(({ language }) => language)),
];

/**
 * Chooses the track for the wanted languages, in their order: written by people, else recognized. Where there is none of them: one in another
 * script of a wanted language, then one in the spoken language, then the default track of YouTube's player, then the first one. The caller
 * finds the actual language in `language`.
 *
 * @param wanted BCP 47 by preference; `pt` takes `pt-BR`
 */
export function chooseTrack(
  { tracks, spoken, byDefault }: CaptionTracks,
  wanted: readonly string[],
): CaptionTrack | undefined {
  const find = (language: string, serves: typeof sameLanguage): CaptionTrack | undefined =>
    best(tracks, language, 'manual', serves) ?? best(tracks, language, 'automatic', serves);
  for (const serves of [servesLanguage, sameLanguage]) {
    for (const language of wanted) {
      const track = find(language, serves);
      if (track) return track;
    }
  }
  const inSpoken = spoken === undefined ? undefined : find(spoken, sameLanguage);
  return inSpoken ?? byDefault ?? tracks.find(({ named }) => !named) ?? tracks[0];
}

/** The best track of a kind in a language: tracks without a name first, then plain codes, then the exact tag, then the same script. */
function best(
  tracks: readonly CaptionTrack[],
  wanted: string,
  kind: CaptionTrack['kind'],
  serves: typeof sameLanguage,
): CaptionTrack | undefined {
  const tag = languageTag(wanted);
  const rank = ({ named, code, language }: CaptionTrack): number =>
    Number(named) * 8 +
    Number(isFurther(code)) * 4 +
    Number(language !== tag) * 2 +
    Number(!sameWriting(language, tag));
  return tracks
    .filter((track) => track.kind === kind && serves(track.language, wanted))
    .sort((a, b) => rank(a) - rank(b))[0];
}
