/**
 * `npm run check -- searx`: starts a real searx on loopback, runs every `*.searx-spec.ts` under `test/` with its address in
 * `SEARX_URL`, and stops it. A spec on the HTTP endpoint belongs beside the one on the provider and needs nothing else.
 */
import { runSpecs } from '../support/run-specs.mjs';
import { startSearx } from './searx-server.mjs';

await runSpecs(startSearx, 'SEARX_URL', '\\.searx-spec\\.ts$');
