import type { Content, ContentSource } from '../../lib/content/content-source.js';
import { InvalidContentIdError } from '../../lib/core/errors.js';
import type { SearchProvider } from '../../lib/search/search-provider.js';

const SENTENCES = [
  'Coral reefs are built by tiny animals called polyps.',
  'Each polyp takes calcium and carbonate out of the sea water and lays down limestone beneath itself.',
  'Inside the polyp live algae that turn sunlight into sugar and feed their host.',
  'When the water stays too warm for weeks, the polyp expels its algae and turns white.',
  'A bleached coral is still alive, and it can recover when the water cools in time.',
  'Half of the coral cover of the world has been lost since the nineteen fifties.',
];

/** Six plain sentences of ten seconds each. */
export const CORAL_SEGMENTS = SENTENCES.map((text, i) => ({
  startMs: i * 10_000,
  endMs: (i + 1) * 10_000 - 300,
  text,
}));

/** A content source that knows one piece of content, `coral`, and counts what is asked of it. */
export class OneContentSource implements ContentSource {
  readonly sourceType = 'youtube';
  loads = 0;

  identify(contentId: string): string {
    if (contentId !== 'coral') throw new InvalidContentIdError('the word coral');
    return contentId;
  }

  load(id: string): Promise<Content> {
    this.loads++;
    return Promise.resolve({
      id,
      url: `https://example.org/${id}`,
      title: 'Coral reefs',
      channel: 'Sea',
      durationMs: 60_000,
      language: 'en',
      captions: 'manual',
      segments: CORAL_SEGMENTS,
      chapters: [],
      provider: 'test',
    });
  }

  urlAt(id: string, seconds: number): string {
    return `https://example.org/${id}?t=${seconds}`;
  }
}

/** A provider with two pages on corals, and a count of what is asked of it. */
export class TwoPageProvider implements SearchProvider {
  readonly name = 'two-pages';
  searches = 0;

  search(): ReturnType<SearchProvider['search']> {
    this.searches++;
    return Promise.resolve({
      hits: [
        { url: 'https://example.org/coral', title: 'Coral', passages: [SENTENCES.slice(0, 3).join(' ')] },
        {
          url: 'https://example.org/bleaching',
          title: 'Bleaching',
          passages: [SENTENCES.slice(3).join(' ')],
        },
      ],
    });
  }
}
