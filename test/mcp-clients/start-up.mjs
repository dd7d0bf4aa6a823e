/** What a host without the option `mcp` pays for it: modules loaded, and time to load them. */
import assert from 'node:assert/strict';
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

for (const file of parts) delete require.cache[file];
const start = performance.now();
for (const file of parts) require(file);
const ms = performance.now() - start;
assert.ok(ms < 5, `${ms.toFixed(1)} ms to load ${names.join(', ')}`);
console.log(`${names.length} small files in ${ms.toFixed(1)} ms: ${names.join(', ')}`);
