/** What a host pays for MCP before a client asks: modules loaded, and their size. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

const require = createRequire(import.meta.url);
const { ToolsModule } = require('../../dist/index.js');
const tools = ToolsModule.forRoot({ apiKeys: ['a-key'], mcp: true });
const loaded = Object.keys(require.cache);
const ofSdk = () => Object.keys(require.cache).filter((file) => /@modelcontextprotocol|langchain/.test(file));
assert.deepEqual(ofSdk(), [], 'loaded of the SDK');
const parts = loaded.filter((file) => /[\\/]dist[\\/](?:agents|mcp)[\\/]/.test(file));
const names = parts.map((file) => file.replace(/.*dist[\\/]/, ''));
assert.ok(!names.some((name) => /endpoint|agent-tools|toolset/.test(name)), names.join());

const kilobytes = parts.reduce((sum, file) => sum + statSync(file).size, 0) / 1000;
assert.ok(kilobytes < 60, `${kilobytes.toFixed(0)} kB to load: ${names.join(', ')}`);
console.log(`${names.length} small files of ${kilobytes.toFixed(0)} kB: ${names.join(', ')}`);

class Host {}
Module({ imports: [tools] })(Host);
const app = await NestFactory.create(Host, { logger: false });
await app.listen(0, '127.0.0.1');
await setTimeout(100);
assert.deepEqual(ofSdk(), [], 'loaded by an app that has started');
const response = await fetch(`${await app.getUrl()}/v1/tools/mcp`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-api-key': 'a-key' },
  body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
});
assert.equal(response.status, 200, await response.text());
assert.notEqual(ofSdk().length, 0, 'loaded by the first request');
await app.close();
