import type { CaptionTrack, CaptionTracks } from './caption-tracks.js';

/**
 * Chooses the track for a language. Order: written in the wanted language, recognised in it, written in the spoken language, recognised in
 * it. When the spoken language is unknown: the default track of YouTube's player, else the first one. The caller finds the actual language
 * in `language`.
 *
 * @param wanted ISO 639-1; `pt` takes `pt-BR`
 */
export function chooseTrack(
  { tracks, spoken, byDefault }: CaptionTracks,
  wanted: string,
): CaptionTrack | undefined {
  return (
    best(tracks, wanted, 'manual') ??
    best(tracks, wanted, 'automatic') ??
    (spoken === undefined
      ? (byDefault ?? tracks.find(({ named }) => !named) ?? tracks[0])
      : (best(tracks, spoken, 'manual') ?? best(tracks, spoken, 'automatic')))
  );
}

/** The best track of a kind in a language: exact tag first, then tracks without a name. */
function best(
  tracks: readonly CaptionTrack[],
  wanted: string,
  kind: CaptionTrack['kind'],
): CaptionTrack | undefined {
  const fits = tracks.filter((track) => track.kind === kind && sameLanguage(track.language, wanted));
  const exact = (track: CaptionTrack): boolean => track.language.toLowerCase() === wanted.toLowerCase();
  return (
    fits.find((track) => exact(track) && !track.named) ??
    fits.find((track) => !track.named) ??
    fits.find(exact) ??
    fits[0]
  );
}

/** True for two tags of one language, whatever the region (`pt`, `pt-BR`). */
export function sameLanguage(a: string, b: string): boolean {
  const base = (tag: string): string | undefined => tag.toLowerCase().split(/[-_]/, 1)[0];
  return base(a) === base(b);
}
