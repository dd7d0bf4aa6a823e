import { raceAbort, withFork, type ToolContext } from '../core/context.js';
import { failureOf } from '../core/failures.js';
import { portResult } from '../core/ports.js';
import { array, integer, number, object, refine } from '../core/schema.js';
import { failureReason } from './providers/search-provider.error.js';
import { RERANKED, type GuardedReranker, type RerankedPassage } from './reranker.js';
import type { SearchWarning } from './search-provider.js';
import type { RankedPage } from './select-passages.js';

/** Share of a request's remaining time that reranking may take. */
const TIME_SHARE = 0.3;
/** Longest text of a passage that is sent, characters. */
const MAX_TEXT = 4000;

/**
 * Pages in the order of the reranker, with its scores. Never fails because of it: where it fails or is late, the order stays, and a warning
 * says so.
 *
 * @throws the context's reason when it is aborted
 */
export async function rerankPages(
  query: string,
  pages: readonly RankedPage[],
  { reranker, breaker, watch }: GuardedReranker,
  context: ToolContext,
): Promise<{ pages: RankedPage[]; warning?: SearchWarning }> {
  if (pages.length < 2) return { pages: [...pages] };
  const head = pages.slice(0, RERANKED);
  const passages = head.map(({ hit, passages: [best] }) => ({
    text: best!.text.slice(0, MAX_TEXT),
    title: hit.title,
    url: hit.url,
  }));
  try {
    const rerank = async (own: ToolContext): Promise<readonly RerankedPassage[]> => {
      const call = watch(reranker.name, own.signal, () => reranker.rerank(query, passages, own));
      return checked(await raceAbort(call, own.signal), head.length, reranker.name);
    };
    const ranking = await withFork(context, { ms: context.remainingMs() * TIME_SHARE }, (own) =>
      breaker.run(own, () => rerank(own)),
    );
    return { pages: reordered(pages, ranking) };
  } catch (error) {
    context.signal.throwIfAborted();
    const part = `The reranker ${reranker.name}`;
    context.fellBack?.({ part, error: failureOf(reranker.name, error), by: 'unranked' });
    const message = `The reranker ${reranker.name} failed (${failureReason(error)}). The results are in the order of the search.`;
    return { pages: [...pages], warning: { code: 'reranker_failed', message } };
  }
}

/** @throws UpstreamInvalidError for what a host's own reranker must not return */
function checked(ranking: unknown, count: number, name: string): readonly RerankedPassage[] {
  const place = object<RerankedPassage>({ index: integer(0, count - 1), score: number(0, 1) });
  const places = refine(
    array(place),
    'a list with each index once',
    (all) => new Set(all.map(({ index }) => index)).size === all.length,
  );
  return portResult(places, ranking, 'reranker', name);
}

function reordered(pages: readonly RankedPage[], ranking: readonly RerankedPassage[]): RankedPage[] {
  const best = [...ranking].sort((a, b) => b.score - a.score || a.index - b.index);
  const named = new Set(best.map(({ index }) => index));
  const lowest = best.at(-1)?.score ?? 1;
  const order = [
    ...best.map(({ index, score }) => ({ ...pages[index]!, score })),
    ...pages
      .filter((_, i) => !named.has(i))
      .map((page) => ({ ...page, score: Math.min(lowest, page.score) })),
  ];
  return order.map((page) => ({ ...page, score: Math.round(page.score * 1000) / 1000 }));
}
