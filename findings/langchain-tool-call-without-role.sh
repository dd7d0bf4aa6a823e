#!/usr/bin/env bash
# Behaviour  A streamed tool call vanishes if no delta names a role. If its arguments come in parts without an index, the call is given with
#            empty arguments {} and looks valid.
# Package    @langchain/openai 1.6.0; right in both: @ai-sdk/openai-compatible 3.0.92
# Source     dist/converters/completions.js makes a chat message of an unknown role of a delta without role; only one of the assistant carries
#            tool calls. @langchain/core joins parts by index. The OpenAPI document of OpenAI makes role optional.
# Met by     Hosts that use ChatOpenAI with another server of the OpenAI form.
# Do         Have the server send role: "assistant" in the first delta and an index for each tool call.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install @langchain/openai@1.6.0 @langchain/core@1.4.0 ai@7.0.173 @ai-sdk/openai-compatible@3.0.92 zod@4.6.7
check <<'JS'
import { createServer } from 'node:http';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { streamText, tool } from 'ai';
import { z } from 'zod';
import { finding } from './finding.mjs';

const chunk = (delta, end = null) => `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`;
const END = `${chunk({}, 'tool_calls')}data: [DONE]\n\n`;
const start = (text, more) => ({ id: 't1', type: 'function', function: { name: 'add', arguments: text }, ...more });
const STREAMS = {
  'role and index': chunk({ role: 'assistant', tool_calls: [start('{"a":', { index: 0 })] }) + chunk({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }),
  'no role': chunk({ tool_calls: [start('{"a":', { index: 0 })] }) + chunk({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }),
  'no index': chunk({ role: 'assistant', tool_calls: [start('{"a":')] }) + chunk({ tool_calls: [{ function: { arguments: '1}' } }] }),
};
let body;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'text/event-stream');
    response.end(body);
  });
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const baseURL = `http://127.0.0.1:${server.address().port}/v1`;
const langchain = async () => {
  let whole;
  for await (const part of await new ChatOpenAI({ model: 'm', apiKey: 'k', configuration: { baseURL } }).stream('x')) whole = whole ? whole.concat(part) : part;
  return (whole.tool_calls ?? []).map(({ args }) => args);
};
const aiSdk = async () => {
  const tools = { add: tool({ inputSchema: z.object({ a: z.number() }) }) };
  const { fullStream } = streamText({ model: createOpenAICompatible({ name: 'x', baseURL })('m'), prompt: 'x', maxRetries: 0, tools });
  const calls = [];
  for await (const part of fullStream) if (part.type === 'tool-call') calls.push(part.input);
  return calls;
};
const seen = {};
for (const [name, text] of Object.entries(STREAMS)) {
  body = text + END;
  seen[name] = { langchain: await langchain(), 'ai sdk': await aiSdk() };
}

finding({ input: 'one call, add({ a: 1 })', expected: '[{"a":1}] six times', seen, recorded: {"role and index":{"langchain":[{"a":1}],"ai sdk":[{"a":1}]},"no role":{"langchain":[],"ai sdk":[{"a":1}]},"no index":{"langchain":[{}],"ai sdk":[{"a":1}]}} });
server.closeAllConnections();
server.close();
JS
