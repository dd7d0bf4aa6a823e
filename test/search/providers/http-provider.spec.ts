import { inspect } from 'node:util';
import { UpstreamTimeoutError } from '../../../lib/core/errors.js';
import { withContext } from '../../../lib/core/context.js';
import { anything, array } from '../../../lib/core/schema.js';
import {
  httpProvider,
  type HttpProvider,
  type ProviderOptions,
} from '../../../lib/search/providers/http-provider.js';
import type { SearchProvider } from '../../../lib/search/search-provider.js';
import { FakeUpstream, type FakeAnswer } from '../../support/fake-search/fake-upstream.js';
import { ask, failureOf } from './search-provider.contract.js';

const secret = "sk-5f/3a+'=~x";

function example(
  options: ProviderOptions,
  definition: Partial<HttpProvider<object, unknown[]>> = {},
): SearchProvider {
  return httpProvider(
    { ...options, apiKey: secret },
    {
      name: 'example',
      label: 'Example',
      root: 'http://127.0.0.1:1',
      key: { variable: 'EXAMPLE_API_KEY', param: 'key' },
      fields: {},
      filters: [],
      request: (query) => ({ path: '/search', params: { q: query.text, none: undefined } }),
      response: array(anything()),
      results: () => [],
      ...definition,
    },
  );
}

describe('a provider over HTTP', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(() => ({ body: [] }))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it('leaves undefined parameters out and sends no body with a GET', async () => {
    await ask(example({ baseUrl: `${upstream.url}/` }), { text: 'a b&c' });
    expect(upstream.lastRequest).toMatchObject({ method: 'GET', path: '/search', json: {} });
    expect(Object.fromEntries(upstream.lastRequest.params)).toEqual({ q: 'a b&c', key: secret });
  });

  it.each([
    ['a 503', { status: 503, body: '' }, 3],
    ['a closed connection', { fault: 'reset' } as const, 3],
    [
      'a rate limit that ends within a second',
      { status: 429, headers: { 'retry-after-ms': '5' }, body: '' },
      3,
    ],
    ['a rate limit that ends later', { status: 429, headers: { 'retry-after': '2' }, body: '' }, 1],
    ['a rate limit without an end', { status: 429, body: '' }, 1],
    ['a 503 that ends later', { status: 503, headers: { 'retry-after': '30' }, body: '' }, 1],
    ['a refused key', { status: 401, body: '' }, 1],
    ['a refused request', { status: 422, body: '' }, 1],
    ['a quota', { status: 402, body: '' }, 1],
    ['unreadable JSON', { body: '{' }, 1],
    ['a gateway that gave up', { status: 504, body: '' }, 1],
  ])('asks after %s as often as that helps', async (_, answer, attempts) => {
    upstream.script(answer, answer, answer, answer);
    await failureOf(ask(example({ baseUrl: upstream.url, retries: 2 }), { text: 'x' }));
    expect(upstream.requests).toHaveLength(attempts);
  });

  it('waits as long as the provider says before it asks again', async () => {
    upstream.script({ status: 429, headers: { 'retry-after-ms': '120' }, body: '' });
    const start = performance.now();
    await ask(example({ baseUrl: upstream.url, retries: 1 }), { text: 'x' });
    expect(performance.now() - start).toBeGreaterThanOrEqual(110);
    expect(upstream.requests).toHaveLength(2);
  });

  /** Never answers, and gives up when told to. */
  const silence = (_: string, init: RequestInit): Promise<Response> =>
    new Promise((_resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
    });

  it('passes the deadline of the whole request on as it is', async () => {
    const search = withContext(60, {}, (context) =>
      example({ fetch: silence }).search({ text: 'x', count: 1 }, context),
    );
    await expect(search).rejects.toThrow(/deadline of 60 ms/);
    await expect(search).rejects.toBeInstanceOf(UpstreamTimeoutError);
  });

  it('does not begin a wait beyond the deadline', async () => {
    const limited = (): Promise<Response> =>
      Promise.resolve(new Response('', { status: 429, headers: { 'retry-after-ms': '900' } }));
    const search = withContext(800, {}, (context) =>
      example({ fetch: limited }).search({ text: 'x', count: 1 }, context),
    );
    await expect(search).rejects.toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 0.9 });
  });

  it('rejects with the reason of its context, whatever kind of error that is', async () => {
    const controller = new AbortController();
    const context = {
      signal: controller.signal,
      remainingMs: () => 1000,
      progress: () => undefined,
      noCache: false,
    };
    const search = example({ fetch: silence }).search({ text: 'x', count: 1 }, context);
    const reason = new UpstreamTimeoutError('The request is out of time.');
    controller.abort(reason);
    await expect(search).rejects.toBe(reason);
  });

  it('reads no more than two megabytes', async () => {
    upstream.script({ body: ['x'.repeat(2 * 1024 * 1024)] });
    const error = await failureOf(ask(example({ baseUrl: upstream.url }), { text: 'x' }));
    expect(error.kind).toBe('bad_payload');
    expect(error.message).toMatch(/larger than/);
  });

  it.each([
    { error: `bad key ${secret}` },
    { error: { message: `bad key ${secret}` } },
    { detail: { error: `bad key ${secret}` } },
    { message: `<p>bad key ${secret}</p>` },
    { detail: `see https://api.example/?${new URLSearchParams({ key: secret }).toString()}` },
  ])('quotes why a request was refused, without the key: %j', async (body) => {
    upstream.script({ status: 400, body });
    const error = await failureOf(ask(example({ baseUrl: upstream.url }), { text: 'x' }));
    expect(error.message).toMatch(/^Example refuses the request\. It says: .*\(key\) \(HTTP 400\)$/);
    expect(inspect(error, { depth: 9 })).not.toContain(secret);
    expect(error.message).not.toContain('5f%2F3a');
  });

  it('cuts a long reason short', async () => {
    upstream.script({ status: 400, body: { message: 'why '.repeat(1000) } });
    expect(
      (await failureOf(ask(example({ baseUrl: upstream.url }), { text: 'x' }))).message.length,
    ).toBeLessThan(220);
  });

  it('keeps the key out of what a fetch of the host’s own throws, and its words in', async () => {
    const fetch = (url: string): Promise<Response> => Promise.reject(new Error(`proxy refused ${url}`));
    const error = await failureOf(ask(example({ fetch, retries: 0 }), { text: 'x' }));
    expect(error.kind).toBe('unavailable');
    expect(inspect(error, { depth: 9 })).toMatch(/proxy refused .*key=\(key\)/);
    expect(inspect(error, { depth: 9 })).not.toMatch(/5f(\/|%2F)3a/);
  });

  it('lets a programming error through as it is', async () => {
    const broken = example(
      { baseUrl: upstream.url },
      {
        results: () => {
          throw new RangeError('bug');
        },
      },
    );
    await expect(ask(broken, { text: 'x' })).rejects.toThrow(RangeError);
  });

  it.each<[string, FakeAnswer, object]>([
    ['its status', { status: 403, body: '' }, { upstream: 'example', status: 403 }],
    ['its kind behind a 200', { body: '{' }, { upstream: 'example', status: 200, code: 'bad_payload' }],
    ['the code of the system', { fault: 'reset' }, { upstream: 'example', code: 'UND_ERR_SOCKET' }],
    ['a timeout', { fault: 'hang' }, { upstream: 'example', code: 'timeout' }],
  ])('names itself and %s in the fault for the log', async (_, answer, fault) => {
    upstream.script(answer);
    const error = await failureOf(
      ask(example({ baseUrl: upstream.url, retries: 0, timeoutMs: 500 }), { text: 'x' }),
    );
    expect(error.upstream).toEqual(fault);
    expect(JSON.stringify(error.getResponse())).not.toContain('upstream"');
  });

  it('answers with the status of its code where a host throws it from a controller', async () => {
    upstream.script({ status: 401, body: '' });
    const error = await failureOf(ask(example({ baseUrl: upstream.url }), { text: 'x' }));
    expect(error.getStatus()).toBe(503);
    expect(error.getResponse()).toEqual({
      statusCode: 503,
      code: 'upstream_unavailable',
      message:
        'Example refuses the API key. Check that it is complete, active and allowed to search. (HTTP 401)',
    });
  });
});
