import { jest } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { decodeJwt, exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts } from '../support/host.js';
import { startMcpHost } from '../support/mcp-host.js';

const CALLBACK = 'http://127.0.0.1:9/callback';

/** A real OpenID provider on loopback. Whoever comes is signed in as Ada and consents to everything. */
class Issuer {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<Issuer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    // It warns that its store is in memory, which is what a test wants.
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const provider = new Provider(url, {
      clients: [
        {
          client_id: 'an-agent',
          redirect_uris: [CALLBACK],
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          application_type: 'native',
          id_token_signed_response_alg: 'ES256',
        },
      ],
      jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'k1', alg: 'ES256', use: 'sig' }] },
      cookies: { keys: ['a cookie secret for tests'] },
      findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      features: {
        devInteractions: { enabled: false },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_context, resource) => ({
            scope: 'tools:search_web tools:summarize_content',
            audience: resource,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          }),
        },
      },
    });
    const answer = provider.callback();
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
      void consent(provider, request, response);
    });
    return new Issuer(server, url);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

async function consent(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, { login: { accountId: 'ada' } });
  const grant = grantId
    ? await provider.Grant.find(grantId)
    : new provider.Grant({ accountId: session!.accountId, clientId: String(params.client_id) });
  const { missingOIDCScope, missingResourceScopes } = prompt.details as {
    missingOIDCScope?: string[];
    missingResourceScopes?: Record<string, string[]>;
  };
  if (missingOIDCScope) grant!.addOIDCScope(missingOIDCScope.join(' '));
  for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {}))
    grant!.addResourceScope(resource, scopes.join(' '));
  await provider.interactionFinished(request, response, { consent: { grantId: await grant!.save() } });
}

/** A person with a browser: follows the redirects of the issuer, with its cookies, to the callback of the client. */
class Person implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = { client_name: 'an agent', redirect_uris: [CALLBACK] };
  asked?: URL;
  code?: string;
  iss?: string;
  private verifier = '';
  private stored?: StoredOAuthTokens;

  clientInformation(): { client_id: string } {
    return { client_id: 'an-agent' };
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.stored;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.stored = tokens;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }

  async redirectToAuthorization(address: URL): Promise<void> {
    this.asked = address;
    const cookies = new Map<string, string>();
    for (let next = address; ;) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        cookies.set(name!, value!);
      }
      const location = response.headers.get('location');
      if (!location)
        throw new Error(
          `${next.href}: ${response.status} ${(await response.text()).replace(/<style[\s\S]*<\/style>/, '')}`,
        );
      next = new URL(location, next);
      if (!next.href.startsWith(CALLBACK)) continue;
      this.code = next.searchParams.get('code') ?? undefined;
      this.iss = next.searchParams.get('iss') ?? undefined;
      return;
    }
  }
}

describe.each(ADAPTERS)('the official MCP client signs in on %s', (_name, adapter) => {
  let issuer: Issuer;

  beforeEach(async () => {
    issuer = await Issuer.start();
  });
  afterEach(async () => {
    await closeHosts();
    await issuer.close();
  });

  it('by metadata, PKCE and the resource parameter, with a real identity provider', async () => {
    const { url } = await startMcpHost(adapter(), {
      mcp: { authorization: { issuer: issuer.url, allowHosts: [new URL(issuer.url).host] } },
    });
    const endpoint = new URL('/v1/tools/mcp', url);
    const person = new Person();
    const connect = async (): Promise<Client> => {
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(endpoint, { authProvider: person }));
      return client;
    };

    await expect(connect()).rejects.toThrow(UnauthorizedError);
    expect(Object.fromEntries(person.asked!.searchParams)).toMatchObject({
      client_id: 'an-agent',
      code_challenge_method: 'S256',
      resource: endpoint.href,
      scope: 'tools:summarize_content tools:search_web',
    });
    const transport = new StreamableHTTPClientTransport(endpoint, { authProvider: person });
    await transport.finishAuth(
      new URLSearchParams({ code: person.code!, ...(person.iss ? { iss: person.iss } : {}) }),
    );
    const { access_token } = person.tokens()!;
    expect(decodeJwt(access_token)).toMatchObject({ iss: issuer.url, sub: 'ada', aud: endpoint.href });

    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['summarize_content', 'search_web']);
    const found = await client.callTool({ name: 'search_web', arguments: { query: 'Vesuvius' } });
    expect(found.structuredContent).toMatchObject({ results: [{ title: 'Mount Vesuvius' }] });
    await client.close();
  });
});
