#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { generateApiKey, hashApiKey } from './api-key-store.js';

const HELP = `Makes an API key and its hash.

Usage: nestjs-tools-key [--name <name>]

  --name <name>   name of the key in logs and reports; default a-name-for-logs
  --help          shows this text

Give the key to the client. It is shown only here. Configure the hash.
`;

interface Flags {
  help: boolean;
  name: string;
}

/** @throws TypeError naming an unknown flag */
function flagsOf(args: string[]): Flags {
  const options = {
    help: { type: 'boolean', short: 'h', default: false },
    name: { type: 'string', default: 'a-name-for-logs' },
  } as const;
  return parseArgs({ args, options }).values;
}

function main(args: string[]): void {
  let flags: Flags;
  try {
    flags = flagsOf(args);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${HELP}`);
    process.exitCode = 2;
    return;
  }
  if (flags.help) {
    process.stdout.write(HELP);
    return;
  }
  const key = generateApiKey();
  const hash = hashApiKey(key);
  const entry = `{ hash: '${hash}', name: ${JSON.stringify(flags.name)} }`;
  process.stdout.write(
    `key    ${key}\nhash   ${hash}\n\n` +
      `Give the key to the client, it is shown only here. Configure the hash:\n  apiKeys: [${entry}]\n`,
  );
}

main(process.argv.slice(2));
