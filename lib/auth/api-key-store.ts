import { hash, timingSafeEqual } from 'node:crypto';
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

interface StoredKey {
  identity: ApiKeyIdentity;
  digest: Buffer;
  expiresAtMs: number;
}

/**
 * The default store: keys from the options, in memory, only as SHA-256 digests. The presented key is hashed whatever it is,
 * and digests are compared in constant time, so that neither a prefix nor the reason of a refusal can be read off the clock.
 */
export class MemoryApiKeyStore implements ApiKeyStore {
  /** By digest in hexadecimal. */
  private readonly keys = new Map<string, StoredKey>();

  constructor(options: readonly ApiKeyOption[]) {
    options.forEach((option, index) => {
      const entry: ApiKeyEntry = typeof option === 'string' ? { key: option } : option;
      const digest = Buffer.from((entry.hash ?? hashApiKey(entry.key ?? '')).slice('sha256:'.length), 'hex');
      this.keys.set(digest.toString('hex'), {
        identity: Object.freeze({
          id: digest.toString('hex', 0, 8),
          name: entry.name ?? `key-${index + 1}`,
          tools: entry.tools,
          limits: entry.limits,
        }),
        digest,
        expiresAtMs: entry.expiresAt === undefined ? Infinity : new Date(entry.expiresAt).getTime(),
      });
    });
  }

  /** Number of keys, expired ones included. */
  get size(): number {
    return this.keys.size;
  }

  verify(key: string): ApiKeyIdentity | undefined {
    // As text: `hash` takes four times as long for a buffer.
    const presented = hash('sha256', key, 'hex');
    const stored = this.keys.get(presented);
    const same = timingSafeEqual(Buffer.from(presented, 'hex'), stored?.digest ?? ABSENT);
    if (!stored || !same || Date.now() >= stored.expiresAtMs) return undefined;
    return stored.identity;
  }

  /** Refuses a key from now on, by its name. Returns whether there was one. */
  revoke(name: string): boolean {
    let found = false;
    for (const [digest, { identity }] of this.keys) {
      if (identity.name === name) found = this.keys.delete(digest) || found;
    }
    return found;
  }
}

const ABSENT = Buffer.alloc(32);
