import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease, LeaseStore } from '../core/shared-state.js';
import { scriptOn, type RedisAccess } from './access.js';

const POLL_MS = 200; // between two looks at a lease; a plain bound
/** The longest wait before the caller is asked to try again, ms; a plain bound. */
const MAX_WAIT_MS = 30_000;

/** A lease that Redis has lost in a restart is taken again: the work goes on. */
const RENEW = `
local owner = redis.call('get', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
return 1`;

const RELEASE = `
if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end`;

/** The lease for every caller while Redis cannot be reached. */
const UNSHARED_LEASE: Lease = { release: () => Promise.resolve() };

/** Leases as keys `<prefix>:lease:<name>` with a random owner, which expire when the owner stops renewing them. */
export function redisLeases(access: RedisAccess, prefix: string): LeaseStore {
  const { redis } = access;
  const renew = scriptOn(redis, 'toolsLeaseRenew', 1, RENEW);
  const release = scriptOn(redis, 'toolsLeaseRelease', 1, RELEASE);
  const keyOf = (name: string): string => `${prefix}:lease:${name.replace(/^nestjs-tools:/, '')}`;
  return {
    acquire: async (name, ttlMs) => {
      const key = keyOf(name);
      const owner = randomUUID();
      const answer = await access.run(() => redis.set(key, owner, 'PX', ttlMs, 'NX'));
      if (answer === undefined) return UNSHARED_LEASE;
      if (answer === null) return undefined;
      const endRenewal = access.renew(() => renew([key], [owner, ttlMs]), ttlMs);
      return {
        release: async () => {
          endRenewal();
          // Where Redis does not hear of it, the lease expires.
          await access.run(() => release([key], [owner]));
        },
      };
    },
    released: async (name, signal) => {
      const end = performance.now() + MAX_WAIT_MS;
      while (!signal.aborted && performance.now() < end) {
        const held = await access.run(() => redis.exists(keyOf(name)));
        if (!held) return;
        await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
