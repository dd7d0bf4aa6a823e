import {
  ToolsError,
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
  type Attempt,
} from '../core/errors.js';
import { fork, raceAbort, type Fork, type ToolContext } from '../core/context.js';
import { unwatched, type Watch } from '../core/health.js';
import { portResult } from '../core/ports.js';
import { array, number, object, optional, refine, string, withDefault, type Schema } from '../core/schema.js';
import { CircuitBreaker } from '../core/upstream/retry.js';
import { systemCode } from '../core/upstream/request.js';
import { SearchProviderError } from './providers/search-provider.error.js';
import type {
  SearchHit,
  SearchProvider,
  SearchProviderResult,
  SearchQuery,
  SearchWarning,
} from './search-provider.js';

/** Most hits of one list: twenty times what is ever asked for. */
const MAX_HITS = 1000;
/** Most characters of all texts of one list. */
const MAX_CHARACTERS = 20_000_000;

const HIT: Schema<SearchHit> = object<SearchHit>({
  url: string(),
  title: withDefault(string(), ''),
  snippet: optional(string()),
  passages: optional(array(string())),
  score: optional(number()),
  publishedAt: optional(string()),
  license: optional(string()),
  attribution: optional(string()),
});

const WARNING: Schema<SearchWarning> = object<SearchWarning>({
  code: string({
    pattern: /^[a-z][a-z0-9_]{0,49}$/,
    expected: 'a name in snake_case of at most 50 characters',
  }),
  message: string({ max: 500 }),
});

/** What a search provider gives. A host's own may return anything at run time. */
const PROVIDER_RESULT: Schema<SearchProviderResult> = object<SearchProviderResult>({
  hits: refine(
    array(HIT, { max: MAX_HITS }),
    `of at most ${MAX_CHARACTERS} characters in all`,
    (hits) => hits.reduce((sum, hit) => sum + charactersOf(hit), 0) <= MAX_CHARACTERS,
  ),
  warnings: optional(array(WARNING, { max: 20 })),
});

function charactersOf({ title, snippet = '', passages = [] }: SearchHit): number {
  return title.length + snippet.length + passages.reduce((sum, text) => sum + text.length, 0);
}

/** The list of one provider. */
export interface ProviderList {
  provider: string;
  hits: SearchHit[];
  /** What the provider could not do fully. */
  warnings?: readonly SearchWarning[];
}

/** Results of the providers. */
interface RaceResult {
  /** At least one; in the order of the configured providers. */
  lists: ProviderList[];
  /** Providers that failed although others answered. */
  failed: Attempt[];
}

/** How providers are asked. */
export interface RaceOptions {
  hedgeAfterMs: number;
  combine: 'first' | 'all';
}

/**
 * A provider and what keeps it from being asked while it is known to fail. Create them once and keep them: the breaker counts over
 * all requests.
 */
export interface GuardedProvider {
  readonly provider: SearchProvider;
  readonly breaker: CircuitBreaker;
  readonly hangs: HangStats;
  readonly watch: Watch;
}

/** Records races that a provider lost: it may be slow, or it may hang. */
interface HangStats {
  /** Races in a row that it lost without any answer. */
  losses: number;
  /** True while one lost call goes on in the background, to see whether it ends. */
  probing: boolean;
}

/** Puts a breaker around each provider: five failures in a row, or one that names a time to wait, give it a rest of up to 30 s. */
export function guarded(providers: readonly SearchProvider[], watch: Watch = unwatched): GuardedProvider[] {
  return providers.map((provider) => ({
    provider,
    breaker: new CircuitBreaker(`The search provider ${provider.name}`),
    hangs: { losses: 0, probing: false },
    watch,
  }));
}

/** Lost races after which a probe finds out whether a provider is slow or hangs. */
const LOSSES_TO_PROBE = 3;
/** Rest of a provider that was found to hang, s; as long as the breaker's first one. */
const HUNG_REST_SECONDS = 5;

interface Runner extends GuardedProvider {
  call: Fork;
  startedAt: number;
  state: 'running' | 'done' | 'failed';
  hits: SearchHit[];
  warnings: readonly SearchWarning[];
  error?: unknown;
  /** Called when it has ended after its race. */
  ended?: () => void;
}

/**
 * Asks the providers. One whose breaker is open is skipped at once. The first provider is asked, and the next one in parallel when it takes
 * longer than `hedgeAfterMs`, has failed or has found nothing. The first list with hits wins and the others are cancelled.
 *
 * A cancelled loser never shows whether it was slow or hung, and a hung one would cost every request its hedge. After three losses in
 * a row the next one is therefore probed once in the background, until the deadline: if it answers by then it is slow and keeps its
 * place; if not, it rests for a while.
 *
 * With `combine: 'all'` all providers are asked at once, and the lists that arrive within three quarters of the remaining time are given.
 *
 * @throws UpstreamInvalidError when every provider answered with something unreadable, UpstreamUnavailableError when every one failed in
 *   whatever way; a failure never looks like an empty list
 */
export async function askProviders(
  providers: readonly GuardedProvider[],
  query: SearchQuery,
  context: ToolContext,
  options: RaceOptions,
): Promise<RaceResult> {
  const runners: Runner[] = [];
  return new Promise<RaceResult>((resolve, reject) => {
    let settled = false;
    let timer: NodeJS.Timeout | undefined;

    const finish = (complete: () => void): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      context.signal.removeEventListener('abort', onAbort);
      const lost = new Error('Another provider was faster.');
      for (const r of runners) {
        if (r.state !== 'running') continue;
        if (context.signal.aborted) r.call.abort(context.signal.reason);
        else if (shouldProbe(r)) probe(r, context);
        else {
          r.hangs.losses++;
          r.call.abort(lost);
        }
      }
      complete();
    };
    const onAbort = (): void => finish(() => reject(context.signal.reason as Error));
    const result = (): RaceResult => ({
      lists: runners
        .filter((r) => r.state === 'done')
        .map((r) => ({ provider: r.provider.name, hits: r.hits, warnings: r.warnings })),
      failed: runners.filter((r) => r.state === 'failed').map(attemptOf),
    });

    const next = (): void => {
      clearTimeout(timer);
      const guardedProvider = providers[runners.length];
      if (!guardedProvider || settled) return;
      const runner: Runner = {
        ...guardedProvider,
        call: fork(context),
        startedAt: performance.now(),
        state: 'running',
        hits: [],
        warnings: [],
      };
      runners.push(runner);
      run(runner, query).then(
        ({ hits, warnings = [] }) => {
          runner.state = 'done';
          Object.assign(runner, { hits, warnings });
          progressed(runner);
        },
        (error: unknown) => {
          runner.state = 'failed';
          runner.error = error;
          progressed(runner);
        },
      );
      if (options.combine === 'all') next();
      else if (runners.length < providers.length) timer = setTimeout(next, options.hedgeAfterMs);
    };

    const progressed = (runner: Runner): void => {
      runner.call.dispose();
      runner.ended?.();
      if (settled) return;
      const open = runners.some((r) => r.state === 'running') || runners.length < providers.length;
      if (options.combine === 'first' && runner.hits.length > 0) return finish(() => resolve(result()));
      if (!open) {
        const anyAnswered = runners.some((r) => r.state === 'done');
        return finish(() => (anyAnswered ? resolve(result()) : reject(allDown(runners))));
      }
      if (options.combine === 'first') next();
    };

    if (context.signal.aborted) return onAbort();
    context.signal.addEventListener('abort', onAbort, { once: true });
    next();
    if (options.combine === 'all') {
      timer = setTimeout(() => {
        if (runners.some((r) => r.state === 'done')) {
          for (const r of runners) {
            if (r.state !== 'running') continue;
            r.error = new UpstreamTimeoutError(`The search provider ${r.provider.name} was too slow.`);
            r.state = 'failed';
            r.call.abort(r.error);
          }
          finish(() => resolve(result()));
        }
      }, context.remainingMs() * 0.75);
    }
  });
}

function shouldProbe({ breaker, hangs }: Runner): boolean {
  return !hangs.probing && (hangs.losses >= LOSSES_TO_PROBE || breaker.state === 'half_open');
}

/** Lets a loser go on until the deadline of its request. Its breaker records how it ends. */
function probe(runner: Runner, context: ToolContext): void {
  const { breaker, hangs, call, provider } = runner;
  hangs.probing = true;
  const hung = new UpstreamTimeoutError(
    `The search provider ${provider.name} did not answer within the deadline.`,
    // A probe that fails lengthens the rest by itself.
    breaker.state === 'closed' ? { retryAfterSeconds: HUNG_REST_SECONDS } : {},
  );
  // No request waits for it, so it must not keep the process alive.
  const timer = setTimeout(() => call.abort(hung), context.remainingMs()).unref();
  runner.ended = (): void => {
    clearTimeout(timer);
    hangs.probing = false;
  };
}

async function run(
  { provider, breaker, hangs, watch, call }: Runner,
  query: SearchQuery,
): Promise<SearchProviderResult> {
  const { context } = call;
  const outcome = await breaker.run(async () => {
    try {
      // A provider that ignores its signal must not hold anybody up either.
      const search = (): Promise<SearchProviderResult> => provider.search(query, context);
      const found = await raceAbort(watch(provider.name, context.signal, search), context.signal);
      const result = portResult(PROVIDER_RESULT, found, 'search provider', provider.name);
      hangs.losses = 0;
      return { result };
    } catch (error) {
      if (context.signal.aborted) throw context.signal.reason;
      hangs.losses = 0;
      // One refused query says nothing about the next: a caller could otherwise switch a provider off with bad queries.
      if (error instanceof SearchProviderError && error.kind === 'bad_request') return { error };
      throw error;
    }
  });
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}

function attemptOf(runner: Runner): Attempt {
  const { error } = runner;
  return {
    provider: runner.provider.name,
    ms: Math.round(performance.now() - runner.startedAt),
    outcome: ToolsError.isInstance(error) ? error.code : 'failed',
  };
}

/** The error of a provider. One of a host's own provider may say nothing about where it comes from. */
function named({ provider, error }: Runner): unknown {
  if (ToolsError.isInstance(error) && error.upstream) return error;
  const upstream = { upstream: provider.name, code: systemCode(error) };
  return new UpstreamUnavailableError(`The search provider ${provider.name} failed.`, {
    cause: error,
    upstream,
  });
}

function allDown(runners: readonly Runner[]): ToolsError {
  const errors = runners.map((r) => r.error);
  const known = errors.filter((e) => ToolsError.isInstance(e));
  const waits = known.map((e) => e.retryAfterSeconds).filter((s) => s !== undefined);
  const names = runners.map((r) => r.provider.name).join(', ');
  if (errors.every((e) => ToolsError.isInstance(e) && e.code === 'upstream_invalid')) {
    return new UpstreamInvalidError(`What the search providers (${names}) answered cannot be read.`, {
      details: { attempts: runners.map(attemptOf) },
      cause: new AggregateError(runners.map(named)),
    });
  }
  return new UpstreamUnavailableError(
    runners.length === 1
      ? `The search provider (${names}) is unavailable.`
      : `None of the search providers (${names}) is available.`,
    {
      details: { attempts: runners.map(attemptOf) },
      cause: new AggregateError(runners.map(named)),
      ...(waits.length > 0 ? { retryAfterSeconds: Math.min(...waits) } : {}),
      // Where every one of them says that asking again is of no use, it is of no use.
      ...(known.length === errors.length ? { shouldRetry: known.some((e) => e.shouldRetry) } : {}),
    },
  );
}
