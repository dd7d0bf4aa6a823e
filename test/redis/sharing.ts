import { randomUUID } from 'node:crypto';
import type { SharedState } from '../../lib/core/shared-state.js';
import { redisShared, type RedisSharedOptions } from '../../lib/redis/index.js';

const open: SharedState[] = [];

/** What one replica shares; `closeAll` ends it. */
export async function replica(options: RedisSharedOptions): Promise<SharedState> {
  const shared = await redisShared(options).useFactory();
  open.push(shared);
  return shared;
}

/** Ends every replica, for `afterEach`. */
export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((shared) => shared.close()));
}

/** A prefix that no other test has. */
export const freshPrefix = (): string => `test:${randomUUID()}`;

/** The server that `npm run test:redis` started. */
export const REDIS_URL = process.env.REDIS_URL!;
