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
    await database.pool.query('CREATE EXTENSION pg_trgm');
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
  const search = (provider: ReturnType<typeof postgresDocuments>, text: string, ms = 60_000, caller = 'a') =>
    withContext(ms, { caller }, (context) => provider.search({ text, count: 5 }, context));

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
        if (text.includes('<<->')) words.push(values![0]);
        return text;
      }),
    });
    await search(watched, 'xylograp zooplankt whale qwertyuo brontosa');
    expect(words).toEqual([['xylograp', 'zooplankt']]);
  });

  it('finds what it can when looking for other spellings takes too long', async () => {
    const pool = poolWith((text) => (text.includes('<<->') ? 'SELECT pg_sleep(60)' : text));
    const provider = postgresDocuments({ pool });
    const { hits } = await search(provider, 'whale zooplankt', 2000);
    expect(hits.map(({ url }) => url)).toEqual(['https://a.example/whale']);
  });

  it('takes its turn for a connection: one caller does not hold all of them', async () => {
    const pool = database.connect({ max: 2 });
    const provider = postgresDocuments({ pool, timeoutMs: 120_000 });
    await search(provider, 'whale');
    const lock = await database.pool.connect();
    await lock.query('BEGIN; LOCK TABLE documents IN ACCESS EXCLUSIVE MODE');
    const order: string[] = [];
    const asked = ['greedy', 'greedy', 'greedy', 'greedy', 'greedy', 'modest'].map((caller) =>
      search(provider, 'whale', 120_000, caller).then(() => order.push(caller)),
    );
    await database.waitUntilBlocked('documents', 2);
    await lock.query('ROLLBACK');
    lock.release();
    await Promise.all(asked);
    expect(order.indexOf('modest')).toBeLessThanOrEqual(3);
  });
});
