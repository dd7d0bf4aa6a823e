import { hash, randomBytes } from 'node:crypto';

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
