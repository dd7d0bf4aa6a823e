/**
 * `npm run check -- postgres`: starts a real PostgreSQL on loopback, runs every `*.postgres-spec.ts` under `test/` with its address in
 * `POSTGRES_URL`, and stops it. A spec that stops PostgreSQL in the middle starts one of its own (`postgres-server.mjs`).
 */
import { runSpecs } from '../support/run-specs.mjs';
import { startPostgres } from './postgres-server.mjs';

await runSpecs(startPostgres, 'POSTGRES_URL', '\\.postgres-spec\\.ts$');
