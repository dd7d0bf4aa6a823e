import { createServer, type AddressInfo } from 'node:net';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import {
  createGuardedFetch,
  type GuardedFetchOptions,
  type GuardedRequest,
  type Dial,
} from '../../lib/web/guarded-fetch.js';
import {
  BlockedAddressError,
  PageStatusError,
  PageTimeoutError,
  PageTooLargeError,
  PageUnavailableError,
  RedirectError,
  UnreadablePageError,
  UnsupportedPageTypeError,
} from '../../lib/web/web.errors.js';
import { TEST_CERTIFICATE } from '../support/fake-pages/certificate.js';
import { type FakePage, type FakePages, fakePages, fakeRawPages } from '../support/fake-pages/fake-pages.js';

const running: FakePages[] = [];
const serve = async (...args: Parameters<typeof fakePages>): Promise<FakePages> => {
  const pages = await fakePages(...args);
  running.push(pages);
  return pages;
};
afterEach(async () => {
  await Promise.all(running.splice(0).map((pages) => pages.close()));
});

/** Fetches from the fake pages as an allowed host; keeps what was dialled. */
async function get(
  pages: FakePages,
  path: string,
  request?: GuardedRequest,
  options: GuardedFetchOptions = {},
) {
  const dials: Dial[] = [];
  const fetchPage = createGuardedFetch({
    allowHosts: [pages.host],
    onDial: (dial) => dials.push(dial),
    ...options,
  });
  const outcome = await fetchPage(pages.origin + path, request).catch((error: unknown) => error as Error);
  return { outcome, dials };
}

const typed =
  (type: string, body: string | Buffer, headers: Record<string, string> = {}): FakePage =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': type, ...headers }).end(body);
const redirect =
  (to: string, status = 302): FakePage =>
  (_request, response) =>
    response.writeHead(status, { location: to }).end();

describe('a page', () => {
  it('arrives with its final address, type and body', async () => {
    const pages = await serve({ '/a': '<p>hello' });
    const { outcome, dials } = await get(pages, '/a?q=1#part');
    expect(outcome).toMatchObject({
      url: `${pages.origin}/a?q=1#part`,
      status: 200,
      type: 'text/html',
      cut: false,
    });
    expect(outcome).toHaveProperty('body', Buffer.from('<p>hello'));
    expect(dials).toEqual([{ address: '127.0.0.1', port: pages.port, host: '127.0.0.1' }]);
  });

  it('is asked for plainly: own user agent, no cookies, no referrer, no kept connection', async () => {
    const pages = await serve({
      '/a': (_request, response) =>
        response.writeHead(302, { location: '/b', 'set-cookie': 'a=b' }).end('x'.repeat(1000)),
      '/b': '<p>b',
    });
    await get(pages, '/a', {
      headers: { 'Accept-Language': 'de', host: 'other.example', 'accept-encoding': 'zstd' },
    });
    expect(pages.requests.map(({ path }) => path)).toEqual(['/a', '/b']);
    for (const { headers } of pages.requests)
      expect(headers).toEqual({
        host: pages.host,
        'user-agent': 'Mozilla/5.0 (compatible; nestjs-tools)',
        accept: 'text/html, application/xhtml+xml, text/plain, */*;q=0.1',
        'accept-encoding': 'gzip, deflate, br',
        'accept-language': 'de',
        connection: 'close',
      });
    expect(pages.connections).toBe(2);
    await settled(() => pages.open.size === 0);
  });

  it('is fetched over https with the certificate checked against the name, at the vetted address', async () => {
    const pages = await serve({ '/': '<p>secret' }, TEST_CERTIFICATE);
    const at = (name: string, ca?: string) =>
      createGuardedFetch({
        allowHosts: [name],
        resolve: () => Promise.resolve(['127.0.0.1']),
        ...(ca ? { ca } : {}),
      })(`https://${name}:${pages.port}/`).catch((error: unknown) => error);
    expect(await at('secure.example', TEST_CERTIFICATE.cert)).toMatchObject({
      status: 200,
      type: 'text/html',
    });
    expect(await at('other.example', TEST_CERTIFICATE.cert)).toBeInstanceOf(PageUnavailableError);
    expect(await at('secure.example')).toBeInstanceOf(PageUnavailableError);
    expect(pages.requests).toHaveLength(1);
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['identity', (text: string) => Buffer.from(text)],
  ])('is inflated from %s', async (encoding, deflate) => {
    const text = '<p>déjà vu '.repeat(5000);
    const pages = await serve({ '/': typed('text/html', deflate(text), { 'content-encoding': encoding }) });
    const { outcome } = await get(pages, '/');
    expect(outcome).toHaveProperty('body', Buffer.from(text));
  });

  it('may be empty, in each coding', async () => {
    for (const encoding of ['gzip', 'deflate', 'br', 'identity']) {
      const pages = await serve({ '/': typed('text/html', '', { 'content-encoding': encoding }) });
      const { outcome } = await get(pages, '/');
      expect(outcome).toHaveProperty('body', Buffer.alloc(0));
    }
  });
});

describe('the dialled address', () => {
  it('is the vetted one: the name is looked up once a hop, so it cannot be rebound', async () => {
    const pages = await serve({ '/': redirect('/b'), '/b': '<p>b' });
    const answers = [['127.0.0.1'], ['127.0.0.1'], ['10.0.0.1']];
    const dials: Dial[] = [];
    let asked = 0;
    const fetchPage = createGuardedFetch({
      allowHosts: ['pages.example'],
      resolve: () => Promise.resolve(answers[asked++] ?? []),
      onDial: (dial) => dials.push(dial),
    });
    await fetchPage(`http://pages.example:${pages.port}/`);
    expect(asked).toBe(2);
    expect(dials.map(({ address, host }) => [address, host])).toEqual([
      ['127.0.0.1', 'pages.example'],
      ['127.0.0.1', 'pages.example'],
    ]);
  });

  it('is public for a page of the open web, and is really dialled', async () => {
    const dials: Dial[] = [];
    const fetchPage = createGuardedFetch({
      resolve: () => Promise.resolve(['93.184.216.34']),
      onDial: (dial) => dials.push(dial),
      timeoutMs: 50,
    });
    await fetchPage('http://public.example/').catch(() => undefined);
    expect(dials).toEqual([{ address: '93.184.216.34', port: 80, host: 'public.example' }]);
  });

  it('falls back to the next vetted address when one does not answer', async () => {
    const pages = await serve({ '/': '<p>b' });
    const dead = await closedPort();
    const dials: Dial[] = [];
    const fetchPage = createGuardedFetch({
      allowHosts: ['pages.example'],
      resolve: () => Promise.resolve(['::1', '127.0.0.1']),
      onDial: (dial) => dials.push(dial),
    });
    expect(await fetchPage(`http://pages.example:${pages.port}/`)).toMatchObject({ status: 200 });
    expect(dials.at(-1)).toMatchObject({ address: '127.0.0.1' });
    const none = await fetchPage(`http://pages.example:${dead}/`).catch((error: unknown) => error as Error);
    expect(none).toBeInstanceOf(PageUnavailableError);
    expect((none as Error).message).not.toMatch(/127\.0\.0\.1|::1|\d{4}/);
  });

  it.each([
    'http://127.0.0.1:PORT/secret',
    'http://localhost:PORT/secret',
    'http://2130706433:PORT/secret',
    'http://0x7f.1:PORT/secret',
    'http://[::ffff:127.0.0.1]:PORT/secret',
    'http://rebound.example:PORT/secret',
    '//127.0.0.2:PORT/secret',
    'file:///etc/passwd',
    'http://u:p@pages.example:PORT/secret',
    'gopher://127.0.0.1:PORT/_x',
  ])('is vetted anew after a redirect to %s', async (to) => {
    const secret = await serve({ '/secret': '<p>secret' });
    const pages = await serve({ '/': redirect(to.replace('PORT', String(secret.port))) });
    const { outcome, dials } = await get(pages, '/', undefined, {
      resolve: () => Promise.resolve(['127.0.0.1']),
    });
    expect(outcome).toBeInstanceOf(BlockedAddressError);
    expect(secret.connections).toBe(0);
    expect(dials).toHaveLength(1);
  });
});

describe('redirects', () => {
  const chain = (length: number): Record<string, FakePage> => ({
    ...Object.fromEntries(Array.from({ length }, (_, i) => [`/${i}`, redirect(`/${i + 1}`)])),
    [`/${length}`]: '<p>end',
  });

  it('are followed five times and no more', async () => {
    expect((await get(await serve(chain(5)), '/0')).outcome).toMatchObject({ status: 200 });
    const pages = await serve(chain(6));
    expect((await get(pages, '/0')).outcome).toBeInstanceOf(RedirectError);
    expect(pages.requests).toHaveLength(6);
  });

  it.each([301, 302, 303, 307, 308])('are followed for %i', async (status) => {
    const pages = await serve({ '/': redirect('b', status), '/b': '<p>b' });
    expect((await get(pages, '/')).outcome).toMatchObject({ url: `${pages.origin}/b` });
  });

  it('end in a loop', async () => {
    const pages = await serve({ '/': redirect('/') });
    expect((await get(pages, '/')).outcome).toBeInstanceOf(RedirectError);
    expect(pages.connections).toBe(6);
  });

  it('need a target', async () => {
    const pages = await serve({ '/': (_request, response) => response.writeHead(302).end() });
    expect((await get(pages, '/')).outcome).toBeInstanceOf(RedirectError);
  });

  it('lead to addresses written in UTF-8', async () => {
    const pages = await serve({
      '/': (_request, response) => {
        response.socket?.end(
          Buffer.from('HTTP/1.1 302 Found\r\nlocation: /ü\r\ncontent-length: 0\r\n\r\n', 'utf8'),
        );
      },
      '/%C3%BC': '<p>ü',
    });
    expect((await get(pages, '/')).outcome).toMatchObject({ url: `${pages.origin}/%C3%BC` });
  });

  it('go from https to http, and own headers stay with the first origin', async () => {
    const plain = await serve({ '/': '<p>plain' });
    const secure = await serve({ '/': redirect(`${plain.origin}/`) }, TEST_CERTIFICATE);
    const { outcome } = await get(
      secure,
      '/',
      { headers: { 'x-token': 'abc' } },
      {
        allowHosts: [secure.host, plain.host],
        ca: [TEST_CERTIFICATE.cert],
      },
    );
    expect(outcome).toMatchObject({ url: `${plain.origin}/` });
    expect(secure.requests[0]?.headers['x-token']).toBe('abc');
    expect(plain.requests[0]?.headers).not.toHaveProperty('x-token');
  });
});

describe('size', () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'a');

  it('is bounded where it is declared, before the body is read', async () => {
    const pages = await serve({
      '/': (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/html', 'content-length': 5_000_000 }).write('x'),
    });
    expect((await get(pages, '/')).outcome).toBeInstanceOf(PageTooLargeError);
  });

  it('is exact', async () => {
    const pages = await serve({ '/': typed('text/plain', 'x'.repeat(1000)) });
    expect((await get(pages, '/', { maxBytes: 1000 })).outcome).toMatchObject({ cut: false });
    expect((await get(pages, '/', { maxBytes: 999 })).outcome).toBeInstanceOf(PageTooLargeError);
    expect((await get(pages, '/', { maxBytes: 999, whenTooLarge: 'cut' })).outcome).toMatchObject({
      cut: true,
      body: Buffer.alloc(999, 'x'),
    });
  });

  it('of an endless page costs no more than the limit', async () => {
    let sent = 0;
    const pages = await serve({
      '/': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const more = (): void => {
          while (!response.destroyed && response.write(megabyte)) sent++;
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      },
    });
    expect((await get(pages, '/')).outcome).toBeInstanceOf(PageTooLargeError);
    await settled(() => pages.open.size === 0);
    expect(sent).toBeLessThan(20);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', (data: Buffer) => brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])('is counted after inflating: a %s bomb of 64 MB is dropped at 1 MiB', async (encoding, deflate) => {
    const bomb = deflate(Buffer.alloc(64 * 1024 * 1024));
    const pages = await serve({ '/': typed('text/html', bomb, { 'content-encoding': encoding }) });
    const before = process.memoryUsage();
    const { outcome } = await get(pages, '/');
    const after = process.memoryUsage();
    expect(outcome).toBeInstanceOf(PageTooLargeError);
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(20 * 1024 * 1024);
    const cut = (await get(pages, '/', { whenTooLarge: 'cut' })).outcome;
    expect(cut).toMatchObject({ cut: true });
    expect((cut as { body: Buffer }).body).toHaveLength(1024 * 1024);
  });

  it('is counted on the wire too: endless empty blocks inflate to nothing', async () => {
    const empty = Buffer.from('000000ffff'.repeat(10_000), 'hex');
    const pages = await serve({
      '/': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'deflate' });
        const more = (): void => {
          while (!response.destroyed && response.write(empty));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      },
    });
    expect((await get(pages, '/')).outcome).toBeInstanceOf(PageTooLargeError);
  });
});

describe('time', () => {
  const slow: Record<string, FakePage> = {
    '/hang': () => undefined,
    '/drip': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('<p>');
      const drip = setInterval(() => response.write('x'), 5);
      response.on('close', () => clearInterval(drip));
    },
    '/drip-gzip': (_request, response) => {
      const whole = gzipSync(Buffer.from('<p>slow '.repeat(10_000)));
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        .write(whole.subarray(0, 40));
    },
    '/hops': (_request, response) =>
      void setTimeout(() => response.writeHead(302, { location: '/hops' }).end(), 30),
  };

  it.each(Object.keys(slow))('is one for the whole exchange: %s', async (path) => {
    const pages = await serve(slow);
    const { outcome } = await get(pages, path, { timeoutMs: 100 });
    expect(outcome).toBeInstanceOf(PageTimeoutError);
    await settled(() => pages.open.size === 0);
  });

  it('holds for a resolver that hangs', async () => {
    const fetchPage = createGuardedFetch({ resolve: () => new Promise(() => undefined), timeoutMs: 30 });
    await expect(fetchPage('http://a.example/')).rejects.toBeInstanceOf(PageTimeoutError);
  });

  it.each(['/hang', '/drip', '/drip-gzip'])('ends at once when the caller leaves: %s', async (path) => {
    const pages = await serve(slow);
    const controller = new AbortController();
    const fetchPage = createGuardedFetch({ allowHosts: [pages.host], timeoutMs: 60_000 });
    const reason = new Error('client gone');
    const outcome = fetchPage(pages.origin + path, { signal: controller.signal });
    await settled(() => pages.requests.length === 1);
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
    await settled(() => pages.open.size === 0);
  });

  it.each([undefined, null, 'gone', new DOMException('gone', 'AbortError')])(
    'ends with whatever the caller gives as reason: %p',
    async (reason) => {
      const pages = await serve(slow);
      const controller = new AbortController();
      const fetchPage = createGuardedFetch({ allowHosts: [pages.host], timeoutMs: 60_000 });
      const outcome = fetchPage(`${pages.origin}/hang`, { signal: controller.signal });
      await settled(() => pages.requests.length === 1);
      controller.abort(reason);
      await expect(outcome).rejects.toBe(controller.signal.reason);
    },
  );

  it('does not start for a caller that has left', async () => {
    const pages = await serve(slow);
    const reason = new Error('gone before');
    const { outcome } = await get(pages, '/hang', { signal: AbortSignal.abort(reason) });
    expect(outcome).toBe(reason);
    expect(pages.connections).toBe(0);
  });
});

describe('type', () => {
  it.each(['text/html', 'TEXT/HTML; charset=utf-8', 'application/xhtml+xml', 'text/plain;x=y'])(
    'reads %s',
    async (type) => {
      const pages = await serve({ '/': typed(type, 'x') });
      expect((await get(pages, '/')).outcome).toMatchObject({ status: 200 });
    },
  );

  it.each([
    'application/json',
    'image/png',
    'application/pdf',
    'application/octet-stream',
    'text/html-x',
    '<script>',
  ])('refuses %s with the body unread', async (type) => {
    const pages = await serve({
      '/': (_request, response) => void response.writeHead(200, { 'content-type': type }).write('x'),
    });
    const { outcome } = await get(pages, '/');
    expect(outcome).toBeInstanceOf(UnsupportedPageTypeError);
    expect((outcome as Error).message).not.toContain('<');
  });

  it('is what the caller asks for', async () => {
    const pages = await serve({ '/': typed('application/json', '{}') });
    expect((await get(pages, '/', { types: ['application/json'] })).outcome).toMatchObject({
      type: 'application/json',
    });
    expect((await get(pages, '/', { types: ['*'] })).outcome).toMatchObject({ type: 'application/json' });
  });

  it.each([
    ['<!DOCTYPE html><p>x', 'text/html'],
    ['\n <html><p>x', 'text/html'],
    ['plain words', 'text/plain'],
    ['%PDF-1.7', undefined],
    ['\x89PNG\0\0', undefined],
  ])('is sniffed from %j where the server names none', async (body, type) => {
    const pages = await serve({
      '/': (_request, response) => response.writeHead(200).end(Buffer.from(body, 'latin1')),
    });
    const { outcome } = await get(pages, '/');
    if (type) expect(outcome).toMatchObject({ type });
    else expect(outcome).toBeInstanceOf(UnsupportedPageTypeError);
  });
});

describe('status', () => {
  it.each([
    [204, true],
    [304, false],
    [400, false],
    [404, false],
    [429, false],
    [500, false],
    [503, false],
  ])('%i is a page: %s', async (status, ok) => {
    const pages = await serve({ '/': (_request, response) => response.writeHead(status).end() });
    const { outcome } = await get(pages, '/');
    if (ok) expect(outcome).toMatchObject({ status });
    else {
      expect(outcome).toBeInstanceOf(PageStatusError);
      expect(outcome).toMatchObject({ pageStatus: status, shouldRetry: status === 429 || status >= 500 });
    }
    expect((await get(pages, '/', { anyStatus: true })).outcome).toMatchObject({ status });
  });
});

describe('a server that does not keep to HTTP', () => {
  const html = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n';
  it.each([
    ['closes at once', ''],
    ['talks something else', '220 smtp.example ESMTP\r\n'],
    ['has no end of headers', `${html}x: y\r\n`],
    ['has a head of megabytes', `${html}x: ${'y'.repeat(1_000_000)}\r\n\r\n`],
    ['promises more than it sends', `${html}content-length: 100\r\n\r\nshort`],
    ['breaks off in a chunk', `${html}transfer-encoding: chunked\r\n\r\nff\r\nshort`],
    ['sends a chunk without a length', `${html}transfer-encoding: chunked\r\n\r\nzz\r\nshort\r\n`],
    ['gives two lengths', `${html}content-length: 1\r\ncontent-length: 5\r\n\r\nshort`],
    [
      'upgrades to something',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nhello',
    ],
    ['is not gzip', `${html}content-encoding: gzip\r\ncontent-length: 5\r\n\r\nshort`],
    ['stacks codings', `${html}content-encoding: gzip, gzip\r\ncontent-length: 5\r\n\r\nshort`],
    ['uses a coding not asked for', `${html}content-encoding: zstd\r\ncontent-length: 5\r\n\r\nshort`],
  ])('%s', async (_case, answer) => {
    const pages = await fakeRawPages((socket) => {
      socket.once('data', () => socket.end(answer));
    });
    running.push(pages);
    const { outcome } = await get(pages, '/');
    expect([UnreadablePageError, PageUnavailableError]).toContain((outcome as Error).constructor);
    await settled(() => pages.open.size === 0);
  });

  it('breaks off in a compressed body', async () => {
    const whole = gzipSync(Buffer.from('<p>text '.repeat(1000)));
    const pages = await fakeRawPages((socket) => {
      socket.once('data', () => {
        socket.write(`${html}content-encoding: gzip\r\ncontent-length: ${whole.length}\r\n\r\n`);
        socket.write(whole.subarray(0, 30), () => socket.destroy());
      });
    });
    running.push(pages);
    expect((await get(pages, '/')).outcome).toBeInstanceOf(UnreadablePageError);
  });

  it('resets the connection', async () => {
    const pages = await fakeRawPages((socket) => socket.once('data', () => socket.resetAndDestroy()));
    running.push(pages);
    expect((await get(pages, '/')).outcome).toBeInstanceOf(PageUnavailableError);
  });
});

describe('options', () => {
  it.each([{ timeoutMs: 0 }, { maxBytes: 1.5 }, { maxRedirects: -1 }, { userAgent: 'a\nb' }])(
    'refuse %j',
    (options) => {
      expect(() => createGuardedFetch(options)).toThrow(
        `option \`createGuardedFetch.${Object.keys(options)[0]}\``,
      );
    },
  );
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits for what the other end of a socket learns a moment later; the test's own time-out bounds it. */
async function settled(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
