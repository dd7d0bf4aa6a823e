import { jest } from '@jest/globals';
import { ConsoleLogger, Logger } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { ToolsModule } from '../../lib/index.js';
import { postgresDocuments } from '../../lib/postgres/index.js';
import { askDocuments } from '../search/documents-contract.js';
import { eventually } from '../support/eventually.js';
import { closeHosts, startHost } from '../support/host.js';
import { freshDatabase, type Database } from './database.js';

/** A table as an ORM makes it, with other names and a column that a page knows nothing of. */
const ARTICLES = `
  CREATE TABLE "Article" (
    id serial PRIMARY KEY,
    link varchar(500) NOT NULL,
    headline varchar(200) NOT NULL,
    body text,
    "createdAt" timestamp(3) NOT NULL DEFAULT now(),
    author text NOT NULL
  );
  INSERT INTO "Article" (link, headline, body, "createdAt", author) VALUES
    ('https://blog.example/marmots', 'Marmots', 'Marmots whistled at the eagles.', '2026-02-03', 'Ann'),
    ('https://blog.example/empty', 'Nothing', NULL, '2026-02-04', 'Ann')`;
const COLUMNS = { url: 'link', title: 'headline', text: 'body', publishedAt: 'createdAt' };

describe('a table that the host has', () => {
  let database: Database;
  let warnings: string[];

  beforeEach(async () => {
    database = await freshDatabase();
    await database.pool.query(ARTICLES);
    warnings = [];
    jest
      .spyOn(Logger.prototype, 'warn')
      .mockImplementation((text: string) => void warnings.push(String(text)));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await database.close();
  });

  const articles = (options: object = {}) =>
    postgresDocuments({
      pool: database.pool,
      table: 'Article',
      columns: COLUMNS,
      language: 'en',
      ...options,
    });

  it('is searched as it is, with a warning that there is no index', async () => {
    const provider = articles();
    for (const text of ['whistling marmots', 'whistle'])
      expect(await askDocuments(provider, { text })).toEqual([
        {
          url: 'https://blog.example/marmots',
          title: 'Marmots',
          passages: ['Marmots whistled at the eagles.'],
          publishedAt: '2026-02-03',
          score: expect.any(Number),
        },
      ]);
    expect(warnings).toEqual([expect.stringContaining('"Article" has no column "search"')]);
  });

  it('gets a column and indexes by createSchema()', async () => {
    const provider = articles();
    await database.pool.query(provider.createSchema());
    expect(await askDocuments(provider, { text: 'whistle' })).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  it('is only read unless it has what upsert needs, and the error says what is missing', async () => {
    const provider = articles();
    await expect(provider.upsert([{ url: 'https://a.example', text: 'x' }])).rejects.toThrow(
      'a unique index on the column of `url`',
    );
    await database.pool.query(`ALTER TABLE "Article" ADD UNIQUE (link)`);
    await expect(provider.upsert([{ url: 'https://a.example', text: 'x' }])).rejects.toThrow(
      'a default for every column',
    );
  });

  it('is written to where it has what upsert needs', async () => {
    await database.pool.query(
      `ALTER TABLE "Article" ADD UNIQUE (link), ALTER author SET DEFAULT '', ADD lang text`,
    );
    const provider = articles({ columns: { ...COLUMNS, language: 'lang' } });
    await provider.upsert([
      { url: 'https://blog.example/empty', title: 'Full', text: 'Foxes bark.', publishedAt: '2026-03-04' },
    ]);
    expect(await askDocuments(provider, { text: 'foxes' })).toMatchObject([
      { url: 'https://blog.example/empty', title: 'Full', publishedAt: '2026-03-04' },
    ]);
  });

  it('is searched through a view', async () => {
    await database.pool.query(
      `CREATE VIEW pages AS SELECT 'https://view.example/' || id AS url, headline AS title, body AS text FROM "Article" WHERE body IS NOT NULL`,
    );
    const provider = postgresDocuments({
      pool: database.pool,
      table: 'public.pages',
      columns: { url: 'url', title: 'title', text: 'text' },
      language: 'en',
    });
    expect(await askDocuments(provider, { text: 'whistle', includeDomains: ['view.example'] })).toMatchObject(
      [{ url: 'https://view.example/1' }],
    );
    expect(await askDocuments(provider, { text: 'whistle', freshness: 'year' })).toEqual([]);
    await expect(provider.upsert([{ url: 'https://a.example', text: 'x' }])).rejects.toThrow(
      'a table, not a view',
    );
  });

  it.each([
    ['a table', { table: 'article' }, 'relation "article" does not exist'],
    ['a schema', { table: 'blog.Article' }, 'relation "blog.Article" does not exist'],
    ['a column', { columns: { ...COLUMNS, text: 'Body' } }, 'column "Body" does not exist'],
    [
      'a column that it may do without',
      { columns: { ...COLUMNS, language: 'lang' } },
      'column "lang" does not exist',
    ],
    [
      'a column of another type',
      { columns: { ...COLUMNS, publishedAt: 'author' } },
      'Has the column of `publishedAt` the type of a date?',
    ],
  ])('that lacks %s is named by every search', async (_, options, message) => {
    const failure = await askDocuments(articles(options), { text: 'marmots' }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      code: 'upstream_unavailable',
      kind: 'bad_request',
      shouldRetry: false,
    });
    expect((failure as Error).message).toContain(message);
  });

  it('that the user may not read is named', async () => {
    await database.pool.query(
      `DO $$ BEGIN CREATE ROLE stranger LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
    );
    const pool = database.connect({ connectionString: database.url.replace('postgres@', 'stranger@') });
    await expect(askDocuments(articles({ pool }), { text: 'marmots' })).rejects.toMatchObject({
      kind: 'auth',
    });
  });

  it('that is not there is told at start, and in the line of each request', async () => {
    const search = { providers: [articles({ table: 'article' })] };
    const { http } = await startHost(
      [ToolsModule.forRoot({ apiKeys: ['k'], search })],
      new ExpressAdapter(),
      (app) => app.useLogger(new ConsoleLogger({ logLevels: ['warn'] })),
    );
    const advice = /createSchema.*relation "article" does not exist/;
    await eventually(
      () => warnings.some((line) => advice.test(line)),
      () => warnings.join('\n'),
    );
    const ask = () => http.post('/v1/tools/search_web').set('X-API-Key', 'k').send({ query: 'marmots' });
    await ask().expect(503);
    const isSaid = (): boolean =>
      warnings.some((line) => /search_web 503 .*upstream="postgres 42P01".*createSchema/.test(line));
    await eventually(isSaid, () => warnings.join('\n'));
    await closeHosts();
  });
});
