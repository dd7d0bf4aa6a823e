import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { withContext } from '../../lib/core/context.js';
import { documents } from '../../lib/search/providers/documents.provider.js';
import { aiReranker, type Reranker } from '../../lib/search/reranker.js';
import type { SearchModuleOptions } from '../../lib/search/search.options.js';
import { ToolsModule } from '../../lib/tools.module.js';
import { ToolsHealthIndicator } from '../../lib/core/health.js';
import { closeHosts, startHost } from '../support/host.js';

type Fault = 'server_error' | 'hang' | 'html' | 'not_a_ranking' | 'foreign_index' | 'refused';

interface FakeReranker {
  url: string;
  calls: { query: string; documents: string[] }[];
  settings: { fault?: Fault; scoreOf: (query: string, text: string) => number };
  close(): Promise<void>;
}

/** A server that speaks Cohere's `POST /v2/rerank` on a loopback socket. */
async function startFakeReranker(): Promise<FakeReranker> {
  const calls: FakeReranker['calls'] = [];
  const settings: FakeReranker['settings'] = { scoreOf: () => 0.5 };
  const server = createServer((request, response) => {
    let json = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (json += chunk));
    request.on('end', () => {
      const { query, documents: texts } = JSON.parse(json) as { query: string; documents: string[] };
      calls.push({ query, documents: texts });
      const { fault, scoreOf } = settings;
      if (fault === 'hang') return;
      const status = fault === 'server_error' ? 500 : fault === 'refused' ? 400 : 200;
      response.writeHead(status, { 'content-type': 'application/json' });
      const results = texts
        .map((text, index) => ({ index, relevance_score: scoreOf(query, text) }))
        .sort((a, b) => b.relevance_score - a.relevance_score);
      if (fault === 'foreign_index') results[0]!.index = 77;
      response.end(
        fault === 'html' ? '<html>' : JSON.stringify(fault === 'not_a_ranking' ? {} : { results }),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`,
    calls,
    settings,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A reranking model of the AI SDK (specification v3) on the server. */
function rerankingModel({ url }: FakeReranker) {
  return {
    specificationVersion: 'v3' as const,
    provider: 'fake.reranking',
    modelId: 'fake-rerank',
    async doRerank({
      query,
      documents: { values },
      topN,
      abortSignal,
    }: {
      query: string;
      documents: { type: string; values: unknown[] };
      topN?: number;
      abortSignal?: AbortSignal;
    }) {
      const response = await fetch(`${url}/rerank`, {
        method: 'POST',
        body: JSON.stringify({ model: 'fake-rerank', query, documents: values, top_n: topN }),
        signal: abortSignal ?? null,
      });
      if (!response.ok) {
        const error = { name: 'AI_APICallError', statusCode: response.status, responseHeaders: {} };
        throw Object.assign(new Error('call failed'), error);
      }
      const { results } = (await response.json()) as {
        results: { index: number; relevance_score: number }[];
      };
      return { ranking: results.map((r) => ({ index: r.index, relevanceScore: r.relevance_score })) };
    },
  };
}

const PAGES = ['one', 'two', 'three', 'four'].map((name) => ({
  url: `https://a.example/${name}`,
  title: `Cells ${name}`,
  text: `Cells are the ${name} subject of this page.`,
}));

describe('search.reranker', () => {
  let fake: FakeReranker;
  beforeEach(async () => {
    fake = await startFakeReranker();
    fake.settings.scoreOf = (_query, text) =>
      text.includes('three') ? 0.9 : text.includes('two') ? 0.4 : 0.1;
  });
  afterEach(async () => {
    await closeHosts();
    await fake.close();
  });

  describe('over HTTP', () => {
    const start = async (search: Partial<SearchModuleOptions> = {}) => {
      const { http, app } = await startHost([
        ToolsModule.forRoot({
          apiKeys: ['key'],
          logRequests: false,
          search: {
            providers: [documents(PAGES)],
            reranker: aiReranker(rerankingModel(fake), { backOffMs: 1, attempts: 2 }),
            deadlineMs: 60_000,
            ...search,
          },
        }),
      ]);
      const ask = async (query: string, more: object = {}) => {
        const { body, status } = await http
          .post('/v1/tools/search_web')
          .set('X-API-Key', 'key')
          .send({ query, ...more });
        expect(status).toBe(200);
        const { results, warnings } = (
          body as {
            data: { results: { source_url: string; score: number }[]; warnings?: { code: string }[] };
          }
        ).data;
        return {
          order: results.map(({ source_url }) => source_url.split('/').at(-1)),
          scores: results.map(({ score }) => score),
          warnings: (warnings ?? []).map(({ code }) => code),
        };
      };
      return { ask, app };
    };

    it('gives the results in its order, with its scores', async () => {
      const { ask, app } = await start();
      const { order, scores, warnings } = await ask('cells', { top_n: 3 });
      expect(order.slice(0, 2)).toEqual(['three', 'two']);
      expect(scores).toEqual([0.9, 0.4, 0.1]);
      expect(warnings).toEqual([]);
      expect(fake.calls).toHaveLength(1);
      expect(fake.calls[0]!.documents).toHaveLength(4);
      expect(fake.calls[0]!.documents[0]).toMatch(/^Cells \w+\nCells are the/);
      expect(app.get(ToolsHealthIndicator).check()).toMatchObject({
        tools: { reranker: { status: 'up', upstreams: { 'fake-rerank': { status: 'up' } } } },
      });
    });

    it.each<Fault>(['server_error', 'html', 'not_a_ranking', 'foreign_index', 'refused'])(
      'keeps the order of the search, warns, and caches nothing when it fails (%s)',
      async (fault) => {
        fake.settings.fault = fault;
        const { ask } = await start();
        const plain = await ask('cells');
        expect(plain.warnings).toEqual(['reranker_failed']);
        expect(plain.order).toHaveLength(4);
        fake.settings.fault = undefined;
        expect((await ask('cells')).order[0]).toBe('three');
      },
    );

    it('keeps the order when it is late', async () => {
      fake.settings.fault = 'hang';
      const { ask } = await start({ deadlineMs: 3000 });
      const { order, warnings } = await ask('cells');
      expect(order).toHaveLength(4);
      expect(warnings).toEqual(['reranker_failed']);
    });

    it.each([
      ['a score above 1', [{ index: 0, score: 2 }]],
      [
        'an index twice',
        [
          { index: 0, score: 1 },
          { index: 0, score: 0.5 },
        ],
      ],
      ['no list', null],
    ])('keeps the order when a reranker of the host returns %s', async (_what, ranking) => {
      const reranker = { name: 'own', rerank: async () => ranking } as unknown as Reranker;
      const { ask } = await start({ reranker });
      const { order, warnings } = await ask('cells');
      expect(order).toHaveLength(4);
      expect(warnings).toEqual(['reranker_failed']);
    });

    it('keeps the pages that a reranker does not name, after the others', async () => {
      const reranker: Reranker = { name: 'own', rerank: async () => [{ index: 2, score: 0.2 }] };
      const { ask } = await start({ reranker });
      const { order, scores } = await ask('cells');
      expect(order).toHaveLength(4);
      expect(Math.max(...scores)).toBe(0.2);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
    });
  });

  it('makes shares of scores that are none', async () => {
    fake.settings.scoreOf = (_query, text) => (text === 'a' ? 5 : -5);
    const reranker = aiReranker(rerankingModel(fake));
    const passages = ['b', 'a'].map((text) => ({ text, title: '', url: 'https://a.example' }));
    const found = await withContext(60_000, {}, (context) => reranker.rerank('q', passages, context));
    expect(found.map(({ index }) => index)).toEqual([1, 0]);
    expect(found[0]!.score).toBeCloseTo(0.993, 3);
    expect(found[1]!.score).toBeCloseTo(0.007, 3);
  });

  it.each([
    [() => aiReranker({} as never), '`aiReranker.model`'],
    [() => aiReranker(rerankingModel(fake), { attempts: 0 }), '`aiReranker.options.attempts`'],
    [() => aiReranker(rerankingModel(fake), { atempts: 1 } as never), 'Did you mean `attempts`?'],
  ])('names what is wrong with its options', (make, name) => {
    expect(make).toThrow(name);
  });
});
