import { withFork, type ToolContext } from '../../core/context.js';
import {
  CircuitOpenError,
  MissingPeerError,
  NotConfiguredError,
  ToolsError,
  UpstreamInvalidError,
  type FailedAttempt,
} from '../../core/errors.js';
import { failureOf, thrownFault } from '../../core/failures.js';
import type { Watch } from '../../core/health.js';
import { CircuitBreaker, type CallVerdict } from '../../core/upstream/circuit-breaker.js';
import type { ProviderContext } from './transcript-provider.js';
import { BLOCKS_ADDRESS, mostSpecific, outcomeOf, videoFailure, withAttempts } from './video-failure.js';

interface ProviderCall {
  context: ToolContext;
  /** Time for the provider, ms. Default: the caller's. */
  ms: number | undefined;
  /** Time for one request upstream, ms. */
  requestTimeoutMs: number;
  tried: TriedProviders;
}

/** What was tried for one request. */
export class TriedProviders {
  readonly attempts: FailedAttempt[] = [];
  readonly failures: { name: string; error: ToolsError }[] = [];

  /** The failure that says most, with all attempts; undefined where no provider has failed. */
  failure(): ToolsError | undefined {
    const failure = mostSpecific(this.failures.map(({ error }) => error));
    return failure && withAttempts(failure, this.attempts);
  }
}

/** Calls providers of YouTube's data: within their time, with breakers for each, watched and recorded. */
export class ProviderCalls {
  private readonly breakers = new Map<object, Breakers>();

  /** @param kind e.g. `transcript provider`, for messages */
  constructor(
    private readonly kind: string,
    private readonly watch: Watch,
  ) {}

  /**
   * @returns undefined where the provider does not have it, or has failed
   * @throws the context's reason when it is aborted
   */
  async call<Fetched, Result>(
    provider: { name: string },
    { context, ms, requestTimeoutMs, tried }: ProviderCall,
    fetch: (context: ProviderContext) => Promise<Fetched | undefined>,
    read: (fetched: Fetched) => Result | Promise<Result>,
  ): Promise<Result | undefined> {
    const { name } = provider;
    const since = performance.now();
    const attempts: FailedAttempt[] = [];
    let outcome = 'ok';
    const attempt: ProviderContext['attempt'] = ({ client, ms, outcome }) =>
      void attempts.push({ provider: name, ...(client ? { client } : {}), ms, outcome });
    try {
      const fetched = await withBreakers(this.breakersOf(provider), context, () =>
        this.watch(name, context.signal, () =>
          withFork(context, { ms }, (inner) => fetch({ ...inner, requestTimeoutMs, attempt })),
        ),
      );
      if (fetched === undefined) {
        outcome = 'not_held';
        return undefined;
      }
      const result = await read(fetched);
      for (const { name: part, error } of tried.failures)
        context.fellBack?.({ part: `The ${this.kind} ${part}`, error: failureOf(part, error), by: name });
      return result;
    } catch (error) {
      outcome = error instanceof MissingPeerError ? 'not_installed' : outcomeOf(error);
      context.signal.throwIfAborted();
      tried.failures.push({ name, error: this.faultOf(error, name) });
      return undefined;
    } finally {
      // The whole is worth a line of its own where no line says how it ended.
      if (attempts.at(-1)?.outcome !== outcome)
        attempt({ ms: Math.round(performance.now() - since), outcome });
      tried.attempts.push(...attempts);
    }
  }

  /** A missing peer is the host's configuration; any other error that is not a `ToolsError` is the provider's fault. */
  private faultOf(error: unknown, name: string): ToolsError {
    if (ToolsError.isInstance(error)) return error;
    if (error instanceof MissingPeerError) return new NotConfiguredError(error.message);
    return new UpstreamInvalidError(`The ${this.kind} \`${name}\` failed.`, {
      cause: error,
      upstream: thrownFault(name, error),
    });
  }

  private breakersOf(provider: { name: string }): Breakers {
    const label = `The ${this.kind} "${provider.name}"`;
    const breakers = this.breakers.get(provider) ?? {
      outages: new CircuitBreaker(label),
      limits: new CircuitBreaker(label, 600_000),
    };
    this.breakers.set(provider, breakers);
    return breakers;
  }
}

interface Breakers {
  /** Opens after outages in a row, for up to 30 s. */
  outages: CircuitBreaker;
  /** Opens at the first limit, for as long as it lasts: further requests would prolong it. */
  limits: CircuitBreaker;
}

/** Failures that are about the way to a provider and not about one video. */
const OUTAGES: ReadonlySet<string> = new Set(['timeout', 'unreachable', 'server_error']);

/** @throws UpstreamUnavailableError (`rate_limited`) with the remaining time while a limit lasts; CircuitOpenError; what `work` throws */
function withBreakers<T>(
  { outages, limits }: Breakers,
  context: ToolContext,
  work: () => Promise<T>,
): Promise<T> {
  const unlessLimited = (): Promise<T> =>
    limits.run(context, work, verdictBy(BLOCKS_ADDRESS)).catch((error: unknown) => {
      if (!(error instanceof CircuitOpenError)) throw error;
      throw videoFailure('rate_limited', { retryAfterSeconds: error.retryAfterSeconds, cause: error });
    });
  return outages.run(context, unlessLimited, verdictBy(OUTAGES));
}

/** Only these outcomes count against a provider. Otherwise a caller could switch one off by asking for videos that cannot be read. */
const verdictBy =
  (outcomes: ReadonlySet<string>) =>
  (error: unknown): CallVerdict =>
    outcomes.has(outcomeOf(error)) ? 'failed' : 'there';
