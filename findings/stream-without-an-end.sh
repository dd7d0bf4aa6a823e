#!/usr/bin/env bash
# Behaviour  A stream that ends early without an error of the connection (no finish reason, no [DONE]) is a complete answer for most SDKs.
#            One adapter of the AI SDK calls it an error.
# Package    @ai-sdk/openai-compatible 3.0.92 and 2.0.87 (ai 7.0.173, 6.0.326) reject; openai 7.59.0, @langchain/openai 1.6.0,
#            @google/genai 3.3.0 and @ai-sdk/anthropic 4.0.105 do not. @anthropic-ai/sdk 1.14.0: finalMessage() rejects, the raw
#            stream does not.
# Source     openai-compatible checks at the end of the stream whether a finish reason came. The others end with the bytes.
# Met by     Everyone behind a proxy that cuts long answers, or whose model server ends early. Half a sentence is stored as the answer.
#            The other way round: every answer of a server that never sends a finish reason is an error in the AI SDK.
# Do         Read the finish reason, and treat a stream without one as failed; in the AI SDK also a finishReason of 'interrupted' (7) or 'other' (6).
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install ai@7.0.173 @ai-sdk/openai-compatible@3.0.92 ai-6@npm:ai@6.0.326 openai-compatible-2@npm:@ai-sdk/openai-compatible@2.0.87 @ai-sdk/anthropic@4.0.105 \
  openai@7.59.0 @langchain/openai@1.6.0 @langchain/core@1.4.0 @google/genai@3.3.0 @anthropic-ai/sdk@1.14.0
check <<'JS'
import { createServer } from 'node:http';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { ChatOpenAI } from '@langchain/openai';
import { streamText } from 'ai';
import { streamText as streamText6 } from 'ai-6';
import OpenAI from 'openai';
import { createOpenAICompatible as createOpenAICompatible2 } from 'openai-compatible-2';
import { finding } from './finding.mjs';

const events = (...objects) => objects.map((object) => `event: ${object.type ?? 'message'}\ndata: ${JSON.stringify(object)}\n\n`).join('');
const OPENAI = events({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content: 'Half a' }, finish_reason: null }] });
const ANTHROPIC = events(
  { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [], model: 'm', stop_reason: null, stop_sequence: null, usage: { input_tokens: 3, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half a' } },
);
const GOOGLE = `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text: 'Half a' }] }, index: 0 }] })}\n\n`;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'text/event-stream');
    response.end(request.url.includes('messages') ? ANTHROPIC : request.url.includes('streamGenerate') ? GOOGLE : OPENAI);
  });
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = `http://127.0.0.1:${server.address().port}`;
const baseURL = `${url}/v1`;
const apiKey = 'k';

const outcome = async (read) => {
  try {
    return `"${await read()}", no error`;
  } catch (error) {
    return `error: ${error.message}`;
  }
};
const joined = async (stream, textOf) => {
  let text = '';
  for await (const part of await stream) text += textOf(part) ?? '';
  return text;
};
const aiSdk = (stream, model) => async () => {
  let failure;
  const result = stream({ model, prompt: 'x', maxRetries: 0, onError: ({ error }) => (failure = error) });
  const text = await joined(result.textStream, (part) => part);
  if (failure) throw failure;
  return `${text}" (${await result.finishReason})"`.slice(0, -1);
};
const messages = [{ role: 'user', content: 'x' }];
const anthropic = new Anthropic({ baseURL: url, apiKey, maxRetries: 0 });
const readers = {
  'openai-compatible 3': aiSdk(streamText, createOpenAICompatible({ name: 'x', baseURL })('m')),
  'openai-compatible 2': aiSdk(streamText6, createOpenAICompatible2({ name: 'x', baseURL })('m')),
  '@ai-sdk/anthropic 4': aiSdk(streamText, createAnthropic({ baseURL, apiKey })('m')),
  openai: () => joined(new OpenAI({ baseURL, apiKey }).chat.completions.create({ model: 'm', messages, stream: true }), (part) => part.choices[0].delta.content),
  langchain: () => joined(new ChatOpenAI({ model: 'm', apiKey, configuration: { baseURL } }).stream('x'), (part) => part.content),
  genai: () => joined(new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } }).models.generateContentStream({ model: 'm', contents: 'x' }), (part) => part.text),
  'anthropic, raw stream': () => joined(anthropic.messages.create({ model: 'm', max_tokens: 9, messages, stream: true }), (event) => event.delta?.text),
  'anthropic, finalMessage': async () => (await anthropic.messages.stream({ model: 'm', max_tokens: 9, messages }).finalMessage()).content[0].text,
};
const seen = {};
for (const [name, read] of Object.entries(readers)) seen[name] = await outcome(read);

finding({ input: 'a stream of one chunk, "Half a", then the regular end of the response', expected: 'the same outcome in all', seen, recorded: {"openai-compatible 3":"error: Response stream ended without a finish reason.","openai-compatible 2":"error: Response stream ended without a finish reason.","@ai-sdk/anthropic 4":"\"Half a\" (interrupted)\", no error","openai":"\"Half a\", no error","langchain":"\"Half a\", no error","genai":"\"Half a\", no error","anthropic, raw stream":"\"Half a\", no error","anthropic, finalMessage":"error: stream ended without producing a Message with role=assistant"} });
server.closeAllConnections();
server.close();
JS
