import type { Chapter } from '../../content-source.js';
import { cleanText } from '../captions/clean-text.js';
import { clockToMs, closeChapters, type ChapterStart } from '../chapters.js';
import { at, arrayAt, stringAt } from '../../../core/json-path.js';
import { textAt } from './text-at.js';

/** The lists on the player bar that hold chapters; others hold a heat map or ads. The creator's own chapters come first. */
const CHAPTER_LISTS = ['DESCRIPTION_CHAPTERS', 'AUTO_CHAPTERS'];

/**
 * Reads chapters from a `player` or `next` response: the markers on the player bar, else the chapter list in the panel beside
 * the video. Empty when there are none.
 *
 * Wire format: YouTube.js `MultiMarkersPlayerBar`; yt-dlp `_extract_chapters_from_engagement_panel` (2026-08-20).
 */
export function chaptersFromMarkers(response: unknown, durationMs?: number): Chapter[] {
  const lists = [...playerBarLists(response), ...panelLists(response)];
  const starts = lists.find(isChapterList) ?? [];
  return closeChapters(starts, durationMs);
}

function isChapterList(starts: readonly ChapterStart[]): boolean {
  return starts.length > 1 && starts.every(({ startMs }, i) => i === 0 || startMs > starts[i - 1]!.startMs);
}

function playerBarLists(response: unknown): ChapterStart[][] {
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
  return CHAPTER_LISTS.map((name) => {
    const list = lists.find((entry) => stringAt(entry, 'key') === name);
    return arrayAt(list, 'value', 'chapters').flatMap((chapter) =>
      toStart(
        textAt(chapter, 'chapterRenderer', 'title'),
        at(chapter, 'chapterRenderer', 'timeRangeStartMillis'),
      ),
    );
  });
}

function panelLists(response: unknown): ChapterStart[][] {
  return arrayAt(response, 'engagementPanels').map((panel) =>
    arrayAt(
      panel,
      'engagementPanelSectionListRenderer',
      'content',
      'macroMarkersListRenderer',
      'contents',
    ).flatMap((item) => {
      const marker = at(item, 'macroMarkersListItemRenderer');
      const clock = textAt(marker, 'timeDescription')?.trim() ?? '';
      return toStart(textAt(marker, 'title'), CLOCK.test(clock) ? clockToMs(clock) : undefined);
    }),
  );
}

const CLOCK = /^(?:\d{1,2}:)?\d{1,3}:\d{2}$/;

function toStart(rawTitle: string | undefined, startMs: unknown): ChapterStart[] {
  const title = cleanText(rawTitle ?? '');
  return title && typeof startMs === 'number' && startMs >= 0 ? [{ title, startMs }] : [];
}
