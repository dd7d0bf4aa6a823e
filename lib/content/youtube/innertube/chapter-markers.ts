import type { Chapter } from '../../content-source.js';
import { cleanText } from '../captions/clean-text.js';
import { closeChapters, type ChapterStart } from '../chapters.js';
import { at, arrayAt, stringAt, textAt } from './json-path.js';

/** The lists of markers on the player bar that are chapters; others (heat map, ads) are not. Creators' own go first. */
const CHAPTER_LISTS = ['DESCRIPTION_CHAPTERS', 'AUTO_CHAPTERS'];

/** Chapters from the markers of a `player` or `next` response; empty where there are none. */
export function chaptersFromMarkers(response: unknown, durationMs?: number): Chapter[] {
  const bar = at(
    response,
    'playerOverlays',
    'playerOverlayRenderer',
    'decoratedPlayerBarRenderer',
    'decoratedPlayerBarRenderer',
    'playerBar',
    'multiMarkersPlayerBarRenderer',
  );
  const lists = arrayAt(bar, 'markersMap');
  for (const name of CHAPTER_LISTS) {
    const list = lists.find((entry) => stringAt(entry, 'key') === name);
    const starts = arrayAt(list, 'value', 'chapters').flatMap(toStart);
    const ascending = starts.every(({ startMs }, i) => i === 0 || startMs > (starts[i - 1]?.startMs ?? 0));
    if (starts.length > 1 && ascending) return closeChapters(starts, durationMs);
  }
  return [];
}

function toStart(chapter: unknown): ChapterStart[] {
  const title = cleanText(textAt(chapter, 'chapterRenderer', 'title') ?? '');
  const startMs = at(chapter, 'chapterRenderer', 'timeRangeStartMillis');
  return title && typeof startMs === 'number' && startMs >= 0 ? [{ title, startMs }] : [];
}
