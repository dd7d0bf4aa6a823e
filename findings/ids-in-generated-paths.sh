#!/usr/bin/env bash
# Behaviour  A generated client puts an id into the path as it is: "AC/DC" asks for another route, and what follows a question mark becomes the query. An object in
#            the query is "[object Object]" in the same two.
# Package    swagger-typescript-api 13.13.0, orval 8.38.0 (client fetch); right: @hey-api/openapi-ts 0.99.0; openapi-fetch 0.17.0 encodes the id, but writes
#            obj[r]=1 for r=1
# Source     OpenAPI 3.1, 4.8.12: a parameter of a path is expanded as in RFC 6570 (simple), which encodes reserved characters. An object in a query is by default
#            (form, explode) r=1&g=2. The two put the bare value into a template string. orval has an option urlEncodeParameters, off at first.
# Met by     Clients of servers whose ids are names or numbers with a slash: 404 for some of them, or the answer of another resource.
# Do         Call encodeURIComponent on each id (for orval: override.urlEncodeParameters). Describe objects as single parameters.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install swagger-typescript-api@13.13.0 orval@8.38.0 @hey-api/openapi-ts@0.99.0 openapi-fetch@0.17.0 typescript@6.0.3 esbuild@0.28.2
cat > api.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"T","version":"1"},"servers":[{"url":"http://a.example"}],"paths":{"/bands/{id}":{"get":{"operationId":"getBand","parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}},
{"name":"obj","in":"query","schema":{"type":"object","properties":{"r":{"type":"integer"},"g":{"type":"integer"}}}}],"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object"}}}}}}}}}
JSON
npx openapi-ts -i api.json -o hey -p @hey-api/typescript @hey-api/sdk @hey-api/client-fetch > hey.log 2>&1
echo "export default { api: { input: './api.json', output: { target: './orval/api.ts', client: 'fetch', baseUrl: 'http://a.example' } } };" > orval.config.mjs
npx orval --config orval.config.mjs > orval.log 2>&1
npx swagger-typescript-api generate -p api.json -o sta -n api.ts > sta.log 2>&1
cat > clients.mjs <<'JS'
export { getBand as hey } from './hey/sdk.gen';
export { getBand as orval } from './orval/api';
export { Api } from './sta/api';
JS
npx esbuild clients.mjs --bundle --format=esm --platform=node --outfile=built.mjs --log-level=error
check <<'JS'
import createClient from 'openapi-fetch';
import { finding } from './finding.mjs';

let asked;
globalThis.fetch = async (request) => {
  asked = typeof request === 'string' ? request : request.url;
  return new Response('{}', { headers: { 'content-type': 'application/json' } });
};
const { Api, hey, orval } = await import('./built.mjs');
const baseUrl = 'http://a.example';
const clients = {
  'swagger-typescript-api': (id, query) => new Api({ baseUrl }).bands.getBand(id, query),
  orval: (id, query) => orval(id, query),
  '@hey-api/openapi-ts': (id, query) => hey({ baseUrl, path: { id }, query }),
  'openapi-fetch': (id, query) => createClient({ baseUrl, fetch: globalThis.fetch }).GET('/bands/{id}', { params: { path: { id }, query } }),
};
const seen = {};
for (const [name, call] of Object.entries(clients)) {
  await call('AC/DC?', { obj: { r: 1, g: 2 } });
  seen[name] = asked.replace(baseUrl, '');
}

finding({ input: 'id "AC/DC?", obj {"r":1,"g":2}', expected: '/bands/AC%2FDC%3F?r=1&g=2', seen, recorded: {"swagger-typescript-api":"/bands/AC/DC??obj=%5Bobject%20Object%5D","orval":"/bands/AC/DC??obj=%5Bobject+Object%5D","@hey-api/openapi-ts":"/bands/AC%2FDC%3F?r=1&g=2","openapi-fetch":"/bands/AC%2FDC%3F?obj[r]=1&obj[g]=2"} });
JS
