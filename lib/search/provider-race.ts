import { WARNING, type Warning } from '../core/warning.js';
import {
  ToolsError,
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
  type FailedAttempt,
} from '../core/errors.js';
import { raceAbort, withFork, type ToolContext } from '../core/context.js';
import { raceTimeout } from '../core/async.js';
import { failureOf, logThrown } from '../core/failures.js';
import { unwatched, type Watch } from '../core/health.js';
import { portResult } from '../core/ports.js';
import { LONGEST } from '../core/length-limits.js';
import {
  array,
  cutString,
  map,
  number,
  object,
  optional,
  nullable,
  string,
  type Schema,
} from '../core/schema.js';
import { CircuitBreaker, verdictOf } from '../core/upstream/circuit-breaker.js';
import { NO_USAGE } from '../core/usage.js';
import { isoDate } from '../web/iso-date.js';
import { SearchProviderError } from './providers/search-provider.error.js';
import type { SearchHit, SearchProvider, SearchProviderResult, SearchQuery } from './search-provider.js';
import type { ResolvedSearchOptions } from './search.options.js';

const YEAR_OR_MONTH = /^\d{4}(?:-\d{2})?$/;

const HIT: Schema<SearchHit> = object<SearchHit>({
  url: string({ max: Infinity }),
  title: map(nullable(cutString(LONGEST.title)), (title = '') => title),
  snippet: nullable(cutString(LONGEST.snippet)),
  passages: nullable(map(array(cutString(LONGEST.passage)), (texts) => texts.slice(0, LONGEST.passages))),
  score: nullable(number()),
  publishedAt: nullable(map(string(), (date) => isoDate(date) ?? YEAR_OR_MONTH.exec(date)?.[0])),
  license: nullable(cutString(LONGEST.name)),
  attribution: nullable(cutString(LONGEST.name)),
});

/** What a search provider gives. A host's own may return anything at run time. */
const PROVIDER_RESULT: Schema<SearchProviderResult> = object<SearchProviderResult>({
  hits: map(array(HIT), (hits) =>
    hits.filter(({ url }) => url.length <= LONGEST.address).slice(0, LONGEST.results),
  ),
  warnings: optional(array(WARNING, { max: 20 })),
});

export interface ProviderList {
  provider: string;
  hits: SearchHit[];
  warnings?: readonly Warning[];
}

export interface RaceResult {
  /** At least one; in the order of the configured providers. */
  lists: ProviderList[];
  failed: FailedAttempt[];
}

/**
 * A provider and what keeps it from being asked while it is known to fail. Create them once and keep them: the breaker counts over
 * all requests.
 */
export interface GuardedProvider {
  readonly provider: SearchProvider;
  /** Of one call; undefined: calls are not counted. */
  readonly price?: number;
  readonly breaker: CircuitBreaker;
  readonly watch: Watch;
}

/** Puts a breaker around each provider: five failures in a row, or one that names a time to wait, give it a rest of up to 30 s. */
export function guarded(
  providers: readonly SearchProvider[],
  watch: Watch = unwatched,
  prices: Readonly<Record<string, number>> = {},
): GuardedProvider[] {
  return providers.map((provider) => ({
    provider,
    price: prices[provider.name],
    breaker: new CircuitBreaker(`The search provider ${provider.name}`),
    watch,
  }));
}

/** Time limit of a provider that has none of its own, ms; never less than the request has; a plain bound. */
const TIME_LIMIT_MS = 10_000;

interface Run {
  guarded: GuardedProvider;
  startedAt: number;
  result?: SearchProviderResult;
  /** Why it has failed; while it runs, that it is late. */
  error: unknown;
  hasEnded: boolean;
  ended: Promise<void>;
}

/**
 * Asks the providers. One whose breaker is open is skipped at once. The first provider is asked, and the next one in parallel when it takes
 * longer than `hedgeAfterMs`, has failed or has found nothing. The first list with hits wins.
 *
 * A call that loses the race goes on up to the time limit of its provider, and its breaker records how it ends. A cancelled one would never show
 * whether its provider is slow or hangs, and one that hangs would cost every request its hedge.
 *
 * With `combine: 'all'` all providers are asked at once, and the lists that arrive within three quarters of the remaining time are given.
 * Where none arrives by then, the next one is.
 *
 * @throws UpstreamInvalidError when every provider answered with something unreadable, UpstreamUnavailableError when every one failed in
 *   whatever way; a failure never looks like an empty list
 */
export async function askProviders(
  providers: readonly GuardedProvider[],
  query: SearchQuery,
  context: ToolContext,
  { combine, hedgeAfterMs }: Pick<ResolvedSearchOptions, 'combine' | 'hedgeAfterMs'>,
): Promise<RaceResult> {
  context.signal.throwIfAborted();
  const runs: Run[] = [];
  const start = (provider: GuardedProvider): void => void runs.push(started(provider, query, context));
  try {
    if (combine === 'all') {
      providers.forEach(start);
      const all = Promise.all(runs.map(({ ended }) => ended));
      await raceAbort(within(context.remainingMs() * 0.75, all), context.signal);
    }
    const isEnough = ({ result }: Run): boolean =>
      result !== undefined && (combine === 'all' || result.hits.length > 0);
    while (!runs.some(isEnough)) {
      const next = providers[runs.length];
      if (next) start(next);
      const running = runs.filter(({ hasEnded }) => !hasEnded).map(({ ended }) => ended);
      if (running.length === 0) break;
      const anyEnded = Promise.race(running);
      const isLast = runs.length === providers.length;
      await raceAbort(isLast ? anyEnded : within(hedgeAfterMs, anyEnded), context.signal);
    }
  } finally {
    for (const run of runs.filter(({ hasEnded }) => !hasEnded))
      void run.ended.then(() => logThrown(named(run), context.requestId, 'another provider'));
  }
  const answered = runs.filter(({ result }) => result !== undefined);
  if (answered.length === 0) throw allDown(runs);
  const failures = runs.filter(({ hasEnded, result }) => !result && (hasEnded || combine === 'all'));
  const by = answered.map(({ guarded }) => guarded.provider.name).join('+');
  for (const run of failures)
    context.fellBack?.({ part: `The search provider ${run.guarded.provider.name}`, error: named(run), by });
  return {
    lists: answered.map(({ guarded, result }) => ({
      provider: guarded.provider.name,
      warnings: [],
      ...result!,
    })),
    failed: failures.map(attemptOf),
  };
}

function within(ms: number, ended: Promise<unknown>): Promise<unknown> {
  return raceTimeout(ended, ms).catch(() => undefined);
}

function started(guarded: GuardedProvider, query: SearchQuery, context: ToolContext): Run {
  const { name } = guarded.provider;
  const message = `The search provider ${name} was slower than others.`;
  const run: Run = {
    guarded,
    startedAt: performance.now(),
    error: new UpstreamTimeoutError(message, { upstream: { upstream: name, code: 'timeout' } }),
    hasEnded: false,
    ended: ask(guarded, query, context)
      .then((result) => void (run.result = result))
      .catch((error: unknown) => void (run.error = error))
      .finally(() => (run.hasEnded = true)),
  };
  return run;
}

function ask(
  { provider, price, breaker, watch }: GuardedProvider,
  query: SearchQuery,
  context: ToolContext,
): Promise<SearchProviderResult> {
  const work = async (): Promise<SearchProviderResult> => {
    if (price !== undefined) {
      const searches = [{ provider: provider.name, calls: 1, cost: price }];
      context.spend?.({ ...NO_USAGE, searches, cost: price });
    }
    const ms = Math.max(TIME_LIMIT_MS, context.remainingMs() + 1000);
    const found = await watch(provider.name, context.signal, () =>
      withFork(context, { ms, unref: true }, (fork) => provider.search(query, fork)),
    );
    return portResult(PROVIDER_RESULT, found, 'search provider', provider.name);
  };
  return breaker.run(context, work, (error) =>
    // One refused query says nothing about the next: a caller could otherwise switch a provider off with bad queries.
    error instanceof SearchProviderError && error.kind === 'bad_request' ? 'there' : verdictOf(error),
  );
}

function attemptOf({ guarded, startedAt, error }: Run): FailedAttempt {
  return {
    provider: guarded.provider.name,
    ms: Math.round(performance.now() - startedAt),
    outcome: ToolsError.isInstance(error) ? error.code : 'failed',
  };
}

const named = ({ guarded, error }: Run): ToolsError => failureOf(guarded.provider.name, error);

function allDown(runs: readonly Run[]): ToolsError {
  const errors = runs.map(({ error }) => error);
  const known = errors.filter((error) => ToolsError.isInstance(error));
  const names = runs.map(({ guarded }) => guarded.provider.name).join(', ');
  const options = { details: { attempts: runs.map(attemptOf) }, cause: new AggregateError(runs.map(named)) };
  const areAllKnown = known.length === errors.length;
  if (areAllKnown && known.every(({ code }) => code === 'upstream_invalid'))
    return new UpstreamInvalidError(`What the search providers (${names}) answered cannot be read.`, options);
  const waits = known.map(({ retryAfterSeconds }) => retryAfterSeconds).filter((s) => s !== undefined);
  const message =
    runs.length === 1
      ? `The search provider (${names}) is unavailable.`
      : `None of the search providers (${names}) is available.`;
  return new UpstreamUnavailableError(message, {
    ...options,
    ...(waits.length > 0 ? { retryAfterSeconds: Math.min(...waits) } : {}),
    // Where every one of them says that asking again is of no use, it is of no use.
    ...(areAllKnown ? { shouldRetry: known.some(({ shouldRetry }) => shouldRetry) } : {}),
  });
}
