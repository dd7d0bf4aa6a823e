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
} from '@nestjs/common';
import { HttpAdapterHost, Reflector, type ApplicationConfig } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { IsInt } from 'class-validator';
import { map, type Observable } from 'rxjs';
import type request from 'supertest';
import { ToolsExceptionFilter, ToolsModule } from '../../lib/index.js';
import { OneContentSource, TwoPageProvider } from '../support/fixtures.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';

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
