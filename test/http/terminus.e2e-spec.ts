import { ToolsModule, type SharedState } from '../../lib/index.js';
import { type SharingHealth } from '../../lib/core/shared-state.js';
import { MemoryLimitStore } from '../../lib/core/shared-state.js';
import { memoryCacheStore } from '../../lib/core/cache.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import { terminusHost } from '../support/terminus-host.js';

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
