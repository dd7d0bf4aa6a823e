/** Real clients of the Model Context Protocol. Run with the folder in which they are installed and the address of the endpoint. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, url] = process.argv.slice(2);
const require = createRequire(join(folder, 'package.json'));
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);
const headers = { 'X-API-Key': 'a-key' };
const NAMES = ['search_web', 'summarize_content'];
const QUESTION = { query: 'Who discovered cells?', top_n: 1 };

const check = async (name, work) => {
  const text = await work();
  assert.match(text, /Robert Hooke/, `${name}: ${text}`);
  console.log(`${name}: ok`);
};
const textOf = ({ content }) => content.map(({ text }) => text).join('\n');

const v2 = await load('@modelcontextprotocol/client');
for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }]) {
  await check(`SDK client 2 (${JSON.stringify(mode)})`, async () => {
    const client = new v2.Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new v2.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    assert.deepEqual((await client.listTools()).tools.map(({ name }) => name).sort(), NAMES);
    const result = await client.callTool({ name: 'search_web', arguments: QUESTION });
    await client.close();
    return textOf(result);
  });
}

await check('SDK client 1', async () => {
  const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
  const { StreamableHTTPClientTransport } = await load('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  assert.deepEqual((await client.listTools()).tools.map(({ name }) => name).sort(), NAMES);
  // This client validates structured results against the output schema, errors included.
  const wrong = await client.callTool({ name: 'search_web', arguments: { query: '' } });
  assert.equal(wrong.isError, true);
  const summary = await client.callTool({
    name: 'summarize_content',
    arguments: { content_id: 'sampleTalk1' },
  });
  assert.match(textOf(summary), /^> summary: Coral reefs/m);
  const result = await client.callTool({ name: 'search_web', arguments: QUESTION });
  await client.close();
  return textOf(result);
});

await check('@ai-sdk/mcp', async () => {
  const { createMCPClient } = await load('@ai-sdk/mcp');
  const client = await createMCPClient({ transport: { type: 'http', url, headers } });
  const tools = await client.tools();
  assert.deepEqual(Object.keys(tools).sort(), NAMES);
  const result = await tools.search_web.execute(QUESTION, { toolCallId: '1', messages: [] });
  await client.close();
  return textOf(result);
});

await check('@langchain/mcp-adapters', async () => {
  const { MultiServerMCPClient } = await load('@langchain/mcp-adapters');
  const client = new MultiServerMCPClient({ mcpServers: { tools: { transport: 'http', url, headers } } });
  const tools = await client.getTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), NAMES);
  const result = await tools.find(({ name }) => name === 'search_web').invoke(QUESTION);
  await client.close();
  return typeof result === 'string' ? result : JSON.stringify(result);
});

await check('mcp-remote', async () => {
  const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
  const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
  const client = new Client({ name: 'test', version: '1' });
  const script = join(folder, 'node_modules/mcp-remote/dist/proxy.js');
  const args = [script, url, '--transport', 'http-only', '--allow-http', '--header', 'X-API-Key:a-key'];
  const env = { ...process.env, MCP_REMOTE_CONFIG_DIR: join(folder, 'mcp-remote') };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  const result = await client.callTool({ name: 'search_web', arguments: QUESTION });
  await client.close();
  return textOf(result);
});

const { encode } = await load('gpt-tokenizer/encoding/o200k_base');
const client = new v2.Client({ name: 'test', version: '1' });
await client.connect(new v2.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
const { tools } = await client.listTools();
const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
const tokens = { shown: encode(JSON.stringify(shown)).length, all: encode(JSON.stringify(tools)).length };
console.log(`the list of tools: ${tokens.shown} tokens that a model sees, ${tokens.all} in all`);
assert.ok(tokens.shown <= 450, 'a model sees more than 450 tokens');
assert.ok(tokens.all <= 1250, 'the list has more than 1,250 tokens');
await client.close();
