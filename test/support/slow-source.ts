import type { Content, ContentSource } from '../../lib/content/content-source.js';
import type { ToolContext } from '../../lib/core/context.js';
import { CORAL_SEGMENTS } from './fixtures.js';

/** One load of a {@link SlowSource}. */
export interface Load {
  id: string;
  signal: AbortSignal;
  finish(): void;
}

/** A source that knows every id and answers when it is told to; remembers each load. */
export class SlowSource implements ContentSource {
  readonly sourceType = 'youtube';
  readonly loads: Load[] = [];
  private waiting: { count: number; resolve: () => void }[] = [];

  identify(contentId: string): string {
    return contentId;
  }

  load(id: string, _request: unknown, context: ToolContext): Promise<Content> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(context.signal.reason as Error);
      const load: Load = {
        id,
        signal: context.signal,
        finish: () => {
          context.signal.removeEventListener('abort', onAbort);
          resolve(contentOf(id));
        },
      };
      context.signal.addEventListener('abort', onAbort, { once: true });
      this.loads.push(load);
      for (const { count, resolve: reached } of this.waiting) if (this.loads.length >= count) reached();
    });
  }

  /** Resolves when so many loads have begun. */
  begun(count: number): Promise<void> {
    if (this.loads.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ count, resolve }));
  }

  urlAt(id: string, seconds: number): string {
    return `https://example.org/${id}?t=${seconds}`;
  }
}

const contentOf = (id: string): Content => ({
  id,
  url: `https://example.org/${id}`,
  language: 'en',
  captions: 'manual',
  segments: CORAL_SEGMENTS,
  chapters: [],
  provider: 'slow',
});
