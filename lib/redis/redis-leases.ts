import { randomUUID } from 'node:crypto';
import type { Lease, LeaseStore } from '../core/sharing/index.js';
import type { RedisAccess } from './redis-access.js';
import { scriptOn, type Script } from './script.js';
import type { WakeUps } from './wake-ups.js';

/** A lease is renewed so many times before it would run out. */
const RENEWALS = 3;
/** Who waits looks again so often, ms: its wake-up call may have been lost, or the owner may have died. */
const LOOK_AGAIN_MS = 1000;
/** The longest wait before the caller is asked to try again, ms. */
const LONGEST_WAIT_MS = 30_000;
/** How long it is remembered that somebody waits, ms; longer than one wait. */
const AWAITED_TTL_MS = 2 * LONGEST_WAIT_MS;

const ACQUIRE = `
if redis.call('set', KEYS[1], ARGV[1], 'nx', 'px', ARGV[2]) then return 1 end
redis.call('set', KEYS[2], '1', 'px', ARGV[3])
return 0`;

/** A lease that Redis has forgotten in a restart is taken again: the work goes on. */
const RENEW = `
local owner = redis.call('get', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
return 1`;

const RELEASE = `
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('del', KEYS[1], KEYS[2])
redis.call('publish', ARGV[2], KEYS[1])
return 1`;

/** What everybody gets where Redis cannot be asked. */
const ALONE: Lease = { awaited: () => Promise.resolve(false), release: () => Promise.resolve() };

/** Leases as keys `<prefix>:lease:<name>` with a random owner, which run out when it stops renewing them. */
export class RedisLeases implements LeaseStore {
  private readonly acquireScript: Script;
  private readonly renewScript: Script;
  private readonly releaseScript: Script;

  constructor(
    private readonly access: RedisAccess,
    private readonly wakeUps: WakeUps,
    private readonly prefix: string,
  ) {
    this.acquireScript = scriptOn(access.redis, 'toolsLeaseAcquire', 2, ACQUIRE);
    this.renewScript = scriptOn(access.redis, 'toolsLeaseRenew', 1, RENEW);
    this.releaseScript = scriptOn(access.redis, 'toolsLeaseRelease', 2, RELEASE);
    access.onDown(() => wakeUps.ringAll());
  }

  async acquire(name: string, ttlMs: number): Promise<Lease | undefined> {
    const { access } = this;
    const [key, awaited] = this.keysOf(name);
    const owner = randomUUID();
    const release = (): Promise<void> =>
      access.giveBack(() => this.releaseScript([key, awaited], [owner, this.wakeUps.channel]));
    const answer = await access.run<unknown>(
      () => this.acquireScript([key, awaited], [owner, ttlMs, AWAITED_TTL_MS]),
      // What is answered too late may be a yes.
      (sent) => void (sent && release()),
    );
    if (answer === undefined) return ALONE;
    if (answer !== 1) return undefined;
    const timer = setInterval(() => {
      void access
        .run<unknown>(
          () => this.renewScript([key], [owner, ttlMs]),
          () => undefined,
        )
        .then((renewed) => renewed === 0 && clearInterval(timer));
    }, ttlMs / RENEWALS);
    timer.unref();
    return {
      awaited: () =>
        access.run(
          async () => (await access.redis.exists(awaited)) === 1,
          () => false,
        ),
      release: async () => {
        clearInterval(timer);
        await release();
      },
    };
  }

  async released(name: string, signal: AbortSignal): Promise<void> {
    const { access } = this;
    const [key] = this.keysOf(name);
    const end = performance.now() + LONGEST_WAIT_MS;
    const bell = this.wakeUps.listen(key);
    try {
      while (!signal.aborted && performance.now() < end) {
        // Asked after listening, so that nothing can be missed in between.
        const left = await access.run(
          () => access.redis.pttl(key),
          () => 0,
        );
        if (left <= 0) return;
        await bell.rung(Math.min(left + 1, LOOK_AGAIN_MS), signal);
      }
    } finally {
      bell.close();
    }
  }

  private keysOf(name: string): [lease: string, awaited: string] {
    const key = `${this.prefix}:lease:${name.replace(/^nestjs-tools:/, '')}`;
    return [key, `${key}:awaited`];
  }
}
