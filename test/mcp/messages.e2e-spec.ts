import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, type RunningHost } from '../support/host.js';
import { modern, modernHeaders, startMcpHost } from '../support/mcp-host.js';
import { propagation, SpanKind } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { recordOpenTelemetry } from '../support/open-telemetry.js';

describe.each(ADAPTERS)('hostile messages to the MCP endpoint on %s', (_name, adapter) => {
  let host: RunningHost;
  beforeAll(async () => {
    host = await startMcpHost(adapter(), { logRequests: false });
  });
  afterAll(closeHosts);

  const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${host.url}/v1/tools/mcp`, {
      method: 'POST',
      headers: { 'x-api-key': 'a-key', 'content-type': 'application/json', ...headers },
      body,
    });
  const works = async (): Promise<void> => {
    const answer = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }));
    expect(answer.status).toBe(200);
    await answer.text();
  };

  it('come one at a time', async () => {
    const batch = await post(JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'ping' }]));
    expect(batch.status).toBe(400);
    expect(await batch.json()).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it.each([
    ['2025-03-26', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
  ])('agree on no revision with batches: asked for %s, on %s', async (asked, agreed) => {
    const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    const answer = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
    expect(await answer.json()).toMatchObject({ result: { protocolVersion: agreed } });
  });

  describe('through OpenTelemetry', () => {
    const recorded = recordOpenTelemetry();
    beforeEach(() => propagation.setGlobalPropagator(new W3CTraceContextPropagator()));
    afterEach(() => propagation.disable());

    it('are server spans below the span of their client, with the tool below them', async () => {
      const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
      const _meta = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
      const call = (name: string, args: object) =>
        post(
          JSON.stringify({
            jsonrpc: '2.0',
            id: 7,
            method: 'tools/call',
            params: { name, arguments: args, _meta },
          }),
        ).then((answer) => answer.text());
      await call('search_web', { query: 'cells' });
      await call('search_web', { query: '' });
      await call('no_such_tool', {});
      const spans = recorded.spans().filter(({ kind }) => kind === SpanKind.SERVER);
      expect(spans.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
        ['tools/call search_web', undefined],
        ['tools/call search_web', 'tool_error'],
        ['tools/call unknown', '-32602'],
      ]);
      expect(spans[0]!.spanContext().traceId).toBe(traceId);
      expect(spans[0]!.attributes).toMatchObject({
        'mcp.method.name': 'tools/call',
        'jsonrpc.request.id': '7',
        'gen_ai.tool.name': 'search_web',
        'gen_ai.operation.name': 'execute_tool',
      });
      const tool = recorded.spans().find(({ name }) => name === 'nestjs_tools search_web')!;
      expect(tool.parentSpanContext?.spanId).toBe(spans[0]!.spanContext().spanId);
    });
  });

  it('never cost more than a 4xx or an error of the protocol', async () => {
    const id = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.constant(undefined), fc.anything());
    const method = fc.oneof(
      fc.constantFrom(
        'tools/call',
        'tools/list',
        'initialize',
        'ping',
        'server/discover',
        'notifications/cancelled',
      ),
      fc.string(),
    );
    const params = fc.oneof(
      fc.anything(),
      fc.record({ name: fc.oneof(fc.constant('search_web'), fc.anything()), arguments: fc.anything() }),
    );
    const message = fc.oneof(
      fc.record({ jsonrpc: fc.constantFrom('2.0', '1.0', 2), id, method, params }),
      fc.record({ jsonrpc: fc.constant('2.0'), id, result: fc.anything() }),
      fc.array(fc.record({ jsonrpc: fc.constant('2.0'), id, method, params }), { maxLength: 5 }),
      fc.anything(),
    );
    await fc.assert(
      fc.asyncProperty(message, fc.boolean(), async (value, isModern) => {
        let body: string | undefined;
        try {
          body = JSON.stringify(value);
        } catch {
          // Some values have no JSON.
        }
        const answer = await post(body ?? '', isModern ? modernHeaders('tools/call', 'search_web') : {});
        await answer.text();
        expect(answer.status).toBeLessThan(500);
      }),
    );
    await works();
  });

  it('have a request id where their origin is refused', async () => {
    const answer = await post('{}', { origin: 'https://evil.example' });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([403, expect.any(String)]);
  });

  it('are refused where they are too large or too deep, and the endpoint goes on', async () => {
    expect((await post(JSON.stringify({ query: 'x'.repeat(3_000_000) }))).status).toBe(413);
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_web","arguments":{"query":${deep}}}}`;
    expect((await post(call)).status).toBeLessThan(500);
    const batch = Array.from({ length: 1000 }, (_, i) => ({ jsonrpc: '2.0', id: i, method: 'ping' }));
    expect((await post(JSON.stringify(batch))).status).toBe(400);
    await works();
  });

  it('do not find a way past the key by another header or address', async () => {
    for (const headers of [{ 'x-api-key': '' }, { 'x-api-key': 'a-key, a-key' }, { 'x-api-key': 'wrong' }])
      expect((await post('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', headers)).status).toBe(401);
    expect((await fetch(`${host.url}/v1/tools/mcp/`, { method: 'POST' })).status).toBeGreaterThanOrEqual(401);
  });

  it('leave nothing behind where the client reads slowly and hangs up', async () => {
    const { hostname, port } = new URL(host.url);
    const body = JSON.stringify(
      modern('tools/call', {
        name: 'search_web',
        arguments: { query: 'cells' },
        _meta: { progressToken: 1 },
      }),
    );
    const headers = Object.entries({
      ...modernHeaders('tools/call', 'search_web'),
      host: 'x',
      'content-length': String(body.length),
    });
    for (let i = 0; i < 10; i++) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.write(
        `POST /v1/tools/mcp HTTP/1.1\r\n${headers.map((pair) => pair.join(': ')).join('\r\n')}\r\n\r\n${body}`,
      );
      await once(socket, 'readable');
      socket.read(1);
      socket.destroy();
    }
    await works();
  });
});
