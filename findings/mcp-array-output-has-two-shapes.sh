#!/usr/bin/env bash
# Behaviour  The structured result of a tool whose output is an array has two shapes: [1] for clients of the revision of 2026-07-28,
#            {"result":[1]} for older ones, and the output schema that tools/list shows changes with it.
# Package    @modelcontextprotocol/server 2.4.0, @modelcontextprotocol/client 2.4.0
# Source     The newer revision allows any JSON value as structured content, the older ones an object. The server's doc comment on its
#            per-revision projection of results names the wrapper.
# Met by     Code that reads structuredContent of one server with two clients, or records it with one and plays it to another. The client of
#            2.4.0 speaks the older form unless versionNegotiation says otherwise.
# Do         Return an object ({ items: […] }), which has one shape in all revisions.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/node@2.1.2 @modelcontextprotocol/client@2.4.0 zod@4.6.7
check <<'JS'
import { createServer } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { finding } from './finding.mjs';

const handler = createMcpHandler(() => {
  const mcp = new McpServer({ name: 'server', version: '1.0.0' });
  mcp.registerTool('list', { inputSchema: z.object({}), outputSchema: z.array(z.number()) }, () => ({ content: [], structuredContent: [1] }));
  return mcp;
});
const server = createServer(toNodeHandler(handler)).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = new URL(`http://127.0.0.1:${server.address().port}/mcp`);
const seen = {};
for (const mode of [undefined, 'legacy', 'auto']) {
  const client = new Client({ name: 'client', version: '1.0.0' }, mode ? { versionNegotiation: { mode } } : {});
  await client.connect(new StreamableHTTPClientTransport(url));
  const [{ outputSchema }] = (await client.listTools()).tools;
  const { structuredContent } = await client.callTool({ name: 'list', arguments: {} });
  seen[mode ?? 'default'] = `schema of an ${outputSchema.type}, ${JSON.stringify(structuredContent)}`;
}

finding({ input: 'outputSchema z.array(z.number()), result [1]', expected: 'an error when the tool is registered, or [1]', seen, recorded: {"default":"schema of an object, {\"result\":[1]}","legacy":"schema of an object, {\"result\":[1]}","auto":"schema of an array, [1]"} });
process.exit();
JS
