import { jest } from '@jest/globals';
import { exportSPKI, importJWK } from 'jose';
import type { INestApplication } from '@nestjs/common';
import type { RequestEvent, ToolsModuleSyncOptions } from '../../lib/index.js';
import type { McpAuthorization } from '../../lib/mcp/mcp.options.js';
import { FakeIssuer, type TokenChanges } from '../support/fake-issuer.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, type RunningHost } from '../support/host.js';
import { SlowSource } from '../support/slow-source.js';
import { modern, modernHeaders, startMcpHost } from '../support/mcp-host.js';

const PATH = '/v1/tools/mcp';
const NOT_THE_DATE = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

function withoutKey(method: string, name?: string): Record<string, string> {
  const headers = modernHeaders(method, name);
  delete headers['x-api-key'];
  return headers;
}

describe.each(ADAPTERS)('sign-in at the MCP endpoint on %s', (_name, adapter) => {
  let issuer: FakeIssuer;

  beforeEach(async () => {
    issuer = await FakeIssuer.start();
  });
  afterEach(async () => {
    await closeHosts();
    await issuer.close();
  });

  const start = (
    authorization: Partial<McpAuthorization> = {},
    options: ToolsModuleSyncOptions = {},
    setUp?: (app: INestApplication) => void,
  ): Promise<RunningHost> =>
    startMcpHost(
      adapter(),
      {
        mcp: {
          authorization: { issuer: issuer.url, allowHosts: [new URL(issuer.url).host], ...authorization },
        },
        ...options,
      },
      setUp,
    );

  interface Answer {
    status: number;
    challenge: string;
    body: Record<string, unknown> & {
      result?: { structuredContent?: { results?: unknown[] }; tools?: { name: string }[] };
    };
  }

  async function post(
    url: string,
    token: string | undefined,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const { method, params } = body as { method: string; params: { name?: string } };
    const given = withoutKey(method, params.name);
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...given, ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    // In a stream the result is the last message.
    const json = [...text.matchAll(/^data: (\{.*)$/gm)].at(-1)?.[1] ?? text;
    return {
      status: response.status,
      challenge: response.headers.get('www-authenticate') ?? '',
      body: JSON.parse(json) as Answer['body'],
    };
  }

  const search = (): object => modern('tools/call', { name: 'search_web', arguments: { query: 'Vesuvius' } });

  it('leads a client without a credential to the metadata, and the metadata to the issuer', async () => {
    const { url } = await start();
    const { status, challenge, body } = await post(url + PATH, undefined, search());
    expect([status, body.code]).toEqual([401, 'missing_api_key']);
    expect(challenge).toBe(
      `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource${PATH}", scope="tools:summarize_content tools:search_web"`,
    );
    const expected = {
      resource: url + PATH,
      authorization_servers: [issuer.url],
      scopes_supported: ['tools:summarize_content', 'tools:search_web'],
      bearer_methods_supported: ['header'],
      resource_name: 'Tools for video and web',
    };
    for (const path of [PATH, '']) {
      const metadata = await fetch(`${url}/.well-known/oauth-protected-resource${path}`);
      expect([metadata.status, metadata.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      expect(await metadata.json()).toEqual(expected);
    }
    expect((await fetch(`${url}/.well-known/oauth-protected-resource/other`)).status).toBe(404);
  });

  it('names its address under a global prefix, and from the option', async () => {
    const { url } = await start({}, {}, (app) => app.setGlobalPrefix('api'));
    const { challenge } = await post(`${url}/api${PATH}`, undefined, search());
    expect(challenge).toContain(`"${url}/.well-known/oauth-protected-resource/api${PATH}"`);
    const metadata = await fetch(`${url}/.well-known/oauth-protected-resource/api${PATH}`);
    expect(await metadata.json()).toMatchObject({ resource: `${url}/api${PATH}` });

    const named = await start({ resource: 'https://api.example/public/mcp' });
    const refused = await post(named.url + PATH, undefined, search());
    expect(refused.challenge).toContain(
      '"https://api.example/.well-known/oauth-protected-resource/public/mcp"',
    );
    for (const path of ['', '/public/mcp', PATH]) {
      const document = await fetch(`${named.url}/.well-known/oauth-protected-resource${path}`);
      expect(await document.json()).toMatchObject({ resource: 'https://api.example/public/mcp' });
    }
  });

  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('accepts a token that is signed with %s', async (alg) => {
    issuer.keys = [];
    await issuer.addKey(alg);
    const { url } = await start();
    const { status, body } = await post(url + PATH, await issuer.token(url + PATH), search());
    expect(status).toBe(200);
    expect(body.result?.structuredContent?.results).toHaveLength(1);
  });

  it.each(['oauth', 'openid'] as const)(
    'finds the keys of an issuer with a path by its %s metadata',
    async (kind) => {
      const realm = await FakeIssuer.start('/realms/staff');
      realm.metadata = kind;
      const { url } = await start({ issuer: [issuer.url, realm.url], allowHosts: ['127.0.0.1'] });
      expect((await post(url + PATH, await realm.token(url + PATH), search())).status).toBe(200);
      expect((await post(url + PATH, await issuer.token(url + PATH), search())).status).toBe(200);
      await realm.close();
    },
  );

  const now = Math.floor(Date.now() / 1000);
  const unsigned = (claims: object): string =>
    [{ alg: 'none', typ: 'at+jwt' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.') + '.';

  describe('refuses with 401', () => {
    it.each<[string, TokenChanges, RegExp]>([
      ['an expired token', { claims: { exp: now - 61 } }, /has expired/],
      ['a token that is not valid yet', { claims: { nbf: now + 120 } }, /claim nbf/],
      ['a token without an end', { claims: { exp: undefined } }, /claim exp/],
      ['a token without a subject', { claims: { sub: undefined } }, /claim sub/],
      ['a token for another server', { claims: { aud: 'https://other.example/mcp' } }, /another audience/],
      ['a token without an audience', { claims: { aud: undefined } }, /another audience/],
      ['a token of another issuer', { claims: { iss: 'https://other.example' } }, /another issuer/],
      ['an ID token by its type', { header: { typ: 'id+jwt' } }, /not an access token/],
    ])('%s', async (_name, changes, message) => {
      const { url } = await start();
      const token = await issuer.token(url + PATH, changes);
      const { status, challenge, body } = await post(url + PATH, token, search());
      expect([status, body.code]).toEqual([401, 'invalid_token']);
      expect(String(body.message)).toMatch(message);
      expect(challenge).toContain('error="invalid_token"');
      expect(challenge).toContain('resource_metadata=');
    });

    it('a forged token: unsigned, by a foreign key, by HMAC with the public key, by a key of another use', async () => {
      const { url } = await start();
      const claims = { iss: issuer.url, sub: 'ada', aud: url + PATH, exp: now + 300 };
      const other = await FakeIssuer.start();
      const [key] = issuer.keys;
      const publicKey = (await importJWK({ ...key!.jwk }, 'ES256', { extractable: true })) as CryptoKey;
      const hmac = { header: { alg: 'HS256' }, key: new TextEncoder().encode(await exportSPKI(publicKey)) };
      const encryption = await issuer.addKey('ES256', { use: 'enc', kid: 'encryption' });
      const forged = [
        unsigned(claims),
        await issuer.token(url + PATH, { key: other.keys[0]!.privateKey, header: { kid: key!.jwk.kid } }),
        await issuer.token(url + PATH, hmac),
        await issuer.token(url + PATH, { key: encryption.privateKey, header: { kid: 'encryption' } }),
      ];
      for (const token of forged) {
        const { status, body } = await post(url + PATH, token, search());
        expect([status, body.code]).toEqual([401, 'invalid_token']);
      }
      await other.close();
    });

    it('a token that is too long, and one in the query', async () => {
      const { url } = await start();
      const long = await issuer.token(url + PATH, { claims: { padding: 'x'.repeat(7000) } });
      const refused = await post(url + PATH, long, search());
      expect([refused.status, refused.body.message]).toEqual([
        401,
        'The access token is longer than 8192 characters.',
      ]);
      const token = await issuer.token(url + PATH);
      const inQuery = await post(`${url}${PATH}?access_token=${token}`, undefined, search());
      expect([inQuery.status, inQuery.body.code]).toEqual([401, 'missing_api_key']);
    });

    it('a token for the name that a client puts into the header Host', async () => {
      const { http } = await start();
      const token = await issuer.token(`http://evil.example${PATH}`);
      const headers = withoutKey('tools/call', 'search_web');
      const refused = await http
        .post(PATH)
        .set({ ...headers, host: 'evil.example', authorization: `Bearer ${token}` })
        .send(search());
      expect([refused.status, (refused.body as { message: string }).message]).toEqual([
        401,
        'The server does not know its public address. Its operator can set `mcp.authorization.resource`.',
      ]);
    });
  });

  it('accepts the audience of the option', async () => {
    const { url } = await start({ audience: ['api://tools'] });
    expect((await post(url + PATH, await issuer.token('api://tools'), search())).status).toBe(200);
    expect((await post(url + PATH, await issuer.token(url + PATH), search())).status).toBe(401);
  });

  it('maps scopes to tools, and names a missing one', async () => {
    const { url } = await start({ scopes: ['mcp', 'tools:search_web', 'tools:summarize_content'] });
    const token = await issuer.token(url + PATH, { claims: { scope: 'mcp tools:search_web' } });
    const list = await post(url + PATH, token, modern('tools/list'));
    expect(list.body.result?.tools?.map(({ name }) => name)).toEqual(['search_web']);
    expect((await post(url + PATH, token, search())).status).toBe(200);
    const summary = modern('tools/call', { name: 'summarize_content', arguments: { content_id: 'coral' } });
    const refused = await post(url + PATH, token, summary);
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
    expect(refused.challenge).toContain('error="insufficient_scope", scope="mcp tools:summarize_content"');
    expect(refused.challenge).toContain('resource_metadata=');
    const azure = await issuer.token(url + PATH, {
      claims: { scope: undefined, scp: ['mcp', 'tools:summarize_content'] },
    });
    expect((await post(url + PATH, azure, summary)).status).toBe(200);
    const without = await issuer.token(url + PATH, { claims: { scope: 'tools:search_web' } });
    expect((await post(url + PATH, without, modern('tools/list'))).status).toBe(403);
  });

  it('asks for no scope where the list is empty', async () => {
    const { url } = await start({ scopes: [] });
    const { challenge } = await post(url + PATH, undefined, search());
    expect(challenge).not.toContain('scope=');
    const token = await issuer.token(url + PATH, { claims: { scope: undefined } });
    expect((await post(url + PATH, token, search())).status).toBe(200);
  });

  it('counts limits and reports usage by user, and keeps API keys at the same address', async () => {
    const events: RequestEvent[] = [];
    const { url, http } = await start(
      {},
      { limits: { requestsPerMinute: 1 }, hooks: { onUsage: (event) => void events.push(event) } },
    );
    const ada = await issuer.token(url + PATH);
    const bob = await issuer.token(url + PATH, { claims: { sub: 'bob' } });
    expect((await post(url + PATH, ada, search())).body.result).not.toHaveProperty('isError');
    expect((await post(url + PATH, ada, search())).body.result).toHaveProperty('isError', true);
    expect((await post(url + PATH, bob, search())).body.result).not.toHaveProperty('isError');
    const byKey = await post(url + PATH, undefined, search(), { 'x-api-key': 'a-key' });
    const asBearer = await post(url + PATH, 'a-key', search());
    expect([byKey.status, asBearer.status]).toEqual([200, 200]);
    expect((await post(url + PATH, 'no-key', search())).challenge).toMatch(/^Bearer resource_metadata=/);
    expect(
      (await http.post('/v1/tools/search_web').set('authorization', `Bearer ${ada}`).send({ query: 'x' }))
        .status,
    ).toBe(401);
    expect(events.map(({ key }) => key?.name)).toEqual(
      expect.arrayContaining(['ada (a-client)', 'bob (a-client)', 'key-1']),
    );
  });

  describe('when time passes', () => {
    afterEach(() => jest.restoreAllMocks());

    /** Lets the monotonic clock go on. The keys' ages are measured by it. */
    const later = (ms: number): void => {
      const then = performance.now() + ms;
      jest.spyOn(performance, 'now').mockImplementation(() => then);
    };

    it('finds a new key of the issuer, and asks for an unknown one only now and then', async () => {
      const { url } = await start();
      expect((await post(url + PATH, await issuer.token(url + PATH), search())).status).toBe(200);
      await issuer.addKey('ES256');
      const rotated = await issuer.token(url + PATH);
      expect((await post(url + PATH, rotated, search())).status).toBe(401);
      expect(issuer.requests).toHaveLength(2);
      later(31_000);
      expect((await post(url + PATH, rotated, search())).status).toBe(200);
      expect(issuer.requests).toHaveLength(4);
    });

    it('works with known keys while the issuer is down, and answers 503 for unknown ones', async () => {
      const { url } = await start();
      const known = await issuer.token(url + PATH);
      expect((await post(url + PATH, known, search())).status).toBe(200);
      issuer.down = true;
      later(1_800_000);
      expect((await post(url + PATH, known, search())).status).toBe(200);
      await issuer.addKey('ES256');
      const refused = await post(url + PATH, await issuer.token(url + PATH), search());
      expect([refused.status, refused.body.code]).toEqual([503, 'upstream_unavailable']);
      jest.restoreAllMocks();
      later(25 * 3_600_000);
      expect((await post(url + PATH, known, search())).status).toBe(503);
    });
  });

  it('finishes a stream whose token expires while it runs, and refuses the next request', async () => {
    const source = new SlowSource();
    const { url } = await start({}, { contentSources: [source] });
    const token = await issuer.token(url + PATH);
    const summary = modern('tools/call', {
      name: 'summarize_content',
      arguments: { content_id: 'coral' },
      _meta: { progressToken: 1 },
    });
    const running = post(url + PATH, token, summary);
    await source.begun(1);
    // `jose` reads the clock by `new Date()`.
    jest.useFakeTimers({ doNotFake: [...NOT_THE_DATE], now: Date.now() + 3_600_000 });
    try {
      source.loads[0]!.finish();
      const { status, body } = await running;
      expect([status, body.result]).toEqual([200, expect.not.objectContaining({ isError: true })]);
      const refused = await post(url + PATH, token, summary);
      expect([refused.status, refused.body.message]).toEqual([401, 'The access token has expired.']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('asks the host about tokens where it verifies them', async () => {
    const { url } = await start({
      verify: (token) =>
        token === 'opaque' ? { id: 'u1', name: 'user 1', tools: ['search_web'] } : undefined,
    });
    expect((await post(url + PATH, 'opaque', search())).status).toBe(200);
    expect((await post(url + PATH, 'a-key', search())).status).toBe(200);
    expect((await post(url + PATH, 'unknown', search())).body.code).toBe('invalid_token');
  });

  it('asks the host about no API key, and about no more wrong tokens than an address may send', async () => {
    const verify = jest.fn((token: string) =>
      token === 'opaque' ? { id: 'u1', name: 'user 1' } : undefined,
    );
    const { url } = await start({ verify }, { limits: { failedKeysPerMinute: 3 } });
    for (let i = 0; i < 5; i++) {
      expect((await post(url + PATH, 'a-key', search())).status).toBe(200);
      expect((await post(url + PATH, 'opaque', search())).status).toBe(200);
    }
    expect(verify).toHaveBeenCalledTimes(5);
    const statuses: number[] = [];
    for (const token of ['a', 'b', 'c.d.e', 'f', 'g.h.i', 'opaque'])
      statuses.push((await post(url + PATH, token, search())).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
    expect(verify).toHaveBeenCalledTimes(8);
  });

  it('counts tokens that cannot be verified as failed keys', async () => {
    const { url } = await start({}, { limits: { failedKeysPerMinute: 2 } });
    const wrong = await issuer.token('https://other.example/');
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) statuses.push((await post(url + PATH, wrong, search())).status);
    expect(statuses).toEqual([401, 401, 429]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('introspection at 10.0.0.5 failed'))],
    ['does not answer', () => new Promise<never>(() => undefined)],
  ])('answers 503 where the verifier of the host %s', async (_what, verify) => {
    const asked = jest.fn(verify);
    const { url } = await start({ verify: asked });
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
    try {
      const answer = post(url + PATH, 'opaque', search());
      while (asked.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
      jest.advanceTimersByTime(5_000);
      const { status, body } = await answer;
      expect([status, body.message]).toEqual([503, 'The access token cannot be checked at the moment.']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('asks an issuer that is down once, however many tokens name it', async () => {
    issuer.down = true;
    const { url } = await start();
    const token = await issuer.token(url + PATH);
    expect((await post(url + PATH, token, search())).status).toBe(503);
    const asked = issuer.requests.length;
    for (let i = 0; i < 5; i++) expect((await post(url + PATH, token, search())).status).toBe(503);
    expect(issuer.requests).toHaveLength(asked);
    issuer.down = false;
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 5_000);
    try {
      expect((await post(url + PATH, token, search())).status).toBe(200);
    } finally {
      jest.restoreAllMocks();
    }
  });
});
