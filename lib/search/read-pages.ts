import type { ToolContext } from '../core/tool-context.js';
import { plainText } from './ranking/plain-text.js';
import type { MergedHit } from './merge-hits.js';
import type { PageReader } from './page-reader.js';

/** Pages read at the same time. */
const PARALLEL = 5;

/**
 * Reads the main text of the best pages that came without passages. A page that fails makes room for the next one, up to
 * twice the number wanted; what has not come when the time is up is left out, and its reading cancelled.
 *
 * @param wanted pages to get
 * @param limitMs time for all of them
 */
export async function readPages(
  reader: PageReader,
  hits: readonly MergedHit[],
  wanted: number,
  limitMs: number,
  context: ToolContext,
): Promise<Map<MergedHit, string>> {
  const queue = hits.filter((hit) => hit.passages.length === 0).slice(0, wanted * 2);
  const texts = new Map<MergedHit, string>();
  if (queue.length === 0 || wanted === 0) return texts;
  const controller = new AbortController();
  const stop = (): void => controller.abort(new Error('The time for reading pages is up.'));
  const end = performance.now() + limitMs;
  const own: ToolContext = {
    ...context,
    signal: controller.signal,
    remainingMs: () => Math.max(0, end - performance.now()),
  };
  const worker = async (): Promise<void> => {
    for (
      let hit = queue.shift();
      hit && texts.size < wanted && !controller.signal.aborted;
      hit = queue.shift()
    ) {
      try {
        const page = await reader.read(hit.url, own);
        const text = plainText(page?.text ?? '');
        if (controller.signal.aborted || text === '') continue;
        texts.set(hit, text);
        hit.publishedAt ??= page?.publishedAt;
        hit.title ||= plainText(page?.title ?? '');
        context.progress({ stage: 'read', done: texts.size, total: wanted });
      } catch {
        // The provider's snippet stands in for a page that cannot be read.
      }
    }
  };
  const stopped = new Promise<void>((resolve) =>
    controller.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  const timer = setTimeout(stop, limitMs);
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    const workers = Array.from({ length: Math.min(PARALLEL, wanted, queue.length) }, worker);
    await Promise.race([Promise.all(workers), stopped]);
    return new Map(texts);
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener('abort', stop);
    // Also ends the pages beyond the wanted number that are still on their way.
    stop();
  }
}
