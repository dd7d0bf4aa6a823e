import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ToolsModule, type ToolsModuleOptions } from '../../lib/index.js';
import { OneContentSource } from '../support/fixtures.js';
import { startFakeLlm, type FakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import { terminusHost } from '../support/terminus-host.js';

describe('a /health of Terminus', () => {
  let llm: FakeLlm;
  let host: RunningHost;
  beforeEach(async () => {
    llm = await startFakeLlm();
  });
  afterEach(async () => {
    await closeHosts();
    await llm.close();
  });

  const start = async (options: ToolsModuleOptions = {}): Promise<void> => {
    const tools = ToolsModule.forRoot({
      apiKeys: ['one'],
      contentSources: [new OneContentSource()],
      model: createOpenAICompatible({ name: 'fake', baseURL: llm.url })('fake-model'),
      modelOptions: { attempts: 1, backOffMs: 1 },
      cache: false,
      ...options,
    });
    host = await startHost([terminusHost(tools)]);
  };
  const summarize = () =>
    host.http.post('/v1/tools/summarize_content').set('X-API-Key', 'one').send({ content_id: 'coral' });
  const search = () =>
    host.http.post('/v1/tools/search_web').set('X-API-Key', 'one').send({ query: 'coral' });

  it('names the models and the web next to the providers, and sends no request', async () => {
    const provider = { name: 'engine', search: () => Promise.resolve({ hits: [] }) };
    await start({ search: { providers: [provider] } });
    const { body } = await host.http.get('/health').expect(200);
    expect(body.info.tools).toMatchObject({
      status: 'up',
      model: { upstreams: { 'fake-model': { status: 'unknown' } } },
      pages: { upstreams: { web: { status: 'unknown' } } },
      search_web: { upstreams: { engine: { status: 'unknown' } } },
    });
    expect(llm.calls).toHaveLength(0);
  });

  it('is 503 while the model fails, and 200 again with its next success', async () => {
    llm.settings.fault = () => 'server_error';
    await start();
    for (let i = 0; i < 3; i++) await summarize().expect(503);
    const { body } = await host.http.get('/health').expect(503);
    expect(body.error.tools.model).toMatchObject({
      status: 'down',
      upstreams: { 'fake-model': { failures: 3, lastError: 'upstream_unavailable' } },
    });
    llm.settings.fault = undefined;
    await summarize().expect(200);
    await host.http.get('/health').expect(200);
  });

  it('stays 200 where only pages cannot be read, and says so', async () => {
    const hits = [{ url: 'http://127.0.0.1:9/', title: 'Coral', snippet: 'Coral reefs are alive.' }];
    await start({
      search: {
        providers: [{ name: 'engine', search: () => Promise.resolve({ hits }) }],
        pages: { allowHosts: ['127.0.0.1:9'] },
      },
    });
    for (let i = 0; i < 3; i++) await search().expect(200);
    const { body } = await host.http.get('/health').expect(200);
    expect(body.info.tools).toMatchObject({
      status: 'up',
      pages: { status: 'down', upstreams: { web: { failures: 3, lastError: 'unavailable' } } },
    });
  });
});
