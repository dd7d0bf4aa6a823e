import { InvalidOptionError } from '../../lib/core/errors.js';
import { ToolsModule, type ToolsModuleSyncOptions } from '../../lib/index.js';
import { bullMqJobs } from '../../lib/queue/index.js';
import { OneContentSource } from '../support/fixtures.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';

const options: ToolsModuleSyncOptions = {
  apiKeys: ['k', { key: 'only-search', name: 'search', tools: ['search_web'] }],
  contentSources: [new OneContentSource()],
  search: { providers: [] },
};
const CONNECTION = { url: 'redis://127.0.0.1:9' };
const jobs = bullMqJobs({ connection: CONNECTION, workers: false });
const BATCH = { tool: 'summarize_content', inputs: [{ content_id: 'coral' }] };

describe.each(ADAPTERS)('a batch on %s', (_name, adapter) => {
  afterEach(closeHosts);

  const start = (more: ToolsModuleSyncOptions = { jobs }): Promise<RunningHost> =>
    startHost([ToolsModule.forRoot({ ...options, ...more })], adapter());
  const post = ({ http }: RunningHost, body: object, key = 'k') =>
    http.post('/v1/tools/batches').set('X-API-Key', key).send(body);

  it('needs jobs, a key, and a key that may use the tool', async () => {
    await post(await start({}), BATCH).expect(404);
    const host = await start();
    await post(host, BATCH, 'wrong').expect(401);
    await host.http.get('/v1/tools/batches/0123').expect(401);
    await host.http.delete('/v1/tools/batches/0123').expect(401);
    expect((await post(host, BATCH, 'only-search').expect(403)).body).toMatchObject({
      code: 'forbidden_tool',
    });
    const list = { tool: 'search_web', list: { channel: '@talks' } };
    expect((await post(host, list, 'only-search').expect(403)).body).toMatchObject({
      message: 'This API key may not use list_videos.',
    });
    await host.http.post('/v1/tools/batches').set('X-API-Key', 'k').type('text').send('{}').expect(415);
  });

  it('is not found by an id that is none, and says that the queue is down', async () => {
    const host = await start();
    for (const id of ['0123', '..%2fjobs', 'a:b'])
      expect(
        (await host.http.get(`/v1/tools/batches/${id}`).set('X-API-Key', 'k').expect(404)).body,
      ).toMatchObject({
        code: expect.stringMatching(/not_found/) as unknown,
      });
    const { body, headers } = await post(host, BATCH).expect(503);
    expect(body).toMatchObject({ code: 'upstream_unavailable' });
    expect(headers['x-should-retry']).toBe('true');
  });

  it('refuses what is no batch before it asks the queue', async () => {
    const { http } = await start();
    const long = 'x'.repeat(60_000);
    const bodies = [
      ...[
        'null',
        '[]',
        '"inputs"',
        '{',
        `{"inputs":${'['.repeat(40_000)}`,
        `{"tool":"${long}","inputs":[{}]}`,
      ],
      ...[{ inputs: {} }, { inputs: '[]' }, { inputs: { length: 5 } }, { list: [] }, { list: null }].map(
        (body) => JSON.stringify({ tool: 'summarize_content', ...body }),
      ),
      ...['__proto__', 'constructor', 'Inputs', long].map(
        (name) => `{"tool":"summarize_content","inputs":[{}],"${name}":{"a":1}}`,
      ),
      ...['toString', '__proto__', 'batches', 'mcp'].map((tool) => JSON.stringify({ tool, inputs: [{}] })),
    ];
    for (const body of bodies) {
      const answer = await http
        .post('/v1/tools/batches')
        .set('X-API-Key', 'k')
        .type('application/json')
        .send(body);
      expect([body.slice(0, 60), answer.status]).toEqual([body.slice(0, 60), 400]);
    }
  });

  it('takes no webhook where the host has none, and lists none where list_videos is off', async () => {
    const host = await start();
    const webhook = { url: 'https://hooks.example.com/' };
    expect((await post(host, { ...BATCH, webhook }).expect(400)).body).toMatchObject({
      details: [
        { field: 'webhook', message: 'webhook is not possible: this server has no option `webhooks`' },
      ],
    });
    const single = host.http
      .post('/v1/tools/summarize_content')
      .set('X-API-Key', 'k')
      .set('Prefer', 'respond-async');
    expect((await single.send({ content_id: 'coral', webhook }).expect(400)).body).toMatchObject({
      details: [{ field: 'webhook' }],
    });
    await post(host, { tool: 'summarize_content', list: { channel: '@talks' } }).expect(501);
  });
});

describe('the option webhooks', () => {
  const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
  const given = (webhooks: object) => () =>
    bullMqJobs({
      connection: CONNECTION,
      webhooks: { domains: ['a.example'], secrets: { a: SECRET }, ...webhooks } as never,
    });

  it('takes one secret, or several by name', () => {
    expect(given({})).not.toThrow();
    expect(given({ secrets: { a: [SECRET, SECRET], b: SECRET } })).not.toThrow();
  });

  it.each([
    [{ domains: [] }, /jobs\.webhooks\.domains/],
    [{ secrets: {} }, /jobs\.webhooks\.secrets.*at least one secret/],
    [{ secrets: { a: 'my-secret-of-many-letters' } }, /jobs\.webhooks\.secrets\.a/],
    [{ secrets: { a: `whsec_${Buffer.alloc(23).toString('base64')}` } }, /24 to 64 bytes/],
    [{ secrets: { a: [] } }, /jobs\.webhooks\.secrets\.a/],
    [{ domain: ['x'] }, /jobs\.webhooks/],
  ])('refuses %j, and shows no secret', (webhooks, message) => {
    expect(given(webhooks)).toThrow(InvalidOptionError);
    expect(given(webhooks)).toThrow(message);
    expect(given(webhooks)).not.toThrow(/my-secret|AAAA/);
  });
});
