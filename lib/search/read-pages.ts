import { fork, raceAbort, type ToolContext } from '../core/context.js';
import { failureOf } from '../core/failures.js';
import type { PageReader } from '../web/page-reader.js';
import { oneLine } from '../text/plain-text.js';
import type { Block } from '../web/blocks.js';
import type { MergedHit } from './merge-hits.js';

/** Extra time for a reader to hand over its pages before it is cancelled, ms. */
const GRACE_MS = 100;

/**
 * Reads the main text of the best pages that came without passages, and fills in titles and dates that are missing. A
 * reader that fails or takes too long costs nothing but its time: the provider's snippets are used.
 *
 * @param wanted pages to get; twice as many addresses are offered, since some will fail
 * @param limitMs time for all of them
 * @param isAdmitted says whether an address lies on the domains of the host and the request
 */
export async function readPages(
  reader: PageReader,
  hits: readonly MergedHit[],
  wanted: number,
  limitMs: number,
  context: ToolContext,
  isAdmitted: (url: string) => boolean,
): Promise<Map<MergedHit, readonly Block[]>> {
  const offered = new Map(
    hits
      .filter((hit) => hit.passages.length === 0)
      .slice(0, wanted * 2)
      .map((hit) => [hit.url, hit]),
  );
  const read = new Map<MergedHit, readonly Block[]>();
  if (offered.size === 0) return read;
  context.progress({ stage: 'read', done: 0, total: Math.min(wanted, offered.size) });
  const onTimeout = (): Error => new Error('The time for reading pages is up.');
  const { context: own, dispose } = fork(context, { ms: limitMs + GRACE_MS, onTimeout });
  const remainingMs = (): number => Math.max(0, own.remainingMs() - GRACE_MS);
  try {
    const reading = reader.read([...offered.keys()], { ...own, remainingMs }, wanted, isAdmitted);
    const { pages } = await raceAbort(reading, own.signal);
    for (const page of pages) {
      const hit = offered.get(page.url);
      if (!hit) continue;
      read.set(hit, page.blocks);
      hit.publishedAt ??= page.publishedAt;
      hit.title ||= oneLine(page.title ?? '');
    }
  } catch (error) {
    // The caller's own abort is reported by the step that comes next.
    if (!own.signal.aborted)
      context.fellBack?.({ part: 'Reading pages', error: failureOf('pages', error), by: 'snippets' });
  } finally {
    dispose();
  }
  return read;
}
