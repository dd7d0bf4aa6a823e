import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { postgresDocuments, type PostgresDocuments, type PostgresPool } from '../../lib/postgres/index.js';
import { withContext } from '../../lib/core/context.js';
import { embeddingModel, startFakeVectors, type FakeVectors } from '../support/fake-vectors/fake-vectors.js';
import { askDocuments, describeDocuments } from '../search/documents-contract.js';
import { freshDatabase } from './database.js';

const PAGES = [
  { url: 'https://shop.example/refunds', title: 'Refunds', text: 'Refunds take five days.' },
  { url: 'https://shop.example/parcels', title: 'Parcels', text: 'A parcel is delivered within two days.' },
  {
    url: 'https://zoo.example/marmots',
    title: 'Marmots',
    text: 'Marmots whistle at eagles.',
    publishedAt: '2026-01-02',
  },
];

/** Each subject has a direction of its own; a text points where its words do. */
const SUBJECTS: readonly (readonly string[])[] = [
  ['refund', 'money', 'reimburse', 'cash'],
  ['parcel', 'deliver', 'shipment', 'package'],
  ['marmot', 'rodent', 'whistle', 'eagle'],
];
function vectorOf(text: string): number[] {
  const lower = text.toLowerCase();
  const shares = SUBJECTS.map((words) => words.filter((word) => lower.includes(word)).length);
  return [...shares, 0.3];
}

describe('postgresDocuments() with pgvector', () => {
  let server: ChildProcess;
  let pool: Pool;
  let model: FakeVectors;
  let tables = 0;
  let warnings: string[];

  beforeAll(async () => {
    server = spawn(process.execPath, ['test/postgres/pglite-process.mjs'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [line] = (await once(server.stdout!, 'data')) as [Buffer];
    pool = new Pool({ connectionString: line.toString().trim(), max: 2 });
    pool.on('error', () => undefined);
    await pool.query('CREATE EXTENSION vector');
    model = await startFakeVectors(vectorOf);
  });
  beforeEach(() => {
    warnings = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((text: string) => void warnings.push(text));
    jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
    model.settings.fault = () => undefined;
    model.settings.vectorOf = vectorOf;
    model.calls.length = 0;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await pool.end();
    await model.close();
    server.stdin!.end();
    await once(server, 'exit');
  });

  const options = (table: string) => ({
    pool,
    table,
    embeddings: embeddingModel(model),
    embeddingOptions: { attempts: 1 },
    dimensions: 4,
    timeoutMs: 60_000,
  });
  const fresh = async (): Promise<{ provider: PostgresDocuments; table: string }> => {
    const table = `near_${tables++}`;
    const provider = postgresDocuments(options(table));
    await provider.migrate();
    return { provider, table };
  };
  const texts = (): string[] => model.calls.flatMap((call) => call.texts);

  it('finds a page that shares no word with the query', async () => {
    const { provider } = await fresh();
    await provider.upsert(PAGES);
    const [hit] = await askDocuments(provider, { text: 'reimburse cash' });
    expect(hit).toEqual({
      url: 'https://shop.example/refunds',
      title: 'Refunds',
      passages: ['Refunds take five days.'],
      score: expect.any(Number),
    });
    expect(hit!.score).toBeGreaterThan(0.3);
    const [exact] = await askDocuments(provider, { text: 'marmots whistle at eagles' });
    expect(exact).toMatchObject({ url: 'https://zoo.example/marmots', publishedAt: '2026-01-02' });
  });

  it('keeps to domains and dates', async () => {
    const { provider } = await fresh();
    await provider.upsert(PAGES);
    const urls = async (query: object): Promise<string[]> =>
      (await askDocuments(provider, { text: 'reimburse rodent', ...query })).map((hit) => hit.url);
    expect(await urls({ includeDomains: ['zoo.example'] })).toEqual(['https://zoo.example/marmots']);
    expect(await urls({ excludeDomains: ['zoo.example'] })).not.toContain('https://zoo.example/marmots');
    expect(await urls({ freshness: { from: '2026-01-01', to: '2026-01-31' } })).toEqual([
      'https://zoo.example/marmots',
    ]);
  });

  it('embeds a page once, again when it has changed, and not at all when it is gone', async () => {
    const { provider, table } = await fresh();
    await provider.upsert(PAGES);
    expect(texts()).toHaveLength(3);
    expect(texts()).toContain('Refunds\nRefunds take five days.');
    await provider.upsert(PAGES);
    await provider.embed();
    expect(texts()).toHaveLength(3);
    await provider.upsert([{ ...PAGES[0]!, text: 'Shipment of refunds.' }]);
    expect(texts().slice(3)).toEqual(['Refunds\nShipment of refunds.']);
    await provider.delete([PAGES[2]!.url]);
    expect((await askDocuments(provider, { text: 'rodent' })).map((hit) => hit.url)).not.toContain(
      PAGES[2]!.url,
    );
    await provider.embed();
    const { rows } = await pool.query(`SELECT url FROM ${table}_vectors ORDER BY url`);
    expect(rows.map((row: { url: string }) => row.url)).toEqual([PAGES[1]!.url, PAGES[0]!.url]);
  });

  it('embeds what the host has written by itself, and what an earlier call has not reached', async () => {
    const { provider, table } = await fresh();
    await pool.query(
      `INSERT INTO ${table} (url, text) SELECT 'https://many.example/' || i, 'Rodent number ' || i FROM generate_series(1, 130) AS i`,
    );
    // The first 100 pages are two calls.
    model.settings.fault = (n) => (n === 2 ? 'refused' : undefined);
    await expect(provider.embed()).rejects.toMatchObject({ code: 'upstream_unavailable' });
    const before = texts().length;
    await provider.embed();
    // The first batch is kept; the one that was refused is sent again.
    expect(texts()).toHaveLength(before + 30);
    const { rows } = await pool.query(`SELECT count(*) FROM ${table}_vectors`);
    expect(rows[0].count).toBe('130');
  });

  it('reads each page once, by the index on its address', async () => {
    const { table } = await fresh();
    await pool.query(
      `INSERT INTO ${table} (url, text) SELECT 'https://many.example/' || i, '' FROM generate_series(1, 3000) AS i; ANALYZE ${table}`,
    );
    const reads: [string, unknown[]][] = [];
    const spied: PostgresPool = {
      connect: async () => {
        const client = await pool.connect();
        return {
          query: (text, values = []) => {
            if (text.includes('sha256')) reads.push([text, values]);
            return client.query(text, values);
          },
          release: (destroy) => client.release(destroy),
          on: (event, listener) => client.on(event, listener),
          removeListener: (event, listener) => client.removeListener(event, listener),
        };
      },
    };
    await postgresDocuments({ ...options(table), pool: spied }).embed();
    expect(reads).toHaveLength(31);
    await pool.query(
      `INSERT INTO ${table}_vectors SELECT url, 0, 'fake', '', repeat('words ', 200), ('[1,2,3,' || row_number() OVER () || ']')::vector FROM ${table}`,
    );
    await pool.query(`ANALYZE ${table}, ${table}_vectors`);
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${reads[15]![0]}`, reads[15]![1]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain(`Index Scan using ${table}_pkey`);
    expect(plan).toContain(`Index Scan using ${table}_vectors_pkey`);
    expect(plan).not.toContain('Seq Scan');
  });

  describe('after a change of the embedding model', () => {
    const ask = (provider: PostgresDocuments, text: string) =>
      withContext(60_000, {}, (context) => provider.search({ text, count: 5 }, context));
    const other = (table: string, dimensions = 4, modelId = 'other') =>
      postgresDocuments({ ...options(table), dimensions, embeddings: embeddingModel(model, modelId) });
    const models = async (table: string): Promise<unknown[]> =>
      (await pool.query(`SELECT model, count(*)::int FROM ${table}_vectors GROUP BY model`)).rows;

    it('searches words alone, with a warning, until all pages are embedded with it', async () => {
      const { provider, table } = await fresh();
      await provider.upsert(PAGES);
      const changed = other(table);
      await changed.migrate();
      expect(await ask(changed, 'reimburse cash')).toMatchObject({
        hits: [],
        warnings: [
          { code: 'embeddings_failed', message: expect.stringContaining('by words only'), transient: true },
        ],
      });
      expect(warnings).toEqual([
        expect.stringMatching(/has vectors of .*\. Run embed\(\) for those of .*other/),
      ]);
      // A page that changes gets vectors of the new model. They are not compared with those of the old one.
      await changed.upsert([{ ...PAGES[0]!, text: 'Refunds take six days.' }]);
      expect((await ask(changed, 'reimburse cash')).hits).toEqual([]);
      await changed.embed();
      expect(await models(table)).toEqual([{ model: expect.stringMatching(/other$/), count: 3 }]);
      const { hits, warnings: none } = await ask(changed, 'reimburse cash');
      expect(hits[0]).toMatchObject({ url: PAGES[0]!.url });
      expect(none).toBeUndefined();
      expect(await ask(postgresDocuments(options(table)), 'reimburse cash')).toMatchObject({
        hits: [],
        warnings: [{}],
      });
    });

    it('of another width, searches words alone until migrate() and embed()', async () => {
      const { provider, table } = await fresh();
      await provider.upsert(PAGES);
      await ask(provider, 'reimburse cash');
      model.settings.vectorOf = (text) => [...vectorOf(text), 0, 0];
      const changed = other(table, 6);
      expect(await ask(changed, 'refunds')).toMatchObject({ hits: [{ url: PAGES[0]!.url }], warnings: [{}] });
      await changed.upsert([{ ...PAGES[0]!, text: 'Refunds take six days.' }]);
      expect(warnings).toEqual([expect.stringMatching(/is made for vector\(4\), not for vector\(6\)/)]);
      await changed.migrate();
      expect(await models(table)).toEqual([]);
      await changed.embed();
      expect((await ask(changed, 'reimburse cash')).hits[0]).toMatchObject({ url: PAGES[0]!.url });
      // A process with the old settings does not compare its vectors with those of the new table.
      model.settings.vectorOf = vectorOf;
      expect((await ask(provider, 'refunds')).hits).toMatchObject([{ url: PAGES[0]!.url }]);
    });

    it('goes on with words when the table of vectors changes under it', async () => {
      const { provider, table } = await fresh();
      await provider.upsert(PAGES);
      expect((await ask(provider, 'reimburse cash')).hits).not.toEqual([]);
      await pool.query(`DROP TABLE ${table}_vectors`);
      expect((await ask(provider, 'refunds')).hits).toMatchObject([{ url: PAGES[0]!.url }]);
      await ask(provider, 'refunds');
      expect(warnings).toEqual([expect.stringContaining('there is no table')]);
    });

    it('rebuilds a table of an earlier form', async () => {
      const { provider, table } = await fresh();
      await pool.query(`ALTER TABLE ${table}_vectors DROP COLUMN model`);
      expect((await ask(provider, 'refunds')).warnings).toHaveLength(1);
      await provider.migrate();
      await provider.upsert(PAGES);
      expect((await ask(provider, 'reimburse cash')).hits[0]).toMatchObject({ url: PAGES[0]!.url });
    });

    it('stores vectors of more than 2,000 numbers in 16 bits each', async () => {
      const wide = (text: string): number[] => [...vectorOf(text), ...Array<number>(2996).fill(0)];
      model.settings.vectorOf = wide;
      const table = `near_${tables++}`;
      const provider = other(table, 3000);
      await provider.migrate();
      await provider.upsert(PAGES);
      expect((await ask(provider, 'reimburse cash')).hits[0]).toMatchObject({ url: PAGES[0]!.url });
      const { rows } = await pool.query(
        `SELECT pg_typeof(embedding)::text AS type FROM ${table}_vectors LIMIT 1`,
      );
      expect(rows).toEqual([{ type: 'halfvec' }]);
    });
  });

  it('searches words alone, with a warning, when the model fails', async () => {
    const { provider } = await fresh();
    await provider.upsert(PAGES);
    model.settings.fault = () => 'server_error';
    const result = await withContext(60_000, {}, (context) =>
      provider.search({ text: 'refunds', count: 5 }, context),
    );
    expect(result.hits.map((hit) => hit.url)).toEqual(['https://shop.example/refunds']);
    expect(result.warnings).toEqual([
      {
        code: 'embeddings_failed',
        message: expect.stringContaining('postgres searched by words only'),
        transient: true,
      },
    ]);
  });

  it.each([
    ['a page', 'Marmots'],
    ['a query', 'marmots eagles'],
  ])('finds pages where the vector of %s is zero', async (_, start) => {
    model.settings.vectorOf = (text) => (text.startsWith(start) ? [0, 0, 0, 0] : vectorOf(text));
    const { provider } = await fresh();
    await provider.upsert(PAGES);
    expect(await askDocuments(provider, { text: 'marmots eagles' })).toMatchObject([
      { url: 'https://zoo.example/marmots' },
    ]);
    const [hit] = await askDocuments(provider, { text: 'reimburse cash' });
    expect(hit).toMatchObject({ url: 'https://shop.example/refunds', score: expect.any(Number) });
  });

  it('says that `dimensions` and the model do not agree', async () => {
    const table = `near_${tables++}`;
    const provider = postgresDocuments({ ...options(table), dimensions: 5 });
    await provider.migrate();
    await expect(provider.upsert(PAGES)).rejects.toThrow(
      'gives vectors of 4 numbers; the option `dimensions` says 5',
    );
    expect(await askDocuments(provider, { text: 'refunds' })).toHaveLength(1);
  });

  it('searches words alone where there is no pgvector, and says so once', async () => {
    const database = await freshDatabase();
    try {
      const provider = postgresDocuments({ ...options('documents'), pool: database.pool });
      await provider.migrate();
      await provider.upsert(PAGES);
      await provider.embed();
      for (let i = 0; i < 2; i++) expect(await askDocuments(provider, { text: 'refunds' })).toHaveLength(1);
      expect(warnings).toEqual([expect.stringContaining('no table "documents_vectors". Install pgvector')]);
    } finally {
      await database.close();
    }
  });

  describe('and another version of PostgreSQL', () => {
    describeDocuments(async (pages) => {
      const provider = postgresDocuments({ pool, table: `pages_${tables++}`, timeoutMs: 60_000 });
      await provider.migrate();
      await provider.upsert(pages);
      return provider;
    }, 5);
  });
});
