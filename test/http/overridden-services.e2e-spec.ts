import { Test } from '@nestjs/testing';
import { SearchService, SummarizerService, ToolsModule } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, listen } from '../support/host.js';

describe.each(ADAPTERS)('services that a host overrides in its tests, on %s', (_name, adapter) => {
  afterEach(closeHosts);

  it('may be plain objects that give as little as the test needs', async () => {
    const module = await Test.createTestingModule({ imports: [ToolsModule.forRoot({ apiKeys: ['k'] })] })
      .overrideProvider(SummarizerService)
      .useValue({
        summarize: ({ contentId }: { contentId: string }) => ({ method: 'simple', summary: contentId }),
      })
      .overrideProvider(SearchService)
      .useValue({
        search: ({ query }: { query: string }) =>
          Promise.resolve({
            query,
            totalResults: 1,
            results: [{ content: 'A fake.', score: 1, sourceUrl: 'https://a.example' }],
          }),
      })
      .compile();
    module.useLogger(false);
    const { http } = await listen(module.createNestApplication(adapter()));
    const post = (tool: string, body: object) =>
      http.post(`/v1/tools/${tool}`).set('X-API-Key', 'k').send(body).expect(200);
    const summary = await post('summarize_content', { content_id: 'whatever' });
    expect(summary.body.data).toMatchObject({ method: 'simple', summary: 'whatever' });
    const search = await post('search_web', { query: 'coral' });
    expect(search.body.data.results).toEqual([
      { content: 'A fake.', score: 1, source_url: 'https://a.example' },
    ]);
  });
});
