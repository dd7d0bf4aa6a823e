import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { SearchService, SummarizerService, ToolsModule } from 'nestjs-tools';
import { AppModule } from './app.module';

/** What a host's own tests do, in Jest as `nest new` sets it up (CommonJS, without support for `import()`), and in vitest. */
let app: INestApplication;
let url: string;

beforeAll(async () => {
  const testing = await Test.createTestingModule({ imports: [AppModule] }).compile();
  app = testing.createNestApplication({ logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});

afterAll(() => app.close());

it('makes both calls', async () => {
  const ask = (tool: string, body: object): Promise<Response> =>
    fetch(`${url}/v1/tools/${tool}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': 'host-key' },
      body: JSON.stringify(body),
    });
  const summary = await ask('summarize_content', { content_id: 'dQw4w9WgXcQ' });
  expect(await summary.text()).toMatch(/polyp/);
  expect(summary.status).toBe(200);
  const answer = await ask('search_web', { query: 'What are coral reefs built by?', llm_answer: true });
  expect(await answer.text()).toMatch(/polyps/);
  expect(answer.status).toBe(200);
});

it('injects the services', async () => {
  const { totalResults } = await app.get(SearchService).search({ query: 'coral reefs' });
  expect(totalResults).toBe(1);
});

it('takes plain objects in place of the services', async () => {
  const testing = await Test.createTestingModule({
    imports: [ToolsModule.forRoot({ apiKeys: ['host-key'] })],
  })
    .overrideProvider(SummarizerService)
    .useValue({ summarize: () => ({ method: 'simple', summary: 'A fake.' }) })
    .compile();
  const faked = testing.createNestApplication({ logger: ['error'] });
  await faked.listen(0, '127.0.0.1');
  const response = await fetch(`${await faked.getUrl()}/v1/tools/summarize_content`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': 'host-key' },
    body: JSON.stringify({ content_id: 'anything' }),
  });
  expect(await response.json()).toMatchObject({ data: { summary: 'A fake.' } });
  await faked.close();
});
