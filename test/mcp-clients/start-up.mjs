/** What a host without the option `mcp` pays for it: modules loaded, and their size. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { ToolsModule } = require('../../dist/index.js');
ToolsModule.forRoot({ apiKeys: ['a-key'], mcp: true });
const loaded = Object.keys(require.cache);
const ofSdk = loaded.filter((file) => /@modelcontextprotocol|langchain/.test(file));
assert.deepEqual(ofSdk, [], 'loaded of the SDK');
const parts = loaded.filter((file) => /[\\/]dist[\\/](?:agents|mcp)[\\/]/.test(file));
const names = parts.map((file) => file.replace(/.*dist[\\/]/, ''));
assert.ok(!names.some((name) => /endpoint|agent-tools|toolset/.test(name)), names.join());

const kilobytes = parts.reduce((sum, file) => sum + statSync(file).size, 0) / 1000;
assert.ok(kilobytes < 60, `${kilobytes.toFixed(0)} kB to load: ${names.join(', ')}`);
console.log(`${names.length} small files of ${kilobytes.toFixed(0)} kB: ${names.join(', ')}`);
