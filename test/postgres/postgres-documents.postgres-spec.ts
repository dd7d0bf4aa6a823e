import { readFileSync } from 'node:fs';
import { postgresDocuments, type PostgresDocuments } from '../../lib/postgres/index.js';
import { askDocuments, describeDocuments } from '../search/documents-contract.js';
import { PAGES } from '../search/search.fixtures.js';
import { freshDatabase, type Database } from './database.js';

let database: Database;
let tables = 0;
const fresh = async (pages: Parameters<PostgresDocuments['upsert']>[0] = []): Promise<PostgresDocuments> => {
  const provider = postgresDocuments({ pool: database.pool, table: `pages_${tables++}`, timeoutMs: 60_000 });
  await provider.migrate();
  await provider.upsert(pages);
  return provider;
};

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

describe('postgresDocuments() finds what documents() finds', () => {
  describeDocuments((pages) => fresh(pages), 30);
});

describe('upsert and delete', () => {
  const count = async (table: string): Promise<number> =>
    Number((await database.pool.query(`SELECT count(*) FROM ${table}`)).rows[0].count);

  it('writes a page in place of the one with the same address, and keeps its date', async () => {
    const provider = await fresh(PAGES);
    await provider.upsert([
      { ...PAGES[1]!, text: 'Pompeii was buried.', publishedAt: '2026-05-04T12:30:00+02:00' },
    ]);
    const [hit] = await askDocuments(provider, { text: 'Pompeii' });
    expect(hit).toMatchObject({ passages: ['Pompeii was buried.'], publishedAt: '2026-05-04T10:30:00Z' });
    expect(await askDocuments(provider, { text: 'eruption' })).toEqual([]);
  });

  it('takes the later of two pages with one address', async () => {
    const provider = await fresh([PAGES[0]!, { ...PAGES[0]!, text: 'Marmots whistle.' }]);
    expect(await askDocuments(provider, { text: 'marmots' })).toHaveLength(1);
    expect(await askDocuments(provider, { text: 'mitochondria' })).toEqual([]);
  });

  it('does not write a page that has not changed', async () => {
    const table = `pages_${tables}`;
    const provider = await fresh(PAGES);
    const versions = async (): Promise<unknown> =>
      (await database.pool.query(`SELECT url, xmin FROM ${table} ORDER BY url`)).rows;
    const before = await versions();
    await provider.upsert(PAGES);
    expect(await versions()).toEqual(before);
  });

  it('takes any number of pages from an async generator, and deletes any number', async () => {
    const table = `pages_${tables}`;
    const provider = await fresh();
    const urlOf = (i: number): string => `https://many.example/${i}`;
    await provider.upsert(
      (async function* () {
        for (let i = 0; i < 1201; i++) yield { url: urlOf(i), text: `Marmot number${i} whistles.` };
      })(),
    );
    expect(await count(table)).toBe(1201);
    expect(await askDocuments(provider, { text: 'number1200' })).toHaveLength(1);
    await provider.delete([...Array.from({ length: 1200 }, (_, i) => urlOf(i)), 'https://absent.example/']);
    expect(await count(table)).toBe(1);
  });

  it('takes a text that is longer than what PostgreSQL indexes', async () => {
    const words = Array.from({ length: 300_000 }, (_, i) => `w${i.toString(36)}é`);
    const provider = await fresh([{ url: 'https://long.example/', text: `Marmots. ${words.join(' ')}` }]);
    const [hit] = await askDocuments(provider, { text: words[5000]! });
    expect(hit!.passages![0]).toContain(words[5000]);
  });

  it('names the page that is wrong, and writes nothing of its batch', async () => {
    const table = `pages_${tables}`;
    const provider = await fresh();
    const upsert = (page: unknown): Promise<void> => provider.upsert([PAGES[0]!, page as never]);
    await expect(upsert({ url: 'no address', text: 'x' })).rejects.toThrow(
      '`pages[1].url` must be an http or https address',
    );
    await expect(upsert({ url: 'https://a.example', text: 1 })).rejects.toThrow(
      '`pages[1].text` must be a string',
    );
    await expect(upsert({ url: `https://a.example/${'x'.repeat(2000)}`, text: '' })).rejects.toThrow(
      'at most 2000 bytes',
    );
    expect(await count(table)).toBe(0);
  });

  it('makes the same schema any number of times, also from many replicas at once', async () => {
    const table = `pages_${tables++}`;
    const replicas = Array.from({ length: 8 }, () => postgresDocuments({ pool: database.pool, table }));
    await Promise.all(replicas.map((replica) => replica.migrate()));
    await database.pool.query(replicas[0]!.createSchema());
    await Promise.all(replicas.map((replica) => replica.upsert(PAGES)));
    expect(await count(table)).toBe(PAGES.length);
  });

  it('searches with its indexes, and finds a title among more pages of a word than it looks at', async () => {
    const table = `pages_${tables}`;
    const provider = await fresh(
      Array.from({ length: 6000 }, (_, i) => ({
        url: `https://a.example/${i}`,
        title: i === 5432 ? 'Marmots' : `Page ${i}`,
        text: `The ${i + 1}th page about marmots, eagles and thing${i}.`,
      })),
    );
    await database.pool.query(`VACUUM ANALYZE ${table}`);
    const pool = database.connect({ max: 1 });
    const own = postgresDocuments({ pool, table });
    const [hit] = await askDocuments(own, { text: 'marmots' });
    expect(hit!.url).toBe('https://a.example/5432');
    expect(await askDocuments(own, { text: 'marmots thing77' })).not.toEqual([]);
    await pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await pool.query(
      `SELECT indexrelname FROM pg_stat_user_indexes WHERE relname = $1 AND idx_scan > 0 ORDER BY 1`,
      [table],
    );
    const names = rows.map((row: { indexrelname: string }) => row.indexrelname);
    expect(names).toEqual(
      expect.arrayContaining([`${table}_nestjs_tools_search`, `${table}_nestjs_tools_title`]),
    );
    expect(await askDocuments(provider, { text: 'thing5999' })).toMatchObject([
      { url: 'https://a.example/5999' },
    ]);
  });
});

describe('text that looks like SQL', () => {
  const HOSTILE = [
    `'; DROP TABLE victim; --`,
    `" ; DROP TABLE victim; --`,
    `$1; DROP TABLE victim; --`,
    `\\'); DROP TABLE victim; --`,
    `'::regclass) UNION SELECT usename, passwd FROM pg_shadow --`,
    `marmots' & ( | ! <-> :* 'whistle`,
    'a\0b',
  ];

  it('is a text, in queries, titles, texts, addresses, languages and domains', async () => {
    await database.pool.query('CREATE TABLE victim (id int)');
    const provider = await fresh();
    for (const [i, text] of HOSTILE.entries()) {
      const url = `https://hostile.example/${i}?${text}`;
      await provider.upsert([{ url, title: text, text: `Marmots ${text}`, language: text }]);
      const hits = await askDocuments(provider, {
        text: `marmots ${text}`,
        includeDomains: ['hostile.example'],
        count: 20,
      });
      expect(hits.map((hit) => hit.url)).toContain(url.replaceAll('\0', ' '));
      expect(await askDocuments(provider, { text, includeDomains: [text] })).toEqual([]);
      await provider.delete([text]);
    }
    expect((await database.pool.query('SELECT * FROM victim')).rows).toEqual([]);
  });

  it('is refused in the names of tables and columns', () => {
    for (const name of [...HOSTILE, 'a b', 'a.b.c', '', '.', 'x'.repeat(64), '"a"']) {
      const { pool } = database;
      expect(() => postgresDocuments({ pool, table: name })).toThrow(
        'option `postgresDocuments.table` must be',
      );
      expect(() => postgresDocuments({ pool, columns: { url: 'url', text: 'text', title: name } })).toThrow(
        'option `postgresDocuments.columns.title` must be',
      );
    }
  });

  it('is quoted where it is a keyword or has upper case', async () => {
    await database.pool.query('CREATE SCHEMA "Order"');
    const provider = postgresDocuments({
      pool: database.pool,
      table: 'Order.select',
      columns: {
        url: 'from',
        title: 'Title',
        text: 'group',
        language: 'user',
        publishedAt: 'when',
        search: 'Überblick',
      },
    });
    await provider.migrate();
    await provider.upsert(PAGES);
    expect((await askDocuments(provider, { text: 'Vesuvius' }))[0]).toMatchObject({
      publishedAt: '2020-05-04',
    });
    await provider.delete(PAGES.map((page) => page.url));
  });
});

describe('an upgrade of PostgreSQL that stems otherwise', () => {
  // PostgreSQL 18 does against 15: findings/stems-change-with-postgresql-18.sh. Another dictionary stands in for it here.
  it('has the stems of its own after the statements of docs/own-documents.md', async () => {
    const upgraded = await freshDatabase();
    const provider = postgresDocuments({ pool: upgraded.pool, timeoutMs: 60_000 });
    await provider.migrate();
    const page = { url: 'https://a.example/1', text: 'Die Häuser stehen am Fluss.', language: 'de' };
    await provider.upsert([page]);
    await upgraded.pool.query(
      'ALTER TEXT SEARCH CONFIGURATION pg_catalog.german ALTER MAPPING FOR word, asciiword WITH simple',
    );
    const hasOldStem = async (): Promise<boolean> =>
      (await upgraded.pool.query(`SELECT search @@ 'haus' AS found FROM documents`)).rows[0].found;
    const before = await hasOldStem();
    const docs = readFileSync('docs/own-documents.md', 'utf8').split('### Upgrades of PostgreSQL')[1]!;
    await upgraded.pool.query(/```sql\n([\s\S]*?)```/.exec(docs)![1]!);
    expect([before, await hasOldStem()]).toEqual([true, false]);
    expect(await askDocuments(provider, { text: 'Häuser' })).toHaveLength(1);
    await upgraded.close();
  });
});
