// Everything outside of the host under test, in a thread of its own: the web, YouTube, a model's server, and the client.
import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';
import { startFakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { startFakeYouTube } from '../support/fake-youtube/fake-youtube.mjs';

/** By path: `{ type, body, encoding? }`. */
let pages = {};
const web = createServer(({ url }, response) => {
  const page = pages[url];
  if (!page) return response.writeHead(404).end();
  const encoding = page.encoding ? { 'content-encoding': page.encoding } : {};
  return response.writeHead(200, { 'content-type': page.type, ...encoding }).end(page.body);
});
await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));
let answer = '';
const llm = await startFakeLlm({ answer: () => answer, charactersPerToken: 40 });
const youtube = await startFakeYouTube();

const requests = {
  set: async (given) => {
    pages = given.pages ?? pages;
    answer = given.answer ?? answer;
    for (const [id, video] of Object.entries(given.videos ?? {})) youtube.set(id, video);
  },
  ask: async ({ url, headers, body }) => {
    const response = await fetch(url, { method: 'POST', headers, body });
    const text = await response.text();
    return { status: response.status, text: text.slice(0, 2_000), length: text.length };
  },
};
parentPort.on('message', async ({ id, name, value }) => {
  const result = await requests[name](value).catch((error) => ({ error: String(error.stack) }));
  parentPort.postMessage({ id, result });
});
parentPort.postMessage({
  web: `http://127.0.0.1:${web.address().port}`,
  llm: llm.url,
  youtube: youtube.url,
});
