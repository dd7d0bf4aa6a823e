import { Validator } from '@seriousme/openapi-schema-validator';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { ToolsModule } from '../../lib/index.js';
import { bullMqJobs } from '../../lib/queue/index.js';
import { OneContentSource } from '../support/fixtures.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';

const options = { apiKeys: ['k'], contentSources: [new OneContentSource()] };
const unreachable = (): ReturnType<typeof bullMqJobs> =>
  bullMqJobs({ connection: { url: 'redis://127.0.0.1:9' }, workers: false });

describe.each(ADAPTERS)('a request that would rather not wait, on %s', (_name, adapter) => {
  let host: RunningHost;
  afterEach(closeHosts);

  const ask = (prefer: string) =>
    host.http
      .post('/v1/tools/summarize_content')
      .set('X-API-Key', 'k')
      .set('Prefer', prefer)
      .send({ content_id: 'coral' });

  it('is answered when it is done where the host has no jobs', async () => {
    host = await startHost([ToolsModule.forRoot(options)], adapter());
    const { body, headers } = await ask('respond-async').expect(200);
    expect(body.data.summary).not.toBe('');
    expect(headers['preference-applied']).toBeUndefined();
    await host.http.get('/v1/tools/jobs/0123').set('X-API-Key', 'k').expect(404);
  });

  it('is told that the queue cannot be reached, while plain requests are answered', async () => {
    host = await startHost([ToolsModule.forRoot({ ...options, jobs: unreachable() })], adapter());
    const { body, headers } = await ask('wait=5, respond-async').expect(503);
    expect(body).toMatchObject({ code: 'upstream_unavailable' });
    expect(headers['x-should-retry']).toBe('true');
    await ask('return=minimal').expect(200);
  });

  it('needs a key to look at jobs', async () => {
    host = await startHost([ToolsModule.forRoot({ ...options, jobs: unreachable() })], adapter());
    await host.http.get('/v1/tools/jobs/0123').expect(401);
    await host.http.delete('/v1/tools/jobs/0123').expect(401);
    const { body } = await host.http.get('/v1/tools/jobs/0123').set('X-API-Key', 'k').expect(404);
    expect(body.code).toBe('job_not_found');
  });

  it('is refused at start where two registrations have jobs at one path', async () => {
    const twice = (['search_web', 'summarize_content'] as const).map((tool) =>
      ToolsModule.forRoot({ ...options, controllers: [tool], jobs: unreachable() }),
    );
    // Fastify refuses the second route before anybody else can.
    await expect(startHost(twice, adapter())).rejects.toThrow(
      /option `path` must be another one than that of another registration: both have \/v1\/tools\/jobs|already declared for route '\/v1\/tools\/jobs/,
    );
  });
});

describe('the OpenAPI document of a host with jobs', () => {
  afterAll(closeHosts);

  it('has the preference, the answer to it, and the endpoints of jobs', async () => {
    const [, express] = ADAPTERS[0]!;
    const { app } = await startHost([ToolsModule.forRoot({ ...options, jobs: unreachable() })], express());
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().addServer('/').build());
    expect(await new Validator().validate(JSON.stringify(document, null, 2))).toEqual({ valid: true });
    expect(Object.keys(document.paths)).toContain('/v1/tools/jobs/{id}');
    const { get, delete: remove } = document.paths['/v1/tools/jobs/{id}']!;
    expect([get!.operationId, remove!.operationId]).toEqual(['getJob', 'cancelJob']);
    for (const tool of ['summarize_content', 'search_web']) {
      const { parameters, responses } = document.paths[`/v1/tools/${tool}`]!.post!;
      expect(parameters!.map((parameter) => 'name' in parameter && parameter.name)).toContain('Prefer');
      expect(responses['202']).toMatchObject({ headers: { Location: {}, 'Preference-Applied': {} } });
    }
    expect(document.components!.schemas).toHaveProperty('JobDto');
  });
});
