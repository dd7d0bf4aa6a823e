import {
  Catch,
  ConflictException,
  ClassSerializerInterceptor,
  Controller,
  Get,
  HttpException,
  Module,
  Query,
  ValidationPipe,
  VersioningType,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
  ConsoleLogger,
  Injectable,
  SetMetadata,
  UnauthorizedException,
} from '@nestjs/common';
import { HttpAdapterHost, Reflector, type ApplicationConfig, APP_GUARD } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { IsInt } from 'class-validator';
import { map, type Observable } from 'rxjs';
import type request from 'supertest';
import {
  ToolsExceptionFilter,
  ToolsModule,
  ApiKeyGuard,
  apiKeySecurity,
  type ApiKeyIdentity,
  type GuardedRequest,
  type RequestEvent,
  type ToolsModuleSyncOptions,
} from '../../lib/index.js';
import { OneContentSource, TwoPageProvider } from '../support/fixtures.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost, listen } from '../support/host.js';
import { generateApiKey } from '../../lib/auth/api-key-store.js';
import { eventually } from '../support/eventually.js';

class PageQuery {
  @IsInt()
  page!: number;
}
Reflect.defineMetadata('design:type', Number, PageQuery.prototype, 'page');

@Controller('own')
class OwnController {
  @Get()
  own(@Query() query: PageQuery): { page: unknown } {
    return { page: query.page };
  }

  @Get('fail')
  fail(): never {
    throw new Error('of the host');
  }

  @Get('conflict')
  conflict(): never {
    throw new ConflictException({ message: 'dup', errorCode: 'E42', extra: { id: 7 } });
  }
}
Reflect.defineMetadata('design:paramtypes', [PageQuery], OwnController.prototype, 'own');

@Module({ controllers: [OwnController] })
class OwnModule {}

/** A filter as hosts have it: everything in the host's own form. */
@Catch()
class HostFilter implements ExceptionFilter {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const status = exception instanceof HttpException ? exception.getStatus() : 500;
    this.adapterHost.httpAdapter.reply(host.switchToHttp().getResponse(), { ofTheHost: true }, status);
  }
}

class HostEnvelope implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((body: unknown) => ({ host: body })));
  }
}

class HostGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return (
      context.switchToHttp().getRequest<{ headers: Record<string, string> }>().headers['x-staff'] === '1'
    );
  }
}

const strictPipe = (): ValidationPipe =>
  new ValidationPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    transformOptions: { enableImplicitConversion: true },
    errorHttpStatusCode: 422,
  });

describe.each(ADAPTERS)('in a host on %s', (_name, adapter) => {
  afterEach(closeHosts);

  const start = (setUp: (app: INestApplication) => void): Promise<RunningHost> =>
    startHost(
      [
        OwnModule,
        ToolsModule.forRoot({
          apiKeys: ['k'],
          contentSources: [new OneContentSource()],
          search: { providers: [new TwoPageProvider()] },
        }),
      ],
      adapter(),
      setUp,
    );

  const search = ({ http }: RunningHost, body: object, path = '/v1/tools/search_web'): request.Test =>
    http.post(path).set('X-API-Key', 'k').send(body);

  it('registers nothing global', async () => {
    const { app } = await start(() => undefined);
    const { config } = app as unknown as { config: ApplicationConfig };
    expect([
      ...config.getGlobalPipes(),
      ...config.getGlobalFilters(),
      ...config.getGlobalGuards(),
      ...config.getGlobalInterceptors(),
      ...config.getGlobalRequestPipes(),
      ...config.getGlobalRequestFilters(),
      ...config.getGlobalRequestGuards(),
      ...config.getGlobalRequestInterceptors(),
    ]).toEqual([]);
  });

  describe('with a global ValidationPipe that converts and forbids', () => {
    let host: RunningHost;
    beforeEach(async () => {
      host = await start((app) => app.useGlobalPipes(strictPipe()));
    });

    it('answers as without it', async () => {
      const { body } = await search(host, { query: 'coral', top_n: 1, llm_answer: false }).expect(200);
      expect(body.data.results).toHaveLength(1);
      await host.http
        .post('/v1/tools/summarize_content')
        .set('X-API-Key', 'k')
        .send({ content_id: 'coral' })
        .expect(200);
    });

    it.each([
      ['top_n', { query: 'coral', top_n: '5' }],
      ['llm_answer', { query: 'coral', llm_answer: 'false' }],
      ['query', { query: 5 }],
      ['topn', { query: 'coral', topn: 5 }],
    ])('still refuses a wrong %s, in our own words', async (field, sent) => {
      const { body } = await search(host, sent).expect(400);
      expect(body.code).toBe('invalid_request');
      expect(body.details).toEqual([{ field, message: expect.stringContaining(field) }]);
    });

    it('leaves the pipe to the routes of the host', async () => {
      const { body } = await host.http.get('/own?page=5').expect(200);
      expect(body).toEqual({ page: 5 });
      await host.http.get('/own?page=x').expect(422);
      await host.http.get('/own?page=5&other=1').expect(422);
    });
  });

  describe('with a global exception filter', () => {
    let host: RunningHost;
    beforeEach(async () => {
      host = await start((app) => app.useGlobalFilters(new HostFilter(app.get(HttpAdapterHost))));
    });

    it('writes its errors in the documented form', async () => {
      const refused = await search(host, {}).expect(400);
      expect(refused.body).toMatchObject({ code: 'invalid_request', request_id: expect.any(String) });
      const unknown = await host.http.post('/v1/tools/search_web').send({}).expect(401);
      expect(unknown.body.code).toBe('missing_api_key');
    });

    it('leaves the filter to the routes of the host', async () => {
      const { body } = await host.http.get('/own/fail').expect(500);
      expect(body).toEqual({ ofTheHost: true });
    });

    it('leaves what goes wrong before routing to the host', async () => {
      const { body } = await host.http
        .post('/v1/tools/search_web')
        .set('Content-Type', 'application/json')
        .send('{"query":');
      expect(body).toEqual({ ofTheHost: true });
    });
  });

  it('answers malformed JSON in the documented form where the host makes our filter global', async () => {
    const host = await start((app) => app.useGlobalFilters(app.get(ToolsExceptionFilter)));
    const { body } = await host.http
      .post('/v1/tools/search_web')
      .set('Content-Type', 'application/json')
      .send('{"query":')
      .expect(400);
    expect(body).toMatchObject({
      code: 'invalid_request',
      message: ['The request body is not valid JSON. Send a JSON object.'],
    });
  });

  it('leaves every other path of the host alone where our filter is global', async () => {
    const set = (app: INestApplication): unknown => app.useGlobalFilters(app.get(ToolsExceptionFilter));
    const plain = await start(() => undefined);
    const filtered = await start(set);
    for (const path of ['/own/conflict', '/own/fail', '/own?page=x', '/nowhere', '/v1/toolsmith']) {
      const [without, withOurs] = await Promise.all([plain.http.get(path), filtered.http.get(path)]);
      expect([path, withOurs.status, withOurs.body]).toEqual([path, without.status, without.body]);
      expect(withOurs.headers['x-should-retry']).toBeUndefined();
    }
    const { body } = await filtered.http.get('/own/conflict').expect(409);
    expect(body).toEqual({ message: 'dup', errorCode: 'E42', extra: { id: 7 } });
    const unknown = await filtered.http.post('/v1/tools/serch_web').expect(404);
    expect(unknown.body).toMatchObject({ code: 'not_found', request_id: expect.any(String) });
  });

  it.each(['/api/v1/tools/search_web', '/api/partners/tools/search_web'])(
    'knows the paths of every registration where our filter is global: %s',
    async (path) => {
      const { http } = await startHost(
        [
          ToolsModule.forRoot({ apiKeys: ['k'] }),
          ToolsModule.forRoot({ path: 'partners/tools', apiKeys: ['p'] }),
        ],
        adapter(),
        (app) => app.setGlobalPrefix('api').useGlobalFilters(app.get(ToolsExceptionFilter)),
      );
      const malformed = http.post(path).set('Content-Type', 'application/json').send('{"query":');
      expect((await malformed.expect(400)).body).toMatchObject({ code: 'invalid_request' });
    },
  );

  it('knows the paths of the tools at the root of the host, where our filter is global, and no others', async () => {
    const { http } = await startHost(
      [ToolsModule.forRoot({ path: '/', apiKeys: ['k'], mcp: { path: 'own/mcp' } })],
      adapter(),
      (app) => app.useGlobalFilters(app.get(ToolsExceptionFilter)),
    );
    for (const path of ['/search_web', '/own/mcp']) {
      const malformed = http.post(path).set('Content-Type', 'application/json').send('{"query":');
      expect((await malformed.expect(400)).body).toMatchObject({ code: 'invalid_request' });
    }
    for (const path of ['/jobs/1', '/own/search']) {
      const { body } = await http.get(path).expect(404);
      expect(body.code).toBeUndefined();
    }
  });

  it('knows the paths of jobs at the root of the host, where our filter is global', async () => {
    const { http } = await startHost(
      [ToolsModule.forRoot({ path: '', apiKeys: ['k'], jobs: { providers: [], controllers: () => [] } })],
      adapter(),
      (app) => app.useGlobalFilters(app.get(ToolsExceptionFilter)),
    );
    const malformed = http.post('/batches').set('Content-Type', 'application/json').send('{"tool":');
    expect((await malformed.expect(400)).body).toMatchObject({ code: 'invalid_request' });
  });

  it('lets a global filter of the host hand over what belongs to the tools', async () => {
    const host = await start((app) => {
      const tools = app.get(ToolsExceptionFilter);
      const own = new HostFilter(app.get(HttpAdapterHost));
      app.useGlobalFilters({
        catch: (exception, at) => (tools.handles(at) ? tools.catch(exception, at) : own.catch(exception, at)),
      });
    });
    expect((await host.http.get('/own/fail').expect(500)).body).toEqual({ ofTheHost: true });
    const malformed = host.http.post('/v1/tools/search_web').set('Content-Type', 'application/json');
    expect((await malformed.send('{').expect(400)).body).toMatchObject({ code: 'invalid_request' });
  });

  it('is behind a global guard of the host, whose refusal has the documented form', async () => {
    const host = await start((app) => app.useGlobalGuards(new HostGuard()));
    const { body } = await search(host, { query: 'coral' }).expect(403);
    expect(body).toMatchObject({ statusCode: 403, request_id: expect.any(String) });
    await search(host, { query: 'coral' }).set('X-Staff', '1').expect(200);
  });

  it('is wrapped by a global interceptor of the host, which wins', async () => {
    const host = await start((app) => app.useGlobalInterceptors(new HostEnvelope()));
    const { body } = await search(host, { query: 'coral' }).expect(200);
    expect(Object.keys(body)).toEqual(['host']);
    expect(body.host.data.results.length).toBeGreaterThan(0);
  });

  it('answers the same under a global ClassSerializerInterceptor', async () => {
    const host = await start((app) =>
      app.useGlobalInterceptors(
        new ClassSerializerInterceptor(app.get(Reflector), { excludeExtraneousValues: false }),
      ),
    );
    const { body } = await search(host, { query: 'coral' }).expect(200);
    expect(Object.keys(body).sort()).toEqual(['data', 'request_id', 'seconds_taken']);
  });

  it.each<[string, (app: INestApplication) => void, string, string[]]>([
    ['a global prefix', (app) => app.setGlobalPrefix('api'), '/api/v1/tools', ['/v1/tools']],
    [
      'URI versioning with a default version',
      (app) => app.enableVersioning({ type: VersioningType.URI, defaultVersion: '2' }),
      '/v1/tools',
      ['/v2/v1/tools', '/v2/tools'],
    ],
    [
      'a global prefix and URI versioning',
      (app) => {
        app.setGlobalPrefix('api');
        app.enableVersioning({ type: VersioningType.URI, defaultVersion: '2' });
      },
      '/api/v1/tools',
      ['/api/v2/v1/tools', '/v1/tools'],
    ],
    [
      'header versioning with a default version',
      (app) =>
        app.enableVersioning({ type: VersioningType.HEADER, header: 'X-Version', defaultVersion: '2' }),
      '/v1/tools',
      ['/v2/tools'],
    ],
  ])('keeps the version in its path under %s', async (_case, setUp, path, absent) => {
    const host = await start(setUp);
    await search(host, { query: 'coral' }, `${path}/search_web`).expect(200);
    for (const other of absent) await search(host, { query: 'coral' }, `${other}/search_web`).expect(404);
    const { paths } = SwaggerModule.createDocument(host.app, new DocumentBuilder().build());
    expect(Object.keys(paths)).toContain(`${path}/search_web`);
  });

  it('stands twice in one app, with keys and operation ids of its own', async () => {
    const register = (path: string | undefined, key: string) =>
      ToolsModule.forRoot({
        ...(path === undefined ? {} : { path }),
        apiKeys: [key],
        contentSources: [new OneContentSource()],
        search: { providers: [new TwoPageProvider()] },
      });
    const { app, http } = await startHost(
      [register(undefined, 'k'), register('partners/tools', 'p')],
      adapter(),
    );
    const ask = (path: string, key: string): request.Test =>
      http.post(`/${path}/search_web`).set('X-API-Key', key).send({ query: 'coral' });
    await ask('v1/tools', 'k').expect(200);
    await ask('partners/tools', 'p').expect(200);
    await ask('v1/tools', 'p').expect(401);
    await ask('partners/tools', 'k').expect(401);
    const { paths } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    const ids = Object.values(paths).map((item) => item.post?.operationId);
    expect(ids).toEqual([
      'summarizeContent',
      'searchWeb',
      'summarizeContent_partners_tools',
      'searchWeb_partners_tools',
    ]);
  });

  it('takes a body as large as the host lets through, and no larger', async () => {
    const host = await start((app) => {
      const parsing = app as INestApplication & {
        useBodyParser(type: string, ...options: unknown[]): unknown;
      };
      if (adapter().getType() === 'express') parsing.useBodyParser('json', { limit: '300kb' });
      else parsing.useBodyParser('application/json', { bodyLimit: 300 * 1024 });
      app.useGlobalFilters(app.get(ToolsExceptionFilter));
    });
    const allowed = await search(host, { query: 'x'.repeat(200 * 1024) }).expect(400);
    expect(allowed.body.details[0].field).toBe('query');
    const { body } = await search(host, { query: 'x'.repeat(400 * 1024) }).expect(413);
    expect(body.code).toBe('payload_too_large');
  });
});

class SessionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<GuardedRequest>();
    if (headers.authorization !== 'Bearer session') throw new UnauthorizedException('no session');
    return true;
  }
}

/** Sets a challenge of its own. */
class CookieGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const response = context.switchToHttp().getResponse<{
      setHeader?: (name: string, value: string) => void;
      header(name: string, value: string): void;
    }>();
    if (response.setHeader) response.setHeader('WWW-Authenticate', 'Cookie realm="own"');
    else response.header('WWW-Authenticate', 'Cookie realm="own"');
    throw new UnauthorizedException();
  }
}

/** The user of a token, as a host knows it. */
@Injectable()
class UserGuard extends ApiKeyGuard {
  protected override identify({ headers }: GuardedRequest): Promise<ApiKeyIdentity | undefined> {
    const user = /^Bearer user-(\w+)$/.exec(String(headers.authorization))?.[1];
    return Promise.resolve(user === undefined ? undefined : { id: user, name: `user ${user}` });
  }
}

const Public = (): MethodDecorator & ClassDecorator => SetMetadata('isPublic', true);

/** As in Nest's documentation: everything needs a login, but for what is public. */
@Injectable()
class LoginGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.reflector.getAllAndOverride('isPublic', [context.getHandler(), context.getClass()])) return true;
    throw new UnauthorizedException('Please log in');
  }
}
Reflect.defineMetadata('design:paramtypes', [Reflector], LoginGuard);

@Controller('own')
class PlainController {
  @Get()
  own(): string {
    return 'own';
  }
}

class Lines extends ConsoleLogger {
  readonly lines: string[] = [];
  override log(message: unknown): void {
    this.lines.push(String(message));
  }
  override warn(message: unknown): void {
    this.lines.push(`WARN ${String(message)}`);
  }
}

describe.each(ADAPTERS)('authentication of the host on %s', (_name, adapter) => {
  let host: RunningHost;
  let events: RequestEvent[];
  let logger: Lines;
  afterEach(closeHosts);

  const start = async (
    options: ToolsModuleSyncOptions,
    providers: object[] = [],
    setUp: (app: INestApplication) => void = () => undefined,
  ): Promise<void> => {
    events = [];
    logger = new Lines();
    ConsoleLogger.prototype.setLogLevels.call(logger, ['log', 'warn', 'error']);
    class Host {}
    const tools = ToolsModule.forRoot({
      contentSources: [new OneContentSource()],
      search: { providers: [new TwoPageProvider()] },
      hooks: { onUsage: (event) => void events.push(event) },
      ...options,
    });
    host = await startHost(
      [{ module: Host, imports: [tools], controllers: [PlainController], providers: providers as never }],
      adapter(),
      (app) => {
        app.useLogger(logger);
        setUp(app);
      },
    );
  };
  const search = (headers: Record<string, string> = {}) =>
    host.http.post('/v1/tools/search_web').set(headers).send({ query: 'coral' });
  const securityOf = (): unknown =>
    SwaggerModule.createDocument(host.app, new DocumentBuilder().build()).paths['/v1/tools/search_web']!.post!
      .security;

  it('replaces the default guard, and refuses in neutral words', async () => {
    await start({ guards: [SessionGuard] });
    const { body, headers } = await search().expect(401);
    expect(body).toMatchObject({ code: 'unauthorized', message: 'no session' });
    expect(headers['www-authenticate']).toBe('Bearer realm="tools"');
    await search({ Authorization: 'Bearer session' }).expect(200);
    expect(securityOf()).toBeUndefined();
  });

  it('keeps the challenge that its guard has set', async () => {
    await start({ guards: [CookieGuard] });
    const { headers } = await search().expect(401);
    expect(headers['www-authenticate']).toBe('Cookie realm="own"');
  });

  it('names its own security scheme in the document', async () => {
    await start({ guards: [SessionGuard], security: 'bearer' });
    expect(securityOf()).toEqual([{ bearer: [] }]);
  });

  it('gives its users limits, log lines and events of their own with a subclass of our guard', async () => {
    await start({ guards: [UserGuard], limits: { requestsPerMinute: 1 } });
    await search({ Authorization: 'Bearer user-ann' }).expect(200);
    await search({ Authorization: 'Bearer user-ann' }).expect(429);
    await search({ Authorization: 'Bearer user-bob' }).expect(200);
    await search({ Authorization: 'Bearer nobody' }).expect(401);
    await eventually(
      () => events.length === 4,
      () => JSON.stringify(events),
    );
    expect(events.map(({ key, statusCode }) => [key?.id, statusCode])).toEqual([
      ['ann', 200],
      ['ann', 429],
      ['bob', 200],
      [undefined, 401],
    ]);
    expect(logger.lines.some((line) => line.includes('key="user ann"'))).toBe(true);
    expect(securityOf()).toEqual([{ ApiKeyAuth: [] }]);
  });

  it('keeps a global guard off the tools with a decorator of its own', async () => {
    const guard = { provide: APP_GUARD, useClass: LoginGuard };
    await start({ apiKeys: ['k'], decorators: [Public()] }, [guard]);
    await search({ 'X-API-Key': 'k' }).expect(200);
    expect((await search().expect(401)).body.code).toBe('missing_api_key');
    await host.http.get('/v1/tools/search_web').expect(405).expect('Allow', 'POST');
    await host.http.get('/own').expect(401);
  });

  it('names the key that may not use a tool', async () => {
    await start({ apiKeys: [{ key: 'k', name: 'billing', tools: ['summarize_content'] }] });
    expect((await search({ 'X-API-Key': 'k' }).expect(403)).body.code).toBe('forbidden_tool');
    await eventually(
      () => events.length === 1,
      () => JSON.stringify(events),
    );
    expect(events[0]).toMatchObject({ statusCode: 403, key: { name: 'billing' } });
  });

  it('adds the scheme of the keys to a document of the host, next to its own schemes', async () => {
    await start({ apiKeys: ['k'] });
    const config = new DocumentBuilder()
      .addBearerAuth()
      .addApiKey(...apiKeySecurity())
      .build();
    const { components } = SwaggerModule.createDocument(host.app, config);
    expect(components!.securitySchemes).toMatchObject({
      bearer: { type: 'http' },
      ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    });
  });
});

describe('warnings at start about keys', () => {
  afterEach(closeHosts);

  const warningsOf = async (options: ToolsModuleSyncOptions): Promise<string[]> => {
    const { Logger } = await import('@nestjs/common');
    const lines: string[] = [];
    const { Test } = await import('@nestjs/testing');
    const collect = (message: unknown): void => void lines.push(String(message));
    const logger = { log: () => undefined, error: () => undefined, warn: collect };
    Logger.overrideLogger(logger);
    try {
      const module = await Test.createTestingModule({ imports: [ToolsModule.forRoot(options)] })
        .setLogger(logger)
        .compile();
      await module.close();
    } finally {
      Logger.overrideLogger(false);
    }
    return lines;
  };
  const NONE = 'No API key is configured (option `apiKeys`): every request is refused.';

  it('says that there is no key', async () => {
    expect(await warningsOf({})).toEqual([NONE]);
    expect(await warningsOf({ guards: [SessionGuard, ApiKeyGuard] })).toEqual([NONE]);
  });

  it.each<[string, ToolsModuleSyncOptions]>([
    ['with guards of the host', { guards: [SessionGuard] }],
    ['with a guard that identifies its callers itself', { guards: [UserGuard] }],
    ['without endpoints', { controllers: false }],
  ])('says nothing %s', async (_case, options) => {
    expect(await warningsOf(options)).toEqual([]);
  });

  it('says that the tools are open, or that keys have no effect', async () => {
    const OPEN =
      'The tools are open to everybody who reaches this server, web pages included (option `guards` is an empty list).';
    const NO_EFFECT =
      'The option `apiKeys` has no effect: `guards` has no ApiKeyGuard. List it too, or leave out `apiKeys`.';
    expect(await warningsOf({ guards: [] })).toEqual([OPEN]);
    expect(await warningsOf({ guards: [], apiKeys: ['042'] })).toEqual([OPEN, NO_EFFECT]);
    expect(await warningsOf({ guards: [SessionGuard], apiKeys: ['042'] })).toEqual([NO_EFFECT]);
    expect(await warningsOf({ guards: [SessionGuard], apiKeys: () => true })).toEqual([NO_EFFECT]);
    expect(await warningsOf({ guards: [UserGuard], apiKeys: () => true })).toEqual([]);
    expect(await warningsOf({ guards: [], controllers: false })).toEqual([]);
  });

  it('names keys that have expired, and keys that look like a list', async () => {
    const [one, other] = [generateApiKey(), generateApiKey()];
    const apiKeys = [
      { key: generateApiKey(), name: 'billing', expiresAt: '2020-01-01' },
      { key: generateApiKey(), expiresAt: new Date(Date.now() + 60_000) },
      `${one},${other}`,
      `${one} ${other}`,
    ];
    expect(await warningsOf({ apiKeys })).toEqual([
      'API keys that have expired: billing. They are refused.',
      'API keys that have a comma or a blank: key-3 (apiKeys[2]), key-4 (apiKeys[3]). Give a list of several keys as an array. Some clients cannot send such a key.',
    ]);
  });

  it('names keys that can be guessed, and never shows one', async () => {
    const uuid = '0d3a5c1e-7b24-4f0a-9c68-2e91b7d4f653';
    const hex = '9f86d081884c7d659a2feaa0c55ad015';
    const apiKeys = ['042', { key: 'x'.repeat(60), name: 'long' }, uuid, hex, generateApiKey()];
    expect(await warningsOf({ apiKeys })).toEqual([
      'API keys that can be guessed: key-1 (apiKeys[0]), long. `npx nestjs-tools-key` makes a random one.',
    ]);
  });
});

describe.each(ADAPTERS)('keys on %s', (_name, adapter) => {
  afterEach(closeHosts);
  const provider = {
    name: 'own',
    search: () =>
      Promise.resolve({ hits: [{ url: 'https://a.example/', title: 'Coral', snippet: 'Coral reefs.' }] }),
  };
  const statusOf = async ({ http }: RunningHost, key: string): Promise<number> =>
    (await http.post('/v1/tools/search_web').set('X-API-Key', key).send({ query: 'coral' })).status;
  const search = { providers: [provider], pages: false as const };

  it.each<[string, ToolsModuleSyncOptions['apiKeys']]>([
    ['a function', (key: string) => key === 'good'],
    ['an async function', async (key: string) => (key === 'good' ? { id: '1', name: 'billing' } : undefined)],
    [
      'a function declaration',
      function (key: string) {
        return key === 'good';
      },
    ],
    [
      'a class with an arrow function',
      class {
        verify = (key: string) => (key === 'good' ? { id: '1', name: 'billing' } : undefined);
      },
    ],
  ])('are checked by %s', async (_what, apiKeys) => {
    const host = await startHost([ToolsModule.forRoot({ apiKeys, search })], adapter());
    expect([await statusOf(host, 'good'), await statusOf(host, 'bad')]).toEqual([200, 401]);
  });

  it('are counted one by one where a function says only that they are valid', async () => {
    const options = { apiKeys: () => true, search, limits: { requestsPerMinute: 1 } };
    const host = await startHost([ToolsModule.forRoot(options)], adapter());
    expect([await statusOf(host, 'a'), await statusOf(host, 'a'), await statusOf(host, 'b')]).toEqual([
      200, 429, 200,
    ]);
  });

  it('that have expired are named in the log, and to no client', async () => {
    const lines: string[] = [];
    const write = (line: unknown): void => void lines.push(String(line));
    const apiKeys = [{ key: 'past', name: 'billing', expiresAt: '2020-01-01' }];
    const host = await startHost([ToolsModule.forRoot({ apiKeys, search })], adapter(), (app) =>
      app.useLogger({ log: write, warn: write, error: write }),
    );
    const answers = [];
    for (const key of ['past', 'none']) {
      const { status, body } = await host.http
        .post('/v1/tools/search_web')
        .set('X-API-Key', key)
        .send({ query: 'coral' });
      answers.push({ status, ...body, request_id: '' });
    }
    expect(answers[0]).toEqual(answers[1]);
    const refused = lines.filter((line) => line.includes('401'));
    expect(refused).toEqual([
      expect.stringContaining('The key billing has expired.'),
      expect.not.stringContaining('expired'),
    ]);
  });

  it('are not asked for in a test that overrides the guard', async () => {
    const { Test } = await import('@nestjs/testing');
    const module = await Test.createTestingModule({
      imports: [ToolsModule.forRoot({ apiKeys: ['k'], search })],
    })
      .overrideGuard(ApiKeyGuard)
      .useValue({ canActivate: () => true })
      .compile();
    module.useLogger(false);
    const host = await listen(module.createNestApplication(adapter()));
    expect(await statusOf(host, 'any')).toBe(200);
  });

  it('of a second registration with the same endpoint are refused at start', async () => {
    const twice = [ToolsModule.forRoot({ apiKeys: ['a'] }), ToolsModule.forRoot({ apiKeys: ['b'] })];
    // Fastify refuses the second route before anybody else can.
    await expect(startHost(twice, adapter())).rejects.toThrow(
      /option `path` must be another one than that of another registration: both have \/v1\/tools|already declared for route '\/v1\/tools/,
    );
    const apart = [
      ToolsModule.forRoot({ apiKeys: ['a'], search, controllers: ['search_web'] }),
      ToolsModule.forRoot({ apiKeys: ['b'], controllers: ['summarize_content'] }),
    ];
    expect(await statusOf(await startHost(apart, adapter()), 'a')).toBe(200);
  });

  it('are asked for in plain words where the options are missing or a promise', async () => {
    expect(() => ToolsModule.forRoot(Promise.resolve({}) as never)).toThrow(
      'option `forRoot` must be an object and not a Promise: use `await`, or `forRootAsync({ useFactory })`',
    );
    await expect(startHost([ToolsModule], adapter())).rejects.toThrow(
      'option `imports` must be [ToolsModule.forRoot({ … })] or [ToolsModule.forRootAsync({ … })], not [ToolsModule]',
    );
  });
});
