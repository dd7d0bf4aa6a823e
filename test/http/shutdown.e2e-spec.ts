import { ToolsModule } from '../../lib/index.js';
import { InFlight } from '../../lib/http/in-flight.js';
import { eventually } from '../support/eventually.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import { sendRaw, type RawResponse } from '../support/raw-http.js';
import { SlowSource } from '../support/slow-source.js';

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
