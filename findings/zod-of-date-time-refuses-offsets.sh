#!/usr/bin/env bash
# Behaviour  The validator that a generator writes for `format: date-time` refuses a valid time with an offset ("…+01:00"). The answer of a server
#            that keeps to its own document is thrown away.
# Package    @hey-api/openapi-ts 0.99.0 (plugin zod); right: orval 8.38.0 (client zod)
# Source     The plugin writes z.iso.datetime() without options, and Zod 4.6.7 then takes Z only. OpenAPI's date-time is that of RFC 3339, with Z or
#            an offset. The plugin has an option dates.offset, off at first.
# Met by     Clients of servers in Java, Python or PostgreSQL, which write offsets; often only in winter, when the offset of London is not Z.
# Do         plugins: [{ name: 'zod', dates: { offset: true } }]. As a server, write times in UTC with Z.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install @hey-api/openapi-ts@0.99.0 orval@8.38.0 zod@4.6.7 typescript@6.0.3
cat > api.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/last":{"get":{"operationId":"last","responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Result"}}}}}}}},
"components":{"schemas":{"Result":{"type":"object","required":["at"],"properties":{"at":{"type":"string","format":"date-time"}}}}}}
JSON
npx openapi-ts -i api.json -o hey -p @hey-api/typescript zod > /dev/null
cat > hey-offset.config.mjs <<'JS'
export default { input: 'api.json', output: 'hey-offset', plugins: ['@hey-api/typescript', { name: 'zod', dates: { offset: true } }] };
JS
npx openapi-ts -f hey-offset.config.mjs > /dev/null
echo "export default { api: { input: './api.json', output: { target: './orval/api.ts', client: 'zod' } } };" > orval.config.mjs
npx orval --config orval.config.mjs > orval.log 2>&1
npx tsc --module nodenext --target es2022 --skipLibCheck --ignoreConfig hey/zod.gen.ts hey-offset/zod.gen.ts orval/api.ts
check <<'JS'
import { zResult } from './hey/zod.gen.js';
import { zResult as zOffset } from './hey-offset/zod.gen.js';
import * as orval from './orval/api.js';
import { finding } from './finding.mjs';

const times = ['2026-11-27T10:00:00Z', '2026-11-27T10:00:00+01:00'];
const accepts = (schema) => times.filter((at) => schema.safeParse({ at }).success);
const [orvalSchema] = Object.values(orval);

finding({
  input: times,
  expected: { 'hey-api': times, 'hey-api, dates.offset': times, orval: times },
  seen: { 'hey-api': accepts(zResult), 'hey-api, dates.offset': accepts(zOffset), orval: accepts(orvalSchema) },
  recorded: {"hey-api":["2026-11-27T10:00:00Z"],"hey-api, dates.offset":["2026-11-27T10:00:00Z","2026-11-27T10:00:00+01:00"],"orval":["2026-11-27T10:00:00Z","2026-11-27T10:00:00+01:00"]},
});
JS
