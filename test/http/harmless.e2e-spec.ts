import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import fc from 'fast-check';
import type { ServerResponse } from 'node:http';
import { ToolsModule, type SearchHit } from '../../lib/index.js';
import { startFakeLlm, type FakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { fakePages, type FakePages } from '../support/fake-pages/fake-pages.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import { modern, modernHeaders } from '../support/mcp-host.js';
import { CONFUSING, faultsOfMarkdown, faultsOfText, HOSTILE, hostileTexts } from '../support/rendered.js';

/** Texts of one round: each call gets as many as it can hold. */
const ROUND = 50;
/** 1,000 random texts more through each output with `npm run check -- output`. */
const ROUNDS = Math.ceil(Number(process.env.CLEANER_RUNS ?? 0) / 10 / ROUND);
const VIDEO = 'dQw4w9WgXcQ';
const isWeb = (url: string): boolean => /^(?:https?:|ftp:|mailto:|\/\/)/.test(url);
/** As a stranger's page has it: as text, and as markup. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** What the world says in this round. */
let said: string[] = [];
let reply: string | undefined;

const hits = (): SearchHit[] =>
  said.map((text, i) => ({
    url: `https://example.org/${i}?q=${text.slice(0, 200)}`,
    title: `Reef ${text}`,
    ...(i % 2
      ? { snippet: `The reef lives in warm water. ${text}` }
      : { passages: [`The reef lives in warm water. ${text}`, text] }),
    attribution: text,
    license: text,
  }));
const video = () => ({
  language: 'en',
  captions: 'manual' as const,
  title: said[0],
  channel: said[1],
  description: said[2],
  chapters: said.slice(0, 5).map((title, i) => ({ title, startMs: i * 60_000, endMs: i * 60_000 + 60_000 })),
  segments: said.map((text, i) => ({
    startMs: i * 6000,
    endMs: i * 6000 + 5900,
    text: `The reef number ${i} lives in warm water. ${text}`,
  })),
});

let llm: FakeLlm;
let site: FakePages;
let host: RunningHost;
beforeAll(async () => {
  llm = await startFakeLlm({ answer: () => reply! });
  const page = (type: string, body: () => string) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body());
  const paragraphs = (form: (text: string) => string) => () =>
    `<!doctype html><title>${form(said[0]!)}</title><meta property="og:site_name" content="${escaped(said[1]!).replaceAll('"', '&quot;')}"><main>${said
      .map(
        (text, i) =>
          `<h2>${form(text)}</h2><p>The reef number ${i} lives in warm and shallow water. ${form(text)}</p><ul><li>${form(text)}</ul>`,
      )
      .join('\n')}</main>`;
  site = await fakePages({
    '/escaped': page('text/html', paragraphs(escaped)),
    '/raw': page(
      'text/html',
      paragraphs((text) => text),
    ),
    '/text': page('text/plain', () => said.join('\n\n')),
    '/markdown': page('text/markdown', () => said.join('\n\n')),
  });
  const fake = createOpenAICompatible({ name: 'fake', baseURL: llm.url, includeUsage: true })('fake');
  host = await startHost([
    ToolsModule.forRoot({
      apiKeys: ['a-key'],
      model: fake,
      cache: false,
      mcp: true,
      transcript: true,
      askVideo: true,
      readPage: { allowHosts: [site.host] },
      youtube: { transcripts: [{ name: 'own', fetchTranscript: () => Promise.resolve(video()) }] },
      search: {
        providers: [{ name: 'own', search: () => Promise.resolve({ hits: hits() }) }],
        pages: false,
      },
      logRequests: false,
    }),
  ]);
}, 60_000);
afterAll(async () => {
  await closeHosts();
  await Promise.all([llm.close(), site.close()]);
});

/** What is wrong with the strings of a result. `markdown` names the fields that are Markdown; `query` is the request's own. */
function faultsOf(
  value: unknown,
  markdown: readonly string[],
  isKnown: (url: string) => boolean,
  field = '',
): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) =>
      faultsOf(inner, markdown, isKnown, Array.isArray(value) ? field : name),
    );
  if (typeof value !== 'string') return [];
  const faults = [
    ...(markdown.includes(field) ? [] : faultsOfText(value)),
    ...faultsOfMarkdown(value, isKnown).filter(
      // Code of a page stays as it is. Markdown shows it as code.
      (fault) => field !== 'content' || !markdown.includes('content') || /^marked|^markdown-it/.test(fault),
    ),
  ];
  return faults.map((fault) => `${field}: ${fault} in ${JSON.stringify(value).slice(0, 500)}`);
}

/** A call over HTTP and one over MCP. */
async function ask(
  tool: string,
  body: object,
  markdown: readonly string[] = [],
  isKnown = isWeb,
): Promise<string> {
  const plain = await host.http.post(`/v1/tools/${tool}`).set('X-API-Key', 'a-key').send(body);
  expect({ status: plain.status, error: plain.body.error }).toEqual({ status: 200 });
  expect(faultsOf(plain.body.data, markdown, isKnown)).toEqual([]);
  const call = modern('tools/call', { name: tool, arguments: body });
  const agent = await host.http.post('/v1/tools/mcp').set(modernHeaders('tools/call', tool)).send(call);
  expect(agent.status).toBe(200);
  const { content, structuredContent } = agent.body.result as {
    content: { text: string }[];
    structuredContent: object;
  };
  expect(faultsOf(structuredContent, markdown, isKnown)).toEqual([]);
  expect(faultsOf(content[0]!.text, ['content'], isKnown, 'content')).toEqual([]);
  return JSON.stringify(plain.body.data);
}

const rounds: string[][] = [];
const known = [...HOSTILE, ...CONFUSING];
for (let i = 0; i < known.length; i += ROUND) rounds.push(known.slice(i, i + ROUND));
for (let i = 0; i < ROUNDS; i++) rounds.push(fc.sample(hostileTexts, ROUND));

describe.each(rounds.map((texts, i) => [i, texts] as const))('hostile texts of round %i', (_i, texts) => {
  beforeAll(() => {
    said = texts;
  });

  it('do no harm in results of a search', async () => {
    reply = undefined;
    expect(await ask('search_web', { query: 'reef', top_n: 20 })).toContain('lives');
  });

  it.each(['segments', 'text', 'srt', 'vtt'])('do no harm in a transcript as %s', async (format) => {
    expect(await ask('get_transcript', { content_id: VIDEO, format })).toContain('warm water');
  });

  it.each(['/escaped', '/raw', '/text', '/markdown'])('do no harm in the page %s', async (path) => {
    await ask('read_page', { url: site.origin + path, max_tokens: 20_000 }, ['content']);
    await ask('read_page', { url: site.origin + path, query: 'reef' }, ['content']);
  });

  it('do no harm, and lead nowhere, in what a model writes', async () => {
    said = ['Corals build it.', 'Fish live in it.', 'Storms break it.'];
    // What random texts become once they are joined may look like an address.
    const isSource = (url: string): boolean =>
      !texts.every((text) => known.includes(text)) ||
      /^https:\/\/(?:example\.org\/\d\?q=|www\.youtube\.com\/)/.test(url);
    for (let i = 0; i < texts.length; i += 10) {
      const [text] = texts.slice(i);
      reply = JSON.stringify({
        answerable: true,
        answer: `The reef lives in warm water ${text} [1].`,
        quotes: [{ n: 1, text: 'The reef lives in warm water' }],
      });
      const answered = await ask(
        'search_web',
        { query: 'where does the reef live', llm_answer: true },
        ['answer'],
        isSource,
      );
      expect(answered).toContain('warm water');
      reply = JSON.stringify({
        summary: `The reef lives in warm water. ${texts[i + 1]}`,
        key_points: texts
          .slice(i + 2, i + 6)
          .map((point) => ({ t: 6, text: `The reef lives. ${point}`, quote: point })),
        sections: texts
          .slice(i + 6, i + 10)
          .map((title, n) => ({ t: n, title, text: `The reef lives. ${title}` })),
      });
      const summed = await ask('summarize_content', { content_id: VIDEO }, ['markdown'], isSource);
      expect(summed).toContain('warm water');
      reply = JSON.stringify({
        answerable: true,
        answer: `The reef lives in warm water ${text} [1].`,
        quotes: [{ n: 1, quote: 'lives in warm water' }],
      });
      const question = { content_id: VIDEO, question: 'Where does the reef live?' };
      expect(await ask('ask_video', question, ['answer'], isSource)).toContain('warm water');
    }
  });
});
