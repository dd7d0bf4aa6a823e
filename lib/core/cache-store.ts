import { LRUCache } from 'lru-cache';

/**
 * Where results are kept between requests. Any Keyv instance fits (`new Keyv()`, or one on Redis or Valkey to share results
 * between replicas); so does anything else with these two methods.
 */
export interface CacheStore {
  /** The text that was set, or a promise of it; undefined where there is none. */
  get(key: string): unknown;
  /** @param ttlMs how long the value may be used, ms */
  set(key: string, value: string, ttlMs: number): Promise<unknown>;
  /** True: `get` answers at once and not with a promise. Kept results are then found before anything else is made ready. */
  readonly immediate?: boolean;
}

/**
 * The default: in this process, bounded in bytes, what was used longest ago goes first.
 * @param maxBytes bound on keys and values together, in UTF-16 bytes; default 64 MiB
 */
export function memoryCacheStore(maxBytes = 64 * 1024 * 1024): CacheStore {
  const entries = new LRUCache<string, string>({
    maxSize: maxBytes,
    sizeCalculation: (value, key) => 2 * (value.length + key.length) + 1,
  });
  return {
    immediate: true,
    get: (key) => entries.get(key),
    set: (key, value, ttlMs) => Promise.resolve(entries.set(key, value, { ttl: ttlMs })),
  };
}
