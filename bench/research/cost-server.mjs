/** A model, a search and its pages in a process of their own, so that the processor time of the host can be told. Talks to its parent. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { startFakeLlm } from '../../test/support/fake-llm/fake-llm.mjs';
import { playedResearch, stageOf } from '../../test/support/fake-llm/played-research.mjs';

const { detectLanguage } = createRequire(import.meta.url)('../../dist/text/detect-language.js');

const MODEL_MS = 1000;
const SEARCH_MS = 500;
const PAGE_MS = 500;
const CHARACTERS_PER_TOKEN = 4.4;

/** Four needs: two that can be searched at once, and one that waits for each. */
const NEEDS = [
  {
    need: 'the river that feeds the Tarn basin',
    query: 'Tarn basin river',
    quote: 'The Tarn basin is fed by the river Ilmar from the northern hills',
    value: 'Ilmar',
  },
  {
    need: 'the town where fishing on the Tarn basin ended first',
    query: 'Tarn basin fishing ended town',
    quote: 'Fishing on the Tarn basin ended first in the town of Osk',
    value: 'Osk',
  },
  {
    need: 'the dam that was built on the river {1}',
    query: '{1} river dam built',
    quote: 'On the river Ilmar the Kolen dam was built in 1961',
    value: 'Kolen',
  },
  {
    need: 'how many people left {2}',
    query: '{2} people left',
    quote: 'Within ten years 4,100 people left the town of Osk',
    value: '4,100',
  },
];
const texts = readFileSync(new URL('../everyday/pages.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line).text)
  // A page is in one language.
  .filter((text) => detectLanguage(text) === 'en');

/** The paragraphs of a page of so many tokens, with a sentence in its middle. */
function textOf(need, k) {
  const { quote, query } = NEEDS[need];
  const about = `More of ${query.replace(/\{\d\}/g, '')} is told elsewhere.`;
  const sentence = k === 1 ? `${quote}, as the survey says.` : about;
  const n = 97 * need + 11 * k;
  const paragraphs = [];
  let length = 0;
  for (let i = n; length < tokens * CHARACTERS_PER_TOKEN; i++) {
    const text = texts[i % texts.length];
    paragraphs.push(text);
    length += text.length;
  }
  paragraphs.splice(Math.floor(paragraphs.length / 2), 0, sentence);
  return paragraphs.join('\n\n').slice(0, tokens * CHARACTERS_PER_TOKEN);
}

function pageOf(need, k) {
  const body = textOf(need, k)
    .split(/\n{2,}/)
    .map((text) => `<p>${text.replace(/[&<]/g, ' ')}</p>`);
  return `<!doctype html><html lang="en"><head><title>Page ${k}</title></head><body><main>${body.join('\n')}</main></body></html>`;
}

/** The need whose sentence shares most words with a query. */
function needFor(query) {
  const asked = wordsOf(query);
  const shared = NEEDS.map(({ quote }) => [...wordsOf(quote)].filter((word) => asked.has(word)).length);
  return shared.indexOf(Math.max(...shared));
}

/** What fills a schema: lists as long as it allows, texts of some twenty words that are never the same. */
let filled = 0;
function fillingOf({ type, properties, items, description = '' }) {
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, fillingOf(field)]));
  if (type === 'array') {
    const length = Number(/max of (\d+)/.exec(description)?.[1] ?? 3);
    return Array.from({ length }, () => fillingOf(items));
  }
  const { quote } = NEEDS[filled % NEEDS.length];
  return `${quote}, and so it was told again by note ${filled++} of the survey.`;
}

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const counts = { searches: 0, pages: 0 };
const tokens = Number(process.argv[2] ?? 3000);
const wordsOf = (text) => new Set(text.toLowerCase().match(/[a-z]{3,}/g) ?? []);
let port;
const server = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://127.0.0.1');
  if (url.pathname === '/search') {
    counts.searches++;
    await later(SEARCH_MS);
    const best = needFor(url.searchParams.get('q'));
    const results = Array.from({ length: 10 }, (_, k) => ({
      url: `http://127.0.0.1:${port}/pages/${best}/${k}`,
      title: `${NEEDS[best].query.replace(/\{\d\}/g, '')} ${k}`,
      content: 'What is known of the Tarn basin and its towns.',
      engine: 'fake',
    }));
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ query: '', results, unresponsive_engines: [] }));
  }
  if (url.pathname === '/v1/search') {
    // Firecrawl: a search with its pages.
    let body = '';
    for await (const piece of request) body += piece;
    const { query, limit } = JSON.parse(body);
    counts.searches++;
    counts.pages += limit;
    await later(SEARCH_MS + PAGE_MS);
    const best = needFor(query);
    const data = Array.from({ length: limit }, (_, k) => ({
      url: `http://127.0.0.1:${port}/pages/${best}/${k}/${counts.searches}`,
      title: `Page ${k}`,
      markdown: textOf(best, k),
    }));
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ success: true, data }));
  }
  counts.pages++;
  await later(PAGE_MS);
  const [, , need, k] = url.pathname.split('/').map(Number);
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(pageOf(need, k));
});
server.listen(0, '127.0.0.1', async () => {
  ({ port } = server.address());
  const llm = await startFakeLlm({ ttftMs: MODEL_MS, contextTokens: 1_000_000 });
  const played = playedResearch(
    NEEDS.map(({ quote, ...need }) => ({
      ...need,
      facts: [{ quote, text: `${quote}.`, value: need.value }],
    })),
  );
  llm.settings.answer = (prompt, settings, call) => {
    const asked = call.body.response_format?.json_schema?.schema;
    return asked ? JSON.stringify(fillingOf(asked)) : played(prompt, settings, call);
  };
  process.on('message', (message) => {
    if (message === 'end') process.exit();
    const calls = llm.calls.map(({ system, prompt, body, completionTokens }) => ({
      stage: stageOf(system),
      text: `${system}\n${prompt}\n${JSON.stringify(body.response_format ?? '')}`,
      completionTokens,
    }));
    process.send({ counts: { ...counts }, calls });
    llm.reset();
    Object.assign(counts, { searches: 0, pages: 0 });
  });
  process.on('disconnect', () => process.exit());
  process.send({ port, model: llm.url });
});
