import net from 'node:net';
import { requestUpstream, parseJsonBody } from '../../lib/core/upstream/request.js';
import {
  ToolsModule,
  UpstreamInvalidError,
  type TranscriptProvider,
  type VideoTranscript,
} from '../../lib/index.js';
import { searxng } from '../../lib/search/providers/searxng.provider.js';
import { DialCounter } from '../support/dial-counter.js';
import { eventually } from '../support/eventually.js';
import { FAULTS, FaultServer } from '../support/fault-server.js';
import { CORAL_SEGMENTS } from '../support/fixtures.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import { sendRaw, type RawResponse } from '../support/raw-http.js';

const KEY = 'a-key';
const DEADLINE_MS = 1000;
const MOST_ATTEMPTS = 3;
const RESULTS = JSON.stringify({
  query: 'coral',
  results: [
    { url: 'https://example.org/coral', title: 'Coral', content: 'Coral reefs are built by tiny animals.' },
  ],
});

describe.each(ADAPTERS)('upstreams that misbehave, on %s', (_name, adapter) => {
  let host: RunningHost;
  let engine: FaultServer;
  let captions: FaultServer;
  let dials: DialCounter;
  const hosts: string[] = [];
  /** A host whose circuits are closed: a fault that comes after many others would not reach the upstream. */
  let renewHost: () => Promise<void>;

  beforeAll(async () => {
    engine = new FaultServer(RESULTS);
    captions = new FaultServer(
      JSON.stringify({
        language: 'en',
        captions: 'manual',
        chapters: [],
        segments: CORAL_SEGMENTS,
        durationMs: 60_000,
      }),
    );
    await Promise.all([engine.listen(), captions.listen()]);
    // As a provider of a host is written: the shared way to ask an upstream, and a look at the shape of what came.
    const transcripts: TranscriptProvider = {
      name: 'captions',
      fetchTranscript: async (_id, _request, context) => {
        const request = { upstream: 'Captions', url: captions.url, timeoutMs: 400 };
        const transcript = parseJsonBody(
          await requestUpstream(request, context),
          'Captions',
        ) as VideoTranscript | null;
        if (!Array.isArray(transcript?.segments))
          throw new UpstreamInvalidError('Captions answered with JSON of another shape.');
        return transcript;
      },
    };
    renewHost = async () => {
      host = await startHost(
        [
          ToolsModule.forRoot({
            apiKeys: [KEY],
            search: {
              providers: [searxng({ url: engine.url, timeoutMs: 400 })],
              deadlineMs: DEADLINE_MS,
              answerDeadlineMs: DEADLINE_MS,
            },
            youtube: { transcripts: [transcripts] },
            summarize: { deadlineMs: DEADLINE_MS },
          }),
        ],
        adapter(),
      );
      hosts.push(host.url);
    };
    await renewHost();
    dials = new DialCounter(() => [...hosts, engine.url, captions.url].map((url) => `:${new URL(url).port}`));
  });
  afterAll(async () => {
    dials.restore();
    await closeHosts();
    await Promise.all([engine.close(), captions.close()]);
  });

  const ask = (tool: string, body: object): Promise<RawResponse> =>
    sendRaw(host.url, {
      path: `/v1/tools/${tool}`,
      headers: [`X-API-Key: ${KEY}`, 'Content-Type: application/json', 'Cache-Control: no-cache'],
      body: JSON.stringify(body),
    });

  /** What is wrong with the answer that a fault led to. */
  const faultsOf = ({ status, headers, body, json }: RawResponse): string[] => {
    const error = (json ?? {}) as { statusCode?: number; code?: string; request_id?: string };
    return [
      [502, 503, 504].includes(status) ? '' : `status ${status}: ${body.slice(0, 200)}`,
      error.statusCode === status && error.code?.startsWith('upstream_') ? '' : `body ${body.slice(0, 200)}`,
      error.request_id === headers['x-request-id'] ? '' : 'another request id',
      /^(true|false)$/.test(headers['x-should-retry'] ?? '') ? '' : 'no x-should-retry',
      status !== 503 || headers['x-should-retry'] === 'false' || Number(headers['retry-after']) >= 1
        ? ''
        : 'no Retry-After',
      /secret-of-the-upstream|127\.0\.0\.1|169\.254|\n\s+at /.test(body) ? `shows the inside: ${body}` : '',
    ].filter(Boolean);
  };

  /** Asks until it is answered: the time for an upstream is short, and one that has failed rests for a while. */
  const answered = async (tool: string, body: object): Promise<void> => {
    while ((await ask(tool, body)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 100));
  };

  it('of search_web lead to a clean 502, 503 or 504, after at most three attempts', async () => {
    const failures: string[] = [];
    for (const fault of FAULTS) {
      await renewHost();
      engine.fault = fault;
      engine.requests = 0;
      // Some never answer: that there is an answer shows that the deadline has passed.
      const response = await ask('search_web', { query: 'coral' });
      const faults = faultsOf(response);
      if (engine.requests > MOST_ATTEMPTS) faults.push(`${engine.requests} attempts`);
      if (/status 40[013]/.test(fault) && engine.requests !== 1)
        faults.push(`${engine.requests} attempts at ${fault}`);
      if (faults.length > 0) failures.push(`${fault}: ${faults.join('; ')}`);
    }
    expect(failures).toEqual([]);
    await eventually(
      () => engine.open === 0,
      () => `${engine.open} upstream requests are left open`,
    );
    engine.fault = 'none';
    await answered('search_web', { query: 'coral' });
  });

  it('of summarize_content never become a summary, and the next good answer does', async () => {
    const failures: string[] = [];
    for (const fault of FAULTS) {
      if (fault.startsWith('status') || fault.startsWith('redirect')) continue;
      captions.fault = fault;
      captions.requests = 0;
      const response = await ask('summarize_content', { content_id: 'abcdefghijk' });
      if (response.status === 200) failures.push(`${fault}: a summary ${response.body.slice(0, 100)}`);
      else if (response.status === 500) failures.push(`${fault}: 500`);
      if (captions.requests > MOST_ATTEMPTS) failures.push(`${fault}: ${captions.requests} attempts`);
    }
    expect(failures).toEqual([]);
    await eventually(
      () => captions.open === 0,
      () => `${captions.open} upstream requests are left open`,
    );
    captions.fault = 'none';
    await answered('summarize_content', { content_id: 'abcdefghijk' });
  });

  it('lead nowhere: nothing is dialled but what the host has configured', () => {
    expect(dials.dialled).toEqual([]);
  });

  it('are closed when the client leaves', async () => {
    await renewHost();
    engine.fault = 'hang in the body';
    const socket = net.connect(Number(new URL(host.url).port), '127.0.0.1');
    const body = '{"query":"coral"}';
    socket.write(
      `POST /v1/tools/search_web HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await eventually(
      () => engine.open === 1,
      () => 'the upstream has not been asked',
    );
    socket.destroy();
    await eventually(
      () => engine.open === 0,
      () => 'the upstream request is still open',
    );
    engine.fault = 'none';
  });
});
