import { readFile } from 'node:fs/promises';
import {
  type INestApplication,
  ValidationPipe,
  VersioningType,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import Ajv2020 from 'ajv/dist/2020.js';
import { map, type Observable } from 'rxjs';
import { once } from 'node:events';
import { connect as connectTo } from 'node:net';
import fc from 'fast-check';
import { propagation, SpanKind } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { MissingPeerError } from '../../lib/core/errors.js';
import type { Mount } from '../../lib/http/tools-controller.decorator.js';
import { documents, ToolsModule, type RequestEvent, SummarizerService } from '../../lib/index.js';
import { mcpController } from '../../lib/mcp/mcp.controller.js';
import { resolveMcp } from '../../lib/mcp/mcp.options.js';
import { PAGES } from '../search/search.fixtures.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import { modern, modernHeaders, startMcpHost } from '../support/mcp-host.js';
import { recordOpenTelemetry } from '../support/open-telemetry.js';
import { eventually } from '../support/eventually.js';
import { SlowSource } from '../support/slow-source.js';

class HostEnvelope implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((body: unknown) => ({ host: body })));
  }
}

const MODES = [
  ['the legacy revisions', 'legacy'],
  ['whatever the server speaks', 'auto'],
  ['the revision 2026-07-28', { pin: '2026-07-28' }],
] as const;

/** A client of the official SDK. */
async function connect(
  url: string,
  mode: (typeof MODES)[number][1] = 'auto',
  key = 'a-key',
  path = '/v1/tools/mcp',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const headers = { 'x-api-key': key };
  await client.connect(new StreamableHTTPClientTransport(new URL(path, url), { requestInit: { headers } }));
  return client;
}

interface Called {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

const call = async (client: Client, name: string, args: object = {}): Promise<Called> =>
  (await client.callTool({ name, arguments: { ...args } })) as unknown as Called;

describe.each(ADAPTERS)('the MCP endpoint on %s', (_adapter, adapter) => {
  afterEach(closeHosts);

  describe.each(MODES)('for a client of %s', (_mode, mode) => {
    it('lists the tools and answers calls', async () => {
      const { url } = await startMcpHost(adapter());
      const client = await connect(url, mode);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['summarize_content', 'search_web']);
      const found = await call(client, 'search_web', { query: 'When did Mount Vesuvius erupt?', top_n: '1' });
      expect(found.isError).toBeFalsy();
      expect(found.content[0]!.text).toMatch(
        /material to judge.+\n\n> query: When did Mount Vesuvius erupt\?\n> total_results: 1\n> results:\n> - content: /,
      );
      expect(found.content[0]!.text).toContain(
        '\n>   source_url: https://school.example/vesuvius\n>   title: Mount Vesuvius\n',
      );
      expect(found.structuredContent).toMatchObject({
        results: [{ source_url: 'https://school.example/vesuvius', title: 'Mount Vesuvius' }],
      });
      const summary = await call(client, 'summarize_content', { content_id: 'coral' });
      expect(summary.content[0]!.text).toMatch(
        /\n> key_points:\n> - text: .+\n>   start_seconds: \d+\n>   url: https:/,
      );
      await client.close();
    });

    it('lists five tools in at most 1,100 tokens, without output schemas', async () => {
      const { url } = await startMcpHost(adapter(), { readPage: true, transcript: true, askVideo: true });
      const client = await connect(url, mode);
      const { tools } = await client.listTools();
      expect(tools).toHaveLength(5);
      expect(JSON.stringify(tools).length / 4).toBeLessThanOrEqual(1100);
      expect(tools.filter((tool) => 'outputSchema' in tool)).toEqual([]);
      await client.close();
    });

    it('reports progress, strictly increasing, with messages', async () => {
      const { url } = await startMcpHost(adapter());
      const client = await connect(url, mode);
      const heard: { progress: number; message?: string }[] = [];
      const onprogress = (event: { progress: number; message?: string }): void => void heard.push(event);
      await client.callTool(
        { name: 'summarize_content', arguments: { content_id: 'coral' } },
        { onprogress },
      );
      expect(heard.map(({ message }) => message)).toEqual(
        expect.arrayContaining(['Reading the transcript', 'Summarizing']),
      );
      expect(heard.map(({ progress }) => progress)).toEqual(heard.map((_, i) => i + 1));
      await client.close();
    });

    it('answers wrong arguments and failing work with a tool error that fits the output schema', async () => {
      const { url } = await startMcpHost(adapter(), { mcp: { outputSchemas: true } });
      const client = await connect(url, mode);
      const { tools } = await client.listTools();
      const ajv = new Ajv2020({ strict: false });
      const results: [string, object][] = [
        ['search_web', {}],
        ['search_web', { query: 'x', top_n: 99 }],
        ['search_web', { query: 'Vesuvius', llm_answer: 'true', toolCallId: 'abc' }],
        ['search_web', { query: 'zzzz qqqq' }],
        ['summarize_content', { content_id: 'nothing' }],
        ['summarize_content', { content_id: 'coral', output_language: 'xx' }],
        ['summarize_content', { content_id: 'coral' }],
      ];
      for (const [name, args] of results) {
        const result = await call(client, name, args);
        const schema = tools.find((tool) => tool.name === name)!.outputSchema!;
        const fits = ajv.compile(schema);
        expect([name, args, fits(result.structuredContent), fits.errors]).toEqual([name, args, true, null]);
        expect(result.content[0]!.text.length).toBeGreaterThan(20);
      }
      const refused = await call(client, 'search_web', { query: 'x', top_n: 99 });
      expect(refused).toMatchObject({
        isError: true,
        structuredContent: {
          error: { code: 'invalid_request', message: 'top_n must not be greater than 20' },
        },
      });
      expect(refused.content[0]!.text).toBe(
        'Error (invalid_request): top_n must not be greater than 20\nChange the arguments and call again.',
      );
      await expect(call(client, 'no_such_tool')).rejects.toMatchObject({ code: -32602 });
      await client.close();
    });
  });

  it('works below a prefix, with versioning, a global pipe and an interceptor that wraps results', async () => {
    const { url } = await startMcpHost(adapter(), { path: 'agents' }, (app: INestApplication) => {
      app.setGlobalPrefix('api');
      app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
      app.useGlobalPipes(
        new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }),
      );
      app.useGlobalInterceptors(new HostEnvelope());
    });
    for (const [, mode] of MODES) {
      const client = await connect(url, mode, 'a-key', '/api/agents/mcp');
      expect(await call(client, 'search_web', { query: 'Vesuvius' })).toMatchObject({
        structuredContent: {},
      });
      await client.close();
    }
  });

  it('shows and lets call only what the key may use', async () => {
    const { url } = await startMcpHost(adapter());
    const client = await connect(url, 'auto', 'search-only');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['search_web']);
    expect(await call(client, 'summarize_content', { content_id: 'coral' })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'forbidden_tool' } },
    });
    await client.close();
    await expect(connect(url, 'auto', 'wrong-key')).rejects.toThrow();
  });

  it('does not show a tool that is off or not mounted', async () => {
    const off = await connect((await startMcpHost(adapter(), { summarize: false })).url);
    expect((await off.listTools()).tools.map(({ name }) => name)).toEqual(['search_web']);
    const some = await connect((await startMcpHost(adapter(), { controllers: ['summarize_content'] })).url);
    expect((await some.listTools()).tools.map(({ name }) => name)).toEqual(['summarize_content']);
    const only = await startMcpHost(adapter(), { controllers: false });
    expect((await (await connect(only.url)).listTools()).tools).toHaveLength(2);
    await only.http.post('/v1/tools/search_web').send({ query: 'x' }).expect(404);
  });

  it('shares work and results with HTTP', async () => {
    const { url, http } = await startMcpHost(adapter());
    const client = await connect(url);
    const question = { query: 'Who discovered cells?', llm_answer: true };
    await call(client, 'search_web', question);
    const { body } = await http
      .post('/v1/tools/search_web')
      .set('X-API-Key', 'a-key')
      .send(question)
      .expect(200);
    expect(body.data.cached).toBe(true);
  });

  it('counts each call against the limits of its tool and reports it', async () => {
    const events: RequestEvent[] = [];
    const { url } = await startMcpHost(adapter(), {
      limits: { tools: { search_web: 2 } },
      hooks: { onUsage: (event) => void events.push(event) },
    });
    const client = await connect(url);
    for (let i = 0; i < 5; i++) await client.listTools();
    const outcomes: (boolean | undefined)[] = [];
    for (let i = 0; i < 3; i++) outcomes.push((await call(client, 'search_web', { query: 'cells' })).isError);
    expect(outcomes.map(Boolean)).toEqual([false, false, true]);
    expect(await call(client, 'search_web', { query: 'cells' })).toMatchObject({
      structuredContent: { error: { code: 'rate_limited', retry_after_seconds: expect.any(Number) } },
    });
    expect((await call(client, 'summarize_content', { content_id: 'coral' })).isError).toBeFalsy();
    expect(
      events.map(({ tool, statusCode, outcome, key }) => [tool, statusCode, outcome, key?.name]),
    ).toEqual([
      ['search_web', 200, 'ok', 'key-1'],
      ['search_web', 200, 'ok', 'key-1'],
      ['search_web', 429, 'rate_limited', 'key-1'],
      ['search_web', 429, 'rate_limited', 'key-1'],
      ['summarize_content', 200, 'ok', 'key-1'],
    ]);
  });

  it('is not there unless it is asked for', async () => {
    const { http } = await startMcpHost(adapter(), { mcp: undefined });
    await http.post('/v1/tools/mcp').set('x-api-key', 'a-key').send({}).expect(404);
  });

  it('says how to install the SDK where it is missing', async () => {
    const tools = ToolsModule.forRoot({ apiKeys: ['a-key'] });
    const mount: Mount = {
      path: 'v1/tools',
      guards: [],
      operationIdSuffix: '',
      jobs: false,
      decorators: [],
      security: false,
    };
    const missing = () =>
      Promise.reject(new MissingPeerError('@modelcontextprotocol/server', 'The option `mcp`'));
    tools.controllers = [mcpController(mount, resolveMcp(true)!, [], missing)];
    const { http } = await startHost([tools], adapter());
    const { body } = await http
      .post('/v1/tools/mcp')
      .send({ jsonrpc: '2.0', id: 1, method: 'ping' })
      .expect(501);
    expect(body).toMatchObject({
      code: 'not_configured',
      message: expect.stringContaining('npm install @modelcontextprotocol/server'),
    });
  });

  it.each([
    [{ deadlineMs: 5 }, '`mcp.deadlineMs` must be an integer from 100 to 600000'],
    [{ path: '/mcp' }, '`mcp.path` must be a path such as mcp'],
    [{ path: 'search_web' }, '`mcp.path` must be another path than those of the tools'],
    [
      { allowedOrigins: ['app.example'] },
      '`mcp.allowedOrigins[0]` must be a web origin such as https://app.example.com',
    ],
    [{ maxTokens: 5 }, 'unknown option `mcp.maxTokens`'],
    ['yes', '`mcp` must be'],
  ])('refuses the option %j', (mcp, message) => {
    expect(() => ToolsModule.forRoot({ mcp: mcp as never })).toThrow(message);
  });

  it('mounts at a path of the host', async () => {
    const { url } = await startMcpHost(adapter(), {
      mcp: { path: 'for/agents', instructions: 'Cite the pages.' },
    });
    const client = await connect(url, 'auto', 'a-key', '/v1/tools/for/agents');
    expect(client.getInstructions()).toBe('Cite the pages.');
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(client.getServerVersion()).toMatchObject({ name: 'nestjs-tools', version });
  });

  it('keeps a result within maxTextTokens and says what was cut', async () => {
    const long = PAGES.map((page, i) => ({
      ...page,
      url: `https://long.example/${i}`,
      text: `${page.text} `.repeat(60),
    }));
    const { url } = await startMcpHost(adapter(), {
      mcp: { maxTextTokens: 300 },
      search: { providers: [documents(long)] },
    });
    const client = await connect(url);
    const { content, structuredContent } = await call(client, 'search_web', {
      query: 'Mount Vesuvius mitochondria Tejo Zugspitze',
    });
    expect(content[0]!.text.length).toBeLessThan(1200);
    expect(JSON.stringify(structuredContent).length).toBeLessThan(1200);
    expect(content[0]!.text).toContain(structuredContent!.notice);
    expect(structuredContent!.notice).toMatch(/cut to fit/);
  });
});

describe.each(ADAPTERS)('the MCP endpoint over plain HTTP on %s', (_adapter, adapter) => {
  let running: RunningHost;
  beforeAll(async () => {
    running = await startMcpHost(adapter());
  });
  afterAll(closeHosts);

  const post = ({ http }: RunningHost, body: object | string, headers: Record<string, string> = {}) =>
    http
      .post('/v1/tools/mcp')
      .set({ 'x-api-key': 'a-key', 'content-type': 'application/json', ...headers })
      .send(body);
  const ping = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} };

  it('answers JSON to a client that does not read event streams', async () => {
    for (const accept of ['application/json', '*/*', 'text/html']) {
      const { body } = await post(running, ping, { accept })
        .expect(200)
        .expect('content-type', /json/)
        .expect('cache-control', 'no-store');
      expect(body).toMatchObject({ jsonrpc: '2.0', id: 7, result: { tools: [{}, {}] } });
    }
    const { headers } = await post(running, ping, { accept: 'text/event-stream' }).expect(200);
    expect(headers['content-type']).toMatch('text/event-stream');
    expect(headers).toMatchObject({
      'x-request-id': expect.any(String),
      'cache-control': 'no-store, no-transform',
    });
  });

  it('answers 405 to other methods, 401 without a key', async () => {
    const { http } = running;
    for (const method of ['get', 'delete', 'put'] as const)
      await http[method]('/v1/tools/mcp').expect(405).expect('allow', 'POST');
    await http.post('/v1/tools/mcp').send(ping).expect(401);
    await http.post('/v1/tools/mcp').set('authorization', 'Bearer a-key').send(ping).expect(200);
  });

  it('acknowledges notifications', async () => {
    await post(running, { jsonrpc: '2.0', method: 'notifications/initialized' }).expect(202);
  });

  it.each([
    ['an empty object', {}, 400],
    ['a number', '5', 400],
    ['an empty list', [], 400],
    ['text', '"x"', 400],
    ['malformed JSON', '{"jsonrpc":', 400],
    ['no method', { jsonrpc: '2.0', id: 1 }, 400],
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'tools/list' }, 400],
  ])('refuses %s', async (_name, body, status) => {
    await post(running, body).expect(status);
  });

  it('refuses a revision that does not exist, and headers that do not match the body', async () => {
    const list = modern('tools/list') as { params: { _meta: Record<string, unknown> } };
    list.params._meta['io.modelcontextprotocol/protocolVersion'] = '2099-01-01';
    const unknown = await post(running, list, {
      ...modernHeaders('tools/list'),
      'mcp-protocol-version': '2099-01-01',
    });
    expect([unknown.status, unknown.body.error.code]).toEqual([400, -32022]);
    expect(unknown.body.error.data.supported).toContain('2026-07-28');
    const wrong = await post(running, modern('tools/list'), modernHeaders('tools/call', 'search_web'));
    expect([wrong.status, wrong.body.error.code]).toEqual([400, -32020]);
    const method = await post(running, modern('no/such'), modernHeaders('no/such'));
    expect([method.status, method.body.error.code]).toEqual([404, -32601]);
  });

  it('accepts browsers by their origin', async () => {
    const known = await startMcpHost(adapter(), { mcp: { allowedOrigins: ['https://app.example'] } });
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await post(known, ping, headers)).status;
    expect(await status({ origin: 'https://app.example' })).toBe(200);
    expect(await status({ origin: 'http://localhost:5173' })).toBe(200);
    expect(await status({ origin: 'https://tools.example', host: 'tools.example' })).toBe(200);
    expect(await status({ origin: 'https://evil.example' })).toBe(403);
    expect(await status({ origin: 'null' })).toBe(403);
    expect(await status({ origin: 'https://app.example.evil.example' })).toBe(403);
  });

  it.each([
    ['no key', {}],
    ['a key that nobody has checked', { authorization: 'Bearer anything' }],
  ])('refuses a page that was bound to this machine by DNS rebinding, with %s', async (_what, sent) => {
    const open = await startMcpHost(adapter(), { guards: [] });
    const headers = { origin: 'http://evil.example', host: 'evil.example', ...sent };
    const answer = await open.http
      .post('/v1/tools/mcp')
      .set({ 'content-type': 'application/json', ...headers })
      .send(ping);
    expect([answer.status, answer.body.error.message]).toEqual([
      403,
      expect.stringContaining('mcp.allowedOrigins'),
    ]);
  });
});

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
      const socket = connectTo(Number(port), hostname);
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
