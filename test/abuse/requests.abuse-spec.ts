import net from 'node:net';
import { APPS, AbusedApp, KEY } from '../support/abused-app.js';
import { faultsOf } from '../support/documented-error.js';
import { closeHosts } from '../support/host.js';
import type { RawRequest } from '../support/raw-http.js';

const SEARCH = '/v1/tools/search_web';
const JSON_TYPE = 'Content-Type: application/json';
const BODY = '{"query":"coral"}';

/** Header lines that carry no valid key, in every way a client, a proxy or an attacker writes them. */
const WRONG_KEYS: readonly (readonly string[])[] = [
  [],
  ...[
    '',
    ' ',
    '\t',
    'x',
    '*',
    'null',
    'undefined',
    'true',
    '0',
    '__proto__',
    'constructor',
    KEY.toUpperCase(),
    KEY.toLowerCase().slice(0, -1),
    `${KEY}x`,
    `x${KEY}`,
    `${KEY} x`,
    `"${KEY}"`,
    `'${KEY}'`,
    `${KEY},`,
    `${KEY}, ${KEY}`,
    `${KEY};`,
    `${KEY}\t${KEY}`,
    `Bearer ${KEY}`,
    `ApiKey ${KEY}`,
    `Basic ${Buffer.from(KEY).toString('base64')}`,
    encodeURIComponent(`${KEY}=`),
    Buffer.from(KEY).toString('base64'),
    Buffer.from(KEY).toString('hex'),
    [...KEY].reverse().join(''),
    'k'.repeat(14_000),
    'é'.repeat(20),
    `${KEY}\xa0`,
    `\xa0${KEY}`,
    `${KEY}\xad`,
    '\xff\xfe\xfd',
    "' OR '1'='1",
    '${jndi:ldap://127.0.0.1/a}',
    '../../../etc/passwd',
    '%00',
    '{"$ne":null}',
  ].map((value) => [`X-API-Key: ${value}`]),
  // Sent twice a key is joined with a comma and is none, in whatever order.
  [`X-API-Key: ${KEY}`, `X-API-Key: ${KEY}`],
  [`X-API-Key: ${KEY}`, 'X-API-Key: other'],
  ['X-API-Key: other', `x-api-key: ${KEY}`],
  [`X-API-Key: ${KEY}`, 'X-API-Key:'],
  [`Authorization: Bearer ${KEY}x`],
  [`Authorization: Bearer ${KEY} ${KEY}`],
  [`Authorization: Basic ${KEY}`],
  ['X-API-Key: other', `Authorization: Bearer ${KEY}`],
  [`Authorization: ${KEY}`],
  [`Api-Key: ${KEY}`],
  [`X-Api: ${KEY}`],
  [`X_API_KEY: ${KEY}`],
  [`X-API-Keys: ${KEY}`],
  [`Cookie: X-API-Key=${KEY}; api_key=${KEY}`],
  [`Proxy-Authorization: ${KEY}`],
];

/** Paths that lead to no tool, or to one without a key. */
const WRONG_PATHS: readonly string[] = [
  '/',
  '/v1',
  '/v1/tools',
  '/v1/tools/',
  '/v2/tools/search_web',
  '/tools/search_web',
  '/v1/tools/search_web/x',
  '/v1/tools/search_web/..',
  '/v1//tools/search_web',
  '//v1/tools/search_web',
  '/v1/tools//search_web',
  '/v1/tools/search-web',
  '/v1/tools/searchweb',
  '/v1/tools/search_web%00',
  '/v1/tools/search_web%20',
  '/v1/tools/search_web%2f',
  '/v1/tools/search_web;a=b',
  '/v1/tools/search_web.json',
  '/v1/tools/../tools/search_web',
  '/v1/tools/%2e%2e/tools/search_web',
  '/v1%2ftools%2fsearch_web',
  '/v1/tools/__proto__',
  '/v1/tools/constructor',
  '/v1/tools/summarize',
  `/${'a'.repeat(8000)}`,
  `/v1/tools/search_web/${'../'.repeat(500)}`,
  '/.env',
  '/etc/passwd',
  `/v1/tools/nothing?api_key=${KEY}&X-API-Key=${KEY}`,
  '/v1/tools/nothing?<script>alert(1)</script>',
];

describe.each(APPS)('requests that are not as they should be on %s', (adapter, make) => {
  let app: AbusedApp;
  beforeAll(async () => {
    app = await AbusedApp.start(make);
  });
  afterAll(async () => {
    app.restore();
    await closeHosts();
  });

  /** The faults of every request that must be refused. */
  const faultsOfAll = async (
    requests: readonly [string, RawRequest][],
    statuses: readonly number[],
  ): Promise<string[]> => {
    const failures: string[] = [];
    for (const [name, request] of requests) {
      const faults = await app.refused(request, statuses).catch((error: Error) => [error.message]);
      if (faults.length > 0) failures.push(`${name}: ${faults.join('; ')}`);
    }
    return failures;
  };

  it('refuses every wrong key with 401, whatever the body, and a challenge', async () => {
    const bodies = [BODY, '', '{', '{"query":5}'];
    const failures: string[] = [];
    for (const key of WRONG_KEYS) {
      for (const path of [
        SEARCH,
        '/v1/tools/summarize_content',
        `${SEARCH}?api_key=${KEY}&X-API-Key=${KEY}`,
      ]) {
        const response = await app.send({ path, headers: [...key, JSON_TYPE], body: BODY });
        const faults = faultsOf(response, [KEY]);
        if (response.status !== 401) faults.push(`status ${response.status}`);
        if (!response.headers['www-authenticate']) faults.push('no WWW-Authenticate');
        if (faults.length > 0) failures.push(`${key.join(' | ').slice(0, 80)}: ${faults.join('; ')}`);
      }
    }
    for (const body of bodies) {
      const { status } = await app.send({ headers: [JSON_TYPE], body });
      // What is no JSON is refused by the adapter's parser, which comes before every guard.
      if (status !== 401 && !(status === 400 && (body === '{' || body === '')))
        failures.push(`${body}: status ${status}`);
    }
    expect(failures).toEqual([]);
    expect(app.costs).toEqual({ works: 0, dialled: [] });
  });

  it('takes the right key whatever the capitals of the name and the white space around it', async () => {
    // The first search loads what it needs and builds the index, which takes a busy machine longer than a request may last.
    while ((await app.send({ body: BODY })).status === 504);
    for (const line of [
      `X-API-Key: ${KEY}`,
      `x-api-key:${KEY}`,
      `X-API-KEY:   ${KEY}  `,
      `x-Api-kEY:\t${KEY}\t`,
    ]) {
      const { status } = await app.send({ headers: [line, JSON_TYPE], body: BODY });
      // On a busy machine the first search, which loads the engine, may pass its deadline.
      expect([line, status === 504 ? 200 : status]).toEqual([line, 200]);
    }
  });

  it('refuses every wrong path in the documented form', async () => {
    const requests = WRONG_PATHS.map((path): [string, RawRequest] => [
      path.slice(0, 60),
      { path, body: BODY },
    ]);
    expect(await faultsOfAll(requests, [400, 404, 414])).toEqual([]);
  });

  it('refuses a path that cannot be decoded', async () => {
    for (const path of ['/v1/tools/%E0%A4%A', '/v1/tools/%', '/v1/tools/%zz']) {
      const response = await app.send({ path, body: BODY });
      // Fastify's router answers by itself, in its own form (`frameworkErrors` is the host's to set).
      if (adapter === 'Fastify') expect(response.status).toBe(400);
      else expect(faultsOf(response, [KEY])).toEqual([]);
    }
  });

  it('refuses every other method in the documented form', async () => {
    const methods = [
      'GET',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'PROPFIND',
      'SEARCH',
      'PURGE',
      'LINK',
      'MKCOL',
      'TRACE',
    ];
    const requests = methods.map((method): [string, RawRequest] => [
      method,
      { method, path: SEARCH, body: BODY },
    ]);
    expect(await faultsOfAll(requests, [400, 404, 405, 415])).toEqual([]);
    expect((await app.send({ method: 'HEAD', path: SEARCH, body: BODY })).status).toBe(405);
  });

  it('guards every spelling of the path that leads to a tool', async () => {
    for (const path of [
      `${SEARCH}/`,
      '/V1/TOOLS/SEARCH_WEB',
      '/v1/tools/%73earch_web',
      '/v1/tools/search%5Fweb',
      `${SEARCH}?`,
      `${SEARCH}?a=b#c`,
    ]) {
      const { status } = await app.send({ path, headers: [JSON_TYPE], body: BODY });
      expect([401, 404]).toContain(status);
    }
  });

  it('answers non-HTTP data and too large headers with a bare 4xx', async () => {
    const heads: readonly (readonly string[])[] = [
      [`X-Large: ${'a'.repeat(20_000)}`],
      Array.from({ length: 3000 }, (_, i) => `X-${i}: a`),
      ['No colon'],
      ['Bad name: a'],
      ['X-Null: a\x00b'],
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
      ['Transfer-Encoding: chunked, identity'],
      ['Content-Length: -1'],
      ['Content-Length: 1e3'],
      ['Content-Length: 5, 6'],
      ['Content-Length: 5', 'Content-Length: 6'],
    ];
    for (const head of heads) {
      const response = await app.send({
        headers: [`X-API-Key: ${KEY}`, JSON_TYPE, ...head],
        body: BODY,
        length: false,
      });
      expect([head[0]!.slice(0, 40), response.status >= 400 && response.status < 500]).toEqual([
        head[0]!.slice(0, 40),
        true,
      ]);
      expect(response.body).not.toMatch(/Error:|node:|\n\s+at /);
    }
  });

  it('answers nothing, and does nothing, when the body ends before its length', async () => {
    const before = app.costs.works;
    const headers = [`X-API-Key: ${KEY}`, JSON_TYPE];
    const cut = await app.send({
      headers: [...headers, 'Content-Length: 500'],
      body: BODY,
      length: false,
      end: true,
    });
    expect([0, 400]).toContain(cut.status);
    const chunks = await app.send({
      headers: [...headers, 'Transfer-Encoding: chunked'],
      framed: '11\r\n{"que',
      end: true,
    });
    expect([0, 400]).toContain(chunks.status);
    expect(app.costs.works).toBe(before);
  });

  it('keeps a harmless X-Request-Id and never sends back another', async () => {
    for (const id of ['a b', 'a\tb', 'x'.repeat(129), '\xe9', '', '"\xff"', 'a, b c', '<script> x']) {
      const response = await app.send({
        headers: [`X-API-Key: ${KEY}`, JSON_TYPE, `X-Request-Id: ${id}`],
        body: '{}',
      });
      expect(faultsOf(response, [KEY])).toEqual([]);
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    const split = await app.send({
      headers: [`X-API-Key: ${KEY}`, JSON_TYPE, 'X-Request-Id: a%0d%0aSet-Cookie:%20a=b'],
      body: '{}',
    });
    expect(split.headers['set-cookie']).toBeUndefined();
    expect(split.headers['x-request-id']).toBe('a%0d%0aSet-Cookie:%20a=b');
    const twice = await app.send({
      headers: [`X-API-Key: ${KEY}`, JSON_TYPE, 'X-Request-Id: a', 'X-Request-Id: b'],
      body: '{}',
    });
    expect(faultsOf(twice, [KEY])).toEqual([]);
  });

  it('answers with JSON whatever is accepted, and with events only where they are asked for', async () => {
    const kinds = [
      '*/*',
      'text/html',
      'application/xml',
      'image/png',
      '',
      ';;;,',
      'x'.repeat(4000),
      'text/event-streams',
      'text/event-stream-x',
      'text/event-stream;q=0',
      'application/json, text/event-stream; charset=utf-8; q=0.000, */*;q=0.1',
      'application/json;q=0',
    ];
    for (const kind of kinds) {
      const headers = [`X-API-Key: ${KEY}`, JSON_TYPE, `Accept: ${kind}`];
      const good = await app.send({ headers, body: BODY });
      expect([kind.slice(0, 20), good.status, good.headers['content-type']]).toEqual([
        kind.slice(0, 20),
        200,
        'application/json; charset=utf-8',
      ]);
      expect(faultsOf(await app.send({ headers, body: '{}' }))).toEqual([]);
    }
    for (const kind of ['text/html, text/event-stream;q=0.5', '*/*;q=0,Text/Event-Stream ;charset=utf-8']) {
      const headers = [`X-API-Key: ${KEY}`, JSON_TYPE, `Accept: ${kind}`];
      const events = await app.send({ headers, body: BODY });
      expect(events.headers['content-type']).toMatch(/^text\/event-stream/);
    }
  });

  it('ignores headers that a proxy might send, and methods in disguise', async () => {
    for (const line of [
      'X-HTTP-Method-Override: DELETE',
      'X-Forwarded-For: 127.0.0.1, x',
      'X-Forwarded-Host: evil.example',
      'X-Original-URL: /docs',
      'Range: bytes=0-1',
      'If-None-Match: *',
      'If-Match: "x"',
      'Cookie: a=b',
      'Forwarded: for=<script>',
      'Cache-Control: no-cache, ,;=',
      'Upgrade: websocket',
      'X-Forwarded-Proto: javascript',
    ]) {
      const { status } = await app.send({ headers: [`X-API-Key: ${KEY}`, JSON_TYPE, line], body: BODY });
      expect([line, status]).toEqual([line, 200]);
    }
    // 417 is what Node's own server says to an expectation that it does not know.
    const expectation = await app.send({
      headers: [`X-API-Key: ${KEY}`, JSON_TYPE, 'Expect: x'],
      body: BODY,
    });
    expect([200, 417]).toContain(expectation.status);
  });

  it('answers others while 120 clients send their bodies drop by drop', async () => {
    const { hostname, port } = new URL(app.url);
    const slow = Array.from({ length: 120 }, () => {
      const socket = net.connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(
        `POST ${SEARCH} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\n${JSON_TYPE}\r\nContent-Length: 50\r\n\r\n{"query":`,
      );
      return { socket, timer: setInterval(() => socket.write(' '), 20) };
    });
    try {
      for (let i = 0; i < 20; i++) expect((await app.send({ body: BODY })).status).toBe(200);
    } finally {
      for (const { socket, timer } of slow) {
        clearInterval(timer);
        socket.destroy();
      }
    }
  });

  it('never dials anything for a refused request, and is still well after all of it', async () => {
    expect(app.costs.dialled).toEqual([]);
    const { status } = await app.send({ body: BODY });
    expect(status).toBe(200);
  });
});
