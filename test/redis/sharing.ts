import { randomUUID } from 'node:crypto';
import type { SharedState } from '../../lib/core/shared-state.js';
import { eventually } from '../support/eventually.js';
import { redisShared, type RedisSharedOptions } from '../../lib/redis/index.js';

const open: SharedState[] = [];

/** The state that one replica shares; `closeAll` ends it. */
export async function replica(options: RedisSharedOptions): Promise<SharedState> {
  const shared = await redisShared(options).useFactory();
  open.push(shared);
  return shared;
}

/** One that is connected, and waits for Redis as long as it may: the machine may be busy. */
export async function connected(options: RedisSharedOptions): Promise<SharedState> {
  const shared = await replica({ timeoutMs: 1000, ...options });
  await eventually(
    () => shared.health().up,
    () => JSON.stringify(shared.health()),
  );
  return shared;
}

/** Ends every replica, for `afterEach`. */
export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((shared) => shared.close()));
}

/** A prefix that no other test has. */
export const freshPrefix = (): string => `test:${randomUUID()}`;

/** The server that `npm run check -- redis` started. */
export const REDIS_URL = process.env.REDIS_URL!;
