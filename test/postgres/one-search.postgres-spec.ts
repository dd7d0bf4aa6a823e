import type { PoolClient } from 'pg';
import { withContext } from '../../lib/core/context.js';
import { postgresDocuments, type PostgresClient } from '../../lib/postgres/index.js';
import { PAGES } from '../search/search.fixtures.js';
import { freshDatabase, type Database } from './database.js';

describe('one search', () => {
  let database: Database;
  const pages = [
    ...PAGES,
    { url: 'https://a.example/whale', title: 'Whales', text: 'A whale breathes air.' },
  ];

  beforeEach(async () => {
    database = await freshDatabase();
    const provider = postgresDocuments({ pool: database.pool });
    await provider.migrate();
    await provider.upsert(pages);
  });
  afterEach(() => database.close());

  /** A pool whose statements are told, and may be replaced. */
  const poolWith = (replaced: (text: string, values?: unknown[]) => string) => ({
    connect: async (): Promise<PostgresClient> => {
      const client: PoolClient = await database.pool.connect();
      return {
        query: (text: string, values?: unknown[]) => {
          const other = replaced(text, values);
          return client.query(other, other === text ? values : undefined);
        },
        release: (destroy?: boolean) => client.release(destroy),
        on: (event: 'error', listener: (error: Error) => void) => client.on(event, listener),
        removeListener: (event: 'error', listener: (error: Error) => void) =>
          client.removeListener(event, listener),
      };
    },
  });
  const search = (provider: ReturnType<typeof postgresDocuments>, text: string, ms = 60_000) =>
    withContext(ms, {}, (context) => provider.search({ text, count: 5 }, context));

  it('gives a statement half of the time at most, and looks for no other spelling of a third unknown word', async () => {
    const asked: string[] = [];
    const provider = postgresDocuments({
      pool: poolWith((text) => {
        asked.push(text);
        return text;
      }),
    });
    await search(provider, 'whale', 4000);
    const [, ms] = /statement_timeout = (\d+)/.exec(asked[0]!)!;
    expect(Number(ms)).toBeLessThanOrEqual(2000);
    const words: unknown[] = [];
    const watched = postgresDocuments({
      pool: poolWith((text, values) => {
        if (text.includes('plainto_tsquery')) words.push([...new Set(values![0] as string[])]);
        return text;
      }),
    });
    await search(watched, 'xylograp zooplankt whale qwertyuo brontosa');
    expect(words.slice(1)).toEqual([
      ['xylograp', 'zooplankt'],
      ['xylograp', 'zooplankt'],
    ]);
  });
});
