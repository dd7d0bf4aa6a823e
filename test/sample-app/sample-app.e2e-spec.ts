import { readdirSync, readFileSync } from 'node:fs';
import { TOOL_NAMES } from '../../lib/core/request-event.js';
import { createApp } from '../../sample-app/create-app.js';
import { DEMO_ARTICLES } from '../../sample-app/content/articles/index.js';
import { DEMO_TALKS } from '../../sample-app/content/talks/index.js';
import { readSettings } from '../../sample-app/settings.js';
import { closeHosts, listen, type RunningHost } from '../support/host.js';
import { startFakeLlm, type FakeLlm } from '../support/fake-llm/fake-llm.mjs';

const env = { YOUTUBE: 'off' };

describe('the sample app', () => {
  let host: RunningHost;

  beforeAll(async () => {
    host = await listen(await createApp(await readSettings(env), { logger: false }));
  });
  afterAll(closeHosts);

  const ask = (tool: string, body: object) =>
    host.http.post(`/v1/tools/${tool}`).set('X-API-Key', 'demo-key').send(body);

  it('serves a page to try it on, which offers every demo talk and loads only its own files', async () => {
    const { headers, text } = await host.http.get('/').expect(200);
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
    for (const [, file] of text.matchAll(/(?:src|href)="([^"]+\.(?:mjs|css|svg))"/g)) {
      expect(file).not.toContain(':');
      await host.http.get(`/${file}`).expect(200);
    }
    const { text: script } = await host.http.get('/page.mjs').expect(200);
    for (const id of Object.keys(DEMO_TALKS)) expect(script).toContain(`'${id}'`);
  });

  it.each([
    [0.499, '49 %'],
    [0.5, '50 %'],
    [0.29, '29 %'],
    [1, '100 %'],
  ])('rounds a probability on its page down: %d', async (probability, shown) => {
    const file = '../../sample-app/public/dom.mjs';
    const { percent } = (await import(file)) as { percent: (fraction: number) => string };
    expect(percent(probability)).toBe(shown);
  });

  it.each([
    ['https://feeds.example.org/reefs.xml?list=5', 'channel'],
    ['https://youtube.com.example.org/watch', 'channel'],
    ['https://www.youtube.com/feeds/videos.xml?channel_id=UCsample', 'channel'],
    ['https://youtube.com/@reefs', 'channel'],
    ['https://www.youtube.com/playlist?list=PLsampleTalksOfOurOwn', 'playlist'],
    ['reefs', 'query'],
  ])('takes %s on its page as a %s', async (typed, field) => {
    const file = '../../sample-app/public/list-view.mjs';
    const { listed } = (await import(file)) as { listed: (text: string) => object };
    expect(listed(` ${typed} `)).toEqual({ [field]: typed });
  });

  it.each([
    ['list_videos', { query: '' }, 'Type a question, or some words to look for: at most 200 characters.'],
    ['search_web', { query: '' }, 'Type a question, or some words to look for: at most 400 characters.'],
    ['research', { question: ' ' }, 'Type a question: at most 1000 characters.'],
  ])('says on its page what %s takes', async (tool, request, words) => {
    const file = '../../sample-app/public/panel.mjs';
    const { messagesOf } = (await import(file)) as { messagesOf: (error: object) => string[] };
    const { body } = await ask(tool, request).expect(400);
    expect(messagesOf({ body })).toEqual([words]);
  });

  it('says on its page what is searched', async () => {
    const { body } = await host.http.get('/page.json').expect(200);
    expect(body.search).toBe('Searches 86 demo articles. Set SEARCH_PROVIDERS to search the web.');
    expect(body.videos).toContain('YOUTUBE=off');
    const web = await readSettings({ SEARCH_PROVIDERS: 'wikipedia,documents' });
    const other = await listen(await createApp(web, { logger: false }));
    const about = await other.http.get('/page.json').expect(200);
    expect(about.body).toMatchObject({ search: 'Searches with wikipedia, then the demo articles.' });
  });

  it('reads the demo articles, whose addresses lead nowhere', async () => {
    const { url, title, text } = DEMO_ARTICLES[0]!;
    const { body } = await ask('read_page', { url }).expect(200);
    expect(body.data).toMatchObject({ title, site: 'demo.nestjs-tools.example' });
    expect(body.data.content).toBe(`# ${title}\n\n${text}`);
  });

  it('serves the tools over MCP, unless it is switched off', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const ask = ({ http }: RunningHost) => http.post('/v1/tools/mcp').set('X-API-Key', 'demo-key').send(list);
    const { body } = await ask(host).expect(200);
    expect(body.result.tools).toHaveLength(TOOL_NAMES.length);
    const off = await readSettings({ ...env, MCP: 'off' });
    await ask(await listen(await createApp(off, { logger: false }))).expect(404);
    await expect(readSettings({ MCP: 'no' })).rejects.toThrow('MCP must be on or off');
  });

  it.each(Object.keys(DEMO_TALKS))('summarizes %s', async (id) => {
    const talk = DEMO_TALKS[id]!;
    const { body } = await ask('summarize_content', {
      content_id: id,
      output_language: talk.language,
    }).expect(200);
    const { data } = body;
    expect(data.content).toMatchObject({ id, title: talk.title, captions: talk.captions });
    expect(data.output_language.honoured).toBe(true);
    expect(data.summary.split(/\s+/).length).toBeGreaterThan(80);
    expect(data.key_points.length).toBeGreaterThanOrEqual(3);
    for (const point of data.key_points) {
      expect(point.start_seconds * 1000).toBeLessThanOrEqual(talk.durationMs);
      expect(point.url).toBe(`https://www.youtube.com/watch?v=${id}&t=${point.start_seconds}s`);
    }
    const starts = data.sections.map((section: { start_seconds: number }) => section.start_seconds);
    expect(starts).toEqual([...starts].sort((a: number, b: number) => a - b));
  });

  it('reads the long talk part by part, and says why', async () => {
    const { body } = await ask('summarize_content', { content_id: 'sampleTalk3' }).expect(200);
    expect(body.data.method).toBe('recursive');
    expect(body.data.method_reason).toMatch(/\d/);
  });

  it('uses the chapters of a talk as its sections', async () => {
    const { body } = await ask('summarize_content', { content_id: 'sampleTalk2' }).expect(200);
    expect(body.data.sections.map((section: { title: string }) => section.title)).toEqual(
      DEMO_TALKS.sampleTalk2!.chapters!.map((chapter) => chapter.title),
    );
  });

  it('takes every usual form of a video address', async () => {
    for (const content_id of [
      'https://youtu.be/sampleTalk1?t=10',
      'www.youtube.com/watch?v=sampleTalk1',
      'https://m.youtube.com/shorts/sampleTalk1',
    ]) {
      const { body } = await ask('summarize_content', { content_id }).expect(200);
      expect(body.data.content.id).toBe('sampleTalk1');
    }
  });

  it('answers the sample query with citations', async () => {
    const { body } = await ask('search_web', {
      query: 'Common organelles within a human eukaryote',
      llm_answer: true,
    }).expect(200);
    const { llm } = body.data;
    expect(llm.answerable_probability).toBeGreaterThan(0.5);
    expect(llm.answer).toMatch(/nucleus/i);
    expect(llm.answer).toMatch(/mitochondri/i);
    expect(llm.answer).toMatch(/\[1\]/);
    expect(llm.citations.length).toBeGreaterThan(0);
  });

  describe('every example', () => {
    /** The words that make the answer right, by question. */
    const RIGHT: Record<string, RegExp> = {
      'Common organelles within a human eukaryote': /nucleus, mitochondria/,
      'When did humans first land on the Moon?': /20 July 1969/,
      'What causes the seasons?': /axis is tilted/,
      'What causes earthquakes?': /sudden slip of rock along a fault/,
      'How long is the Nile?': /6,650 kilometres/,
      'Wo entspringt der Rhein?': /in den Schweizer Alpen/,
      'What does the Golgi apparatus do?': /modifies, sorts and packs/,
      'How much reef does a bumphead parrotfish swallow in a year?': /around five tonnes/,
      'Why do corals turn white?': /lost its algae/,
    };
    const isRight = ({ llm }: { llm: { outcome: string; answer: string } }, question: string): void => {
      expect({ question, outcome: llm.outcome }).toEqual({ question, outcome: 'answered' });
      expect(llm.answer).toMatch(RIGHT[question] ?? 'a question that this test knows');
    };

    it('of the page is answered rightly without a model', async () => {
      const { text } = await host.http.get('/page.mjs').expect(200);
      const [, list] = /const QUESTIONS = \[([^\]]+)\]/.exec(text)!;
      const questions = [...list!.matchAll(/'([^']+)'/g)].map(([, question]) => question!);
      expect(questions).toHaveLength(6);
      for (const query of questions) {
        const { body } = await ask('search_web', { query, llm_answer: true }).expect(200);
        isRight(body.data, query);
      }
    });

    it('of Swagger UI works without a model and a network', async () => {
      const { body: document } = await host.http.get('/openapi.json').expect(200);
      for (const name of TOOL_NAMES) {
        const { requestBody } = document.paths[`/v1/tools/${name}`].post;
        const { value } = requestBody.content['application/json'].examples.sample;
        // Only this one cannot do without a model.
        const { body } = await ask(name, value).expect(name === 'research' ? 501 : 200);
        if (name === 'ask_video') isRight(body.data, value.question);
      }
    });

    it('of the docs that asks the demo content is answered rightly without a model', async () => {
      const pages = readdirSync('docs').filter((file) => /\.md$/.test(file));
      const texts = ['README.md', ...pages.map((file) => `docs/${file}`)].map((file) =>
        readFileSync(file, 'utf8'),
      );
      const requests = texts
        .flatMap((text) => [...text.matchAll(/^curl \S+ \S+\/(\w+)[^`]*? -d '(\{[^']+\})'/gm)])
        // The app of the first request has a document of its own.
        .filter(([command]) => !command.includes('my-first-key'))
        .map(([, tool, request]) => [tool!, JSON.parse(request!)] as const)
        // Data need a model.
        .filter(([, request]) => !request.output_schema)
        .filter(([tool, request]) => request.llm_answer || tool === 'ask_video');
      expect(requests.length).toBeGreaterThan(2);
      for (const [tool, request] of requests) {
        const { body } = await ask(tool, request).expect(200);
        isRight(body.data, request.query ?? request.question);
      }
    });
  });

  it('answers nothing that the sources do not have', async () => {
    const { body } = await ask('search_web', {
      query: 'Who won the 2038 World Cup?',
      llm_answer: true,
    }).expect(200);
    expect(body.data.llm.answerable_probability).toBeLessThan(0.5);
    expect(body.data.llm.answer).toMatch(/^(?:I found nothing|Possibly: )/);
    expect(['related', 'not_found']).toContain(body.data.llm.outcome);
  });

  it('finds the right article first', async () => {
    const { body } = await ask('search_web', { query: 'What does the Golgi apparatus do?' }).expect(200);
    expect(body.data.results[0].source_url).toContain('golgi');
    expect(body.data.provider).toBe('documents');
  });

  it.each<[string, string, string, string | undefined, number, string]>([
    ['malformed JSON', 'POST', '/v1/tools/search_web', '{"query":', 400, 'invalid_request'],
    [
      'a body that is too large',
      'POST',
      '/v1/tools/search_web',
      JSON.stringify({ query: 'x'.repeat(1_100_000) }),
      413,
      'payload_too_large',
    ],
    ['an unknown tool', 'POST', '/v1/tools/translate', '{}', 404, 'not_found'],
    ['another HTTP method', 'GET', '/v1/tools/search_web', undefined, 405, 'method_not_allowed'],
  ])('writes the error body for %s', async (_case, method, path, payload, status, code) => {
    const call =
      method === 'GET'
        ? host.http.get(path)
        : host.http.post(path).set('Content-Type', 'application/json').send(payload);
    const { body, headers } = await call.set('X-API-Key', 'demo-key').expect(status);
    expect(Object.keys(body).sort()).toEqual(['code', 'error', 'message', 'request_id', 'statusCode']);
    expect(body).toMatchObject({ statusCode: status, code, request_id: headers['x-request-id'] });
    expect(headers['x-should-retry']).toBe('false');
    expect(JSON.stringify(body)).not.toMatch(/node_modules|Unexpected|position/);
  });

  it('has an address for health checks, which the document does not show', async () => {
    const { body } = await host.http.get('/health').expect(200);
    expect(body).toMatchObject({ tools: { status: 'up', search_web: { status: 'up' } } });
  });

  it('serves Swagger UI and the document', async () => {
    const page = await host.http.get('/docs').redirects(1).expect(200);
    expect(page.text).toContain('swagger-ui');
    const { body, headers } = await host.http.get('/openapi.json').expect(200);
    for (const given of [page.headers, headers]) {
      expect(given['content-security-policy']).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
      expect(given['x-content-type-options']).toBe('nosniff');
      expect(given['x-frame-options']).toBe('DENY');
    }
    const init = await host.http.get('/docs/swagger-ui-init.js').expect(200);
    expect(init.text).toMatch(/"persistAuthorization":\s*false/);
    expect(Object.keys(body.paths)).toEqual(TOOL_NAMES.map((name) => `/v1/tools/${name}`));
  });
});

describe('the container of the sample app', () => {
  const read = (file: string): string => readFileSync(file, 'utf8');

  it('gets every setting from compose.yaml', () => {
    const sources = read('sample-app/settings.ts') + read('lib/search/providers/from-environment.ts');
    const names = new Set(
      sources.match(/\b[A-Z]+(?:_[A-Z]+)*_(?:KEYS?|URL|MODEL|TOKENS|LIMIT|PROVIDERS)\b/g),
    );
    const derived = ['DEMO_KEY', 'ENVIRONMENT_PROVIDERS'];
    const compose = read('compose.yaml');
    const missing = [...names, 'MCP', 'YOUTUBE', 'CONTACT', 'ROLE'].filter(
      (name) => !derived.includes(name) && !new RegExp(`^ +${name}: `, 'm').test(compose),
    );
    expect(missing).toEqual([]);
  });

  it('installs the versions that the repository has', () => {
    interface Manifest {
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    }
    const own = JSON.parse(read('sample-app/package.json')) as Manifest;
    const root = JSON.parse(read('package.json')) as Manifest;
    expect({ ...root.devDependencies, ...root.dependencies }).toMatchObject(own.dependencies);
    expect(own.dependencies).toMatchObject(root.dependencies);
  });
});

describe('the settings of the sample app', () => {
  it('lets the demo key in unless told otherwise', async () => {
    expect(await readSettings({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      apiKeys: [{ hash: expect.stringMatching(/^sha256:/) }],
      demoKey: true,
      requestsPerMinute: undefined,
      youtube: true,
    });
    expect(
      await readSettings({ TOOLS_API_KEYS: 'a, b', PORT: '0', RATE_LIMIT: '5', YOUTUBE: 'off', HOST: '::1' }),
    ).toMatchObject({
      host: '::1',
      port: 0,
      apiKeys: ['a', 'b'],
      demoKey: false,
      requestsPerMinute: 5,
      youtube: false,
    });
  });

  it.each(['0.0.0.0', '::', '192.0.2.1', 'tools.example'])(
    'refuses the demo key where other machines reach it: %s',
    async (HOST) => {
      const message = /TOOLS_API_KEYS must hold keys of your own/;
      await expect(readSettings({ HOST })).rejects.toThrow(message);
      await expect(readSettings({ HOST, TOOLS_API_KEYS: 'own, demo-key' })).rejects.toThrow(message);
      expect((await readSettings({ HOST, TOOLS_API_KEYS: 'own' })).host).toBe(HOST);
    },
  );

  it('searches the demo articles unless other providers are named', async () => {
    const names = async (env: NodeJS.ProcessEnv) =>
      (await readSettings(env)).searchProviders.map(({ name }) => name);
    expect(await names({})).toEqual(['documents']);
    expect(await names({ SEARCH_PROVIDERS: 'you,wikipedia' })).toEqual(['you', 'wikipedia']);
    expect(await names({ SEARCH_PROVIDERS: 'documents, brave', BRAVE_API_KEY: 'key' })).toEqual([
      'documents',
      'brave',
    ]);
  });

  it.each([
    [{ SEARCH_PROVIDERS: 'gogle' }, /SEARCH_PROVIDERS.*searxng/],
    [{ SEARCH_PROVIDERS: 'searxng' }, /SEARXNG_URL/],
    [{ LLM_MODEL: 'qwen3:8b' }, /LLM_BASE_URL and LLM_MODEL belong together/],
    [
      { LLM_BASE_URL: 'http://127.0.0.1:1/v1', LLM_MODEL: 'm', LLM_CONTEXT_TOKENS: '12' },
      /LLM_CONTEXT_TOKENS must be an integer/,
    ],
    [{ PORT: '80000' }, /PORT must be an integer/],
    [{ RATE_LIMIT: 'many' }, /RATE_LIMIT must be an integer/],
    [{ YOUTUBE: 'no' }, /YOUTUBE must be on or off/],
  ])('says what is wrong with %j', async (variables, message) => {
    await expect(readSettings(variables)).rejects.toThrow(message);
  });
});

describe('the sample app with an OpenAI-compatible model', () => {
  let llm: FakeLlm;
  let host: RunningHost;

  beforeAll(async () => {
    llm = await startFakeLlm();
    const env = { YOUTUBE: 'off', LLM_BASE_URL: llm.url, LLM_API_KEY: 'secret', LLM_MODEL: 'fake-model' };
    host = await listen(await createApp(await readSettings(env), { logger: false }));
  });
  afterAll(async () => {
    await closeHosts();
    await llm.close();
  });

  const summarize = (body: object) =>
    host.http
      .post('/v1/tools/summarize_content')
      .set('X-API-Key', 'demo-key')
      .set('Cache-Control', 'no-cache')
      .send(body);

  it('writes the summary with one call where the talk fits', async () => {
    const { body } = await summarize({ content_id: 'sampleTalk2' }).expect(200);
    expect(body.data).toMatchObject({ method: 'simple', engine: 'fake-model', usage: { model_calls: 1 } });
    expect(body.data.summary.split(/\s+/).length).toBeGreaterThan(40);
    expect(body.data.usage.input_tokens).toBeGreaterThan(3000);
  });

  it('reads the long talk part by part when asked to', async () => {
    const { body } = await summarize({ content_id: 'sampleTalk3', method: 'recursive' }).expect(200);
    expect(body.data).toMatchObject({ method: 'recursive', coverage: 1 });
    expect(body.data.usage.model_calls).toBeGreaterThan(2);
    expect(body.data.key_points.length).toBeGreaterThan(0);
  });

  it('streams the text as it is written, then the checked result', async () => {
    llm.settings.tokensPerSecond = 400;
    const { text } = await summarize({ content_id: 'sampleTalk1' })
      .set('Accept', 'text/event-stream')
      .expect(200);
    expect(text).toMatch(/^event: progress\n/);
    expect(text.match(/^event: delta$/gm)!.length).toBeGreaterThan(3);
    expect(text).toMatch(/event: result\ndata: \{"data".*\n\n$/);
  });

  it('writes the answer of a search, and falls back to the sources when the model is down', async () => {
    const ask = () =>
      host.http
        .post('/v1/tools/search_web')
        .set('X-API-Key', 'demo-key')
        .set('Cache-Control', 'no-cache')
        .send({ query: 'What does the Golgi apparatus do?', llm_answer: true });
    const words = 'modifies, sorts and packs the proteins and lipids';
    llm.settings.answer = (prompt) => {
      const before = prompt.slice(0, prompt.indexOf(words));
      const n = [...before.matchAll(/^\[(\d+)\] /gm)].at(-1)?.[1];
      const answer = `The Golgi apparatus ${words}. [${n}] It also won the 2038 World Cup. [${n}]`;
      return JSON.stringify({ answerable: true, answer, quotes: [{ n: Number(n), quote: words }] });
    };
    const written = await ask().expect(200);
    llm.settings.answer = undefined;
    expect(written.body.data.llm).toMatchObject({ engine: 'fake-model', usage: { model_calls: 2 } });
    expect(written.body.data.llm.answer).toContain(words);
    expect(written.body.data.llm.answer).toContain('2038 World Cup. [?]');
    expect(written.body.data.llm.answerable_probability).toBeGreaterThan(0.5);
    expect(written.body.data.llm.citations).toEqual([expect.objectContaining({ index: 1, quote: words })]);
    llm.settings.fault = () => 'server_error';
    const quoted = await ask().expect(200);
    llm.settings.fault = undefined;
    expect(quoted.body.data.llm).toMatchObject({ engine: 'extractive' });
    expect(quoted.body.data.llm.answer).toMatch(/Golgi.*\[1\]/);
    expect(quoted.body.data.warnings).toContainEqual(
      expect.objectContaining({ code: 'answer_engine_failed' }),
    );
  });

  it('answers with the upstream error when the model is down', async () => {
    llm.settings.fault = () => 'server_error';
    const { body } = await summarize({ content_id: 'sampleTalk1' });
    llm.settings.fault = undefined;
    expect([502, 503]).toContain(body.statusCode);
    expect(JSON.stringify(body)).not.toMatch(/secret|127\.0\.0\.1/);
  });
});
