import type * as Jose from 'jose';
import { UpstreamInvalidError, UpstreamUnavailableError } from '../core/errors.js';
import { loadPeer } from '../core/ports.js';
import { array, object, optional, string, union, valid, validJson, type Schema } from '../core/schema.js';
import { createGuardedFetch } from '../web/guarded-fetch.js';
import type { AuthorizationSettings } from './mcp.options.js';

/** What a valid access token says. */
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
/** Clocks of issuer and server may differ by this, seconds. */
const LEEWAY_S = 60;
/** A longer token is refused before it is parsed, characters. Node refuses headers above 16 KiB. */
const MAX_TOKEN = 8192;
/** Keys are fetched again after this time, ms. */
const MAX_AGE_MS = 3_600_000;
/** An unknown key id makes the keys be fetched again, but not sooner than this after the last time, ms. */
const COOLDOWN_MS = 30_000;
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
 * Verifies access tokens in the form of a JWT (RFC 9068) with the keys that their issuer publishes: signature, `iss`, `aud`, `exp`, `nbf`. The
 * keys are found through the metadata of the issuer (RFC 8414, OpenID Connect Discovery) or at `jwksUri`.
 */
export class TokenVerifier {
  private readonly issuers: ReadonlyMap<string, IssuerKeys>;

  private constructor(
    private readonly jose: typeof Jose,
    { issuer, jwksUri, allowHosts }: AuthorizationSettings,
  ) {
    const fetch = createGuardedFetch({ timeoutMs: FETCH_MS, allowHosts });
    this.issuers = new Map(issuer.map((name) => [name, new IssuerKeys(jose, name, jwksUri, fetch)]));
  }

  /** @throws MissingPeerError where `jose` is not installed */
  static async create(settings: AuthorizationSettings): Promise<TokenVerifier> {
    return new TokenVerifier(
      await loadPeer('jose', 'The option `mcp.authorization`', () => import('jose')),
      settings,
    );
  }

  /**
   * @param audience the names of this resource; the token must be for one of them
   * @throws RefusedToken; UpstreamUnavailableError when the issuer's keys cannot be had
   */
  async verify(token: string, audience: readonly string[]): Promise<AccessToken> {
    if (token.length > MAX_TOKEN)
      throw new RefusedToken(`The access token is longer than ${MAX_TOKEN} characters.`);
    const { errors, decodeJwt, jwtVerify } = this.jose;
    try {
      const { iss } = decodeJwt(token);
      const keys = this.issuers.get(String(iss));
      if (!keys) throw new RefusedToken('The access token comes from another issuer.');
      const { payload, protectedHeader } = await jwtVerify(token, (header, jws) => keys.find(header, jws), {
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
  }
}

type GuardedFetch = ReturnType<typeof createGuardedFetch>;
type FindKey = ReturnType<typeof Jose.createLocalJWKSet>;

/** The signing keys of one issuer, cached. */
class IssuerKeys {
  private known?: { find: FindKey; at: number };
  private loading?: Promise<void>;

  constructor(
    private readonly jose: typeof Jose,
    private readonly issuer: string,
    private readonly jwksUri: string | undefined,
    private readonly fetch: GuardedFetch,
  ) {}

  /** @throws UpstreamUnavailableError; errors of `jose` for a key that the issuer does not have */
  async find(...signed: Parameters<FindKey>): Promise<Awaited<ReturnType<FindKey>>> {
    if (this.ageMs > MAX_AGE_MS) await this.refresh();
    try {
      return await this.known!.find(...signed);
    } catch (error) {
      if (!(error instanceof this.jose.errors.JWKSNoMatchingKey) || this.ageMs < COOLDOWN_MS) throw error;
      await this.refresh();
      return this.known!.find(...signed);
    }
  }

  private get ageMs(): number {
    return this.known ? performance.now() - this.known.at : Infinity;
  }

  /** Fetches the keys. Callers at the same time share one attempt. */
  private refresh(): Promise<void> {
    return (this.loading ??= this.load().finally(() => (this.loading = undefined)));
  }

  private async load(): Promise<void> {
    const keys = await this.json(this.jwksUri ?? (await this.discover()), KEYS);
    this.known = { find: this.jose.createLocalJWKSet(keys), at: performance.now() };
  }

  /** The address of the keys by the metadata of the issuer. */
  private async discover(): Promise<string> {
    const { origin, pathname } = new URL(this.issuer);
    const path = pathname.replace(/\/$/, '');
    const addresses = new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
    ]);
    let failure: unknown;
    for (const address of addresses) {
      try {
        const { issuer, jwks_uri } = await this.json(address, METADATA);
        if (issuer === this.issuer) return jwks_uri;
        failure = new UpstreamInvalidError('The metadata of the issuer names another issuer.');
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  private async json<T>(address: string, schema: Schema<T>): Promise<T> {
    try {
      const { body } = await this.fetch(address, new AbortController().signal, { types: JSON_TYPES });
      const read = validJson(schema, body.toString('utf8'));
      if (read === undefined) throw new TypeError(`${address} did not answer with the expected JSON.`);
      return read;
    } catch (cause) {
      const upstream = {
        upstream: 'issuer',
        code: String((cause as { code?: unknown }).code ?? 'invalid_json'),
      };
      throw new UpstreamUnavailableError('The issuer of the access token cannot be reached.', {
        cause,
        upstream,
      });
    }
  }
}
