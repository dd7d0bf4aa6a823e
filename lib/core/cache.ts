import { hash } from 'node:crypto';
import { raceTimeout } from './async.js';
import { validJson, type Schema } from './schema.js';
import { logSideFailure } from './failures.js';

/**
 * Where results are cached between requests. Any Keyv instance fits: `new Keyv()`, or one on Redis or Valkey to share results between
 * replicas. So does anything else with these two methods.
 */
export interface CacheStore {
  /** The text that was set, or a promise of it; undefined where there is none. */
  get(key: string): unknown;
  /** @param ttlMs how long the value may be used, ms */
  set(key: string, value: string, ttlMs: number): Promise<unknown>;
}

/** A map with a bound on the sizes of its entries together. The entry that was used longest ago is dropped first. */
export class LruMap<V> {
  /** In the order of their last use. */
  private readonly entries = new Map<string, V>();
  private size = 0;

  /** @param sizeOf size of an entry in the unit of `maxSize`; default 1, so that `maxSize` is a number of entries */
  constructor(
    private readonly maxSize: number,
    private readonly sizeOf: (key: string, value: V) => number = () => 1,
  ) {}

  get(key: string): V | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  /** Sets a value, unless it alone is larger than the map may be. */
  set(key: string, value: V): void {
    this.delete(key);
    const size = this.sizeOf(key, value);
    if (size > this.maxSize) return;
    this.entries.set(key, value);
    this.size += size;
    for (const oldest of this.entries.keys()) {
      if (this.size <= this.maxSize) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.entries.get(key);
    if (value === undefined) return;
    this.size -= this.sizeOf(key, value);
    this.entries.delete(key);
  }
}

/**
 * The default store: in this process, bounded in bytes. The entry that was used longest ago is dropped first.
 * @param maxBytes bound on keys and values together, in UTF-16 bytes; default 64 MiB
 */
export function memoryCacheStore(maxBytes = 64 * 1024 * 1024): CacheStore {
  const entries = new LruMap<{ text: string; endsAt: number }>(
    maxBytes,
    (key, { text }) => 2 * (text.length + key.length),
  );
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (!entry || entry.endsAt > performance.now()) return entry?.text;
      entries.delete(key);
      return undefined;
    },
    set: async (key, text, ttlMs) => entries.set(key, { text, endsAt: performance.now() + ttlMs }),
  };
}

/** A store that is slower than this is not waited for, ms; a plain bound. */
const STORE_TIMEOUT_MS = 100;

export interface ResultCacheOptions<T> {
  /** Part of every key, e.g. `search:1`. Change the number when a value of the same shape means something else. */
  name: string;
  /** Undefined: nothing is kept. */
  store: CacheStore | undefined;
  /** How long a value is kept, ms; 0 keeps none. */
  ttlMs: number;
  /** Schema of a value. A stored value of another shape, e.g. from another version of this package, counts as absent. */
  schema: Schema<T>;
}

/**
 * Values of one kind in a store that others may share. A store that fails, hangs or returns something else costs the caller at most
 * {@link STORE_TIMEOUT_MS} and a warning in the log, never the result.
 */
export class ResultCache<T> {
  constructor(private readonly options: ResultCacheOptions<T>) {}

  /** The key of a value. @param parts everything that the value depends on, as JSON */
  keyOf(parts: readonly unknown[]): string {
    return `nestjs-tools:${this.options.name}:${hash('sha256', JSON.stringify(parts), 'base64url')}`;
  }

  /** The value under a key; undefined where there is none. @param store in place of the cache's own */
  async read(key: string, store = this.options.store): Promise<T | undefined> {
    if (!store) return undefined;
    const text = await this.attempt('read', () => store.get(key));
    return validJson(this.options.schema, text);
  }

  async write(
    key: string,
    value: T,
    { store, ttlMs }: Pick<ResultCacheOptions<T>, 'store' | 'ttlMs'> = this.options,
  ): Promise<void> {
    if (store && ttlMs > 0) await this.attempt('written', () => store.set(key, JSON.stringify(value), ttlMs));
  }

  private async attempt(what: 'read' | 'written', call: () => unknown): Promise<unknown> {
    try {
      return await raceTimeout(call(), STORE_TIMEOUT_MS);
    } catch (error) {
      logSideFailure(`The cache cannot be ${what}`, error);
      return undefined;
    }
  }
}
