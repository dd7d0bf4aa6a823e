#!/usr/bin/env node
import { generateApiKey, hashApiKey } from './api-key.js';

const key = generateApiKey();
process.stdout.write(
  `key    ${key}\nhash   ${hashApiKey(key)}\n\n` +
    `Give the key to the client, it is shown only here. Configure the hash:\n` +
    `  apiKeys: [{ hash: '${hashApiKey(key)}', name: 'a-name-for-logs' }]\n`,
);
