import { firecrawlScrape, jinaReader, ToolsModule, unpdfReader, youExtract } from '../../lib/index.js';
import { type ReadPageOptions } from '../../lib/tools/read-page.js';
import { fakePages, type FakePage, type FakePages } from '../support/fake-pages/fake-pages.js';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';

const as =
  (type: string, body: string | Buffer, status = 200, headers: Record<string, string> = {}): FakePage =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': type, ...headers }).end(body);
const redirect =
  (location: string): FakePage =>
  (_request, response) =>
    void response.writeHead(302, { location }).end();
const sentence = (n: number): string =>
  `Sentence ${n} says that the workshop repairs bicycles, scooters and whatever else rolls on two wheels.`;
const HOURS =
  '<table><tr><th>Day</th><th>Opens</th></tr>' +
  Array.from({ length: 40 }, (_, i) => `<tr><td>Day ${i}</td><td>${i % 24}:00 o'clock</td></tr>`).join('') +
  '</table>';
const SHOP = `<!doctype html><html lang="en"><head><title>Workshop</title><meta property="og:site_name" content="Wheels">
  <meta property="article:published_time" content="2026-01-02"></head><body>
  <nav><a href="/">Home</a></nav><div class="cookie-banner">We use cookies on this site, all of them.</div><main><h1>Workshop</h1>
  <p>${sentence(1)} See the <a href="prices.html#top">prices</a> and run <code>npm i</code>.</p>
  <h2>Bring<a class="hash" href="#bring">#</a></h2><ul><li>A lock</li><li>A lamp<ol><li>charged</li></ol></li></ul>
  <h2>Opening hours</h2><p>The doors open as follows:</p>${HOURS}<pre><code class="language-js">a();\n  b();</code></pre>
  <p><img src="x.png" alt="The front door"></p><p>${sentence(2)}</p></main><footer>Imprint</footer></body></html>`;
const FEED = `<?xml version="1.0"?><rss><channel><title>News &amp; notes</title><language>en-gb</language>
  <item><title><![CDATA[First <b>one</b>]]></title><link>https://a.example/1</link><pubDate>Tue, 05 Mar 2024 10:00:00 GMT</pubDate>
  <description>&lt;p&gt;Short &lt;i&gt;text&lt;/i&gt;.&lt;/p&gt;</description></item></channel></rss>`;

/** Code in an item of an item, behind prose that is longer than a passage. */
const STEPS = `<main><p>Start the workshop.</p><ol><li>Prepare<ul><li>${'Clean the wheel with warm water. '.repeat(40)}<pre>lamp --on\n  &lt;b&gt;\n${'turn wheel\n'.repeat(60)}ring bell</pre></li></ul></li><li>Ride</li></ol></main>`;
/** A PDF of one page: a table of 40 rows with its head. */
const TABLE_PDF = ((): string => {
  const rows = [
    ['City', 'Bicycles', 'Lanes'],
    ...Array.from({ length: 40 }, (_, i) => [`City${i}`, 100 + i, 7]),
  ];
  const cells = rows.flatMap((row, i) =>
    row.map((cell, j) => `1 0 0 1 ${50 + j * 100} ${750 - i * 14} Tm (${cell}) Tj`),
  );
  const stream = `BT /F1 10 Tf ${cells.join(' ')} ET`;
  return `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[4 0 R]/Count 1>>endobj
3 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
4 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents 5 0 R>>endobj
5 0 obj<</Length ${stream.length}>>stream
${stream}
endstream endobj
trailer<</Root 1 0 R>>`;
})();

/** A text in windows-1251. */
const inCyrillic = (text: string): Buffer =>
  Buffer.from(
    Array.from(text, (char) =>
      char < '\u0400' ? char : String.fromCharCode(char.charCodeAt(0) - 0x350),
    ).join(''),
    'latin1',
  );

let site: FakePages;
let inner: FakePages;
beforeAll(async () => {
  inner = await fakePages({ '/': '<p>Inside of the network.' });
  site = await fakePages({
    '/shop': SHOP,
    '/moved': redirect('/shop'),
    '/inside': redirect(`${inner.origin}/`),
    '/private': redirect('/login?next=/private'),
    '/members': redirect('/sign-in#next=/members'),
    '/sign-in': '<h1>Members</h1><p>Write to us for a link that lets you in.</p>',
    '/login': '<form><input type="password" name="p"></form>',
    '/consenting':
      `<main><h1>The mill is closed</h1><p>${'The wheel is being painted this week, and the shop is open. '.repeat(2)}</p></main>` +
      `<div id="cookie-banner"><p>${'We and our partners store cookies on your device and read them. '.repeat(9)}</p></div>`,
    '/about-cookies':
      '<main><h1>Cookies</h1>' +
      '<p>A cookie is a file in which a site writes down who its visitor is.</p>'.repeat(9) +
      '</main><script src="a.js"></script>',
    '/recipe': '<main><h1>Oat cookies</h1><p>These cookies take ten minutes in the oven.</p></main>',
    '/signed-out': `<p>${'All of this can be read by everyone. '.repeat(15)}<form><input type="password"></form>`,
    '/needs-js':
      '<main><h1>enable()</h1><p>To run the plugin, enable JavaScript in the settings.</main><script src="a.js"></script>',
    '/covered': `<div style="display:none"><h1>Tunnels</h1><p>${'The relay sees the names of hosts. '.repeat(20)}</div><script src="a.js"></script>`,
    '/refresh':
      '<meta http-equiv="refresh" content="0; url=/shop"><p>Redirecting to <a href="/shop">latest</a>…',
    '/refresh-inside': `<meta http-equiv="Refresh" content="0;URL='${inner.origin}/'"><p>Wait.`,
    '/refresh-itself':
      '<meta http-equiv="refresh" content="0"><meta http-equiv="refresh" content="0; url=/refresh-itself"><p>Here I am.',
    '/refresh-later': '<meta http-equiv="refresh" content="30; url=/shop"><p>The score is two to one.',
    '/refresh-noscript':
      '<noscript><meta http-equiv="refresh" content="0; url=/shop"></noscript><p>With scripts.',
    '/gone': as('text/html', 'x', 410),
    '/401': as('text/html', 'x', 401),
    '/403': as('text/html', 'x', 403),
    '/busy': as('text/html', 'x', 503, { 'retry-after': '17' }),
    '/app':
      '<html><body><div class="cookie-consent">We and our 700 partners use cookies.</div><div id="root"></div><script src="a.js"></script>',
    '/shell':
      '<body><noscript>Please enable JavaScript.</noscript><div id="root">Loading…</div><div class="x7"><h2>We value your privacy</h2>' +
      '<p>We and our 812 partners store cookies on your device, for ads and to measure how they do.</p></div><script src="a.js"></script>',
    '/enable':
      '<body><h1>JavaScript is not available.</h1><p>Enable JavaScript to go on.</p><script src="a.js"></script>',
    '/long': `<p>${sentence(1)}</p>${'<p>a</p>'.repeat(70_000)}`,
    '/wall':
      '<body><div id="consent"><p>Before you read on, allow all cookies of this site and of its partners.</p></div><p>x</p></body>',
    '/text': as('text/plain; charset=iso-8859-1', Buffer.from('caf\xe9  au lait\n\n\tindented', 'latin1')),
    '/md': as('text/markdown', '---\nx: 1\n---\n# Title\n\n- *a*\n- [b](https://b.example)'),
    '/json': as('application/json', '{"a":[1,2]}'),
    '/feed': as('application/rss+xml', FEED),
    '/steps': as('text/html', STEPS),
    '/pdf': as('application/pdf', '%PDF-1.7 words'),
    '/table.pdf': as('application/pdf', TABLE_PDF),
    '/none': as('text/html', '<p>Never compressed.', 200, { 'content-encoding': 'none' }),
    '/charset': as('text/html', '<p>Never compressed.', 200, { 'content-encoding': 'ISO-8859-1' }),
    '/perl': as('application/x-perl', 'print "mill";'),
    '/bytes': as('application/octet-stream', '# Mill'),
    '/zip': as('application/zip', 'PK\x03\x04\0\0'),
    '/feed-as-text': as('text/plain', FEED),
    '/toml': as('application/toml', 'name = "mill"'),
    '/geo': as('application/geo+json', '{"type":"Point"}'),
    '/problem': as('application/problem+json', '{"status":404}'),
    '/feed-1251': as(
      'application/rss+xml',
      inCyrillic(
        '<?xml version="1.0" encoding="windows-1251"?><rss><channel><title>\u041c\u0438\u0440</title></channel></rss>',
      ),
    ),
    '/feed-1251-header': as(
      'application/rss+xml; charset=windows-1251',
      inCyrillic('<rss><channel><title>\u041c\u0438\u0440</title></channel></rss>'),
    ),
    '/xhtml-latin': as(
      'application/xhtml+xml; charset=iso-8859-1',
      Buffer.from('<html><body><p>caf\xe9</p></body></html>', 'latin1'),
    ),
    '/srt-latin': as('application/x-subrip', Buffer.from('caf\xe9.', 'latin1')),
    '/json-16': as('application/json', Buffer.from('\ufeff[1]', 'utf16le')),
    '/toml-16': as('application/toml; charset=utf-16le', Buffer.from('a = 1', 'utf16le')),
    '/zip-utf8': as('application/zip; charset=utf-8', 'PK\x03\x04ab'),
    '/png': as('image/png', 'x'),
    '/empty': '<title>nothing</title>',
    '/pump': '<p>' + 'The pump stands by the door. It is free. '.repeat(30) + '<p>Valves cost two euros.',
  });
});
afterAll(() => Promise.all([site.close(), inner.close()]));

describe('read_page on Fastify', () => {
  let host: RunningHost;
  const start = (readPage: ReadPageOptions | boolean, pages?: object): Promise<RunningHost> =>
    startHost(
      [
        ToolsModule.forRoot({
          apiKeys: [{ key: 'a-key', ...(pages ? { pages } : {}) }],
          readPage: typeof readPage === 'object' ? { allowHosts: [site.host], ...readPage } : readPage,
        }),
      ],
      new FastifyAdapter(),
    );
  const read = (path: string, body: object = {}, { http } = host) =>
    http
      .post('/v1/tools/read_page')
      .set('X-API-Key', 'a-key')
      .send({ url: path.startsWith('/') ? site.origin + path : path, ...body });
  beforeAll(async () => {
    host = await start({});
  });
  afterAll(closeHosts);

  it('gives the main text as Markdown, with what the page says of itself', async () => {
    const { body } = await read('/moved').expect(200);
    expect(body.data).toMatchObject({
      url: `${site.origin}/moved`,
      final_url: `${site.origin}/shop`,
      title: 'Workshop',
      site: 'Wheels',
      language: 'en',
      published_at: '2026-01-02',
      content_type: 'text/html',
      truncated: false,
      cached: false,
    });
    const { content } = body.data;
    expect(content).toContain(
      `# Workshop\n\n${sentence(1)} See the [prices](${site.origin}/prices.html#top) and run \`npm i\`.`,
    );
    expect(content).toContain('## Bring\n\n- A lock\n- A lamp\n  1. charged\n\n## Opening hours');
    expect(content).toContain("| Day | Opens |\n|---|---|\n| Day 0 | 0:00 o'clock |\n| Day 1 |");
    expect(content).toContain('```js\na();\n  b();\n```\n\n[Image: The front door]');
    expect(content).not.toMatch(/cookies|Imprint|Home/);
    expect(site.requests.at(-1)!.headers.accept).toMatch(/^text\/markdown, text\/html;q=0\.9, /);
    expect((await read('/moved').expect(200)).body.data.cached).toBe(true);
  });

  it('goes on where it stopped, at the end of a block, with the header of a table', async () => {
    let cursor: string | undefined;
    const parts: string[] = [];
    do {
      const { body } = await read('/shop', { max_tokens: 100, ...(cursor ? { cursor } : {}) }).expect(200);
      expect(body.data.truncated).toBe(body.data.next_cursor !== undefined);
      parts.push(body.data.content);
      cursor = body.data.next_cursor;
    } while (cursor);
    const whole = (await read('/shop', { max_tokens: 20_000 }).expect(200)).body.data.content as string;
    expect(parts.length).toBeGreaterThan(3);
    const head = '| Day | Opens |\n|---|---|\n';
    expect(parts.filter((part) => part.startsWith(head)).length).toBeGreaterThan(1);
    expect(
      parts
        .map((part, i) => (i > 0 ? part.replace(head, '') : part))
        .join('')
        .replace(/\s/g, ''),
    ).toBe(whole.replace(/\s/g, ''));
    const { body } = await read('/pump', { cursor: `a.${'x'.repeat(8)}` }).expect(400);
    expect(body.details[0].field).toBe('cursor');
  });

  it('gives only the passages that bear on a query, with the headings above them', async () => {
    const { body } = await read('/shop', { query: 'When does it open on day 7?' }).expect(200);
    expect(body.data.content).toBeUndefined();
    const [best, ...others] = body.data.passages;
    expect(best.headings).toEqual(['Workshop', 'Opening hours']);
    expect(best.content).toContain('| Day | Opens |\n|---|---|\n');
    expect(best.content).toContain("| Day 7 | 7:00 o'clock |");
    expect(best.score).toBeGreaterThan(0.5);
    for (const { score } of others) expect(score).toBeLessThanOrEqual(best.score);
    const none = await read('/shop', { query: 'zebra' }).expect(200);
    expect(none.body.data).toMatchObject({
      passages: [],
      truncated: false,
      warnings: [{ code: 'nothing_found' }],
    });
  });

  it('gives code of an inner item as code', async () => {
    const { body } = await read('/steps', { query: 'lamp bell' }).expect(200);
    expect(body.data.passages[0].content).toMatch(
      /^Clean .*\n\n```\nlamp --on\n {2}<b>\nturn wheel\n[^]*\nring bell\n```$/,
    );
  });

  it.each([
    ['/text', 'text/plain', 'café  au lait\n\n\tindented'],
    ['/md', 'text/markdown', '# Title\n\n- *a*\n- [b](https://b.example)'],
    ['/json', 'application/json', '{\n  "a": [\n    1,\n    2\n  ]\n}'],
    ['/none', 'text/html', 'Never compressed.'],
    ['/charset', 'text/html', 'Never compressed.'],
    ['/toml', 'application/toml', 'name = "mill"'],
    ['/perl', 'application/x-perl', 'print "mill";'],
    ['/bytes', 'application/octet-stream', '# Mill'],
    [
      '/feed-as-text',
      'text/plain',
      expect.stringContaining('## [First one](https://a.example/1)\n\n2024-03-05'),
    ],
    ['/geo', 'application/geo+json', '{\n  "type": "Point"\n}'],
    ['/feed-1251', 'application/rss+xml', expect.stringContaining('\u041c\u0438\u0440')],
    ['/feed-1251-header', 'application/rss+xml', expect.stringContaining('\u041c\u0438\u0440')],
    ['/xhtml-latin', 'application/xhtml+xml', 'caf\xe9'],
    ['/srt-latin', 'application/x-subrip', 'caf\xe9.'],
    ['/json-16', 'application/json', '[\n  1\n]'],
    ['/toml-16', 'application/toml', 'a = 1'],
    ['/problem', 'application/problem+json', '{\n  "status": 404\n}'],
    [
      '/feed',
      'application/rss+xml',
      '# News & notes\n\n## [First one](https://a.example/1)\n\n2024-03-05T10:00:00.000Z\n\nShort text.',
    ],
  ])('reads %s as what it is', async (path, type, content) => {
    const { body } = await read(path).expect(200);
    expect(body.data).toMatchObject({ content_type: type, content });
  });

  it.each([
    ['/nothing', 404, 'content_not_found', undefined],
    ['/gone', 404, 'content_not_found', undefined],
    ['/401', 422, 'content_unavailable', 'login_required'],
    ['/403', 422, 'content_unavailable', 'forbidden'],
    ['/private', 422, 'content_unavailable', 'login_required'],
    ['/members', 422, 'content_unavailable', 'login_required'],
    ['/login', 422, 'content_unavailable', 'login_required'],
    ['/app', 422, 'content_unavailable', 'javascript_required'],
    ['/shell', 422, 'content_unavailable', 'javascript_required'],
    ['/enable', 422, 'content_unavailable', 'javascript_required'],
    ['/wall', 422, 'content_unavailable', 'consent_required'],
    ['/png', 422, 'content_unavailable', 'unsupported_type'],
    ['/zip', 422, 'content_unavailable', 'unsupported_type'],
    ['/zip-utf8', 422, 'content_unavailable', 'unsupported_type'],
    ['/empty', 422, 'content_unavailable', 'empty'],
    ['/pdf', 501, 'not_configured', undefined],
  ])('says why %s cannot be read: %i', async (path, status, code, reason) => {
    const { body } = await read(path).expect(status);
    expect(body.code).toBe(code);
    expect(body.details?.reason).toBe(reason);
    if (status === 501) expect(body.message).toContain('`readPage.pdf`');
  });

  it.each([
    ['/consenting', 'The wheel is being painted'],
    ['/about-cookies', 'a site writes down'],
    ['/recipe', 'ten minutes'],
    ['/signed-out', 'can be read by everyone'],
    ['/needs-js', 'enable JavaScript in the settings'],
    ['/refresh-itself', 'Here I am.'],
    ['/refresh-later', 'two to one'],
    ['/refresh-noscript', 'With scripts.'],
  ])('reads %s, whatever it asks for', async (path, text) => {
    const { body } = await read(path).expect(200);
    expect(body.data).toMatchObject({ final_url: site.origin + path });
    expect(body.data.warnings).toBeUndefined();
    expect(body.data.content).toContain(text);
  });

  it('reads what a page hides that shows nothing else, and says so', async () => {
    const { body } = await read('/covered').expect(200);
    expect(body.data.content).toContain('The relay sees the names of hosts.');
    expect(body.data.warnings).toMatchObject([{ code: 'hidden_text' }]);
  });

  it('follows a page that leads elsewhere at once, as a redirect is', async () => {
    const { body } = await read('/refresh').expect(200);
    expect(body.data).toMatchObject({ final_url: `${site.origin}/shop`, title: 'Workshop' });
    const before = inner.requests.length;
    await read('/refresh-inside').expect(400);
    expect(inner.requests).toHaveLength(before);
  });

  it('passes on how long a site asks to wait', async () => {
    const { body, headers } = await read('/busy').expect(503);
    expect(body.code).toBe('upstream_unavailable');
    expect(headers['retry-after']).toBe('17');
  });

  it.each([
    ['ftp://a.example/', 'url must be the http or https address of a page'],
    ['nonsense', 'url must be the http or https address of a page'],
    ['http://user:pass@a.example/', 'url must not hold a user name or password'],
    ['http://user@a.example/', 'url must not hold a user name or password'],
    ['http://127.0.0.1:22/', 'url does not lead to a public web page'],
    ['http://10.0.0.1/', 'url does not lead to a public web page'],
    ['http://[::1]/', 'url does not lead to a public web page'],
    ['http://localhost/', 'url does not lead to a public web page'],
    ['/inside', 'url does not lead to a public web page'],
  ])('refuses %s and tells nothing about the network', async (url, message) => {
    const before = inner.requests.length;
    const { body } = await read(url).expect(400);
    expect(body.message).toEqual([message]);
    expect(inner.requests).toHaveLength(before);
  });

  it.each([
    [{ max_tokens: 99 }, 'max_tokens'],
    [{ query: ' ' }, 'query'],
    [{ cursor: '!' }, 'cursor'],
    [{ query: 'x', cursor: `a.${'x'.repeat(8)}` }, 'cursor'],
    [{ max_token: 5 }, 'max_token'],
  ])('refuses %j', async (body, field) => {
    expect((await read('/shop', body).expect(400)).body.details[0].field).toBe(field);
  });
});

describe('the settings of read_page', () => {
  const start = (readPage?: ReadPageOptions | boolean, pages?: object): Promise<RunningHost> =>
    startHost(
      [ToolsModule.forRoot({ apiKeys: [{ key: 'a-key', ...(pages ? { pages } : {}) }], readPage })],
      new FastifyAdapter(),
    );
  const read = ({ http }: RunningHost, url: string, body: object = {}) =>
    http
      .post('/v1/tools/read_page')
      .set('X-API-Key', 'a-key')
      .send({ url, ...body });
  const local = { allowHosts: ['127.0.0.1', 'a.test', 'b.test'], resolve: async () => ['127.0.0.1'] };
  afterEach(closeHosts);

  it('leave the tool off unless the host turns it on', async () => {
    await read(await start(), `${site.origin}/shop`).expect(404);
  });

  it('bind all pages to domains, of the host and of a key, also after redirects', async () => {
    const at = (domain: string, path: string): string => `http://${domain}:${site.port}${path}`;
    const host = await start(
      { ...local, includeDomains: ['a.test', 'b.test'] },
      { excludeDomains: ['b.test'] },
    );
    await read(host, at('a.test', '/shop')).expect(200);
    for (const url of [at('b.test', '/shop'), `${site.origin}/shop`]) {
      const { body } = await read(host, url).expect(400);
      expect(body.message).toEqual(['url leads to a domain that may not be read here']);
    }
  });

  it.each<[string, () => Promise<string[]>, string]>([
    [
      'that does not exist',
      () => Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })),
      'dns ENOTFOUND',
    ],
    ['of a private address', async () => ['10.0.0.7'], 'dns address_not_public'],
    ['of which one address is private', async () => ['93.184.216.34', '10.0.0.7'], 'dns address_not_public'],
  ])('answer alike for a name %s, and log which it was', async (_case, resolve, logged) => {
    const lines: string[] = [];
    const logger = { log: (line: unknown) => lines.push(String(line)), warn: () => 0, error: () => 0 };
    const host = await start({ resolve });
    host.app.useLogger(logger);
    const { body } = await read(host, 'http://wiki.example.com/').expect(400);
    expect(body.message).toEqual(['url leads to a host that could not be found on the public internet']);
    expect(JSON.stringify(body)).not.toMatch(/dns|ENOTFOUND|10\.0/);
    expect(lines.find((line) => line.startsWith('read_page 400'))).toContain(`upstream="${logged}"`);
  });

  it.each(['shop', 'gone', 'png'])('bind a key before the redirect to %s is followed', async (target) => {
    const outer = await fakePages({ '/': redirect(`http://b.test:${site.port}/${target}`) });
    try {
      const host = await start(local, { includeDomains: ['a.test'] });
      const before = site.requests.length;
      const { body } = await read(host, outer.origin.replace('127.0.0.1', 'a.test')).expect(400);
      expect(body.message).toEqual(['url leads to a domain that may not be read here']);
      expect(site.requests).toHaveLength(before);
    } finally {
      await outer.close();
    }
  });

  it('give a key no page that another key has read beyond a redirect', async () => {
    const outer = await fakePages({ '/': redirect(`http://b.test:${site.port}/shop`) });
    try {
      const url = outer.origin.replace('127.0.0.1', 'a.test');
      const apiKeys = ['any-key', { key: 'a-key', pages: { includeDomains: ['a.test'] } }];
      const host = await startHost([ToolsModule.forRoot({ apiKeys, readPage: local })], new FastifyAdapter());
      await host.http.post('/v1/tools/read_page').set('X-API-Key', 'any-key').send({ url }).expect(200);
      await read(host, url).expect(400);
    } finally {
      await outer.close();
    }
  });

  it('name a page of which not all was searched', async () => {
    const host = await start(local);
    const ask = { url: `${site.origin}/long`, query: 'bicycles' };
    const { body } = await host.http
      .post('/v1/tools/read_page')
      .set('X-API-Key', 'a-key')
      .send(ask)
      .expect(200);
    expect(body.data.warnings[1]).toEqual({
      code: 'page_cut',
      message: 'Only the first 6000 sentences of the page were searched.',
    });
  });

  it('read PDFs with a reader', async () => {
    const pdf = async (bytes: Buffer) => ({ text: bytes.toString().slice(9), title: 'On wheels' });
    const { body } = await read(await start({ ...local, pdf }), `${site.origin}/pdf`).expect(200);
    expect(body.data).toMatchObject({
      title: 'On wheels',
      content: 'words',
      content_type: 'application/pdf',
    });
  });

  it('read tables of PDFs, and repeat their head with the rows that bear on a query', async () => {
    const host = await start({ ...local, pdf: unpdfReader() });
    const url = `${site.origin}/table.pdf`;
    const { body } = await read(host, url).expect(200);
    expect(body.data.content).toMatch(
      /^\| City \| Bicycles \| Lanes \|\n\|---\|---\|---\|\n\| City0 \| 100 \| 7 \|\n/,
    );
    const found = await read(host, url, { query: 'How many bicycles has City33?', max_tokens: 100 }).expect(
      200,
    );
    expect(found.body.data.passages[0].content).toMatch(
      /^\| City \| Bicycles \| Lanes \|\n[^]*\| City33 \| 133 \|/,
    );
    expect(found.body.data.passages[0].content).not.toContain('City0 ');
  });

  it('ask a renderer for what needs a browser, and for nothing else', async () => {
    const asked: string[] = [];
    const renderer = {
      name: 'browser',
      render: async (url: string) => (asked.push(url), { content: '# Shown\n\nText.', title: 'App' }),
    };
    const host = await start({ ...local, renderer });
    const { body } = await read(host, `${site.origin}/app`).expect(200);
    expect(body.data).toMatchObject({
      title: 'App',
      content: '# Shown\n\nText.',
      content_type: 'text/markdown',
    });
    await read(host, `${site.origin}/shop`).expect(200);
    await read(host, `${site.origin}/gone`).expect(404);
    expect(asked).toEqual([`${site.origin}/app`]);
  });

  it('read a page by the Extract API of You.com, or say that it needs a browser', async () => {
    const answer = { url: `${site.origin}/app`, extraction_source: 'blend', title: 'App', metadata: {} };
    const bodies: string[] = [];
    const extract =
      (contents: object): FakePage =>
      (request, response) => {
        request.setEncoding('utf8').on('data', (part: string) => bodies.push(part));
        request.on('end', () => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ ...answer, contents }));
        });
      };
    const services = await fakePages({
      '/v1/extract': extract({ full_page: { markdown: '# App\n\nText of the app.' } }),
      '/none/v1/extract': extract({}),
    });
    const by = (path: string) => youExtract({ apiKey: 'ydc-1', baseUrl: services.origin + path });
    const { body } = await read(await start({ ...local, renderer: by('') }), answer.url).expect(200);
    expect(body.data).toMatchObject({ title: 'App', content: '# App\n\nText of the app.' });
    expect(JSON.parse(bodies[0]!)).toEqual({
      url: answer.url,
      full_page: { extraction_formats: ['markdown'] },
      timeout: 19,
    });
    expect(services.requests[0]).toMatchObject({ headers: { 'x-api-key': 'ydc-1' } });
    await read(await start({ ...local, renderer: by('/none') }), answer.url).expect(422);
    expect(() => youExtract({} as { apiKey: string })).toThrow(/youExtract\.apiKey.*YDC_API_KEY/);
    await services.close();
  });

  it('take a challenge that a service was shown for no page', async () => {
    const challenge = 'Verifying you are human. This may take a few seconds.';
    const json = (data: object): FakePage => as('application/json', JSON.stringify({ code: 200, data }));
    const services = await fakePages({
      '/': json({ content: challenge, warning: 'Target URL returned error 403: Forbidden' }),
      '/v2/scrape': json({ markdown: challenge, metadata: { statusCode: 403 } }),
    });
    for (const reader of [jinaReader, firecrawlScrape]) {
      const renderer = reader({ baseUrl: services.origin });
      const { body } = await read(await start({ ...local, renderer }), `${site.origin}/403`).expect(422);
      expect(body.details.reason).toBe('forbidden');
    }
    expect(services.requests).toHaveLength(2);
    await services.close();
  });

  it('ask a renderer at once for the addresses that it handles, and for no others', async () => {
    const renderer = {
      name: 'own',
      handles: (url: string) => url.startsWith('https://own.example/'),
      render: async (url: string) => {
        if (url.endsWith('/broken')) throw new Error('secret');
        return { content: `# Own\n\nText of ${new URL(url).pathname}.` };
      },
    };
    const host = await start({ ...local, renderer });
    const { body } = await read(host, 'https://own.example/a').expect(200);
    expect(body.data).toMatchObject({ title: 'Own', content: '# Own\n\nText of /a.', site: 'own.example' });
    const broken = await read(host, 'https://own.example/broken').expect(503);
    expect(JSON.stringify(broken.body)).not.toContain('secret');
    await read(host, `${site.origin}/app`).expect(422);
    const bound = await start({ ...local, renderer, excludeDomains: ['own.example'] });
    await read(bound, 'https://own.example/a').expect(400);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
    'http://127.0.0.2/',
    'http://localhost/',
    'http://printer/',
    'file:///etc/passwd',
    'javascript:alert(1)',
  ])('refuse a page that a renderer has got from %s', async (end) => {
    const render = async () => ({ content: '# Inside\n\nOf the network.', url: end });
    const host = await start({ ...local, renderer: { name: 'browser', render } });
    const { body } = await read(host, `${site.origin}/app`).expect(400);
    expect(body.message).toEqual(['url does not lead to a public web page']);
    const own = await start({
      ...local,
      renderer: { name: 'own', render, handles: (url) => url.startsWith('https://own.example/') },
    });
    await read(own, 'https://own.example/a').expect(400);
  });

  it('take a page that a renderer has got from another public address, or from one of its own', async () => {
    const ends: Record<string, string> = { app: 'http://a.test/b', own: 'https://own.example/b' };
    const render = async (url: string) => ({
      content: '# Shown\n\nText.',
      url: url.endsWith('/app') ? ends['app'] : ends['own'],
    });
    const browser = await start({ ...local, renderer: { name: 'browser', render } });
    const { body } = await read(browser, `${site.origin}/app`).expect(200);
    expect(body.data.final_url).toBe(ends['app']);
    const handles = (url: string): boolean => url.startsWith('https://own.example/');
    const own = await start({ ...local, renderer: { name: 'own', render, handles } });
    expect((await read(own, 'https://own.example/a').expect(200)).body.data.final_url).toBe(ends['own']);
  });

  it('take a long page of a renderer, and null for what it does not know', async () => {
    const content = `# Own\n\n${'The reef is made of coral.\n\n'.repeat(1000)}`;
    const render = async () => ({ content, title: null, url: null, publishedAt: null, type: null }) as never;
    const renderer = { name: 'own', handles: () => true, render };
    const whole = await read(await start({ ...local, renderer }), 'https://own.example/a').expect(200);
    expect(whole.body.data).toMatchObject({ title: 'Own', truncated: true });
    expect(whole.body.data.content.length).toBeGreaterThan(10_000);
    const cut = await read(await start({ ...local, renderer, maxBytes: 500 }), 'https://own.example/a');
    expect(cut.body.data.warnings).toEqual([
      { code: 'page_cut', message: 'Only the first 500 bytes of the page were read.' },
    ]);
  });

  it('name a page that was cut', async () => {
    const { body } = await read(await start({ ...local, maxBytes: 500 }), `${site.origin}/pump`).expect(200);
    expect(body.data.warnings).toEqual([
      { code: 'page_cut', message: 'Only the first 500 bytes of the page were read.' },
    ]);
    const long = await read(await start(local), `${site.origin}/long`).expect(200);
    expect(long.body.data.warnings).toEqual([
      { code: 'page_cut', message: 'Only the first 40000 elements of the page were read.' },
    ]);
  });
});
