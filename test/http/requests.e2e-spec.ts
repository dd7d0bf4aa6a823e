import { VersioningType, type ValidationPipeOptions } from '@nestjs/common';
import { ValidationPipe } from '@nestjs/common';
import type request from 'supertest';
import { ApiKeyGuard, ToolsModule, type ApiKeyIdentity, type ToolsModuleOptions } from '../../lib/index.js';
import { InvalidApiKeyError, ToolsError, UpstreamUnavailableError } from '../../lib/core/errors.js';
import { OneContentSource, TwoPageProvider } from '../support/fixtures.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';

const OPTIONS: ToolsModuleOptions = {
  apiKeys: ['k'],
  contentSources: [new OneContentSource()],
  search: { providers: [new TwoPageProvider()] },
};

describe.each(ADAPTERS)('a request on %s', (_name, adapter) => {
  afterEach(closeHosts);
  const start = (
    setUp?: Parameters<typeof startHost>[2],
    extras: object = {},
    options = OPTIONS,
  ): Promise<RunningHost> => startHost([ToolsModule.forRoot({ ...options, ...extras })], adapter(), setUp);
  const search = ({ http }: RunningHost, headers: Record<string, string>, body: object): request.Test =>
    http.post('/v1/tools/search_web').set(headers).send(body);

  it.each<[string, Record<string, string>, number]>([
    ['in X-API-Key', { 'X-API-Key': 'k' }, 200],
    ['as a bearer token', { Authorization: 'Bearer k' }, 200],
    ['as a bearer token, in any case', { Authorization: 'bearer  k' }, 200],
    ['in X-API-Key, which wins', { 'X-API-Key': 'k', Authorization: 'Bearer wrong' }, 200],
    [
      'in X-API-Key, which wins also where it is wrong',
      { 'X-API-Key': 'wrong', Authorization: 'Bearer k' },
      401,
    ],
    ['as a wrong bearer token', { Authorization: 'Bearer wrong' }, 401],
    ['by another scheme', { Authorization: 'Basic k' }, 401],
    ['as two tokens', { Authorization: 'Bearer k k' }, 401],
    ['nowhere', {}, 401],
  ])('with its key %s', async (_where, headers, status) => {
    const { body, headers: answered } = await search(await start(), headers, { query: 'coral' }).expect(
      status,
    );
    if (status === 401) {
      expect(['missing_api_key', 'invalid_api_key']).toContain(body.code);
      expect(answered['www-authenticate']).toBe(
        'ApiKey realm="tools", header="X-API-Key", Bearer realm="tools"',
      );
    }
  });

  it.each(['get', 'put', 'patch', 'delete'] as const)(
    'by %s is told which method to use, without a key, under a prefix and versions of the host',
    async (method) => {
      const host = await start((app) => {
        app.setGlobalPrefix('api');
        app.enableVersioning({ type: VersioningType.URI, defaultVersion: '7' });
      });
      for (const tool of ['search_web', 'summarize_content']) {
        const { body, headers } = await host.http[method](`/api/v1/tools/${tool}`).expect(405);
        expect(headers['allow']).toBe('POST');
        expect(body).toMatchObject({
          statusCode: 405,
          error: 'Method Not Allowed',
          code: 'method_not_allowed',
          message: 'This address only accepts POST. Send the request as POST with a JSON body.',
          request_id: headers['x-request-id'],
        });
        expect(headers['x-should-retry']).toBe('false');
      }
      await host.http.get('/api/v1/tools/other').expect(404);
    },
  );

  it.each<ValidationPipeOptions>([
    { whitelist: true, forbidNonWhitelisted: true, transform: true },
    { validateCustomDecorators: true, whitelist: true, transform: true },
    { transform: true, transformOptions: { enableImplicitConversion: true } },
  ])('is validated in our words and not converted by the global pipe of the host, %j', async (pipe) => {
    const host = await start((app) => app.useGlobalPipes(new ValidationPipe(pipe)));
    const key = { 'X-API-Key': 'k' };
    await search(host, key, { query: 'coral' }).expect(200);
    const { body } = await search(host, key, { query: 7, top_n: '5', llm_answer: 'false', topn: 1 }).expect(
      400,
    );
    expect(body.message).toEqual([
      'topn is not a field of this request; did you mean top_n?',
      'query must be a string, received the number 7',
      'top_n must be an integer of at least 1, received the string "5"',
      'llm_answer must be true or false, received the string "false"',
    ]);
  });

  it('is refused in few words, however long the names in it are', async () => {
    const host = await start(undefined, {}, { ...OPTIONS, askVideo: true });
    const long = 'x'.repeat(20_000);
    const { body } = await host.http
      .post('/v1/tools/ask_video')
      .set('X-API-Key', 'k')
      .send({
        content_id: 'dQw4w9WgXcQ',
        question: { [long]: 1 },
        context: [{ question: 'Who?', answer: 'He.', [long]: 1 }],
        [long]: 1,
      })
      .expect(400);
    expect((body as { message: string[] }).message).toHaveLength(3);
    expect(JSON.stringify(body).length).toBeLessThan(2000);
  });

  it('is told to leave out a field that is null, unless it must be there', async () => {
    const { body } = await search(await start(), { 'X-API-Key': 'k' }, { query: null, top_n: null }).expect(
      400,
    );
    expect(body.message).toEqual([
      'query must be a string, received null',
      'top_n must be an integer of at least 1, received null; leave the field out instead of sending null',
    ]);
  });

  it('is held to the ceiling of the host', async () => {
    const host = await start(
      undefined,
      {},
      { ...OPTIONS, search: { ...OPTIONS.search, maxTopN: 30 } as object },
    );
    const key = { 'X-API-Key': 'k' };
    await search(host, key, { query: 'coral', top_n: 30 }).expect(200);
    const { body } = await search(host, key, { query: 'coral', top_n: 31 }).expect(400);
    expect(body.message).toEqual(['top_n must not be greater than 30']);
  });

  it('is 415 before its body is looked at', async () => {
    const { http } = await start();
    const sent = http
      .post('/v1/tools/search_web')
      .set('X-API-Key', 'k')
      .set('Content-Type', 'text/plain')
      .send('x');
    expect((await sent.expect(415)).body.code).toBe('unsupported_media_type');
  });

  it('is identified and refused as a guard of the host says', async () => {
    class SessionGuard extends ApiKeyGuard {
      protected override identify(request_: {
        headers: Record<string, string | string[] | undefined>;
      }): Promise<ApiKeyIdentity | undefined> {
        const session = request_.headers['x-session'];
        return Promise.resolve(
          session === 'down'
            ? Promise.reject(new UpstreamUnavailableError('No sessions.'))
            : session === 'of-ada'
              ? { id: 'ada', name: 'Ada', tools: ['search_web'] }
              : undefined,
        );
      }

      protected override onRefused(error: unknown): unknown {
        return error instanceof InvalidApiKeyError
          ? new ToolsError('invalid_api_key', 'Log in first.')
          : error;
      }
    }
    const events: { key?: { name: string }; statusCode: number }[] = [];
    const host = await start(undefined, {
      guards: [SessionGuard],
      hooks: { onUsage: (event: { key?: { name: string }; statusCode: number }) => void events.push(event) },
    });
    await search(host, { 'X-Session': 'of-ada' }, { query: 'coral' }).expect(200);
    expect((await search(host, {}, { query: 'coral' }).expect(401)).body.message).toBe('Log in first.');
    expect((await search(host, { 'X-Session': 'down' }, { query: 'coral' }).expect(503)).body.message).toBe(
      'No sessions.',
    );
    const refused = host.http.post('/v1/tools/summarize_content').set('X-Session', 'of-ada').send({});
    expect((await refused.expect(403)).body.code).toBe('forbidden_tool');
    expect(events.map(({ statusCode, key }) => [statusCode, key?.name])).toEqual([
      [200, 'Ada'],
      [401, undefined],
      [503, undefined],
      [403, 'Ada'],
    ]);
  });
});

describe('an error of the tools', () => {
  it('is recognized also when it comes from another copy of the package', () => {
    const foreign = Object.assign(new Error('x'), { [Symbol.for('nestjs-tools:error')]: true });
    expect(ToolsError.isInstance(new InvalidApiKeyError())).toBe(true);
    expect(ToolsError.isInstance(foreign)).toBe(true);
    for (const other of [new Error('x'), {}, null, 'x', undefined])
      expect(ToolsError.isInstance(other)).toBe(false);
  });
});
