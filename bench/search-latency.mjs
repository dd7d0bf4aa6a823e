// npm run bench:latency: time to results with a provider and a page that never answer, beside the same set without them.
// Everything speaks HTTP on loopback: two SearXNG servers with a usual spread of latencies, and the pages they point to.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { SearchService, searxng } from '../dist/index.js';
import { embeddedAnswers } from '../dist/embedded/answer/embedded-answers.js';
import { resolveSearch } from '../dist/search/search.options.js';
import { createPageReader } from '../dist/web/page-reader.js';

const REQUESTS = Number(process.argv[2] ?? 60);
const HEDGE_MS = 400;
const DEADLINE_MS = 3000;
const PAGES = 8;
const PARAGRAPH =
  'Corals are animals that build limestone, and the algae inside them feed them with sugar from sunlight. ';

let seed = 7;
const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
/** 60..240 ms, now and then 350: what a search server takes. */
const latency = () => (random() < 0.05 ? 350 : 60 + random() * 180);

async function serve(handler) {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => (server.closeAllConnections(), server.close()),
  };
}

let hungPage = false;
const pages = await serve((request, response) => {
  if (hungPage && request.url === '/page/1') return;
  setTimeout(() => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<title>${request.url}</title><article><p>${PARAGRAPH.repeat(12)}</p></article>`);
  }, latency());
});
const results = Array.from({ length: PAGES }, (_, i) => ({
  url: `${pages.url}/page/${i}`,
  title: `Page ${i}`,
  content: `Snippet ${i} about corals.`,
}));
const search = await serve((_request, response) => {
  setTimeout(() => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ query: 'corals', results }));
  }, latency());
});
const hung = await serve(() => undefined);

async function measure(name, urls, withHungPage) {
  hungPage = withHungPage;
  const providers = urls.map((url) => searxng({ url, retries: 0 }));
  const pageReader = createPageReader({ allowHosts: [new URL(pages.url).host] });
  const service = new SearchService({
    providers,
    answers: embeddedAnswers(),
    options: { ...resolveSearch({ deadlineMs: DEADLINE_MS, hedgeAfterMs: HEDGE_MS }).service, enabled: true },
    pages: pageReader,
  });
  const times = [];
  for (let i = 0; i < REQUESTS; i++) {
    const start = performance.now();
    const { results: found } = await service.search({ query: `corals ${i}` }, { noCache: true });
    if (found.length === 0) throw new Error('no results');
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))]);
  return { set: name, requests: REQUESTS, p50: at(0.5), p95: at(0.95), longest: at(1) };
}

const without = await measure('two providers, eight pages', [search.url, search.url], false);
const rows = [
  without,
  await measure('first provider hung', [hung.url, search.url], false),
  await measure('a page hung', [search.url, search.url], true),
  await measure('first provider and a page hung', [hung.url, search.url], true),
];
console.table(rows);
const bound = Math.round(without.p95 * 1.1 + HEDGE_MS);
console.log(
  `bound for p95: 1.1 × ${without.p95} ms + ${HEDGE_MS} ms of hedge = ${bound} ms; deadline ${DEADLINE_MS} ms`,
);
for (const server of [pages, search, hung]) server.close();
process.exitCode = rows.every(({ p95, longest }) => p95 <= bound && longest <= DEADLINE_MS) ? 0 : 1;
