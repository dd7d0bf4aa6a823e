import type { CacheStore } from '../../core/cache.js';
import { parseOption, port } from '../../core/schema.js';

/** A vector and the key that it is stored under. */
export interface VectorEntry {
  /** 43 characters: a hash of the model and the embedded text. Equal texts have equal keys, a changed text has another one. */
  key: string;
  /** Of length 1. */
  vector: Float32Array;
}

/**
 * Where vectors of texts are kept between starts and shared between processes, so that each text is paid for once. A store that fails costs
 * new embeddings, nothing else.
 */
export interface VectorStore {
  /** @returns a vector for each key, in the order of the keys; undefined for a key that is not stored */
  get(keys: readonly string[]): Promise<readonly (Float32Array | undefined)[]>;
  put(entries: readonly VectorEntry[]): Promise<void>;
}

const DAY_MS = 86_400_000;

/**
 * A {@link VectorStore} in any Keyv store or other cache. A vector of 1,536 numbers takes 8 kB.
 *
 * @param ttlMs how long a vector is kept, ms. Default 90 days
 * @throws InvalidOptionError
 */
export function cachedVectors(cache: CacheStore, { ttlMs = 90 * DAY_MS } = {}): VectorStore {
  parseOption('cachedVectors', port<CacheStore>('CacheStore', 'get', 'set'), cache);
  const name = (key: string): string => `nestjs-tools:vector:1:${key}`;
  return {
    get: async (keys) => {
      const texts = await Promise.all(keys.map((key) => cache.get(name(key))));
      return texts.map(decoded);
    },
    put: async (entries) => {
      await Promise.all(entries.map(({ key, vector }) => cache.set(name(key), encoded(vector), ttlMs)));
    },
  };
}

/** 32-bit floats in base64, in the byte order of every machine that Node.js runs on. */
function encoded({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function decoded(text: unknown): Float32Array | undefined {
  if (typeof text !== 'string') return undefined;
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  return bytes.length > 0 && bytes.length % 4 === 0 ? new Float32Array(bytes.buffer) : undefined;
}
