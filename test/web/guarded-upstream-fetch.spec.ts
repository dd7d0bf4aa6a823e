import { gzipSync } from 'node:zlib';
import { UpstreamUnavailableError } from '../../lib/core/errors/index.js';
import { withContext } from '../../lib/core/tool-context.js';
import { parseJson, requestUpstream } from '../../lib/core/upstream/index.js';
import { createGuardedFetch, guardedUpstreamFetch } from '../../lib/web/index.js';
import { type FakePages, fakePages } from '../support/fake-pages/fake-pages.js';

let site: FakePages;
beforeAll(async () => {
  site = await fakePages({
    '/json': (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync('{"a":"é"}')),
    '/moved': (_request, response) => response.writeHead(301, { location: '/json' }).end(),
    '/busy': (_request, response) => response.writeHead(503, { 'retry-after': '7' }).end('later'),
    '/nothing': (_request, response) => response.writeHead(204).end(),
    '/inside': (_request, response) => response.writeHead(302, { location: 'http://127.0.0.2/' }).end(),
  });
});
afterAll(() => site.close());

const ask = (path: string, headers?: Record<string, string>, method?: 'POST') =>
  withContext(1000, {}, (context) =>
    requestUpstream(
      {
        upstream: 'Captions',
        url: site.origin + path,
        timeoutMs: 500,
        headers,
        method,
        fetch: guardedUpstreamFetch(createGuardedFetch({ allowHosts: [site.host] })),
      },
      context,
    ),
  );

describe('a guarded fetch for upstreams', () => {
  it('serves requestUpstream: redirects followed, body inflated, headers sent', async () => {
    const response = await ask('/moved', { 'X-Client': 'me' });
    expect(response.status).toBe(200);
    expect(parseJson(response, 'Captions')).toEqual({ a: 'é' });
    expect(site.requests.at(-1)?.headers['x-client']).toBe('me');
  });

  it('hands back any status with its headers and body', async () => {
    const response = await ask('/busy');
    expect(response).toMatchObject({ status: 503, body: 'later' });
    expect(response.headers.get('retry-after')).toBe('7');
    expect(await ask('/nothing')).toMatchObject({ status: 204, body: '' });
  });

  it('goes nowhere inside', async () => {
    await expect(ask('/inside')).rejects.toMatchObject({
      reason: 'blocked_address',
      code: 'upstream_invalid',
    });
  });

  it('only reads', async () => {
    await expect(ask('/json', {}, 'POST')).rejects.toBeInstanceOf(UpstreamUnavailableError);
  });
});
