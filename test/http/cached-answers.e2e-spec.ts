import {
  ClassSerializerInterceptor,
  type CallHandler,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { map, tap, type Observable } from 'rxjs';
import type request from 'supertest';
import { memoryCacheStore } from '../../lib/core/cache.js';
import { documents, memoryTranscripts, ToolsModule, type ToolsModuleOptions } from '../../lib/index.js';
import { OneContentSource, TwoPageProvider } from '../support/fixtures.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';

const TEXT = 'Das Riff wächst langsam: „ein Zentimeter“ im Jahr – 日本語, 🐠 und \u2028 sind auch Text. ';

/** Wraps what it is given, and looks into it. */
class Wrapper implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next
      .handle()
      .pipe(map((body: { data: object }) => ({ ok: true, fields: Object.keys(body.data), ...body })));
  }
}

interface Body {
  data: Record<string, unknown>;
  [field: string]: unknown;
}

/** Changes what it is given, in its place. */
class Changer implements NestInterceptor {
  constructor(private readonly change: (body: Body) => void) {}

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(tap(this.change));
  }
}

/** Sends something else, under a type of its own. */
class Replacer implements NestInterceptor {
  constructor(
    private readonly type: string,
    private readonly replace: (body: Body) => unknown,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<{ type(type: string): void }>();
    response.type(this.type);
    return next.handle().pipe(map(this.replace));
  }
}

describe.each(ADAPTERS)('an answer that is kept, on %s', (name, adapter) => {
  let host: RunningHost;
  afterEach(closeHosts);

  const start = async (
    options: ToolsModuleOptions = {},
    setUp?: (app: INestApplication) => void,
  ): Promise<void> => {
    const module = ToolsModule.forRoot({
      apiKeys: ['k', 'other'],
      contentSources: [new OneContentSource()],
      search: { providers: [new TwoPageProvider()] },
      limits: { requestsPerMinute: 100 },
      ...options,
    });
    host = await startHost([module], adapter(), setUp);
  };
  const summarize = (body: object = { content_id: 'coral' }, key = 'k'): request.Test =>
    host.http.post('/v1/tools/summarize_content').set('X-API-Key', key).send(body);
  const search = (body: object): request.Test =>
    host.http.post('/v1/tools/search_web').set('X-API-Key', 'k').send(body);

  it('is the answer that was made, whoever asks for it', async () => {
    await start();
    const made = await summarize().expect(200);
    const kept = await summarize().expect(200);
    const again = await summarize({ method: 'auto', content_id: 'coral' }, 'other').expect(200);
    expect(kept.body.data).toEqual({ ...made.body.data, cached: true });
    expect(again.body.data).toEqual(kept.body.data);
    for (const { body, headers } of [kept, again]) {
      expect(Object.keys(body)).toEqual(['data', 'request_id', 'seconds_taken']);
      expect(headers).toMatchObject({
        'content-type': made.headers['content-type'],
        'cache-control': 'no-store',
        'x-request-id': body.request_id,
        'content-length': String(Buffer.byteLength(JSON.stringify(body))),
      });
    }
    expect(again.headers['ratelimit']).toMatch(/^"requests";r=99;t=\d+$/);
    expect(kept.body.request_id).not.toBe(again.body.request_id);
  });

  it('is found for searches and for answers, each by its own request', async () => {
    await start();
    const bodies = [
      { query: 'coral' },
      { query: 'coral', top_n: 1 },
      { query: 'coral', llm_answer: true },
      { query: ' coral ', top_n: 1 },
    ];
    const made = [];
    for (const body of bodies) made.push((await search(body).expect(200)).body.data);
    expect(made.map(({ cached }) => cached)).toEqual([false, false, false, true]);
    for (const [index, body] of bodies.entries()) {
      const { body: kept } = await search(body).expect(200);
      expect(kept.data).toEqual({ ...made[index], cached: true });
    }
  });

  it('is not that of other documents under the same name in the same store', async () => {
    const cache = memoryCacheStore();
    const about = (text: string): ToolsModuleOptions => ({
      cache,
      search: { providers: [documents([{ url: 'https://example.org/reef', title: 'Reef', text }])] },
    });
    await start(about('The reef is blue and old.'));
    const blue = (await search({ query: 'reef' }).expect(200)).body.data;
    await closeHosts();
    await start(about('The reef is white and new.'));
    const white = (await search({ query: 'reef' }).expect(200)).body.data;
    expect([blue.cached, white.cached]).toEqual([false, false]);
    expect(white.results[0].content).toContain('white');
    await closeHosts();
    await start(about('The reef is blue and old.'));
    expect((await search({ query: 'reef' }).expect(200)).body.data).toEqual({ ...blue, cached: true });
  });

  it('keeps every character of its text', async () => {
    const text = TEXT.repeat(3);
    const youtube = { transcripts: [memoryTranscripts({ sampleTalk1: { language: 'de', text } })] };
    await start({ contentSources: [], youtube });
    const body = { content_id: 'sampleTalk1', output_language: 'de' };
    const made = await summarize(body).expect(200);
    const kept = await summarize(body).expect(200);
    expect(kept.body.data).toEqual({ ...made.body.data, cached: true });
    expect(kept.text).toContain('日本語, 🐠');
  });

  it('is no longer given when the cache has dropped it, or the request skips the cache', async () => {
    const store = memoryCacheStore();
    const source = new OneContentSource();
    let dropped = false;
    await start({
      contentSources: [source],
      cache: { ...store, get: (key) => (dropped ? undefined : store.get(key)) },
    });
    const cached = async (request_: request.Test): Promise<boolean> =>
      (await request_.expect(200)).body.data.cached as boolean;
    expect(await cached(summarize())).toBe(false);
    expect(await cached(summarize())).toBe(true);
    expect(await cached(summarize().set('Cache-Control', 'no-cache'))).toBe(false);
    dropped = true;
    expect(await cached(summarize())).toBe(false);
    expect(source.loads).toBe(3);
  });

  it('is streamed as an event to a client that asks for events', async () => {
    await start();
    await summarize().expect(200);
    const { text } = await summarize().set('Accept', 'text/event-stream').expect(200);
    expect(text).toContain('event: result');
    expect(text).toContain('"cached":true');
  });

  it('can be looked at, wrapped and serialized by interceptors of the host', async () => {
    await start({}, (app) => app.useGlobalInterceptors(new Wrapper()));
    await summarize().expect(200);
    const { body, headers } = await summarize().expect(200);
    expect(body).toMatchObject({ ok: true, data: { method: 'simple', cached: true } });
    expect(body.fields).toContain('summary');
    expect(headers['content-type']).toContain('application/json');

    await closeHosts();
    await start({}, (app) => app.useGlobalInterceptors(new ClassSerializerInterceptor(new Reflector())));
    const made = (await summarize().expect(200)).body;
    expect((await summarize().expect(200)).body.data).toEqual({ ...made.data, cached: true });
  });

  it.each([
    ['something else', () => '{not json'],
    ['half a value', (text: string) => text.slice(0, -20)],
  ])('is made anew where the store has come to hold %s', async (_what, spoil) => {
    let spoilt = false;
    const store = memoryCacheStore();
    const get = (key: string): unknown => {
      const text = store.get(key) as string | undefined;
      return spoilt && text !== undefined ? spoil(text) : text;
    };
    await start({ cache: { get, set: store.set } });
    await summarize().expect(200);
    spoilt = true;
    const { body } = await summarize().expect(200);
    expect(body.data).toMatchObject({ cached: false, method: 'simple' });
    expect(body.data.key_points).toBeInstanceOf(Array);
  });

  it('gives way to text and to a type of the host', async () => {
    await start({}, (app) =>
      app.useGlobalInterceptors(
        new Replacer('text/plain; charset=utf-8', (body) => `Summary: ${body.data.method as string}`),
      ),
    );
    for (const cached of ['made', 'kept']) {
      const { text, headers } = await summarize().expect(200);
      expect([cached, text, headers['content-type']]).toEqual([
        cached,
        'Summary: simple',
        'text/plain; charset=utf-8',
      ]);
    }
    await closeHosts();
    await start({}, (app) =>
      app.useGlobalInterceptors(
        new Replacer('application/vnd.host+json; charset=utf-8', (body) => ({ own: body.data.method })),
      ),
    );
    for (const cached of ['made', 'kept']) {
      const { text, headers } = await summarize().expect(200);
      expect([cached, text, headers['content-type']]).toEqual([
        cached,
        '{"own":"simple"}',
        'application/vnd.host+json; charset=utf-8',
      ]);
    }
  });

  it.each<[string, (body: Body) => void, object]>([
    ['in its data', (body) => (body.data.summary = 'other'), { data: { summary: 'other', cached: true } }],
    [
      'in its envelope',
      (body) => (body.request_id = 'other'),
      { request_id: 'other', data: { cached: true } },
    ],
    ['by adding to it', (body) => (body.note = 'more'), { note: 'more', data: { cached: true } }],
    ['by replacing its data', (body) => (body.data = { own: 1 }), { data: { own: 1 } }],
    ['by taking from it', (body) => delete body.seconds_taken, { data: { cached: true } }],
  ])('can be changed in place by the host: %s', async (_how, change, expected) => {
    let changing = false;
    await start({}, (app) =>
      app.useGlobalInterceptors(new Changer((body) => void (changing && change(body)))),
    );
    await summarize().expect(200);
    const untouched = await summarize().expect(200);
    changing = true;
    const { body } = await summarize().expect(200);
    expect(body).toMatchObject(expected);
    changing = false;
    expect((await summarize().expect(200)).body.data).toEqual(untouched.body.data);
  });

  if (name === 'Fastify') {
    it('goes through the hooks of the host as any other answer does', async () => {
      const seen: unknown[] = [];
      await start({}, (app) =>
        (app as NestFastifyApplication)
          .getHttpAdapter()
          .getInstance()
          .addHook('onSend', (_request, _reply, payload, done) => {
            seen.push(payload);
            done(null, Buffer.concat([Buffer.from(payload as string | Buffer), Buffer.from('\n')]));
          }),
      );
      await summarize().expect(200);
      const { text, body } = await summarize().expect(200);
      expect(text).toBe(`${JSON.stringify(body)}\n`);
      expect(seen.map((payload) => typeof payload)).toEqual(['string', 'string']);
    });

    it('is written as the host has it written', async () => {
      await start({}, (app) =>
        (app as NestFastifyApplication)
          .getHttpAdapter()
          .getInstance()
          .setReplySerializer((payload) => JSON.stringify(payload, null, 2)),
      );
      await summarize().expect(200);
      const { text, body } = await summarize().expect(200);
      expect(body.data.cached).toBe(true);
      expect(text).toContain('\n  "data": {');
    });
  }

  if (name === 'Express') {
    it('is written as the host has it written', async () => {
      await start({}, (app) => (app as NestExpressApplication).set('json spaces', 2));
      await summarize().expect(200);
      expect((await summarize().expect(200)).text).toContain('\n  "data": {');
    });

    it('has the ETag that Express gives any answer', async () => {
      await start();
      await summarize().expect(200);
      expect((await summarize().expect(200)).headers['etag']).toMatch(/^W\//);
    });

    it('passes through functions that the host has put on the response', async () => {
      const seen: unknown[] = [];
      await start({}, (app) =>
        app.use((_request: object, response: { json: (body: unknown) => unknown }, next: () => void) => {
          const json = response.json.bind(response);
          response.json = (body) => {
            seen.push(body);
            return json(body);
          };
          next();
        }),
      );
      await summarize().expect(200);
      await summarize().expect(200);
      expect(seen).toHaveLength(2);
      expect(seen[1]).toMatchObject({ data: { cached: true } });
    });
  }
});
