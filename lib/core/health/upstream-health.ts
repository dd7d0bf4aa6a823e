/** How one upstream is, as far as its calls have shown. */
export interface UpstreamState {
  /** `unknown`: not asked yet, or so long since the last failure that it may well be up again. */
  status: 'up' | 'down' | 'unknown';
  /** Failures since the last success. */
  failures: number;
  /** Stable name of the last failure, e.g. `upstream_timeout`. */
  lastError?: string;
  /** When it was last asked and the answer was in. */
  lastCallAt?: Date;
}

interface Entry {
  failures: number;
  lastError?: string;
  lastCallAt?: number;
}

/** So many failures in a row mean that an upstream is down: one may be chance. */
const DOWN_AFTER = 3;
/** So long after its last failure an upstream counts as unknown again, ms; else a server taken out of rotation would never recover. */
const FORGET_AFTER_MS = 30_000;

/**
 * Remembers how calls upstream ended, group by group (a tool, `model`, or `pages`), so that a health check can tell who is up without
 * spending anything.
 */
export class UpstreamHealth {
  private readonly groups = new Map<string, Map<string, Entry>>();

  /** @param now current time, ms; for tests */
  constructor(private readonly now: () => number = Date.now) {}

  /** Makes an upstream known before its first call. */
  register(group: string, upstream: string): void {
    this.entry(group, upstream);
  }

  succeeded(group: string, upstream: string): void {
    const entry = this.entry(group, upstream);
    entry.failures = 0;
    entry.lastError = undefined;
    entry.lastCallAt = this.now();
  }

  /** @param error stable name of the failure; no address, no key */
  failed(group: string, upstream: string, error: string): void {
    const entry = this.entry(group, upstream);
    entry.failures++;
    entry.lastError = error;
    entry.lastCallAt = this.now();
  }

  /** Every upstream of every group. */
  snapshot(): Record<string, Record<string, UpstreamState>> {
    const states: Record<string, Record<string, UpstreamState>> = {};
    for (const [group, upstreams] of this.groups) {
      states[group] = Object.fromEntries([...upstreams].map(([name, entry]) => [name, this.stateOf(entry)]));
    }
    return states;
  }

  private entry(group: string, upstream: string): Entry {
    let upstreams = this.groups.get(group);
    if (!upstreams) this.groups.set(group, (upstreams = new Map()));
    let entry = upstreams.get(upstream);
    if (!entry) upstreams.set(upstream, (entry = { failures: 0 }));
    return entry;
  }

  private stateOf({ failures, lastError, lastCallAt }: Entry): UpstreamState {
    const known = lastCallAt !== undefined;
    const recent = known && this.now() - lastCallAt < FORGET_AFTER_MS;
    const status =
      known && failures === 0
        ? 'up'
        : failures >= DOWN_AFTER && recent
          ? 'down'
          : known && recent
            ? 'up'
            : 'unknown';
    return {
      status,
      failures,
      ...(lastError ? { lastError } : {}),
      ...(known ? { lastCallAt: new Date(lastCallAt) } : {}),
    };
  }
}
