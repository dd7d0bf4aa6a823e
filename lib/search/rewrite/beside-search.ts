import { fork, type ToolContext } from '../../core/context.js';
import type { AnswerUsage } from '../answer-engine.js';
import { askProviders, type GuardedProvider, type ProviderList, type RaceOptions } from '../provider-race.js';
import type { SearchQuery } from '../search-provider.js';
import { keywordQuery } from './keyword-query.js';

/** Turns a query that was written to a person into one for a search engine. Asked for long conversational queries only. */
export interface QueryRewriter {
  /**
   * Never awaited by the search itself: what it gives is used if it comes in time.
   * @param onSpent told of what was used, also when nothing comes of it
   * @returns undefined when there is nothing better to ask
   */
  rewrite(
    query: string,
    context: ToolContext,
    onSpent: (usage: AnswerUsage) => void,
  ): Promise<string | undefined>;
}

/** Searches for a rewritten query, which run at the same time as the search for the query itself. */
export interface BesideSearch {
  /** The results so far. */
  readonly lists: readonly ProviderList[];
  /** Cost of rewriting so far; undefined without a model. */
  readonly usage: AnswerUsage | undefined;
  /** Cancels what has not come; nobody is told. */
  stop(): void;
}

/**
 * Starts the searches for a long conversational query in other words: its keywords at once, and those of a rewriter as soon as it
 * gives them. The request does not wait for it and cannot fail because of it. Undefined for a query that needs no rewriting.
 */
export function searchBeside(
  providers: readonly GuardedProvider[],
  query: SearchQuery,
  context: ToolContext,
  options: RaceOptions,
  rewriter: QueryRewriter | undefined,
): BesideSearch | undefined {
  const keywords = keywordQuery(query.text);
  // A provider with a low limit is asked once a request.
  const willing = providers.filter(({ provider }) => !provider.askOnce);
  if (keywords === undefined || willing.length === 0) return undefined;
  const { context: own, abort, dispose } = fork({ ...context, progress: () => undefined });
  const stop = (): void => {
    dispose();
    abort(new Error('The search has ended without it.'));
  };
  const lists: ProviderList[] = [];
  let usage: AnswerUsage | undefined;
  const ask = async (text: string): Promise<void> => {
    const found = await askProviders(willing, { ...query, text }, own, options);
    if (!own.signal.aborted) lists.push(...found.lists);
  };
  const rewritten = async (): Promise<void> => {
    const text = await rewriter!.rewrite(query.text, own, (spent) => (usage = spent));
    if (text && text !== keywords && text !== query.text && !own.signal.aborted) await ask(text);
  };
  // The original tells of failures; here they only mean that nothing is added.
  ask(keywords).catch(() => undefined);
  if (rewriter) rewritten().catch(() => undefined);
  return {
    lists,
    get usage() {
      return usage;
    },
    stop,
  };
}
