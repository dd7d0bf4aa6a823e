import type * as Jose from 'jose';
import { NEVER } from '../core/async.js';
import { UpstreamInvalidError, UpstreamUnavailableError } from '../core/errors.js';
import { loadPeer } from '../core/ports.js';
import { array, object, optional, string, union, valid, validJson, type Schema } from '../core/schema.js';
import { createGuardedFetch } from '../web/guarded-fetch.js';
import type { AuthorizationSettings } from './mcp.options.js';

export interface AccessToken {
  issuer: string;
  subject: string;
  /** The client that the user signed in with. */
  clientId?: string;
  scopes: readonly string[];
}

/** Why a token is refused: one sentence that the client is told. */
export class RefusedToken extends Error {}

/** Signatures that are accepted. No HMAC: its secret would have to be shared, and a public key could be used as one. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];
/** Values of the header `typ` that an access token may have (RFC 9068, and issuers before it). */
const TYPES = ['at+jwt', 'application/at+jwt', 'jwt'];
/** Clocks of issuer and server may differ by this, seconds; set by hand. */
const LEEWAY_S = 60;
/** A longer token is refused before it is parsed, characters. Node refuses headers above 16 KiB. A plain bound. */
const MAX_TOKEN = 8192;
/** Keys are fetched again after this time, ms; set by hand. */
const MAX_AGE_MS = 3_600_000;
/** An unknown key id makes the keys be fetched again, but not sooner than this after the last time, ms; set by hand. */
const COOLDOWN_MS = 30_000;
/** Keys that could not be fetched are not asked for again sooner than this, ms; set by hand. */
const REST_MS = 5_000;
/** Time for fetching them, ms: a caller waits for it; a plain bound. */
const FETCH_MS = 5_000;
const JSON_TYPES = ['application/json', 'application/jwk-set+json', 'text/json', 'text/plain'];

const METADATA = object({ issuer: string(), jwks_uri: string({ min: 1, max: 2000 }) });
const KEYS = object({ keys: array(object({ kty: string() }), { max: 100 }) });
const CLAIMS = object({
  sub: string({ min: 1, max: 255 }),
  client_id: optional(string({ max: 2000 })),
  azp: optional(string({ max: 2000 })),
  scope: optional(string({ max: MAX_TOKEN })),
  scp: optional(union(string({ max: MAX_TOKEN }), array(string()))),
});

/**
 * Verifies an access token in the form of a JWT (RFC 9068) with the keys that its issuer publishes: signature, `iss`, `aud`, `exp`, `nbf`.
 *
 * @param audience the names of this resource; the token must be for one of them
 * @throws RefusedToken; UpstreamUnavailableError when the issuer's keys cannot be had
 */
type VerifyToken = (token: string, audience: readonly string[]) => Promise<AccessToken>;

export async function tokenVerifier({
  issuer,
  jwksUri,
  allowHosts,
}: AuthorizationSettings): Promise<VerifyToken> {
  const jose = await loadPeer('jose', 'The option `mcp.authorization`', () => import('jose'));
  const { errors, decodeJwt, jwtVerify } = jose;
  const fetch = createGuardedFetch({ timeoutMs: FETCH_MS, allowHosts });
  const issuers = new Map(issuer.map((name) => [name, keysOf(jose, name, jwksUri, fetch)]));
  return async (token, audience) => {
    if (token.length > MAX_TOKEN)
      throw new RefusedToken(`The access token is longer than ${MAX_TOKEN} characters.`);
    try {
      const { iss } = decodeJwt(token);
      const findKey = issuers.get(String(iss));
      if (!findKey) throw new RefusedToken('The access token comes from another issuer.');
      const { payload, protectedHeader } = await jwtVerify(token, findKey, {
        algorithms: ALGORITHMS,
        issuer: iss,
        audience: [...audience],
        clockTolerance: LEEWAY_S,
        requiredClaims: ['exp', 'sub'],
      });
      if (protectedHeader.typ !== undefined && !TYPES.includes(protectedHeader.typ.toLowerCase()))
        throw new RefusedToken('The token is not an access token.');
      const claims = valid(CLAIMS, payload);
      if (!claims) throw new RefusedToken('The access token has a claim that cannot be read.');
      const { sub, client_id, azp, scope, scp } = claims;
      const scopes = [scope, ...(Array.isArray(scp) ? scp : [scp])].flatMap((text) => text?.split(' ') ?? []);
      return { issuer: iss!, subject: sub, clientId: client_id ?? azp, scopes: scopes.filter(Boolean) };
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new RefusedToken('The access token has expired.');
      if (error instanceof errors.JWTClaimValidationFailed)
        throw new RefusedToken(
          error.claim === 'aud'
            ? 'The access token is for another audience.'
            : `The claim ${error.claim} of the access token is missing or wrong.`,
        );
      if (error instanceof errors.JOSEError) throw new RefusedToken('The access token cannot be verified.');
      throw error;
    }
  };
}

type GuardedFetch = ReturnType<typeof createGuardedFetch>;
type FindKey = ReturnType<typeof Jose.createLocalJWKSet>;

/**
 * Finds the signing keys of one issuer, through its metadata (RFC 8414, OpenID Connect Discovery) or at `jwksUri`, and caches them. Callers
 * at the same time share one attempt. After a failure the issuer rests, whatever tokens come.
 */
function keysOf(
  { createLocalJWKSet, errors }: typeof Jose,
  issuer: string,
  jwksUri: string | undefined,
  fetch: GuardedFetch,
): (...signed: Parameters<FindKey>) => ReturnType<FindKey> {
  let find: FindKey;
  let loadedAt = -Infinity;
  let loading: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    find = createLocalJWKSet(await jsonAt(fetch, jwksUri ?? (await discover(fetch, issuer)), KEYS));
    loadedAt = performance.now();
  };
  let failure: { error: unknown; at: number } | undefined;
  const refresh = (): Promise<void> => {
    if (failure && performance.now() - failure.at < REST_MS) return Promise.reject(failure.error as Error);
    return (loading ??= load()
      .catch((error: unknown) => {
        failure = { error, at: performance.now() };
        throw error;
      })
      .finally(() => (loading = undefined)));
  };
  const ageMs = (): number => performance.now() - loadedAt;
  return async (...signed) => {
    if (ageMs() > MAX_AGE_MS) await refresh();
    try {
      return await find(...signed);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || ageMs() < COOLDOWN_MS) throw error;
      await refresh();
      return find(...signed);
    }
  };
}

async function discover(fetch: GuardedFetch, issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const addresses = new Set([
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]);
  let failure: unknown;
  for (const address of addresses) {
    try {
      const metadata = await jsonAt(fetch, address, METADATA);
      if (metadata.issuer === issuer) return metadata.jwks_uri;
      failure = new UpstreamInvalidError('The metadata of the issuer names another issuer.');
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function jsonAt<T>(fetch: GuardedFetch, address: string, schema: Schema<T>): Promise<T> {
  try {
    const { body } = await fetch(address, NEVER, { types: JSON_TYPES });
    const read = validJson(schema, body.toString('utf8'));
    if (read === undefined) throw new TypeError(`${address} did not answer with the expected JSON.`);
    return read;
  } catch (cause) {
    const code = String((cause as { code?: unknown }).code ?? 'invalid_json');
    throw new UpstreamUnavailableError('The issuer of the access token cannot be reached.', {
      cause,
      upstream: { upstream: 'issuer', code },
    });
  }
}
