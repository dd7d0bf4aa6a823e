import { ResultCache, type CacheStore } from '../core/cache.js';
import { raceAbort, withContext, type CallOptions, type ToolContext } from '../core/context.js';
import { InvalidRequestError, NotConfiguredError } from '../core/errors.js';
import { withFailuresLogged } from '../core/failures.js';
import type { SharedState } from '../core/shared-state.js';
import type { Model } from '../core/openapi.js';
import { check, isRecord } from '../core/schema.js';
import { NO_USAGE, trackSpend, type ModelUsage } from '../core/usage.js';
import { VERSION } from '../core/version.js';
import type { Warning } from '../core/warning.js';
import { harmlessResult } from './result-fields.js';
import { SingleFlight } from '../core/single-flight.js';
import { optionsOf, type Enabled, type HostOptions, type ToolDefinition } from './tool-definition.js';

/** A replica whose lease was not renewed for this long counts as dead; another one takes over its work, ms; set by hand. */
const LEASE_TTL_MS = 5000;
/** How long a result is stored for replicas that wait for it, ms. Also for results that are not cached. Set by hand. */
const HANDOVER_TTL_MS = 10_000;

/** What is known here of every result. */
interface Result {
  warnings?: readonly Warning[];
  /** Share of the content that was read, 0..1. Default 1. */
  coverage?: number;
  usage?: ModelUsage;
  llm?: { usage?: ModelUsage };
}

/** Whether a result is worth caching: not where something failed that may work for the next caller. */
function isComplete({ warnings = [], coverage = 1 }: Result): boolean {
  return coverage === 1 && !warnings.some(({ transient }) => transient);
}

const PAID_BY_OTHERS: ModelUsage = { ...NO_USAGE, cost: 0 };

/** A result that another call has paid for: this one cost nothing. */
function paidByOthers<T extends Result>(value: T): T {
  const result = { ...value };
  if (value.usage) result.usage = PAID_BY_OTHERS;
  if (value.llm?.usage) result.llm = { ...value.llm, usage: PAID_BY_OTHERS };
  return result;
}

/** Where results are cached, and what the replicas of the host share. Default: nowhere, nothing. */
export interface ToolStores {
  cache?: CacheStore;
  shared?: Pick<SharedState, 'leases' | 'cache'>;
}

/** The resolved options of the module, as services get them. */
export type Host = ToolStores & HostOptions;

/** One validated request of a tool, ready to run. */
export interface ToolWork<T> {
  /** Everything that the result depends on, as JSON. Requests with equal keys share work and results. */
  key: readonly unknown[];
  /** Time for the work, ms, unless the call says otherwise. */
  deadlineMs: number;
  /** @param spent what the work has cost so far; undefined where it has cost nothing */
  run(context: ToolContext, spent: () => ModelUsage | undefined): Promise<T>;
}

/** A result of shared work. The first waiter that takes it bears its cost. */
interface Shared<T> {
  value: T;
  claimed: boolean;
}

/**
 * A tool without HTTP: a service checks its requests and runs them: cache → deadline → single flight → admission → lease → work → cleaning → cache. It is
 * the only owner of these steps, for requests over HTTP, jobs, agents and injected services alike.
 *
 * Errors are neither cached nor handed to other replicas: the next replica tries itself.
 */
export abstract class ToolService<Request, Made extends Result, Options extends { cacheTtlMs: number }> {
  protected readonly options: Enabled<Options>;
  private readonly cache: ResultCache<Made>;
  private readonly flights = new SingleFlight<Shared<Made>>();

  /**
   * @param host the resolved options of the module
   * @param data DTO class of the result. Null: the work makes its own result harmless, e.g. because code in it must stay as it is
   */
  constructor(
    private readonly tool: Pick<ToolDefinition, 'name' | 'option' | 'data'>,
    private readonly host: Host,
    private readonly data: Model | null = tool.data,
  ) {
    this.options = optionsOf<Options>(tool, host);
    // Another version may give its results other fields.
    const name = `${VERSION}:${tool.name}`;
    const schema = check<Made>('an object', isRecord);
    this.cache = new ResultCache({ name, ttlMs: this.options.cacheTtlMs, schema, store: host.cache });
  }

  /** @throws NotConfiguredError when the tool is off; what `prepare` throws; what `runWork` throws */
  protected async answer(request: Request, call: CallOptions): Promise<Made & { cached: boolean }> {
    this.requireEnabled(request);
    return this.runWork(this.prepare(request), call);
  }

  /** @throws NotConfiguredError when the tool is off; InvalidRequestError for a request that is no object */
  protected requireEnabled(request: Request): void {
    const { enabled } = this.options;
    const { name, option } = this.tool;
    const state = option.byDefault ? 'false' : 'not set';
    if (!enabled)
      throw new NotConfiguredError(
        `This server does not offer ${name} (option \`${option.name}\` is ${state}).`,
      );
    if (!isRecord(request))
      throw new InvalidRequestError([{ field: 'request', message: 'The request must be an object.' }]);
  }

  /** Checks a request: callers without HTTP have no DTO in front of them. */
  protected abstract prepare(request: Request): ToolWork<Made>;

  /**
   * Everything that the result depends on. Equal requests have equal identities.
   * @throws what the tool throws before it begins to work
   */
  identityOf(request: Request): readonly unknown[] {
    this.requireEnabled(request);
    return this.prepare(request).key;
  }

  /**
   * The result, and whether it was made for an earlier request. Its `usage` says what this call cost: nothing where another one has paid.
   *
   * @param call of this caller; its signal ends its wait only, while others wait for the same work
   * @throws what the work throws; UpstreamTimeoutError when the deadline passes; the error of `admit` when admission is refused; the
   *   caller's own abort reason when it aborts
   */
  protected async runWork(work: ToolWork<Made>, call: CallOptions): Promise<Made & { cached: boolean }> {
    const { admit, noCache, deadlineMs = work.deadlineMs } = call;
    const { data } = this;
    const key = this.cache.keyOf(work.key);
    const cached = noCache ? undefined : await this.cache.read(key);
    if (cached !== undefined) return paidByOthers(Object.assign(cached, { cached: true }));
    const make = (outer: ToolContext): Promise<Made> =>
      withFailuresLogged(outer, async (inner) => {
        const { context, spent } = trackSpend(inner);
        const made = await work.run(context, spent);
        const value = data ? harmlessResult(data, made) : made;
        if (!noCache && isComplete(value)) await this.cache.write(key, value);
        return value;
      });
    // A job may do what takes too long for a request: the one must not get the refusal of the other.
    const shareKey = call.inJob ? `${key}:job` : key;
    return withContext(deadlineMs, call, async (context) => {
      if (noCache) {
        const alone = admit ? admit(context.signal, () => make(context)) : make(context);
        return { ...(await alone), cached: false };
      }
      const made = await this.flights.run(shareKey, context, admit, deadlineMs, (flight) =>
        this.makeOnce(key, shareKey, flight.signal, () => make(flight)),
      );
      const isPaid = made.claimed;
      made.claimed = true;
      return { ...(isPaid ? paidByOthers(made.value) : made.value), cached: false };
    });
  }

  /**
   * Makes a value in one replica only: under a lease, or by waiting for the replica that holds it. Takes over when that one fails, gives
   * up or dies.
   */
  private async makeOnce(
    key: string,
    shareKey: string,
    signal: AbortSignal,
    make: () => Promise<Made>,
  ): Promise<Shared<Made>> {
    const { shared } = this.host;
    if (!shared) return { value: await make(), claimed: false };
    const { leases, cache } = shared;
    const handover = `${shareKey}:handover`;
    for (;;) {
      const lease = await leases.acquire(shareKey, LEASE_TTL_MS);
      if (lease) {
        try {
          signal.throwIfAborted();
          // Another replica may have made it between the look-up and the lease.
          const cached = await this.cache.read(key);
          if (cached !== undefined) return { value: cached, claimed: true };
          // Work that ignores its signal must not keep the lease from the others.
          const value = await raceAbort(make(), signal);
          await this.cache.write(handover, value, { store: cache, ttlMs: HANDOVER_TTL_MS });
          return { value, claimed: false };
        } finally {
          await lease.release();
        }
      }
      await leases.released(shareKey, signal);
      signal.throwIfAborted();
      const handed = await this.cache.read(handover, cache);
      if (handed !== undefined) return { value: handed, claimed: true };
    }
  }
}
