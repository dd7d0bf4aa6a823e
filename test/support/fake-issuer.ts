import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

interface SigningKey {
  privateKey: CryptoKey;
  jwk: JWK;
}

export interface TokenChanges {
  claims?: JWTPayload & Record<string, unknown>;
  header?: { alg?: string; typ?: string; kid?: string };
  key?: CryptoKey | Uint8Array;
}

/** An identity provider that publishes metadata and keys as RFC 8414, OpenID Connect Discovery and RFC 7517 say. It signs what a test asks for. */
export class FakeIssuer {
  readonly requests: string[] = [];
  /** Answers every request with 503. */
  down = false;
  /** Where the metadata stands: `oauth` (RFC 8414) or `openid`. */
  metadata: 'oauth' | 'openid' = 'oauth';
  keys: SigningKey[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(path = ''): Promise<FakeIssuer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = new FakeIssuer(
      server,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    );
    server.on('request', ({ url = '' }, response) => {
      issuer.requests.push(url);
      const body = issuer.down ? undefined : issuer.answer(url, path);
      response.writeHead(body ? 200 : issuer.down ? 503 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body ?? {}));
    });
    await issuer.addKey('ES256');
    return issuer;
  }

  /** Publishes a further key, which signs from now on. */
  async addKey(alg: string, changes: Partial<JWK> = {}): Promise<SigningKey> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const jwk = {
      ...(await exportJWK(publicKey)),
      kid: `key-${this.keys.length + 1}`,
      use: 'sig',
      alg,
      ...changes,
    };
    const key = { privateKey, jwk };
    this.keys.unshift(key);
    return key;
  }

  /** An access token for `audience`, with what a test changes about it. */
  async token(audience: string, { claims, header, key }: TokenChanges = {}): Promise<string> {
    const [signing] = this.keys;
    const now = Math.floor(Date.now() / 1000);
    const payload = {
      iss: this.url,
      sub: 'ada',
      aud: audience,
      client_id: 'a-client',
      scope: 'tools:search_web tools:summarize_content',
      iat: now,
      exp: now + 300,
      ...claims,
    };
    return new SignJWT(payload)
      .setProtectedHeader({ alg: signing!.jwk.alg!, kid: signing!.jwk.kid, typ: 'at+jwt', ...header })
      .sign(key ?? signing!.privateKey);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(url: string, path: string): object | undefined {
    const address =
      this.metadata === 'oauth'
        ? `/.well-known/oauth-authorization-server${path}`
        : `${path}/.well-known/openid-configuration`;
    if (url === address) return { issuer: this.url, jwks_uri: `${this.url}/jwks` };
    if (url === `${path}/jwks`) return { keys: this.keys.map(({ jwk }) => jwk) };
    return undefined;
  }
}
