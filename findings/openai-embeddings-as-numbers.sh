#!/usr/bin/env bash
# Behaviour  Embeddings from a server that ignores encoding_format come back as noise: four numbers become one of about 2e-38. No error.
# Package    openai 6.49.0, @langchain/openai 1.5.8; right: @ai-sdk/openai-compatible 3.0.92, and openai with encoding_format: 'float'
# Source     openai resources/embeddings: without a format from the caller it asks for base64 and decodes whatever comes as base64. A list of
#            numbers is taken for bytes.
# Met by     Hosts that point the SDK at a local embeddings server that was written before base64 was asked for.
# Do         Set encoding_format (LangChain: encodingFormat) to 'float'. Check the length of the first vector at start.
# Date       2026-11-27
source "$(dirname "$0")/lib/setup.sh"
install openai@6.49.0 @langchain/openai@1.5.8 @langchain/core@1.4.0 ai@7.0.173 @ai-sdk/openai-compatible@3.0.92
check <<'JS'
import { createServer } from 'node:http';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { OpenAIEmbeddings } from '@langchain/openai';
import { embedMany } from 'ai';
import OpenAI from 'openai';
import { finding } from './finding.mjs';

const vector = [0.25, 0.5, -1, 2];
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'list', model: 'm', data: [{ object: 'embedding', index: 0, embedding: vector }], usage: { prompt_tokens: 1, total_tokens: 1 } }));
  });
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const baseURL = `http://127.0.0.1:${server.address().port}/v1`;
const openai = new OpenAI({ baseURL, apiKey: 'k' });
const input = ['text'];
const first = async (body) => (await openai.embeddings.create({ model: 'm', input, ...body })).data[0].embedding.length;

finding({
  input: 'a server that answers with a vector of 4 numbers',
  expected: { openai: 4, "openai, 'float'": 4, langchain: 4, 'ai sdk': 4 },
  seen: {
    openai: await first({}),
    "openai, 'float'": await first({ encoding_format: 'float' }),
    langchain: (await new OpenAIEmbeddings({ apiKey: 'k', configuration: { baseURL } }).embedDocuments(input))[0].length,
    'ai sdk': (await embedMany({ model: createOpenAICompatible({ name: 'x', baseURL }).embeddingModel('m'), values: input })).embeddings[0].length,
  },
  recorded: {"openai":1,"openai, 'float'":4,"langchain":1,"ai sdk":4},
});
server.close();
JS
