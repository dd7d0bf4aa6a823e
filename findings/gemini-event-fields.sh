#!/usr/bin/env bash
# Behaviour  A streamed answer is empty, without an error, if a comment or a field such as `id:` or `event:` stands before `data:` in the same event. An id behind
#            the data, or data over two lines, raise an error.
# Package    @google/genai 3.3.0 (generateContentStream; 2.32.0 too); right: openai 7.59.0, @mistralai/mistralai 2.7.0, eventsource-parser 4.1.3
# Source     dist/node/index.mjs of 2.32.0: what stands before a blank line is JSON behind `data:` if it begins so, and is left out otherwise. In the HTML standard
#            (9.2.6) an event has its fields in any order, and its lines of data are joined.
# Met by     Hosts whose httpOptions.baseUrl is a gateway that writes events by a framework: many give each event an id or a name.
# Do         Let the gateway write one line of `data:` and nothing else. As a client, take an empty answer without a finish reason for a failure.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install @google/genai@3.3.0 openai@7.59.0 @mistralai/mistralai@2.7.0 eventsource-parser@4.1.3
check <<'JS'
import { createServer } from 'node:http';
import { GoogleGenAI } from '@google/genai';
import { Mistral } from '@mistralai/mistralai';
import { createParser } from 'eventsource-parser';
import OpenAI from 'openai';
import { finding } from './finding.mjs';

const gemini = (text) => JSON.stringify({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }] });
const chat = (text) => JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content: text }, finish_reason: null }] });
const forms = {
  'data alone': (json) => `data: ${json}\n\n`,
  'a comment before': (json) => `: keep-alive\n\ndata: ${json}\n\n`,
  'a comment above': (json) => `: chunk\ndata: ${json}\n\n`,
  'id first': (json) => `id: 7\ndata: ${json}\n\n`,
  'event first': (json) => `event: message\ndata: ${json}\n\n`,
  'id last': (json) => `data: ${json}\nid: 7\n\n`,
  'two lines': (json) => `data: ${json.slice(0, 1)}\ndata: ${json.slice(1)}\n\n`,
};
let body;
const server = createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('content-type', 'text/event-stream').end(body));
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = `http://127.0.0.1:${server.address().port}`;
const joined = async (stream, textOf) => {
  let text = '';
  for await (const part of await stream) text += textOf(part) ?? '';
  return text;
};
const messages = [{ role: 'user', content: 'x' }];
const parsed = (text) => {
  const events = [];
  createParser({ onEvent: ({ data }) => events.push(data) }).feed(text);
  return events.filter((data) => data !== '[DONE]').map((data) => JSON.parse(data).choices[0].delta.content).join('');
};
const clients = {
  '@google/genai': [gemini, () => joined(new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: url } }).models.generateContentStream({ model: 'm', contents: 'x' }), ({ text }) => text)],
  openai: [chat, () => joined(new OpenAI({ baseURL: url, apiKey: 'k', maxRetries: 0 }).chat.completions.create({ model: 'm', messages, stream: true }), (part) => part.choices[0].delta.content)],
  '@mistralai/mistralai': [chat, () => joined(new Mistral({ serverURL: url, apiKey: 'k' }).chat.stream({ model: 'm', messages }), ({ data }) => data.choices[0].delta.content)],
  'eventsource-parser': [chat, () => parsed(body)],
};
const seen = {};
for (const [client, [chunk, ask]] of Object.entries(clients)) {
  seen[client] = {};
  for (const [name, form] of Object.entries(forms)) {
    body = form(chunk('Hello ')) + form(chunk('world')) + (chunk === chat ? 'data: [DONE]\n\n' : '');
    seen[client][name] = await Promise.resolve(ask()).catch(() => 'error');
  }
}
server.closeAllConnections();
server.close();

finding({ input: '"Hello " and "world" as two events, in seven forms', expected: '"Hello world" each time', seen, recorded: {"@google/genai":{"data alone":"Hello world","a comment before":"Hello world","a comment above":"","id first":"","event first":"","id last":"error","two lines":"error"},"openai":{"data alone":"Hello world","a comment before":"Hello world","a comment above":"Hello world","id first":"Hello world","event first":"Hello world","id last":"Hello world","two lines":"Hello world"},"@mistralai/mistralai":{"data alone":"Hello world","a comment before":"Hello world","a comment above":"Hello world","id first":"Hello world","event first":"Hello world","id last":"Hello world","two lines":"Hello world"},"eventsource-parser":{"data alone":"Hello world","a comment before":"Hello world","a comment above":"Hello world","id first":"Hello world","event first":"Hello world","id last":"Hello world","two lines":"Hello world"}} });
JS
