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
import { ADAPTERS, closeHosts, startHost, type RunningHost } from '../support/host.js';

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

  it('names keys that can be guessed, and never shows one', async () => {
    const uuid = '0d3a5c1e-7b24-4f0a-9c68-2e91b7d4f653';
    const hex = '9f86d081884c7d659a2feaa0c55ad015';
    const apiKeys = ['042', { key: 'x'.repeat(60), name: 'long' }, uuid, hex, generateApiKey()];
    expect(await warningsOf({ apiKeys })).toEqual([
      'API keys that can be guessed: key-1, long. `npx nestjs-tools-key` makes a random one.',
    ]);
  });
});
