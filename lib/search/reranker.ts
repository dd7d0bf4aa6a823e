import type { Warning } from '../core/warning.js';
import { lazy } from '../core/async.js';
import { raceAbort, withFork, type ToolContext } from '../core/context.js';
import { UpstreamInvalidError } from '../core/errors.js';
import { failureOf } from '../core/failures.js';
import { unwatched, type Watch } from '../core/health.js';
import { portResult } from '../core/ports.js';
import {
  array,
  check,
  integer,
  number,
  object,
  options,
  parseOption,
  refine,
  valid,
} from '../core/schema.js';
import { CircuitBreaker } from '../core/upstream/circuit-breaker.js';
import { isModel, modelId, type AiSearchSdk, type RerankingModelLike } from '../model/ai-sdk.js';
import { REQUEST_MODEL_FIELDS, type RequestModelOptions } from '../model/options.js';
import { CONNECT, type ConnectsToModels } from '../model/connect.js';
import type { ModelEnvironment } from '../model/upstream.js';
import { failureReason } from './providers/search-provider.error.js';
import type { RankedPage } from './select-passages.js';

/** What a reranker reads of a page: its best passage. */
export interface RerankPassage {
  /** Plain text, about 100 to 200 words. */
  text: string;
  /** Of the page; may be empty. */
  title: string;
  url: string;
}

/** A place in the new order. */
export interface RerankedPassage {
  /** Number of the passage in the given list, from 0. */
  index: number;
  /** How relevant it is, 0..1. */
  score: number;
}

/** Puts the best pages of a search in a better order, whichever provider found them. */
export interface Reranker {
  /** Appears in logs, warnings and cache keys, as the provider spells it. */
  readonly name: string;
  /**
   * @param passages 2 to 30, in the order of the search
   * @returns each passage at most once. Passages that are not named keep their order after the others
   */
  rerank(
    query: string,
    passages: readonly RerankPassage[],
    context: ToolContext,
  ): Promise<readonly RerankedPassage[]>;
}

const OPTIONS = options(REQUEST_MODEL_FIELDS);
const MODEL = check<RerankingModelLike>(
  "a reranking model of the AI SDK, e.g. cohere.reranking('…'), or a name of the AI Gateway, e.g. 'cohere/…'",
  (value) => isModel(value, 'doRerank'),
);

/**
 * A {@link Reranker} on a reranking model of the AI SDK (package `ai` 6 or 7): one call for each search.
 *
 * @throws InvalidOptionError
 */
export function aiReranker(
  model: RerankingModelLike,
  options: RequestModelOptions = {},
): Reranker & ConnectsToModels {
  parseOption('aiReranker.model', MODEL, model);
  const resolved = parseOption('aiReranker.options', OPTIONS, options);
  let environment: ModelEnvironment = {};
  const loaded = lazy(async () => {
    const { RequestClient } = await import('../model/upstream.js');
    const { roughTokens } = await import('../model/model-profile.js');
    // The module reports to the health registry how the whole call ended.
    const client = new RequestClient(model, resolved, 'reranker', { ...environment, health: undefined });
    return { client, roughTokens };
  });
  return {
    name: modelId(model),
    [CONNECT]: (ofModule) => void (environment = ofModule),
    rerank: async (query, passages, context) => {
      const { client, roughTokens } = await loaded();
      const texts = passages.map(({ title, text }) => (title === '' ? text : `${title}\n${text}`));
      const request = {
        step: 'rerank',
        isBudgeted: true,
        inputTokens: Math.ceil(roughTokens(query) + texts.reduce((sum, text) => sum + roughTokens(text), 0)),
        send: async (ai: AiSearchSdk, abortSignal: AbortSignal) => {
          const { providerOptions } = resolved;
          const { ranking } = await ai.rerank({
            model,
            query,
            documents: texts,
            ...(providerOptions ? { providerOptions } : {}),
            maxRetries: 0,
            abortSignal,
          });
          return { value: shares(ranking) };
        },
      };
      return client.run(request, context);
    },
  };
}

const RANKING = array(object({ originalIndex: integer(0), score: number() }));

/** Scores as 0..1: some servers give logits, which the logistic function makes shares of. */
function shares(ranking: unknown): RerankedPassage[] {
  const places = valid(RANKING, ranking);
  if (!places)
    throw new UpstreamInvalidError('The reranking model answered with something that is no ranking.');
  const areShares = places.every(({ score }) => score >= 0 && score <= 1);
  return places.map(({ originalIndex: index, score }) => ({
    index,
    score: areShares ? score : 1 / (1 + Math.exp(-score)),
  }));
}

/** Pages that are reranked, and results that providers are asked for; as docs/options.md says. */
export const RERANKED = 30;
/** A reranker and what keeps it from being asked while it is known to fail. Create it once and keep it. */
export interface GuardedReranker {
  readonly reranker: Reranker;
  readonly breaker: CircuitBreaker;
  readonly watch: Watch;
}

export function guardedReranker(reranker: Reranker, watch: Watch = unwatched): GuardedReranker {
  return { reranker, watch, breaker: new CircuitBreaker(`The reranker ${reranker.name}`) };
}

const TIME_SHARE = 0.3; // of the time that is left, as docs/options.md says
const MAX_PASSAGE = 4000; // characters; a plain bound

/**
 * Pages in the order of the reranker, with its scores. Never fails because of it: where it fails or is late, the order stays, and a warning
 * says so.
 *
 * @param guarded undefined: the order stays
 * @throws the context's reason when it is aborted
 */
export async function rerankPages(
  query: string,
  pages: readonly RankedPage[],
  guarded: GuardedReranker | undefined,
  context: ToolContext,
): Promise<{ pages: RankedPage[]; warning?: Warning }> {
  if (!guarded || pages.length < 2) return { pages: [...pages] };
  const { reranker, breaker, watch } = guarded;
  const passages = pages.slice(0, RERANKED).map(({ hit, passages: [best] }) => ({
    text: best!.text.slice(0, MAX_PASSAGE),
    title: hit.title,
    url: hit.url,
  }));
  try {
    const ranking = await withFork(context, { ms: context.remainingMs() * TIME_SHARE }, (fork) =>
      breaker.run(fork, async () => {
        const call = watch(reranker.name, fork.signal, () => reranker.rerank(query, passages, fork));
        return checked(await raceAbort(call, fork.signal), passages.length, reranker.name);
      }),
    );
    return { pages: reordered(pages, ranking) };
  } catch (error) {
    context.signal.throwIfAborted();
    const part = `The reranker ${reranker.name}`;
    context.fellBack?.({ part, error: failureOf(reranker.name, error), by: 'unranked' });
    const message = `The reranker ${reranker.name} failed (${failureReason(error)}). The results are in the order of the search.`;
    return { pages: [...pages], warning: { code: 'reranker_failed', message, transient: true } };
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

/** Pages that the ranking does not name keep their order behind the others. */
function reordered(pages: readonly RankedPage[], ranking: readonly RerankedPassage[]): RankedPage[] {
  const scores = new Map(ranking.map(({ index, score }) => [index, score]));
  const lowest = Math.min(1, ...scores.values());
  const order = [...pages.keys()].sort((a, b) => (scores.get(b) ?? -1) - (scores.get(a) ?? -1));
  return order.map((i) => {
    const score = scores.get(i) ?? Math.min(lowest, pages[i]!.score);
    return { ...pages[i]!, score: Math.round(score * 1000) / 1000 };
  });
}
