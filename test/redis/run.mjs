/**
 * `npm run check -- redis`: starts a real redis-server on loopback, runs every `*.redis-spec.ts` under `test/` with its address in
 * `REDIS_URL`, and stops it. A spec that stops Redis in the middle starts one of its own (`redis-server.mjs`).
 */
import { runSpecs } from '../support/run-specs.mjs';
import { startRedis } from './redis-server.mjs';

await runSpecs(startRedis, 'REDIS_URL', '\\.redis-spec\\.ts$');
