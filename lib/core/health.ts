import { MissingPeerError, ToolsError, upstreamFaults, UpstreamTimeoutError } from './errors.js';
import type { SharedState, SharingHealth } from './shared-state.js';
import type { Telemetry } from './telemetry.js';

interface UpstreamState {
  /** `unknown`: not asked yet, or the last failure is long enough ago that it may be up again. */
  status: 'up' | 'down' | 'unknown';
  /** Failures since the last success. */
  failures: number;
  /** Stable name of the last failure, e.g. `upstream_timeout`. */
  lastError?: string;
  /** The upstream's status, or how the connection failed, e.g. `searxng 403` or `model ECONNREFUSED`. Absent if unknown. */
  lastFault?: string;
  /** When it was last asked and the answer was in. */
  lastCallAt?: Date;
}

interface Entry extends Omit<UpstreamState, 'status'> {
  /** As `lastCallAt`, ms of `performance.now()`. */
  calledAt?: number;
}

/** An upstream is down after this many failures in a row. One may be chance. Set by hand. */
const DOWN_AFTER = 3;
/** An upstream is unknown again this long after its last failure, ms. Otherwise a server out of rotation would never recover. Set by hand. */
const FORGET_AFTER_MS = 30_000;

/**
 * Remembers how calls upstream ended, group by group (a tool, `model`, or `pages`), so that a health check can tell who is up without
 * spending anything.
 */
export class UpstreamHealth {
  private readonly groups = new Map<string, Map<string, Entry>>();
  /** Groups that the tools can do without. */
  readonly optional = new Set<string>();

  /**
   * Makes an upstream known before its first call.
   * @param isOptional whether the tools can do without the group; default false
   */
  register(group: string, upstream: string, isOptional = false): void {
    if (isOptional) this.optional.add(group);
    if (!this.groups.get(group)?.has(upstream)) this.set(group, upstream, { failures: 0 });
  }

  succeeded(group: string, upstream: string): void {
    this.set(group, upstream, { failures: 0, ...moment() });
  }

  /**
   * @param lastError stable name of the failure; no address, no key
   * @param lastFault see `upstreamFaults`
   * @param isDown true: one failure proves that it is down
   */
  failed(group: string, upstream: string, lastError: string, lastFault?: string, isDown = false): void {
    const before = this.groups.get(group)?.get(upstream)?.failures ?? 0;
    const failures = Math.max(isDown ? DOWN_AFTER : 0, before + 1);
    this.set(group, upstream, { failures, lastError, lastFault, ...moment() });
  }

  snapshot(): Record<string, Record<string, UpstreamState>> {
    const groups = [...this.groups].map(([group, upstreams]) => {
      const states = [...upstreams].map(([name, { calledAt, ...entry }]) => {
        return [name, { status: statusOf(entry.failures, calledAt), ...entry }] as const;
      });
      return [group, Object.fromEntries(states)] as const;
    });
    return Object.fromEntries(groups);
  }

  private set(group: string, upstream: string, entry: Entry): void {
    const upstreams = this.groups.get(group) ?? new Map<string, Entry>();
    this.groups.set(group, upstreams.set(upstream, entry));
  }
}

function statusOf(failures: number, calledAt: number | undefined): UpstreamState['status'] {
  if (calledAt === undefined) return 'unknown';
  if (failures === 0) return 'up';
  if (performance.now() - calledAt >= FORGET_AFTER_MS) return 'unknown';
  return failures >= DOWN_AFTER ? 'down' : 'up';
}

const moment = (): { calledAt: number; lastCallAt: Date } => ({
  calledAt: performance.now(),
  lastCallAt: new Date(),
});

export interface Watcher {
  health: UpstreamHealth;
  telemetry: Telemetry;
}

/**
 * Runs a call to an upstream inside a span, and records its outcome in the health registry.
 *
 * @param upstream name, e.g. `searxng`
 * @param signal of the caller: a call that its caller has ended, also by its deadline, says nothing about the upstream
 * @throws what `call` throws
 */
export type Watch = <T>(upstream: string, signal: AbortSignal, call: () => Promise<T>) => Promise<T>;

export const unwatched: Watch = (_upstream, _signal, call) => call();

/**
 * Observes the upstreams of a group. An answer that something does not exist (404, 422) counts as a success: the upstream works.
 * @param group whose upstreams they are: a tool, or `model`
 */
export function watchGroup(group: string, { health, telemetry }: Watcher): Watch {
  return async (upstream, signal, call) => {
    const span = telemetry.startSpan(`${group} ${upstream}`, {
      attributes: { 'nestjs_tools.provider': upstream },
    });
    try {
      const answer = await span.run(call);
      health.succeeded(group, upstream);
      return answer;
    } catch (error) {
      // An aborted call may throw anything; the reason for the abort is the truth.
      const reason: unknown = signal.aborted ? signal.reason : error;
      const fault = upstreamFaults(reason);
      span.set({ 'nestjs_tools.upstream_fault': fault });
      span.fail(signal.aborted && !(reason instanceof UpstreamTimeoutError) ? 'cancelled' : codeOf(reason));
      if (!signal.aborted) {
        if (isUpstreamFault(error)) health.failed(group, upstream, codeOf(error), fault);
        else health.succeeded(group, upstream);
      }
      throw error;
    } finally {
      span.end();
    }
  };
}

function isUpstreamFault(error: unknown): boolean {
  return !ToolsError.isInstance(error) || error.getStatus() >= 500;
}

function codeOf(error: unknown): string {
  if (error instanceof MissingPeerError) return 'not_installed';
  return ToolsError.isInstance(error) ? error.code : 'failed';
}

/** How the queue of jobs is, as it was last seen. */
export interface JobsHealth extends SharingHealth {
  /** Processes that work on jobs, this one included. Absent while unknown. */
  workers?: number;
  /** Jobs and parts of jobs that have not started. Absent while unknown. */
  waiting?: number;
}

export interface JobsHealthSource {
  /** Costs nothing: says what was seen last. */
  health(): JobsHealth;
}

/** Health in the form that `@nestjs/terminus` takes from an indicator: `{ [key]: { status, … } }`. */
type ToolsHealthResult = Record<
  string,
  { status: 'up' | 'down'; [detail: string]: 'up' | 'down' | GroupHealth }
>;

/** Health of one tool, of the models, of reading pages, or of what processes share (`shared`, `jobs`, which have no upstreams). */
export interface GroupHealth extends Omit<JobsHealth, 'up'> {
  /** `down`: every upstream of the group is, or what is shared cannot be reached, or `jobs` has no worker. */
  status: 'up' | 'down';
  upstreams: Record<string, UpstreamState>;
}

/**
 * Reports which providers are up, by the outcome of their last calls. It sends no request. Works with `@nestjs/terminus`
 * (`health.check([() => tools.check()])`) and without it.
 * @publicApi
 */
export class ToolsHealthIndicator {
  /**
   * @param shared what replicas share, if anything
   * @param jobs the queue of jobs, if there is one
   */
  constructor(
    private readonly health: UpstreamHealth,
    private readonly shared?: Pick<SharedState, 'health'>,
    private readonly jobs?: JobsHealthSource,
  ) {}

  /**
   * `down` when a tool or the model has upstreams and all of them are down. An upstream is down after three failures in a row, for 30 s
   * after the last. Pages, shared state and the queue of jobs have entries too. They never make the whole `down`, because the tools work
   * without them.
   * @param key name of the entry; default `tools`
   */
  check(key = 'tools'): ToolsHealthResult {
    const groups = Object.entries(this.health.snapshot()).map(([name, upstreams]): [string, GroupHealth] => {
      const states = Object.values(upstreams);
      const down = states.length > 0 && states.every(({ status }) => status === 'down');
      return [name, { status: down ? 'down' : 'up', upstreams }];
    });
    const down = groups.some(([name, { status }]) => status === 'down' && !this.health.optional.has(name));
    return {
      [key]: {
        status: down ? 'down' : 'up',
        ...Object.fromEntries(groups),
        ...(this.shared ? { shared: healthOf(this.shared.health()) } : {}),
        ...(this.jobs ? { jobs: healthOf(this.jobs.health()) } : {}),
      },
    };
  }
}

function healthOf({ up, ...seen }: JobsHealth): GroupHealth {
  return { status: up ? 'up' : 'down', upstreams: {}, ...seen };
}
