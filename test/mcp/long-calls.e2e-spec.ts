import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SummarizerService, type RequestEvent } from '../../lib/index.js';
import { eventually } from '../support/eventually.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts } from '../support/host.js';
import { modern, modernHeaders, startMcpHost } from '../support/mcp-host.js';
import { SlowSource } from '../support/slow-source.js';

describe.each(ADAPTERS)('long calls over MCP on %s', (_name, adapter) => {
  afterEach(closeHosts);

  const host = async (deadlineMs = 50_000) => {
    const source = new SlowSource();
    const events: RequestEvent[] = [];
    const running = await startMcpHost(adapter(), {
      contentSources: [source],
      mcp: { deadlineMs },
      hooks: { onUsage: (event) => void events.push(event) },
    });
    return { ...running, source, events };
  };
  const ask = (url: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${url}/v1/tools/mcp`, {
      method: 'POST',
      headers: modernHeaders('tools/call', 'summarize_content'),
      body: JSON.stringify(
        modern('tools/call', { name: 'summarize_content', arguments: { content_id: 'slow' } }),
      ),
      signal,
    });
  const resultOf = async (response: Promise<Response>) =>
    (
      (await (await response).json()) as {
        result: { isError?: boolean; structuredContent: Record<string, unknown> };
      }
    ).result;

  it('tell the client to call again after the deadline, go on, and are joined by the next call', async () => {
    const { url, source, events } = await host(1500);
    const first = await resultOf(ask(url));
    expect(first).toMatchObject({
      isError: true,
      structuredContent: {
        error: { code: 'still_working', next: 'Call again with the same arguments to get the result.' },
      },
    });
    expect(source.loads).toHaveLength(1);
    expect(source.loads[0]!.signal.aborted).toBe(false);
    const second = resultOf(ask(url));
    source.loads[0]!.finish();
    expect((await second).structuredContent.summary).toEqual(expect.any(String));
    expect(source.loads).toHaveLength(1);
    await eventually(
      () => events.length === 2,
      () => JSON.stringify(events),
    );
    expect(events.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
  });

  it('end when the client leaves', async () => {
    const { url, source, events } = await host();
    const client = new AbortController();
    const asked = ask(url, client.signal).catch(() => 'left');
    await source.begun(1);
    client.abort();
    expect(await asked).toBe('left');
    await eventually(
      () => events.length === 1,
      () => 'no report of the call',
    );
    expect(source.loads[0]!.signal.aborted).toBe(true);
    expect(events.map(({ outcome, statusCode }) => [outcome, statusCode])).toEqual([['client_closed', 499]]);
  });

  it('go on while another client waits for the same', async () => {
    const { url, source, app } = await host();
    const leaver = new AbortController();
    const left = ask(url, leaver.signal).catch(() => 'left');
    await source.begun(1);
    const stays = app.get(SummarizerService, { strict: false }).summarize({ contentId: 'slow' });
    // Joining takes microtasks only: the cache is in memory.
    await new Promise((resolve) => setImmediate(resolve));
    leaver.abort();
    await left;
    source.loads[0]!.finish();
    expect((await stays).summary).toEqual(expect.any(String));
    expect(source.loads).toHaveLength(1);
  });

  it('are cancelled when the host is stopped, also those that nobody waits for', async () => {
    const { url, source, app } = await host(300);
    await resultOf(ask(url));
    await app.close();
    expect(source.loads[0]!.signal.aborted).toBe(true);
  });

  it('answer a legacy client as well', async () => {
    const { url, source } = await host();
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
    const headers = { 'x-api-key': 'a-key' };
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/v1/tools/mcp', url), { requestInit: { headers } }),
    );
    const called = client.callTool({ name: 'summarize_content', arguments: { content_id: 'slow' } });
    await source.begun(1);
    source.loads[0]!.finish();
    expect(await called).toMatchObject({ structuredContent: { summary: expect.any(String) } });
    await client.close();
  });
});
