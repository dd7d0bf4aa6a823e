import { getEventListeners } from 'node:events';
import net from 'node:net';
import { ToolsModule } from '../../lib/index.js';
import { InFlight } from '../../lib/http/in-flight.js';
import { SummarizerService } from '../../lib/tools/summarize-content.js';
import { eventually } from '../support/eventually.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import { sendRaw, type RawResponse } from '../support/raw-http.js';
import { SlowSource } from '../support/slow-source.js';

const KEY = 'a-key';
const MANY = 1000;
/** Connections that are opened together: fewer than the backlog of a server, which drops what is beyond it when the machine is busy. */
const WAVE = 200;
const head = (accept: string): string[] => [
  `X-API-Key: ${KEY}`,
  'Content-Type: application/json',
  `Accept: ${accept}`,
];

/** A client that has sent its request and waits. */
function client(url: string, id: string, accept = '*/*'): net.Socket {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify({ content_id: id });
  const socket = net.connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    [
      'POST /v1/tools/summarize_content HTTP/1.1',
      'Host: x',
      ...head(accept),
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
  return socket;
}

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

describe.each(ADAPTERS)('clients that leave on %s', (_name, adapter) => {
  let host: RunningHost;
  let source: SlowSource;
  let timersBefore: number;

  beforeEach(async () => {
    source = new SlowSource();
    host = await startHost(
      [
        ToolsModule.forRoot({
          apiKeys: [KEY],
          contentSources: [source],
          limits: { concurrency: { total: MANY } },
        }),
      ],
      adapter(),
    );
    timersBefore = timers();
  });
  afterEach(closeHosts);

  const ask = (id: string): Promise<RawResponse> =>
    sendRaw(host.url, {
      path: '/v1/tools/summarize_content',
      headers: head('*/*'),
      body: JSON.stringify({ content_id: id }),
    });

  it.each([
    ['a plain request', '*/*'],
    ['an event stream', 'text/event-stream'],
  ])('end the work of %s', async (_kind, accept) => {
    const socket = client(host.url, 'one', accept);
    await source.begun(1);
    const load = source.loads[0]!;
    expect(load.signal.aborted).toBe(false);
    socket.destroy();
    await eventually(
      () => load.signal.aborted,
      () => 'the signal has not fired',
    );
    expect((load.signal.reason as Error).name).toBe('ClientClosedError');
    await eventually(
      () => getEventListeners(load.signal, 'abort').length === 0,
      () => 'a listener is left',
    );
  });

  it('do not end work that others wait for', async () => {
    const leaving = client(host.url, 'shared');
    await source.begun(1);
    const staying = ask('shared');
    await eventually(
      () => host.app.get(InFlight)['requests'].size === 2,
      () => 'the second request has not come in',
    );
    leaving.destroy();
    await eventually(
      () => host.app.get(InFlight)['requests'].size === 1,
      () => 'the first request has not left',
    );
    expect(source.loads).toHaveLength(1);
    expect(source.loads[0]!.signal.aborted).toBe(false);
    source.loads[0]!.finish();
    expect((await staying).status).toBe(200);
  });

  it(`share one piece of work, ${MANY} at once, and leave nothing behind`, async () => {
    const inFlight = host.app.get(InFlight);
    const requests: Promise<RawResponse>[] = [];
    while (requests.length < MANY) {
      for (let i = 0; i < WAVE; i++) requests.push(ask('same'));
      await eventually(
        () => inFlight['requests'].size === requests.length,
        () => `${inFlight['requests'].size} of ${requests.length} requests have arrived`,
      );
    }
    const service = host.app.get(SummarizerService) as unknown as {
      flights: { flights: Map<string, unknown> };
    };
    source.loads[0]!.finish();
    const responses = await Promise.all(requests);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ json }) => (json as { request_id: string }).request_id)).size).toBe(MANY);
    expect(source.loads).toHaveLength(1);
    expect(service.flights.flights.size).toBe(0);
    expect(getEventListeners(source.loads[0]!.signal, 'abort')).toHaveLength(0);
    await eventually(
      () => timers() <= timersBefore,
      () => `${timers()} timers, ${timersBefore} before`,
    );
  });

  it(`cancel ${MANY} pieces of work, each its own, and leave nothing behind`, async () => {
    const sockets: net.Socket[] = [];
    while (sockets.length < MANY) {
      for (let i = 0; i < WAVE; i++)
        sockets.push(client(host.url, `id-${sockets.length}`, i % 2 ? '*/*' : 'text/event-stream'));
      await source.begun(sockets.length);
    }
    expect(source.loads.some(({ signal }) => signal.aborted)).toBe(false);
    sockets.forEach((socket) => socket.destroy());
    const open = (): number => source.loads.filter(({ signal }) => !signal.aborted).length;
    await eventually(
      () => open() === 0,
      () => `${open()} signals have not fired`,
    );
    const listening = (): number =>
      source.loads.filter(({ signal }) => getEventListeners(signal, 'abort').length > 0).length;
    await eventually(
      () => listening() === 0,
      () => `${listening()} listeners are left`,
    );
    await eventually(
      () => timers() <= timersBefore,
      () => `${timers()} timers, ${timersBefore} before`,
    );
  });
});
