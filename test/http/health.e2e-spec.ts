import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ToolsModule, type ToolsModuleOptions, type SharedState } from '../../lib/index.js';
import { OneContentSource } from '../support/fixtures.js';
import { startFakeLlm, type FakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import { terminusHost } from '../support/terminus-host.js';
import { type SharingHealth, MemoryLimitStore } from '../../lib/core/shared-state.js';
import { memoryCacheStore } from '../../lib/core/cache.js';
import { ADAPTERS } from '../support/adapters.js';
import { InFlight } from '../../lib/http/in-flight.js';
import { eventually } from '../support/eventually.js';
import { sendRaw, type RawResponse } from '../support/raw-http.js';
import { SlowSource } from '../support/slow-source.js';

describe('a /health of Terminus', () => {
  let llm: FakeLlm;
  let host: RunningHost;
  beforeEach(async () => {
    llm = await startFakeLlm();
  });
  afterEach(async () => {
    await closeHosts();
    await llm.close();
  });

  const start = async (options: ToolsModuleOptions = {}): Promise<void> => {
    const tools = ToolsModule.forRoot({
      apiKeys: ['one'],
      contentSources: [new OneContentSource()],
      model: createOpenAICompatible({ name: 'fake', baseURL: llm.url })('fake-model'),
      modelOptions: { attempts: 1, backOffMs: 1 },
      cache: false,
      ...options,
    });
    host = await startHost([terminusHost(tools)]);
  };
  const summarize = () =>
    host.http.post('/v1/tools/summarize_content').set('X-API-Key', 'one').send({ content_id: 'coral' });
  const search = () =>
    host.http.post('/v1/tools/search_web').set('X-API-Key', 'one').send({ query: 'coral' });

  it('names the models and the web next to the providers, and sends no request', async () => {
    const provider = { name: 'engine', search: () => Promise.resolve({ hits: [] }) };
    await start({ search: { providers: [provider] } });
    const { body } = await host.http.get('/health').expect(200);
    expect(body.info.tools).toMatchObject({
      status: 'up',
      model: { upstreams: { 'fake-model': { status: 'unknown' } } },
      pages: { upstreams: { web: { status: 'unknown' } } },
      search_web: { upstreams: { engine: { status: 'unknown' } } },
    });
    expect(llm.calls).toHaveLength(0);
  });

  it('is 503 while the model fails, and 200 again with its next success', async () => {
    llm.settings.fault = () => 'server_error';
    await start();
    for (let i = 0; i < 3; i++) await summarize().expect(503);
    const { body } = await host.http.get('/health').expect(503);
    expect(body.error.tools.model).toMatchObject({
      status: 'down',
      upstreams: { 'fake-model': { failures: 3, lastError: 'upstream_unavailable' } },
    });
    llm.settings.fault = undefined;
    await summarize().expect(200);
    await host.http.get('/health').expect(200);
  });

  it('stays 200 where only pages cannot be read, and says so', async () => {
    const hits = [{ url: 'http://127.0.0.1:9/', title: 'Coral', snippet: 'Coral reefs are alive.' }];
    await start({
      search: {
        providers: [{ name: 'engine', search: () => Promise.resolve({ hits }) }],
        pages: { allowHosts: ['127.0.0.1:9'] },
      },
    });
    for (let i = 0; i < 3; i++) await search().expect(200);
    const { body } = await host.http.get('/health').expect(200);
    expect(body.info.tools).toMatchObject({
      status: 'up',
      pages: { status: 'down', upstreams: { web: { failures: 3, lastError: 'unavailable' } } },
    });
  });
});

/** Shares nothing and says of itself what it is told to. */
class ToldState implements SharedState {
  state: SharingHealth = { up: true };
  closed = 0;
  readonly cache = memoryCacheStore();
  readonly limits = new MemoryLimitStore();
  readonly leases = {
    acquire: () => Promise.resolve({ release: () => Promise.resolve() }),
    released: () => Promise.resolve(),
  };
  readonly calls = { acquire: () => Promise.resolve({ release: () => undefined }) };
  health(): SharingHealth {
    return this.state;
  }
  close(): Promise<void> {
    this.closed++;
    return Promise.resolve();
  }
}

/** A provider that is always down. */
const broken = { name: 'broken', search: () => Promise.reject(new Error('down')) };

describe.each(ADAPTERS)('the health indicator under Terminus on %s', (_name, adapter) => {
  let host: RunningHost;
  let shared: ToldState;

  beforeEach(async () => {
    shared = new ToldState();
    const tools = ToolsModule.forRoot({ apiKeys: ['key'], search: { providers: [broken] }, shared });
    host = await startHost([terminusHost(tools)], adapter());
  });
  afterEach(closeHosts);

  it('is up, also when what replicas share is down, and says so', async () => {
    const { body } = await host.http.get('/health').expect(200);
    expect(body).toMatchObject({
      status: 'ok',
      details: { tools: { status: 'up', shared: { status: 'up' } } },
    });
    shared.state = { up: false, detail: 'Redis does not answer' };
    const { body: later } = await host.http.get('/health').expect(200);
    expect(later.details.tools).toMatchObject({
      status: 'up',
      shared: { status: 'down', detail: 'Redis does not answer' },
    });
  });

  it('is 503 when every provider of a tool is down', async () => {
    for (let i = 0; i < 3; i++) {
      await host.http
        .post('/v1/tools/search_web')
        .set('X-API-Key', 'key')
        .send({ query: `coral ${i}` });
    }
    const { body } = await host.http.get('/health').expect(503);
    expect(body.error.tools).toMatchObject({ status: 'down', search_web: { status: 'down' } });
  });

  it('keeps shared state open until the host has stopped', async () => {
    expect(shared.closed).toBe(0);
    await closeHosts();
    expect(shared.closed).toBe(1);
  });
});

const KEY = 'a-key';

describe.each(ADAPTERS)('stopping the host on %s', (_name, adapter) => {
  let host: RunningHost;
  let source: SlowSource;
  afterEach(closeHosts);

  const start = async (graceMs: number): Promise<void> => {
    source = new SlowSource();
    host = await startHost(
      [ToolsModule.forRoot({ apiKeys: [KEY], contentSources: [source], shutdown: { graceMs } })],
      adapter(),
    );
  };
  const ask = (id: string, accept = '*/*'): Promise<RawResponse> =>
    sendRaw(host.url, {
      path: '/v1/tools/summarize_content',
      headers: [`X-API-Key: ${KEY}`, 'Content-Type: application/json', `Accept: ${accept}`],
      body: JSON.stringify({ content_id: id }),
    });

  it('lets running requests finish, and refuses new ones', async () => {
    await start(5000);
    const inFlight = ask('a');
    await source.begun(1);
    const closed = host.app.close();
    await eventually(
      () => (host.app.get(InFlight) as unknown as { stopping: boolean }).stopping,
      () => 'it has not begun to stop',
    );
    const refused = await ask('b');
    expect(refused.status).toBe(503);
    expect(refused.json).toMatchObject({ code: 'upstream_unavailable' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    source.loads[0]!.finish();
    expect((await inFlight).status).toBe(200);
    await closed;
  });

  it('cancels what does not finish in time, and still answers it', async () => {
    await start(30);
    const [plain, stream] = [ask('a'), ask('b', 'text/event-stream')];
    await source.begun(2);
    // Neither would ever finish by itself.
    await host.app.close();
    expect(source.loads.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    expect((await plain).status).toBe(503);
    expect((await stream).body).toContain('event: error');
  });

  it('does not wait when nothing is in flight', async () => {
    await start(600_000);
    await host.app.close();
  });
});
