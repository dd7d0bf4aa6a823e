#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { generateApiKey, hashApiKey } from './api-key-store.js';

const HELP = `Makes an API key and its hash.

Usage: nestjs-tools-key [--name <name>]

  --name <name>   name of the key in logs and reports; default a-name-for-logs
  --help          shows this text

Give the key to the client. It is shown only here. Configure the hash.
`;

const OPTIONS = {
  help: { type: 'boolean', short: 'h', default: false },
  name: { type: 'string', default: 'a-name-for-logs' },
} as const;

function main(args: string[]): void {
  const { help, name } = parseArgs({ args, options: OPTIONS }).values;
  if (help) {
    process.stdout.write(HELP);
    return;
  }
  const key = generateApiKey();
  const hash = hashApiKey(key);
  process.stdout.write(
    `key    ${key}\nhash   ${hash}\n\n` +
      'Give the key to the client, it is shown only here. Configure the hash:\n' +
      `  apiKeys: [{ hash: '${hash}', name: ${JSON.stringify(name)} }]\n`,
  );
}

try {
  main(process.argv.slice(2));
} catch (error) {
  // An unknown flag.
  process.stderr.write(`${(error as Error).message}\n\n${HELP}`);
  process.exitCode = 2;
}
