import { brokenPort } from '../core/broken-port.js';
import {
  ToolsError,
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
  type Attempt,
} from '../core/errors/index.js';
import { raceAbort, type ToolContext } from '../core/tool-context.js';
import { CircuitBreaker } from '../core/upstream/index.js';
import { SearchProviderError } from './providers/search-provider.error.js';
import { hitsFault } from './hits-fault.js';
import type { SearchHit, SearchProvider, SearchQuery } from './search-provider.js';

/** The list of one provider. */
export interface ProviderList {
  provider: string;
  hits: SearchHit[];
}

/** What the providers gave. */
export interface RaceResult {
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
 * A provider and what keeps it from being asked while it is known to fail. Make them once and keep them: the breaker counts over
 * all requests.
 */
export interface GuardedProvider {
  readonly provider: SearchProvider;
  readonly breaker: CircuitBreaker;
  /** What is known of races that it lost. */
  readonly silence: Silence;
}

interface Silence {
  /** Races in a row that it lost before anything came from it. */
  losses: number;
  /** True while one lost race is waited out. */
  listening: boolean;
}

/** Puts a breaker around each provider: five failures in a row, or one that names a time to wait, give it a rest of up to 30 s. */
export function guarded(providers: readonly SearchProvider[]): GuardedProvider[] {
  return providers.map((provider) => ({
    provider,
    breaker: new CircuitBreaker(`The search provider ${provider.name}`),
    silence: { losses: 0, listening: false },
  }));
}

/** Lost races after which it is worth knowing whether a provider is slow or hangs. */
const LOSSES_TO_LISTEN = 3;
/** Rest of a provider that was found to hang; as long as the breaker's first one, s. */
const HUNG_REST_SECONDS = 5;

interface Runner extends GuardedProvider {
  controller: AbortController;
  startedAt: number;
  state: 'running' | 'done' | 'failed';
  hits: SearchHit[];
  error?: unknown;
  /** Called when it has ended after its race. */
  ended?: () => void;
}

/**
 * Asks the providers, passing over at once those whose breaker is open: the first one, and the next beside it when it takes longer
 * than `hedgeAfterMs`, has failed or has found nothing. The first list with hits wins and the others are cancelled. A loser that is
 * cancelled never shows whether it was slow or hung, so that a hung one would cost every request its hedge: after three losses in a
 * row the next one is waited out behind the caller's back, to the end of the deadline. What answers by then is slow and stays in its
 * place; what does not is left alone for a while. With `combine: 'all'` all are asked at once,
 * and all that answer within three quarters of the time that is left are given.
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
        if (context.signal.aborted) r.controller.abort(context.signal.reason);
        else if (isWorthHearing(r)) listen(r, context);
        else {
          r.silence.losses++;
          r.controller.abort(lost);
        }
      }
      complete();
    };
    const onAbort = (): void => finish(() => reject(context.signal.reason as Error));
    const result = (): RaceResult => ({
      lists: runners
        .filter((r) => r.state === 'done')
        .map((r) => ({ provider: r.provider.name, hits: r.hits })),
      failed: runners.filter((r) => r.state === 'failed').map(attemptOf),
    });

    const next = (): void => {
      clearTimeout(timer);
      const guardedProvider = providers[runners.length];
      if (!guardedProvider || settled) return;
      const runner: Runner = {
        ...guardedProvider,
        controller: new AbortController(),
        startedAt: performance.now(),
        state: 'running',
        hits: [],
      };
      runners.push(runner);
      run(runner, query, context).then(
        (hits) => {
          runner.state = 'done';
          runner.hits = hits;
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
            r.controller.abort(r.error);
          }
          finish(() => resolve(result()));
        }
      }, context.remainingMs() * 0.75);
    }
  });
}

function isWorthHearing({ breaker, silence }: Runner): boolean {
  return !silence.listening && (silence.losses >= LOSSES_TO_LISTEN || breaker.state === 'half_open');
}

/** Lets a loser go on until the deadline of its request; its breaker hears how it ends. */
function listen(runner: Runner, context: ToolContext): void {
  const { breaker, silence, controller, provider } = runner;
  silence.listening = true;
  const hung = new UpstreamTimeoutError(
    `The search provider ${provider.name} did not answer within the deadline.`,
    // A probe that fails lengthens the rest by itself.
    breaker.state === 'closed' ? { retryAfterSeconds: HUNG_REST_SECONDS } : {},
  );
  const onAbort = (): void => controller.abort(context.signal.reason);
  context.signal.addEventListener('abort', onAbort, { once: true });
  // Nobody waits for it: it must not keep a process alive.
  const timer = setTimeout(() => controller.abort(hung), context.remainingMs()).unref();
  runner.ended = (): void => {
    clearTimeout(timer);
    context.signal.removeEventListener('abort', onAbort);
    silence.listening = false;
  };
}

async function run(runner: Runner, query: SearchQuery, context: ToolContext): Promise<SearchHit[]> {
  const own: ToolContext = {
    signal: runner.controller.signal,
    remainingMs: () => context.remainingMs(),
    progress: (event) => context.progress(event),
    requestId: context.requestId,
    noCache: context.noCache,
    spend: context.spend,
  };
  const outcome = await runner.breaker.run(async () => {
    try {
      // One that does not heed its signal must not hold anybody up either.
      const result = await raceAbort(runner.provider.search(query, own), own.signal);
      const fault = hitsFault(result);
      if (fault) throw brokenPort('search provider', runner.provider.name, fault);
      runner.silence.losses = 0;
      return { hits: result.hits };
    } catch (error) {
      if (own.signal.aborted) throw own.signal.reason;
      runner.silence.losses = 0;
      // One query that it refuses says nothing of the next: else a caller could switch a provider off with bad queries.
      if (error instanceof SearchProviderError && error.kind === 'bad_request') return { error };
      throw error;
    }
  });
  if ('error' in outcome) throw outcome.error;
  return outcome.hits;
}

function attemptOf(runner: Runner): Attempt {
  const { error } = runner;
  return {
    provider: runner.provider.name,
    ms: Math.round(performance.now() - runner.startedAt),
    outcome: error instanceof ToolsError ? error.code : 'failed',
  };
}

function allDown(runners: readonly Runner[]): ToolsError {
  const errors = runners.map((r) => r.error);
  const known = errors.filter((e) => e instanceof ToolsError);
  const waits = known.map((e) => e.retryAfterSeconds).filter((s) => s !== undefined);
  const names = runners.map((r) => r.provider.name).join(', ');
  if (errors.every((e) => e instanceof ToolsError && e.code === 'upstream_invalid')) {
    return new UpstreamInvalidError(`What the search providers (${names}) answered cannot be read.`, {
      details: { attempts: runners.map(attemptOf) },
      cause: new AggregateError(errors),
    });
  }
  return new UpstreamUnavailableError(
    runners.length === 1
      ? `The search provider (${names}) is unavailable.`
      : `None of the search providers (${names}) is available.`,
    {
      details: { attempts: runners.map(attemptOf) },
      cause: errors.length === 1 ? errors[0] : new AggregateError(errors),
      ...(waits.length > 0 ? { retryAfterSeconds: Math.min(...waits) } : {}),
      // Where every one of them says that asking again is of no use, it is of no use.
      ...(known.length === errors.length ? { shouldRetry: known.some((e) => e.shouldRetry) } : {}),
    },
  );
}
