/**
 * `npm run test:searx`: starts a real searx on loopback, runs every `*.searx-spec.ts` under `test/` with its address in
 * `SEARX_URL`, and stops it. A spec on the HTTP endpoint belongs beside the one on the provider and needs nothing else.
 * Arguments are handed on to jest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startSearx } from './searx-server.mjs';

const searx = await startSearx().catch((error) => {
  console.error(error.message);
  process.exit(1);
});

const jest = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    '--testRegex',
    '\\.searx-spec\\.ts$',
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', env: { ...process.env, SEARX_URL: searx.url } },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => jest.kill(signal));
const [code] = await once(jest, 'exit');
await searx.stop();
process.exitCode = code ?? 1;
