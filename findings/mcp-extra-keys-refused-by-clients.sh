#!/usr/bin/env bash
# Behaviour  A tool of McpServer whose result has a key more than its output schema works in the server's own check and with clients that call
#            it at once. The same client refuses the same result once it has listed the tools.
# Package    @modelcontextprotocol/server 2.4.0 with zod 4.6.7; clients @modelcontextprotocol/client 2.4.0, @modelcontextprotocol/sdk 1.32.2,
#            @langchain/mcp-adapters 1.1.4; @ai-sdk/mcp 2.0.99 does not check
# Source     server: the check throws its parsed value away and sends the handler's own object, while the published JSON Schema says
#            additionalProperties: false, as zod writes it for outputs. Clients check against the schemas of the last tools/list.
# Met by     Authors who return rows of a database or of an API with z.object() as output schema. Tests without tools/list pass.
# Do         Parse the result in the handler (schema.parse), or use z.looseObject().
# Date       2026-11-27
source "$(dirname "$0")/lib/setup.sh"
install @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/node@2.1.2 @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/sdk@1.32.2 \
  @ai-sdk/mcp@2.0.99 @langchain/mcp-adapters@1.1.4 @langchain/core@1.4.0 @langchain/langgraph@1.7.3 zod@4.6.7
check <<'JS'
import { createServer } from 'node:http';
import { createMCPClient } from '@ai-sdk/mcp';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { finding } from './finding.mjs';

const handler = createMcpHandler(() => {
  const mcp = new McpServer({ name: 'server', version: '1.0.0' });
  mcp.registerTool('row', { inputSchema: z.object({}), outputSchema: z.object({ a: z.number() }) }, () => ({ content: [], structuredContent: { a: 1, b: 2 } }));
  return mcp;
});
const server = createServer(toNodeHandler(handler)).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = new URL(`http://127.0.0.1:${server.address().port}/mcp`);
const outcome = async (call) => {
  try {
    return JSON.stringify(await call());
  } catch {
    return 'refused';
  }
};
const client = async (list) => {
  const connected = new Client({ name: 'client', version: '1.0.0' });
  await connected.connect(new StreamableHTTPClientTransport(url));
  if (list) await connected.listTools();
  return (await connected.callTool({ name: 'row', arguments: {} })).structuredContent;
};
const seen = {
  'client 2, not listed': await outcome(() => client(false)),
  'client 2, listed': await outcome(() => client(true)),
  'client 1, listed': await outcome(async () => {
    const connected = new Client1({ name: 'client', version: '1.0.0' });
    await connected.connect(new Transport1(url));
    await connected.listTools();
    return (await connected.callTool({ name: 'row', arguments: {} })).structuredContent;
  }),
  langchain: await outcome(async () => {
    const [row] = await new MultiServerMCPClient({ mcpServers: { server: { transport: 'http', url: url.href } } }).getTools();
    return row.invoke({});
  }),
  'ai sdk': await outcome(async () => {
    const { row } = await (await createMCPClient({ transport: { type: 'http', url: url.href } })).tools();
    return (await row.execute({}, { toolCallId: '1', messages: [] })).structuredContent;
  }),
};

finding({ input: 'outputSchema { a }, result { a: 1, b: 2 }', expected: 'one outcome in all five', seen, recorded: {"client 2, not listed":"{\"a\":1,\"b\":2}","client 2, listed":"refused","client 1, listed":"refused","langchain":"refused","ai sdk":"{\"a\":1,\"b\":2}"} });
process.exit();
JS
