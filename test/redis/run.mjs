/**
 * `npm run test:redis`: starts a real redis-server on loopback, runs every `*.redis-spec.ts` under `test/` with its address in
 * `REDIS_URL`, and stops it. A spec that stops Redis in the middle starts one of its own (`redis-server.mjs`). Arguments are
 * handed on to jest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startRedis } from './redis-server.mjs';

const redis = await startRedis().catch((error) => {
  console.error(error.message);
  process.exit(1);
});

const jest = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    ...process.argv.slice(2),
    '--testRegex',
    '\\.redis-spec\\.ts$',
  ],
  { stdio: 'inherit', env: { ...process.env, REDIS_URL: redis.url } },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => jest.kill(signal));
const [code] = await once(jest, 'exit');
await redis.stop();
process.exitCode = code ?? 1;
