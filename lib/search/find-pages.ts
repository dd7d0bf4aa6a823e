import { yielder } from '../core/async.js';
import type { ToolContext } from '../core/context.js';
import { isAdmitted } from '../core/domains.js';
import type { Warning } from '../core/warning.js';
import { failureOf } from '../core/failures.js';
import { oneLine } from '../text/plain-text.js';
import type { Block } from '../web/blocks.js';
import type { PageReader, Round } from '../web/result-pages.js';
import { filterWarnings, meetsFilters, type ResolvedFilters } from './filters.js';
import { mergeHits, type MergedHit } from './merge-hits.js';
import { askProviders, type GuardedProvider, type ProviderList } from './provider-race.js';
import { rerankPages, type GuardedReranker } from './reranker.js';
import type { SearchQuery } from './search-provider.js';
import type { ResolvedSearchOptions } from './search.options.js';
import { rankPages, type RankedPage } from './select-passages.js';

/** What a host can do when a default provider fails: the free ones may end without notice. */
const NO_PROVIDERS = ' The host has configured no search provider of its own (option `search.providers`).';

export interface FindParts {
  providers: readonly GuardedProvider[];
  usesDefaults?: boolean;
  options: ResolvedSearchOptions;
  /** Reads pages that came with a snippet only; without it snippets are what there is. */
  pages?: PageReader;
  /** Puts the best pages in a better order; without it the order of the search stays. */
  reranker?: GuardedReranker;
}

export interface FoundPages {
  /** Those that found something; where nothing was found, the one that said so. */
  provider: string;
  hits: readonly MergedHit[];
  pages: readonly RankedPage[];
  warnings: Warning[];
}

/**
 * Providers → merge → pages → passages.
 * @throws UpstreamUnavailableError when all providers fail; UpstreamInvalidError when none can be read
 */
export async function findPages(
  { providers, usesDefaults, options, pages: reader, reranker }: FindParts,
  query: SearchQuery,
  filters: ResolvedFilters,
  context: ToolContext,
): Promise<FoundPages> {
  const { lists, failed } = await askProviders(providers, query, context, options);
  const hits = await mergeHits(lists, query, context.signal);
  const limitMs = Math.min(options.readMs, context.remainingMs() / 2);
  const round = { wanted: options.readPages, limitMs, isAdmitted: (url: string) => isAdmitted(url, query) };
  const read = reader ? await readPages(reader, hits, round, context) : new Map();
  // Reading a page can tell its date.
  const current = hits.filter((hit) => meetsFilters(hit, query));
  const ranked = await rankPages(query.text, current, read, yielder(context.signal));
  const { pages, warning } = await rerankPages(query.text, ranked, reranker, context);
  const answered = new Set(lists.map(({ provider }) => provider));
  const asked = providers.flatMap(({ provider }) => (answered.has(provider.name) ? [provider] : []));
  const warnings = [
    ...failed.map(({ provider, outcome }) => ({
      code: 'provider_failed',
      message: `The search provider ${provider} failed (${outcome}).${usesDefaults ? NO_PROVIDERS : ''}`,
      transient: true,
    })),
    ...lists.flatMap((list) => list.warnings ?? []),
    ...(warning ? [warning] : []),
    ...filters.warnings,
    ...filterWarnings(asked, query, filters.asked),
  ];
  return { provider: providerOf(lists), hits, pages, warnings };
}

function providerOf(lists: readonly ProviderList[]): string {
  const found = lists.filter(({ hits }) => hits.length > 0);
  return (found.length > 0 ? found : lists.slice(0, 1)).map(({ provider }) => provider).join('+');
}

/**
 * Reads the main text of the best pages that came without passages, and fills in titles and dates that are missing. A
 * reader that fails or takes too long costs nothing but its time: the provider's snippets are used.
 */
async function readPages(
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
