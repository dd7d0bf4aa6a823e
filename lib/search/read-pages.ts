import type { ToolContext } from '../core/context.js';
import { failureOf } from '../core/failures.js';
import type { PageReader, Round } from '../web/page-reader.js';
import { oneLine } from '../text/plain-text.js';
import type { Block } from '../web/blocks.js';
import type { MergedHit } from './merge-hits.js';

/**
 * Reads the main text of the best pages that came without passages, and fills in titles and dates that are missing. A
 * reader that fails or takes too long costs nothing but its time: the provider's snippets are used.
 */
export async function readPages(
  reader: PageReader,
  hits: readonly MergedHit[],
  round: Round,
  context: ToolContext,
): Promise<Map<MergedHit, readonly Block[]>> {
  const offered = new Map(hits.flatMap((hit) => (hit.passages.length === 0 ? [[hit.url, hit]] : [])));
  const read = new Map<MergedHit, readonly Block[]>();
  if (offered.size === 0) return read;
  context.progress({ stage: 'read', done: 0, total: Math.min(round.wanted, offered.size) });
  try {
    const { pages } = await reader.read([...offered.keys()], round, context);
    for (const page of pages) {
      const hit = offered.get(page.url);
      if (!hit) continue;
      read.set(hit, page.blocks);
      hit.publishedAt ??= page.publishedAt;
      hit.title ||= oneLine(page.title ?? '');
    }
  } catch (error) {
    // The caller's own abort is reported by the step that comes next.
    if (!context.signal.aborted)
      context.fellBack?.({ part: 'Reading pages', error: failureOf('pages', error), by: 'snippets' });
  }
  return read;
}
