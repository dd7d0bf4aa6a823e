import {
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../lib/core/errors.js';
import { withContext } from '../../lib/core/context.js';
import { parseJsonBody, requestUpstream, type UpstreamRequest } from '../../lib/core/upstream/request.js';
import { type FakePages, fakePages } from '../support/fake-pages/fake-pages.js';
import {
  type Misbehaviour,
  misbehavingUpstream,
  type MisbehavingUpstream,
} from '../support/fake-pages/misbehaving-upstream.js';

const running: FakePages[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((upstream) => upstream.close()));
});

async function ask(
  upstream: FakePages,
  options: Partial<UpstreamRequest> = {},
  signal?: AbortSignal,
  deadlineMs = 60_000,
) {
  running.push(upstream);
  return withContext(deadlineMs, { signal }, (context) =>
    requestUpstream({ upstream: 'Fake', url: `${upstream.origin}/`, timeoutMs: 30_000, ...options }, context),
  ).catch((error: unknown) => error as Error);
}

async function closed(upstream: MisbehavingUpstream): Promise<void> {
  while (upstream.asked.some((socket) => !socket.destroyed))
    await new Promise((resolve) => setImmediate(resolve));
}

const SLOW: Misbehaviour[] = ['hang', 'hang after the head', 'drip', 'drip of head'];

describe('requestUpstream', () => {
  it.each<[Misbehaviour, abstract new (...args: never[]) => Error]>([
    ['reset', UpstreamUnavailableError],
    ['close without an answer', UpstreamUnavailableError],
    ['no HTTP', UpstreamUnavailableError],
    ['reset in the body', UpstreamInvalidError],
    ['truncated', UpstreamInvalidError],
    ['truncated chunk', UpstreamInvalidError],
    ['not gzip', UpstreamInvalidError],
    ['oversize', UpstreamInvalidError],
  ])('says what is wrong with an upstream that answers with: %s', async (kind, expected) => {
    const upstream = await misbehavingUpstream(kind);
    const outcome = await ask(upstream, { maxBytes: 100_000 });
    expect(outcome).toBeInstanceOf(expected);
    expect((outcome as Error).message).toMatch(/Fake/);
    expect((outcome as Error).message).not.toMatch(/127\.0\.0\.1/);
    await closed(upstream);
  });

  it('never passes on an answer whose length is in doubt', async () => {
    const outcome = await ask(await misbehavingUpstream('two lengths'));
    expect(outcome).toBeInstanceOf(Error);
  });

  it.each(SLOW)('gives up in time on: %s', async (kind) => {
    const upstream = await misbehavingUpstream(kind);
    expect(await ask(upstream, { timeoutMs: 60 })).toBeInstanceOf(UpstreamTimeoutError);
    await closed(upstream);
  });

  it.each(SLOW)('gives up at the deadline of the whole request on: %s', async (kind) => {
    const upstream = await misbehavingUpstream(kind);
    expect(await ask(upstream, { timeoutMs: 60_000 }, undefined, 60)).toMatchObject({
      message: 'The request took longer than its deadline of 60 ms.',
    });
    await closed(upstream);
  });

  it.each(SLOW)('closes the connection when the caller leaves: %s', async (kind) => {
    const upstream = await misbehavingUpstream(kind);
    const controller = new AbortController();
    const reason = new Error('client gone');
    const outcome = ask(upstream, { timeoutMs: 60_000 }, controller.signal);
    while (upstream.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    await closed(upstream);
  });

  it.each<[Misbehaviour]>([['HTML for JSON'], ['half of the JSON'], ['nothing for JSON']])(
    'calls unreadable what claims to be JSON: %s',
    async (kind) => {
      const response = await ask(await misbehavingUpstream(kind));
      if (response instanceof Error) throw response;
      expect(() => parseJsonBody(response, 'Fake')).toThrow(UpstreamInvalidError);
    },
  );

  it('reads no further than the length that the upstream gives', async () => {
    const outcome = await ask(await misbehavingUpstream('longer than it says'));
    expect(outcome).toMatchObject({ body: '{"a":1}' });
  });

  it('hands a redirect back instead of following it', async () => {
    const outcome = await ask(await misbehavingUpstream('redirect'));
    expect(outcome).toMatchObject({ status: 302, body: 'hi' });
  });

  it('hands back any status with its headers', async () => {
    const outcome = await ask(await misbehavingUpstream('service unavailable'));
    expect(outcome).toMatchObject({ status: 503 });
    expect((outcome as { headers: Headers }).headers.get('retry-after')).toBe('7');
  });

  it('sends what it was given and decodes what came', async () => {
    const upstream = await fakePages({
      '/': (request, response) => {
        response.setHeader('content-type', 'text/plain; charset=iso-8859-1');
        request.pipe(response);
      },
    });
    const outcome = await ask(upstream, { method: 'POST', body: 'caf\u00e9', headers: { 'x-key': 'k' } });
    expect(outcome).toMatchObject({ status: 200, body: 'cafÃ©' });
    expect(upstream.requests[0]?.headers).toMatchObject({ 'x-key': 'k' });
  });

  it('does not wait for a fetch that is deaf to its signal, and lets its late answer go', async () => {
    const upstream = await fakePages({});
    let cancelled = false;
    let answer: (response: Response) => void = () => undefined;
    const deaf = () => new Promise<Response>((resolve) => (answer = resolve));
    expect(await ask(upstream, { fetch: deaf, timeoutMs: 20 })).toBeInstanceOf(UpstreamTimeoutError);
    answer(new Response(new ReadableStream({ cancel: () => void (cancelled = true) })));
    await new Promise((resolve) => setImmediate(resolve));
    expect(cancelled).toBe(true);
  });

  it('sends nothing once the caller has left', async () => {
    const upstream = await fakePages({ '/': 'x' });
    const outcome = await ask(upstream, {}, AbortSignal.abort(new Error('gone')));
    expect(outcome).toMatchObject({ message: 'gone' });
    expect(upstream.connections).toBe(0);
  });
});
