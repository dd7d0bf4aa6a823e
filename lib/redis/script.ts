import type { Redis } from 'ioredis';

/** Runs a script in one step on the server. */
export type Script = (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

/**
 * A Lua script that is sent once and then named by its hash.
 * @param name unique on the connection
 */
export function scriptOn(redis: Redis, name: string, numberOfKeys: number, lua: string): Script {
  redis.defineCommand(name, { numberOfKeys, lua });
  const commands = redis as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  return (keys, args) => commands[name]!(...keys, ...args);
}
