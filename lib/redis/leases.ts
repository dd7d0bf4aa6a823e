import { randomUUID } from 'node:crypto';
import type { Lease, LeaseStore } from '../core/shared-state.js';
import { scriptOn, type RedisAccess, type Script, type Notifications } from './access.js';

/** How often a waiter looks for itself, ms: its notification may have been lost, or the owner may have died. */
const POLL_MS = 1000;
/** The longest wait before the caller is asked to try again, ms. */
const MAX_WAIT_MS = 30_000;
/** Answer of `PTTL` for a key that does not exist. */
const GONE = -2;

/** A key without a time to live is not from this package. It gets one, or it would never be free. */
const ACQUIRE = `
if redis.call('set', KEYS[1], ARGV[1], 'nx', 'px', ARGV[2]) then return 1 end
if redis.call('pttl', KEYS[1]) < 0 then redis.call('pexpire', KEYS[1], ARGV[2]) end
return 0`;

/** A lease that Redis has lost in a restart is taken again: the work goes on. */
const RENEW = `
local owner = redis.call('get', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
return 1`;

const RELEASE = `
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('del', KEYS[1])
redis.call('publish', ARGV[2], KEYS[1])
return 1`;

/** The lease for every caller while Redis cannot be reached. */
const UNSHARED_LEASE: Lease = { release: () => Promise.resolve() };

/** Leases as keys `<prefix>:lease:<name>` with a random owner, which expire when the owner stops renewing them. */
export class RedisLeases implements LeaseStore {
  private readonly acquireScript: Script;
  private readonly renewScript: Script;
  private readonly releaseScript: Script;

  constructor(
    private readonly access: RedisAccess,
    private readonly notifications: Notifications,
    private readonly prefix: string,
  ) {
    this.acquireScript = scriptOn(access.redis, 'toolsLeaseAcquire', 1, ACQUIRE);
    this.renewScript = scriptOn(access.redis, 'toolsLeaseRenew', 1, RENEW);
    this.releaseScript = scriptOn(access.redis, 'toolsLeaseRelease', 1, RELEASE);
    access.onDown(() => notifications.notifyAll());
  }

  async acquire(name: string, ttlMs: number): Promise<Lease | undefined> {
    const { access } = this;
    const key = this.keyOf(name);
    const owner = randomUUID();
    const release = (): Promise<void> =>
      access.giveBack(() => this.releaseScript([key], [owner, this.notifications.channel]));
    const answer = await access.run<unknown>(
      () => this.acquireScript([key], [owner, ttlMs]),
      // An answer that comes too late may be a yes.
      (sent) => void (sent && release()),
    );
    if (answer === undefined) return UNSHARED_LEASE;
    if (answer !== 1) return undefined;
    const endRenewal = access.renew(() => this.renewScript([key], [owner, ttlMs]), ttlMs);
    return {
      release: () => {
        endRenewal();
        return release();
      },
    };
  }

  async released(name: string, signal: AbortSignal): Promise<void> {
    const { access } = this;
    const key = this.keyOf(name);
    const end = performance.now() + MAX_WAIT_MS;
    const subscription = this.notifications.subscribe(key);
    try {
      while (!signal.aborted && performance.now() < end) {
        // Asked after subscribing, so that nothing can be missed in between.
        const left = await access.run(
          () => access.redis.pttl(key),
          () => GONE,
        );
        if (left === GONE) return;
        // Without a time to live (-1) it is not released either: asking at once again would be a busy loop.
        await subscription.next(left < 0 ? POLL_MS : Math.min(left + 1, POLL_MS), signal);
      }
    } finally {
      subscription.close();
    }
  }

  private keyOf(name: string): string {
    return `${this.prefix}:lease:${name.replace(/^nestjs-tools:/, '')}`;
  }
}
