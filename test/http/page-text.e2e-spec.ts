import fc from 'fast-check';
import type { ServerResponse } from 'node:http';
import { ToolsModule } from '../../lib/index.js';
import { fakePages, type FakePages } from '../support/fake-pages/fake-pages.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import { modern, modernHeaders } from '../support/mcp-host.js';
import { CONFUSING, faultsOfMarkdown, HOSTILE, hostileTexts } from '../support/rendered.js';

/** 3,000 pages of each type with `npm run check -- output`. */
const PAGES = Math.ceil(Number(process.env.CLEANER_RUNS ?? 30) * 0.3);
const WORDS = 'The reef lives in warm and shallow water, where corals build it over many years.';
const isWeb = (url: string): boolean => /^(?:https?:|ftp:|mailto:|\/\/)/.test(url);

/** Code and tags as a stranger's page shows them: live where a border of code is lost. */
const live = fc.constantFrom(
  '<img src=x onerror=alert()>',
  '<script>alert()</script>',
  '<div class="a">kept</div>',
  '![p](https://evil.example/p.png)',
  '[x](javascript:alert())',
  '<i>x</i>',
);
const ticks = fc.constantFrom(
  '`',
  '``',
  '```',
  '~~~',
  '\\`',
  '` `',
  '*',
  '~',
  '_',
  ']',
  '[',
  '](',
  '|',
  '\\',
);
const pieces = fc.array(
  fc.oneof(live, ticks, hostileTexts, fc.constantFrom('words', ' ', WORDS, ...HOSTILE, ...CONFUSING)),
  { minLength: 1, maxLength: 6 },
);
const text = pieces.map((parts) => parts.join(' '));
const many = (unit: string): fc.Arbitrary<string> =>
  fc.integer({ min: 1, max: 40 }).map((n) => unit.repeat(n));

const escaped = (raw: string): string =>
  raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const shown = text.map(escaped);
const htmlBlock = fc.oneof(
  fc.tuple(shown, shown).map(([a, b]) => `<p>${a} <code>${b}</code> reef ${a}</p>`),
  fc.tuple(shown, shown).map(([a, b]) => `<p>reef <img src=x alt="${a}"> <code>${b}</code></p>`),
  fc.tuple(shown, shown).map(([a, b]) => `<p>reef <a href="/x?\`=${a}">${a}</a> <code>${b}</code> ${b}</p>`),
  fc
    .tuple(shown, many('let reef = 1;\n'))
    .map(([a, b]) => `<pre><code class="language-js">${b}${a}\n${b}${a}</code></pre>`),
  fc
    .tuple(shown, shown, fc.integer({ min: 1, max: 30 }))
    .map(
      ([a, b, n]) =>
        `<table><tr><th>${a}</th><th><code>${b}</code></th></tr>${`<tr><td>reef ${a}</td><td><code>${b}</code></td></tr>`.repeat(n)}</table>`,
    ),
  fc
    .tuple(shown, shown)
    .map(
      ([a, b]) =>
        `<ol><li>reef ${a}<ul><li><code>${b}</code><pre>${b}\n\n  ${a}</pre>${a}</li></ul><pre>${a}</pre></li><li>${b}</li></ol>`,
    ),
  fc.tuple(shown, many(' reef')).map(([a, b]) => `<p><code>${a}${b} ${a}${b}</code> ${a}</p>`),
  fc
    .tuple(shown, shown)
    .map(([a, b]) => `<dl><dt>${a}</dt><dd>${b} reef</dd></dl><blockquote>${b}</blockquote>`),
  fc.tuple(shown, shown).map(([a, b]) => `<h2>${a}</h2><p>${WORDS} <s>${b}</s><sup>${a}</sup></p>`),
);
const htmlPages = fc
  .tuple(shown, fc.array(htmlBlock, { minLength: 1, maxLength: 6 }))
  .map(
    ([title, blocks]) =>
      `<!doctype html><title>${title}</title><main><h1>reef</h1>${blocks.join('\n')}</main>`,
  );

const border = fc.constantFrom(
  ...[
    '\n',
    '\n\n',
    '\n- ',
    '\n1. ',
    '\n10. ',
    '\n> ',
    '\n> - ',
    '\n- > ',
    '\n  ',
    '\n   ',
    '\n    ',
    '\n      ',
  ],
  ...[
    '\n```\n',
    '\n```html\n',
    '\n````\n',
    '\n~~~\n',
    '\n  ```\n',
    '\n   ```js\n',
    '\n> ```\n',
    '\n- ```\n',
    '\n```',
  ],
  ...[
    '\n| a | b |\n|---|---|\n| ',
    '\n# ',
    '\n---\n',
    '\n===\n',
    '\n[a]: ',
    '\n[^a]: ',
    '\t',
    '\n\t',
    '\n* ',
    ' ',
  ],
);
const markdownPages = fc
  .array(fc.tuple(border, text, many(' reef')), { minLength: 1, maxLength: 14 })
  .map((parts) => parts.map(([before, words, more]) => before + words + more).join(''));

let page: string;
let site: FakePages;
let small: RunningHost;
let host: RunningHost;
beforeAll(async () => {
  const as = (type: string) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(page);
  site = await fakePages({ '/html': as('text/html'), '/markdown': as('text/markdown') });
  const start = (maxTextTokens?: number) =>
    startHost([
      ToolsModule.forRoot({
        apiKeys: ['a-key'],
        cache: false,
        mcp: maxTextTokens ? { maxTextTokens } : true,
        readPage: { allowHosts: [site.host] },
        search: {
          providers: [
            {
              name: 'own',
              search: async () => ({
                hits: [{ url: 'https://a.example/', title: page, passages: [page] }],
              }),
            },
          ],
          pages: false,
        },
        logRequests: false,
      }),
    ]);
  [host, small] = await Promise.all([start(), start(300)]);
}, 60_000);
afterAll(async () => {
  await closeHosts();
  await site.close();
});

interface Data {
  content?: string;
  next_cursor?: string;
  passages?: { content: string; headings: string[] }[];
  results?: { content: string; title: string }[];
}

/** Whatever a renderer makes of the texts of a result that is no type, picture or web address. */
function faultsOf(texts: readonly (string | undefined)[]): string[] {
  return texts
    .filter((markdown) => markdown !== undefined)
    .flatMap((markdown) =>
      faultsOfMarkdown(markdown, isWeb)
        .filter((fault) => /^(?:marked|markdown-it)/.test(fault))
        .map((fault) => `${fault} in ${JSON.stringify(markdown)}`),
    );
}
const textsOf = ({ content, passages = [], results = [] }: Data): (string | undefined)[] => [
  content,
  ...passages.flatMap((passage) => [passage.content, ...passage.headings]),
  ...results.flatMap((result) => [result.content, result.title]),
];

async function call(tool: string, body: object): Promise<Data> {
  const { status, body: answer } = await host.http
    .post(`/v1/tools/${tool}`)
    .set('X-API-Key', 'a-key')
    .send(body);
  // Of some random pages nothing is left.
  if (status === 422) return {};
  expect({ status, answer }).toMatchObject({ status: 200 });
  return answer.data as Data;
}

async function callOverMcp(of: RunningHost, tool: string, body: object): Promise<(string | undefined)[]> {
  const { body: answer } = await of.http
    .post('/v1/tools/mcp')
    .set(modernHeaders('tools/call', tool))
    .send(modern('tools/call', { name: tool, arguments: body }));
  const { content, structuredContent = {} } = answer.result as {
    content: { text: string }[];
    structuredContent?: Data;
  };
  return [content[0]!.text, ...textsOf(structuredContent)];
}

/** All that is said of a page: its whole, its parts, its passages and what was shortened. */
async function textsAbout(url: string): Promise<Set<string | undefined>> {
  const texts = textsOf(await call('read_page', { url, max_tokens: 20_000 }));
  for (const max_tokens of [100, 170]) {
    for (let cursor: string | undefined, parts = 0; parts === 0 || (cursor && parts < 12); parts++) {
      const part: Data = await call('read_page', { url, max_tokens, ...(cursor ? { cursor } : {}) });
      texts.push(...textsOf(part));
      cursor = part.next_cursor;
    }
  }
  texts.push(...textsOf(await call('read_page', { url, query: 'reef words kept' })));
  texts.push(...textsOf(await call('search_web', { query: 'reef words' })));
  for (const server of [host, small]) {
    texts.push(...(await callOverMcp(server, 'read_page', { url, max_tokens: 20_000 })));
    texts.push(...(await callOverMcp(server, 'read_page', { url, query: 'reef' })));
    texts.push(...(await callOverMcp(server, 'search_web', { query: 'reef' })));
  }
  return new Set(texts);
}

describe.each([
  ['/html', htmlPages],
  ['/markdown', markdownPages],
])('a page of a stranger at %s', (path, pages) => {
  it.each(Array.from({ length: Math.ceil(PAGES / 100) }, (_, round) => round))(
    'has nothing live in its whole, its parts, its passages and what was shortened (round %i)',
    async () => {
      for (const made of fc.sample(pages, Math.min(PAGES, 100))) {
        page = made;
        const faults = faultsOf([...(await textsAbout(site.origin + path))]);
        expect({ page, faults }).toEqual({ page, faults: [] });
      }
    },
    1_200_000,
  );
});
