import { createServer, type AddressInfo, type Socket } from 'node:net';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createGuardedFetch, type GuardedFetchOptions } from '../../lib/web/guarded-fetch.js';
import type { WebError } from '../../lib/web/web.errors.js';
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

const { signal } = new AbortController();

/** Does the work and notes the addresses that sockets are opened to in the meantime, as `address:port`. */
async function dialsOf<T>(work: () => Promise<T>): Promise<{ outcome: T | Error; dials: string[] }> {
  const dials: string[] = [];
  const onSocket = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    socket.on('connectionAttempt', (address, port) => dials.push(`${address}:${port}`));
  };
  subscribe('net.client.socket', onSocket);
  try {
    return { outcome: await work().catch((error: unknown) => error as Error), dials };
  } finally {
    unsubscribe('net.client.socket', onSocket);
  }
}

/** Fetches from the fake pages as an allowed host. */
async function get(
  pages: FakePages,
  path: string,
  options: GuardedFetchOptions = {},
  types?: readonly string[],
  caller = signal,
) {
  const fetchPage = createGuardedFetch({ allowHosts: [pages.host], timeoutMs: 60_000, ...options });
  return fetchPage(pages.origin + path, caller, { types }).catch((error: unknown) => error as Error);
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
    const { outcome, dials } = await dialsOf(() => get(pages, '/a?q=1#part'));
    expect(outcome).toMatchObject({
      url: `${pages.origin}/a?q=1#part`,
      type: 'text/html',
      cut: false,
    });
    expect(outcome).toHaveProperty('body', Buffer.from('<p>hello'));
    expect(dials).toEqual([pages.host]);
  });

  it('is asked for plainly: own user agent, no cookies, no referrer, no kept connection', async () => {
    const pages = await serve({
      '/a': (_request, response) =>
        response.writeHead(302, { location: '/b', 'set-cookie': 'a=b' }).end('x'.repeat(1000)),
      '/b': '<p>b',
    });
    await get(pages, '/a');
    expect(pages.requests.map(({ path }) => path)).toEqual(['/a', '/b']);
    for (const { headers } of pages.requests)
      expect(headers).toEqual({
        host: pages.host,
        'user-agent': 'Mozilla/5.0 (compatible; nestjs-tools)',
        accept: 'text/html, application/xhtml+xml, text/plain, */*;q=0.1',
        'accept-encoding': 'gzip, deflate, br',
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
      })(`https://${name}:${pages.port}/`, signal).catch((error: unknown) => error);
    expect(await at('secure.example', TEST_CERTIFICATE.cert)).toMatchObject({ type: 'text/html' });
    expect(await at('other.example', TEST_CERTIFICATE.cert)).toMatchObject({ reason: 'unavailable' });
    expect(await at('secure.example')).toMatchObject({ reason: 'unavailable' });
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
    const outcome = await get(pages, '/');
    expect(outcome).toHaveProperty('body', Buffer.from(text));
  });

  it('may be empty, in each coding', async () => {
    for (const encoding of ['gzip', 'deflate', 'br', 'identity']) {
      const pages = await serve({ '/': typed('text/html', '', { 'content-encoding': encoding }) });
      const outcome = await get(pages, '/');
      expect(outcome).toHaveProperty('body', Buffer.alloc(0));
    }
  });
});

describe('the dialled address', () => {
  it('is the vetted one: the name is looked up once a hop, so it cannot be rebound', async () => {
    const pages = await serve({ '/': redirect('/b'), '/b': '<p>b' });
    const answers = [['127.0.0.1'], ['127.0.0.1'], ['10.0.0.1']];
    let asked = 0;
    const fetchPage = createGuardedFetch({
      allowHosts: ['pages.example'],
      resolve: () => Promise.resolve(answers[asked++] ?? []),
    });
    const { dials } = await dialsOf(() => fetchPage(`http://pages.example:${pages.port}/`, signal));
    expect(asked).toBe(2);
    expect(dials).toEqual([pages.host, pages.host]);
  });

  it('is public for a page of the open web, and is really dialled', async () => {
    const fetchPage = createGuardedFetch({
      resolve: () => Promise.resolve(['93.184.216.34']),
      timeoutMs: 500,
    });
    const { dials } = await dialsOf(() => fetchPage('http://public.example/', signal));
    expect(dials).toEqual(['93.184.216.34:80']);
  });

  it('falls back to the next vetted address when one does not answer', async () => {
    const pages = await serve({ '/': '<p>b' });
    const dead = await closedPort();
    const fetchPage = createGuardedFetch({
      allowHosts: ['pages.example'],
      resolve: () => Promise.resolve(['::1', '127.0.0.1']),
    });
    const { outcome, dials } = await dialsOf(() => fetchPage(`http://pages.example:${pages.port}/`, signal));
    expect(outcome).toMatchObject({ type: 'text/html' });
    expect(dials.at(-1)).toBe(pages.host);
    const none = await fetchPage(`http://pages.example:${dead}/`, signal).catch(
      (error: unknown) => error as Error,
    );
    expect(none).toMatchObject({ reason: 'unavailable' });
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
    const resolve = () => Promise.resolve(['127.0.0.1']);
    const { outcome, dials } = await dialsOf(() => get(pages, '/', { resolve }));
    expect(outcome).toMatchObject({ reason: 'blocked_address' });
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
    expect(await get(await serve(chain(5)), '/0')).toMatchObject({ type: 'text/html' });
    const pages = await serve(chain(6));
    expect(await get(pages, '/0')).toMatchObject({ reason: 'redirects' });
    expect(pages.requests).toHaveLength(6);
  });

  it.each([301, 302, 303, 307, 308])('are followed for %i', async (status) => {
    const pages = await serve({ '/': redirect('b', status), '/b': '<p>b' });
    expect(await get(pages, '/')).toMatchObject({ url: `${pages.origin}/b` });
  });

  it('end in a loop', async () => {
    const pages = await serve({ '/': redirect('/') });
    expect(await get(pages, '/')).toMatchObject({ reason: 'redirects' });
    expect(pages.connections).toBe(6);
  });

  it('need a target', async () => {
    const pages = await serve({ '/': (_request, response) => response.writeHead(302).end() });
    expect(await get(pages, '/')).toMatchObject({ reason: 'redirects' });
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
    expect(await get(pages, '/')).toMatchObject({ url: `${pages.origin}/%C3%BC` });
  });

  it('go from https to http', async () => {
    const plain = await serve({ '/': '<p>plain' });
    const secure = await serve({ '/': redirect(`${plain.origin}/`) }, TEST_CERTIFICATE);
    const outcome = await get(secure, '/', {
      allowHosts: [secure.host, plain.host],
      ca: [TEST_CERTIFICATE.cert],
    });
    expect(outcome).toMatchObject({ url: `${plain.origin}/` });
  });
});

describe('size', () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'a');

  it('is exact', async () => {
    const pages = await serve({ '/': typed('text/plain', 'x'.repeat(1000)) });
    expect(await get(pages, '/', { maxBytes: 1000 })).toMatchObject({ cut: false });
    expect(await get(pages, '/', { maxBytes: 999 })).toMatchObject({
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
    expect(await get(pages, '/')).toMatchObject({ cut: true });
    await settled(() => pages.open.size === 0);
    expect(sent).toBeLessThan(20);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', (data: Buffer) => brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])('is counted after inflating: a %s bomb of 64 MB is cut at 1 MiB', async (encoding, deflate) => {
    const bomb = deflate(Buffer.alloc(64 * 1024 * 1024));
    const pages = await serve({ '/': typed('text/html', bomb, { 'content-encoding': encoding }) });
    const before = process.memoryUsage();
    const outcome = await get(pages, '/');
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(20 * 1024 * 1024);
    expect(outcome).toMatchObject({ cut: true });
    expect((outcome as { body: Buffer }).body).toHaveLength(1024 * 1024);
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
    expect(await get(pages, '/')).toMatchObject({ reason: 'too_large' });
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
    const outcome = await get(pages, path, { timeoutMs: 100 });
    expect(outcome).toMatchObject({ reason: 'timeout' });
    await settled(() => pages.open.size === 0);
  });

  it('holds for a resolver that hangs', async () => {
    const fetchPage = createGuardedFetch({ resolve: () => new Promise(() => undefined), timeoutMs: 30 });
    await expect(fetchPage('http://a.example/', signal)).rejects.toMatchObject({ reason: 'timeout' });
  });

  it.each(['/hang', '/drip', '/drip-gzip'])('ends at once when the caller leaves: %s', async (path) => {
    const pages = await serve(slow);
    const controller = new AbortController();
    const fetchPage = createGuardedFetch({ allowHosts: [pages.host], timeoutMs: 60_000 });
    const reason = new Error('client gone');
    const outcome = fetchPage(pages.origin + path, controller.signal);
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
      const outcome = fetchPage(`${pages.origin}/hang`, controller.signal);
      await settled(() => pages.requests.length === 1);
      controller.abort(reason);
      await expect(outcome).rejects.toBe(controller.signal.reason);
    },
  );

  it('does not start for a caller that has left', async () => {
    const pages = await serve(slow);
    const reason = new Error('gone before');
    const outcome = await get(pages, '/hang', {}, undefined, AbortSignal.abort(reason));
    expect(outcome).toBe(reason);
    expect(pages.connections).toBe(0);
  });
});

describe('type', () => {
  it.each(['text/html', 'TEXT/HTML; charset=utf-8', 'application/xhtml+xml', 'text/plain;x=y'])(
    'reads %s',
    async (type) => {
      const pages = await serve({ '/': typed(type, 'x') });
      expect(await get(pages, '/')).toMatchObject({ body: Buffer.from('x') });
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
    const outcome = await get(pages, '/');
    expect(outcome).toMatchObject({ reason: 'unsupported_type' });
    expect((outcome as Error).message).not.toContain('<');
  });

  it('is what the caller asks for', async () => {
    const pages = await serve({ '/': typed('application/json', '{}') });
    expect(await get(pages, '/', {}, ['application/json'])).toMatchObject({ type: 'application/json' });
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
    const outcome = await get(pages, '/');
    if (type) expect(outcome).toMatchObject({ type });
    else expect(outcome).toMatchObject({ reason: 'unsupported_type' });
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
    const outcome = await get(pages, '/');
    if (ok) expect(outcome).toMatchObject({ cut: false });
    else {
      const message = expect.stringContaining(`status ${status}`);
      expect(outcome).toMatchObject({
        reason: 'status',
        message,
        shouldRetry: status === 429 || status >= 500,
      });
    }
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
    const outcome = await get(pages, '/');
    expect(['unreadable', 'unavailable']).toContain((outcome as WebError).reason);
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
    expect(await get(pages, '/')).toMatchObject({ reason: 'unreadable' });
  });

  it('resets the connection', async () => {
    const pages = await fakeRawPages((socket) => socket.once('data', () => socket.resetAndDestroy()));
    running.push(pages);
    expect(await get(pages, '/')).toMatchObject({ reason: 'unavailable' });
  });
});

describe('options', () => {
  it.each([{ timeoutMs: 0 }, { maxBytes: 1.5 }, { userAgent: 'a\nb' }])('refuse %j', (options) => {
    expect(() => createGuardedFetch(options)).toThrow(
      `option \`createGuardedFetch.${Object.keys(options)[0]}\``,
    );
  });
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
