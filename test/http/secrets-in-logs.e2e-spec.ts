import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { searxng, tavily, ToolsModule, type SearchProvider } from '../../lib/index.js';
import { closeHosts, startHost } from '../support/host.js';

// None of these looks like a key: no digits, no prefix, a word or two.
const SECRETS = {
  callersKey: 'marmalade',
  providersKey: 'tangerine-peel',
  header: 'wintergreen',
  variable: 'correct horse battery',
  modelsKey: 'peppermint',
};
process.env['VAULT_TOKEN'] = SECRETS.variable;

describe('secrets in the log', () => {
  const lines: string[] = [];
  const logger = (() => {
    const write = (...parts: unknown[]): void =>
      void lines.push(...parts.map((part) => `${String(part)} ${JSON.stringify(part)}`));
    return { log: write, warn: write, error: write, debug: write, verbose: write };
  })();
  beforeEach(() => (lines.length = 0));
  afterEach(closeHosts);

  const { modelsKey, ...known } = SECRETS;
  const said = `refused ${Object.values(known).join(', ')} and ${encodeURIComponent(SECRETS.variable)}`;

  it('are masked whatever they look like, whoever repeats them', async () => {
    const provider: SearchProvider = { name: 'own', search: () => Promise.reject(new Error(said)) };
    const fetch = () =>
      Promise.resolve(new Response(JSON.stringify({ error: { message: said } }), { status: 401 }));
    const { http } = await startHost(
      [
        ToolsModule.forRoot({
          apiKeys: [SECRETS.callersKey],
          search: {
            providers: [
              provider,
              tavily({ apiKey: SECRETS.providersKey, fetch: fetch as never }),
              searxng({
                url: 'http://searx.example',
                headers: { authorization: `Bearer ${SECRETS.header}` },
                fetch: fetch as never,
              }),
            ],
          },
        }),
      ],
      undefined,
      (app) => app.useLogger(logger),
    );
    for (const llm_answer of [false, true])
      await http
        .post('/v1/tools/search_web')
        .set('X-API-Key', SECRETS.callersKey)
        .send({ query: 'coral', llm_answer })
        .expect(503);
    const log = lines.join('\n');
    expect(log).toContain('refused');
    for (const secret of Object.values(known)) expect(log).not.toContain(secret);
  });

  it('of a model that only the AI SDK knows are not repeated from its refusal', async () => {
    const only = `Incorrect key: ${modelsKey}`;
    const fetch = () =>
      Promise.resolve(new Response(JSON.stringify({ error: { message: only } }), { status: 401 }));
    const model = createOpenAICompatible({
      name: 'gateway',
      baseURL: 'http://gateway.example/v1',
      apiKey: modelsKey,
      fetch: fetch as never,
    });
    const provider: SearchProvider = {
      name: 'own',
      search: () =>
        Promise.resolve({
          hits: [{ url: 'https://a.example/', title: 'Coral', snippet: 'Corals build the reef.' }],
        }),
    };
    const { http } = await startHost(
      [
        ToolsModule.forRoot({
          apiKeys: [SECRETS.callersKey],
          model: model('small'),
          search: { providers: [provider], pages: false },
        }),
      ],
      undefined,
      (app) => app.useLogger(logger),
    );
    await http
      .post('/v1/tools/search_web')
      .set('X-API-Key', SECRETS.callersKey)
      .send({ query: 'who builds the reef', llm_answer: true })
      .expect(200);
    const log = lines.join('\n');
    expect(log).toContain('refused the credentials');
    expect(log).not.toContain(modelsKey);
  });
});
