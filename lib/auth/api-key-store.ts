import { timingSafeEqual } from 'node:crypto';
import type { ToolName } from '../core/tool-names.js';
import { hashApiKey } from './api-key.js';
import type { KeyLimits } from './limits/limits.options.js';

/** Who a valid key belongs to. */
export interface ApiKeyIdentity {
  /** Stable and unique; limits are counted by it. Never the key itself. */
  id: string;
  /** For logs and metrics. */
  name: string;
  /** Tools the key may use; absent: both. */
  tools?: readonly ToolName[];
  /** Limits of this key in place of those of everybody, one by one. */
  limits?: KeyLimits;
}

/**
 * Knows the keys. A host gives its own (a database, a key service) as an instance, a class or a factory in
 * `ToolsModule.forRoot({ apiKeys })`; it is asked on every request, so a revoked key is refused at once.
 */
export interface ApiKeyStore {
  /** The owner of a key, or undefined when it is unknown, revoked or expired (callers are not told which). */
  verify(key: string): Promise<ApiKeyIdentity | undefined> | ApiKeyIdentity | undefined;
}

/** A key as the host configures it: the plain key, or its hash with what it may do. */
export type ApiKeyOption = string | ApiKeyEntry;

export interface ApiKeyEntry {
  /** `sha256:` and 64 hexadecimal digits, as `npx nestjs-tools-key` prints it. One of `hash` and `key` is required. */
  hash?: string;
  /** The key in plain. */
  key?: string;
  /** Shown in logs; default `key-1`, `key-2`, … by position. */
  name?: string;
  /** The key is refused from this moment on; ISO 8601 or a Date. Default: never. */
  expiresAt?: string | Date;
  /** Tools the key may use; default: both. */
  tools?: readonly ToolName[];
  /** Limits of this key in place of those of everybody, one by one. */
  limits?: KeyLimits;
}

interface StoredKey extends ApiKeyIdentity {
  digest: Buffer;
  expiresAtMs: number;
}

/**
 * The default store: keys from the options, in memory, only as SHA-256 digests. The presented key is hashed whatever it is,
 * and digests are compared in constant time, so that neither a prefix nor the reason of a refusal can be read off the clock.
 */
export class MemoryApiKeyStore implements ApiKeyStore {
  private readonly keys = new Map<string, StoredKey>();

  constructor(options: readonly ApiKeyOption[]) {
    options.forEach((option, index) => {
      const entry: ApiKeyEntry = typeof option === 'string' ? { key: option } : option;
      const hash = entry.hash ?? hashApiKey(entry.key ?? '');
      this.keys.set(hash, {
        id: hash.slice('sha256:'.length, 'sha256:'.length + 16),
        name: entry.name ?? `key-${index + 1}`,
        tools: entry.tools,
        limits: entry.limits,
        digest: digestOf(hash),
        expiresAtMs: entry.expiresAt === undefined ? Infinity : new Date(entry.expiresAt).getTime(),
      });
    });
  }

  /** Number of keys, expired ones included. */
  get size(): number {
    return this.keys.size;
  }

  verify(key: string): ApiKeyIdentity | undefined {
    const hash = hashApiKey(key);
    const presented = digestOf(hash);
    const stored = this.keys.get(hash);
    const same = timingSafeEqual(presented, stored?.digest ?? ABSENT);
    if (!stored || !same || Date.now() >= stored.expiresAtMs) return undefined;
    return { id: stored.id, name: stored.name, tools: stored.tools, limits: stored.limits };
  }

  /** Refuses a key from now on, by its name. Returns whether there was one. */
  revoke(name: string): boolean {
    let found = false;
    for (const [hash, stored] of this.keys) {
      if (stored.name === name) found = this.keys.delete(hash) || found;
    }
    return found;
  }
}

const ABSENT = Buffer.alloc(32);

function digestOf(hash: string): Buffer {
  return Buffer.from(hash.slice('sha256:'.length), 'hex');
}
