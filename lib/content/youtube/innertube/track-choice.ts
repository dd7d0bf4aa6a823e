import type { CaptionTrack, CaptionTracks } from './caption-tracks.js';

/**
 * The track to read for a language: written by people in the language asked for, else recognised in it, else written in
 * the language spoken, else recognised. Where nobody knows what is spoken, the track that YouTube shows by itself, else the first.
 * Whoever gets another language than asked for sees it in `language`; it is never passed off as the one asked for.
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

/** Same language, exact tag and unnamed tracks first. */
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
