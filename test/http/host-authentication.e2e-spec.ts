import {
  ConsoleLogger,
  Controller,
  Get,
  Injectable,
  SetMetadata,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import {
  ApiKeyGuard,
  apiKeySecurity,
  ToolsModule,
  type ApiKeyIdentity,
  type GuardedRequest,
  type RequestEvent,
  type ToolsModuleSyncOptions,
} from '../../lib/index.js';
import { generateApiKey } from '../../lib/auth/api-key-store.js';
import { eventually } from '../support/eventually.js';
import { OneContentSource, TwoPageProvider } from '../support/fixtures.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, listen, startHost, type RunningHost } from '../support/host.js';

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
class OwnController {
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
      [{ module: Host, imports: [tools], controllers: [OwnController], providers: providers as never }],
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
