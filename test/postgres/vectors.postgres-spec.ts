import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { postgresDocuments, type PostgresDocuments } from '../../lib/postgres/index.js';
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
      `INSERT INTO ${table} (url, text) SELECT 'https://many.example/' || i, 'Rodent number ' || i FROM generate_series(1, 50) AS i`,
    );
    model.settings.fault = (n) => (n === 1 ? 'unauthorized' : undefined);
    await expect(provider.embed()).rejects.toMatchObject({ code: 'upstream_unavailable' });
    const before = texts().length;
    await provider.embed();
    // The first batch is kept; the one that was refused is sent again.
    expect(texts()).toHaveLength(before + 30);
    const { rows } = await pool.query(`SELECT count(*) FROM ${table}_vectors`);
    expect(rows[0].count).toBe('50');
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
      { code: 'embeddings_failed', message: expect.stringContaining('postgres searched by words only') },
    ]);
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
      expect(texts()).toEqual([]);
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
