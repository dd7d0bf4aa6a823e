import { hash, randomBytes } from 'node:crypto';
import type { MaybePromise } from '../core/async.js';
import type { DomainLists } from '../core/domains.js';
import { InvalidOptionError } from '../core/errors.js';
import type { ToolName } from '../core/request-event.js';
import type { KeyLimits } from './auth.options.js';

/** The owner of a valid key. */
export interface ApiKeyIdentity {
  /** Stable and unique; limits are counted by it. Never the key itself. */
  id: string;
  /** For logs and metrics. */
  name: string;
  /** Tools the key may use; absent: all. */
  tools?: readonly ToolName[];
  /** Limits of this key in place of those of everybody, one by one. */
  limits?: KeyLimits;
  /** Domains that `read_page` may read for this key, within those of the host; absent: all of them. */
  pages?: DomainLists;
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
  /** Tools the key may use; default: all. */
  tools?: readonly ToolName[];
  /** Limits of this key in place of those of everybody, one by one. */
  limits?: KeyLimits;
  /** Domains that `read_page` may read for this key, within those of the host. Default: all of them. */
  pages?: DomainLists;
}

/**
 * A function in place of a key store. It returns the owner of a key, or true for a key that is valid and has no more to say, and undefined or false
 * for any other.
 */
export type VerifyKey = (key: string) => MaybePromise<ApiKeyIdentity | boolean | undefined>;

export type KeyFault = 'can be guessed' | 'have expired' | 'have a comma or a blank';

interface HeldKey {
  expiresAtMs: number;
  identity: ApiKeyIdentity;
}

/**
 * The default store: keys from the options, in memory, only as their hashes. Every presented key is hashed before the look-up. So the
 * time of an answer tells nothing about the keys, because a caller cannot choose a hash.
 */
export class MemoryApiKeyStore implements ApiKeyStore {
  private readonly keys = new Map<string, HeldKey>();
  private readonly canExpire: boolean;
  /** Names of doubtful keys. Of a key that is given as a hash only its end is known. */
  readonly faults = new Map<KeyFault, string[]>();

  /** @throws InvalidOptionError for a key that comes twice: the second entry would replace the limits of the first */
  constructor(options: readonly ApiKeyOption[]) {
    this.canExpire = options.some((option) => typeof option !== 'string' && option.expiresAt !== undefined);
    options.forEach((option, index) => {
      const entry: ApiKeyEntry = typeof option === 'string' ? { key: option } : option;
      const { expiresAt, name = `key-${index + 1}`, tools, limits, pages } = entry;
      const named = entry.name ?? `${name} (apiKeys[${index}])`;
      const hash = entry.hash ?? hashApiKey(entry.key ?? '');
      if (this.keys.has(hash)) {
        const first = [...this.keys.keys()].indexOf(hash);
        throw new InvalidOptionError(`apiKeys[${index}]`, `another key than that of apiKeys[${first}]`);
      }
      if (entry.key !== undefined && bitsOf(entry.key) < LEAST_BITS) this.note('can be guessed', named);
      if (/[\s,]/.test(entry.key ?? '')) this.note('have a comma or a blank', named);
      if (expiresAt !== undefined && new Date(expiresAt).getTime() <= Date.now())
        this.note('have expired', named);
      this.keys.set(hash, {
        expiresAtMs: expiresAt === undefined ? Infinity : new Date(expiresAt).getTime(),
        identity: Object.freeze({
          id: idOf(hash),
          name,
          tools,
          limits,
          pages,
        }),
      });
    });
  }

  verify(key: string): ApiKeyIdentity | undefined {
    const held = this.keys.get(hashApiKey(key));
    return held && Date.now() < held.expiresAtMs ? held.identity : undefined;
  }

  /** Why a refused key is refused, for the log; undefined for one that was never valid. */
  whyRefused(key: string): string | undefined {
    const held = this.canExpire ? this.keys.get(hashApiKey(key)) : undefined;
    return held && `The key ${held.identity.name} has expired.`;
  }

  private note(fault: KeyFault, name: string): void {
    this.faults.set(fault, [...(this.faults.get(fault) ?? []), name]);
  }
}

const idOf = (hash: string): string => hash.slice('sha256:'.length).slice(0, 16);

/** A key store of a function. A key without an owner of its own is one: limits are counted by its hash. */
export function storeOf(verify: VerifyKey): ApiKeyStore {
  return {
    verify: async (key) => {
      const owner = await verify(key);
      if (owner !== true) return owner || undefined;
      const id = idOf(hashApiKey(key));
      return { id, name: `key-${id.slice(0, 6)}` };
    },
  };
}

/** A key with fewer bits is warned about. A random UUID has about 110 by the estimate of {@link bitsOf}. Set by hand. */
const LEAST_BITS = 90;

/** The most bits that a key of this length and so many different characters can have. */
function bitsOf(key: string): number {
  return key.length * Math.log2(new Set(key).size);
}

/** A hash as configuration carries it: `sha256:` and 64 hexadecimal digits. */
export const KEY_HASH = /^sha256:[0-9a-f]{64}$/;

/**
 * A new random key: `nt_` and 256 bits in base64url. Random keys need no slow hash; SHA-256 is right for them, and a
 * slow one on every request would be a way to take the host down.
 */
export function generateApiKey(): string {
  return `nt_${randomBytes(32).toString('base64url')}`;
}

/** `sha256:<hex>` of a key, for configuration that holds no key in plain. */
export function hashApiKey(key: string): string {
  return `sha256:${hash('sha256', key, 'hex')}`;
}
