#!/usr/bin/env bash
# Behaviour  The last event of a stream is lost if the server does not write the blank line behind it.
# Package    groq-sdk 1.6.0, @anthropic-ai/sdk 1.14.0, fetch-event-stream 0.1.6, eventsource-parser 4.1.3; right: openai 7.59.0 (since 7.17.0)
# Source     The HTML standard discards an event that the end of the stream cuts off. The SDKs hold the lines of an event until the blank line, and
#            throw them away at the end. openai did so up to 7.16.0.
# Met by     Servers and proxies that end with "data: {…}\n" or without any line end: the words of the last chunk and the finish reason are missing.
# Do         End every event with a blank line, the last one too. As a client, wait for the finish reason before the text counts as whole.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install openai@7.59.0 groq-sdk@1.6.0 @anthropic-ai/sdk@1.14.0 fetch-event-stream@0.1.6 eventsource-parser@4.1.3
check <<'JS'
import { createServer } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import { createParser } from 'eventsource-parser';
import { events } from 'fetch-event-stream';
import Groq from 'groq-sdk';
import OpenAI from 'openai';
import { finding } from './finding.mjs';

const data = (text, end) => `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content: text }, finish_reason: end }] })}`;
const delta = (text) => `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })}`;
let body;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'text/event-stream');
    response.end(body);
  });
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = `http://127.0.0.1:${server.address().port}`;
const messages = [{ role: 'user', content: 'x' }];
const joined = async (stream, textOf) => {
  let text = '';
  for await (const part of await stream) text += textOf(part) ?? '';
  return text;
};
const chat = (client) => joined(client.chat.completions.create({ model: 'm', messages, stream: true }), (part) => part.choices[0].delta.content);
const seen = {};
for (const [name, end] of Object.entries({ 'blank line': '\n\n', 'line end': '\n', nothing: '' })) {
  body = `${data('Hello ')}\n\n${data('world', 'stop')}${end}`;
  const parsed = [];
  createParser({ onEvent: (event) => parsed.push(event) }).feed(body);
  const streamed = [];
  for await (const event of events(new Response(body))) streamed.push(event);
  seen[name] = {
    openai: await chat(new OpenAI({ baseURL: `${url}/v1`, apiKey: 'k' })),
    groq: await chat(new Groq({ baseURL: url, apiKey: 'k' })),
    'eventsource-parser': parsed.length,
    'fetch-event-stream': streamed.length,
  };
  body = `${delta('Hello ')}\n\n${delta('world')}${end}`;
  seen[name].anthropic = await joined(new Anthropic({ baseURL: url, apiKey: 'k' }).messages.create({ model: 'm', max_tokens: 9, messages, stream: true }), (event) => event.delta?.text);
}

finding({ input: '"Hello " and "world", with three ends of the last event', expected: '"Hello world" and 2 events each time', seen, recorded: {"blank line":{"openai":"Hello world","groq":"Hello world","eventsource-parser":2,"fetch-event-stream":2,"anthropic":"Hello world"},"line end":{"openai":"Hello world","groq":"Hello ","eventsource-parser":1,"fetch-event-stream":1,"anthropic":"Hello "},"nothing":{"openai":"Hello world","groq":"Hello ","eventsource-parser":1,"fetch-event-stream":1,"anthropic":"Hello "}} });
server.closeAllConnections();
server.close();
JS
